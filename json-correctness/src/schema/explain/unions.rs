//! What can be known of a union (`anyOf`, `oneOf`) before any value is seen: how to tell its branches
//! apart.

use std::{collections::HashMap, rc::Rc};

use serde_json::Value;

use super::{
    graph::{Graph, Id, NOTHING, Schema},
    types::Types,
};

/// The branches of an `anyOf` or `oneOf`.
#[derive(Debug, Default)]
pub(in crate::schema) struct Union {
    pub(in crate::schema) branches: Vec<Id>,
    /// The types that each branch may accept.
    pub(super) types: Vec<Types>,
    /// The field whose value tells the object branches apart.
    pub(super) tag: Option<Tag>,
    /// The one field of each object branch, where that tells them apart: the branch by the name.
    pub(super) keys: Option<HashMap<Box<str>, usize>>,
    /// Whether no branch for objects allows another field than its one.
    pub(super) keys_only: bool,
    /// All branches together only list values; these are they, with their number of types.
    pub(super) literals: Option<Vec<Value>>,
}

/// A field that has other values in each branch.
#[derive(Debug)]
pub(super) struct Tag {
    pub(super) name: Box<str>,
    pub(super) values: Vec<Value>,
    /// The branch of each of `values`.
    pub(super) branches: Vec<usize>,
    /// The places in `values` of the strings.
    pub(super) strings: HashMap<Box<str>, usize>,
    pub(super) types: Types,
    /// Branches that may accept an object and do not ask for one of `values`.
    pub(super) untagged: Vec<usize>,
    /// Whether every tagged branch requires the field.
    pub(super) required: bool,
}

impl Union {
    pub(super) fn new(branches: Vec<Id>) -> Self {
        Self { branches, ..Self::default() }
    }
}

/// Most subschemas that are looked at to learn about one branch.
const MAX_LOOKS: usize = 64;
/// Most values of one tag in one branch.
const MAX_TAG_VALUES: usize = 64;

/// What a branch says about an object, as far as all its conjuncts say it.
struct Facts {
    types: Types,
    tags: Vec<(Box<str>, Vec<Value>)>,
    required: Vec<Box<str>>,
    /// The only field that it knows, and requires. It need not be closed to others: where such
    /// enums are flattened, fields of the struct stand beside it.
    single: Option<Box<str>>,
    /// Whether it allows no fields but those that it knows.
    closed: bool,
    /// The values, where it only lists values.
    literals: Option<Vec<Value>>,
}

/// Fills in what the unions of the graph can know.
pub(super) fn analyse(graph: &mut Graph) {
    let mut analyst = Analyst { graph, types: HashMap::new(), facts: HashMap::new() };
    let mut learnt = Vec::new();
    for id in 0..analyst.graph.schemas.len() {
        let Some(applied) = &analyst.graph.schemas[id].applied else { continue };
        let any_of = applied.any_of.as_ref().map(|union| analyst.learn(&union.branches));
        let one_of = applied.one_of.as_ref().map(|union| analyst.learn(&union.branches));
        if any_of.is_some() || one_of.is_some() {
            learnt.push((id, any_of, one_of));
        }
    }
    for (id, any_of, one_of) in learnt {
        if let Some(applied) = &mut graph.schemas[id].applied {
            applied.any_of = any_of;
            applied.one_of = one_of;
        }
    }
}

struct Analyst<'g> {
    graph: &'g Graph,
    types: HashMap<Id, Types>,
    facts: HashMap<Id, Rc<Facts>>,
}

impl Analyst<'_> {
    fn learn(&mut self, branches: &[Id]) -> Union {
        let facts: Vec<Rc<Facts>> = branches.iter().map(|&branch| self.facts(branch)).collect();
        let literals = facts
            .iter()
            .map(|facts| facts.literals.clone())
            .collect::<Option<Vec<_>>>()
            .map(|lists| lists.concat())
            .filter(|values| !values.is_empty());
        Union {
            branches: branches.to_vec(),
            types: facts.iter().map(|facts| facts.types).collect(),
            tag: find_tag(&facts),
            keys: find_keys(&facts),
            keys_only: facts.iter().all(|facts| facts.closed || !facts.types.meets(Types::OBJECT)),
            literals,
        }
    }

    fn facts(&mut self, id: Id) -> Rc<Facts> {
        if let Some(facts) = self.facts.get(&id) {
            return Rc::clone(facts);
        }
        let parts = self.conjunction(id);
        let mut facts = Facts {
            types: self.types(id, 0),
            tags: Vec::new(),
            required: Vec::new(),
            single: None,
            closed: false,
            literals: self.literals(&parts),
        };
        let mut known = Vec::new();
        for &part in &parts {
            let Some(object) = &self.graph.schema(part).object else { continue };
            facts.required.extend(object.required.iter().cloned());
            facts.closed |= object.patterns.is_empty()
                && (object.additional == Some(NOTHING) || object.unevaluated == Some(NOTHING));
            known.extend(object.properties.iter().take(2).map(|(name, _)| name.clone()));
            for (name, schema) in &object.properties {
                let values = self.conjunction(*schema);
                if let Some(values) = self.listed(&values)
                    && values.len() <= MAX_TAG_VALUES
                    && !values.iter().any(|value| value.is_array() || value.is_object())
                {
                    facts.tags.push((name.clone(), values));
                }
            }
        }
        known.dedup();
        if let [name] = known.as_slice()
            && facts.required.contains(name)
        {
            facts.single = Some(name.clone());
        }
        let facts = Rc::new(facts);
        self.facts.insert(id, Rc::clone(&facts));
        facts
    }

    /// A schema with all that it refers to and joins, as far as a look goes.
    fn conjunction(&self, id: Id) -> Vec<Id> {
        let mut parts = vec![id];
        let mut next = 0;
        while next < parts.len() && parts.len() < MAX_LOOKS {
            for child in self.graph.schema(parts[next]).conjuncts() {
                if !parts.contains(&child) {
                    parts.push(child);
                }
            }
            next += 1;
        }
        parts
    }

    /// The values that one of the parts lists.
    fn listed(&self, parts: &[Id]) -> Option<Vec<Value>> {
        parts.iter().find_map(|&part| {
            let schema = self.graph.schema(part);
            let listed = schema.constant.as_deref().or(schema.allowed.as_deref())?;
            (listed.values.len() <= 1_000).then(|| listed.values.to_vec())
        })
    }

    /// The values, where the parts say nothing but values and types.
    fn literals(&self, parts: &[Id]) -> Option<Vec<Value>> {
        let bare = |schema: &Schema| {
            schema.verdict.is_none()
                && schema.number.is_none()
                && schema.string.is_none()
                && schema.array.is_none()
                && schema.object.is_none()
                && schema.applied.as_ref().is_none_or(|applied| {
                    applied.any_of.is_none()
                        && applied.one_of.is_none()
                        && applied.not.is_empty()
                        && applied.condition.is_none()
                })
        };
        let lists =
            |schema: &Schema| usize::from(schema.constant.is_some()) + usize::from(schema.allowed.is_some());
        let schemas: Vec<&Schema> = parts.iter().map(|&part| self.graph.schema(part)).collect();
        let count: usize = schemas.iter().map(|schema| lists(schema)).sum();
        if count != 1 || !schemas.iter().all(|schema| bare(schema)) {
            return None;
        }
        let types = schemas.iter().filter_map(|schema| schema.types).fold(Types::ALL, Types::and);
        let values = self.listed(parts)?;
        values.iter().all(|value| types.meets(Types::of_value(value))).then_some(values)
    }

    /// The types that a schema may accept; never too few.
    fn types(&mut self, id: Id, depth: usize) -> Types {
        if let Some(&types) = self.types.get(&id) {
            return types;
        }
        let schema = self.graph.schema(id);
        if let Some(verdict) = schema.verdict {
            return if verdict { Types::ALL } else { Types::NONE };
        }
        if depth > MAX_LOOKS {
            return Types::ALL;
        }
        // A loop comes back here before it is known.
        self.types.insert(id, Types::ALL);
        let mut types = schema.types.unwrap_or(Types::ALL);
        for listed in [&schema.constant, &schema.allowed].into_iter().flatten() {
            types = types.and(listed.types());
        }
        for child in schema.conjuncts() {
            types = types.and(self.types(child, depth + 1));
        }
        if let Some(applied) = &schema.applied {
            for union in [&applied.any_of, &applied.one_of].into_iter().flatten() {
                let mut any = Types::NONE;
                for &branch in &union.branches {
                    any = any.or(self.types(branch, depth + 1));
                }
                types = types.and(any);
            }
        }
        self.types.insert(id, types);
        types
    }
}

/// The field that tells the object branches apart: at least two of them list values for it, and no
/// value is listed twice.
fn find_tag(facts: &[Rc<Facts>]) -> Option<Tag> {
    let objects: Vec<usize> = (0..facts.len()).filter(|&at| facts[at].types.meets(Types::OBJECT)).collect();
    let first = objects.iter().find(|&&at| !facts[at].tags.is_empty())?;
    let mut best: Option<Tag> = None;
    // A tag is a tag of nearly every branch: those of the first one are all that can be.
    for (name, _) in &facts[*first].tags {
        let mut tag = Tag {
            name: name.clone(),
            values: Vec::new(),
            branches: Vec::new(),
            strings: HashMap::new(),
            types: Types::NONE,
            untagged: Vec::new(),
            required: true,
        };
        let mut tagged = 0;
        for &branch in &objects {
            let Some((_, values)) = facts[branch].tags.iter().find(|(other, _)| other == name) else {
                tag.untagged.push(branch);
                continue;
            };
            tagged += 1;
            tag.required &= facts[branch].required.contains(name);
            for value in values {
                tag.types = tag.types.or(Types::of_value(value));
                tag.values.push(value.clone());
                tag.branches.push(branch);
            }
        }
        for (at, value) in tag.values.iter().enumerate() {
            if let Value::String(text) = value {
                tag.strings.insert(text.as_str().into(), at);
            }
        }
        let others = tag.values.iter().filter(|value| !value.is_string()).count();
        let distinct = tag.strings.len() + others == tag.values.len() && others <= 16;
        let better = best
            .as_ref()
            .is_none_or(|best| (tag.untagged.len(), !tag.required) < (best.untagged.len(), !best.required));
        if tagged >= 2 && distinct && better {
            best = Some(tag);
        }
    }
    best
}

fn find_keys(facts: &[Rc<Facts>]) -> Option<HashMap<Box<str>, usize>> {
    let objects = facts.iter().enumerate().filter(|(_, facts)| facts.types.meets(Types::OBJECT));
    let mut keys = HashMap::new();
    for (branch, facts) in objects {
        if keys.insert(facts.single.clone()?, branch).is_some() {
            return None;
        }
    }
    (!keys.is_empty()).then_some(keys)
}

impl Tag {
    /// The branch that the object's tag names, and those that ask for none of the tags. `None` as the
    /// whole answer is never given; `None` as the branch: the tag is missing or names none.
    pub(super) fn branch<'t>(&'t self, node: crate::text::Node<'_>) -> Option<(Option<usize>, &'t [usize])> {
        let named = node.member(&self.name).and_then(|member| self.named(member.value));
        Some((named, &self.untagged))
    }

    /// The branch that a value names.
    pub(super) fn named(&self, value: crate::text::Node<'_>) -> Option<usize> {
        let at = match value.as_str() {
            Some(text) => *self.strings.get(text)?,
            None => self
                .values
                .iter()
                .position(|tag| !tag.is_string() && crate::schema::judge::equals(value, tag))?,
        };
        Some(self.branches[at])
    }
}
