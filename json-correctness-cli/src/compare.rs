//! `compare`: one output against one reference.

use std::path::PathBuf;

use clap::Args;
use json_correctness::{Difference, Error, TestCase, Verdict, for_terminal};

use crate::{
    check::shown,
    failure::{Failure, Gate},
    input,
    judged::{Format, Judged},
    measure::Measure,
    reasons::Reasons,
    screen::Screen,
};

/// What is compared where no metric is chosen; the first one is the gate.
const DEFAULT: [&str; 3] = ["json_equality", "json_edit_distance", "json_diff"];
/// Longest value and longest place that the table shows, in characters.
const MAX_CELL: usize = 60;

/// Compare an output with its reference: equality, edit distance, and each difference
///
/// Without `--metric` all three are shown, and the command succeeds if output and reference are equal.
/// With it, it succeeds if each of the chosen metrics passes.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// The file that holds what the model returned, `-` for standard input
    output: PathBuf,
    /// The file that holds what it should have returned
    reference: PathBuf,
    /// Lists are equal whatever the order of their elements
    #[arg(long)]
    unordered: bool,
    /// Whether to print for a person or for a program
    #[arg(long, value_name = "FORM", default_value = "plain")]
    format: Format,
    #[command(flatten)]
    measure: Measure,
    #[command(flatten)]
    reasons: Reasons,
}

impl Compare {
    pub(crate) fn run(mut self, screen: &mut Screen) -> Result<Gate, Failure> {
        input::one_stdin([&self.output, &self.reference].into_iter().chain(&self.measure.schema))?;
        if self.unordered {
            self.measure.option.push("unordered=true".to_owned());
        }
        let hook = self.reasons.hook()?;
        let checks = self.measure.checks(&DEFAULT, hook.as_ref())?;
        let case = TestCase::new("", input::bytes(&self.output)?)
            .id(shown(&self.reference))
            .expected_output(input::bytes(&self.reference)?);
        let verdicts: Vec<Verdict> =
            checks.iter().map(|check| check.judge(&case)).collect::<Result<_, Error>>()?;
        let gates = if self.measure.metric.is_empty() { &verdicts[..1] } else { &verdicts[..] };
        let passed = gates.iter().all(Verdict::passed);
        match self.format {
            Format::Json => screen.json(&Judged::new(passed, &verdicts))?,
            Format::Plain => self.show(screen, &verdicts)?,
        }
        Ok(passed.into())
    }

    fn show(&self, screen: &mut Screen, verdicts: &[Verdict]) -> Result<(), Failure> {
        for verdict in verdicts {
            let score = verdict.score().unwrap_or_default();
            screen.line(match verdict.metric() {
                "json_equality" => format!("equal:          {}", if score == 1.0 { "yes" } else { "no" }),
                "json_edit_distance" => format!("edit distance:  {score} (0 is equal)"),
                "json_diff" if self.unordered => {
                    format!("similarity:     {score} (1 is equal; lists are taken by place)")
                }
                "json_diff" => format!("similarity:     {score} (1 is equal)"),
                other => format!("{other}: {score}"),
            })?;
            if !self.measure.metric.is_empty() {
                screen.line(format!(
                    "                {}, threshold {}",
                    verdict.outcome(),
                    verdict.threshold()
                ))?;
            }
        }
        // An output that is not JSON is so for every metric.
        if let Some(verdict) = verdicts.iter().find(|verdict| !verdict.violations().is_empty()) {
            return screen.line(format!("\n{}", verdict.report_of(&shown(&self.output), screen.color())));
        }
        // Only the similarity knows how alike two values are, and what a field weighs; but it takes lists
        // by place.
        let telling = |metric| verdicts.iter().find(|verdict: &&Verdict| verdict.metric() == metric);
        let (similarity, equality) = (telling("json_diff"), telling("json_equality"));
        match if self.unordered { equality.or(similarity) } else { similarity.or(equality) } {
            Some(verdict) if !verdict.differences().is_empty() => {
                screen.line(format!("\n{}", table(verdict)))
            }
            _ => Ok(()),
        }
    }
}

/// The differences, one a line.
fn table(verdict: &Verdict) -> String {
    let mut rows =
        vec![["PLACE", "LINE:COLUMN", "SIMILARITY", "WEIGHT", "REFERENCE", "OUTPUT"].map(str::to_owned)];
    rows.extend(verdict.differences().iter().map(row));
    let widths: [usize; 6] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    let (listed, all) = (verdict.differences().len(), verdict.differing());
    let plural = if all == 1 { "" } else { "s" };
    let more = if all > listed { format!(", {listed} listed") } else { String::new() };
    text.push_str(&format!("{all} difference{plural}{more}"));
    text
}

fn row(difference: &Difference) -> [String; 6] {
    let place = if difference.pointer.is_root() { "(root)" } else { difference.pointer.as_str() };
    // Rounded down, so that what differs never shows as 1.
    let similarity = (difference.similarity * 1000.0).floor() / 1000.0;
    [
        cell(place),
        format!("{}:{}", difference.position.line, difference.position.column),
        format!("{similarity:.3}"),
        difference.weight.to_string(),
        difference.expected.as_deref().map_or_else(|| "(nothing)".to_owned(), cell),
        difference.found.as_deref().map_or_else(|| "(missing)".to_owned(), cell),
    ]
}

/// A text on one line, harmless and short enough for a column.
fn cell(text: &str) -> String {
    let line = for_terminal(text).replace('\n', "␊");
    match line.char_indices().nth(MAX_CELL) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
