//! Two lists: element by element, or aligned.

use std::collections::VecDeque;

use super::{
    ALMOST, Rules,
    walk::{Pair, Rule, Walk},
};
use crate::{
    compare::{
        assignment::{self, Units},
        canonical::Canonical,
        fields::Align,
    },
    error::Error,
    text::Node,
};

/// How many bytes of a list are sorted in one step.
const SORTED_BYTES: usize = 16;

/// An element of a list and its index, in an order that the order of the list has no part in, but for
/// equal elements.
struct Sorted<'d> {
    text: String,
    index: usize,
    node: Node<'d>,
}

fn sorted(list: Node<'_>) -> Vec<Sorted<'_>> {
    let elements = list.elements().enumerate();
    let mut sorted: Vec<Sorted<'_>> =
        elements.map(|(index, node)| Sorted { text: Canonical::unordered_text(node), index, node }).collect();
    sorted.sort_by(|a, b| (&a.text, a.index).cmp(&(&b.text, b.index)));
    sorted
}

impl<'d> Walk<'d, '_> {
    pub(super) fn lists(
        &mut self,
        expected: Node<'d>,
        found: Node<'d>,
        rule: &Rule<'_>,
    ) -> Result<f64, Error> {
        match rule.place.align() {
            None | Some(Align::Positional) => self.positional(expected, found, rule),
            Some(_) if self.is_foreign() => self.positional(expected, found, rule),
            Some(align) => {
                let ids = (expected.id(), found.id());
                if let Some(similarity) = self.weighed.get(&ids).filter(|_| self.weighing > 0) {
                    return Ok(*similarity);
                }
                // Both are sorted, at every level of lists in lists.
                self.count((expected.span().len() + found.span().len()) / SORTED_BYTES)?;
                let similarity = match align {
                    Align::Key(key) => self.keyed(expected, found, key, rule)?,
                    _ => self.unordered(expected, found, rule)?,
                };
                if self.weighing > 0 {
                    self.weighed.insert(ids, similarity);
                }
                Ok(similarity)
            }
        }
    }

    fn positional(&mut self, expected: Node<'d>, found: Node<'d>, rule: &Rule<'_>) -> Result<f64, Error> {
        let start = self.parts();
        let (mut left, mut right) = (expected.elements(), found.elements());
        for index in 0.. {
            let pair = match (left.next(), right.next()) {
                (None, None) => break,
                (None, _) | (_, None) if self.rules == Rules::Lynxius => break,
                (Some(expected), Some(found)) => Pair::Both(expected, found),
                (Some(expected), None) => Pair::Missing(expected),
                (None, Some(found)) => Pair::Extra(found),
            };
            let similarity = self.element(index, pair, found, rule)?;
            self.part(similarity, 1.0);
        }
        if self.rules == Rules::Lynxius && self.parts() == start && expected.len().max(found.len()) > 0 {
            // Lynxius divides by zero here; we say that nothing is alike.
            return Ok(0.0);
        }
        Ok(self.mean(start))
    }

    fn element(
        &mut self,
        index: usize,
        pair: Pair<'d>,
        holder: Node<'d>,
        rule: &Rule<'_>,
    ) -> Result<f64, Error> {
        self.finder.enter_index(index);
        let similarity = self.pair(pair, holder, rule.element(index))?;
        self.finder.leave();
        Ok(similarity)
    }

    /// Pairs elements so that the sum of their similarities is the greatest, and averages over the longer
    /// list. Neither the sum nor the pairs depend on the order of either list; elements that have
    /// nothing in common are not pairs.
    fn unordered(&mut self, expected: Node<'d>, found: Node<'d>, rule: &Rule<'_>) -> Result<f64, Error> {
        let (wanted, given) = (sorted(expected), sorted(found));
        let longer = wanted.len().max(given.len());
        let same =
            |(a, b): (&Sorted<'_>, &Sorted<'_>)| a.text == b.text && a.node.source() == b.node.source();
        if wanted.len() == given.len() && wanted.iter().zip(&given).all(same) {
            return Ok(1.0);
        }
        if wanted.is_empty() || given.is_empty() {
            return self.positional(expected, found, rule);
        }
        self.weighing += 1;
        let whole = Units::for_sums_of(wanted.len().min(given.len()));
        let mut units = Vec::new();
        for wanted in &wanted {
            for given in &given {
                let rule = rule.element(given.index);
                units.push(whole.of(self.values(wanted.node, given.node, rule)?));
            }
        }
        let pairs = assignment::best(&units, given.len(), |steps| self.spend(steps))?;
        self.weighing -= 1;
        let mut total = 0;
        let mut paired = vec![false; given.len()];
        for (row, (wanted, column)) in wanted.iter().zip(pairs).enumerate() {
            let column = column.filter(|column| units[row * given.len() + column] > 0);
            if let Some(column) = column {
                let given_one = &given[column];
                paired[column] = true;
                total += units[row * given.len() + column];
                if self.weighing == 0 {
                    self.element(given_one.index, Pair::Both(wanted.node, given_one.node), found, rule)?;
                }
            } else {
                self.element(wanted.index, Pair::Missing(wanted.node), found, rule)?;
            }
        }
        for (given, _) in given.iter().zip(paired).filter(|(_, paired)| !paired) {
            self.element(given.index, Pair::Extra(given.node), found, rule)?;
        }
        let all = wanted.len() == given.len() && total == whole.one * longer as i64;
        Ok(if all { 1.0 } else { whole.mean(total, longer).clamp(0.0, ALMOST) })
    }

    /// Pairs elements that have the same value under a key, and averages over the keys of either list, as
    /// if the lists were objects. Of elements with the same key, or without one, the first belong
    /// together, and so on, in the order of their canonical texts.
    fn keyed(
        &mut self,
        expected: Node<'d>,
        found: Node<'d>,
        key: &str,
        rule: &Rule<'_>,
    ) -> Result<f64, Error> {
        let named = |element: &Sorted<'_>| {
            element.node.member(key).map(|member| Canonical::unordered_text(member.value))
        };
        let mut given: std::collections::HashMap<_, VecDeque<Sorted<'d>>> = std::collections::HashMap::new();
        for element in sorted(found) {
            given.entry(named(&element)).or_default().push_back(element);
        }
        let start = self.parts();
        let mut lacking = Vec::new();
        for wanted in sorted(expected) {
            match given.get_mut(&named(&wanted)).and_then(VecDeque::pop_front) {
                Some(given) => {
                    let pair = Pair::Both(wanted.node, given.node);
                    let similarity = self.element(given.index, pair, found, rule)?;
                    self.part(similarity, 1.0);
                }
                None => lacking.push((wanted.index, wanted.node)),
            }
        }
        for (index, node) in lacking {
            let similarity = self.element(index, Pair::Missing(node), found, rule)?;
            self.part(similarity, 1.0);
        }
        let mut surplus: Vec<_> = given.into_values().flatten().map(|left| (left.index, left.node)).collect();
        surplus.sort_unstable_by_key(|left| left.0);
        for (index, node) in surplus {
            let similarity = self.element(index, Pair::Extra(node), found, rule)?;
            self.part(similarity, 1.0);
        }
        Ok(self.mean(start))
    }
}
