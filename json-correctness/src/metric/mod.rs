//! Metrics: what measures a case. One metric is one file.

mod compat;
mod correctness;
mod diff;
mod edit_distance;
mod equality;
mod factory;
mod input;
mod schema_match;
mod validity;

use std::sync::Arc;

pub use compat::Compat;
pub use correctness::JsonCorrectness;
pub use diff::JsonDiff;
pub use edit_distance::JsonEditDistance;
pub use equality::JsonEquality;
pub use factory::metric;
pub use schema_match::{JsonSchemaMatch, SchemaSource};
pub use validity::JsonValidity;

use crate::{
    case::TestCase,
    check::{Check, Verdict},
    compare::Difference,
    error::Error,
    reason::Reasoner,
    score::{Direction, Score},
    text::Extracted,
    violation::Violation,
};

/// Measures a case: a pure function of the metric's options and the case.
///
/// A metric is immutable once it is set up, can be shared between threads, and works as
/// `Box<dyn Metric>` or `Arc<dyn Metric>`. Every metric can [`judge`](Metric::judge) at once with
/// the default policy; setting a threshold, strict mode or a reasoner makes it a [`Check`].
///
/// ```
/// use json_correctness::{JsonCorrectness, Metric, TestCase};
///
/// let case = TestCase::new("Three primes?", "[2, 3, 5]");
/// let measurement = JsonCorrectness::<Vec<u32>>::new().measure(&case)?;
/// assert_eq!(measurement.score.value(), 1.0);
/// # Ok::<(), json_correctness::Error>(())
/// ```
pub trait Metric: Send + Sync {
    /// The metric's field name, such as `json_correctness`.
    fn name(&self) -> &str;

    /// Measures the case.
    ///
    /// # Errors
    ///
    /// Only for a bad set-up: a schema that does not compile, or a case that lacks what the metric
    /// needs. Whatever is wrong with the output is part of the [`Measurement`].
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error>;

    /// Which end of the score is the good one.
    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    /// Turns on what strict mode means for the metric itself, beyond the threshold that the
    /// [`Check`] sets. Metrics without a stricter form ignore it.
    fn set_strict_mode(&mut self, strict: bool) {
        let _ = strict;
    }

    /// Judges the case with the default policy: see [`Check`].
    ///
    /// # Errors
    ///
    /// As [`Metric::measure`].
    fn judge(&self, case: &TestCase) -> Result<Verdict, Error>
    where
        Self: Sized,
    {
        Check::new(self).judge(case)
    }

    /// A check that passes where the score reaches `threshold`: see [`Check::threshold`].
    fn threshold(self, threshold: f64) -> Check<Self>
    where
        Self: Sized,
    {
        Check::new(self).threshold(threshold)
    }

    /// A check in strict mode: see [`Check::strict_mode`].
    fn strict_mode(self, strict: bool) -> Check<Self>
    where
        Self: Sized,
    {
        Check::new(self).strict_mode(strict)
    }

    /// A check with or without reasons: see [`Check::include_reason`].
    fn include_reason(self, include: bool) -> Check<Self>
    where
        Self: Sized,
    {
        Check::new(self).include_reason(include)
    }

    /// A check that reports its steps: see [`Check::verbose_mode`].
    fn verbose_mode(self, verbose: bool) -> Check<Self>
    where
        Self: Sized,
    {
        Check::new(self).verbose_mode(verbose)
    }

    /// A check whose reasons a hook words: see [`Check::reason_with`].
    fn reason_with(self, reasoner: impl Reasoner + 'static) -> Check<Self>
    where
        Self: Sized,
    {
        Check::new(self).reason_with(reasoner)
    }
}

macro_rules! forward_metric {
    ($(#[$attribute:meta])* $pointer:ty, $strict:expr) => {
        impl<M: Metric + ?Sized> Metric for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }
            fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
                (**self).measure(case)
            }
            fn direction(&self) -> Direction {
                (**self).direction()
            }
            fn set_strict_mode(&mut self, strict: bool) {
                let set: fn(&mut Self, bool) = $strict;
                set(self, strict);
            }
        }
    };
}

forward_metric!(Box<M>, |metric, strict| (**metric).set_strict_mode(strict));
// A shared metric cannot be changed any more: strict mode then sets the threshold alone.
forward_metric!(Arc<M>, |metric, strict| {
    if let Some(metric) = Arc::get_mut(metric) {
        metric.set_strict_mode(strict);
    }
});
forward_metric!(&M, |_, _| ());

/// What a metric found in a case.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Measurement {
    /// The score, in [0, 1].
    pub score: Score,
    /// Everything that is wrong with the output, in the order of the text.
    pub violations: Vec<Violation>,
    /// Where the output differs from the reference, in the order of the output's text; at most
    /// [`Limits::max_violations`](crate::Limits). Empty for metrics that do not compare.
    pub differences: Vec<Difference>,
    /// How many places differ.
    pub differing: usize,
    /// What was taken for the JSON text. `None` where nothing could be.
    pub extracted: Option<Extracted>,
    /// What was done, step by step, for [`Check::verbose_mode`].
    pub steps: Vec<String>,
}

impl Measurement {
    /// A measurement with a score and nothing else.
    pub fn new(score: Score) -> Self {
        Self {
            score,
            violations: Vec::new(),
            differences: Vec::new(),
            differing: 0,
            extracted: None,
            steps: Vec::new(),
        }
    }

    /// Adds the violations.
    pub fn violations(mut self, violations: Vec<Violation>) -> Self {
        self.violations = violations;
        self
    }

    /// Adds the differences, of which there may be more than are listed.
    pub fn differences(mut self, differences: Vec<Difference>, differing: usize) -> Self {
        self.differing = differing.max(differences.len());
        self.differences = differences;
        self
    }

    /// Adds what was extracted.
    pub fn extracted(mut self, extracted: Option<Extracted>) -> Self {
        self.extracted = extracted;
        self
    }

    /// Adds a step.
    pub fn step(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }
}
