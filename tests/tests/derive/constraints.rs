//! Constraints and hints: the keywords they become.

use json_correctness::ExpectedSchema;
use serde::Deserialize;
use serde_json::json;

use super::{at, constrained};

const LOWEST: i64 = 3;

#[derive(Deserialize, ExpectedSchema)]
struct Newtype(String);

#[derive(Deserialize, ExpectedSchema)]
struct Age(#[expected(range(max = 150))] u8);

#[derive(Deserialize, ExpectedSchema)]
struct All {
    #[expected(range(min = 0, max = 10))]
    range: i64,
    #[expected(range(exclusive_min = 0.5, exclusive_max = 1.5))]
    open: f64,
    #[expected(range(min = LOWEST, max = LOWEST + 4))]
    computed: i64,
    #[expected(range(min = -9223372036854775808, max = 18446744073709551615))]
    widest: i128,
    #[expected(range(min = 5))]
    stricter: u8,
    #[expected(length(min = 2, max = 3))]
    text: String,
    #[expected(length(equal = 2))]
    list: Vec<u8>,
    #[expected(length(max = 1))]
    map: std::collections::HashMap<String, u8>,
    #[expected(length(min = 2))]
    newtype: Newtype,
    #[expected(length(min = 2))]
    option: Option<Newtype>,
    #[expected(pattern = r"^\d+$")]
    pattern: String,
    #[expected(multiple_of = 0.5)]
    multiple: f64,
    #[expected(format = "date")]
    format: String,
    #[expected(format("house number"))]
    custom: String,
    #[expected(one_of = ["a", "b"])]
    one_of: String,
    #[expected(one_of = [1, 2])]
    one_of_option: Option<i32>,
    #[expected(one_of = ["x"])]
    one_of_newtype: Option<Newtype>,
    #[expected(unique_items)]
    unique: Vec<u8>,
    #[expected(contains = 3)]
    contains: Vec<u8>,
    #[expected(contains(range(min = 3)))]
    contains_such: Vec<u8>,
    #[expected(contains = "a.b")]
    contains_text: String,
    #[expected(inner(length(max = 1)), length(max = 2))]
    inner: Option<Vec<String>>,
    #[expected(inner(inner(range(max = 1))))]
    nested: Vec<Vec<u8>>,
    #[expected(inner(range(max = 1)))]
    array: [u8; 2],
    #[expected(range(min = 10))]
    age: Age,
    /// From the comment.
    #[expected(title = "A title", examples = ["x", "y"])]
    described: String,
    /// From the comment.
    #[expected(description = "By hand")]
    redescribed: Newtype,
    #[expected(weight = 0.25, comparison = "numeric", tolerance = 0.5, threshold = 1)]
    scored: f64,
    #[expected(ignore)]
    ignored: String,
    #[expected(align = "unordered")]
    aligned: Vec<u8>,
    #[expected(align(key = "id"), comparison = "exact")]
    keyed: Vec<Newtype>,
    #[expected(tolerance(relative = 0.01))]
    relative: f32,
}

/// The same value; among the hints, others may stand, too.
fn holds(found: Option<&serde_json::Value>, wanted: &serde_json::Value) -> bool {
    match (found, wanted) {
        (Some(serde_json::Value::Object(found)), serde_json::Value::Object(wanted)) => {
            wanted.iter().all(|(key, value)| holds(found.get(key), value))
        }
        (found, wanted) => found == Some(wanted),
    }
}

#[test]
fn each_constraint_becomes_its_keyword() {
    let unformatted = |pointer: &str| {
        let mut schema = at::<All>(&format!("/properties/{pointer}"));
        if let Some(schema) = schema.as_object_mut()
            && schema.get("type") != Some(&json!("string"))
        {
            schema.remove("format");
        }
        schema
    };
    for (field, keywords) in [
        ("range", json!({"type": "integer", "minimum": 0, "maximum": 10})),
        ("open", json!({"exclusiveMinimum": 0.5, "exclusiveMaximum": 1.5})),
        ("computed", json!({"minimum": 3, "maximum": 7})),
        ("widest", json!({"minimum": i64::MIN, "maximum": u64::MAX})),
        ("stricter", json!({"minimum": 5, "maximum": 255})),
        ("text", json!({"type": "string", "minLength": 2, "maxLength": 3})),
        ("list", json!({"minItems": 2, "maxItems": 2})),
        ("map", json!({"maxProperties": 1})),
        ("newtype", json!({"$ref": "#/$defs/Newtype", "minLength": 2})),
        ("option", json!({"minLength": 2})),
        ("pattern", json!({"pattern": "^\\d+$"})),
        ("multiple", json!({"multipleOf": 0.5})),
        ("format", json!({"format": "date", "x-expected": {"strict_format": true}})),
        ("custom", json!({"format": "house number"})),
        ("one_of", json!({"enum": ["a", "b"]})),
        ("one_of_option", json!({"enum": [1, 2, null]})),
        ("one_of_newtype", json!({"enum": ["x", null]})),
        ("unique", json!({"uniqueItems": true, "x-expected": {"unique_items": true}})),
        ("contains", json!({"contains": {"const": 3}})),
        ("contains_such", json!({"contains": {"minimum": 3}})),
        ("contains_text", json!({"pattern": "a\\.b"})),
        ("inner", json!({"maxItems": 2, "items": {"type": "string", "maxLength": 1}})),
        ("age", json!({"$ref": "#/$defs/Age", "minimum": 10})),
        (
            "described",
            json!({"title": "A title", "description": "From the comment.", "examples": ["x", "y"]}),
        ),
        ("redescribed", json!({"description": "By hand"})),
        (
            "scored",
            json!({"x-expected": {"weight": 0.25, "comparison": "numeric", "tolerance": {"absolute": 0.5}, "threshold": 1}}),
        ),
        ("ignored", json!({"x-expected": {"ignore": true}})),
        ("aligned", json!({"x-expected": {"align": "unordered"}})),
        ("keyed", json!({"x-expected": {"align": {"key": "id"}, "comparison": "exact"}})),
        ("relative", json!({"x-expected": {"tolerance": {"relative": 0.01}}})),
    ] {
        let schema = unformatted(field);
        for (keyword, value) in keywords.as_object().expect("an object") {
            assert!(holds(schema.get(keyword), value), "{keyword} of {field}: {schema:#}");
        }
    }
    assert_eq!(at::<All>("/properties/nested/items/items/maximum"), json!(1));
    assert_eq!(at::<All>("/properties/array/items/maximum"), json!(1));
    assert_eq!(at::<All>("/$defs/Age/maximum"), json!(150));
}

#[derive(Deserialize, ExpectedSchema)]
struct Short {
    #[expected(one_of = ["a", "b"])]
    option: Option<String>,
    #[expected(length(max = 2))]
    name: Newtype,
    #[expected(contains = "x.", pattern = "^a")]
    both: String,
    #[expected(range(min = 10))]
    age: Age,
}

#[test]
fn constraints_bind() {
    constrained::<Short>(
        &[
            r#"{"name":"é😀","both":"ax.","age":10}"#,
            r#"{"option":null,"name":"","both":"ax.","age":150}"#,
            r#"{"option":"a","name":"","both":"ax.","age":11}"#,
        ],
        &[
            r#"{"option":"c","name":"","both":"ax.","age":10}"#,
            r#"{"name":"abc","both":"ax.","age":10}"#,
            r#"{"name":"","both":"axy","age":10}"#,
            r#"{"name":"","both":"bx.","age":10}"#,
            r#"{"name":"","both":"ax.","age":9}"#,
            r#"{"name":"","both":"ax.","age":151}"#,
        ],
    );
}

/// The attributes of the crates that users have already.
mod theirs {
    use super::*;

    #[derive(Deserialize, ExpectedSchema)]
    struct Schemars {
        #[schemars(range(min = 1, max = 2))]
        range: u8,
        #[schemars(length(min = 1))]
        length: String,
        #[schemars(regex(pattern = "^a"))]
        regex: String,
        #[schemars(email)]
        email: String,
        #[schemars(url)]
        url: String,
        #[schemars(inner(length(max = 2)))]
        inner: Vec<String>,
        #[schemars(contains = "a")]
        contains: String,
        #[schemars(required)]
        required: Option<u8>,
        #[schemars(title = "T", extend("x-mine" = 1))]
        extended: u8,
        #[schemars(with = "String")]
        with: std::time::Duration,
        #[schemars(range(min = 1))]
        newtype: Age,
    }

    #[derive(Deserialize, ExpectedSchema, garde::Validate)]
    #[garde(allow_unvalidated)]
    struct Garde {
        #[garde(range(min = 1, max = 2))]
        range: u8,
        #[garde(length(min = 1, max = 3))]
        length: String,
        #[garde(length(bytes, max = 3))]
        bytes: String,
        #[garde(pattern("^a"))]
        pattern: String,
        #[garde(email)]
        email: String,
        #[garde(inner(length(max = 2)))]
        inner: Vec<String>,
        #[garde(contains("a"))]
        contains: String,
        #[garde(prefix("a."), suffix("z"))]
        ends: String,
        #[garde(required)]
        required: Option<u8>,
        #[garde(skip)]
        skip: u8,
    }

    static CODE: std::sync::LazyLock<regex::Regex> =
        std::sync::LazyLock::new(|| regex::Regex::new("^a").expect("a regex"));

    #[derive(Deserialize, ExpectedSchema, validator::Validate)]
    struct Validator {
        #[validate(range(min = 1, max = 2))]
        range: u8,
        #[validate(range(exclusive_min = 1.0, message = "too low"))]
        open: f64,
        #[validate(length(min = 1, max = 3, code = "x"))]
        length: String,
        #[validate(regex(path = *CODE))]
        regex: String,
        #[validate(email(message = "no"))]
        email: String,
        #[validate(url)]
        url: String,
        #[validate(contains(pattern = "a"))]
        contains: String,
        #[validate(required)]
        required: Option<u8>,
    }

    #[test]
    fn are_honoured() {
        let email = json!({"format": "email", "x-expected": {"strict_format": true}});
        let range = json!({"minimum": 1, "maximum": 2});
        let starts = json!({"pattern": "^a"});
        let contains = json!({"pattern": "a"});
        let number = json!({"type": "integer"});
        let check = |source: &str, schema: &serde_json::Value, rows: &[(&str, serde_json::Value)]| {
            for (field, keywords) in rows {
                let own = &schema[*field];
                for (keyword, value) in keywords.as_object().expect("an object") {
                    assert!(holds(own.get(keyword), value), "{keyword} of {field} from {source}: {own:#}");
                }
            }
        };
        check(
            "schemars",
            &at::<Schemars>("/properties"),
            &[
                ("range", range.clone()),
                ("length", json!({"minLength": 1})),
                ("regex", starts.clone()),
                ("email", email.clone()),
                ("url", json!({"format": "uri"})),
                ("inner", json!({"items": {"type": "string", "maxLength": 2}})),
                ("contains", contains.clone()),
                ("required", number.clone()),
                ("extended", json!({"title": "T", "x-mine": 1})),
                ("with", json!({"type": "string"})),
                ("newtype", json!({"minimum": 1})),
            ],
        );
        check(
            "garde",
            &at::<Garde>("/properties"),
            &[
                ("range", range.clone()),
                ("length", json!({"minLength": 1, "maxLength": 3})),
                ("bytes", json!({"type": "string"})),
                ("pattern", starts.clone()),
                ("email", email.clone()),
                ("inner", json!({"items": {"type": "string", "maxLength": 2}})),
                ("contains", contains.clone()),
                ("ends", json!({"pattern": "^a\\.", "allOf": [{"pattern": "z$"}]})),
                ("required", number.clone()),
            ],
        );
        check(
            "validator",
            &at::<Validator>("/properties"),
            &[
                ("range", range),
                ("open", json!({"exclusiveMinimum": 1.0})),
                ("length", json!({"minLength": 1, "maxLength": 3})),
                ("regex", starts),
                ("email", email),
                ("url", json!({"format": "uri"})),
                ("contains", contains),
                ("required", number),
            ],
        );
        for required in [at::<Schemars>("/required"), at::<Garde>("/required"), at::<Validator>("/required")]
        {
            assert!(required.as_array().is_some_and(|all| all.contains(&json!("required"))), "{required}");
        }
    }
}
