//! What the derive's expansion calls: each field's constraints and hints arrive as one JSON text and are
//! worked into the schema that schemars made.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator, transform::Transform};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A type that has a JSON schema; asked of every field so that the error names the type without one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what JSON it expects",
    label = "no JSON schema is known for this type",
    note = "add `#[derive(ExpectedSchema)]` to `{Self}`",
    note = "for a type of another crate, turn on the feature of json-correctness of the same name (chrono, uuid, url), or put `#[expected(schema_as = \"String\")]` on the field"
)]
pub trait Described {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + ?Sized> Described for T {}

/// Asks that `T` has a schema.
pub const fn needs<T: Described + ?Sized>() {}

/// Stands for a default whose value is not shown.
#[must_use]
pub const fn no_default() -> NoDefault {
    NoDefault
}

/// See [`no_default`].
#[derive(Clone, Copy, Debug)]
pub struct NoDefault;

/// The schema of `T` for a field that serde reads by a function of the user's: absence is an error
/// then, even where `T` is an `Option`.
#[derive(Debug)]
pub struct Custom<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Custom<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A value computed by the program, as JSON; null where it has none.
#[must_use]
pub fn value<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// What the attributes of one field, variant or type add to its schema, as a JSON text.
///
/// Two words that need no drop: what the expansion does with it costs the compiler least.
#[derive(Clone, Copy, Debug)]
pub struct Amend(pub &'static str);

/// An [`Amend`] with values that only the program can compute.
#[derive(Clone, Debug)]
pub struct AmendWith {
    text: &'static str,
    values: Vec<(&'static str, Value)>,
}

impl Amend {
    /// Sets the value at this pointer of the text.
    #[must_use]
    pub fn with(self, pointer: &'static str, value: Value) -> AmendWith {
        AmendWith { text: self.0, values: vec![(pointer, value)] }
    }
}

impl AmendWith {
    /// Sets the value at this pointer of the text.
    #[must_use]
    pub fn with(mut self, pointer: &'static str, value: Value) -> Self {
        self.values.push((pointer, value));
        self
    }
}

impl Transform for Amend {
    fn transform(&mut self, schema: &mut Schema) {
        amend(schema, self.0, &[]);
    }
}

impl Transform for AmendWith {
    fn transform(&mut self, schema: &mut Schema) {
        amend(schema, self.text, &self.values);
    }
}

fn amend(schema: &mut Schema, text: &str, values: &[(&str, Value)]) {
    // The text was written by the macro; one that does not parse would be a bug in it.
    let Ok(mut wanted) = serde_json::from_str::<Value>(text) else {
        debug_assert!(false, "not JSON: {text}");
        return;
    };
    for (pointer, value) in values {
        if let Some(place) = wanted.pointer_mut(pointer) {
            *place = value.clone();
        }
    }
    if let Value::Object(wanted) = wanted {
        apply(schema.ensure_object(), wanted);
    }
}

fn apply(schema: &mut Map<String, Value>, wanted: Map<String, Value>) {
    for (key, value) in wanted {
        match (key.as_str(), value) {
            ("title" | "description" | "examples" | "tuple", value) => {
                schema.insert(key, value);
            }
            ("range", Value::Object(limits)) => range(schema, limits),
            ("length", Value::Object(limits)) => length(schema, &limits),
            ("patterns", Value::Array(patterns)) => {
                patterns.into_iter().for_each(|pattern| conjoin(schema, "pattern", pattern));
            }
            ("multiple_of", step) => conjoin(schema, "multipleOf", step),
            ("format", name) => {
                conjoin(schema, "format", name);
                expected(schema, "strict_format", Value::Bool(true));
            }
            ("one_of", Value::Array(values)) => one_of(schema, values),
            ("unique_items", _) => {
                schema.insert("uniqueItems".into(), Value::Bool(true));
                expected(schema, "unique_items", Value::Bool(true));
            }
            ("contains", value) => contains(schema, value),
            ("contains_such", Value::Object(such)) => {
                let mut item = Map::new();
                apply(&mut item, such);
                conjoin(schema, "contains", Value::Object(item));
            }
            ("inner", Value::Object(inner)) => inner_items(schema, inner),
            ("expected", Value::Object(hints)) => {
                hints.into_iter().for_each(|(key, value)| expected(schema, &key, value));
            }
            ("min_items", count) => {
                schema.insert("minItems".into(), count);
            }
            ("variant_min_items", count) => {
                if let Some(tuple) = tuple_content(schema) {
                    tuple.insert("minItems".into(), count);
                }
            }
            ("adjacent_unit", Value::String(content)) => {
                properties(schema).insert(content, json!({"type": "null"}));
            }
            ("adjacent_optional", Value::String(content)) => {
                if let Some(Value::Array(required)) = schema.get_mut("required") {
                    required.retain(|name| name.as_str() != Some(&content));
                }
            }
            ("other", _) => expected(schema, "other", Value::Bool(true)),
            ("open", Value::Object(open)) => open_tag(schema, open.get("tag").and_then(Value::as_str)),
            (unknown, _) => debug_assert!(false, "the derive wrote `{unknown}`"),
        }
    }
}

/// Whether the schema says that values of this type may occur; `None` where it does not say.
fn takes(schema: &Map<String, Value>, name: &str) -> Option<bool> {
    match schema.get("type")? {
        Value::String(only) => Some(only == name),
        Value::Array(several) => Some(several.iter().any(|one| one.as_str() == Some(name))),
        _ => None,
    }
}

fn takes_null(schema: &Map<String, Value>) -> bool {
    let branch = |branch: &Value| branch.as_object().is_some_and(takes_null);
    takes(schema, "null") == Some(true)
        || ["anyOf", "oneOf"]
            .into_iter()
            .filter_map(|key| schema.get(key)?.as_array())
            .any(|branches| branches.iter().any(branch))
}

fn expected(schema: &mut Map<String, Value>, key: &str, value: Value) {
    let hints = schema.entry("x-expected").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(hints) = hints {
        hints.insert(key.to_owned(), value);
    }
}

fn properties(schema: &mut Map<String, Value>) -> &mut Map<String, Value> {
    object_at(schema, "properties")
}

/// The tuple that a variant holds: the variant itself if untagged, else under its name or the content's.
fn tuple_content(variant: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    if variant.contains_key("prefixItems") {
        return Some(variant);
    }
    let members = variant.get_mut("properties")?.as_object_mut()?;
    members.values_mut().filter_map(Value::as_object_mut).find(|member| member.contains_key("prefixItems"))
}

/// The object under this key, made anew where there is none.
fn object_at<'a>(schema: &'a mut Map<String, Value>, key: &str) -> &'a mut Map<String, Value> {
    let place = schema.entry(key).or_insert(Value::Null);
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    match place {
        Value::Object(object) => object,
        _ => unreachable!("just made an object"),
    }
}

/// Adds a keyword; where the type's own schema has it already, both hold.
fn conjoin(schema: &mut Map<String, Value>, key: &str, value: Value) {
    match schema.get(key) {
        None => {
            schema.insert(key.to_owned(), value);
        }
        Some(same) if *same == value => {}
        Some(_) => {
            let all = schema.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(all) = all {
                all.push(json!({ key: value }));
            }
        }
    }
}

/// The stricter of the type's own limit and the wanted one holds.
fn range(schema: &mut Map<String, Value>, limits: Map<String, Value>) {
    for (key, value) in limits {
        let lower = key.ends_with("inimum");
        let stricter = match (schema.get(&key).and_then(order), order(&value)) {
            (Some(present), Some(wanted)) if lower => wanted > present,
            (Some(present), Some(wanted)) => wanted < present,
            _ => true,
        };
        if stricter {
            schema.insert(key, value);
        }
    }
}

/// An exact order among integers, and a sound one between integers and decimals.
fn order(number: &Value) -> Option<(f64, i128)> {
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    Some((number.as_f64()?, integer.unwrap_or(0)))
}

/// Each of the three keywords binds only values of its own type, so where the type is not known all stand.
fn length(schema: &mut Map<String, Value>, limits: &Map<String, Value>) {
    for (kind, low, high) in [
        ("string", "minLength", "maxLength"),
        ("array", "minItems", "maxItems"),
        ("object", "minProperties", "maxProperties"),
    ] {
        if takes(schema, kind) == Some(false) {
            continue;
        }
        let mut own = Map::new();
        for (name, key) in [("min", low), ("max", high)] {
            if let Some(limit) = limits.get(name) {
                own.insert(key.to_owned(), limit.clone());
            }
        }
        for (key, limit) in own {
            let stricter = match (schema.get(&key).and_then(Value::as_u64), limit.as_u64()) {
                (Some(present), Some(wanted)) if key.starts_with("min") => wanted > present,
                (Some(present), Some(wanted)) => wanted < present,
                _ => true,
            };
            if stricter {
                schema.insert(key, limit);
            }
        }
    }
}

/// An `Option` still takes null.
fn one_of(schema: &mut Map<String, Value>, mut values: Vec<Value>) {
    if takes_null(schema) && !values.contains(&Value::Null) {
        values.push(Value::Null);
    }
    conjoin(schema, "enum", Value::Array(values));
}

/// Text contains a part, a list an item; where the type is not known, whichever the value turns out to be.
fn contains(schema: &mut Map<String, Value>, value: Value) {
    if let Some(part) = value.as_str()
        && takes(schema, "string") != Some(false)
    {
        conjoin(schema, "pattern", Value::String(escape(part)));
    }
    if takes(schema, "array") != Some(false) {
        conjoin(schema, "contains", json!({ "const": value }));
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\.+*?()|[]{}^$/".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn inner_items(schema: &mut Map<String, Value>, inner: Map<String, Value>) {
    if let Some(Value::Array(elements)) = schema.get_mut("prefixItems") {
        for element in elements {
            if let Value::Object(element) = element {
                apply(element, inner.clone());
            }
        }
    } else {
        apply(object_at(schema, "items"), inner);
    }
}

/// Opens the branch of `#[serde(other)]`: it takes any tag that no other branch has.
fn open_tag(schema: &mut Map<String, Value>, tag: Option<&str>) {
    let Some(key) = ["oneOf", "anyOf"].into_iter().find(|key| schema.contains_key(*key)) else { return };
    let Some(Value::Array(branches)) = schema.get_mut(key) else { return };
    let is_other = |branch: &Value| branch.pointer("/x-expected/other") == Some(&Value::Bool(true));
    let mut taken: Vec<Value> = Vec::new();
    for branch in branches.iter().filter(|branch| !is_other(branch)) {
        match tag {
            Some(tag) => taken.extend(
                branch
                    .get("properties")
                    .and_then(|all| all.get(tag))
                    .and_then(|tag| tag.get("const"))
                    .cloned(),
            ),
            None => {
                taken.extend(branch.get("const").cloned());
                taken.extend(branch.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
                let names = branch.get("required").and_then(Value::as_array).into_iter().flatten();
                taken.extend(names.cloned());
            }
        }
    }
    let any_other = if taken.is_empty() {
        json!({"type": "string"})
    } else {
        json!({"type": "string", "not": {"enum": taken}})
    };
    for branch in branches.iter_mut().filter(|branch| is_other(branch)) {
        let Value::Object(branch) = branch else { continue };
        match tag {
            Some(tag) => {
                properties(branch).insert(tag.to_owned(), any_other.clone());
            }
            None => {
                branch.remove("const");
                if let Value::Object(any_other) = any_other.clone() {
                    branch.extend(any_other);
                }
            }
        }
    }
}
