//! What a schema says of its fields under `x-expected`.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Align, Comparison, Field, Fields, Id, Said};
use crate::{
    compare::numeric::Tolerance,
    error::Error,
    schema::without_percents,
    text::{Limits, Pointer},
};

/// Keywords whose subschemas speak of the same value.
const IN_PLACE: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const IN_PLACE_ONE: [&str; 3] = ["if", "then", "else"];

impl Fields {
    /// Reads `weight`, `ignore`, `threshold`, `comparison`, `tolerance` and `align` wherever a schema
    /// says them of a value: in `properties`, `additionalProperties`, `prefixItems` and `items`, through
    /// `allOf`, `anyOf`, `oneOf`, `if` and references into the schema itself. Where several subschemas
    /// speak of one value, the outermost and first that says something counts.
    pub(crate) fn of_schema(schema: &Value, limits: &Limits) -> Result<Self, Error> {
        let mut reading = Reading {
            root: schema,
            ids: HashMap::new(),
            fields: Self::default(),
            in_place: Vec::new(),
            pending: Vec::new(),
        };
        let start = reading.id(schema, Pointer::root);
        while let Some((schema, id, place)) = reading.pending.pop() {
            if reading.fields.said.len() > limits.max_schema_nodes {
                return Err(Error::limit(format!(
                    "the schema has more than max_schema_nodes = {} subschemas: raise the limit or simplify it",
                    limits.max_schema_nodes
                )));
            }
            reading.read(schema, id, &place)?;
        }
        let Reading { mut fields, in_place, .. } = reading;
        let telling = telling(&fields.said, &in_place);
        let mut left = limits.max_schema_nodes.saturating_mul(20);
        fields.together = (0..fields.said.len())
            .map(|id| {
                let together = together(id as Id, &in_place, &telling, &mut left);
                together.ok_or_else(|| {
                    Error::limit(
                        "too many subschemas of the schema speak of the same values: raise max_schema_nodes \
                         or simplify it",
                    )
                })
            })
            .collect::<Result<_, _>>()?;
        fields.start.clone_from(&fields.together[start as usize]);
        Ok(fields)
    }
}

/// Which entries say something of a value or of what it holds.
fn telling(said: &[Said], in_place: &[Vec<Id>]) -> Vec<bool> {
    let mut users: Vec<Vec<Id>> = vec![Vec::new(); said.len()];
    for (id, entry) in said.iter().enumerate() {
        let below = entry.members.values().chain(&entry.rest).chain(&entry.prefix).chain(&entry.items);
        for &used in below.chain(&in_place[id]) {
            users[used as usize].push(id as Id);
        }
    }
    let mut telling: Vec<bool> = said.iter().map(|entry| !entry.field.is_empty()).collect();
    let mut pending: Vec<usize> = (0..said.len()).filter(|&id| telling[id]).collect();
    while let Some(id) = pending.pop() {
        for &user in &users[id] {
            if !std::mem::replace(&mut telling[user as usize], true) {
                pending.push(user as usize);
            }
        }
    }
    telling
}

/// The entry and all that speak of the same value, in the order in which they count. `None` where
/// there are too many.
fn together(start: Id, in_place: &[Vec<Id>], telling: &[bool], left: &mut usize) -> Option<Vec<Id>> {
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut pending = vec![start];
    while let Some(id) = pending.pop() {
        if telling[id as usize] && seen.insert(id) {
            *left = left.checked_sub(1)?;
            found.push(id);
            pending.extend(in_place[id as usize].iter().rev());
        }
    }
    Some(found)
}

struct Reading<'s> {
    root: &'s Value,
    /// By the address of the subschema.
    ids: HashMap<*const Value, Id>,
    fields: Fields,
    in_place: Vec<Vec<Id>>,
    pending: Vec<(&'s Value, Id, Pointer)>,
}

impl<'s> Reading<'s> {
    fn id(&mut self, schema: &'s Value, place: impl FnOnce() -> Pointer) -> Id {
        let next = self.fields.said.len() as Id;
        let id = *self.ids.entry(std::ptr::from_ref(schema)).or_insert(next);
        if id == next {
            self.fields.said.push(Said::default());
            self.in_place.push(Vec::new());
            self.pending.push((schema, id, place()));
        }
        id
    }

    fn read(&mut self, schema: &'s Value, id: Id, place: &Pointer) -> Result<(), Error> {
        let Value::Object(schema) = schema else { return Ok(()) };
        let mut said = Said::default();
        if let Some(extension) = schema.get("x-expected") {
            said.field = field(extension, &place.key("x-expected"))?;
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (key, property) in properties {
                let id = self.id(property, || place.key("properties").key(key));
                said.members.insert(key.clone(), id);
            }
        }
        let mut one = |keyword: &str| {
            schema
                .get(keyword)
                .filter(|value| value.is_object())
                .map(|value| self.id(value, || place.key(keyword)))
        };
        said.rest = one("additionalProperties");
        said.items = one("items");
        let mut in_place: Vec<Id> = Vec::new();
        if let Some(Value::String(reference)) = schema.get("$ref") {
            let target =
                reference.strip_prefix('#').and_then(|pointer| self.root.pointer(&without_percents(pointer)));
            in_place.extend(target.map(|target| {
                let pointer = Pointer::parse(&without_percents(&reference[1..])).unwrap_or_default();
                self.id(target, || pointer)
            }));
        }
        for keyword in IN_PLACE {
            in_place.extend(self.list(schema, keyword, place));
        }
        for keyword in IN_PLACE_ONE {
            in_place.extend(schema.get(keyword).map(|schema| self.id(schema, || place.key(keyword))));
        }
        // Before draft 2020-12, `items` could be the list, and `additionalItems` the rest.
        said.prefix = self.list(schema, "prefixItems", place);
        if let Some(Value::Array(_)) = schema.get("items") {
            said.prefix = self.list(schema, "items", place);
            said.items =
                schema.get("additionalItems").map(|rest| self.id(rest, || place.key("additionalItems")));
        }
        self.in_place[id as usize] = in_place;
        self.fields.said[id as usize] = said;
        Ok(())
    }

    fn list(&mut self, schema: &'s Map<String, Value>, keyword: &str, place: &Pointer) -> Vec<Id> {
        let list = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        list.enumerate().map(|(at, schema)| self.id(schema, || place.key(keyword).index(at))).collect()
    }
}

fn field(extension: &Value, place: &Pointer) -> Result<Field, Error> {
    let share = |name: &str| match extension.get(name) {
        None => Ok(None),
        Some(value) => match value.as_f64().filter(|share| (0.0..=1.0).contains(share)) {
            Some(share) => Ok(Some(share)),
            None => Err(wrong(&place.key(name), value, "give a number from 0 to 1")),
        },
    };
    Ok(Field {
        weight: share("weight")?,
        threshold: share("threshold")?,
        ignore: match extension.get("ignore") {
            None => None,
            Some(Value::Bool(ignore)) => Some(*ignore),
            Some(value) => return Err(wrong(&place.key("ignore"), value, "give true or false")),
        },
        comparison: extension.get("comparison").map(|value| comparison(value, place)).transpose()?,
        tolerance: extension.get("tolerance").map(|value| tolerance(value, place)).transpose()?,
        align: extension.get("align").map(|value| align(value, place)).transpose()?,
    })
}

fn comparison(value: &Value, place: &Pointer) -> Result<Comparison, Error> {
    Ok(match value.as_str() {
        Some("exact") => Comparison::Exact,
        Some("numeric") => Comparison::Numeric,
        Some("levenshtein") => Comparison::Levenshtein,
        Some("case_insensitive") => Comparison::CaseInsensitive,
        Some("whitespace_insensitive") => Comparison::WhitespaceInsensitive,
        Some("instant") => Comparison::Instant,
        _ => {
            let known = "give \"exact\", \"numeric\", \"levenshtein\", \"case_insensitive\", \
                         \"whitespace_insensitive\" or \"instant\"";
            return Err(wrong(&place.key("comparison"), value, known));
        }
    })
}

fn tolerance(value: &Value, place: &Pointer) -> Result<Tolerance, Error> {
    let distance = |name| value.get(name).and_then(Value::as_f64).filter(|distance| *distance >= 0.0);
    match (value.as_object().map(Map::len), distance("absolute"), distance("relative")) {
        (Some(1), Some(distance), _) => Ok(Tolerance::Absolute(distance)),
        (Some(1), _, Some(distance)) => Ok(Tolerance::Relative(distance)),
        _ => {
            let mend = "give {\"absolute\": d} or {\"relative\": d} with a number d from 0 on";
            Err(wrong(&place.key("tolerance"), value, mend))
        }
    }
}

fn align(value: &Value, place: &Pointer) -> Result<Align, Error> {
    match (value, value.get("key")) {
        (Value::String(name), _) if name == "positional" => Ok(Align::Positional),
        (Value::String(name), _) if name == "unordered" => Ok(Align::Unordered),
        (Value::Object(members), Some(Value::String(key))) if members.len() == 1 => {
            Ok(Align::Key(key.clone()))
        }
        _ => {
            let mend =
                "give \"positional\", \"unordered\" or {\"key\": \"the member that names an element\"}";
            Err(wrong(&place.key("align"), value, mend))
        }
    }
}

fn wrong(place: &Pointer, value: &Value, mend: &str) -> Error {
    let mut found = value.to_string();
    crate::violation::cut(&mut found, 100);
    Error::schema(format!("`{place}` of the schema is {found}: {mend}"))
}
