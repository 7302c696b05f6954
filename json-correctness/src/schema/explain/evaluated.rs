//! `unevaluatedProperties` and `unevaluatedItems`: which fields and items the other keywords of a
//! subschema, and of those that apply to the same value and accept it, have looked at.

use std::collections::HashSet;

use super::{
    graph::{Id, Schema},
    subject::Subject,
    walk::{Flow, Walk},
};
use crate::text::Node;

/// What counts as evaluated, by the place among the members or elements.
struct Marks {
    seen: Vec<bool>,
    /// The subschemas on the way, against loops.
    path: HashSet<Id>,
}

impl<'a> Walk<'a> {
    pub(super) fn valid_unevaluated_fields(&mut self, rest: Id, id: Id, node: Node<'a>) -> Flow<bool> {
        let mut marks = Marks { seen: vec![false; node.len()], path: HashSet::new() };
        self.spend(node.len() / 4)?;
        self.evaluate(id, node, &mut marks, false)?;
        for (member, seen) in node.members().zip(&marks.seen) {
            if !seen && !self.valid(rest, Subject::Value(member.value))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn valid_unevaluated_items(&mut self, rest: Id, id: Id, node: Node<'a>) -> Flow<bool> {
        let mut marks = Marks { seen: vec![false; node.len()], path: HashSet::new() };
        self.spend(node.len() / 4)?;
        self.evaluate(id, node, &mut marks, false)?;
        for (element, seen) in node.elements().zip(&marks.seen) {
            if !seen && !self.valid(rest, Subject::Value(element))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Marks what the subschema evaluates; with its own `unevaluated…` only where it is an inner one.
    fn evaluate(&mut self, id: Id, node: Node<'a>, marks: &mut Marks, inner: bool) -> Flow<()> {
        self.spend(1)?;
        if !marks.path.insert(id) {
            return Ok(());
        }
        self.enter()?;
        let graph = self.graph;
        let result = self.mark_inside(graph.schema(id), node, marks, inner);
        self.leave();
        marks.path.remove(&id);
        result
    }

    fn mark_inside(
        &mut self,
        schema: &'a Schema,
        node: Node<'a>,
        marks: &mut Marks,
        inner: bool,
    ) -> Flow<()> {
        self.mark_fields(schema, node, marks, inner)?;
        self.mark_items(schema, node, marks, inner)?;
        let Some(applied) = &schema.applied else { return Ok(()) };
        for &target in &applied.refs {
            self.evaluate(target, node, marks, true)?;
        }
        let value = Subject::Value(node);
        if let Some(condition) = &applied.condition {
            let holds = self.valid(condition.test, value)?;
            if holds {
                self.evaluate(condition.test, node, marks, true)?;
            }
            if let Some(chosen) = if holds { condition.then } else { condition.otherwise } {
                self.evaluate(chosen, node, marks, true)?;
            }
        }
        for &part in &applied.all_of {
            if self.valid(part, value)? {
                self.evaluate(part, node, marks, true)?;
            }
        }
        if let Some(union) = &applied.any_of {
            for place in self.fitting(union, value, usize::MAX)? {
                self.evaluate(union.branches[place], node, marks, true)?;
            }
        }
        if let Some(union) = &applied.one_of
            && let [place] = self.fitting(union, value, 2)?[..]
        {
            self.evaluate(union.branches[place], node, marks, true)?;
        }
        Ok(())
    }

    fn mark_fields(
        &mut self,
        schema: &'a Schema,
        node: Node<'a>,
        marks: &mut Marks,
        inner: bool,
    ) -> Flow<()> {
        let Some(rules) = &schema.object else { return Ok(()) };
        for (place, member) in node.members().enumerate() {
            if marks.seen[place] {
                continue;
            }
            let mut seen = rules.additional.is_some() || rules.property(member.key).is_some();
            for (pattern, _) in &rules.patterns {
                if seen {
                    break;
                }
                let matches = self.matches(pattern, member.key)?;
                seen = matches != Some(false);
            }
            if let Some(rest) = rules.unevaluated.filter(|_| inner && !seen) {
                seen = self.valid(rest, Subject::Value(member.value))?;
            }
            marks.seen[place] = seen;
        }
        for (name, dependent) in &rules.dependent_schemas {
            if node.member(name).is_some() {
                self.evaluate(*dependent, node, marks, true)?;
            }
        }
        Ok(())
    }

    fn mark_items(&mut self, schema: &'a Schema, node: Node<'a>, marks: &mut Marks, inner: bool) -> Flow<()> {
        let Some(rules) = &schema.array else { return Ok(()) };
        for (place, element) in node.elements().enumerate() {
            if marks.seen[place] {
                continue;
            }
            let mut seen = place < rules.evaluates;
            if let Some(contains) = rules.contains.as_ref().filter(|_| !seen) {
                seen = self.valid(contains.schema, Subject::Value(element))?;
            }
            if let Some(rest) = rules.unevaluated.filter(|_| inner && !seen) {
                seen = self.valid(rest, Subject::Value(element))?;
            }
            marks.seen[place] = seen;
        }
        Ok(())
    }
}
