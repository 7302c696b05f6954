use serde_json::{Value, json};

use super::lint_schema;
use crate::text::Limits;

fn lints(schema: &Value) -> Vec<String> {
    lint_schema(schema, &[], &Limits::default()).iter().map(ToString::to_string).collect()
}

#[test]
fn each_lint_is_found() {
    let closed = |mut schema: Value| {
        schema["additionalProperties"] = json!(false);
        schema
    };
    let string = json!({ "type": "string" });
    let rows = [
        (json!({ "type": "strng" }), "error[does-not-compile] at /type: `type` is \"strng\", which is none"),
        (json!({ "items": { "minLength": -1 } }), "error[does-not-compile] at /items/minLength: "),
        (json!({ "$ref": "#/nope" }), "error[does-not-compile] at (root): "),
        (
            json!({ "type": "object", "require": ["a"] }),
            "error[misspelt-keyword] at /require: `require` is no",
        ),
        (json!({ "type": "string", "nullable": true }), "warning[unknown-keyword] at /nullable: "),
        (
            json!({ "type": "array", "additionalItems": false }),
            "warning[keyword-of-another-draft] at /additionalItems",
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "const": 1 }),
            "warning[keyword-of-another-draft] at /const: `const` asserts nothing in draft 4",
        ),
        (json!({ "type": "string", "minimum": 1 }), "warning[keyword-of-another-type] at /minimum: "),
        (json!({ "type": "string", "then": {} }), "warning[keyword-without-partner] at /then: "),
        (
            json!({ "type": "string", "format": "emial" }),
            "warning[unknown-format] at /format: draft 2020-12 knows no",
        ),
        (
            json!({ "type": "string", "contentEncoding": "base64" }),
            "note[annotation-only] at /contentEncoding",
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "definitions": { "a": {} },
                "properties": { "x": { "$ref": "#/definitions/a", "minLength": 1 } } }),
            "error[ignored-beside-ref] at /properties/x: `minLength` beside `$ref` is ignored in draft 7",
        ),
        (
            json!({ "type": "object", "properties": { "name": string }, "required": ["nmae"] }),
            "warning[unknown-required] at /required/0: `required` names `nmae`",
        ),
        (
            closed(json!({ "type": "object", "properties": { "a": string }, "required": ["a", "b"] })),
            "error[required-but-forbidden] at /required/1: `b` is required, but `additionalProperties`",
        ),
        (
            json!({ "properties": { "a": false }, "required": ["a"] }),
            "error[required-but-forbidden] at /required/0: `a` is required, but `properties` says",
        ),
        (json!({ "type": "string", "pattern": "^(?!a)b$" }), "warning[needs-backtracking] at /pattern: "),
        (json!({ "type": "string", "pattern": "[a-z]+" }), "note[unanchored-pattern] at /pattern: "),
        (json!({}), "error[accepts-everything] at (root): "),
        (json!({ "minimum": 1 }), "warning[any-type] at (root): the value may be of any type"),
        (json!({ "type": "string", "examples": ["a", 1] }), "error[example-fails] at /examples/1: "),
        (
            json!({ "type": "object", "properties": { "a": string } }),
            "warning[nothing-required] at (root): no field is required: `{}` passes",
        ),
        (
            json!({ "type": "object", "properties": { "a": string, "b": string }, "required": ["a"] }),
            "warning[additional-properties] at (root): additional properties are allowed, so a misspelt `b` goes",
        ),
        (
            closed(
                json!({ "type": "object", "properties": { "a": string, "b": string }, "required": ["a"] }),
            ),
            "note[optional-fields] at (root): these fields may be missing: `b`",
        ),
        (
            json!({ "type": "object", "properties": { "a": { "description": "what?" } }, "required": ["a"] }),
            "warning[any-type] at /properties/a: `/a` may be of any type",
        ),
        (
            json!({ "type": "array", "items": { "type": "object", "properties": { "a": string } } }),
            "warning[nothing-required] at /items: no field of `/0` is required",
        ),
        (
            closed(
                json!({ "type": "object", "properties": { "a_b": string }, "patternProperties": { "^[a-z_]+$": {} } }),
            ),
            "warning[additional-properties] at (root)",
        ),
        (
            closed(
                json!({ "type": "object", "properties": { "nb": string }, "patternProperties": { "^..$": string } }),
            ),
            "warning[misspelt-key] at (root): a misspelt key passes: `nb`",
        ),
        (json!({ "not": {} }), "note[not-examined] at (root): "),
    ];
    for (schema, expected) in rows {
        let found = lints(&schema);
        assert!(found.iter().any(|lint| lint.starts_with(expected)), "{schema}\n{expected}\n{found:#?}");
    }
}

#[test]
fn a_tight_schema_has_no_lints() {
    let tight = [
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "minLength": 2 },
                "email": { "type": "string", "format": "email" },
                "code": { "type": "string", "pattern": "^[A-Z]{3}-\\d+$" },
                "price": { "type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01 },
                "priority": { "enum": ["High", "Low"] },
                "tags": { "type": "array", "items": { "type": "string" } },
                "next": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/next" }] },
            },
            "required": ["name", "email", "code", "price", "priority", "tags", "next"],
            "additionalProperties": false,
            "$defs": { "next": {
                "type": "object",
                "properties": { "at": { "type": "string", "format": "date-time" } },
                "required": ["at"],
                "additionalProperties": false,
            } },
        }),
        json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
        json!({
            "type": "object",
            "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
            "anyOf": [{ "required": ["a"] }, { "required": ["b"] }],
            "minProperties": 2,
            "additionalProperties": false,
        }),
    ];
    for schema in tight {
        assert_eq!(lints(&schema), Vec::<String>::new());
    }
}

#[test]
fn an_example_that_is_given_is_examined() {
    // Nothing that is made here fits: the pattern looks back.
    let schema =
        json!({ "type": "object", "properties": { "a": { "pattern": "^(.)\\1$" } }, "required": ["a"] });
    assert!(lints(&schema).iter().any(|lint| lint.starts_with("note[not-examined]")));
    let examined = lint_schema(&schema, &[json!({ "a": "xx" })], &Limits::default());
    assert!(examined.iter().any(|lint| lint.name == "additional-properties"), "{examined:#?}");
    let free = lint_schema(&schema, &[json!({ "a": "xx", "free": 1 })], &Limits::default());
    assert!(!free.iter().any(|lint| lint.name == "any-type" && lint.pointer.is_root()), "{free:#?}");
    let wrong = lint_schema(&schema, &[json!({ "a": "xy" })], &Limits::default());
    assert!(wrong.iter().any(|lint| lint.name == "example-fails"), "{wrong:#?}");
}

#[test]
fn hostile_schemas_end() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..100 {
        deep = json!({ "properties": { "a": deep.clone() }, "anyOf": [{ "$ref": "#" }], "required": ["a"] });
    }
    let wide: Value = (0..5_000).map(|n| (format!("p{n}"), json!({ "type": "string" }))).collect();
    let schemas = [
        deep,
        json!({ "type": "object", "properties": wide }),
        json!({ "$ref": "#" }),
        json!({ "properties": { "a": { "$ref": "#" } }, "required": ["a"] }),
        json!({ "type": "string", "pattern": "((a{100}){100}){10}" }),
        json!({ "type": "string", "minLength": 1e300 }),
        json!({ "type": "array", "minItems": 1_000_000_000 }),
        json!({ "enum": [], "anyOf": [true] }),
    ];
    for schema in &schemas {
        assert!(lints(schema).len() <= 2_000);
    }
}

/// The judge is the witness of what the lints say.
#[test]
fn what_is_said_to_assert_nothing_asserts_nothing() {
    let draft = |number| format!("http://json-schema.org/draft-{number:02}/schema#");
    let rows = [
        (json!({ "type": "array", "additionalItems": false, "prefixItems": [true] }), json!([1, 2])),
        (json!({ "$schema": draft(4), "const": 1 }), json!(2)),
        (json!({ "$schema": draft(4), "propertyNames": { "maxLength": 1 } }), json!({ "ab": 1 })),
        (json!({ "$schema": draft(4), "contains": { "type": "string" } }), json!([1])),
        (json!({ "$schema": draft(6), "if": true, "then": false }), json!(1)),
        (json!({ "$schema": draft(7), "unevaluatedProperties": false }), json!({ "a": 1 })),
        (json!({ "$schema": draft(7), "dependentRequired": { "a": ["b"] } }), json!({ "a": 1 })),
        (json!({ "$schema": draft(7), "prefixItems": [false] }), json!([1])),
        (
            json!({ "$schema": draft(7), "definitions": { "a": {} },
                "properties": { "x": { "$ref": "#/definitions/a", "minLength": 5 } } }),
            json!({ "x": "a" }),
        ),
        (json!({ "contentEncoding": "base64", "contentMediaType": "application/json" }), json!("{")),
        (json!({ "format": "emial" }), json!("x")),
        (json!({ "$schema": draft(7), "format": "uuid" }), json!("x")),
        (json!({ "then": false, "minContains": 5 }), json!([1])),
    ];
    for (schema, instance) in rows {
        let compiled = super::CompiledSchema::new(&schema, &Limits::default()).expect("compiles");
        let text = instance.to_string();
        let document = crate::text::Document::parse(&text, &Limits::default()).expect("JSON");
        assert!(compiled.is_valid(&document), "{schema} refuses {instance}");
        let silent = ["keyword-of-another-draft", "ignored-beside-ref", "annotation-only", "unknown-format"];
        let found = lint_schema(&schema, &[], &Limits::default());
        let told = |name: &str| silent.contains(&name) || name == "keyword-without-partner";
        assert!(found.iter().any(|lint| told(lint.name)), "{schema}: {found:#?}");
    }
}
