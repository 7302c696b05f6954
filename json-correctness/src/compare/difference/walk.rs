//! The walk over both values.

use std::collections::HashMap;

use super::{ALMOST, Finder, Rules};
use crate::{
    compare::{
        equality::kind,
        fields::{Fields, Place},
        weights::Weights,
    },
    error::Error,
    text::{Document, JsonType, Limits, Node},
};

pub(super) struct Walk<'d, 'l> {
    pub(super) finder: Finder<'d>,
    pub(super) rules: Rules,
    pub(super) limits: &'l Limits,
    /// Whether a user wrote the weights.
    given: bool,
    /// Whether a key may stand twice in one object of either document.
    duplicates: bool,
    /// More than 0 while elements are only weighed against each other: then nothing is noted, and
    /// every step is counted.
    pub(super) weighing: usize,
    /// Steps that may still be taken in weighing.
    steps: usize,
    /// What lists were found to have in common when they were weighed, by their ids: without it, lists
    /// in lists would be weighed again at every level.
    pub(super) weighed: HashMap<(usize, usize), f64>,
    /// The similarities and weights of the objects and lists that are open, one behind the other.
    parts: Vec<[f64; 2]>,
}

/// How one value is compared.
#[derive(Clone)]
pub(super) struct Rule<'w> {
    pub(super) weights: &'w Weights,
    pub(super) place: Place<'w>,
    /// What it weighs among its siblings.
    pub(super) weight: f64,
}

impl<'w> Rule<'w> {
    pub(super) fn root(weights: &'w Weights, fields: &'w Fields) -> Self {
        Self { weights, place: fields.root(), weight: 1.0 }
    }

    fn member(&self, key: &str) -> Self {
        let weights = self.weights.member(key);
        if self.place.is_silent() {
            return Self { weights, place: self.place.clone(), weight: weights.own };
        }
        let place = self.place.member(key);
        let weight = match place.weight() {
            _ if place.is_ignored() => 0.0,
            // Weights that were given come before those of the schema.
            Some(weight) if !self.weights.given => weight,
            _ => weights.own,
        };
        Self { weights, place, weight }
    }

    pub(super) fn element(&self, index: usize) -> Self {
        let place = if self.place.is_silent() { self.place.clone() } else { self.place.element(index) };
        Self { weights: self.weights, place, weight: 1.0 }
    }
}

/// A pair of values of which at least one is there.
#[derive(Clone, Copy)]
pub(super) enum Pair<'d> {
    Both(Node<'d>, Node<'d>),
    Missing(Node<'d>),
    Extra(Node<'d>),
}

impl<'d, 'l> Walk<'d, 'l> {
    pub(super) fn new(
        rules: Rules,
        weights: &Weights,
        limits: &'l Limits,
        expected: &Document<'_>,
        found: &Document<'_>,
    ) -> Self {
        Self {
            finder: Finder::new(limits),
            rules,
            limits,
            given: weights.given,
            duplicates: !expected.duplicates().is_empty() || !found.duplicates().is_empty(),
            weighing: 0,
            steps: limits.max_alignment_steps,
            weighed: HashMap::new(),
            parts: Vec::new(),
        }
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(self.rules, Rules::Lynxius | Rules::Autoevals)
    }

    /// Counts steps while elements are weighed.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.weighing > 0 { self.count(steps) } else { Ok(()) }
    }

    /// Counts steps of an alignment.
    pub(super) fn count(&mut self, steps: usize) -> Result<(), Error> {
        self.steps = self.steps.checked_sub(steps).ok_or_else(|| {
            Error::limit(format!(
                "to align the list at `{}` costs more than max_alignment_steps = {}: raise the limit, or \
                 align by a key",
                self.finder.pointer(),
                self.limits.max_alignment_steps
            ))
        })?;
        Ok(())
    }

    /// The similarity of two values.
    ///
    /// Recursive: a document is at most `Limits::MAX_DEPTH` deep.
    pub(super) fn values(
        &mut self,
        expected: Node<'d>,
        found: Node<'d>,
        rule: Rule<'_>,
    ) -> Result<f64, Error> {
        self.spend(1)?;
        // Most values are equal, to the letter. (Weights that a user gave are checked on the way.)
        let scalar = !matches!(found.json_type(), JsonType::Object | JsonType::Array);
        if (scalar || !self.given) && expected.source() == found.source() {
            return Ok(1.0);
        }
        if let (JsonType::Array, JsonType::Array) = (expected.json_type(), found.json_type()) {
            return self.lists(expected, found, &rule);
        }
        if !self.is_foreign()
            && !rule.place.is_silent()
            && let Some(similarity) = self.as_told(expected, found, &rule.place)?
        {
            return Ok(self.noted(expected, found, similarity, &rule));
        }
        if let (JsonType::Object, JsonType::Object) = (expected.json_type(), found.json_type()) {
            return self.objects(expected, found, &rule);
        }
        let similarity = self.leaves(expected, found)?;
        Ok(self.noted(expected, found, similarity, &rule))
    }

    /// Notes a difference.
    fn noted(&mut self, expected: Node<'_>, found: Node<'_>, similarity: f64, rule: &Rule<'_>) -> f64 {
        if similarity < 1.0 && self.weighing == 0 {
            let threshold = rule.place.threshold();
            self.finder.differs_within(expected, found, similarity, rule.weight, threshold);
        }
        similarity
    }

    /// The similarity of values of which one may be missing; `holder` is what holds, or should hold,
    /// the found one.
    pub(super) fn pair(&mut self, pair: Pair<'d>, holder: Node<'d>, rule: Rule<'_>) -> Result<f64, Error> {
        match pair {
            Pair::Both(expected, found) => return self.values(expected, found, rule),
            _ if self.weighing > 0 => {}
            Pair::Missing(expected) => drop(self.finder.missing(expected, holder, rule.weight)),
            Pair::Extra(found) => drop(self.finder.extra(found, rule.weight)),
        }
        Ok(0.0)
    }

    fn objects(&mut self, expected: Node<'d>, found: Node<'d>, rule: &Rule<'_>) -> Result<f64, Error> {
        let start = self.parts.len();
        let (mut ignored, mut matched) = (0, 0);
        // Most writers keep one order of keys: a look-up is only needed where they do not.
        let mut beside = found.members();
        for member in expected.members() {
            if self.is_repeated(expected, member.key, member.value) {
                continue;
            }
            let other = match beside.next() {
                Some(other) if !self.duplicates && other.key == member.key => Some(other.value),
                _ => found.member(member.key).map(|other| other.value),
            };
            matched += usize::from(other.is_some());
            let pair = other.map_or(Pair::Missing(member.value), |other| Pair::Both(member.value, other));
            ignored += usize::from(!self.member(member.key, pair, found, rule)?);
        }
        if self.duplicates || matched < found.len() {
            for member in found.members() {
                let known = expected.member(member.key).is_some();
                if known || self.is_repeated(found, member.key, member.value) {
                    continue;
                }
                ignored += usize::from(!self.member(member.key, Pair::Extra(member.value), found, rule)?);
            }
        }
        if self.given && self.parts.len() == start && ignored > 0 {
            return Err(Error::option(format!(
                "the weights of all keys at `{}` are 0: give at least one of them a weight above 0, or \
                 give their object the weight 0",
                self.finder.pointer()
            )));
        }
        Ok(self.mean(start))
    }

    /// Whether another value of the same key, further on, counts instead.
    fn is_repeated(&self, object: Node<'_>, key: &str, value: Node<'_>) -> bool {
        self.duplicates && object.member(key).is_some_and(|last| last.value.id() != value.id())
    }

    /// Compares a member, unless it weighs nothing; whether it was.
    fn member(
        &mut self,
        key: &'d str,
        pair: Pair<'d>,
        holder: Node<'d>,
        rule: &Rule<'_>,
    ) -> Result<bool, Error> {
        let rule = rule.member(key);
        let weight = rule.weight;
        if weight <= 0.0 && self.rules != Rules::Lynxius {
            return Ok(false);
        }
        self.finder.enter_key(key);
        let similarity = match pair {
            // What is missing is null to other libraries.
            Pair::Missing(lone) | Pair::Extra(lone) if self.is_foreign() && lone.is_null() => 1.0,
            pair => self.pair(pair, holder, rule)?,
        };
        self.part(similarity, weight);
        self.finder.leave();
        Ok(true)
    }

    pub(super) fn part(&mut self, similarity: f64, weight: f64) {
        self.parts.push([similarity, weight]);
    }

    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The weighted mean of the parts from `start` on, which are taken away: 1 exactly where every part
    /// that weighs is.
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^32 parts")]
    pub(super) fn mean(&mut self, start: usize) -> f64 {
        let parts = &self.parts[start..];
        let count = parts.len() as f64;
        let total: f64 = parts.iter().map(|[_, weight]| weight).sum();
        let mean =
            if parts.iter().all(|&[similarity, weight]| similarity >= 1.0 || weight <= 0.0) && total > 0.0 {
                1.0
            } else if total > 0.0 {
                let factor = count / total;
                let sum: f64 = parts.iter().map(|[similarity, weight]| similarity * weight * factor).sum();
                (sum / count).clamp(0.0, ALMOST)
            } else if parts.is_empty() {
                1.0
            } else {
                parts.iter().map(|[similarity, _]| similarity).sum::<f64>() / count
            };
        self.parts.truncate(start);
        mean
    }

    /// Whether two values are of one kind; integers are numbers.
    pub(super) fn kinds(expected: Node<'_>, found: Node<'_>) -> (JsonType, JsonType) {
        (kind(expected), kind(found))
    }
}
