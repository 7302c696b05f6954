use serde_json::{Value, json};

use super::*;
use crate::text::to_line;

/// A schema that is too long to be shown whole.
fn padded(mut schema: Value) -> Value {
    schema["$defs"]["padding"] = json!({ "description": "p".repeat(5_000) });
    schema
}

fn relevant_to(schema: &Value, places: &[&str], most: usize) -> Value {
    let pointers: Vec<Pointer> = places.iter().map(|place| Pointer::parse(place).expect(place)).collect();
    let relevant = relevant(schema, pointers.iter().map(|at| Wrong { at, field: None }), most);
    assert!(to_line(&relevant).len() <= most, "{most}: {relevant}");
    relevant
}

#[test]
fn a_short_schema_is_shown_whole() {
    let schema = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } });
    assert_eq!(relevant_to(&schema, &["/x"], 100), schema);
}

#[test]
fn what_governs_a_place() {
    let name = json!({ "type": "string", "minLength": 1 });
    let age = json!({ "type": "integer" });
    let person =
        json!({ "type": "object", "properties": { "name": name, "age": age }, "required": ["name"] });
    let rows = [
        ("a member", json!({ "properties": { "name": name } }), "/name", "/name", json!([name])),
        ("not described", person.clone(), "/nme", "", json!([person])),
        (
            "nested",
            json!({ "properties": { "a": { "properties": { "b": name } } } }),
            "/a/b",
            "/a/b",
            json!([name]),
        ),
        ("an element", json!({ "items": person }), "/3/age", "/3/age", json!([age])),
        ("a tuple", json!({ "prefixItems": [name, age], "items": false }), "/1", "/1", json!([age])),
        ("behind a tuple", json!({ "prefixItems": [name], "items": age }), "/7", "/7", json!([age])),
        ("an old tuple", json!({ "items": [name], "additionalItems": age }), "/1", "/1", json!([age])),
        ("any member", json!({ "additionalProperties": age }), "/x~1y", "/x~1y", json!([age])),
        (
            "a pattern",
            json!({ "patternProperties": { "^a": age, "^b": name }, "additionalProperties": name }),
            "/ab",
            "/ab",
            json!([age]),
        ),
        (
            "a reference",
            json!({ "items": { "$ref": "#/$defs/person" }, "$defs": { "person": person } }),
            "/0",
            "/0",
            json!([person]),
        ),
        (
            "through references",
            json!({ "$ref": "#/$defs/list", "$defs": { "list": { "items": { "$ref": "#/$defs/person" } }, "person": person } }),
            "/0/name",
            "/0/name",
            json!([name]),
        ),
        (
            "all of them",
            json!({ "allOf": [{ "properties": { "a": name } }, { "properties": { "a": age } }, { "minProperties": 1 }] }),
            "/a",
            "/a",
            json!([name, age]),
        ),
        (
            "branches",
            json!({ "oneOf": [{ "properties": { "a": name } }, { "type": "null" }, { "properties": { "b": age } }] }),
            "/b",
            "/b",
            json!([age]),
        ),
        (
            "a branch that fits none",
            json!({ "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/n" }, { "type": "null" }] } }, "$defs": { "n": name } }),
            "/a",
            "/a",
            json!([{ "anyOf": [name, { "type": "null" }] }]),
        ),
        (
            "a reference with company",
            json!({ "properties": { "a": { "$ref": "#/$defs/n", "description": "mine", "minLength": 2 } }, "$defs": { "n": name } }),
            "/a",
            "/a",
            json!([{ "description": "mine", "minLength": 2, "allOf": [name] }]),
        ),
        ("a loop", json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#" } } }), "/x", "", json!(["…"])),
        ("nowhere", json!({ "$ref": "#/$defs/none" }), "/x", "", json!([{ "$ref": "#/$defs/none" }])),
    ];
    for (what, schema, place, at, expected) in rows {
        let found = relevant_to(&padded(schema), &[place], 2_000);
        let parts = found.as_array().expect(what);
        let schemas: Vec<&Value> = parts.iter().map(|part| &part["schema"]).collect();
        assert_eq!(json!(schemas), expected, "{what}");
        assert!(parts.iter().all(|part| part["at"] == at), "{what}: {found}");
    }
}

#[test]
fn deeper_levels_go_first() {
    let mut schema = json!({ "type": "string", "maxLength": 9 });
    for level in 0..20 {
        let name = format!("level{level}");
        schema = json!({ "type": "object", "title": name, "properties": { "next": schema } });
    }
    let schema = padded(schema);
    let kept = |most| to_line(&relevant_to(&schema, &["/other"], most)).matches("title").count();
    let kept: Vec<usize> = [100, 200, 300, 500, 1_000].into_iter().map(kept).collect();
    assert_eq!(kept, [1, 3, 5, 5, 9]);
}

#[test]
fn the_field_that_is_meant_is_kept_of_many() {
    let names: Vec<String> = (0..2_000).map(|number| format!("field{number:04}")).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({ "type": "string", "minLength": 3 }))).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": names });
    for most in [300, 1_000, 4_000] {
        let place = Wrong { at: &Pointer::root(), field: Some("field1234".to_owned()) };
        let relevant = relevant(&schema, [place].into_iter(), most);
        let shown = &relevant[0]["schema"];
        assert_eq!(shown["properties"]["field1234"]["type"], "string", "{most}: {relevant}");
        assert_eq!(shown["required"][0], "field1234", "{most}");
        assert!(to_line(&relevant).len() <= most);
    }
}

#[test]
fn hostile_schemas_cost_no_more_than_others() {
    let wide: Vec<Value> = (0..50_000).map(|_| json!({ "$ref": "#" })).collect();
    let members: Map<String, Value> =
        (0..20_000).map(|at| (format!("k{at}"), json!({ "$ref": "#" }))).collect();
    let patterns: Map<String, Value> =
        (0..5_000).map(|at| (format!("^(a{at}|b)+$"), json!({ "$ref": "#" }))).collect();
    let deep = "/a".repeat(500);
    for schema in [
        json!({ "anyOf": wide, "allOf": wide, "properties": { "a": { "$ref": "#" } } }),
        json!({ "properties": { "a": { "$ref": "#", "oneOf": [{ "$ref": "#/properties/a" }] } }, "allOf": wide }),
        json!({ "properties": members, "additionalProperties": { "$ref": "#" } }),
        json!({ "patternProperties": patterns, "additionalProperties": { "$ref": "#" } }),
        json!({ "enum": (0..100_000).collect::<Vec<_>>(), "description": "d".repeat(1 << 20) }),
        json!({ "x".repeat(1 << 20): 1, "\u{202e}".repeat(1 << 18): { "const": "\u{1b}".repeat(1 << 18) } }),
    ] {
        for most in [0, 2, 50, 200, 2_000] {
            let places: Vec<Pointer> = [deep.as_str(), "", "/a", "/b/0"]
                .iter()
                .map(|place| Pointer::parse(place).expect("a pointer"))
                .collect();
            let mut search = Search { root: &schema, steps: MAX_STEPS, patterns: MAX_PATTERNS };
            for place in &places {
                let _ = search.governing(place);
            }
            let relevant = relevant(&schema, places.iter().map(|at| Wrong { at, field: None }), most);
            assert!(to_line(&relevant).len() <= most.max(2), "{most}");
            assert!(most < 200 || relevant.get(0).is_some(), "{most}: {relevant}");
        }
    }
}
