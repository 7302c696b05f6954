//! A subschema cut down to a number of bytes.

use serde_json::{Map, Value};

use crate::{
    schema::{
        lint::resolve,
        walk::{LIST, MAP, ONE},
    },
    text::{cut_escaped, line_bytes},
};

/// How much is kept, from much to little: how many levels of subschemas in full, how many entries of each
/// list and object, and how many bytes of each text.
const SIZES: [(usize, usize, usize); 10] = [
    (8, usize::MAX, 300),
    (4, usize::MAX, 300),
    (2, usize::MAX, 300),
    (1, usize::MAX, 300),
    (1, 64, 100),
    (1, 24, 100),
    (1, 8, 60),
    (1, 3, 60),
    (0, 8, 60),
    (0, 2, 30),
];
/// Most references that lead directly to one another which are followed.
const MAX_HOPS: usize = 20;
/// Deepest nesting of data (`const`, `default`, …) that is kept.
const MAX_DATA_DEPTH: usize = 6;
/// Stands for what was left out.
const MORE: &str = "…";
/// What is left of a subschema whose level is not kept.
const HEAD: [&str; 5] = ["type", "title", "enum", "const", "format"];
/// What says nothing about values.
const REMARKS: [&str; 8] =
    ["title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"];

/// As much of a subschema as takes at most `most` bytes, with its references replaced by what they lead to.
/// Of long objects, `field` is kept before others. `None` where nothing fits.
pub(super) fn down(root: &Value, schema: &Value, field: Option<&str>, most: usize) -> Option<Value> {
    SIZES.into_iter().find_map(|(levels, entries, text)| {
        let mut copy = Copy { root, field, entries, text, left: most };
        let cut = copy.schema(schema, levels)?;
        line_bytes(&cut, most).is_some().then_some(cut)
    })
}

/// Copies until there is no room left: then every method gives `None`. So the work is bounded by the room,
/// whatever the references lead to.
struct Copy<'c> {
    root: &'c Value,
    field: Option<&'c str>,
    entries: usize,
    text: usize,
    left: usize,
}

impl<'c> Copy<'c> {
    fn take(&mut self, bytes: usize) -> Option<()> {
        // What stands around it: quotes, a colon or a comma.
        self.left = self.left.checked_sub(bytes + 1)?;
        Some(())
    }

    fn schema(&mut self, schema: &'c Value, levels: usize) -> Option<Value> {
        let Value::Object(object) = schema else { return self.data(schema, 0) };
        let mut parts = vec![object];
        while let Some(target) = parts.last().and_then(|last| self.target(last)) {
            if parts.len() > MAX_HOPS || parts.iter().any(|part| std::ptr::eq(*part, target)) {
                break;
            }
            parts.push(target);
        }
        let mut whole = Map::new();
        for part in parts {
            let copy = if levels == 0 { self.head(part)? } else { self.object(part, levels)? };
            merge(&mut whole, copy);
        }
        if whole.is_empty() && !object.is_empty() {
            self.take(MORE.len())?;
            return Some(MORE.into());
        }
        Some(Value::Object(whole))
    }

    /// What the object refers to.
    fn target(&self, object: &Map<String, Value>) -> Option<&'c Map<String, Value>> {
        let reference = object.get("$ref")?.as_str()?;
        resolve(self.root, reference)?.0.as_object()
    }

    fn head(&mut self, object: &'c Map<String, Value>) -> Option<Map<String, Value>> {
        let mut head = Map::new();
        for keyword in HEAD {
            if let Some(value) = object.get(keyword) {
                self.take(keyword.len())?;
                head.insert(keyword.to_owned(), self.data(value, 1)?);
            }
        }
        Some(head)
    }

    fn object(&mut self, object: &'c Map<String, Value>, levels: usize) -> Option<Map<String, Value>> {
        let mut copy = Map::new();
        for (keyword, value) in object {
            let replaced = keyword == "$ref" && self.target(object).is_some();
            if replaced || ["$defs", "definitions", "$schema", "$id"].contains(&keyword.as_str()) {
                continue;
            }
            if copy.len() >= self.entries.max(HEAD.len()) {
                copy.insert(MORE.to_owned(), MORE.into());
                break;
            }
            let shown = self.name(keyword)?;
            let is = |known: &[&str]| known.contains(&keyword.as_str());
            let value = match value {
                Value::Object(members) if is(&MAP) => self.members(members, levels)?,
                Value::Array(list) if is(&LIST) => {
                    self.list(list, |copy, one| copy.schema(one, levels - 1))?
                }
                Value::Object(_) if is(&ONE) => self.schema(value, levels - 1)?,
                Value::Array(names) if keyword == "required" && names.len() > self.entries => {
                    self.required(names)?
                }
                _ => self.data(value, 0)?,
            };
            copy.insert(shown, value);
        }
        Some(copy)
    }

    /// Members that are subschemas, the one that is meant before all others.
    fn members(&mut self, members: &'c Map<String, Value>, levels: usize) -> Option<Value> {
        let meant = self.field.and_then(|field| members.get_key_value(field));
        let others = members.iter().filter(|(name, _)| meant.is_none_or(|(meant, _)| meant != *name));
        let mut copy = Map::new();
        for (name, member) in meant.into_iter().chain(others).take(self.entries) {
            let name = self.name(name)?;
            copy.insert(name, self.schema(member, levels - 1)?);
        }
        self.say_more_in(&mut copy, members.len())?;
        Some(Value::Object(copy))
    }

    /// The first of too many names, the one that is meant before all others.
    fn required(&mut self, names: &[Value]) -> Option<Value> {
        let is_meant = |name: &&Value| self.field.is_some() && name.as_str() == self.field;
        let meant = names.iter().filter(is_meant).take(1);
        let ordered: Vec<&Value> =
            meant.chain(names.iter().filter(|name| !is_meant(name))).take(self.entries).collect();
        let mut copy = Vec::new();
        for name in ordered {
            copy.push(self.data(name, 1)?);
        }
        copy.push(self.more(names.len() - copy.len())?);
        Some(Value::Array(copy))
    }

    fn list(
        &mut self,
        list: &'c [Value],
        mut each: impl FnMut(&mut Self, &'c Value) -> Option<Value>,
    ) -> Option<Value> {
        let mut copy = Vec::new();
        for one in list.iter().take(self.entries) {
            let one = each(self, one)?;
            copy.push(one);
        }
        if list.len() > copy.len() {
            copy.push(self.more(list.len() - copy.len())?);
        }
        Some(Value::Array(copy))
    }

    fn data(&mut self, value: &Value, depth: usize) -> Option<Value> {
        self.take(0)?;
        Some(match value {
            Value::String(text) => {
                let text = cut_escaped(text, self.text);
                self.take(text.len())?;
                Value::String(text)
            }
            Value::Array(_) | Value::Object(_) if depth >= MAX_DATA_DEPTH => MORE.into(),
            Value::Array(list) => {
                let mut copy = Vec::new();
                for one in list.iter().take(self.entries) {
                    copy.push(self.data(one, depth + 1)?);
                }
                if list.len() > copy.len() {
                    copy.push(self.more(list.len() - copy.len())?);
                }
                Value::Array(copy)
            }
            Value::Object(members) => {
                let mut copy = Map::new();
                for (name, member) in members.iter().take(self.entries) {
                    let name = self.name(name)?;
                    copy.insert(name, self.data(member, depth + 1)?);
                }
                self.say_more_in(&mut copy, members.len())?;
                Value::Object(copy)
            }
            scalar => scalar.clone(),
        })
    }

    fn name(&mut self, name: &str) -> Option<String> {
        let name = cut_escaped(name, self.text);
        self.take(name.len())?;
        Some(name)
    }

    fn more(&mut self, count: usize) -> Option<Value> {
        let more = format!("{MORE} {count} more");
        self.take(more.len())?;
        Some(more.into())
    }

    fn say_more_in(&mut self, copy: &mut Map<String, Value>, all: usize) -> Option<()> {
        if all > self.entries {
            let more = self.more(all - self.entries)?;
            copy.insert(MORE.to_owned(), more);
        }
        Some(())
    }
}

/// Adds what a reference leads to. What both say is kept apart, unless it is a remark: then the nearer one
/// counts.
fn merge(whole: &mut Map<String, Value>, target: Map<String, Value>) {
    let both = |(keyword, value): (&String, &Value)| {
        !REMARKS.contains(&keyword.as_str()) && whole.get(keyword).is_some_and(|own| own != value)
    };
    if target.iter().any(both) {
        match whole.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => list.push(Value::Object(target)),
            other => *other = Value::Array(vec![Value::Object(target)]),
        }
        return;
    }
    for (keyword, value) in target {
        whole.entry(keyword).or_insert(value);
    }
}
