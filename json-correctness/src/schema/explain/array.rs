//! The explanation of an array: its items, under all the subschemas that apply to it.

use super::{
    finding::{Cause, Finding},
    graph::{ANYTHING, ArrayRules, Id, NOTHING},
    layers::Layer,
    subject::Subject,
    walk::{Flow, Walk},
};
use crate::{
    text::Node,
    violation::{Bound, Counted},
};

struct Rules<'a> {
    rules: &'a ArrayRules,
    id: Id,
    settled: bool,
    end: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn explain_array(
        &mut self,
        layers: &[Layer<'a>],
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let mut before = vec![0];
        for layer in layers {
            before.push(before[before.len() - 1] + usize::from(layer.schema.array.is_some()));
        }
        let rules: Vec<Rules<'a>> = layers
            .iter()
            .filter_map(|layer| {
                let rules = layer.schema.array.as_deref()?;
                Some(Rules { rules, id: layer.id, settled: layer.settled, end: before[layer.end] })
            })
            .collect();
        if rules.is_empty() {
            return Ok(());
        }
        let length = node.len();
        for rule in rules.iter().filter(|rule| !rule.settled) {
            // A closed tuple that is too long is one fault, not one for each item too many.
            let most = rule.rules.prefix.len();
            if rule.rules.rest == Some(NOTHING)
                && length > most
                && rule.rules.max_items.is_none_or(|max| max >= length as u64)
            {
                let cause = Cause::Count {
                    counted: Counted::Items,
                    bound: Bound::Maximum,
                    limit: most as u64,
                    found: length as u64,
                };
                self.report(cause, node, rule.id, out)?;
            }
            self.explain_contains(rule, node, out)?;
        }
        if rules.iter().all(|rule| rule.settled || is_trivial(rule.rules)) {
            return Ok(());
        }
        let mut asked = Vec::new();
        for (place, element) in node.elements().enumerate() {
            asked.clear();
            for rule in rules.iter().filter(|rule| !rule.settled) {
                match rule.rules.prefix.get(place).copied().or(rule.rules.rest) {
                    // Reported above.
                    Some(NOTHING) if place >= rule.rules.prefix.len() => {}
                    Some(schema) if schema != ANYTHING => asked.push(schema),
                    _ => {}
                }
            }
            if self.graph.tracks_evaluation {
                self.ask_unevaluated(&rules, place, element, &mut asked)?;
            }
            self.explain(&asked, element, out)?;
        }
        Ok(())
    }

    fn explain_contains(&mut self, rule: &Rules<'a>, node: Node<'a>, out: &mut Vec<Finding<'a>>) -> Flow<()> {
        let Some(contains) = &rule.rules.contains else { return Ok(()) };
        let mut found = 0;
        for element in node.elements() {
            found += u64::from(self.valid(contains.schema, Subject::Value(element))?);
            if found >= contains.min && contains.max.is_none() {
                return Ok(());
            }
        }
        let counted = Counted::MatchingItems;
        if found < contains.min {
            let cause = Cause::Count { counted, bound: Bound::Minimum, limit: contains.min, found };
            self.report(cause, node, contains.schema, out)?;
        }
        if let Some(limit) = contains.max.filter(|&max| found > max) {
            let cause = Cause::Count { counted, bound: Bound::Maximum, limit, found };
            self.report(cause, node, contains.schema, out)?;
        }
        Ok(())
    }

    fn ask_unevaluated(
        &mut self,
        rules: &[Rules<'a>],
        place: usize,
        element: Node<'a>,
        asked: &mut Vec<Id>,
    ) -> Flow<()> {
        for (at, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.settled) {
            let Some(rest) = rule.rules.unevaluated.filter(|&rest| rest != ANYTHING) else { continue };
            let mut seen = false;
            for (other, inner) in rules[at..rule.end].iter().enumerate() {
                seen |= place < inner.rules.evaluates || (other > 0 && inner.rules.unevaluated.is_some());
                if let Some(contains) = inner.rules.contains.as_ref().filter(|_| !seen) {
                    seen = self.valid(contains.schema, Subject::Value(element))?;
                }
            }
            if !seen {
                asked.push(rest);
            }
        }
        Ok(())
    }
}

/// Whether nothing is asked of the items one by one.
fn is_trivial(rules: &ArrayRules) -> bool {
    rules.prefix.iter().all(|&schema| schema == ANYTHING)
        && rules.rest.is_none_or(|schema| schema == ANYTHING)
        && rules.unevaluated.is_none()
}
