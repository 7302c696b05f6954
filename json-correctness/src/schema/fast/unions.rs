//! How the branches of a union are told apart, once all nodes are read.
//!
//! Where exactly one branch must accept, the first that does is only believed if no other one can: of
//! each two that may accept the same kind of value, the plan must say why not both do.

use super::plan::{Choice, Field, FieldSet, Id, Kinds, NOTHING, Node, ObjectRules, Plan, StringRules, Union};

/// Most branches of one union, those of inner unions among them.
const MOST_BRANCHES: usize = 256;
/// Most pairs of branches that are told apart in all.
const MOST_PAIRS: usize = 100_000;
/// Most comparisons of strings that one pair is worth.
const MOST_COMPARISONS: usize = 10_000;
/// The kinds, in the order of their bits.
const KINDS: [Kinds; 8] = [
    Kinds::NULL,
    Kinds::TRUE,
    Kinds::FALSE,
    Kinds::INTEGER,
    Kinds::FRACTION,
    Kinds::STRING,
    Kinds::ARRAY,
    Kinds::OBJECT,
];

/// Fills in what the unions of a plan can know.
pub(super) fn settle(plan: &mut Plan) {
    let mut pairs = MOST_PAIRS;
    for id in 0..plan.nodes.len() {
        if plan.nodes[id].union.is_none() {
            continue;
        }
        let Some((branches, exclusive)) = leaves(plan, id as Id) else { continue };
        match pairs.checked_sub(branches.len() * branches.len()) {
            Some(left) => pairs = left,
            None => return,
        }
        let mut by_kind: [Vec<Id>; 8] = Default::default();
        for (list, kind) in by_kind.iter_mut().zip(KINDS) {
            *list = accepting(plan, &branches, kind, exclusive);
        }
        let strings = one_list(plan, &by_kind[5]);
        let mut choice = choice(plan, &by_kind[7]);
        if exclusive
            && by_kind[7].is_empty()
            && let Some((rivals, present)) = by_presence(plan, &branches)
        {
            (by_kind[7], choice) = (rivals, Some(present));
        }
        if let Some(list) = strings {
            let rules = StringRules { allowed: Some(list), ..StringRules::default() };
            by_kind[5] = vec![plan.nodes.len() as Id];
            plan.nodes.push(Node { string: Some(Box::new(rules)), ..Node::of(Kinds::STRING) });
        }
        plan.nodes[id].union = Some(Box::new(Union { branches, exclusive, by_kind, choice }));
    }
}

/// The branches with those of the unions among them instead of these, and whether any of the unions
/// wants exactly one. If no two branches accept the same value, all of them are content.
fn leaves(plan: &Plan, id: Id) -> Option<(Vec<Id>, bool)> {
    let (mut found, mut exclusive, mut repeated) = (Vec::new(), false, false);
    let mut seen = vec![id];
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match &plan.nodes[id as usize].union {
            None => found.push(id),
            Some(union) => {
                exclusive |= union.exclusive;
                for &branch in union.branches.iter().rev() {
                    if seen.contains(&branch) {
                        repeated = true;
                    } else {
                        seen.push(branch);
                        pending.push(branch);
                    }
                }
            }
        }
        if found.len() + pending.len() > MOST_BRANCHES {
            return None;
        }
    }
    // A branch that stands twice accepts the same twice.
    (!(exclusive && repeated)).then_some((found, exclusive))
}

/// The branches that accept values of the kind; none where two of them might accept the same value
/// and must not.
fn accepting(plan: &Plan, branches: &[Id], kind: Kinds, exclusive: bool) -> Vec<Id> {
    // Whether a number is an integer hangs on the draft.
    let wide = if Kinds::NUMBER.has(kind) { Kinds::NUMBER } else { kind };
    if exclusive {
        let rivals: Vec<&Node> = branches
            .iter()
            .map(|&branch| &plan.nodes[branch as usize])
            .filter(|node| node.possible.meets(wide))
            .collect();
        let apart = rivals
            .iter()
            .enumerate()
            .all(|(at, first)| rivals[at + 1..].iter().all(|second| exclude(plan, first, second, wide)));
        if !apart {
            return Vec::new();
        }
    }
    branches.iter().copied().filter(|&branch| plan.nodes[branch as usize].kinds.has(kind)).collect()
}

/// Whether no value of the kind is accepted by both.
fn exclude(plan: &Plan, a: &Node, b: &Node, kind: Kinds) -> bool {
    match kind {
        Kinds::STRING => refuses_list_of(a, b) || refuses_list_of(b, a),
        Kinds::OBJECT => match (&a.object, &b.object) {
            (Some(a), Some(b)) => {
                wants_what_the_other_refuses(a, b)
                    || wants_what_the_other_refuses(b, a)
                    || tells_apart(plan, a, b)
                    || tells_apart(plan, b, a)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the first one accepts no string that the second one lists.
fn refuses_list_of(first: &Node, second: &Node) -> bool {
    let (Some(rules), Some(listed)) = (&first.string, allowed(second)) else { return false };
    let refuses = |one: &str| {
        let missing = |list: &Vec<Box<str>>| list.binary_search_by(|other| (**other).cmp(one)).is_err();
        rules.forbidden.iter().any(|other| **other == *one) || rules.allowed.as_ref().is_some_and(missing)
    };
    listed.len() * (1 + rules.forbidden.len()) <= MOST_COMPARISONS && listed.iter().all(|one| refuses(one))
}

fn allowed(node: &Node) -> Option<&Vec<Box<str>>> {
    node.string.as_ref()?.allowed.as_ref()
}

/// Whether the first one requires a field that the second one does not allow.
fn wants_what_the_other_refuses(first: &ObjectRules, second: &ObjectRules) -> bool {
    let refused = |name: &str| match second.find(name) {
        Some(place) => second.fields[place].node == NOTHING,
        None => second.rest == NOTHING && second.patterns.is_empty(),
    };
    first.required_fields().any(|field| refused(field.key.name()))
}

/// Whether the first one requires a field that is a string from a list, and the second one accepts
/// none of these there.
fn tells_apart(plan: &Plan, first: &ObjectRules, second: &ObjectRules) -> bool {
    first.required_fields().any(|field| {
        let listed = only_strings(plan, field.node).is_some();
        let other = second.find(field.key.name()).filter(|_| listed);
        other.is_some_and(|place| {
            let node = |id: Id| &plan.nodes[id as usize];
            refuses_list_of(node(second.fields[place].node), node(field.node))
        })
    })
}

/// The strings that the node accepts, where it accepts nothing but listed strings.
fn only_strings(plan: &Plan, id: Id) -> Option<&Vec<Box<str>>> {
    let node = &plan.nodes[id as usize];
    let only = node.union.is_none() && Kinds::STRING.has(node.possible);
    allowed(node).filter(|_| only)
}

/// The strings of several branches, where all of them only list strings.
fn one_list(plan: &Plan, branches: &[Id]) -> Option<Vec<Box<str>>> {
    if branches.len() < 2 {
        return None;
    }
    let mut all = Vec::new();
    for &branch in branches {
        let rules = plan.nodes[branch as usize].string.as_ref()?;
        let bare = rules.min == 0
            && rules.max.is_none()
            && rules.patterns.is_empty()
            && rules.formats.is_empty()
            && rules.forbidden.is_empty();
        all.extend(rules.allowed.iter().filter(|_| bare).flatten().cloned());
        if !bare || rules.allowed.is_none() {
            return None;
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// How the only branch that may accept an object is found, where all branches say it the same way.
fn choice(plan: &Plan, branches: &[Id]) -> Option<Choice> {
    if branches.len() < 2 {
        return None;
    }
    let objects: Option<Vec<&ObjectRules>> =
        branches.iter().map(|&branch| plan.nodes[branch as usize].object.as_deref()).collect();
    let objects = objects?;
    let single = |object: &&ObjectRules| {
        object.fields.len() == 1
            && object.required == 1
            && object.rest == NOTHING
            && object.patterns.is_empty()
    };
    if objects.iter().all(single) {
        let keys = objects.iter().map(|object| object.fields[0].key.name().into());
        return distinct(keys.zip(branches.iter().copied()).collect()).map(Choice::Key);
    }
    objects[0].required_fields().find_map(|tag| {
        let mut found = Vec::new();
        for (object, &branch) in objects.iter().zip(branches) {
            let place = object.find(tag.key.name()).filter(|place| object.required >> place & 1 == 1)?;
            let values = only_strings(plan, object.fields[place].node)?;
            found.extend(values.iter().map(|value| (value.clone(), branch)));
        }
        Some(Choice::Tag { name: tag.key.name().into(), branches: distinct(found)? })
    })
}

/// Where each branch for objects requires a field that no other one requires: the branches, and how one
/// is found. An object that has just one of these fields is refused by all others.
fn by_presence(plan: &Plan, branches: &[Id]) -> Option<(Vec<Id>, Choice)> {
    let rivals: Vec<Id> = branches
        .iter()
        .copied()
        .filter(|&branch| plan.nodes[branch as usize].possible.meets(Kinds::OBJECT))
        .collect();
    let objects: Option<Vec<&ObjectRules>> =
        rivals.iter().map(|&branch| plan.nodes[branch as usize].object.as_deref()).collect();
    let objects = objects?;
    let requires =
        |object: &ObjectRules, name: &str| object.required_fields().any(|field| field.key.name() == name);
    let mut found = Vec::new();
    for (at, (object, &branch)) in objects.iter().zip(&rivals).enumerate() {
        let own = object.required_fields().map(|field| field.key.name()).find(|name| {
            objects.iter().enumerate().all(|(other, object)| other == at || !requires(object, name))
        })?;
        found.push((own.into(), branch));
    }
    Some((rivals, Choice::Present(found)))
}

fn distinct(mut branches: Vec<(Box<str>, Id)>) -> Option<Vec<(Box<str>, Id)>> {
    branches.sort_unstable();
    branches.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(branches)
}

impl ObjectRules {
    fn required_fields(&self) -> impl Iterator<Item = &Field> {
        let required: FieldSet = self.required;
        self.fields
            .iter()
            .enumerate()
            .filter(move |(place, _)| required >> place & 1 == 1)
            .map(|(_, field)| field)
    }
}
