//! The arguments that choose and set up metrics, shared by `check`, `compare` and `eval`.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};
use json_correctness::{Check, Metric, ReasonHook, TestCase, metric, metric_names, metric_options};
use serde_json::{Map, Value, json};

use crate::{failure::Failure, input, nearest::did_you_mean};

/// Both lists of `KEY=VALUE`; of one key the later value counts.
pub(crate) fn both(mut first: Vec<String>, second: Vec<String>) -> Vec<String> {
    first.extend(second);
    first
}

/// A metric as it is asked for.
type Chosen = Check<Box<dyn Metric>>;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Metrics")]
pub(crate) struct Measure {
    /// The metrics to judge by
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PossibleValuesParser::new(metric_names()))]
    pub(crate) metric: Vec<String>,
    /// The JSON Schema that an output must meet; one that stands in the data comes first
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// An option of every metric that has it, or, as METRIC.KEY=VALUE, of one; VALUE is JSON or else
    /// text, and @FILE is what the file holds
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) option: Vec<String>,
    /// The score from which on an output passes, 0 to 1; of json_edit_distance the score up to which
    /// [default: 0.5]
    #[arg(long, value_name = "X", value_parser = fraction, allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
    /// Only the best score passes
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) strict: Option<bool>,
    /// Partial credit for outputs that are partly right
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) graded: Option<bool>,
    /// Which part of an output is judged [default: whole]
    #[arg(long, value_name = "PART", value_parser = ["whole", "fenced", "embedded"])]
    pub(crate) extract: Option<String>,
    /// Score by the rules of another library
    #[arg(long, value_name = "NAME", value_parser = ["langchain", "lynxius", "autoevals"])]
    pub(crate) compat: Option<String>,
    /// A bound on hostile input, such as max_depth=200
    #[arg(long, value_name = "NAME=N")]
    pub(crate) limit: Vec<String>,
}

/// A number from 0 to 1.
pub(crate) fn fraction(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "give a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("give a number from 0 to 1".to_owned()) }
}

/// The two sides of `KEY=VALUE`.
pub(crate) fn pair<'a>(argument: &str, given: &'a str, form: &str) -> Result<(&'a str, &'a str), Failure> {
    given.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(|| {
        Failure::set_up(format!("`{argument} {given}` has no `=`")).help(format!("write `{argument} {form}`"))
    })
}

impl Measure {
    /// These options, and those of `other` where these say nothing.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            metric: if self.metric.is_empty() { other.metric } else { self.metric },
            schema: self.schema.or(other.schema),
            option: both(other.option, self.option),
            threshold: self.threshold.or(other.threshold),
            strict: self.strict.or(other.strict),
            graded: self.graded.or(other.graded),
            extract: self.extract.or(other.extract),
            compat: self.compat.or(other.compat),
            limit: both(other.limit, self.limit),
        }
    }

    /// The checks to judge by: the metrics that were chosen, or else `default`; `hook` words their reasons.
    pub(crate) fn checks(&self, default: &[&str], hook: Option<&ReasonHook>) -> Result<Vec<Chosen>, Failure> {
        let names: Vec<&str> = match self.metric[..] {
            [] => default.to_vec(),
            _ => self.metric.iter().map(String::as_str).collect(),
        };
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(
                    Failure::set_up(format!("the metric `{name}` is chosen twice")).help("name it once")
                );
            }
        }
        let mut options = Options::new(&names);
        self.fill(&mut options)?;
        let hooked = |check: Chosen| match hook {
            Some(hook) => check.reason_hook(hook.clone()),
            None => check,
        };
        options.chosen.into_iter().map(|(name, options)| self.check(name, options).map(hooked)).collect()
    }

    fn fill(&self, options: &mut Options<'_>) -> Result<(), Failure> {
        for given in &self.option {
            let (key, value) = pair("--option", given, "KEY=VALUE")?;
            options.set_named(key, &read_value(value)?)?;
        }
        if let Some(path) = &self.schema {
            options.set_flag("--schema", "schema", &input::schema(path)?)?;
        }
        if let Some(graded) = self.graded {
            options.set_flag("--graded", "graded", &json!(graded))?;
        }
        if let Some(extract) = &self.extract {
            options.set_flag("--extract", "extract", &json!(extract))?;
        }
        if let Some(compat) = &self.compat {
            options.set_flag("--compat", "compat", &json!(compat))?;
        }
        for given in &self.limit {
            let (name, number) = pair("--limit", given, "NAME=N")?;
            let Ok(number) = number.parse::<u64>() else {
                return Err(Failure::set_up(format!("`--limit {given}`: `{number}` is no whole number"))
                    .help(format!("write `--limit {name}=1000`")));
            };
            options.set_limit(&name.replace('-', "_"), number);
        }
        Ok(())
    }

    fn check(&self, name: &str, options: Map<String, Value>) -> Result<Chosen, Failure> {
        let metric = metric(name, &Value::Object(options))?;
        // What is wrong with the set-up is found on any case; weights of fields are a case's own matter.
        let any = TestCase::new("", "null").expected_output("null").weights(json!({}));
        if let Err(error) = metric.measure(&any)
            && (error.is_schema() || error.is_limit() || error.is_option())
        {
            let failure = Failure::from(error);
            return Err(match &self.schema {
                Some(path) => failure.help(format!(
                    "`json-correctness schema lint {}` tells all that is wrong with the schema",
                    path.display()
                )),
                None => failure,
            });
        }
        let check = Check::new(metric);
        let check = self.threshold.into_iter().fold(check, Check::threshold);
        Ok(check.strict_mode(self.strict.unwrap_or(false)))
    }
}

/// A value of the command line: JSON, or else text; `@FILE` is what the file holds.
fn read_value(value: &str) -> Result<Value, Failure> {
    let text = match value.strip_prefix('@') {
        Some(path) => input::text(&PathBuf::from(path))?,
        None => value.to_owned(),
    };
    Ok(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// The options of each metric.
struct Options<'n> {
    chosen: Vec<(&'n str, Map<String, Value>)>,
}

impl<'n> Options<'n> {
    fn new(names: &[&'n str]) -> Self {
        Self { chosen: names.iter().map(|name| (*name, Map::new())).collect() }
    }

    fn names(&self) -> Vec<&'n str> {
        self.chosen.iter().map(|(name, _)| *name).collect()
    }

    /// Sets an option of every metric that has it; whether there is one.
    fn set(&mut self, key: &str, value: &Value) -> bool {
        let mut found = false;
        for (name, options) in &mut self.chosen {
            if metric_options(name).contains(&key) {
                options.insert(key.to_owned(), value.clone());
                found = true;
            }
        }
        found
    }

    fn set_flag(&mut self, flag: &str, key: &str, value: &Value) -> Result<(), Failure> {
        if self.set(key, value) {
            return Ok(());
        }
        let having: Vec<&str> =
            metric_names().iter().copied().filter(|name| metric_options(name).contains(&key)).collect();
        Err(Failure::set_up(format!("`{flag}` means nothing to {}", self.names().join(", ")))
            .help(format!("leave it out, or choose `--metric {}`", having.join(" or "))))
    }

    fn set_named(&mut self, key: &str, value: &Value) -> Result<(), Failure> {
        let Some((metric, option)) = key.split_once('.') else {
            let key = key.replace('-', "_");
            if self.set(&key, value) {
                return Ok(());
            }
            let mut known: Vec<&str> =
                self.chosen.iter().flat_map(|(name, _)| metric_options(name)).copied().collect();
            known.sort_unstable();
            known.dedup();
            let names = self.names().join(", ");
            return Err(Failure::set_up(format!("none of the metrics {names} has an option `{key}`"))
                .help(did_you_mean(&key, known)));
        };
        let (metric, option) = (metric.replace('-', "_"), option.replace('-', "_"));
        let names = self.names();
        let Some((name, options)) = self.chosen.iter_mut().find(|(name, _)| *name == metric) else {
            return Err(Failure::set_up(format!("`--option {key}`: `{metric}` is not among the metrics"))
                .help(did_you_mean(&metric, names)));
        };
        let known = metric_options(name);
        if !known.contains(&option.as_str()) {
            return Err(Failure::set_up(format!("{name} has no option `{option}`"))
                .help(did_you_mean(&option, known.iter().copied())));
        }
        options.insert(option, value.clone());
        Ok(())
    }

    /// Every metric has limits.
    fn set_limit(&mut self, name: &str, number: u64) {
        for (_, options) in &mut self.chosen {
            let limits = options.entry("limits").or_insert_with(|| json!({}));
            if let Value::Object(limits) = limits {
                limits.insert(name.to_owned(), json!(number));
            }
        }
    }
}
