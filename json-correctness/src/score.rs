//! Scores in [0, 1], and what they mean.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::{
    text::{Document, JsonType, Node, Pointer},
    violation::{Counted, Violation, ViolationKind},
};

/// A score: a number in [0, 1], never NaN.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Score(f64);

impl Score {
    /// The score 0.
    pub const ZERO: Self = Self(0.0);
    /// The score 1.
    pub const ONE: Self = Self(1.0);

    /// A score from a number in [0, 1]; `None` for every other number and for NaN.
    ///
    /// ```
    /// use json_correctness::Score;
    /// assert!(Score::new(0.5).is_some());
    /// assert!(Score::new(1.5).is_none() && Score::new(f64::NAN).is_none());
    /// ```
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// The best score of a direction if this is it, else the worst.
    pub(crate) fn binary(self, direction: Direction) -> Self {
        if self == direction.best() { self } else { direction.worst() }
    }
}

impl From<bool> for Score {
    /// 1 for true, 0 for false.
    fn from(right: bool) -> Self {
        if right { Self::ONE } else { Self::ZERO }
    }
}

/// Which end of a score is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Direction {
    /// 1 is best: a case passes where score ≥ threshold.
    HigherIsBetter,
    /// 0 is best, as for a distance: a case passes where score ≤ threshold.
    LowerIsBetter,
}

impl Direction {
    pub(crate) fn best(self) -> Score {
        match self {
            Self::HigherIsBetter => Score::ONE,
            Self::LowerIsBetter => Score::ZERO,
        }
    }

    pub(crate) fn worst(self) -> Score {
        match self {
            Self::HigherIsBetter => Score::ZERO,
            Self::LowerIsBetter => Score::ONE,
        }
    }

    pub(crate) fn reaches(self, score: Score, threshold: Score) -> bool {
        match self {
            Self::HigherIsBetter => score >= threshold,
            Self::LowerIsBetter => score <= threshold,
        }
    }

    pub(crate) fn relation(self, reached: bool) -> &'static str {
        match (self, reached) {
            (Self::HigherIsBetter, true) => "≥",
            (Self::HigherIsBetter, false) => "<",
            (Self::LowerIsBetter, true) => "≤",
            (Self::LowerIsBetter, false) => ">",
        }
    }
}

/// Partial credit for a document with violations, in [0, 1): the credit of the root, where
///
/// - a value with a violation of its own, such as a wrong type, has credit 0, and so has everything
///   inside it;
/// - an object or array that breaks a rule about itself as a whole (its size, its keys, uniqueness)
///   has half its credit for each such rule;
/// - an object's credit is the mean over its members and its missing required fields, an array's the
///   mean over its elements; a missing, unknown, misspelt or doubled member has credit 0;
/// - any other value has credit 1.
///
/// One more fault never raises it: it zeroes or halves one term, or adds a term of 0. It is 0 where
/// the violations were not all found.
pub(crate) fn graded(document: &Document<'_>, violations: &[Violation]) -> Score {
    let mut faults = Faults::default();
    for violation in violations {
        faults.add(violation);
    }
    if faults.incomplete {
        return Score::ZERO;
    }
    let credit = faults.credit(document.root(), &Pointer::root());
    // A violation whose place the document does not have still takes the full credit away.
    Score(if credit < 1.0 || violations.is_empty() { credit } else { 0.0 })
}

#[derive(Default)]
struct Faults {
    /// Values of no credit.
    wrong: HashSet<Pointer>,
    /// How many rules about the whole of it a container breaks.
    halved: HashMap<Pointer, i32>,
    /// How many members of no credit an object has beside those that stand in the text.
    absent: HashMap<Pointer, usize>,
    incomplete: bool,
}

impl Faults {
    fn add(&mut self, violation: &Violation) {
        let found_at = violation.found_at().clone();
        match &violation.kind {
            ViolationKind::MissingField { .. } | ViolationKind::DependentField { .. } => {
                *self.absent.entry(found_at).or_default() += 1;
            }
            ViolationKind::DuplicateKey { first, .. } => {
                let object = found_at.parent().unwrap_or_default();
                self.wrong.insert(object.key(first));
                self.wrong.insert(found_at);
            }
            ViolationKind::Count { counted, .. } if *counted == Counted::Characters => {
                self.wrong.insert(found_at);
            }
            ViolationKind::Count { .. } | ViolationKind::NotUnique { .. } => {
                *self.halved.entry(found_at).or_default() += 1;
            }
            ViolationKind::Truncated { .. } => self.incomplete = true,
            _ => {
                self.wrong.insert(found_at);
            }
        }
    }

    fn credit(&self, node: Node<'_>, pointer: &Pointer) -> f64 {
        if self.wrong.contains(pointer) {
            return 0.0;
        }
        let whole = 0.5_f64.powi(self.halved.get(pointer).copied().unwrap_or(0));
        let absent = self.absent.get(pointer).copied().unwrap_or(0);
        let (sum, count) = match node.json_type() {
            JsonType::Object => node.members().fold((0.0, absent), |(sum, count), member| {
                (sum + self.credit(member.value, &pointer.key(member.key)), count + 1)
            }),
            JsonType::Array => {
                node.elements().enumerate().fold((0.0, 0), |(sum, count), (index, element)| {
                    (sum + self.credit(element, &pointer.index(index)), count + 1)
                })
            }
            _ => (1.0, 1),
        };
        #[expect(clippy::cast_precision_loss, reason = "a mean over fewer than 2^32 members")]
        let mean = if count == 0 { 1.0 } else { sum / count as f64 };
        whole * mean
    }
}
