//! The weighted difference of two values, and where they differ.

use serde::Serialize;

use super::{canonical::Canonical, distance::Distance, equality::kind, weights::Weights};
use crate::{
    error::Error,
    text::{JsonType, Limits, Node, Pointer, Position, Span},
    violation::cut,
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

/// The largest number below 1.
const ALMOST: f64 = 1.0 - f64::EPSILON / 2.0;

/// Compares the output's value with the reference's.
pub(crate) fn compare(
    expected: Node<'_>,
    found: Node<'_>,
    weights: &Weights,
    rules: Rules,
    limits: &Limits,
) -> Result<Compared, Error> {
    let mut walk = Walk { finder: Finder::new(limits), rules, limits, given: weights.given };
    let similarity = walk.values(Some(expected), Some(found), found, weights, 1.0)?;
    Ok(walk.finder.finish(similarity))
}

/// Collects differences along a walk.
pub(super) struct Finder {
    path: Vec<Step>,
    differences: Vec<Difference>,
    count: usize,
    most: usize,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Finder {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { path: Vec::new(), differences: Vec::new(), count: 0, most: limits.max_violations }
    }

    pub(super) fn enter_key(&mut self, key: &str) {
        self.path.push(Step::Key(key.to_owned()));
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
        self.push(Some(expected), Some(found), found.span(), similarity, weight)
    }

    /// The output lacks a value in `holder`. Returns false.
    pub(super) fn missing(&mut self, expected: Node<'_>, holder: Node<'_>, weight: f64) -> bool {
        let start = holder.span().start;
        self.push(Some(expected), None, Span::new(start, start + 1), 0.0, weight)
    }

    /// The output has a value that the reference lacks. Returns false.
    pub(super) fn extra(&mut self, found: Node<'_>, weight: f64) -> bool {
        self.push(None, Some(found), found.span(), 0.0, weight)
    }

    fn push(
        &mut self,
        expected: Option<Node<'_>>,
        found: Option<Node<'_>>,
        span: Span,
        similarity: f64,
        weight: f64,
    ) -> bool {
        self.count += 1;
        if self.differences.len() < self.most {
            self.differences.push(Difference {
                pointer: self.pointer(),
                expected: expected.map(quoted),
                found: found.map(quoted),
                similarity,
                weight,
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

struct Walk<'l> {
    finder: Finder,
    rules: Rules,
    limits: &'l Limits,
    /// Whether a user wrote the weights.
    given: bool,
}

impl Walk<'_> {
    /// The similarity of two values of which one may be missing; `holder` is the output's value that
    /// holds, or should hold, the found one.
    ///
    /// Recursive: a document is at most `Limits::MAX_DEPTH` deep.
    fn values(
        &mut self,
        expected: Option<Node<'_>>,
        found: Option<Node<'_>>,
        holder: Node<'_>,
        weights: &Weights,
        weight: f64,
    ) -> Result<f64, Error> {
        let (expected, found) = match (expected, found) {
            (Some(expected), Some(found)) => (expected, found),
            (Some(lone), None) | (None, Some(lone)) => {
                if self.is_foreign() && lone.is_null() {
                    return Ok(1.0);
                }
                match expected {
                    Some(expected) => self.finder.missing(expected, holder, weight),
                    None => self.finder.extra(lone, weight),
                };
                return Ok(0.0);
            }
            (None, None) => return Ok(1.0),
        };
        let similarity = match (kind(expected), kind(found)) {
            (JsonType::Object, JsonType::Object) => return self.objects(expected, found, weights),
            (JsonType::Array, JsonType::Array) => return self.arrays(expected, found, weights),
            (JsonType::Null, JsonType::Null) => 1.0,
            (JsonType::String, JsonType::String) => self.strings(expected, found)?,
            (JsonType::Number, JsonType::Number) => self.numbers(expected, found),
            (JsonType::Boolean, JsonType::Boolean) => {
                f64::from(u8::from(expected.source() == found.source()))
            }
            (JsonType::Boolean | JsonType::Number, JsonType::Boolean | JsonType::Number)
                if self.is_foreign() =>
            {
                naive(number(expected), number(found))
            }
            (JsonType::Null, _) | (_, JsonType::Null) => 0.0,
            _ if self.rules == Rules::Autoevals => {
                let text = |node| Canonical::PythonDumps.text(node);
                1.0 - Distance::Levenshtein.normalized(&text(expected), &text(found), self.limits)?
            }
            _ => 0.0,
        };
        if similarity < 1.0 {
            self.finder.differs(expected, found, similarity, weight);
        }
        Ok(similarity)
    }

    fn is_foreign(&self) -> bool {
        matches!(self.rules, Rules::Lynxius | Rules::Autoevals)
    }

    fn strings(&self, expected: Node<'_>, found: Node<'_>) -> Result<f64, Error> {
        let (a, b) = (expected.as_str().unwrap_or_default(), found.as_str().unwrap_or_default());
        if a == b {
            return Ok(1.0);
        }
        if self.rules == Rules::Exact {
            return Ok(0.0);
        }
        Ok((1.0 - Distance::Levenshtein.normalized(a, b, self.limits)?).min(ALMOST))
    }

    fn numbers(&self, expected: Node<'_>, found: Node<'_>) -> f64 {
        let (x, y) = (number(expected), number(found));
        if self.is_foreign() {
            return naive(x, y);
        }
        let equal = match (expected.as_number(), found.as_number()) {
            (Some(x), Some(y)) => x.spelling() == y.spelling() || x.compare(y).is_eq(),
            _ => false,
        };
        if equal {
            return 1.0;
        }
        if self.rules == Rules::Exact || (x < 0.0) != (y < 0.0) || x == 0.0 || y == 0.0 {
            return 0.0;
        }
        let (small, large) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
        // 1 − (large − small) / (large + small), in a form that cannot overflow.
        let ratio = small / large;
        (1.0 - (1.0 - ratio) / (1.0 + ratio)).clamp(0.0, ALMOST)
    }

    fn objects(&mut self, expected: Node<'_>, found: Node<'_>, weights: &Weights) -> Result<f64, Error> {
        let mut sum = Mean::default();
        for (key, value) in keys(expected) {
            let weights = weights.member(key);
            if weights.own > 0.0 || self.rules == Rules::Lynxius {
                self.finder.enter_key(key);
                let other = found.member(key).map(|member| member.value);
                sum.add(self.values(Some(value), other, found, weights, weights.own)?, weights.own);
                self.finder.leave();
            } else {
                sum.ignored += 1;
            }
        }
        for (key, value) in keys(found) {
            if expected.member(key).is_some() {
                continue;
            }
            let weights = weights.member(key);
            if weights.own > 0.0 || self.rules == Rules::Lynxius {
                self.finder.enter_key(key);
                sum.add(self.values(None, Some(value), found, weights, weights.own)?, weights.own);
                self.finder.leave();
            } else {
                sum.ignored += 1;
            }
        }
        if self.given && sum.count == 0 && sum.ignored > 0 {
            return Err(Error::option(format!(
                "the weights of all keys at `{}` are 0: give at least one of them a weight above 0, or \
                 give their object the weight 0",
                self.finder.pointer()
            )));
        }
        Ok(sum.result())
    }

    fn arrays(&mut self, expected: Node<'_>, found: Node<'_>, weights: &Weights) -> Result<f64, Error> {
        let (mut left, mut right) = (expected.elements(), found.elements());
        let mut sum = Mean::default();
        for index in 0.. {
            let pair = (left.next(), right.next());
            let cut = self.rules == Rules::Lynxius && (pair.0.is_none() || pair.1.is_none());
            if cut || (pair.0.is_none() && pair.1.is_none()) {
                break;
            }
            self.finder.enter_index(index);
            // What another library takes for null is so in objects alone.
            let similarity = match pair {
                (Some(a), Some(b)) => self.values(Some(a), Some(b), found, weights, 1.0)?,
                (Some(a), None) => {
                    self.finder.missing(a, found, 1.0);
                    0.0
                }
                (_, extra) => {
                    extra.map(|extra| self.finder.extra(extra, 1.0));
                    0.0
                }
            };
            sum.add(similarity, 1.0);
            self.finder.leave();
        }
        Ok(match (self.rules, sum.count, expected.len().max(found.len())) {
            // Lynxius divides by zero here; we say that nothing is alike.
            (Rules::Lynxius, 0, 1..) => 0.0,
            _ => sum.result(),
        })
    }
}

/// A weighted mean that is 1 exactly where every part that weighs is.
#[derive(Default)]
struct Mean {
    parts: Vec<(f64, f64)>,
    count: usize,
    ignored: usize,
    spoilt: bool,
}

impl Mean {
    fn add(&mut self, similarity: f64, weight: f64) {
        self.count += 1;
        self.spoilt |= similarity < 1.0 && weight > 0.0;
        self.parts.push((similarity, weight));
    }

    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^32 parts")]
    fn result(&self) -> f64 {
        let total: f64 = self.parts.iter().map(|(_, weight)| weight).sum();
        let count = self.parts.len() as f64;
        if self.parts.is_empty() {
            return 1.0;
        }
        if total == 0.0 {
            return self.parts.iter().map(|(similarity, _)| similarity).sum::<f64>() / count;
        }
        if !self.spoilt {
            return 1.0;
        }
        let factor = count / total;
        let sum: f64 = self.parts.iter().map(|(similarity, weight)| similarity * weight * factor).sum();
        (sum / count).clamp(0.0, ALMOST)
    }
}

/// The members of an object, each key once.
fn keys<'d>(node: Node<'d>) -> impl Iterator<Item = (&'d str, Node<'d>)> {
    // Of several values of one key the last one counts, in the place of its own.
    node.members()
        .filter(move |member| node.member(member.key).is_some_and(|last| last.key_span == member.key_span))
        .map(|member| (member.key, member.value))
}

fn number(node: Node<'_>) -> f64 {
    match (node.as_bool(), node.as_number()) {
        (Some(flag), _) => f64::from(u8::from(flag)),
        (None, Some(number)) => number.as_f64(),
        _ => 0.0,
    }
}

/// The closeness of numbers as other libraries compute it, with their overflow.
fn naive(x: f64, y: f64) -> f64 {
    if x == 0.0 && y == 0.0 {
        return 1.0;
    }
    (1.0 - (x - y).abs() / (x.abs() + y.abs())).clamp(0.0, 1.0)
}
