#![doc = include_str!("../README.md")]

// So that this crate's own types can derive `ExpectedSchema`, whose code names the crate.
#[cfg(feature = "evaluate")]
extern crate self as json_correctness;

mod case;
mod check;
mod compare;
#[cfg(feature = "evaluate")]
mod dataset;
mod error;
#[cfg(feature = "evaluate")]
mod evaluate;
#[cfg(feature = "harness")]
mod harness;
mod macros;
mod metric;
mod reason;
mod report;
mod schema;
mod score;
mod text;
mod violation;

pub use case::{Output, TestCase};
pub use check::{Check, Outcome, Verdict};
pub use compare::{Canonical, Difference, Distance, damerau_levenshtein};
#[cfg(feature = "evaluate")]
pub use dataset::{Columns, Dataset, Format, IntoRow, Row, Rows};
pub use error::Error;
#[cfg(feature = "evaluate")]
pub use evaluate::{
    AtK, Checks, CodeCount, Departure, Evaluation, Evaluator, Example, Excerpt, FieldCount, Finding, Gate,
    IntoCheck, MetricSummary, Progress, ReasonErrorCount, ReasonSummary, Record, RepeatGate, RepeatSummary,
    Repeats, Run, RunCheck, Scores, Summary, evaluate, evaluate_async,
};
#[cfg(feature = "derive")]
pub use json_correctness_derive::ExpectedSchema;
pub use metric::{
    Compat, JsonCorrectness, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity,
    Measurement, Metric, SchemaSource, metric, metric_names, metric_options,
};
pub use reason::{
    AsyncClosure, IntoReason, Messages, Prompt, ReasonError, ReasonFuture, ReasonHook, ReasonRequest,
    ReasonSource, Reasoner, SyncClosure,
};
#[cfg(feature = "openai")]
pub use reason::{OpenAi, OpenAiBuilder};
pub use report::for_terminal;
pub use schema::{CompiledSchema, ExpectedSchema, Lint, Severity, json_schema, lint_schema};
pub use score::{Direction, Score};
pub use text::{
    Document, Duplicate, Elements, Extracted, Extraction, JsonType, Limits, Located, Member, Members, Node,
    Number, Pointer, Position, Slip, Span, SyntaxError,
};
pub use violation::{Bound, Counted, Violation, ViolationKind};

/// What the macros of this crate expand to. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use schemars;

    #[cfg(feature = "harness")]
    pub use crate::harness::run_rows;
    pub use crate::macros::{
        Judge, expect_correct, expect_equal, expect_passes, expect_similar, try_correct, try_equal,
        try_passes, try_similar,
    };
    /// Whether the fast pass alone is sure that the schema accepts the text; for the test that holds it
    /// to the judge of record.
    #[must_use]
    pub fn is_valid_at_sight(schema: &crate::CompiledSchema, text: &str, limits: &crate::Limits) -> bool {
        schema.is_valid_at_sight(text, crate::Span::new(0, text.len()), limits)
    }

    pub use crate::schema::{
        derive_support::{Amend, AmendWith, Custom, Described, NoDefault, needs, no_default, value},
        keyed_map::KeyedMap,
    };
}
