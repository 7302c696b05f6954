//! From findings to violations: pointers, spans and words, for those that are reported.

use std::collections::{HashMap, HashSet};

use super::{
    describe::{describe, excerpt, literal},
    finding::{Cause, Finding},
    graph::{Graph, Id},
    names::Effort,
    suggest,
    unions::Union,
};
use crate::{
    schema::format,
    text::{Document, Limits, Node, Pointer, Span},
    violation::{Violation, ViolationKind, cut},
};

/// Most allowed values that a violation carries.
const MAX_ALLOWED: usize = 100;
/// Most branches that are named in one violation.
const MAX_NAMED: usize = 8;
/// What the violations may take together, about: names and keys can be as long as schema and text.
const MAX_BYTES: usize = 4 << 20;
/// What may be spent on comparing names, in steps of the walk.
const MAX_EFFORT: usize = 40_000;

/// What is needed to put findings into words.
struct Words<'g> {
    graph: &'g Graph,
    effort: Effort,
    descriptions: HashMap<Id, String>,
}

/// Puts the findings into words; of very long ones only the first, at least one.
pub(super) fn violations(
    graph: &Graph,
    document: &Document<'_>,
    findings: &[Finding<'_>],
    limits: &Limits,
) -> Vec<Violation> {
    let mut ids: Vec<u32> = findings.iter().map(|finding| finding.node.id() as u32).collect();
    ids.sort_unstable();
    ids.dedup();
    let pointers = document.pointers(&ids, MAX_BYTES);
    let listed: HashSet<usize> = findings
        .iter()
        .filter(|finding| matches!(finding.cause, Cause::NotAllowed(_)))
        .map(|finding| finding.node.id())
        .collect();
    let mut words = Words { graph, effort: Effort { left: MAX_EFFORT }, descriptions: HashMap::new() };
    let mut violations = Vec::with_capacity(findings.len());
    let mut bytes = 0;
    for finding in findings {
        let place = ids.binary_search(&(finding.node.id() as u32)).unwrap_or_default();
        let Some(pointer) = pointers.get(place) else { continue };
        let mut violation = words.violation(finding, pointer.clone());
        // Another type alone does not make a value one of the allowed ones.
        if matches!(finding.cause, Cause::Type { .. }) && listed.contains(&finding.node.id()) {
            violation.suggestion = None;
        }
        // The message names every part that can be long.
        bytes += violation.pointer.as_str().len() + violation.message.len();
        cut(&mut violation.message, limits.max_message_bytes);
        violations.push(violation);
        if bytes > MAX_BYTES {
            break;
        }
    }
    violations
}

impl Words<'_> {
    fn violation(&mut self, finding: &Finding<'_>, pointer: Pointer) -> Violation {
        let graph = self.graph;
        let Finding { cause, node, schema } = finding;
        let found = || excerpt(node.source());
        let here = |kind| Violation::new(kind, pointer.clone(), node.span());
        match cause {
            Cause::Type { expected, found } => {
                let kind = ViolationKind::WrongType { expected: expected.list(), found: *found };
                with(here(kind), suggest::wrong_type(graph, *schema, *expected, *node))
            }
            Cause::NotAllowed(values) => {
                let allowed = values.iter().take(MAX_ALLOWED).map(literal).collect();
                with(
                    here(ViolationKind::NotAllowed { found: found(), allowed }),
                    suggest::allowed(*node, values, &mut self.effort),
                )
            }
            Cause::OutOfRange(bound, limit) => {
                here(ViolationKind::OutOfRange { bound: *bound, limit: excerpt(limit), found: found() })
            }
            Cause::NotMultipleOf(divisor) => {
                here(ViolationKind::NotMultipleOf { divisor: excerpt(divisor), found: found() })
            }
            Cause::Count { counted, bound, limit, found } => {
                here(ViolationKind::Count { counted: *counted, bound: *bound, limit: *limit, found: *found })
            }
            Cause::Pattern(pattern) => {
                here(ViolationKind::Pattern { pattern: (*pattern).to_owned(), found: found() })
            }
            Cause::Format(name) => {
                let format = format::public_name(name).to_owned();
                here(ViolationKind::Format { format, found: found() })
            }
            Cause::Content(expected) => here(ViolationKind::Content { expected: (*expected).to_owned() }),
            Cause::NotUnique(first, second) => not_unique(*node, *first, *second, pointer),
            Cause::Missing { field, values } => {
                let kind = ViolationKind::MissingField { field: (*field).to_owned() };
                with(Violation::new(kind, pointer.key(field), opening(*node)), suggest::tag(field, values))
            }
            Cause::Misspelt { field, member, required } => {
                let kind = ViolationKind::MisspeltField {
                    field: (*field).to_owned(),
                    found: member.key.to_owned(),
                    required: *required,
                };
                Violation::new(kind, pointer.key(field), member.key_span)
            }
            Cause::Unknown { member, known } => {
                let kind = ViolationKind::UnknownField {
                    field: member.key.to_owned(),
                    known: known.iter().map(|name| (*name).to_owned()).collect(),
                };
                let violation = Violation::new(kind, pointer.key(member.key), member.key_span);
                let there = |name: &str| node.member(name).is_some();
                with(violation, suggest::known(known, member.key, there, &mut self.effort))
            }
            Cause::Wrapper(member) => {
                let field = member.key.to_owned();
                let kind = ViolationKind::UnknownField { field, known: Vec::new() };
                Violation::new(kind, pointer.key(member.key), member.key_span)
                    .with_suggestion("it holds what should stand in its place: take that out")
            }
            Cause::Duplicate { member, first } => {
                let kind =
                    ViolationKind::DuplicateKey { key: member.key.to_owned(), first: first.key.to_owned() };
                Violation::new(kind, pointer.key(member.key), member.key_span)
                    .with_related(first.key_span, "the other name")
            }
            Cause::InvalidKey { member, reason, suggestion } => {
                let kind = ViolationKind::InvalidKey { key: member.key.to_owned(), reason: reason.clone() };
                with(Violation::new(kind, pointer.key(member.key), member.key_span), suggestion.clone())
            }
            Cause::Dependent { field, because } => {
                let kind = ViolationKind::DependentField {
                    field: (*field).to_owned(),
                    because: because.key.to_owned(),
                };
                Violation::new(kind, pointer.key(field), opening(*node))
                    .with_related(because.key_span, "this field asks for it")
            }
            Cause::NoBranch(union, places) => {
                here(ViolationKind::NoBranch { branches: self.branches(union, places) })
            }
            Cause::SeveralBranches(union, places) => {
                here(ViolationKind::SeveralBranches { fitting: self.branches(union, places) })
            }
            Cause::Forbidden(forbidden) => here(ViolationKind::Forbidden {
                forbidden: forbidden.map(|id| self.described(id).to_owned()).unwrap_or_default(),
            }),
        }
    }

    fn described(&mut self, id: Id) -> &str {
        self.descriptions.entry(id).or_insert_with(|| describe(self.graph, id))
    }

    fn branches(&mut self, union: &Union, places: &[usize]) -> Vec<String> {
        let mut named: Vec<String> = Vec::new();
        for &place in places {
            let words = self.described(union.branches[place]);
            if !named.iter().any(|other| other == words) {
                named.push(words.to_owned());
            }
        }
        if named.len() > MAX_NAMED {
            let more = named.len() - MAX_NAMED;
            named.truncate(MAX_NAMED);
            named.push(format!("{more} more"));
        }
        named
    }
}

fn with(violation: Violation, suggestion: Option<String>) -> Violation {
    match suggestion {
        Some(suggestion) => violation.with_suggestion(suggestion),
        None => violation,
    }
}

/// The fault is at the second of two equal items; the first one is the other place to look at.
fn not_unique(node: Node<'_>, first: usize, second: usize, pointer: Pointer) -> Violation {
    let kind = ViolationKind::NotUnique { first, second };
    let mut elements = node.elements();
    let earlier = elements.nth(first);
    let later = elements.nth(second.saturating_sub(first + 1));
    let span = later.map_or(node.span(), |later| later.span());
    let violation = Violation::new(kind, pointer, span);
    match earlier {
        Some(earlier) => violation.with_related(earlier.span(), "equal to this item"),
        None => violation,
    }
}

/// The bracket that opens the object.
fn opening(node: Node<'_>) -> Span {
    let start = node.span().start;
    Span::new(start, start + 1)
}
