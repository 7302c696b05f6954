//! Schemas and texts that would cost a search without a budget its life. Counted in steps and
//! findings, never in time.

use serde_json::json;

use super::*;

fn default_explanation(schema: &Value, text: &str) -> Explanation {
    explain(&explainer(schema, IntegerRule::Value), text, &Limits::default())
}

fn expressions(union: &str) -> Value {
    let mut branches = vec![json!({
        "type": "object",
        "properties": {"op": {"const": "num"}, "value": {"type": "integer"}},
        "required": ["op", "value"],
    })];
    for op in ["add", "sub", "mul", "div"] {
        branches.push(json!({
            "type": "object",
            "properties": {
                "op": {"const": op},
                "left": {"$ref": "#/$defs/expr"},
                "right": {"$ref": "#/$defs/expr"},
            },
            "required": ["op", "left", "right"],
        }));
    }
    json!({"$ref": "#/$defs/expr", "$defs": {"expr": {union: branches}}})
}

#[test]
fn tagged_expressions_at_any_depth() {
    for union in ["oneOf", "anyOf"] {
        let explainer = explainer(&expressions(union), IntegerRule::Value);
        for depth in [5, 60, 126, 500] {
            let mut text = r#"{"op": "num", "value": "one"}"#.to_owned();
            for _ in 1..depth {
                text = format!(r#"{{"op": "add", "left": {text}, "right": {{"op": "num", "value": 1}}}}"#);
            }
            let limits = Limits::default().max_depth(512);
            let explanation = explain(&explainer, &text, &limits);
            assert_eq!(explanation.violations[0].code, "JC0201", "{union} {depth} {:?}", lines(&explanation));
            assert_eq!(explanation.violations.len(), 1, "{union} {depth}");
            assert!(explanation.steps < 30 * depth, "{union} {depth}: {} steps", explanation.steps);
        }
    }
}

#[test]
fn untagged_expressions_at_any_depth() {
    let branches: Vec<Value> = (0..6)
        .map(|place| {
            json!({
                "type": "object",
                "properties": {"left": {"$ref": "#/$defs/e"}, "right": {"$ref": "#/$defs/e"}, format!("x{place}"): {"type": "integer"}},
                "required": ["left", format!("x{place}")],
            })
        })
        .chain([json!({"type": "integer"})])
        .collect();
    let schema = json!({"$ref": "#/$defs/e", "$defs": {"e": {"anyOf": branches}}});
    let explainer = explainer(&schema, IntegerRule::Value);
    for depth in [3, 30, 126] {
        let mut text = "\"wrong\"".to_owned();
        for _ in 1..depth {
            text = format!(r#"{{"left": {text}, "right": {text_right}, "x3": 1}}"#, text_right = 1);
        }
        let explanation = explain(&explainer, &text, &Limits::default());
        assert_eq!(explanation.violations.len(), 1, "{depth} {:?}", lines(&explanation));
        assert!(explanation.complete, "{depth} {} steps", explanation.steps);
        assert!(explanation.steps < 1_000 * depth, "{depth}: {} steps", explanation.steps);
    }
}

#[test]
fn many_items_and_many_branches() {
    let branches: Vec<Value> = (0..50)
        .map(|place| {
            json!({
                "type": "object",
                "properties": {"kind": {"const": format!("k{place}")}, "value": {"type": "integer"}},
                "required": ["kind", "value"],
            })
        })
        .collect();
    let schema = json!({"type": "array", "items": {"oneOf": branches}});
    let explainer = explainer(&schema, IntegerRule::Value);
    let items = |wrong: usize| {
        let items: Vec<String> = (0..20_000)
            .map(|at| {
                let value = if at >= 20_000 - wrong { "\"x\"" } else { "1" };
                format!(r#"{{"kind": "k{}", "value": {value}}}"#, at % 50)
            })
            .collect();
        format!("[{}]", items.join(","))
    };
    let one = explain(&explainer, &items(1), &Limits::default());
    assert_eq!(one.violations.len(), 1);
    assert_eq!(one.violations[0].pointer.as_str(), "/19999/value");
    assert!(one.complete && one.steps < 200_000, "{} steps", one.steps);
    let all = explain(&explainer, &items(20_000), &Limits::default());
    assert_eq!(all.violations.len(), 101);
    assert_eq!(all.violations[100].code, "JC0504");
    assert!(!all.complete && all.steps < 10_000, "{} steps", all.steps);

    // Without a tag each item is held against each branch.
    let untagged: Vec<Value> = (0..50)
        .map(|place| json!({"type": "object", "properties": {"v": {"type": "integer", "minimum": place}}, "required": ["v", format!("r{place}")]}))
        .collect();
    let schema = json!({"type": "array", "items": {"anyOf": untagged}});
    let text = format!("[{}]", vec![r#"{"v": "x"}"#; 20_000].join(","));
    let explanation = default_explanation(&schema, &text);
    assert!(!explanation.complete);
    assert!(explanation.steps <= Limits::default().max_explain_steps);
    assert_eq!(explanation.violations.len(), 101);
}

#[test]
fn a_million_wrong_items() {
    let text = format!("[{}]", vec!["1"; 1_000_000].join(","));
    for schema in [
        json!({"items": {"type": "string"}}),
        json!({"items": {"anyOf": [{"type": "string"}, {"type": "object"}]}}),
        json!({"items": {"not": {}}}),
        json!({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string", "enum": ["a", "b"]}}}),
    ] {
        let explanation = default_explanation(&schema, &text);
        assert_eq!(explanation.violations.len(), 101, "{schema}");
        assert_eq!(explanation.violations[100].code, "JC0504");
        assert!(explanation.steps < 1_000, "{schema}: {} steps", explanation.steps);
    }
}

#[test]
fn the_budget_ends_a_search_and_says_so() {
    // The one fault is the last of a million items: the search does not get there.
    let text = format!("[{}, \"x\"]", vec!["1"; 1_000_000].join(","));
    let explanation = default_explanation(&json!({"items": {"type": "integer"}}), &text);
    assert!(!explanation.complete);
    assert_eq!(lines(&explanation), ["JC0304  1:1 the schema refuses the value"]);
    let text = format!("[\"x\", {}]", vec!["1"; 1_000_000].join(","));
    let explanation = default_explanation(&json!({"items": {"type": "integer"}}), &text);
    let codes: Vec<_> = explanation.violations.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["JC0201", "JC0504"]);
}

#[test]
fn dear_keywords_are_counted() {
    let strings: Vec<String> = (0..20_000).map(|at| format!("\"{}{at}\"", "a".repeat(40))).collect();
    let text = format!("[{}]", strings.join(","));
    for (schema, most) in [
        (json!({"items": {"pattern": "^(?=a)(?:a|a)*\\1?b()$"}}), 30),
        (json!({"uniqueItems": true, "items": {"maxLength": 1}}), 101),
        (json!({"items": {"enum": (0..5_000).collect::<Vec<_>>()}}), 101),
        (json!({"items": {"not": {"pattern": "a"}}}), 101),
    ] {
        let explanation = default_explanation(&schema, &text);
        assert!(explanation.steps <= Limits::default().max_explain_steps, "{schema:.100}");
        assert!(explanation.violations.len() <= most, "{schema:.100}: {}", explanation.violations.len());
    }
    // Wide objects with as many missing fields.
    let names: Vec<String> = (0..20_000).map(|at| format!("field_number_{at}")).collect();
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "integer"}))).collect();
    let schema = json!({"properties": properties, "required": names, "additionalProperties": false});
    let limits = Limits::default().max_schema_bytes(16 << 20);
    let wide = Explainer::compile(&schema, Draft::Draft202012, IntegerRule::Value, &limits).unwrap();
    let members: Vec<String> = (0..20_000).map(|at| format!("\"fieldNumber{at}\": 1")).collect();
    let explanation = explain(&wide, &format!("{{{}}}", members.join(",")), &limits);
    assert_eq!(explanation.violations.len(), 101);
    assert_eq!(explanation.violations[0].code, "JC0102");
}

#[test]
fn what_is_reported_stays_small() {
    let bytes = |explanation: &Explanation| -> usize {
        explanation
            .violations
            .iter()
            .map(|found| found.pointer.as_str().len() + found.found_at().as_str().len() + found.message.len())
            .sum()
    };
    let key = "k".repeat(1 << 20);
    let wrong = vec!["1"; 1_000].join(",");
    let name = "n".repeat(100_000);
    let objects = vec!["{}"; 1_000].join(",");
    for (schema, text, least) in [
        // Each violation has a pointer of a megabyte.
        (
            json!({"additionalProperties": {"items": {"type": "string"}}}),
            format!("{{\"{key}\": [{wrong}]}}"),
            3,
        ),
        // Each violation names a field of a tenth of a megabyte.
        (json!({"items": {"required": [name]}}), format!("[{objects}]"), 10),
    ] {
        let explanation = default_explanation(&schema, &text);
        let count = explanation.violations.len();
        assert!((least..100).contains(&count), "{count} violations");
        assert_eq!(explanation.violations[count - 1].code, "JC0504");
        assert!(!explanation.complete);
        assert!(bytes(&explanation) < 16 << 20, "{} bytes", bytes(&explanation));
    }
    // Deep under a long key, where every level would repeat it.
    let text = format!("{{\"{key}\": {}1{}}}", "[".repeat(120), "]".repeat(120));
    let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": ["object", "array"], "items": {"$ref": "#/$defs/a"}, "additionalProperties": {"$ref": "#/$defs/a"}}}});
    let explanation = default_explanation(&schema, &text);
    assert_eq!(explanation.violations.len(), 1);
    assert_eq!(explanation.violations[0].pointer.as_str(), format!("/{key}{}", "/0".repeat(120)));
}

#[test]
fn comparing_names_is_counted() {
    let variant = |at: usize| {
        let name = format!("variant_name_{at:04}");
        json!({"type": "object", "properties": {name.as_str(): {"type": "integer"}}, "required": [name], "additionalProperties": false})
    };
    let variants: Vec<Value> = (0..1_000).map(variant).collect();
    let rows: Vec<String> = (0..100)
        .map(|row| {
            let objects: Vec<String> =
                (0..300).map(|at| format!("{{\"veriant_nome_{row}_{at}\": 1}}")).collect();
            format!("[{}]", objects.join(","))
        })
        .collect();
    let text = format!("[{}]", rows.join(","));
    let schema = json!({"items": {"anyOf": [{"items": {"oneOf": variants}}, {"minItems": 1_000}]}});
    let explanation = default_explanation(&schema, &text);
    assert!(!explanation.complete);
    assert_eq!(explanation.steps, Limits::default().max_explain_steps);

    // Of very many near values, only as many are compared as there is time for.
    let words: Vec<String> = (0..500).map(|at| format!("customer_priority_level_{at:03}")).collect();
    let schema = json!({"items": {"enum": words}});
    let near = |count: usize| {
        let items: Vec<String> = (0..count).map(|_| "\"kustomer_priority_level_123\"".to_owned()).collect();
        format!("[{}]", items.join(","))
    };
    let explanation = default_explanation(&schema, &near(1));
    let suggestion = explanation.violations[0].suggestion.as_deref();
    assert_eq!(suggestion, Some("did you mean \"customer_priority_level_123\"?"));
    assert_eq!(default_explanation(&schema, &near(1_000)).violations.len(), 101);
}

#[test]
fn deep_nesting_ends_without_overflow() {
    let mut inner = json!({"type": "integer"});
    for _ in 0..120 {
        inner = json!({"allOf": [inner]});
    }
    let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/a"}}, inner]}}});
    for depth in [10, 126, 511] {
        let text = format!("{}\"x\"{}", "[".repeat(depth), "]".repeat(depth));
        let limits = Limits::default().max_depth(512);
        let explanation = explain(&explainer(&schema, IntegerRule::Value), &text, &limits);
        assert!(!explanation.violations.is_empty());
    }
}

#[test]
fn schemas_beyond_the_limits_are_refused() {
    let chain = |length: usize| {
        let definitions: serde_json::Map<String, Value> = (0..length)
            .map(|at| (format!("d{at}"), json!({"$ref": format!("#/$defs/d{}", at + 1)})))
            .chain([(format!("d{length}"), json!({"type": "integer"}))])
            .collect();
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    };
    let doubling = |times: usize| {
        let definitions: serde_json::Map<String, Value> = (0..times)
            .map(|at| {
                let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
                (format!("d{at}"), json!({"allOf": [next, next]}))
            })
            .chain([(format!("d{times}"), json!({"type": "integer"}))])
            .collect();
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    };
    let mut deep = json!({});
    for _ in 0..300 {
        deep = json!({"items": deep});
    }
    // Every definition refers to every other one, for the same value.
    let tangle: serde_json::Map<String, Value> = (0..12)
        .map(|at| {
            let all: Vec<Value> =
                (0..12).filter(|&to| to != at).map(|to| json!({"$ref": format!("#/$defs/d{to}")})).collect();
            (format!("d{at}"), json!({"allOf": all}))
        })
        .collect();
    let many: serde_json::Map<String, Value> = (0..60_000).map(|at| (at.to_string(), json!({}))).collect();
    let rows = [
        (chain(10_000), "max_ref_chain"),
        (chain(101), "max_ref_chain"),
        (doubling(20), "max_expanded_paths"),
        (json!({"$ref": "#/$defs/d0", "$defs": tangle}), "max_expanded_paths"),
        (json!({"properties": many}), "max_schema_nodes"),
        (json!({"const": "x".repeat(1 << 20)}), "max_schema_bytes"),
        (json!({"pattern": "a".repeat(9_000)}), "max_pattern_bytes"),
        (json!({"patternProperties": {"a".repeat(9_000): {}}}), "max_pattern_bytes"),
        (deep, "levels deep"),
    ];
    for (schema, limit) in rows {
        let error = Explainer::compile(&schema, Draft::Draft202012, IntegerRule::Value, &Limits::default())
            .expect_err(limit);
        assert!(error.is_limit() && error.to_string().contains(limit), "{limit}: {error}");
    }
    for schema in [chain(99), doubling(10)] {
        assert_eq!(default_explanation(&schema, "\"x\"").violations.len(), 1);
    }
}

#[test]
fn reference_loops_end() {
    let old = "http://json-schema.org/draft-07/schema#";
    let middle = "https://json-schema.org/draft/2019-09/schema";
    let rows = [
        (json!({"$ref": "#"}), "1"),
        (json!({"$ref": ""}), "1"),
        (json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}), "1"),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            "1",
        ),
        (json!({"allOf": [{"$ref": "#"}]}), "1"),
        (json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}), "1"),
        (json!({"allOf": [{"$ref": "#"}], "type": "string"}), "1"),
        (json!({"oneOf": [{"allOf": [{"$ref": "#"}]}, {"type": "integer"}]}), "1"),
        (json!({"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}}), "1"),
        (json!({"not": {"$ref": "#"}}), "1"),
        (
            json!({"propertyNames": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}),
            r#"{"a": {"b": 1}}"#,
        ),
        (json!({"dependentSchemas": {"a": {"$ref": "#"}}, "required": ["b"]}), r#"{"a": 1}"#),
        (json!({"items": {"$ref": "#"}, "contains": {"$ref": "#"}, "minContains": 1}), "[[1]]"),
        (json!({"unevaluatedProperties": {"$ref": "#"}, "allOf": [{"$ref": "#"}]}), r#"{"a": {"a": 1}}"#),
        (json!({"$dynamicRef": "#a", "$dynamicAnchor": "a"}), "1"),
        (
            json!({"$dynamicAnchor": "a", "properties": {"x": {"$dynamicRef": "#a"}}, "type": "object"}),
            r#"{"x": {"x": 1}}"#,
        ),
        (json!({"$schema": middle, "$recursiveAnchor": true, "$recursiveRef": "#"}), "1"),
        (
            json!({"$schema": middle, "$recursiveAnchor": true, "items": {"$recursiveRef": "#"}, "type": "array"}),
            "[[1]]",
        ),
        (
            json!({"$schema": old, "definitions": {"a": {"$ref": "#/definitions/a"}}, "$ref": "#/definitions/a"}),
            "1",
        ),
        (json!({"$id": "https://e.example/a", "$ref": "b", "$defs": {"b": {"$id": "b", "$ref": "a"}}}), "1"),
        (
            json!({"$id": "https://e.example/a", "$dynamicAnchor": "n", "$ref": "b", "$defs": {"b": {"$id": "b", "$dynamicAnchor": "n", "$ref": "a", "items": {"$dynamicRef": "#n"}}}}),
            "[[1]]",
        ),
        (
            json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}),
            r#"{"type": 1, "properties": {"a": {"type": "x"}}}"#,
        ),
    ];
    for (schema, text) in rows {
        let explanation = default_explanation(&schema, text);
        assert!(explanation.complete && explanation.steps < 2_000, "{schema} {}", explanation.steps);
    }
}
