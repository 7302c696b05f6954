//! What the derive emits, feature by feature, and that serde reads the same.
#![allow(dead_code, missing_docs, missing_debug_implementations)]

use json_correctness::{CompiledSchema, Document, ExpectedSchema, Limits, json_schema};
use serde_json::Value;

mod constraints;
mod keys;
mod shapes;

/// What a text is judged to be by the schema of `T` and by serde.
fn judged<T: ExpectedSchema>(text: &str) -> (bool, bool) {
    let limits = Limits::default();
    let schema = CompiledSchema::of_type::<T>().expect("the schema compiles");
    let document = Document::parse(text, &limits).expect("the test's text is JSON");
    (schema.is_valid(&document), serde_json::from_slice::<T>(text.as_bytes()).is_ok())
}

/// Serde and the schema take these texts and refuse those.
fn agree<T: ExpectedSchema>(taken: &[&str], refused: &[&str]) {
    for (texts, verdict) in [(taken, true), (refused, false)] {
        for text in texts {
            let (schema, serde) = judged::<T>(text);
            let name = std::any::type_name::<T>();
            assert_eq!(serde, verdict, "serde on {text} as {name}");
            assert_eq!(schema, verdict, "the schema on {text} as {name}: {:#}", json_schema::<T>());
        }
    }
}

/// Serde takes all of these; the schema takes the first and refuses the others, by design.
fn constrained<T: ExpectedSchema>(taken: &[&str], refused: &[&str]) {
    for (texts, verdict) in [(taken, true), (refused, false)] {
        for text in texts {
            let (schema, serde) = judged::<T>(text);
            let name = std::any::type_name::<T>();
            assert!(serde, "serde on {text} as {name}");
            assert_eq!(schema, verdict, "the schema on {text} as {name}: {:#}", json_schema::<T>());
        }
    }
}

/// The part of `T`'s schema at a pointer.
fn at<T: ExpectedSchema>(pointer: &str) -> Value {
    let schema = json_schema::<T>();
    schema.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {schema:#}")).clone()
}
