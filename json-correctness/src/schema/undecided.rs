//! Keys and strings that no pattern could be run on to its end.

use serde_json::Value;

use super::{
    keywords::{Site, Spent},
    pattern::Pattern,
    walk,
};
use crate::{
    text::{Document, Limits, Node, Pointer},
    violation::{Violation, ViolationKind},
};

/// The violation of what stays undecided.
pub(super) fn undecided(document: &Document<'_>, site: &Site) -> Violation {
    let kind = ViolationKind::Undecided { pattern: site.pattern.clone(), bytes: site.bytes };
    let span = site.span.unwrap_or_else(|| document.root().span());
    let pointer =
        document.root().innermost_at(span.start).map_or_else(Pointer::root, |node| document.pointer_to(node));
    Violation::new(kind, pointer, span)
        .with_suggestion("shorten the string, or write the pattern without look-around and back-references")
}

/// The first key that one of the patterns cannot decide on, wherever it stands.
pub(super) fn undecided_key(root: Node<'_>, patterns: &[Pattern]) -> Option<Site> {
    if patterns.is_empty() {
        return None;
    }
    let mut spent = Spent::default();
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        pending.extend(node.elements());
        for member in node.members() {
            for pattern in patterns {
                if spent.run(pattern, member.key).is_none() {
                    let source = pattern.source().to_owned();
                    return Some(Site::of_key(source, member.key.len(), member.key_span));
                }
            }
            pending.push(member.value);
        }
    }
    None
}

/// The patterns of `patternProperties` that only a backtracking engine can run.
pub(super) fn backtracking_keys(
    schema: &Value,
    documents: &[(&str, &Value)],
    limits: &Limits,
) -> Vec<Pattern> {
    let mut found: Vec<Pattern> = Vec::new();
    let documents = documents.iter().map(|(_, document)| *document);
    for schema in std::iter::once(schema).chain(documents) {
        walk::subschemas(schema, &mut |object| {
            let Some(Value::Object(patterns)) = object.get("patternProperties") else { return };
            let compiled = patterns.keys().filter_map(|source| Pattern::compile(source, limits).ok());
            for pattern in compiled.filter(Pattern::backtracks) {
                if !found.iter().any(|known| known.source() == pattern.source()) {
                    found.push(pattern);
                }
            }
        });
    }
    found
}
