//! What a compiled schema promises about hostile schemas and documents, and about exactness.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::{
    fs,
    io::ErrorKind,
    net::TcpListener,
    sync::atomic::{AtomicUsize, Ordering},
};

use json_correctness::{CompiledSchema, Document, Error, Limits, ViolationKind};
use serde_json::{Value, json};

fn compile(schema: &Value) -> CompiledSchema {
    CompiledSchema::new(schema, &Limits::default()).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// The verdict; the violations must agree with it.
fn accepts(schema: &CompiledSchema, text: &str) -> bool {
    let limits = Limits::default().max_depth(Limits::MAX_DEPTH);
    let document = Document::parse(text, &limits).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let valid = schema.is_valid(&document);
    assert_eq!(schema.violations(&document, &limits).is_empty(), valid, "{text}");
    valid
}

#[test]
fn numbers_are_judged_exactly_wherever_a_schema_stands() {
    // How a schema is put somewhere, and how its instance is.
    type Place = (fn(Value) -> Value, fn(&str) -> String);
    let places: [Place; 14] = [
        (|schema| schema, str::to_owned),
        (|schema| json!({ "properties": { "a": schema } }), |text| format!(r#"{{"a": {text}}}"#)),
        (
            |schema| json!({ "type": "object", "properties": { "a": schema }, "required": ["a"], "additionalProperties": false }),
            |text| format!(r#"{{"a": {text}}}"#),
        ),
        (|schema| json!({ "additionalProperties": schema }), |text| format!(r#"{{"a": {text}}}"#)),
        (|schema| json!({ "patternProperties": { "^a": schema } }), |text| format!(r#"{{"a": {text}}}"#)),
        (|schema| json!({ "unevaluatedProperties": schema }), |text| format!(r#"{{"a": {text}}}"#)),
        (|schema| json!({ "items": schema }), |text| format!("[{text}]")),
        (|schema| json!({ "type": "array", "items": schema, "minItems": 1 }), |text| format!("[{text}]")),
        (|schema| json!({ "prefixItems": [schema] }), |text| format!("[{text}]")),
        (|schema| json!({ "contains": schema }), |text| format!("[{text}]")),
        (|schema| json!({ "allOf": [schema] }), str::to_owned),
        (|schema| json!({ "oneOf": [schema, { "type": "null" }] }), str::to_owned),
        (|schema| json!({ "$ref": "#/$defs/a", "$defs": { "a": schema } }), str::to_owned),
        (|schema| json!({ "not": { "not": schema } }), str::to_owned),
    ];
    let rows = [
        (json!({ "type": "integer", "minimum": i64::MIN }), "-9223372036854775808", true),
        (json!({ "type": "integer", "minimum": i64::MIN }), "-9223372036854775809", false),
        (json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX }), "18446744073709551616", false),
        (json!({ "maximum": 1 }), "1.00000000000000000000001", false),
        (json!({ "type": "number", "exclusiveMaximum": 1 }), "0.99999999999999999999999", true),
        (json!({ "type": "number", "exclusiveMaximum": 1 }), "1.0", false),
        (json!({ "multipleOf": 0.1 }), "0.30000000000000000001", false),
        (json!({ "type": "integer", "multipleOf": 2 }), "36893488147419103233", false),
        (json!({ "const": 9_007_199_254_740_993_u64 }), "9007199254740992", false),
        (json!({ "const": 9_007_199_254_740_993_u64 }), "9007199254740993.0", true),
        (json!({ "enum": [1, "a", 0.1] }), "0.1000000000000000000001", false),
        (json!({ "enum": [1, 2] }), "1.0000000000000000000001", false),
        (json!({ "type": "integer" }), "1.0", true),
        (json!({ "type": "integer" }), "1.00000000000000000000001", false),
        (json!({ "type": "integer" }), "1e300", true),
        (
            json!({ "x-expected": { "maximum": "340282366920938463463374607431768211455" } }),
            "340282366920938463463374607431768211456",
            false,
        ),
    ];
    for (schema, text, expected) in rows {
        for (index, (of_schema, of_text)) in places.iter().enumerate() {
            let placed = compile(&of_schema(schema.clone()));
            assert_eq!(accepts(&placed, &of_text(text)), expected, "{schema} on {text} in place {index}");
        }
    }
}

#[test]
fn unique_items_are_compared_as_json_schema_compares() {
    let schema = compile(&json!({ "uniqueItems": true }));
    let padding: String = (100..120).map(|number| format!("{number},")).collect();
    let rows = [
        ("1, 1.0", false),
        ("10, 1e1", false),
        ("9007199254740993, 9007199254740992", true),
        ("0, -0.0", false),
        ("0.1, 0.10", false),
        (r#"{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}"#, false),
        (r#"["a,b"], ["a", "b"]"#, true),
        (r#""1", 1"#, true),
        (r#"{"a": "b"}, ["a", "b"]"#, true),
        ("[], {}", true),
        (r#"null, false, 0, "", [], {}"#, true),
        (r#""A", "A""#, false),
    ];
    for (elements, expected) in rows {
        assert_eq!(accepts(&schema, &format!("[{elements}]")), expected, "{elements}");
        assert_eq!(accepts(&schema, &format!("[{padding}{elements}]")), expected, "{elements} and others");
    }
}

#[test]
fn nothing_is_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let web = format!("http://{}/schema.json", listener.local_addr().unwrap());
    let secret = std::env::temp_dir().join(format!("json-correctness-{}.json", std::process::id()));
    fs::write(&secret, r#"{"type": "SECRET-CONTENT"}"#).unwrap();
    let file = format!("file://{}", secret.display());
    for uri in [&web, &file] {
        let schemas = [
            json!({ "$ref": uri }),
            json!({ "$defs": { "unused": { "$ref": uri } } }),
            json!({ "properties": { "a": { "$ref": format!("{uri}#/x") } } }),
            json!({ "$dynamicRef": uri }),
            json!({ "$schema": uri }),
            json!({ "$id": uri, "$ref": "other.json" }),
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "$ref": uri }),
        ];
        for schema in schemas {
            let error = CompiledSchema::new(&schema, &Limits::default()).expect_err("nothing is fetched");
            assert!(error.is_schema(), "{error}");
            assert!(!error.to_string().contains("SECRET"), "{error}");
        }
        // An embedded schema of an unknown draft is read as one of the outer draft.
        let embedded = json!({ "$defs": { "a": { "$id": "https://example.com/a", "$schema": uri } } });
        assert!(accepts(&compile(&embedded), "1"));
    }
    fs::remove_file(&secret).unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "a connection was made");
}

#[test]
fn a_schema_that_does_not_compile_names_the_place() {
    type Kind = fn(&Error) -> bool;
    let wide: Value = (0..60_000).map(|index| (format!("p{index}"), json!({ "type": "null" }))).collect();
    let long: Value = json!({ "description": "x".repeat(1 << 20) });
    let rows: [(Value, Kind, &[&str]); 8] = [
        (
            json!({ "$schema": "https://example.com/draft-99" }),
            Error::is_schema,
            &["/$schema", "draft-99", "2020-12"],
        ),
        (json!({ "$schema": 7 }), Error::is_schema, &["/$schema"]),
        (
            json!({ "properties": { "a": { "type": "text" } } }),
            Error::is_schema,
            &["/properties/a/type", "text"],
        ),
        (json!({ "items": { "minimum": "1" } }), Error::is_schema, &["/items/minimum"]),
        (json!(5), Error::is_schema, &["#: a schema must be"]),
        (json!({ "properties": { "a": { "pattern": "(" } } }), Error::is_schema, &["#/properties/a", "`(`"]),
        (json!({ "properties": wide }), Error::is_limit, &["max_schema"]),
        (long, Error::is_limit, &["max_schema_bytes"]),
    ];
    for (schema, is_kind, expected) in rows {
        let error = CompiledSchema::new(&schema, &Limits::default()).expect_err("it does not compile");
        let message = error.to_string();
        assert!(is_kind(&error), "{message}");
        assert!(message.len() < 1_000, "{} bytes", message.len());
        for part in expected {
            assert!(message.contains(part), "`{part}` in `{message}`");
        }
    }
}

#[test]
fn loops_of_references_end() {
    let rows = [
        json!({ "$ref": "#" }),
        json!({ "allOf": [{ "$ref": "#" }] }),
        json!({ "anyOf": [{ "$ref": "#" }, { "type": "null" }] }),
        json!({ "not": { "$ref": "#" } }),
        json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }),
        json!({ "$dynamicRef": "#a", "$dynamicAnchor": "a" }),
        json!({ "if": { "$ref": "#" }, "then": { "$ref": "#" }, "else": { "$ref": "#" } }),
        json!({ "propertyNames": { "$ref": "#/$defs/a" }, "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "allOf": [{ "$ref": "#/$defs/a" }] } } }),
        json!({ "dependentSchemas": { "a": { "$ref": "#" } } }),
        json!({ "unevaluatedProperties": { "$ref": "#" }, "allOf": [{ "$ref": "#" }] }),
        json!({ "$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "#" }),
        json!({ "$schema": "http://json-schema.org/draft-04/schema#", "extends": { "$ref": "#" }, "allOf": [{ "$ref": "#" }] }),
    ];
    for schema in rows {
        // A loop may be refused or judged, but it ends.
        let Ok(schema) = CompiledSchema::new(&schema, &Limits::default()) else { continue };
        for text in ["null", "{}", r#"{"a": {"a": 1}}"#, "[[[]]]"] {
            accepts(&schema, text);
        }
    }
}

#[test]
fn depth_does_not_exhaust_the_stack() {
    let schemas = [
        json!({ "anyOf": [{ "type": "null" }, { "type": "array", "items": { "$ref": "#" } }, { "type": "object", "additionalProperties": { "$ref": "#" } }] }),
        json!({ "$defs": { "node": { "oneOf": [
            { "type": "object", "properties": { "next": { "$ref": "#/$defs/node" } }, "required": ["next"], "additionalProperties": false },
            { "type": "array", "prefixItems": [{ "$ref": "#/$defs/node" }] },
            { "type": "null" },
        ] } }, "$ref": "#/$defs/node" }),
        json!({ "$dynamicAnchor": "node", "properties": { "next": { "$dynamicRef": "#node" } }, "items": { "$dynamicRef": "#node" }, "unevaluatedProperties": false }),
        json!({ "allOf": [{ "items": { "allOf": [{ "if": true, "then": { "$ref": "#" } }] }, "properties": { "next": { "$ref": "#" } } }], "uniqueItems": true }),
    ];
    let judged = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn_scoped(scope, || {
                for schema in &schemas {
                    let schema = compile(schema);
                    for end in ["null", "7"] {
                        for (open, close) in [("[", "]"), (r#"{"next":"#, "}")] {
                            let depth = Limits::MAX_DEPTH;
                            let text = format!("{}{end}{}", open.repeat(depth), close.repeat(depth));
                            accepts(&schema, &text);
                            judged.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            })
            .unwrap();
    });
    assert_eq!(judged.load(Ordering::Relaxed), 16);
}

#[test]
fn chains_of_references_on_every_level_do_not_exhaust_the_stack() {
    let chain = |length: usize, all_of: usize| {
        let link = |index: usize| {
            let mut link = match index + 1 == length {
                true => json!({ "type": "array", "items": { "$ref": "#/$defs/link0" } }),
                false => json!({ "$ref": format!("#/$defs/link{}", index + 1) }),
            };
            for _ in 0..all_of {
                link = json!({ "allOf": [link] });
            }
            (format!("link{index}"), link)
        };
        let links: Value = (0..length).map(link).collect();
        json!({ "$defs": links, "$ref": "#/$defs/link0" })
    };
    std::thread::scope(|scope| {
        let judge = || {
            for (length, all_of, depth, judged) in
                [(95, 0, 512, true), (95, 2, 127, true), (95, 40, 500, false)]
            {
                let schema = compile(&chain(length, all_of));
                let limits = Limits::default().max_depth(Limits::MAX_DEPTH);
                for (middle, valid) in [("[]", true), ("7", false)] {
                    let text = format!("{}{middle}{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
                    let document = Document::parse(&text, &limits).unwrap();
                    assert_eq!(schema.is_valid(&document), judged && valid);
                    let violations = schema.violations(&document, &limits);
                    assert_eq!(violations.is_empty(), judged && valid);
                    // What no stack can hold is said to be so.
                    let too_deep = violations.iter().any(|found| found.code == "JC0502");
                    assert_eq!(too_deep, !judged, "chain {length} with {all_of} allOf at depth {depth}");
                }
            }
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, judge).unwrap();
    });
}

#[test]
fn what_a_pattern_cannot_decide_is_neither_valid_nor_invalid() {
    let limits = Limits::default();
    let quadratic = r"(?<!b)a*c";
    let long = "a".repeat(20_000);
    let rows: [(Value, String, Option<bool>); 9] = [
        (json!({ "pattern": quadratic }), format!("{long:?}"), None),
        (json!({ "pattern": quadratic }), "\"aac\"".to_owned(), Some(true)),
        (json!({ "pattern": quadratic }), "\"aab\"".to_owned(), Some(false)),
        (json!({ "not": { "pattern": quadratic } }), format!("{long:?}"), None),
        (json!({ "anyOf": [{ "pattern": quadratic }, { "minLength": 5 }] }), format!("{long:?}"), Some(true)),
        (
            json!({ "allOf": [{ "pattern": quadratic }, { "maxLength": 5 }] }),
            format!("{long:?}"),
            Some(false),
        ),
        (
            json!({ "oneOf": [{ "pattern": quadratic }, { "pattern": r"(?<!c)a*b" }] }),
            format!("{long:?}"),
            None,
        ),
        (json!({ "items": { "pattern": "a*c" } }), format!("[{long:?}]"), Some(false)),
        (json!({ "patternProperties": { quadratic: { "type": "null" } } }), format!("{{{long:?}: 1}}"), None),
    ];
    for (schema, text, expected) in rows {
        let compiled = compile(&schema);
        let document = Document::parse(&text, &limits).unwrap();
        assert_eq!(compiled.is_valid(&document), expected == Some(true), "{schema}");
        let violations = compiled.violations(&document, &limits);
        let undecided = violations.iter().any(|found| matches!(found.kind, ViolationKind::Undecided { .. }));
        assert_eq!(undecided, expected.is_none(), "{schema}: {violations:#?}");
        assert_eq!(violations.is_empty(), expected == Some(true), "{schema}");
    }
}

#[test]
fn many_dear_runs_of_a_pattern_are_cut_short() {
    let limits = Limits::default();
    // Every run is bounded, and so are all of them together: the text's length does not matter.
    let bomb = "^(?=a)(a|a)*(?!a)b";
    let strings: Vec<String> = (0..20_000).map(|index| format!("{}{index}", "a".repeat(40))).collect();
    let list = serde_json::to_string(&strings).unwrap();
    let keys: Value = strings.iter().map(|key| (key.clone(), Value::Null)).collect();
    let rows = [
        (json!({ "items": { "pattern": bomb } }), list),
        (json!({ "patternProperties": { bomb: false } }), keys.to_string()),
    ];
    for (schema, text) in rows {
        let schema = compile(&schema);
        let document = Document::parse(&text, &limits).unwrap();
        assert!(!schema.is_valid(&document));
        let violations = schema.violations(&document, &limits);
        assert!(violations.len() <= limits.max_violations + 1);
        assert!(
            violations.iter().all(|found| matches!(found.kind, ViolationKind::Undecided { .. })),
            "{violations:#?}"
        );
    }
}

#[test]
fn a_users_own_meta_schema_is_respected() {
    let uri = "https://example.com/meta";
    let meta = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": uri,
        "$vocabulary": {
            "https://json-schema.org/draft/2020-12/vocab/core": true,
            "https://json-schema.org/draft/2020-12/vocab/applicator": true,
            "https://json-schema.org/draft/2020-12/vocab/validation": true,
        },
        "allOf": [{ "$ref": "https://json-schema.org/draft/2020-12/schema" }],
    });
    let limits = Limits::default();
    let documents = [(uri, &meta)];
    let schema = json!({ "$schema": uri, "title": "a", "maximum": 1 });
    let schema = CompiledSchema::with_documents(&schema, &documents, &limits).unwrap();
    assert!(accepts(&schema, "1"));
    assert!(!accepts(&schema, "1.00000000000000000000001"));
    let broken = json!({ "$schema": uri, "title": "a", "properties": { "a": { "maximum": "1" } } });
    // The crate does not hold a schema to a meta-schema of the user's, but neither does it fall over.
    if let Err(error) = CompiledSchema::with_documents(&broken, &documents, &limits) {
        assert!(error.is_schema(), "{error}");
    }
}

#[test]
fn a_key_that_is_written_twice_is_a_violation() {
    let schema = compile(&json!({ "properties": { "a": { "type": "integer" } } }));
    let limits = Limits::default();
    let text = r#"{"a": "x", "b": {"\u0061": 1, "a": 2}, "a": 1}"#;
    let document = Document::parse(text, &limits).unwrap();
    assert!(!schema.is_valid(&document));
    let found: Vec<String> = schema
        .violations(&document, &limits)
        .iter()
        .map(|found| {
            format!("{} {} {:?}", found.code, found.pointer, &text[found.span.start..found.span.end])
        })
        .collect();
    assert_eq!(found, [r#"JC0104 /b/a "\"a\"""#, r#"JC0104 /a "\"a\"""#]);
}

#[test]
fn a_compiled_schema_is_shared_between_threads() {
    fn is_shared<T: Send + Sync + Clone + 'static>(value: T) -> T {
        value
    }
    let schema = is_shared(compile(&json!({ "type": "integer" })));
    let other = schema.clone();
    let handle = std::thread::spawn(move || accepts(&other, "1"));
    assert!(!accepts(&schema, "null"));
    assert!(handle.join().unwrap());
}

#[test]
fn each_draft_judges_by_its_own_rules() {
    let draft = |name: &str, schema: &str| format!(r#"{{"$schema": "{name}", {schema}}}"#);
    let four = "http://json-schema.org/draft-04/schema#";
    let six = "http://json-schema.org/draft-06/schema#";
    let nineteen = "https://json-schema.org/draft/2019-09/schema";
    let rows = [
        (draft(four, r#""type": "integer""#), "1.0", false),
        (draft(four, r#""type": "integer""#), "-0", true),
        (draft(four, r#""minimum": 1, "exclusiveMinimum": true"#), "1", false),
        (draft(four, r#""minimum": 1, "exclusiveMinimum": false"#), "1", true),
        (draft(six, r#""type": "integer""#), "1.0", true),
        (draft(six, r#""exclusiveMinimum": 1"#), "1", false),
        (draft(nineteen, r#""items": [{"type": "null"}]"#), "[1]", false),
        (draft(nineteen, r#""format": "date""#), "\"soon\"", false),
        (r#"{"format": "date"}"#.to_owned(), "\"soon\"", false),
        (r#"{"prefixItems": [{"type": "null"}]}"#.to_owned(), "[1]", false),
        (r#"{"format": "no-such-format"}"#.to_owned(), "\"soon\"", true),
        (r#"{"format": "x-type-date"}"#.to_owned(), "\"soon\"", true),
    ];
    for (schema, text, expected) in rows {
        let schema = CompiledSchema::from_text(&schema, &Limits::default()).unwrap();
        assert_eq!(accepts(&schema, text), expected, "{} on {text}", schema.schema());
    }
}
