//! Maps whose keys are not plainly strings: which texts serde reads as such a key.
//!
//! JSON has only text keys. serde_json reads an integer key as a JSON integer in quotes (no sign `+`, no
//! leading zero, no fraction, no space), within the bounds of its type; a boolean as `true` or `false`;
//! an enum as the name of a unit variant; everything else as the text that it reads elsewhere.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

/// Has the schema of a map from `K` to `V`, its keys' included.
#[derive(Debug)]
pub struct KeyedMap<K, V>(PhantomData<(K, V)>);

impl<K: JsonSchema, V: JsonSchema> JsonSchema for KeyedMap<K, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Map_from_{}_to_{}", K::schema_name(), V::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("KeyedMap<{}, {}>", K::schema_id(), V::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let keys = generator.subschema_for::<K>();
        let values = generator.subschema_for::<V>();
        let mut map = json_schema!({ "type": "object", "additionalProperties": values });
        if let Some(names) = property_names(keys.as_value(), generator, 0) {
            map.insert("propertyNames".into(), names);
        }
        map
    }
}

/// A chain of references this long is a circle.
const MAX_REFERENCES: usize = 32;

/// The schema of the keys' texts; `None` where every text will do.
fn property_names(key: &Value, generator: &SchemaGenerator, depth: usize) -> Option<Value> {
    let schema = key.as_object()?;
    let kind = |name: &str| match schema.get("type") {
        Some(Value::String(only)) => only == name,
        // A key is never null, so `Option<K>` takes the texts of `K`.
        Some(Value::Array(several)) => several.iter().any(|one| one.as_str() == Some(name)),
        _ => false,
    };
    if kind("integer") {
        return Some(integer_texts(schema));
    }
    if kind("number") {
        return Some(pattern("^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"));
    }
    if kind("boolean") {
        return Some(serde_json::json!({ "enum": ["true", "false"] }));
    }
    if let Some(target) =
        schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next())
        && depth < MAX_REFERENCES
        && let Some(definition) = generator.definitions().get(target)
    {
        let names = property_names(definition, generator, depth + 1);
        // What the reference says for itself is kept short: only where it would not do is it replaced.
        return match names {
            Some(names) if names != *definition => Some(names),
            None => None,
            Some(_) => Some(key.clone()),
        };
    }
    if schema.len() == 1 && kind("string") || schema.is_empty() {
        return None;
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf")
        && branches.iter().any(|branch| branch.get("type").and_then(Value::as_str) == Some("null"))
    {
        // `Option<K>` where `K` is a reference.
        let mut rest =
            branches.iter().filter(|branch| branch.get("type").and_then(Value::as_str) != Some("null"));
        if let (Some(only), None) = (rest.next(), rest.next()) {
            return property_names(only, generator, depth + 1);
        }
    }
    Some(key.clone())
}

fn pattern(source: &str) -> Value {
    serde_json::json!({ "pattern": source })
}

fn integer_texts(schema: &Map<String, Value>) -> Value {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let (mut low, mut high) = format_range(format);
    let limit = |name: &str| {
        let value = schema.get(name)?;
        value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from))
    };
    if let Some(minimum) = limit("minimum") {
        low = Some(low.map_or(minimum, |low| low.max(minimum)));
    }
    if let Some(maximum) = limit("maximum")
        && let Ok(maximum) = u128::try_from(maximum)
    {
        high = Some(high.map_or(maximum, |high| high.min(maximum)));
    }
    let negative_high = limit("maximum").filter(|maximum| *maximum < 0);
    let without_zero = schema.get("not").and_then(|not| not.get("const")) == Some(&Value::from(0));
    // serde_json reads `-0` as a float where it goes through f64, and as 0 where it reads 128 bits.
    let minus_zero = format == "int128";
    let mut names = pattern(&integer_pattern(low, high, negative_high, without_zero, minus_zero));
    // The pattern is for judging; this is for people.
    if let (Some(low), Some(high), None) = (low, high, negative_high) {
        names["x-expected"] =
            serde_json::json!({ "keys": format!("an integer from {low} to {high}, as JSON spells it") });
    }
    names
}

/// The limits that schemars' integer formats stand for; the lower one fits i128, the upper one u128.
fn format_range(format: &str) -> (Option<i128>, Option<u128>) {
    match format {
        "int8" => (Some(i8::MIN.into()), u128::try_from(i8::MAX).ok()),
        "int16" => (Some(i16::MIN.into()), u128::try_from(i16::MAX).ok()),
        "int32" => (Some(i32::MIN.into()), u128::try_from(i32::MAX).ok()),
        "int64" | "int" => (Some(i64::MIN.into()), u128::try_from(i64::MAX).ok()),
        "int128" => (Some(i128::MIN), Some(i128::MAX.unsigned_abs())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint64" | "uint" => (Some(0), Some(u64::MAX.into())),
        "uint128" => (Some(0), Some(u128::MAX)),
        _ => (None, None),
    }
}

fn integer_pattern(
    low: Option<i128>,
    high: Option<u128>,
    negative_high: Option<i128>,
    without_zero: bool,
    minus_zero: bool,
) -> String {
    let mut branches = Vec::new();
    // Negative numbers, by their magnitude.
    let most = low.map(i128::unsigned_abs).filter(|_| low.is_some_and(|low| low < 0));
    if low.is_none_or(|low| low < 0) {
        let least = negative_high.map_or(1, i128::unsigned_abs);
        branches.extend(magnitudes(least, most).map(|magnitudes| format!("-(?:{magnitudes})")));
    }
    if negative_high.is_none() {
        let least = low.map_or(0, |low| u128::try_from(low).unwrap_or(0));
        if least == 0 && !without_zero {
            branches.push(if minus_zero && low.is_none_or(|low| low < 0) {
                "-?0".into()
            } else {
                "0".into()
            });
        }
        branches.extend(magnitudes(least.max(1), high));
    }
    format!("^(?:{})$", branches.join("|"))
}

/// A pattern for the decimal spellings of `least..=most`, where `least` is at least 1.
fn magnitudes(least: u128, most: Option<u128>) -> Option<String> {
    let mut branches = Vec::new();
    let Some(most) = most else {
        if least <= 1 {
            return Some("[1-9][0-9]*".into());
        }
        let digits = least.to_string().len();
        let top = "9".repeat(digits).parse().ok();
        branches.extend(magnitudes(least, top));
        branches.push(format!("[1-9][0-9]{{{digits},}}"));
        return Some(branches.join("|"));
    };
    if least > most {
        return None;
    }
    let (low, high) = (least.to_string(), most.to_string());
    let mut length = low.len();
    if length < high.len() {
        same_length(String::new(), low.as_bytes(), "9".repeat(length).as_bytes(), &mut branches);
        length += 1;
        // All numbers of the lengths between, in one branch.
        match high.len() - 1 {
            last if last > length => branches.push(format!("[1-9][0-9]{{{},{}}}", length - 1, last - 1)),
            last if last == length => branches.push(format!("[1-9][0-9]{{{}}}", length - 1)),
            _ => {}
        }
        let least = format!("1{}", "0".repeat(high.len() - 1));
        same_length(String::new(), least.as_bytes(), high.as_bytes(), &mut branches);
    } else {
        same_length(String::new(), low.as_bytes(), high.as_bytes(), &mut branches);
    }
    Some(branches.join("|"))
}

/// Patterns for the digit strings from `from` to `to`, of one length, behind a common prefix.
fn same_length(prefix: String, from: &[u8], to: &[u8], out: &mut Vec<String>) {
    let (Some((&first, from_rest)), Some((&last, to_rest))) = (from.split_first(), to.split_first()) else {
        out.push(prefix);
        return;
    };
    if first == last {
        same_length(format!("{prefix}{}", char::from(first)), from_rest, to_rest, out);
        return;
    }
    // The first digit's own numbers from `from` on, whole digits between, the last digit's up to `to`.
    let from_whole = from_rest.iter().all(|digit| *digit == b'0');
    let to_whole = to_rest.iter().all(|digit| *digit == b'9');
    let (mut low, mut high) = (first, last);
    if !from_whole {
        let nines = vec![b'9'; from_rest.len()];
        same_length(format!("{prefix}{}", char::from(first)), from_rest, &nines, out);
        low += 1;
    }
    if !to_whole {
        high -= 1;
    }
    if low <= high {
        let digit = match (low, high) {
            (low, high) if low == high => char::from(low).to_string(),
            _ => format!("[{}-{}]", char::from(low), char::from(high)),
        };
        let rest = match from_rest.len() {
            0 => String::new(),
            1 => "[0-9]".into(),
            count => format!("[0-9]{{{count}}}"),
        };
        out.push(format!("{prefix}{digit}{rest}"));
    }
    if !to_whole {
        let zeros = vec![b'0'; to_rest.len()];
        same_length(format!("{prefix}{}", char::from(last)), &zeros, to_rest, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: i128, high: i128) -> regex::Regex {
        let upper = u128::try_from(high).ok();
        let source = integer_pattern(Some(low), upper, Some(high).filter(|high| *high < 0), false, false);
        regex::Regex::new(&source).expect("a pattern")
    }

    #[test]
    fn the_pattern_holds_exactly_the_numbers_of_its_range() {
        for (low, high) in [
            (0, 255),
            (-128, 127),
            (1, 255),
            (7, 7),
            (13, 4096),
            (-32768, 32767),
            (-40, -3),
            (99, 101),
            (0, 0),
            (-1, 1),
            (1000, 1999),
        ] {
            let pattern = texts(low, high);
            for number in -33000_i128..33000 {
                let inside = (low..=high).contains(&number);
                assert_eq!(
                    pattern.is_match(&number.to_string()),
                    inside,
                    "{number} in {low}..={high}: {pattern}"
                );
            }
            for odd in ["01", "+1", " 1", "1.0", "", "-", "1e0", "-0", "--1", "1 "] {
                assert!(!pattern.is_match(odd), "{odd:?} in {low}..={high}");
            }
        }
    }
}
