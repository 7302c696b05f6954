//! Metrics by name, for configuration files and command lines.

use serde_json::{Map, Value};

use super::{Compat, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity, Metric};
use crate::{
    compare::{Canonical, Distance, Weights},
    error::Error,
    schema::CompiledSchema,
    text::{Extraction, Limits},
};

type Make = fn(&Options<'_>) -> Result<Box<dyn Metric>, Error>;

/// The metrics that need no type, by name.
const METRICS: [(&str, Make); 5] = [
    ("json_validity", json_validity),
    ("json_equality", json_equality),
    ("json_edit_distance", json_edit_distance),
    ("json_schema_match", json_schema_match),
    ("json_diff", json_diff),
];

/// A metric by its field name, with options from a configuration: `json_validity`, `json_equality`,
/// `json_edit_distance`, `json_schema_match` and `json_diff`.
///
/// `options` is an object whose keys are the names of the metric's builder methods, or null for the
/// defaults. A method without an argument takes a boolean; modes are written in snake case; `limits`
/// is an object with the names of [`Limits`]. What only code can give (own functions) has no option.
///
/// After LangChain's `load_evaluator`.
///
/// ```
/// use json_correctness::{Metric, TestCase, metric};
/// use serde_json::json;
///
/// let validity = metric("json_validity", &json!({ "extract": "fenced" }))?;
/// let case = TestCase::new("Three primes?", "```json\n[2, 3, 5]\n```");
/// assert_eq!(validity.measure(&case)?.score.value(), 1.0);
///
/// let error = metric("json_validty", &json!({})).err().expect("a misspelt name");
/// assert!(error.to_string().contains("did you mean `json_validity`?"), "{error}");
/// # Ok::<(), json_correctness::Error>(())
/// ```
///
/// # Errors
///
/// An unknown name or option, which the message answers with the nearest and all known ones, or a
/// value that the option does not take ([`Error::is_option`]).
pub fn metric(name: &str, options: &Value) -> Result<Box<dyn Metric>, Error> {
    let Some((metric, make)) = METRICS.iter().find(|(known, _)| *known == name) else {
        return Err(unknown("metric", name, &METRICS.map(|(known, _)| known)));
    };
    let empty = Map::new();
    let members = match options {
        Value::Object(members) => members,
        Value::Null => &empty,
        _ => return Err(Error::option(format!("the options of {metric} are no object: write {{…}}"))),
    };
    make(&Options { metric, members })
}

/// The names that [`metric`] knows.
#[must_use]
pub fn metric_names() -> &'static [&'static str] {
    const NAMES: [&str; METRICS.len()] = {
        let mut names = [""; METRICS.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = METRICS[at].0;
            at += 1;
        }
        names
    };
    &NAMES
}

/// The names of the options that [`metric`] takes for a metric; empty for a name that it does not know.
///
/// ```
/// use json_correctness::metric_options;
/// assert_eq!(metric_options("json_validity"), ["extract", "compat", "limits"]);
/// ```
#[must_use]
pub fn metric_options(name: &str) -> &'static [&'static str] {
    match name {
        "json_validity" => &VALIDITY,
        "json_equality" => &EQUALITY,
        "json_edit_distance" => &EDIT_DISTANCE,
        "json_schema_match" => &SCHEMA_MATCH,
        "json_diff" => &DIFF,
        _ => &[],
    }
}

const VALIDITY: [&str; 3] = ["extract", "compat", "limits"];
const EQUALITY: [&str; 4] = ["unordered", "extract", "compat", "limits"];
const EDIT_DISTANCE: [&str; 5] = ["distance", "canonical", "extract", "compat", "limits"];
const DIFF: [&str; 5] = ["weights", "schema", "extract", "compat", "limits"];
const SCHEMA_MATCH: [&str; 7] = ["schema", "document", "formats", "graded", "extract", "compat", "limits"];

fn json_validity(options: &Options<'_>) -> Result<Box<dyn Metric>, Error> {
    options.apply(JsonValidity::new(), &VALIDITY, |metric, option| {
        Ok(match option.name {
            "extract" => metric.extract(option.extraction()?),
            "compat" => metric.compat(option.compat()?),
            _ => metric.limits(option.limits()?),
        })
    })
}

fn json_equality(options: &Options<'_>) -> Result<Box<dyn Metric>, Error> {
    options.apply(JsonEquality::new(), &EQUALITY, |metric, option| {
        Ok(match option.name {
            "unordered" if option.flag()? => metric.unordered(),
            "unordered" => metric,
            "extract" => metric.extract(option.extraction()?),
            "compat" => metric.compat(option.compat()?),
            _ => metric.limits(option.limits()?),
        })
    })
}

fn json_edit_distance(options: &Options<'_>) -> Result<Box<dyn Metric>, Error> {
    options.apply(JsonEditDistance::new(), &EDIT_DISTANCE, |metric, option| {
        Ok(match option.name {
            "distance" => metric.distance(option.mode(&[
                ("damerau_levenshtein", Distance::DamerauLevenshtein),
                ("optimal_string_alignment", Distance::OptimalStringAlignment),
                ("levenshtein", Distance::Levenshtein),
            ])?),
            "canonical" => metric.canonical(
                option.mode(&[("jcs", Canonical::Jcs), ("python_dumps", Canonical::PythonDumps)])?,
            ),
            "extract" => metric.extract(option.extraction()?),
            "compat" => metric.compat(option.compat()?),
            _ => metric.limits(option.limits()?),
        })
    })
}

fn json_diff(options: &Options<'_>) -> Result<Box<dyn Metric>, Error> {
    options.apply(JsonDiff::new(), &DIFF, |metric, option| {
        Ok(match option.name {
            "weights" => {
                // What is wrong with them is wrong for every case.
                Weights::read(option.value)?;
                metric.weights(option.value.clone())
            }
            "schema" => match option.value {
                Value::String(text) => metric.schema(CompiledSchema::read(text, &Limits::default())?),
                schema => metric.schema(schema.clone()),
            },
            "extract" => metric.extract(option.extraction()?),
            "compat" => metric.compat(option.compat()?),
            _ => metric.limits(option.limits()?),
        })
    })
}

fn json_schema_match(options: &Options<'_>) -> Result<Box<dyn Metric>, Error> {
    options.apply(JsonSchemaMatch::new(), &SCHEMA_MATCH, |metric, option| {
        Ok(match option.name {
            "schema" => match option.value {
                Value::String(text) => metric.schema(text.as_str()),
                schema => metric.schema(schema),
            },
            "document" => {
                let documents = option.object("an object of URIs and schemas")?;
                documents.iter().fold(metric, |metric, (uri, schema)| metric.document(uri, schema.clone()))
            }
            "formats" => metric.formats(option.flag()?),
            "graded" if option.flag()? => metric.graded(),
            "graded" => metric,
            "extract" => metric.extract(option.extraction()?),
            "compat" => metric.compat(option.compat()?),
            _ => metric.limits(option.limits()?),
        })
    })
}

/// The options of one metric.
struct Options<'o> {
    metric: &'static str,
    members: &'o Map<String, Value>,
}

impl Options<'_> {
    /// Applies each option to a metric, once it is known that all of them exist.
    fn apply<M: Metric + 'static>(
        &self,
        metric: M,
        known: &[&'static str],
        apply: impl Fn(M, &Given<'_>) -> Result<M, Error>,
    ) -> Result<Box<dyn Metric>, Error> {
        let mut given = Vec::new();
        for (name, value) in self.members {
            let Some(name) = known.iter().find(|known| *known == name) else {
                return Err(unknown(&format!("option of {}", self.metric), name, known));
            };
            given.push(Given { metric: self.metric, name, value });
        }
        let metric = given.iter().try_fold(metric, apply)?;
        Ok(Box::new(metric))
    }
}

/// One option with its value.
struct Given<'o> {
    metric: &'static str,
    name: &'static str,
    value: &'o Value,
}

impl<'o> Given<'o> {
    fn refused(&self, wanted: &str) -> Error {
        let Self { metric, name, value } = self;
        let mut found = value.to_string();
        crate::violation::cut(&mut found, 100);
        Error::option(format!("option `{name}` of {metric} must be {wanted}, found {found}"))
    }

    fn flag(&self) -> Result<bool, Error> {
        self.value.as_bool().ok_or_else(|| self.refused("true or false"))
    }

    fn object(&self, wanted: &str) -> Result<&'o Map<String, Value>, Error> {
        self.value.as_object().ok_or_else(|| self.refused(wanted))
    }

    /// The mode that the value names.
    fn mode<T: Copy>(&self, modes: &[(&str, T)]) -> Result<T, Error> {
        let found = self.value.as_str().and_then(|name| modes.iter().find(|(known, _)| *known == name));
        found.map(|(_, mode)| *mode).ok_or_else(|| {
            let names: Vec<String> = modes.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.refused(&names.join(" or "))
        })
    }

    fn extraction(&self) -> Result<Extraction, Error> {
        self.mode(&[
            ("whole", Extraction::Whole),
            ("fenced", Extraction::Fenced),
            ("embedded", Extraction::Embedded),
        ])
    }

    fn compat(&self) -> Result<Compat, Error> {
        self.mode(&Compat::ALL.map(|mode| (mode.name(), mode)))
    }

    fn limits(&self) -> Result<Limits, Error> {
        let mut limits = Limits::default();
        for (name, value) in self.object("an object of limits")? {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            let Some(number) = number else {
                return Err(self.refused(&format!("an object of whole numbers (`{name}` is none)")));
            };
            if !limits.set(name, number) {
                return Err(unknown("limit", name, Limits::NAMES));
            }
        }
        Ok(limits)
    }
}

/// The error of a name that is none of the known ones.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Error {
    let nearest = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(name, known), *known))
        .filter(|(distance, known)| *distance * 3 <= known.len().max(name.len()))
        .min();
    let hint = nearest.map(|(_, known)| format!("did you mean `{known}`? ")).unwrap_or_default();
    let mut name = name.to_owned();
    crate::violation::cut(&mut name, 100);
    let names: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    Error::option(format!("there is no {what} `{name}`: {hint}known are {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_configuration_gets_wrong_is_named() {
        let rows = [
            ("json_valid", json!({}), "known are `json_validity`, `json_"),
            ("json_validity", json!([]), "the options of json_validity are no object"),
            ("json_validity", json!({ "treshold": 1 }), "no option of json_validity `treshold`: known are"),
            ("json_schema_match", json!({ "format": true }), "did you mean `formats`?"),
            ("json_schema_match", json!({ "graded": 1 }), "must be true or false, found 1"),
            ("json_validity", json!({ "extract": "fence" }), "`whole` or `fenced` or `embedded`"),
            ("json_validity", json!({ "compat": "openevals" }), "`langchain` or `lynxius` or `autoevals`"),
            ("json_validity", json!({ "limits": { "max_dept": 3 } }), "did you mean `max_depth`?"),
            ("json_validity", json!({ "limits": { "max_depth": -1 } }), "`max_depth` is none"),
        ];
        for (name, options, expected) in rows {
            let error = metric(name, &options).map(drop).expect_err(expected);
            assert!(error.is_option() && error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn a_metric_tells_the_options_that_it_was_given() {
        let limits = json!({ "max_depth": 9 });
        let rows = [
            ("json_validity", json!({ "extract": "fenced", "compat": "langchain", "limits": limits })),
            ("json_equality", json!({ "unordered": true, "extract": "embedded" })),
            ("json_edit_distance", json!({ "distance": "levenshtein", "canonical": "python_dumps" })),
            (
                "json_schema_match",
                json!({ "schema": { "type": "object" }, "formats": false, "graded": true, "document": { "urn:x": true } }),
            ),
            ("json_schema_match", json!({ "schema": "{\"type\": \"object\"}" })),
            ("json_diff", json!({ "weights": { "a": 0.5 }, "schema": { "type": "object" } })),
        ];
        for (name, options) in rows {
            assert_eq!(metric(name, &options).expect(name).options(), options);
        }
        for (name, _) in METRICS {
            assert_eq!(metric(name, &Value::Null).expect(name).options(), json!({}));
        }
    }

    #[test]
    fn every_metric_goes_by_its_own_name() {
        for (name, _) in METRICS {
            assert_eq!(metric(name, &Value::Null).expect(name).name(), name);
            assert!(metric_names().contains(&name) && metric_options(name).contains(&"limits"), "{name}");
        }
    }
}
