//! What the dynamic references of a subschema would find, told apart by numbers.
//!
//! A resolver carries the list of resources through which it came. Two such lists make a difference
//! only where a dynamic reference would find different targets; were the lists themselves compared,
//! schemas that refer to one another would be read without end.

use std::collections::HashMap;

use referencing::Resolver;
use serde_json::Value;

pub(super) struct Scopes {
    bases: HashMap<String, u32>,
    seen: HashMap<Vec<Option<u32>>, u32>,
    /// The names of dynamic anchors; `None` where nothing is dynamic.
    names: Option<Vec<String>>,
    anchors: HashMap<(u32, usize), bool>,
}

/// The place in an answer's list that belongs to `$recursiveAnchor`.
const RECURSIVE: usize = usize::MAX;

impl Scopes {
    pub(super) fn new<'v>(documents: impl Iterator<Item = &'v Value>) -> Self {
        let (mut names, mut dynamic) = (vec!["meta".to_owned()], false);
        let mut open: Vec<&Value> = documents.collect();
        while let Some(value) = open.pop() {
            match value {
                Value::Object(map) => {
                    dynamic |= map.contains_key("$dynamicRef") || map.contains_key("$recursiveRef");
                    if let Some(Value::String(name)) = map.get("$dynamicAnchor") {
                        names.push(name.clone());
                    }
                    if let Some(Value::String(reference)) = map.get("$ref") {
                        // The meta-schemas are dynamic, and known without being part of the document.
                        dynamic |= reference.contains("json-schema.org/");
                    }
                    open.extend(map.values());
                }
                Value::Array(items) => open.extend(items),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        Self {
            bases: HashMap::new(),
            seen: HashMap::new(),
            names: dynamic.then_some(names),
            anchors: HashMap::new(),
        }
    }

    /// Numbers for the base of the resolver and for what its dynamic references would find.
    pub(super) fn identify(&mut self, resolver: &Resolver<'_>) -> (u32, u32) {
        let base = self.base(resolver.base_uri().as_str());
        let Some(names) = self.names.take() else { return (base, 0) };
        let mut found = vec![None; names.len() + 1];
        let mut recursive = true;
        // Innermost first; the outermost one that has the anchor counts.
        for uri in &resolver.dynamic_scope() {
            let number = self.base(uri.as_str());
            for (index, name) in names.iter().enumerate() {
                let has = *self
                    .anchors
                    .entry((number, index))
                    .or_insert_with(|| resolver.lookup(&format!("{}#{name}", uri.as_str())).is_ok());
                if has {
                    found[index] = Some(number);
                }
            }
            recursive = recursive
                && *self.anchors.entry((number, RECURSIVE)).or_insert_with(|| {
                    resolver.lookup(uri.as_str()).is_ok_and(|resolved| {
                        resolved.contents().get("$recursiveAnchor") == Some(&Value::Bool(true))
                    })
                });
            if recursive {
                found[names.len()] = Some(number);
            }
        }
        self.names = Some(names);
        let next = self.seen.len() as u32;
        (base, *self.seen.entry(found).or_insert(next))
    }

    fn base(&mut self, uri: &str) -> u32 {
        if let Some(&number) = self.bases.get(uri) {
            return number;
        }
        let number = self.bases.len() as u32;
        self.bases.insert(uri.to_owned(), number);
        number
    }
}
