//! What a hook is told.

use std::sync::Arc;

use crate::{case::TestCase, compare::Difference, schema::CompiledSchema, violation::Violation};

/// What a hook is told about a failed case. Cheap to clone.
///
/// Whatever the model wrote is untrusted: the case's output, and every message that quotes it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReasonRequest {
    /// The case.
    pub case: Arc<TestCase>,
    /// The name of the metric.
    pub metric: Arc<str>,
    /// The schema that the output should have met, for the metrics that hold it to one.
    pub schema: Option<CompiledSchema>,
    /// Everything that is wrong with the output, in the order of the text; the messages are already
    /// worded.
    pub violations: Arc<[Violation]>,
    /// Where the output differs from the reference, for the metrics that compare.
    pub differences: Arc<[Difference]>,
    /// The score, in [0, 1].
    pub score: f64,
    /// The threshold that the score did not reach.
    pub threshold: f64,
    /// The reason that stands if the hook gives none.
    pub built_in: Arc<str>,
}
