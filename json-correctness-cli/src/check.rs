//! `check`: one output, judged.

use std::path::{Path, PathBuf};

use clap::Args;
use json_correctness::{Error, ReasonSource, TestCase, Verdict, for_terminal};

use crate::{
    failure::{Failure, Gate},
    input,
    judged::{Format, Judged},
    measure::Measure,
    reasons::Reasons,
    screen::Screen,
};

/// Judge one output, and show what is wrong with it at its place in the text
///
/// Without `--metric`, an output is judged by json_schema_match if there is a `--schema`, by
/// json_equality if there is an `--expected`, and else by json_validity.
#[derive(Args, Debug)]
pub(crate) struct CheckOutput {
    /// The file that holds what the model returned, `-` for standard input
    file: PathBuf,
    /// The file that holds the reference, for the metrics that compare
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Whether to print for a person or for a program
    #[arg(long, value_name = "FORM", default_value = "plain")]
    format: Format,
    #[command(flatten)]
    measure: Measure,
    #[command(flatten)]
    reasons: Reasons,
}

impl CheckOutput {
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Gate, Failure> {
        let files = [Some(&self.file), self.expected.as_ref(), self.measure.schema.as_ref()];
        input::one_stdin(files.into_iter().flatten())?;
        let mut default = Vec::new();
        default.extend(self.measure.schema.as_ref().map(|_| "json_schema_match"));
        default.extend(self.expected.as_ref().map(|_| "json_equality"));
        if default.is_empty() {
            default.push("json_validity");
        }
        let hook = self.reasons.hook()?;
        let checks = self.measure.checks(&default, hook.as_ref())?;
        let mut case = TestCase::new("", input::bytes(&self.file)?);
        if let Some(expected) = &self.expected {
            case = case.id(expected.display().to_string()).expected_output(input::bytes(expected)?);
        }
        let verdicts: Vec<Verdict> =
            checks.iter().map(|check| check.judge(&case)).collect::<Result<_, Error>>().map_err(unfit)?;
        let passed = verdicts.iter().all(Verdict::passed);
        match self.format {
            Format::Json => screen.json(&Judged::new(passed, &verdicts))?,
            Format::Plain => {
                for (at, verdict) in verdicts.iter().enumerate() {
                    if at > 0 {
                        screen.line("")?;
                    }
                    show(screen, verdict, &self.file)?;
                }
            }
        }
        Ok(passed.into())
    }
}

/// A case that a metric cannot use.
pub(crate) fn unfit(error: Error) -> Failure {
    let lacks = error.is_case();
    let failure = Failure::from(error);
    if lacks {
        failure.help("`--expected FILE` gives the reference, `--schema FILE` the schema")
    } else {
        failure
    }
}

/// The name of a file as reports show it.
pub(crate) fn shown(file: &Path) -> String {
    if file == Path::new(input::STDIN) { "standard input".to_owned() } else { file.display().to_string() }
}

/// The reason for a terminal, on one line: a hook's could else pretend to be the verdict below it, or, at
/// the beginning of a line, be a command to the log of a CI.
fn reason(verdict: &Verdict) -> Option<String> {
    let prefix = if verdict.reason_source() == Some(ReasonSource::Hook) { "reason: " } else { "" };
    let reason = for_terminal(verdict.reason()?).replace('\n', "\u{240a}");
    Some(format!("{prefix}{reason}"))
}

fn show(screen: &mut Screen, verdict: &Verdict, file: &Path) -> Result<(), Failure> {
    let report = verdict.report_of(&shown(file), screen.color());
    if !report.is_empty() {
        screen.line(format!("{report}\n"))?;
    } else if let Some(reason) = reason(verdict) {
        screen.line(format!("{reason}\n"))?;
    }
    if let Some(note) = verdict.reason_note() {
        // A hook's wording may say more than the report, a built-in reason says no more.
        if !report.is_empty() && verdict.reason_source() == Some(ReasonSource::Hook) {
            screen.line(reason(verdict).unwrap_or_default())?;
        }
        screen.line(format!("(reason {note})\n"))?;
    }
    let mut line = format!("{}: {}", verdict.metric(), verdict.outcome());
    if let Some(score) = verdict.score() {
        line.push_str(&format!(", score {score}, threshold {}", verdict.threshold()));
    }
    match verdict.violations().len() {
        0 => {}
        1 => line.push_str(", 1 violation"),
        count => line.push_str(&format!(", {count} violations")),
    }
    screen.line(line)
}
