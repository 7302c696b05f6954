//! What is judged at sight. That it is never wrong is held true by `tests/tests/fast_pass.rs`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::{CompiledSchema, Document, Limits, Span};

/// Whether the fast pass is sure, which must be right.
fn at_sight(schema: &Value, text: &str, limits: &Limits) -> bool {
    let compiled = CompiledSchema::new(schema, limits).expect("a schema");
    let sure = compiled.is_valid_at_sight(text, Span::new(0, text.len()), limits);
    if sure {
        let valid = Document::parse(text, limits).is_ok_and(|document| compiled.is_valid(&document));
        assert!(valid, "{schema} {text}");
    }
    sure
}

#[test]
fn what_is_judged_at_sight() {
    let tagged = |name: &str| {
        json!({
            "type": "object",
            "properties": { "type": { "const": name }, name: { "type": "integer" } },
            "required": ["type", name],
        })
    };
    let keyed = |name: &str, closed: bool| json!({ "properties": { name: {} }, "required": [name], "additionalProperties": !closed, "type": "object" });
    let escapes = json!({ "properties": { "a\"b": {}, "c\\d": {}, "é": {} } });
    let tree = json!({ "properties": { "next": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] } },
        "required": ["next"] });
    let rows: &[(Value, &[&str], &[&str])] = &[
        (json!(true), &["1", " [ ] ", r#"{"a": {"a": 1}}"#], &["", "[1,]", r#"{"a": 1, "a": 1}"#, "01"]),
        (json!({ "type": "integer" }), &["1", "-7"], &["1.5", "1.0", "-0"]),
        (json!({ "type": "number" }), &["1", "1.0", "-0", "1e2"], &["1e400", "\"1\""]),
        (json!({ "minimum": 9007199254740993_u64 }), &["9007199254740993"], &["9007199254740992"]),
        (json!({ "exclusiveMaximum": 0.5 }), &["0.4999999999999999999"], &["0.5", "0.50"]),
        (json!({ "multipleOf": 3 }), &["3", "30e1"], &["4"]),
        (
            json!({ "enum": [1, "a", null, true] }),
            &["1", "1.0", "\"a\"", "\"\\u0061\"", "null", "true"],
            &["false"],
        ),
        (
            json!({ "not": { "enum": [0, "x"] } }),
            &["1", "\"y\"", "[0]"],
            &["0", "0.0", "\"x\"", "\"\\u0078\""],
        ),
        (json!({ "not": { "type": "string" } }), &[], &["0"]),
        (json!({ "minLength": 2, "maxLength": 2 }), &["\"éé\"", "\"\\u00e9é\""], &["\"é\"", "\"abc\""]),
        (json!({ "pattern": "^a+$" }), &["\"aa\""], &["\"ab\""]),
        (json!({ "pattern": "^(?!b)a+$" }), &["1"], &["\"aa\""]),
        (json!({ "format": "date" }), &["\"2024-02-29\""], &["\"2023-02-29\""]),
        (json!({ "uniqueItems": true }), &["[1]"], &["[1, 1]"]),
        (json!({ "prefixItems": [{ "type": "null" }], "items": false }), &["[]", "[null]"], &["[null, 1]"]),
        (json!({ "propertyNames": { "maxLength": 1 } }), &[r#"{"a": 1}"#], &[r#"{"ab": 1}"#]),
        (
            json!({ "patternProperties": { "^a": { "type": "null" } }, "additionalProperties": false }),
            &[r#"{"a": null, "ab": null}"#],
            &[r#"{"a": 1}"#, r#"{"b": null}"#],
        ),
        (
            json!({ "allOf": [{ "required": ["a"] }, { "properties": { "a": { "type": "null" } } }] }),
            &[r#"{"a": null}"#],
            &["{}", r#"{"a": 1}"#],
        ),
        (
            json!({ "oneOf": [tagged("x"), tagged("y")] }),
            &[r#"{"type": "x", "x": 1}"#, r#"{"y": 1, "type": "y"}"#],
            &[r#"{"type": "x", "y": 1}"#, r#"{"type": "z"}"#, r#"{"type": "x", "x": 1, "x": 1}"#],
        ),
        (
            json!({ "oneOf": [keyed("x", true), keyed("y", true)] }),
            &[r#"{"x": 1}"#],
            &[r#"{"x": 1, "y": 1}"#],
        ),
        (
            json!({ "oneOf": [keyed("x", false), keyed("y", false)] }),
            &[r#"{"x": 1}"#, r#"{"z": 1, "y": 1}"#],
            &[r#"{"x": 1, "y": 1}"#, r#"{"x": 1, "\u0079": 1}"#, "{}"],
        ),
        (json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 2 }] }), &[], &["1", "2", "\"\""]),
        (json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] }), &[], &["1", "1.5", "1.0"]),
        (
            json!({ "oneOf": [{ "anyOf": [{ "const": "a" }, { "const": "b" }] }, { "const": "a" }] }),
            &[],
            &["\"a\""],
        ),
        (
            json!({ "oneOf": [{ "type": "array", "uniqueItems": true }, { "type": ["array", "null"] }] }),
            &["null"],
            &["[]", "[1]", "[1, 1]"],
        ),
        (
            json!({ "oneOf": [{ "type": "string", "not": { "type": "null", "const": "a" } }, { "const": "a" }] }),
            &[],
            &["\"a\""],
        ),
        (
            escapes,
            &[r#"{"a\"b": 1, "c\\d": 1, "\u00e9": 1}"#],
            &[r#"{"a"b": 1}"#, r#"{"c\d": 1}"#, r#"{"é": 1, "\u00e9": 1}"#, r#"{"\u0078": 1}"#],
        ),
        (tree, &[r#"{"next": {"next": {"next": null}}}"#], &[r#"{"next": {"next": {}}}"#]),
    ];
    for (schema, sure, silent) in rows {
        for text in *sure {
            assert!(at_sight(schema, text, &Limits::default()), "{schema} {text}");
        }
        for text in *silent {
            assert!(!at_sight(schema, text, &Limits::default()), "{schema} {text}");
        }
    }
}

#[test]
fn a_key_that_stands_twice_is_found_among_many() {
    for count in [2, 31, 32, 33, 34, 200] {
        let mut text = String::from("{");
        for key in 0..count {
            let _ = write!(text, "\"key{key}\": {{\"a\": 1}}, ");
        }
        for key in 0..=count {
            assert_eq!(
                at_sight(&json!(true), &format!("{text}\"key{key}\": 1}}"), &Limits::default()),
                key == count
            );
        }
    }
}

#[test]
fn alternatives_are_not_tried_for_ever() {
    let list = json!({ "type": "array", "items": { "$ref": "#" } });
    let mut longer = list.clone();
    longer["minItems"] = 2.into();
    let schema = json!({ "anyOf": [longer, list] });
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(at_sight(&schema, &nested(4), &Limits::default()));
    assert!(!at_sight(&schema, &nested(100), &Limits::default()));
}

#[test]
fn deep_texts_need_little_stack() {
    let limits = Limits::default().max_depth(Limits::MAX_DEPTH);
    let list = json!({ "anyOf": [{ "type": "array", "items": { "$ref": "#" } }, { "type": "null" }] });
    let judge = move || {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(at_sight(&list, &nested(127), &limits));
        assert!(!at_sight(&list, &nested(512), &limits));
        assert!(at_sight(&json!(true), &nested(512), &limits));
        assert!(!at_sight(&json!(true), &nested(513), &limits));
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(judge).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn merging_is_bounded() {
    // Every alternative of each union with every one of the others: 8^8 of them.
    let union = |at: usize| {
        let branches: Vec<Value> =
            (0..8).map(|branch| json!({ "required": [format!("{at}-{branch}")] })).collect();
        json!({ "anyOf": branches })
    };
    let any = json!({ "allOf": (0..8).map(union).collect::<Vec<_>>() });
    let one = serde_json::from_str(&any.to_string().replace("anyOf", "oneOf")).expect("JSON");
    for schema in [any, one] {
        assert!(!at_sight(&schema, "{}", &Limits::default()));
    }
}
