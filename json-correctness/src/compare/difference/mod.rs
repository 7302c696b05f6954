//! The weighted difference of two values, and where they differ.

mod leaves;
mod lists;
mod walk;

use serde::Serialize;

use super::{fields::Fields, numeric::ALMOST, weights::Weights};
use crate::{
    error::Error,
    schema::stack::with_room,
    text::{Document, Limits, Node, Pointer, Position, Span},
    violation::{Violation, cut},
};

/// One place at which an output differs from its reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The place, in the output; for what is missing there, in the reference.
    pub pointer: Pointer,
    /// The JSON text of what the reference has there, shortened where it is long; `None` where the
    /// reference has nothing.
    pub expected: Option<String>,
    /// The JSON text of what the output has there, shortened where it is long; `None` where it is
    /// missing. It comes from the model: untrusted.
    pub found: Option<String>,
    /// How similar the two are, in [0, 1]: less than 1.
    pub similarity: f64,
    /// How much the place weighs among its siblings, in [0, 1].
    pub weight: f64,
    /// Whether the place counts as right all the same: the similarity reaches the threshold that the
    /// schema gives the field (`x-expected.threshold`). Without one, what differs is wrong.
    pub right: bool,
    /// Where it stands in the output; for what is missing, the opening bracket of what should hold it.
    pub span: Span,
    /// Line and column of the span's start, both from 1.
    #[serde(flatten)]
    pub position: Position,
}

/// What two values have in common.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub(crate) struct Compared {
    /// In [0, 1]; 1 exactly where nothing that weighs differs.
    pub(crate) similarity: f64,
    /// The first places that differ, in the order of the output's text.
    pub(crate) differences: Vec<Difference>,
    /// How many places differ.
    pub(crate) count: usize,
}

/// By whose rules values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Those of this library.
    Own,
    /// As those, but strings and numbers are alike or not.
    Exact,
    /// Those of Lynxius' JSON difference: lists are cut to the shorter one, missing equals null,
    /// booleans are numbers.
    Lynxius,
    /// Those of autoevals' `JSONDiff`: missing equals null, booleans are numbers, and values of
    /// different types are compared by their texts.
    Autoevals,
}

/// Longest text of a value that a difference quotes, in bytes.
const MAX_QUOTED_BYTES: usize = 200;

/// How much more of the stack a level takes here than a level of a judgement.
const FRAMES: usize = 4;

/// Compares an output with the reference. Weights that a user gave replace those of the fields.
pub(crate) fn compare(
    expected: &Document<'_>,
    found: &Document<'_>,
    weights: &Weights,
    fields: &Fields,
    rules: Rules,
    limits: &Limits,
) -> Result<Compared, Error> {
    let run = || {
        let mut walk = walk::Walk::new(rules, weights, limits, expected, found);
        let similarity = walk.values(expected.root(), found.root(), walk::Rule::root(weights, fields))?;
        Ok(walk.finder.finish(similarity))
    };
    let depth = expected.depth().max(found.depth());
    let no_room =
        || Error::limit(format!("there is no stack for values {depth} levels deep: lower max_depth"));
    with_room(depth * FRAMES, run).ok_or_else(no_room)?
}

/// Collects differences along a walk.
pub(super) struct Finder<'d> {
    path: Vec<Step<'d>>,
    differences: Vec<Difference>,
    count: usize,
    most: usize,
}

enum Step<'d> {
    Key(&'d str),
    Index(usize),
}

impl<'d> Finder<'d> {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { path: Vec::new(), differences: Vec::new(), count: 0, most: limits.max_violations }
    }

    pub(super) fn enter_key(&mut self, key: &'d str) {
        self.path.push(Step::Key(key));
    }

    pub(super) fn enter_index(&mut self, index: usize) {
        self.path.push(Step::Index(index));
    }

    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// Both sides have a value here, and it differs. Returns false, as a verdict.
    pub(super) fn differs(
        &mut self,
        expected: Node<'_>,
        found: Node<'_>,
        similarity: f64,
        weight: f64,
    ) -> bool {
        self.differs_within(expected, found, similarity, weight, 1.0)
    }

    /// As that, of a field that is right from `threshold` on.
    fn differs_within(
        &mut self,
        expected: Node<'_>,
        found: Node<'_>,
        similarity: f64,
        weight: f64,
        threshold: f64,
    ) -> bool {
        let right = similarity >= threshold;
        self.push(Some(expected), Some(found), found.span(), [similarity, weight], right)
    }

    /// The output lacks a value in `holder`. Returns false.
    pub(super) fn missing(&mut self, expected: Node<'_>, holder: Node<'_>, weight: f64) -> bool {
        let start = holder.span().start;
        self.push(Some(expected), None, Span::new(start, start + 1), [0.0, weight], false)
    }

    /// The output has a value that the reference lacks. Returns false.
    pub(super) fn extra(&mut self, found: Node<'_>, weight: f64) -> bool {
        self.push(None, Some(found), found.span(), [0.0, weight], false)
    }

    fn push(
        &mut self,
        expected: Option<Node<'_>>,
        found: Option<Node<'_>>,
        span: Span,
        [similarity, weight]: [f64; 2],
        right: bool,
    ) -> bool {
        self.count += 1;
        if self.differences.len() < self.most {
            self.differences.push(Difference {
                pointer: self.pointer(),
                expected: expected.map(quoted),
                found: found.map(quoted),
                similarity,
                weight,
                right,
                span,
                position: Position::default(),
            });
        }
        false
    }

    fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        for step in &self.path {
            match step {
                Step::Key(key) => pointer.push_key(key),
                Step::Index(index) => pointer = pointer.index(*index),
            }
        }
        pointer
    }

    pub(super) fn finish(mut self, similarity: f64) -> Compared {
        self.differences.sort_by(|a, b| {
            (a.span.start, a.span.end, &a.pointer).cmp(&(b.span.start, b.span.end, &b.pointer))
        });
        Compared { similarity, differences: self.differences, count: self.count }
    }
}

impl Compared {
    /// Fills in the positions in the output's text.
    pub(crate) fn placed(mut self, text: &str) -> Self {
        let (mut from, mut position) = (0, Position::default());
        for difference in &mut self.differences {
            position = position.advanced(text, from, difference.span.start);
            from = difference.span.start.min(text.len()).max(from);
            difference.position = position;
        }
        self
    }
}

/// The first byte of an output that is wrong.
pub(crate) fn first_fault(violations: &[Violation], differences: &[Difference]) -> usize {
    let violations = violations.iter().map(|violation| violation.span.start);
    let differences = differences.iter().map(|difference| difference.span.start);
    violations.chain(differences).min().unwrap_or_default()
}

fn quoted(node: Node<'_>) -> String {
    let source = node.source();
    let mut end = source.len().min(MAX_QUOTED_BYTES + 1);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let mut text = source[..end].to_owned();
    cut(&mut text, MAX_QUOTED_BYTES);
    text
}
