//! From findings to violations: pointers, spans and words, for those that are reported.

use std::collections::HashSet;

use super::{
    describe::{excerpt, literal},
    finding::{Cause, Finding},
    graph::Graph,
    suggest,
};
use crate::{
    schema::format,
    text::{Document, Node, Pointer, Span},
    violation::{Violation, ViolationKind},
};

/// Most allowed values that a violation carries.
const MAX_ALLOWED: usize = 100;

/// Puts the findings into words.
pub(super) fn violations(graph: &Graph, document: &Document<'_>, findings: &[Finding<'_>]) -> Vec<Violation> {
    let mut ids: Vec<u32> = findings.iter().map(|finding| finding.node.id() as u32).collect();
    ids.sort_unstable();
    ids.dedup();
    let pointers = document.pointers(&ids);
    let listed: HashSet<usize> = findings
        .iter()
        .filter(|finding| matches!(finding.cause, Cause::NotAllowed(_)))
        .map(|finding| finding.node.id())
        .collect();
    findings
        .iter()
        .map(|finding| {
            let place = ids.binary_search(&(finding.node.id() as u32)).unwrap_or_default();
            let mut violation = violation(graph, finding, pointers.get(place).cloned().unwrap_or_default());
            // Another type alone does not make a value one of the allowed ones.
            if matches!(finding.cause, Cause::Type { .. }) && listed.contains(&finding.node.id()) {
                violation.suggestion = None;
            }
            violation
        })
        .collect()
}

fn violation(graph: &Graph, finding: &Finding<'_>, pointer: Pointer) -> Violation {
    let Finding { cause, node, schema } = finding;
    let found = || excerpt(node.source());
    let here = |kind| Violation::new(kind, pointer.clone(), node.span());
    match cause {
        Cause::Type { expected, found } => {
            let kind = ViolationKind::WrongType { expected: expected.list(), found: *found };
            with(here(kind), suggest::wrong_type(graph, *schema, *expected, *node))
        }
        Cause::NotAllowed(values) => {
            let allowed = values.iter().take(MAX_ALLOWED).map(|value| literal(value)).collect();
            with(here(ViolationKind::NotAllowed { found: found(), allowed }), suggest::allowed(*node, values))
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
            with(violation, suggest::known(known, member.key, there))
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
            let kind =
                ViolationKind::DependentField { field: (*field).to_owned(), because: because.key.to_owned() };
            Violation::new(kind, pointer.key(field), opening(*node))
                .with_related(because.key_span, "this field asks for it")
        }
        Cause::NoBranch(branches) => here(ViolationKind::NoBranch { branches: branches.clone() }),
        Cause::SeveralBranches(fitting) => here(ViolationKind::SeveralBranches { fitting: fitting.clone() }),
        Cause::Forbidden(forbidden) => here(ViolationKind::Forbidden { forbidden: forbidden.clone() }),
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
