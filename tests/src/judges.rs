//! The judges as the tests ask them.

use json_correctness::{
    __private, CompiledSchema, Document, ExpectedSchema, JsonCorrectness, Limits, Metric as _, TestCase,
    Violation,
};

/// What the whole typed check says.
#[must_use]
pub fn judge<T: ExpectedSchema>(text: &str, strict: bool, limits: &Limits) -> Vec<Violation> {
    let mut metric = JsonCorrectness::<T>::new().limits(limits.clone());
    metric.set_strict_mode(strict);
    metric.measure(&TestCase::new("", text)).expect("the set-up is right").violations
}

/// The partial credit of the typed check.
#[must_use]
pub fn grade<T: ExpectedSchema>(text: &str) -> f64 {
    let metric = JsonCorrectness::<T>::new().graded();
    metric.measure(&TestCase::new("", text)).expect("the set-up is right").score.value()
}

/// What the compiled schema alone says; `None` where the text is not JSON.
#[must_use]
pub fn is_schema_valid<T: ExpectedSchema>(text: &str, strict: bool) -> Option<bool> {
    let schema = if strict { CompiledSchema::of_type_strict::<T>() } else { CompiledSchema::of_type::<T>() };
    let document = Document::parse(text, &Limits::default()).ok()?;
    Some(schema.expect("the schema compiles").is_valid(&document))
}

/// Whether the fast pass alone is sure that the compiled schema accepts the text.
#[must_use]
pub fn is_valid_at_sight<T: ExpectedSchema>(text: &str, strict: bool) -> bool {
    let schema = if strict { CompiledSchema::of_type_strict::<T>() } else { CompiledSchema::of_type::<T>() };
    __private::is_valid_at_sight(&schema.expect("the schema compiles"), text, &Limits::default())
}
