//! Metrics: what measures a case. One metric is one file.

mod compat;
mod correctness;
mod diff;
mod edit_distance;
mod equality;
mod factory;
mod input;
mod options;
mod schema_match;
mod validity;

use std::{borrow::Cow, sync::Arc};

pub use compat::Compat;
pub use correctness::JsonCorrectness;
pub use diff::JsonDiff;
pub use edit_distance::JsonEditDistance;
pub use equality::JsonEquality;
#[cfg(feature = "evaluate")]
pub(crate) use factory::unknown;
pub use factory::{metric, metric_names, metric_options};
pub use schema_match::{JsonSchemaMatch, SchemaSource};
pub use validity::JsonValidity;

use crate::{
    case::TestCase,
    compare::Difference,
    error::Error,
    schema::CompiledSchema,
    score::{Direction, Score},
    text::Extracted,
    violation::Violation,
};

/// Measures a case: a pure function of the metric's options and the case.
///
/// A metric is immutable once it is set up, can be shared between threads, and works as
/// `Box<dyn Metric>` or `Arc<dyn Metric>`. A [`Check`](crate::Check) gives it a policy and judges by
/// it; the metrics of this library do so at once (`JsonValidity::new().judge(&case)`), and setting a
/// threshold, strict mode or a reasoner makes a `Check` of them.
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

    /// The options that differ from their defaults, for the record of a run, in the form in which
    /// [`metric`](crate::metric()) takes them; null where the metric does not tell them.
    fn options(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    /// The schema that the output of the case must meet, for the metrics that hold it to one; a
    /// [`Reasoner`](crate::Reasoner) is told it.
    fn schema_of(&self, case: &TestCase) -> Option<CompiledSchema> {
        let _ = case;
        None
    }

    /// Turns on what strict mode means for the metric itself, beyond the threshold that the
    /// [`Check`](crate::Check) sets. Metrics without a stricter form ignore it.
    fn set_strict_mode(&mut self, strict: bool) {
        let _ = strict;
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
            fn options(&self) -> serde_json::Value {
                (**self).options()
            }
            fn schema_of(&self, case: &TestCase) -> Option<CompiledSchema> {
                (**self).schema_of(case)
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
    /// What was done, step by step, for [`Check::verbose_mode`](crate::Check::verbose_mode).
    pub steps: Vec<Cow<'static, str>>,
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
    pub fn step(mut self, step: impl Into<Cow<'static, str>>) -> Self {
        self.steps.push(step.into());
        self
    }
}
