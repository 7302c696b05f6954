//! From a document to `serde_json`'s tree.

use serde_json::{Map, Number, Value};

use super::{JsonType, Node};

/// Builds the tree. Recursive: a document is at most [`Limits::MAX_DEPTH`](super::Limits) deep.
pub(super) fn build(node: Node<'_>) -> Value {
    match node.json_type() {
        JsonType::Null => Value::Null,
        JsonType::Boolean => Value::Bool(node.as_bool().unwrap_or_default()),
        JsonType::Integer | JsonType::Number => Value::Number(number(node.source())),
        JsonType::String => Value::String(node.as_str().unwrap_or_default().to_owned()),
        JsonType::Array => Value::Array(node.elements().map(build).collect()),
        JsonType::Object => Value::Object(
            node.members().map(|member| (member.key.to_owned(), build(member.value))).collect::<Map<_, _>>(),
        ),
    }
}

/// What `serde_json` reads the spelling as, its rounding included.
fn number(spelling: &str) -> Number {
    spelling
        .parse()
        .ok()
        .or_else(|| Number::from_f64(spelling.parse().ok()?))
        .unwrap_or_else(|| Number::from(0))
}
