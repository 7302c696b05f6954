//! Policy: from a measurement to a verdict.

use std::{fmt, sync::Arc};

use crate::{
    case::{Output, TestCase},
    compare::Difference,
    error::Error,
    metric::{Measurement, Metric},
    reason::{self, ReasonRequest, ReasonSource, Reasoner},
    report,
    score::Score,
    text::Extracted,
    violation::Violation,
};

/// How a judgement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
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

type Sink = Arc<dyn Fn(&str) + Send + Sync>;

/// A metric with a policy: from which score on a case passes, and how the verdict is worded.
///
/// | option | default | |
/// |---|---|---|
/// | [`threshold`](Self::threshold) | 0.5 | in [0, 1]; the case passes where score ≥ threshold (≤ for a metric whose lower scores are better) |
/// | [`strict_mode`](Self::strict_mode) | off | the score becomes binary and the threshold the best score |
/// | [`include_reason`](Self::include_reason) | on | a failed verdict has a reason |
/// | [`reason_with`](Self::reason_with) | none | a hook that words the reason of a failed verdict |
/// | [`verbose_mode`](Self::verbose_mode) | off | the steps of each judgement go to a sink |
///
/// ```
/// use json_correctness::{Check, JsonCorrectness, Metric, TestCase};
///
/// let check = JsonCorrectness::<Vec<u32>>::new().threshold(0.5).strict_mode(true);
/// let verdict = check.judge(&TestCase::new("Three primes?", r#"[2, "three"]"#))?;
/// assert!(!verdict.passed());
/// assert_eq!(verdict.score(), Some(0.0));
/// assert_eq!(verdict.violations()[0].code, "JC0201");
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Check<M> {
    metric: M,
    threshold: f64,
    strict_mode: bool,
    include_reason: bool,
    verbose_mode: bool,
    sink: Sink,
    reasoner: Option<Arc<dyn Reasoner>>,
}

impl<M: Metric> Check<M> {
    /// The metric with the default policy.
    pub fn new(metric: M) -> Self {
        Self {
            metric,
            threshold: 0.5,
            strict_mode: false,
            include_reason: true,
            verbose_mode: false,
            sink: Arc::new(|line| eprintln!("{line}")),
            reasoner: None,
        }
    }

    /// Sets the score from which a case passes, in [0, 1]. Anything else, NaN included, is an
    /// [`Error`] of [`Check::judge`]. Strict mode overrides it.
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// In strict mode the score is binary (the best score, or else the worst), the threshold is the
    /// best score, and a metric that has a stricter form takes it
    /// ([`JsonCorrectness`](crate::JsonCorrectness): formats are asserted to the letter).
    pub fn strict_mode(mut self, strict: bool) -> Self {
        self.strict_mode = strict;
        self.metric.set_strict_mode(strict);
        self
    }

    /// Whether failed verdicts carry a reason; on by default.
    pub fn include_reason(mut self, include: bool) -> Self {
        self.include_reason = include;
        self
    }

    /// Whether each judgement reports its steps to the sink; off by default. The sink is standard
    /// error unless [`Check::verbose_to`] sets another.
    pub fn verbose_mode(mut self, verbose: bool) -> Self {
        self.verbose_mode = verbose;
        self
    }

    /// Turns verbose mode on and sends the steps, one line each, to `sink`. Lines hold text of the
    /// model made harmless for a terminal.
    pub fn verbose_to(mut self, sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.sink = Arc::new(sink);
        self.verbose_mode(true)
    }

    /// Lets a hook word the reasons: it is called once for each failed verdict, and only where
    /// reasons are wanted. It can never change a verdict; where it fails or panics, the built-in
    /// reason stands.
    ///
    /// ```
    /// use json_correctness::{JsonCorrectness, Metric, ReasonRequest, TestCase};
    ///
    /// let check = JsonCorrectness::<u32>::new()
    ///     .reason_with(|request: &ReasonRequest<'_>| format!("{} fault(s)", request.violations.len()));
    /// let verdict = check.judge(&TestCase::new("How many?", "\"three\""))?;
    /// assert_eq!(verdict.reason(), Some("1 fault(s)"));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn reason_with(mut self, reasoner: impl Reasoner + 'static) -> Self {
        self.reasoner = Some(Arc::new(reasoner));
        self
    }

    /// The metric.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// Judges the case.
    ///
    /// # Errors
    ///
    /// A threshold outside [0, 1], or what [`Metric::measure`] says of the set-up.
    pub fn judge(&self, case: &TestCase) -> Result<Verdict, Error> {
        let threshold = self.effective_threshold()?;
        let measurement = self.metric.measure(case)?;
        let direction = self.metric.direction();
        let score = if self.strict_mode { measurement.score.binary(direction) } else { measurement.score };
        let passed = direction.reaches(score, threshold);
        let mut verdict = Verdict {
            metric: self.metric.name().to_owned(),
            outcome: if passed { Outcome::Passed } else { Outcome::Failed },
            score: Some(score),
            threshold: threshold.value(),
            reason: None,
            reason_source: None,
            violations: measurement.violations,
            differences: measurement.differences,
            differing: measurement.differing,
            extracted: measurement.extracted,
            steps: measurement.steps,
            output: case.actual_output.clone(),
        };
        verdict.steps.push(format!(
            "score {} {} threshold {}: {}",
            score.value(),
            direction.relation(passed),
            threshold.value(),
            verdict.outcome,
        ));
        if !passed && self.include_reason {
            self.word(&mut verdict, case);
        }
        if self.verbose_mode {
            for step in &verdict.steps {
                (self.sink)(&format!("{}: {}", verdict.metric, report::for_terminal(step)));
            }
        }
        Ok(verdict)
    }

    fn effective_threshold(&self) -> Result<Score, Error> {
        let threshold = Score::new(self.threshold).ok_or_else(|| {
            Error::option(format!(
                "threshold {} is outside [0, 1]: give a number from 0 to 1",
                self.threshold
            ))
        })?;
        Ok(if self.strict_mode { self.metric.direction().best() } else { threshold })
    }

    fn word(&self, verdict: &mut Verdict, case: &TestCase) {
        let built_in = reason::built_in(
            &verdict.metric,
            verdict.score,
            &verdict.violations,
            &verdict.differences,
            verdict.differing,
        );
        let worded = match &self.reasoner {
            None => (built_in, ReasonSource::BuiltIn),
            Some(reasoner) => {
                let request = ReasonRequest {
                    case,
                    metric: &verdict.metric,
                    violations: &verdict.violations,
                    score: verdict.score.map_or(0.0, Score::value),
                    threshold: verdict.threshold,
                    built_in: &built_in,
                };
                match reason::call(reasoner.as_ref(), &request) {
                    Ok(reason) => (reason, ReasonSource::Hook),
                    Err(fault) => {
                        verdict.steps.push(format!("the reason hook failed: {fault}"));
                        (built_in, ReasonSource::Fallback)
                    }
                }
            }
        };
        verdict.reason = Some(worded.0);
        verdict.reason_source = Some(worded.1);
    }
}

impl<M: fmt::Debug> fmt::Debug for Check<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check")
            .field("metric", &self.metric)
            .field("threshold", &self.threshold)
            .field("strict_mode", &self.strict_mode)
            .field("include_reason", &self.include_reason)
            .field("verbose_mode", &self.verbose_mode)
            .field("reasoner", &self.reasoner.as_ref().map(|_| "…"))
            .finish_non_exhaustive()
    }
}

/// How a case was judged, and why.
///
/// Its `Display` is the report that a failing assertion prints, without colour; the model's text in
/// it is made harmless for a terminal.
#[derive(Clone, Debug)]
#[must_use]
pub struct Verdict {
    metric: String,
    outcome: Outcome,
    score: Option<Score>,
    threshold: f64,
    reason: Option<String>,
    reason_source: Option<ReasonSource>,
    violations: Vec<Violation>,
    differences: Vec<Difference>,
    differing: usize,
    extracted: Option<Extracted>,
    steps: Vec<String>,
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
        self.score.map(Score::value)
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
        self.reason.as_deref()
    }

    /// Who worded the reason.
    #[must_use]
    pub fn reason_source(&self) -> Option<ReasonSource> {
        self.reason_source
    }

    /// Everything that is wrong with the output, in the order of the text. Not empty for a passed
    /// case only where the threshold lets faults pass.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Where the output differs from the reference, in the order of the output's text. Empty for
    /// metrics that do not compare, and for outputs that are not JSON.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// How many places differ; more than are listed where there are more than
    /// [`Limits::max_violations`](crate::Limits).
    #[must_use]
    pub fn differing(&self) -> usize {
        self.differing
    }

    /// What was taken for the JSON text.
    #[must_use]
    pub fn extracted(&self) -> Option<&Extracted> {
        self.extracted.as_ref()
    }

    /// What was done, step by step.
    #[must_use]
    pub fn steps(&self) -> &[String] {
        &self.steps
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
        let mut report = report::violations(&self.output.to_text(), &self.violations, color);
        if !self.differences.is_empty() {
            if !report.is_empty() {
                report.push_str("\n\n");
            }
            report.push_str(&report::differences(&self.differences, self.differing, color));
        }
        report
    }

    /// A verdict on a measurement that was made outside a [`Check`].
    pub(crate) fn failed(metric: &str, measurement: Measurement, output: Output) -> Self {
        let score = Some(measurement.score);
        Self {
            reason: Some(reason::built_in(
                metric,
                score,
                &measurement.violations,
                &measurement.differences,
                measurement.differing,
            )),
            reason_source: Some(ReasonSource::BuiltIn),
            metric: metric.to_owned(),
            outcome: Outcome::Failed,
            score,
            threshold: Score::ONE.value(),
            violations: measurement.violations,
            differences: measurement.differences,
            differing: measurement.differing,
            extracted: measurement.extracted,
            steps: measurement.steps,
            output,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.metric, self.outcome)?;
        if let Some(score) = self.score {
            write!(f, ": score {}, threshold {}", score.value(), self.threshold)?;
        }
        if let Some(reason) = &self.reason {
            write!(f, "\n{}", report::for_terminal(reason))?;
        }
        if !self.violations.is_empty() || !self.differences.is_empty() {
            write!(f, "\n\n{}", self.report(false))?;
        }
        Ok(())
    }
}

impl std::error::Error for Verdict {}
