//! How a case was judged, and why.

use std::{borrow::Cow, fmt};

use crate::{
    case::Output,
    compare::Difference,
    metric::Measurement,
    reason::{self, ReasonSource, Worded},
    report,
    score::Score,
    text::Extracted,
    violation::Violation,
};

/// How a judgement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "evaluate", derive(serde::Deserialize, crate::ExpectedSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The score reaches the threshold.
    Passed,
    /// The score does not reach the threshold.
    Failed,
    /// No score: the set-up is at fault, not the output.
    Errored,
    /// Not judged.
    Skipped,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Skipped => "skipped",
        })
    }
}

/// How a case was judged, and why.
///
/// Its `Display` is the report that a failing assertion prints, without colour; the model's text in
/// it is made harmless for a terminal.
// Not `must_use`: the assertions return it to those who want to look on, and most do not.
#[derive(Clone, Debug)]
pub struct Verdict {
    metric: String,
    outcome: Outcome,
    threshold: f64,
    measurement: Measurement,
    reason: Option<(String, ReasonSource)>,
    reason_error: Option<String>,
    output: Output,
}

impl Verdict {
    /// Whether the case passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }

    /// How the judgement ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The name of the metric that measured.
    #[must_use]
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// The score in [0, 1]; `None` where nothing was measured.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        Some(self.measurement.score.value())
    }

    /// The threshold that counted: the best score in strict mode.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Why the case failed. `None` where it passed or no reason was wanted. Holds text of the model,
    /// untrusted.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_ref().map(|(reason, _)| reason.as_str())
    }

    /// Who worded the reason.
    #[must_use]
    pub fn reason_source(&self) -> Option<ReasonSource> {
        self.reason.as_ref().map(|(_, source)| *source)
    }

    /// Why the hook worded no reason, where it should have. May hold text of a server, untrusted.
    #[must_use]
    pub fn reason_error(&self) -> Option<&str> {
        self.reason_error.as_deref()
    }

    /// Who worded the reason, as reports say it, such as `worded by the hook`; with the error of
    /// the hook where it failed, made harmless for a terminal, on one line. `None` where no hook was set
    /// or there is no reason.
    #[must_use]
    pub fn reason_note(&self) -> Option<String> {
        report::reason_note(self.reason_source(), self.reason_error(), report::for_terminal_line)
    }

    /// Everything that is wrong with the output, in the order of the text. Not empty for a passed
    /// case only where the threshold lets faults pass.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.measurement.violations
    }

    /// Where the output differs from the reference, in the order of the output's text. Empty for
    /// metrics that do not compare, and for outputs that are not JSON.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.measurement.differences
    }

    /// How many places differ; more than are listed where there are more than
    /// [`Limits::max_violations`](crate::Limits).
    #[must_use]
    pub fn differing(&self) -> usize {
        self.measurement.differing
    }

    /// What was taken for the JSON text.
    #[must_use]
    pub fn extracted(&self) -> Option<&Extracted> {
        self.measurement.extracted.as_ref()
    }

    /// What was done, step by step.
    #[must_use]
    pub fn steps(&self) -> &[Cow<'static, str>] {
        &self.measurement.steps
    }

    /// The output that was judged.
    #[must_use]
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// The report for a terminal: every violation at its place in the text, and where the output
    /// differs from the reference; with colour where `color`, and with the model's text made harmless.
    #[must_use]
    pub fn report(&self, color: bool) -> String {
        self.report_of("actual_output", color)
    }

    /// As [`Verdict::report`], with `origin`, such as the name of a file, before each line and column.
    #[must_use]
    pub fn report_of(&self, origin: &str, color: bool) -> String {
        let Measurement { violations, differences, differing, .. } = &self.measurement;
        let mut report = report::violations(&self.output.to_text(), origin, violations, color);
        if !differences.is_empty() {
            if !report.is_empty() {
                report.push_str("\n\n");
            }
            report.push_str(&report::differences(differences, *differing, color));
        }
        report
    }

    /// The verdict on a measurement, with no reason yet.
    pub(crate) fn new(
        metric: &str,
        outcome: Outcome,
        threshold: Score,
        measurement: Measurement,
        output: Output,
    ) -> Self {
        let (metric, threshold) = (metric.to_owned(), threshold.value());
        Self { metric, outcome, threshold, measurement, reason: None, reason_error: None, output }
    }

    /// The verdict on a measurement of an assertion, which only the best score passes.
    pub(crate) fn failed(metric: &str, measurement: Measurement, output: Output) -> Self {
        let mut verdict = Self::new(metric, Outcome::Failed, Score::ONE, measurement, output);
        let reason = verdict.built_in_reason();
        verdict.set_reason(reason, ReasonSource::BuiltIn);
        verdict
    }

    /// The reason that needs no hook.
    pub(crate) fn built_in_reason(&self) -> String {
        reason::built_in(&self.metric, &self.measurement)
    }

    pub(crate) fn set_reason(&mut self, reason: String, source: ReasonSource) {
        self.reason = Some((reason, source));
    }

    /// Takes over what came of the hook.
    pub(crate) fn set_worded(&mut self, worded: Worded) {
        if let Some(error) = &worded.error {
            self.add_step(format!("the reason hook failed: {error}"));
        }
        self.set_reason(worded.reason, worded.source);
        self.reason_error = worded.error;
    }

    pub(crate) fn add_step(&mut self, step: String) {
        self.measurement.steps.push(step.into());
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.metric, self.outcome)?;
        write!(f, ": score {}, threshold {}", self.measurement.score.value(), self.threshold)?;
        if let Some((reason, source)) = &self.reason {
            // A line that a hook began could be a command to what reads it, such as the log of a CI.
            let prefix = if *source == ReasonSource::Hook { "reason: " } else { "" };
            write!(f, "\n{prefix}{}", report::for_terminal_line(reason))?;
        }
        if let Some(note) = self.reason_note() {
            write!(f, "\n(reason {note})")?;
        }
        if !self.measurement.violations.is_empty() || !self.measurement.differences.is_empty() {
            write!(f, "\n\n{}", self.report(false))?;
        }
        Ok(())
    }
}

impl std::error::Error for Verdict {}
