//! What it costs to ask a type with recursive untagged alternatives.
//!
//! serde tries the variants of an `#[serde(untagged)]` enum one after the other, each from the start.
//! Where variants hold the enum itself, a text of 241 bytes that the schema accepts took 1.2 s, and
//! every further level of nesting doubles that. So for such types the attempts are counted first, by
//! the schema, in time that grows with the text alone.

use std::collections::HashMap;

use jsonschema::{Draft, ValidatorMap, json::Node as _};
use serde_json::{Map, Value};

use super::{
    explain::IntegerRule,
    format,
    judge::{Documents, View},
    keywords,
};
use crate::text::{Document, JsonType, Limits, Node};

/// Attempts that every text may cost: about a tenth of a second.
const FREE_STEPS: u64 = 100_000;
/// Attempts that each value and key of the text may cost beyond that.
const STEPS_PER_VALUE: u64 = 100;

/// The alternatives of a type's schema, as serde would try them.
#[derive(Debug)]
pub(crate) struct Untagged {
    shapes: Vec<Shape>,
    validators: ValidatorMap<Documents>,
}

/// One subschema, as far as it says what serde looks at.
#[derive(Debug, Default)]
struct Shape {
    place: String,
    types: Vec<String>,
    /// `$ref` and `allOf`: all are looked at.
    all: Vec<usize>,
    /// `anyOf`: tried in turn until one fits.
    any: Vec<usize>,
    /// `oneOf`: found by the tag.
    one: Vec<usize>,
    tags: Vec<(String, Value)>,
    properties: HashMap<String, usize>,
    other_properties: Vec<usize>,
    prefix: Vec<usize>,
    items: Option<usize>,
}

impl Untagged {
    /// Reads the schema of a type; `None` where no alternative leads back to itself, so that the
    /// attempts are bounded by the type.
    pub(crate) fn of(schema: &Value, limits: &Limits) -> Option<Self> {
        let mut reader = Reader { schema, shapes: Vec::new(), known: HashMap::new(), pending: Vec::new() };
        reader.shape("#".to_owned());
        while let Some((index, place)) = reader.pending.pop() {
            reader.read(index, &place);
        }
        let shapes = reader.shapes;
        if !(0..shapes.len()).any(|index| repeats(&shapes, index)) {
            return None;
        }
        let mut options = keywords::options();
        for (name, check) in format::internal() {
            options = options.with_format(name, check);
        }
        let validators = keywords::register(options, schema, Draft::Draft202012, limits).build_map(schema);
        Some(Self { shapes, validators: validators.ok()? })
    }

    /// The attempts that serde makes on the document at most, if they are too many.
    pub(crate) fn too_many(&self, document: &Document<'_>) -> Option<u64> {
        let most = FREE_STEPS.saturating_add(STEPS_PER_VALUE.saturating_mul(document.len() as u64));
        let steps = self.steps(0, document.root(), &mut HashMap::new());
        (steps > most).then_some(steps)
    }

    fn steps(&self, index: usize, node: Node<'_>, known: &mut HashMap<(usize, usize), u64>) -> u64 {
        if let Some(steps) = known.get(&(index, node.id())) {
            return *steps;
        }
        // Against loops of references that do not descend.
        known.insert((index, node.id()), 1);
        let shape = &self.shapes[index];
        let mut steps = 1_u64;
        if shape.admits(node) {
            let mut add = |more: u64| steps = steps.saturating_add(more);
            for &part in &shape.all {
                add(self.steps(part, node, known));
            }
            for &branch in &shape.any {
                add(self.steps(branch, node, known));
                if self.fits(branch, node) {
                    break;
                }
            }
            for &branch in shape.one.iter().filter(|&&branch| self.shapes[branch].has_tag_of(node)) {
                add(self.steps(branch, node, known));
            }
            for member in node.members() {
                let child = shape.properties.get(member.key);
                for &child in child.map_or(&shape.other_properties[..], std::slice::from_ref) {
                    add(self.steps(child, member.value, known));
                }
            }
            for (position, element) in node.elements().enumerate() {
                if let Some(child) = shape.prefix.get(position).copied().or(shape.items) {
                    add(self.steps(child, element, known));
                }
            }
        }
        known.insert((index, node.id()), steps);
        steps
    }

    fn fits(&self, branch: usize, node: Node<'_>) -> bool {
        self.validators
            .get(&self.shapes[branch].place)
            .is_some_and(|validator| validator.is_valid(View::Value(node, IntegerRule::Spelling)))
    }
}

/// Whether one of the subschema's alternatives, of which there are several, leads back to it.
fn repeats(shapes: &[Shape], index: usize) -> bool {
    let branches = shapes[index].any.iter().filter(|&&branch| shapes[branch].types != ["null"]);
    if branches.count() < 2 {
        return false;
    }
    let mut seen = vec![false; shapes.len()];
    let mut pending = shapes[index].any.clone();
    while let Some(next) = pending.pop() {
        if next == index {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            pending.extend(shapes[next].children());
        }
    }
    false
}

impl Shape {
    fn children(&self) -> impl Iterator<Item = usize> + '_ {
        [&self.all, &self.any, &self.one, &self.other_properties, &self.prefix]
            .into_iter()
            .flatten()
            .chain(self.properties.values())
            .chain(&self.items)
            .copied()
    }

    fn admits(&self, node: Node<'_>) -> bool {
        let found = node.json_type();
        self.types.is_empty()
            || self.types.iter().any(|name| {
                name == found.name() || (found == JsonType::Integer && name == JsonType::Number.name())
            })
    }

    /// Whether no property that must have one certain value has another.
    fn has_tag_of(&self, node: Node<'_>) -> bool {
        self.tags.iter().all(|(name, value)| {
            node.member(name)
                .is_none_or(|member| View::Value(member.value, IntegerRule::Spelling).equals_value(value))
        })
    }
}

struct Reader<'s> {
    schema: &'s Value,
    shapes: Vec<Shape>,
    known: HashMap<String, usize>,
    pending: Vec<(usize, String)>,
}

impl Reader<'_> {
    /// The shape at a place of the schema, to be read when it is its turn.
    fn shape(&mut self, place: String) -> usize {
        if let Some(index) = self.known.get(&place) {
            return *index;
        }
        let index = self.shapes.len();
        self.shapes.push(Shape { place: place.clone(), ..Shape::default() });
        self.known.insert(place.clone(), index);
        self.pending.push((index, place));
        index
    }

    fn read(&mut self, index: usize, place: &str) {
        let pointer = place.trim_start_matches('#');
        let Some(Value::Object(object)) = self.schema.pointer(pointer) else { return };
        let object = object.clone();
        let mut shape = Shape { place: place.to_owned(), ..Shape::default() };
        match object.get("type") {
            Some(Value::String(only)) => shape.types.push(only.clone()),
            Some(Value::Array(several)) => {
                shape.types.extend(several.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
        if let Some(reference) = object.get("$ref").and_then(Value::as_str)
            && reference.starts_with('#')
        {
            shape.all.push(self.shape(without_percents(reference)));
        }
        shape.all.extend(self.list(&object, place, "allOf"));
        shape.any = self.list(&object, place, "anyOf");
        shape.one = self.list(&object, place, "oneOf");
        shape.prefix = self.list(&object, place, "prefixItems");
        for keyword in ["items", "additionalProperties"] {
            if object.get(keyword).is_some_and(Value::is_object) {
                let child = self.shape(format!("{place}/{keyword}"));
                match keyword {
                    "items" => shape.items = Some(child),
                    _ => shape.other_properties.push(child),
                }
            }
        }
        if let Some(Value::Object(properties)) = object.get("properties") {
            for (name, property) in properties {
                let child = self.shape(format!("{place}/properties/{}", escaped(name)));
                shape.properties.insert(name.clone(), child);
                if let Some(value) = property.get("const") {
                    shape.tags.push((name.clone(), value.clone()));
                }
            }
        }
        if let Some(Value::Object(patterns)) = object.get("patternProperties") {
            for pattern in patterns.keys() {
                let child = self.shape(format!("{place}/patternProperties/{}", escaped(pattern)));
                shape.other_properties.push(child);
            }
        }
        self.shapes[index] = shape;
    }

    fn list(&mut self, object: &Map<String, Value>, place: &str, keyword: &str) -> Vec<usize> {
        let count = object.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        (0..count).map(|index| self.shape(format!("{place}/{keyword}/{index}"))).collect()
    }
}

/// A reference without percent encoding, as the places are written here.
pub(crate) fn without_percents(reference: &str) -> String {
    let mut bytes = Vec::with_capacity(reference.len());
    let mut rest = reference.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = behind.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
