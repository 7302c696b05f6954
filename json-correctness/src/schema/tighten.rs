//! From schemars' schema of a type to one that agrees with serde.
//!
//! What serde refuses and JSON Schema can say is added: the ranges that the `format`s of integers and
//! of `f32` only name. What serde accepts and the schema refuses is opened: aliases, and repeated
//! elements of sets. `x-expected` carries what the standard keywords cannot:
//!
//! - bounds that no number of `serde_json` spells (128-bit integers, `f32`), as strings under
//!   `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`;
//! - `alias_groups` on an object: the names of which one may be written.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use super::walk;
use crate::text::Number;

/// Where `f32` ends: from half a step above its greatest value on, a decimal number rounds to
/// infinity, which `serde_json` refuses. 2^128 - 2^103, exactly.
const F32_END: &str = "340282356779733661637539395458142568448";

/// Changes the schema of a type in place.
pub(crate) fn tighten(schema: &mut Value) {
    walk::subschemas_mut(schema, &mut |object| {
        bound_number(object);
        open_set(object);
        close_std_enums(object);
        expand_aliases(object);
    });
}

/// The least and the greatest value of an integer format.
fn integer_range(format: &str) -> Option<(String, String)> {
    macro_rules! range {
        ($integer:ty) => {
            Some((<$integer>::MIN.to_string(), <$integer>::MAX.to_string()))
        };
    }
    match format {
        "int8" => range!(i8),
        "int16" => range!(i16),
        "int32" => range!(i32),
        "int64" => range!(i64),
        "int128" => range!(i128),
        "int" => range!(isize),
        "uint8" => range!(u8),
        "uint16" => range!(u16),
        "uint32" => range!(u32),
        "uint64" => range!(u64),
        "uint128" => range!(u128),
        "uint" => range!(usize),
        _ => None,
    }
}

fn has_type(object: &Map<String, Value>, name: &str) -> bool {
    match object.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn bound_number(object: &mut Map<String, Value>) {
    let Some(format) = object.get("format").and_then(Value::as_str).map(str::to_owned) else { return };
    if has_type(object, "integer")
        && let Some((least, greatest)) = integer_range(&format)
    {
        bound(object, "minimum", "exclusiveMinimum", &least, Ordering::Less);
        bound(object, "maximum", "exclusiveMaximum", &greatest, Ordering::Greater);
    }
    if has_type(object, "number") && format == "float" {
        extension(object).insert("exclusiveMinimum".to_owned(), format!("-{F32_END}").into());
        extension(object).insert("exclusiveMaximum".to_owned(), F32_END.into());
    }
}

/// Adds a bound unless there is one that is as tight; `looser` is how a looser bound compares to it.
fn bound(object: &mut Map<String, Value>, keyword: &str, exclusive: &str, limit: &str, looser: Ordering) {
    let present = |name: &str| match object.get(name) {
        Some(Value::Number(present)) => {
            let present = present.to_string();
            Number::parse(&present).zip(Number::parse(limit)).map(|(present, limit)| present.compare(limit))
        }
        _ => None,
    };
    let (inclusive, exclusive) = (present(keyword), present(exclusive));
    if inclusive.is_some_and(|order| order != looser) || exclusive.is_some_and(|order| order != looser) {
        return;
    }
    // `serde_json` reads an integer beyond 64 bits as `f64`: only a string spells the bound exactly.
    let exact = limit.parse::<i64>().map(Value::from).or_else(|_| limit.parse::<u64>().map(Value::from));
    match exact {
        Ok(exact) => object.insert(keyword.to_owned(), exact),
        Err(_) => extension(object).insert(keyword.to_owned(), limit.into()),
    };
}

/// The object's `x-expected`, made where it is missing.
fn extension(object: &mut Map<String, Value>) -> &mut Map<String, Value> {
    let slot = object.entry("x-expected").or_insert_with(|| Value::Object(Map::new()));
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    match slot {
        Value::Object(extension) => extension,
        _ => unreachable!("it was just made an object"),
    }
}

/// A `HashSet` takes an element twice. Only a user's own `unique_items` is kept.
fn open_set(object: &mut Map<String, Value>) {
    let declared = object
        .get("x-expected")
        .and_then(|extension| extension.get("unique_items"))
        .is_some_and(|flag| flag == &Value::Bool(true));
    if !declared {
        object.remove("uniqueItems");
    }
}

/// `Result` and `Bound` are read as enums, with one key; schemars leaves their objects open.
fn close_std_enums(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get_mut("oneOf") else { return };
    let key = |branch: &Value| match branch.get("properties") {
        Some(Value::Object(properties)) if properties.len() == 1 => properties.keys().next().cloned(),
        _ => branch.get("const").and_then(Value::as_str).map(str::to_owned),
    };
    let keys: Option<Vec<String>> = branches.iter().map(key).collect();
    let keys = keys.unwrap_or_default();
    if keys != ["Ok", "Err"] && keys != ["Included", "Excluded", "Unbounded"] {
        return;
    }
    for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
        if branch.contains_key("properties") {
            branch.entry("additionalProperties").or_insert(Value::Bool(false));
        }
    }
}

/// Lists the aliases of each field beside it, so that one of the names may be written, and not two.
fn expand_aliases(object: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = object.get("properties") else { return };
    let aliased: Vec<(String, Vec<String>)> = properties
        .iter()
        .filter_map(|(name, property)| {
            let aliases = property.get("x-expected")?.get("aliases")?.as_array()?;
            let aliases: Vec<String> = aliases
                .iter()
                .filter_map(Value::as_str)
                .filter(|alias| alias != name)
                .map(str::to_owned)
                .collect();
            (!aliases.is_empty()).then(|| (name.clone(), aliases))
        })
        .collect();
    if aliased.is_empty() {
        return;
    }
    let mut groups = Vec::new();
    let mut conditions = Vec::new();
    for (name, aliases) in aliased {
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let property = properties.get(&name).cloned().unwrap_or(Value::Bool(true));
            for alias in &aliases {
                let mut copy = property.clone();
                if let Value::Object(copy) = &mut copy {
                    let extension = extension(copy);
                    extension.remove("aliases");
                    extension.insert("alias_of".to_owned(), name.clone().into());
                }
                properties.entry(alias.clone()).or_insert(copy);
            }
        }
        let required = match object.get_mut("required") {
            Some(Value::Array(required)) => {
                let before = required.len();
                required.retain(|field| field != &Value::String(name.clone()));
                required.len() < before
            }
            _ => false,
        };
        let names: Vec<String> = std::iter::once(name).chain(aliases).collect();
        if required {
            let forms: Vec<Value> = names.iter().map(|name| json!({ "required": [name] })).collect();
            conditions.push(json!({ "oneOf": forms }));
        } else {
            for (index, name) in names.iter().enumerate() {
                for other in &names[index + 1..] {
                    conditions.push(json!({ "not": { "required": [name, other] } }));
                }
            }
        }
        groups.push(json!({ "names": names, "required": required }));
    }
    if object.get("required").is_some_and(|required| required == &Value::Array(Vec::new())) {
        object.remove("required");
    }
    match object.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
        Value::Array(all) => all.extend(conditions),
        other => *other = Value::Array(conditions),
    }
    extension(object).insert("alias_groups".to_owned(), Value::Array(groups));
}

#[cfg(test)]
#[allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn tightened(mut schema: Value) -> Value {
        tighten(&mut schema);
        schema
    }

    #[test]
    fn formats_of_integers_become_ranges() {
        let rows = [
            ("int32", json!({ "minimum": i32::MIN, "maximum": i32::MAX })),
            ("uint32", json!({ "minimum": 0, "maximum": u32::MAX })),
            ("int64", json!({ "minimum": i64::MIN, "maximum": i64::MAX })),
            ("uint64", json!({ "minimum": 0, "maximum": u64::MAX })),
            (
                "uint128",
                json!({ "minimum": 0, "x-expected": { "maximum": "340282366920938463463374607431768211455" } }),
            ),
            (
                "int128",
                json!({ "x-expected": {
                    "minimum": "-170141183460469231731687303715884105728",
                    "maximum": "170141183460469231731687303715884105727",
                } }),
            ),
        ];
        for (format, expected) in rows {
            let mut schema = tightened(json!({ "type": ["integer", "null"], "format": format }));
            let object = schema.as_object_mut().expect("an object");
            object.remove("type");
            object.remove("format");
            assert_eq!(schema, expected, "{format}");
        }
    }

    #[test]
    fn a_tighter_bound_stays_and_a_looser_one_goes() {
        let rows = [
            (json!({ "minimum": 1 }), json!({ "minimum": 1, "maximum": 255 })),
            (json!({ "minimum": -5 }), json!({ "minimum": 0, "maximum": 255 })),
            (json!({ "exclusiveMaximum": 9 }), json!({ "minimum": 0, "exclusiveMaximum": 9 })),
            (
                json!({ "exclusiveMaximum": 300 }),
                json!({ "minimum": 0, "maximum": 255, "exclusiveMaximum": 300 }),
            ),
        ];
        for (mut given, mut expected) in rows {
            for schema in [&mut given, &mut expected] {
                schema["type"] = "integer".into();
                schema["format"] = "uint8".into();
            }
            assert_eq!(tightened(given), expected);
        }
    }

    #[test]
    fn every_subschema_is_reached_and_no_data() {
        let number = json!({ "type": "integer", "format": "uint8" });
        let schema = tightened(json!({
            "$defs": { "a": number },
            "anyOf": [{ "prefixItems": [{ "not": number }] }],
            "additionalProperties": number,
            "default": number,
            "const": number,
        }));
        assert_eq!(schema["$defs"]["a"]["maximum"], 255);
        assert_eq!(schema["anyOf"][0]["prefixItems"][0]["not"]["maximum"], 255);
        assert_eq!(schema["additionalProperties"]["maximum"], 255);
        assert_eq!(schema["default"], number);
        assert_eq!(schema["const"], number);
    }

    #[test]
    fn the_enums_of_std_take_one_key() {
        for schema in
            [crate::json_schema::<Result<u8, String>>(), crate::json_schema::<std::ops::Bound<u8>>()]
        {
            assert_eq!(schema["oneOf"][0]["additionalProperties"], false);
            assert_eq!(schema["oneOf"][1]["additionalProperties"], false);
        }
    }

    #[test]
    fn sets_take_repetitions_unless_declared() {
        assert_eq!(tightened(json!({ "uniqueItems": true })), json!({}));
        let declared = json!({ "uniqueItems": true, "x-expected": { "unique_items": true } });
        assert_eq!(tightened(declared.clone()), declared);
    }

    #[test]
    fn aliases_become_alternatives() {
        let schema = tightened(json!({
            "properties": {
                "name": { "type": "string", "x-expected": { "aliases": ["title"] } },
                "note": { "x-expected": { "aliases": ["memo", "remark"] } },
            },
            "required": ["name"],
        }));
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "name": { "type": "string", "x-expected": { "aliases": ["title"] } },
                    "title": { "type": "string", "x-expected": { "alias_of": "name" } },
                    "note": { "x-expected": { "aliases": ["memo", "remark"] } },
                    "memo": { "x-expected": { "alias_of": "note" } },
                    "remark": { "x-expected": { "alias_of": "note" } },
                },
                "allOf": [
                    { "oneOf": [{ "required": ["name"] }, { "required": ["title"] }] },
                    { "not": { "required": ["note", "memo"] } },
                    { "not": { "required": ["note", "remark"] } },
                    { "not": { "required": ["memo", "remark"] } },
                ],
                "x-expected": { "alias_groups": [
                    { "names": ["name", "title"], "required": true },
                    { "names": ["note", "memo", "remark"], "required": false },
                ] },
            })
        );
    }
}
