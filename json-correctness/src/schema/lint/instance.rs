//! Instances that a schema may accept, made from it.

use serde_json::{Map, Number, Value, json};

use super::place::resolve;

/// Most values of one instance.
const MOST_VALUES: usize = 300;
/// From this depth on only what is required is made.
const DEEP: usize = 5;
/// Beyond this depth nothing is made.
const TOO_DEEP: usize = 16;

/// Instances that may fit the schema: the judge has the last word. Each takes another branch of what
/// the schema leaves open.
pub(super) fn candidates(schema: &Value) -> Vec<Value> {
    let mut made = Vec::new();
    for choice in 0..4 {
        let mut maker = Maker { root: schema, choice, left: MOST_VALUES };
        if let Some(instance) = maker.make(schema, 0)
            && !made.contains(&instance)
        {
            made.push(instance);
        }
    }
    made
}

struct Maker<'s> {
    root: &'s Value,
    choice: usize,
    left: usize,
}

impl Maker<'_> {
    fn make(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if depth > TOO_DEEP {
            return None;
        }
        let object = match schema {
            Value::Bool(true) => return Some(json!("text")),
            Value::Object(object) => object,
            _ => return None,
        };
        if let Some(value) = object.get("const") {
            return Some(value.clone());
        }
        if let Some(Value::Array(allowed)) = object.get("enum") {
            return allowed.get(self.choice % allowed.len().max(1)).cloned();
        }
        let mut made = self.own(object, depth);
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(Value::Array(branches)) = object.get(keyword) else { continue };
            if keyword == "allOf" {
                for branch in branches {
                    let other = self.make(branch, depth + 1)?;
                    made = Some(merged(made, other));
                }
            } else if !branches.is_empty() {
                let branch = &branches[self.choice % branches.len()];
                let other = self.make(branch, depth + 1)?;
                made = Some(merged(made, other));
            }
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            let (target, _) = resolve(self.root, reference)?;
            let other = self.make(target, depth + 1)?;
            made = Some(merged(made, other));
        }
        let conditional = if self.choice.is_multiple_of(2) { ["if", "then"].as_slice() } else { &["else"] };
        for keyword in conditional.iter().filter(|_| object.contains_key("if")) {
            if let Some(branch) = object.get(*keyword)
                && let Some(other) = self.make(branch, depth + 1)
            {
                made = Some(merged(made, other));
            }
        }
        made.or_else(|| Some(json!("text")))
    }

    /// What the schema itself describes, without the subschemas that judge the same value.
    fn own(&mut self, object: &Map<String, Value>, depth: usize) -> Option<Value> {
        if let Some(example) = object.get("examples").and_then(|examples| examples.get(0))
            && depth > 0
        {
            return Some(example.clone());
        }
        let has = |keywords: &[&str]| keywords.iter().any(|keyword| object.contains_key(*keyword));
        let kind = match object.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<&str> =
                    kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect();
                kinds.get(self.choice % kinds.len().max(1)).copied().unwrap_or("null")
            }
            _ if has(&["properties", "required", "additionalProperties", "patternProperties"]) => "object",
            _ if has(&["items", "prefixItems", "minItems", "contains"]) => "array",
            _ if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => {
                "number"
            }
            _ if has(&["pattern", "format", "minLength", "maxLength"]) => "string",
            _ => return None,
        };
        match kind {
            "object" => self.object(object, depth),
            "array" => self.array(object, depth),
            "string" => Some(Value::String(text(object))),
            "integer" => number(object, true),
            "number" => number(object, false),
            "boolean" => Some(Value::Bool(true)),
            "null" => Some(Value::Null),
            _ => None,
        }
    }

    fn object(&mut self, object: &Map<String, Value>, depth: usize) -> Option<Value> {
        let required: Vec<&str> = match object.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut made = Map::new();
        let empty = Map::new();
        let properties = object.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        for (name, schema) in properties {
            let is_required = required.contains(&name.as_str());
            if depth >= DEEP && !is_required {
                continue;
            }
            match self.make(schema, depth + 1) {
                Some(value) => drop(made.insert(name.clone(), value)),
                None if is_required => return None,
                None => {}
            }
        }
        let others = object.get("additionalProperties");
        for name in &required {
            if !properties.contains_key(*name) {
                let value = others
                    .filter(|others| others.is_object())
                    .and_then(|others| self.make(others, depth + 1));
                made.insert((*name).to_owned(), value.unwrap_or_else(|| json!("text")));
            }
        }
        if let (Some(others @ Value::Object(_)), true) = (others, made.is_empty())
            && let Some(value) = self.make(others, depth + 1)
        {
            made.insert("key".to_owned(), value);
        }
        Some(Value::Object(made))
    }

    fn array(&mut self, object: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut made = Vec::new();
        let leading = ["prefixItems", "items"].iter().find_map(|keyword| object.get(*keyword)?.as_array());
        for schema in leading.into_iter().flatten() {
            made.push(self.make(schema, depth + 1)?);
        }
        let any = Value::Bool(true);
        let items = ["items", "contains"]
            .iter()
            .find_map(|keyword| object.get(*keyword).filter(|items| !items.is_array()));
        let least = object.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(50) as usize;
        let wanted = if leading.is_some() || depth >= DEEP { least } else { least.max(1) };
        while made.len() < wanted {
            match self.make(items.unwrap_or(&any), depth + 1) {
                Some(value) => made.push(value),
                None if made.len() < least => return None,
                None => break,
            }
        }
        Some(Value::Array(made))
    }
}

/// Both together: objects by their fields, else the later one.
fn merged(first: Option<Value>, second: Value) -> Value {
    match (first, second) {
        (Some(Value::Object(mut first)), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        // What no keyword described is no better than what some did.
        (Some(first), Value::String(text)) if text == "text" => first,
        (_, second) => second,
    }
}

fn number(object: &Map<String, Value>, whole: bool) -> Option<Value> {
    let limit = |keyword: &str| object.get(keyword).and_then(Value::as_f64);
    let step = limit("multipleOf").filter(|step| *step > 0.0);
    let nudge = step.unwrap_or(if whole { 1.0 } else { 0.5 });
    let least = limit("minimum").or(limit("exclusiveMinimum").map(|least| least + nudge));
    let most = limit("maximum").or(limit("exclusiveMaximum").map(|most| most - nudge));
    let mut value = match (least, most) {
        (Some(least), Some(most)) if least <= 1.0 && 1.0 <= most => 1.0,
        (Some(least), None) => least.max(1.0),
        (Some(least), _) => least,
        (None, Some(most)) => most.min(1.0),
        (None, None) => 1.0,
    };
    if let Some(step) = step {
        value = (value / step).ceil() * step;
    }
    if whole || value.fract() == 0.0 && value.abs() < 1e15 {
        return Some(json!(value.ceil() as i64));
    }
    Number::from_f64(value).map(Value::Number)
}

fn text(object: &Map<String, Value>) -> String {
    let length =
        |keyword: &str| object.get(keyword).and_then(Value::as_u64).map(|length| length.min(1000) as usize);
    let (least, most) = (length("minLength").unwrap_or(0), length("maxLength").unwrap_or(usize::MAX));
    if let Some(Value::String(pattern)) = object.get("pattern") {
        return from_pattern(pattern, least).unwrap_or_default();
    }
    let formatted = match object.get("format").and_then(Value::as_str).unwrap_or_default() {
        "date" => "2024-02-29",
        "date-time" => "2024-02-29T12:30:00Z",
        "time" => "12:30:00Z",
        "duration" => "P1D",
        "email" | "idn-email" => "jane@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "uri-reference" | "iri-reference" | "uri-template" => "https://example.com/",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        "json-pointer" => "/a",
        "relative-json-pointer" => "1/a",
        "regex" => "^a$",
        _ => "text",
    };
    let mut text = formatted.to_owned();
    while text.chars().count() < least {
        text.push('x');
    }
    if text.chars().count() > most {
        text = text.chars().take(most).collect();
    }
    text
}

/// A text that a pattern matches, where that is easily made.
fn from_pattern(pattern: &str, least: usize) -> Option<String> {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
    let expression = regex_syntax::parse(&translated).ok()?;
    let mut text = String::new();
    for repeats in [1, least.max(1)] {
        text.clear();
        let mut left = 2_000;
        write(&expression, repeats, &mut left, &mut text)?;
        if text.chars().count() >= least {
            break;
        }
    }
    Some(text)
}

fn write(
    expression: &regex_syntax::hir::Hir,
    repeats: usize,
    left: &mut usize,
    text: &mut String,
) -> Option<()> {
    use regex_syntax::hir::{Class, HirKind};
    *left = left.checked_sub(1)?;
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = || class.iter().map(|range| (range.start(), range.end()));
            let plain = ['a', 'A', '0']
                .into_iter()
                .find(|wanted| ranges().any(|(from, to)| (from..=to).contains(wanted)));
            text.push(plain.or_else(|| ranges().next().map(|(from, _)| from))?);
        }
        HirKind::Class(Class::Bytes(class)) => text.push(char::from(class.iter().next()?.start())),
        HirKind::Repetition(repetition) => {
            let least = repetition.min as usize;
            let most = repetition.max.map_or(usize::MAX, |most| most as usize);
            for _ in 0..least.max(repeats.min(most)) {
                write(&repetition.sub, repeats, left, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, repeats, left, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, repeats, left, text))?,
        HirKind::Alternation(branches) => write(branches.first()?, repeats, left, text)?,
    }
    Some(())
}
