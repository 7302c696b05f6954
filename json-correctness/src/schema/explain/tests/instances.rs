//! Random instances of a schema: nearly right, and wrong in places.

use serde_json::{Map, Value, json};

pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound.max(1)
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<'v>(&mut self, values: &'v [Value]) -> &'v Value {
        if values.is_empty() { &Value::Null } else { &values[self.below(values.len())] }
    }
}

pub(super) struct Instances<'v> {
    pub(super) root: &'v Value,
    pub(super) random: Random,
}

impl Instances<'_> {
    pub(super) fn instance(&mut self) -> Value {
        let root = self.root;
        self.of(root, 0)
    }

    fn of(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(map) = schema else { return self.anything(depth) };
        if depth > 12 || self.random.one_in(25) {
            return self.anything(depth);
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            return match target {
                Some(target) => self.of(&target.clone(), depth + 1),
                None => self.anything(depth),
            };
        }
        if let Some(value) = map.get("const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return self.random.pick(values).clone();
        }
        let mut value = None;
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = map.get(keyword) {
                let branch = self.random.pick(branches).clone();
                value = Some(self.of(&branch, depth + 1));
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            for part in parts.clone() {
                let other = self.of(&part, depth + 1);
                merge(&mut value, other);
            }
        }
        let own = match map.get("type") {
            Some(Value::Array(types)) => self.random.pick(types).as_str().map(str::to_owned),
            Some(Value::String(name)) => Some(name.clone()),
            _ if map.contains_key("properties") => Some("object".to_owned()),
            _ if map.contains_key("items") => Some("array".to_owned()),
            _ => None,
        };
        if let Some(own) = own {
            let other = self.typed(&own, map, depth);
            merge(&mut value, other);
        }
        value.unwrap_or_else(|| self.anything(depth))
    }

    fn typed(&mut self, name: &str, map: &Map<String, Value>, depth: usize) -> Value {
        match name {
            "object" => self.object(map, depth),
            "array" => {
                let min = map.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(5) as usize;
                let count = min + self.random.below(3);
                let items = map.get("items").cloned().unwrap_or(Value::Bool(true));
                let each = |place: usize| match &items {
                    Value::Array(items) => items.get(place).cloned().unwrap_or(Value::Bool(true)),
                    other => other.clone(),
                };
                (0..count).map(|place| self.of(&each(place), depth + 1)).collect()
            }
            "string" => {
                let texts = ["", "a", "abc", "x-1", "2024-01-01", "a@b.cd", "http://a.b/c", "1.0.0", "A_B"];
                json!(texts[self.random.below(texts.len())])
            }
            "integer" => {
                let low = map.get("minimum").and_then(Value::as_i64).unwrap_or(0);
                json!(low.saturating_add(self.random.below(4) as i64))
            }
            "number" => json!(self.random.below(40) as f64 / 4.0),
            "boolean" => json!(self.random.one_in(2)),
            "null" => Value::Null,
            _ => self.anything(depth),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, depth: usize) -> Value {
        let mut value = Map::new();
        let required: Vec<&str> = match map.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if let Some(Value::Object(properties)) = map.get("properties") {
            for (name, schema) in properties {
                let chance = if required.contains(&name.as_str()) { 20 } else { 2 };
                let wanted = chance == 20 || (depth < 6 && self.random.one_in(3));
                if wanted && !(chance == 20 && self.random.one_in(chance)) {
                    let key = if self.random.one_in(30) { format!("{name}s") } else { name.clone() };
                    let inner = self.of(schema, depth + 1);
                    value.insert(key, inner);
                }
            }
        }
        if let Some(additional @ Value::Object(_)) = map.get("additionalProperties") {
            let inner = self.of(additional, depth + 1);
            value.insert("some-key".to_owned(), inner);
        } else if self.random.one_in(10) {
            let inner = self.anything(depth);
            value.insert("unknown".to_owned(), inner);
        }
        Value::Object(value)
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.random.below(if depth > 8 { 7 } else { 9 }) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(self.random.below(1_000)),
            3 => json!(1.5),
            4 => json!(-3),
            5 => json!("text"),
            6 => json!(""),
            7 => json!([self.anything(depth + 4), 1]),
            _ => json!({"name": self.anything(depth + 4)}),
        }
    }
}

/// Joins two objects; else the second value stands.
fn merge(value: &mut Option<Value>, other: Value) {
    match (value.as_mut(), other) {
        (Some(Value::Object(fields)), Value::Object(others)) => fields.extend(others),
        (_, other) => *value = Some(other),
    }
}
