//! The explanation of one value: every subschema that applies to it is laid over the others, and they
//! are explained as one, so that a field which one of them misses and another one knows is not
//! reported twice.

use super::{
    finding::{Cause, Finding, Sink},
    graph::{ANYTHING, Condition, Id, NOTHING, Schema},
    subject::Subject,
    walk::{Flow, Stop, Walk},
};
use crate::text::{JsonType, Node};

/// A subschema that applies to the value at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'a> {
    pub(super) id: Id,
    pub(super) schema: &'a Schema,
    /// Behind the layers that this one brought along.
    pub(super) end: usize,
    /// It accepts the value, or is explained already: it only counts for what it knows.
    pub(super) settled: bool,
}

/// The layers of one value, in the order in which they were met.
pub(super) struct Layers<'a> {
    pub(super) all: Vec<Layer<'a>>,
    /// Subschemas between the outermost one and the one that is being laid.
    path: Vec<Id>,
}

impl<'a> Walk<'a> {
    /// Adds the root causes for which the subschemas refuse the value.
    pub(super) fn explain(&mut self, roots: &[Id], node: Node<'a>, out: &mut Vec<Finding<'a>>) -> Flow<()> {
        if roots.iter().all(|&id| id == ANYTHING) {
            return Ok(());
        }
        self.enter()?;
        let result = self.explain_inside(roots, node, out);
        self.leave();
        result
    }

    fn explain_inside(&mut self, roots: &[Id], node: Node<'a>, out: &mut Vec<Finding<'a>>) -> Flow<()> {
        let mut layers = Layers { all: Vec::new(), path: Vec::new() };
        for &root in roots {
            self.lay(root, node, &mut layers, false, out)?;
        }
        match node.json_type() {
            JsonType::Object => self.explain_object(&layers.all, node, out),
            JsonType::Array => self.explain_array(&layers.all, node, out),
            _ => Ok(()),
        }
    }

    pub(super) fn report(
        &mut self,
        cause: Cause<'a>,
        node: Node<'a>,
        schema: Id,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        out.push(Finding { cause, node, schema });
        if out.len() > self.max_findings { Err(Stop::Enough) } else { Ok(()) }
    }

    /// Lays a subschema and all that applies with it over the value.
    pub(super) fn lay(
        &mut self,
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        settled: bool,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        if id == ANYTHING {
            return Ok(());
        }
        if id == NOTHING {
            return if settled { Ok(()) } else { self.report(Cause::Forbidden(None), node, id, out) };
        }
        self.spend(1)?;
        // What was laid once says nothing new, except inside another `unevaluated…`.
        let again = layers.path.contains(&id)
            || (!self.graph.tracks_evaluation
                && layers.all.iter().any(|layer| layer.id == id && (settled || !layer.settled)));
        if again {
            return Ok(());
        }
        self.spend(layers.all.len() / 16)?;
        self.enter()?;
        let graph = self.graph;
        let schema = graph.schema(id);
        let at = layers.all.len();
        layers.all.push(Layer { id, schema, end: at + 1, settled });
        layers.path.push(id);
        if !settled {
            let mut causes = Vec::new();
            self.assertions(schema, Subject::Value(node), &mut Sink::All(&mut causes))?;
            for cause in causes {
                self.report(cause, node, id, out)?;
            }
        }
        self.lay_applied(schema, id, node, layers, settled, out)?;
        layers.path.pop();
        layers.all[at].end = layers.all.len();
        self.leave();
        Ok(())
    }

    fn lay_applied(
        &mut self,
        schema: &'a Schema,
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        settled: bool,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        if let Some(rules) = &schema.object {
            for (name, dependent) in &rules.dependent_schemas {
                if node.member(name).is_some() {
                    self.lay(*dependent, node, layers, settled, out)?;
                }
            }
        }
        let Some(applied) = &schema.applied else { return Ok(()) };
        for part in schema.conjuncts() {
            self.lay(part, node, layers, settled, out)?;
        }
        if let Some(condition) = &applied.condition {
            self.lay_condition(condition, node, layers, settled, out)?;
        }
        for &part in applied.not.iter().filter(|_| !settled) {
            if self.valid(part, Subject::Value(node))? {
                self.report(Cause::Forbidden(Some(part)), node, id, out)?;
            }
        }
        if let Some(union) = &applied.any_of {
            self.lay_union(union, false, id, node, layers, settled, out)?;
        }
        if let Some(union) = &applied.one_of {
            self.lay_union(union, true, id, node, layers, settled, out)?;
        }
        Ok(())
    }

    fn lay_condition(
        &mut self,
        condition: &Condition,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        settled: bool,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let holds = self.valid(condition.test, Subject::Value(node))?;
        if holds {
            self.lay(condition.test, node, layers, true, out)?;
        }
        match if holds { condition.then } else { condition.otherwise } {
            Some(chosen) => self.lay(chosen, node, layers, settled, out),
            None => Ok(()),
        }
    }
}
