//! `eval`: files of recorded outputs, judged.

mod config;
mod data;
mod interrupt;
mod progress;
mod reports;

use std::path::{Path, PathBuf};

use clap::Args;
use json_correctness::{Checks, Error, Evaluation, Evaluator, Repeats};

use self::reports::Report;
use crate::{
    check::shown,
    failure::{Failure, Gate},
    judged::Format,
    measure::{Measure, both, fraction},
    reasons::Reasons,
    screen::Screen,
};

/// What is kept of the results in memory, for the reports; those that passed go first.
const KEEP_BYTES: usize = 48 << 20;

/// Judge files of recorded outputs, and write reports
///
/// DATA is JSONL, a JSON array, CSV or TSV, also as .gz or .zst, or `-` for standard input. Its columns
/// are id, input, actual_output, expected_output, json_schema, weights, label, href and tags; all others
/// come back in the results.
///
/// Without `--metric`, outputs are judged by json_schema_match if there is a schema, and else by
/// json_validity. The command fails unless every output that was judged passed; `--fail-under` asks for
/// less. A run in which nothing was judged fails.
#[derive(Args, Debug, Default)]
pub(crate) struct Eval {
    /// The files that hold the outputs
    data: Vec<PathBuf>,
    #[command(flatten)]
    measure: Measure,
    #[command(flatten)]
    reasons: Reasons,
    /// Take a field from a column of another name, such as actual_output=prediction
    #[arg(long, value_name = "FIELD=COLUMN", help_heading = "Data")]
    map: Vec<String>,
    /// How the files are written; otherwise their names and first bytes tell
    #[arg(long, value_name = "FORM", value_parser = ["jsonl", "json", "csv", "tsv"], help_heading = "Data")]
    data_format: Option<String>,
    /// Judge only rows that have this tag; may be given several times
    #[arg(long, value_name = "TAG", help_heading = "Data")]
    tag: Vec<String>,
    /// Rows of one id are samples of one case; tell pass@k and pass^k for each K
    #[arg(long, value_name = "K", value_delimiter = ',', help_heading = "Data")]
    repeats: Vec<u64>,
    /// A case passes where N of its M samples do
    #[arg(long, value_name = "N/M", help_heading = "Data")]
    require: Option<String>,
    /// The part of the outputs that must pass each metric, 0 to 1 [default: 1]
    #[arg(long, value_name = "RATE", value_parser = fraction, allow_negative_numbers = true, help_heading = "Run")]
    fail_under: Option<f64>,
    /// How many threads judge [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Run")]
    jobs: Option<usize>,
    /// Write each result to this file as it comes, one a line; until the end it is called FILE.part
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    out: Option<PathBuf>,
    /// Go on where an interrupted run with the same `--out` stopped
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "Run")]
    resume: Option<bool>,
    /// Read options from a TOML file whose keys are the names of these options; paths in it are taken
    /// from the current directory, and the command line comes first
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    config: Option<PathBuf>,
    /// Write a report: junit=FILE, html=FILE, markdown=FILE or json=FILE; may be given several times
    #[arg(long, value_name = "FORM=FILE", help_heading = "Output")]
    report: Vec<String>,
    /// Print an annotation for each failed case, for the log of a CI
    #[arg(long, value_name = "CI", value_parser = ["github"], help_heading = "Output")]
    annotations: Option<String>,
    /// Whether to print for a person or for a program [default: plain]
    #[arg(long, value_name = "FORM", help_heading = "Output")]
    format: Option<Format>,
}

impl Eval {
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Gate, Failure> {
        let options = match &self.config {
            Some(path) => {
                let configured = config::read(path)?;
                self.or(configured)
            }
            None => self,
        };
        options.judge(screen)
    }

    fn judge(&self, screen: &mut Screen) -> Result<Gate, Failure> {
        let reports = Report::all(&self.report)?;
        self.keep_what_is_read(&reports)?;
        if self.resume == Some(true) && self.out.is_none() {
            return Err(Failure::set_up(
                "`--resume` without `--out`: there is no file of results to go on with",
            )
            .help("give the `--out FILE` of the run that was interrupted"));
        }
        let repeats = self.samples()?;
        // Set up first: a file of a gigabyte is not opened for an option that is wrong.
        let hook = self.reasons.hook()?;
        let checks_by = |default: &[&str]| self.measure.checks(default, hook.as_ref());
        let mut checks = if self.measure.metric.is_empty() { None } else { Some(checks_by(&[])?) };
        let data = data::Data::open(self)?;
        if checks.is_none() {
            let (metric, why) = match (&self.measure.schema, data.has_schemas()) {
                (Some(_), _) => ("json_schema_match", "there is a `--schema`"),
                (None, true) => ("json_schema_match", "the rows carry a json_schema"),
                (None, false) => ("json_validity", "there is no schema"),
            };
            progress::note(&format!("judging by {metric}, since {why}; `--metric` chooses others"));
            checks = Some(checks_by(&[metric])?);
        }
        let checks = checks.into_iter().flatten().fold(Checks::new(), Checks::with);
        let cancel = interrupt::flag()?;
        let bar = progress::Bar::new();
        let mut evaluator = Evaluator::new(checks)
            .jobs(self.jobs.unwrap_or(0))
            .resume(self.resume.unwrap_or(false))
            .keep_bytes(KEEP_BYTES)
            .cancel(cancel);
        evaluator = self.tag.iter().fold(evaluator, Evaluator::tag);
        evaluator = repeats.into_iter().fold(evaluator, Evaluator::repeats);
        evaluator = self.out.iter().fold(evaluator, Evaluator::results);
        if let Some(bar) = bar.clone() {
            evaluator = evaluator.progress(move |progress| bar.show(progress));
        }
        let evaluation = evaluator.run(data);
        bar.into_iter().for_each(|bar| bar.clear());
        let evaluation = evaluation.map_err(|error| self.stopped(error))?;
        for report in &reports {
            report.write(&evaluation)?;
        }
        self.print(screen, &evaluation)
    }

    /// Refuses to write to a file that is read, or that something else is written to.
    fn keep_what_is_read(&self, reports: &[Report]) -> Result<(), Failure> {
        // A file that is not there yet is known by its directory and name.
        let place = |path: &PathBuf| -> Option<PathBuf> {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new(".")).canonicalize().ok()?;
            path.canonicalize().ok().or_else(|| Some(directory.join(path.file_name()?)))
        };
        let read = self.data.iter().chain(&self.measure.schema).chain(&self.config);
        let mut taken: Vec<PathBuf> = read.filter_map(place).collect();
        let written = self.out.iter().chain(self.reasons.cache()).chain(reports.iter().map(Report::path));
        for path in written {
            let Some(place) = place(path) else { continue };
            if taken.contains(&place) {
                return Err(Failure::set_up(format!(
                    "{} is to be written, and has another use in this run",
                    path.display()
                ))
                .help("write to a file of its own"));
            }
            taken.push(place);
        }
        Ok(())
    }

    /// How the samples of a case are taken together.
    fn samples(&self) -> Result<Option<Repeats>, Failure> {
        let Some(required) = &self.require else {
            let at = self.repeats.clone();
            return Ok((!at.is_empty()).then(|| Repeats::new().at(at)));
        };
        let numbers = required.split_once('/').and_then(|(n, m)| Some((n.parse().ok()?, m.parse().ok()?)));
        let (n, m): (u64, u64) = numbers.filter(|(n, m)| (1..=*m).contains(n)).ok_or_else(|| {
            Failure::set_up(format!("`--require {required}` is not N/M with N from 1 to M"))
                .help("write `--require 2/3` where two of the three samples of a case must pass")
        })?;
        Ok(Some(Repeats::new().at(self.repeats.iter().copied()).require(n, m)))
    }

    fn stopped(&self, error: Error) -> Failure {
        let interrupted = error.is_interrupted();
        let failure = Failure::from(error);
        match &self.out {
            Some(out) if interrupted => failure.help(format!(
                "what was judged stands in {}.part: the same command with `--resume` goes on there",
                out.display()
            )),
            _ => failure,
        }
    }

    fn print(&self, screen: &mut Screen, evaluation: &Evaluation) -> Result<Gate, Failure> {
        let gates = evaluation.gates(self.fail_under.unwrap_or(1.0));
        match self.format.unwrap_or_default() {
            Format::Json => screen.raw(evaluation.to_json().as_bytes())?,
            Format::Plain => {
                reports::table(screen, evaluation)?;
                for (at, gate) in gates.iter().filter(|gate| !gate.holds).enumerate() {
                    screen.line(format!("{}gate failed: {gate}", if at == 0 { "\n" } else { "" }))?;
                }
            }
        }
        if evaluation.summary.rows == 0 {
            progress::help(&match &self.tag[..] {
                [] => format!("there are no rows in {}", self.named_data()),
                tags => format!("no row of {} has the tag {}", self.named_data(), tags.join(" or ")),
            });
        }
        if self.annotations.is_some() {
            reports::annotations(screen, evaluation)?;
        }
        Ok((!gates.is_empty() && gates.iter().all(|gate| gate.holds)).into())
    }

    /// The files, for a message.
    fn named_data(&self) -> String {
        let mut names: Vec<String> = self.data.iter().take(3).map(|path| shown(path)).collect();
        if self.data.len() > 3 {
            names.push(format!("{} other files", self.data.len() - 3));
        }
        names.join(", ")
    }

    /// These options, and those of `other` where these say nothing.
    fn or(self, other: Self) -> Self {
        let list = |first: Vec<String>, second: Vec<String>| if first.is_empty() { second } else { first };
        Self {
            data: if self.data.is_empty() { other.data } else { self.data },
            measure: self.measure.or(other.measure),
            reasons: self.reasons.or(other.reasons),
            map: both(other.map, self.map),
            data_format: self.data_format.or(other.data_format),
            tag: list(self.tag, other.tag),
            repeats: if self.repeats.is_empty() { other.repeats } else { self.repeats },
            require: self.require.or(other.require),
            fail_under: self.fail_under.or(other.fail_under),
            jobs: self.jobs.or(other.jobs),
            out: self.out.or(other.out),
            resume: self.resume.or(other.resume),
            config: self.config,
            report: list(self.report, other.report),
            annotations: self.annotations.or(other.annotations),
            format: self.format.or(other.format),
        }
    }
}
