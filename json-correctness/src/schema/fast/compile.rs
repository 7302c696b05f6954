//! From the schema, as the explainer has read it, to the plan.
//!
//! All subschemas that apply to one value by `$ref` and `allOf` are merged into one node. A union is
//! merged with what stands beside it, branch by branch. Only known keywords become rules: for each kind
//! of value on which another keyword has a say, the node accepts nothing.

use std::collections::{BTreeSet, HashMap};

use super::{
    merge,
    plan::{ANYTHING, Id, Kinds, NOTHING, Node, Plan, Union},
    unions,
};
use crate::schema::explain::graph::{self, Graph, Schema};

/// Most nodes of a plan: merging can multiply subschemas.
const MOST_NODES: usize = 20_000;
/// Most subschemas and names of fields that are merged in all.
const MOST_PARTS: usize = 200_000;

/// A part of what applies to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    /// The keywords of a subschema that look at the value itself.
    Own(graph::Id),
    AnyOf(graph::Id),
    OneOf(graph::Id),
}

pub(super) struct Compiler<'g> {
    pub(super) graph: &'g Graph,
    pub(super) nodes: Vec<Node>,
    known: HashMap<Vec<Part>, Id>,
    pending: Vec<(Id, Vec<Part>)>,
    parts: usize,
}

pub(super) fn compile(graph: &Graph) -> Plan {
    let mut compiler = Compiler {
        graph,
        nodes: vec![Node::of(Kinds::ALL), Node::of(Kinds::NONE)],
        known: HashMap::new(),
        pending: Vec::new(),
        parts: 0,
    };
    let root = compiler.node(&[graph.root]);
    while let Some((id, parts)) = compiler.pending.pop() {
        compiler.nodes[id as usize] = compiler.read(&parts);
    }
    let mut plan = Plan { nodes: compiler.nodes, root };
    unions::settle(&mut plan);
    plan
}

impl Compiler<'_> {
    /// The node for what all these subschemas accept; it is read when it is its turn.
    pub(super) fn node(&mut self, schemas: &[graph::Id]) -> Id {
        let parts = self.parts_of(schemas);
        self.node_of(parts)
    }

    fn node_of(&mut self, parts: BTreeSet<Part>) -> Id {
        if parts.is_empty() {
            return ANYTHING;
        }
        if parts.contains(&Part::Own(graph::NOTHING)) {
            return NOTHING;
        }
        let parts: Vec<Part> = parts.into_iter().collect();
        if let Some(&id) = self.known.get(&parts) {
            return id;
        }
        self.parts += parts.len();
        let id = self.nodes.len();
        // What lies beyond these bounds is never accepted, and nothing is known about it.
        self.nodes.push(Node::unknown());
        if id < MOST_NODES && self.parts < MOST_PARTS {
            self.known.insert(parts.clone(), id as Id);
            self.pending.push((id as Id, parts));
        }
        id as Id
    }

    /// Counts what is merged beside subschemas.
    pub(super) fn spend(&mut self, names: usize) {
        self.parts = self.parts.saturating_add(names);
    }

    /// The parts of subschemas, with all that they refer to and join. A reference that comes back to
    /// the same value adds nothing.
    fn parts_of(&self, schemas: &[graph::Id]) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        let mut pending = schemas.to_vec();
        while let Some(id) = pending.pop() {
            if id == graph::ANYTHING || !parts.insert(Part::Own(id)) {
                continue;
            }
            if let Some(applied) = &self.graph.schema(id).applied {
                pending.extend(applied.refs.iter().chain(&applied.all_of));
                parts.extend(applied.any_of.as_ref().map(|_| Part::AnyOf(id)));
                parts.extend(applied.one_of.as_ref().map(|_| Part::OneOf(id)));
            }
        }
        parts.retain(|part| !matches!(part, Part::Own(id) if is_silent(self.graph.schema(*id))));
        parts
    }

    fn read(&mut self, parts: &[Part]) -> Node {
        if self.parts >= MOST_PARTS {
            return Node::unknown();
        }
        let union = parts.iter().find(|part| !matches!(part, Part::Own(_)));
        let Some(union) = union else {
            let graph = self.graph;
            let own = |part: &Part| match part {
                Part::Own(id) | Part::AnyOf(id) | Part::OneOf(id) => graph.schema(*id),
            };
            return merge::merge(self, &parts.iter().map(own).collect::<Vec<_>>());
        };
        let (id, exclusive) = match union {
            Part::Own(id) | Part::AnyOf(id) => (*id, false),
            Part::OneOf(id) => (*id, true),
        };
        let applied = self.graph.schema(id).applied.as_ref();
        let joined = applied
            .and_then(|applied| if exclusive { applied.one_of.as_ref() } else { applied.any_of.as_ref() });
        let branches = joined.map_or(&[][..], |union| &union.branches);
        let branches = branches
            .iter()
            .map(|&branch| {
                let mut all = self.parts_of(&[branch]);
                all.extend(parts.iter().filter(|&part| part != union));
                self.node_of(all)
            })
            .collect();
        let union = Union { branches, exclusive, by_kind: Default::default(), choice: None };
        Node { union: Some(Box::new(union)), ..Node::unknown() }
    }
}

/// Whether a subschema says nothing itself.
fn is_silent(schema: &Schema) -> bool {
    schema.verdict != Some(false)
        && schema.types.is_none()
        && schema.allowed.is_none()
        && schema.constant.is_none()
        && schema.number.is_none()
        && schema.string.is_none()
        && schema.array.is_none()
        && schema.object.is_none()
        && schema.applied.as_ref().is_none_or(|applied| applied.not.is_empty() && applied.condition.is_none())
}
