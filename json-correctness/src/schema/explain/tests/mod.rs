//! What the explainer says, as tables.

mod differential;
mod hostile;
mod instances;
mod tables;

use jsonschema::Draft;
use serde_json::Value;

use super::{Explainer, Explanation, IntegerRule};
use crate::text::{Document, Limits};

fn explainer(schema: &Value, integers: IntegerRule) -> Explainer {
    let draft = Draft::default().detect(schema);
    Explainer::compile(schema, draft, integers, &Limits::default())
        .unwrap_or_else(|error| panic!("{schema} does not compile: {error}"))
}

fn explain(explainer: &Explainer, text: &str, limits: &Limits) -> Explanation {
    let document = Document::parse(text, limits).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    explainer.explain(&document, limits)
}

/// One line for each violation: `CODE pointer line:col message [help]`.
fn lines(explanation: &Explanation) -> Vec<String> {
    explanation
        .violations
        .iter()
        .map(|violation| {
            let help = violation.suggestion.as_ref().map(|help| format!(" [{help}]")).unwrap_or_default();
            format!(
                "{} {} {}:{} {}{help}",
                violation.code,
                violation.pointer,
                violation.position.line,
                violation.position.column,
                violation.message
            )
        })
        .collect()
}
