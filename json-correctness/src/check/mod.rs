//! Policy: from a measurement to a verdict.

mod policy;
mod verdict;

use std::{fmt, sync::Arc};

pub use verdict::{Outcome, Verdict};

use crate::{
    case::TestCase,
    error::Error,
    metric::{Measurement, Metric},
    reason::{ReasonHook, ReasonRequest, ReasonSource, Reasoner, Wait, Worded},
    report,
    score::Score,
};

type Sink = Arc<dyn Fn(&str) + Send + Sync>;

/// A metric with a policy: from which score on a case passes, and how the verdict is worded.
///
/// | option | default | |
/// |---|---|---|
/// | [`threshold`](Self::threshold) | 0.5 | in [0, 1]; the case passes where score ≥ threshold (≤ for a metric whose lower scores are better) |
/// | [`strict_mode`](Self::strict_mode) | off | the score becomes binary and the threshold the best score |
/// | [`include_reason`](Self::include_reason) | on | a failed verdict has a reason |
/// | [`reason_with`](Self::reason_with), [`reason_hook`](Self::reason_hook) | none | a hook that words the reason of a failed verdict |
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
    hook: Option<ReasonHook>,
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
            hook: None,
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

    /// Lets a reasoner word the reasons, with the default limits of a [`ReasonHook`]: it is asked only
    /// for failed verdicts, and only where reasons are wanted. It can never change a verdict; where it
    /// fails, the built-in reason stands.
    ///
    /// ```
    /// use json_correctness::{JsonCorrectness, ReasonRequest, TestCase};
    ///
    /// let check = JsonCorrectness::<u32>::new()
    ///     .reason_with(|request: ReasonRequest| format!("{} fault(s)", request.violations.len()));
    /// let verdict = check.judge(&TestCase::new("How many?", "\"three\""))?;
    /// assert_eq!(verdict.reason(), Some("1 fault(s)"));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn reason_with<Kind: 'static>(self, reasoner: impl Reasoner<Kind> + 'static) -> Self {
        self.reason_hook(ReasonHook::new(reasoner))
    }

    /// Lets a hook word the reasons: see [`Check::reason_with`].
    pub fn reason_hook(mut self, hook: ReasonHook) -> Self {
        self.hook = Some(hook);
        self
    }

    /// The threshold that counts: the best score in strict mode.
    ///
    /// # Errors
    ///
    /// It is outside [0, 1].
    pub fn effective_threshold(&self) -> Result<f64, Error> {
        self.reached_threshold().map(Score::value)
    }

    /// Whether strict mode is on.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict_mode
    }

    /// The same check of a metric that is behind a pointer, as [`Checks`](crate::Checks) hold it.
    #[cfg(feature = "evaluate")]
    pub(crate) fn into_shared(self) -> Check<Arc<dyn Metric>>
    where
        M: 'static,
    {
        Check {
            metric: Arc::new(self.metric),
            threshold: self.threshold,
            strict_mode: self.strict_mode,
            include_reason: self.include_reason,
            verbose_mode: self.verbose_mode,
            sink: self.sink,
            hook: self.hook,
        }
    }

    /// The metric.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// The hook, where there is one.
    #[cfg(feature = "evaluate")]
    pub(crate) fn hook(&self) -> Option<&ReasonHook> {
        self.hook.as_ref()
    }

    /// Judges the case. Where a hook words the reason, the thread waits for it.
    ///
    /// # Errors
    ///
    /// A threshold outside [0, 1], or what [`Metric::measure`] says of the set-up.
    pub fn judge(&self, case: &TestCase) -> Result<Verdict, Error> {
        let mut verdict = self.judge_only(case)?;
        if let Some((hook, request)) = self.request(case, &verdict) {
            self.set_worded(&mut verdict, hook.word_now(request));
        }
        Ok(verdict)
    }

    /// As [`Check::judge`], but where a hook words the reason, the task waits for it and the thread goes
    /// on. It measures on the thread that polls it, which `evaluate_async` does not.
    ///
    /// # Errors
    ///
    /// As [`Check::judge`].
    pub async fn judge_async(&self, case: &TestCase) -> Result<Verdict, Error> {
        let mut verdict = self.judge_only(case)?;
        if let Some((hook, request)) = self.request(case, &verdict) {
            self.set_worded(&mut verdict, hook.word(request, Wait::Task).await);
        }
        Ok(verdict)
    }

    /// The verdict, with the built-in reason where one is wanted.
    pub(crate) fn judge_only(&self, case: &TestCase) -> Result<Verdict, Error> {
        // A threshold that cannot be is said before anything is measured.
        self.reached_threshold()?;
        let span = tracing::debug_span!("metric", metric = self.metric.name(), id = case.id);
        let _entered = span.enter();
        self.verdict(case, self.metric.measure(case)?)
    }

    /// The verdict on a case that was measured, with the built-in reason where one is wanted.
    pub(crate) fn verdict(&self, case: &TestCase, mut measurement: Measurement) -> Result<Verdict, Error> {
        let threshold = self.reached_threshold()?;
        let direction = self.metric.direction();
        if self.strict_mode {
            measurement.score = measurement.score.binary(direction);
        }
        let score = measurement.score;
        let passed = direction.reaches(score, threshold);
        let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
        let output = case.actual_output.clone();
        let mut verdict = Verdict::new(self.metric.name(), outcome, threshold, measurement, output);
        verdict.add_step(format!(
            "score {} {} threshold {}: {outcome}",
            score.value(),
            direction.relation(passed),
            threshold.value(),
        ));
        if !passed && self.include_reason {
            let reason = verdict.built_in_reason();
            verdict.set_reason(reason, ReasonSource::BuiltIn);
        }
        self.tell(&verdict, 0);
        Ok(verdict)
    }

    fn set_worded(&self, verdict: &mut Verdict, worded: Worded) {
        let told = verdict.steps().len();
        verdict.set_worded(worded);
        self.tell(verdict, told);
    }

    /// Tells the steps that were not told yet.
    fn tell(&self, verdict: &Verdict, told: usize) {
        if self.verbose_mode {
            for step in &verdict.steps()[told..] {
                (self.sink)(&format!("{}: {}", verdict.metric(), report::for_terminal_line(step)));
            }
        }
    }

    /// What the hook is to be asked, where it is.
    pub(crate) fn request(&self, case: &TestCase, verdict: &Verdict) -> Option<(&ReasonHook, ReasonRequest)> {
        let hook = self.hook.as_ref()?;
        // A verdict has a reason where it failed and one is wanted.
        let built_in = verdict.reason()?.into();
        let request = ReasonRequest {
            case: Arc::new(case.clone()),
            metric: verdict.metric().into(),
            schema: self.metric.schema_of(case),
            violations: verdict.violations().into(),
            differences: verdict.differences().into(),
            score: verdict.score().unwrap_or_default(),
            threshold: verdict.threshold(),
            built_in,
        };
        Some((hook, request))
    }

    fn reached_threshold(&self) -> Result<Score, Error> {
        let threshold = Score::new(self.threshold).ok_or_else(|| {
            Error::option(format!(
                "threshold {} is outside [0, 1]: give a number from 0 to 1",
                self.threshold
            ))
        })?;
        Ok(if self.strict_mode { self.metric.direction().best() } else { threshold })
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
            .field("reason_hook", &self.hook)
            .finish_non_exhaustive()
    }
}
