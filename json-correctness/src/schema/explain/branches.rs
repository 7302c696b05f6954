//! Which branch of a union is meant: by its tag, by the type, by the fewest faults.

use super::{
    assertions::found_type,
    describe,
    finding::{Cause, Finding},
    graph::Id,
    layers::Layers,
    names,
    subject::Subject,
    types::Types,
    unions::{Tag, Union},
    walk::{Flow, Stop, Walk},
};
use crate::text::{JsonType, Node};

/// Most branches that a finding describes.
const MAX_DESCRIBED: usize = 256;
/// Most keys of an object that are compared with the names of branches.
const MAX_KEYS: usize = 8;
/// Most branches that are compared by their faults.
const MAX_COMPARED: usize = 64;

impl<'a> Walk<'a> {
    #[expect(clippy::too_many_arguments, reason = "the walk's state and one union")]
    pub(super) fn lay_union(
        &mut self,
        union: &'a Union,
        exactly_one: bool,
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        settled: bool,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        if !settled && let Some(meant) = self.told_apart(union, node) {
            // The other branches refuse the value for its tag alone: no need to ask them.
            return self.lay(union.branches[meant], node, layers, false, out);
        }
        let most = if settled || self.graph.tracks_evaluation || exactly_one { usize::MAX } else { 1 };
        let most = if exactly_one && settled { 1 } else { most };
        let fitting = self.fitting(union, Subject::Value(node), most)?;
        if settled || (!exactly_one && !fitting.is_empty()) || fitting.len() == 1 {
            for place in fitting {
                self.lay(union.branches[place], node, layers, true, out)?;
            }
            return Ok(());
        }
        if !fitting.is_empty() {
            let mut fitting = fitting;
            fitting.truncate(MAX_DESCRIBED);
            return self.report(Cause::SeveralBranches(union, fitting), node, id, out);
        }
        self.choose(union, id, node, layers, out)
    }

    /// The one branch that the tag of the object names, where every other branch asks for another tag.
    fn told_apart(&mut self, union: &'a Union, node: Node<'a>) -> Option<usize> {
        if node.json_type() != JsonType::Object {
            return None;
        }
        if let Some(tag) = union.tag.as_ref().filter(|tag| tag.required && tag.untagged.is_empty()) {
            return tag.branch(node)?.0;
        }
        let keys = union.keys.as_ref()?;
        let mut members = node.members();
        match (members.next(), members.next()) {
            (Some(only), None) => keys.get(only.key).copied(),
            _ => None,
        }
    }

    /// No branch accepts the value: finds the one that is meant and why it refuses.
    fn choose(
        &mut self,
        union: &'a Union,
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let schema = self.graph.schema(id);
        let types = Subject::Value(node).types(self.graph.integers, schema.draft);
        if let Some(written) = self.other_form(union, id, node) {
            return self.report(written.cause, node, written.schema, out);
        }
        if let Some(values) = &union.literals {
            let expected = union.types.iter().fold(Types::NONE, |all, &types| all.or(types));
            if !expected.meets(types) {
                self.report(Cause::Type { expected, found: found_type(types) }, node, id, out)?;
            }
            return self.report(Cause::NotAllowed(values), node, id, out);
        }
        let by_type: Vec<usize> =
            (0..union.branches.len()).filter(|&place| union.types[place].meets(types)).collect();
        if by_type.is_empty() {
            return self.wrong_type(union, types, id, node, out);
        }
        if types == Types::OBJECT {
            if let Some(tag) = &union.tag
                && let Some(answer) = self.by_tag(union, tag, id, node, layers, out)
            {
                return answer;
            }
            if let Some(place) = self.by_key(union, node)? {
                return self.lay(union.branches[place], node, layers, false, out);
            }
            let mut members = node.members();
            if union.keys_only
                && let (Some(keys), Some(member), None) = (&union.keys, members.next(), members.next())
            {
                let mut known: Vec<&str> = keys.keys().map(AsRef::as_ref).collect();
                known.sort_unstable();
                known.truncate(12);
                return self.report(Cause::Unknown { member, known }, node, id, out);
            }
        }
        match by_type[..] {
            [only] => self.lay(union.branches[only], node, layers, false, out),
            _ => self.by_faults(union, &by_type, id, node, layers, out),
        }
    }

    /// A variant that is there, but written as one of the other kind is: as a string though it has
    /// content, or as an object though it has none.
    fn other_form(&self, union: &'a Union, id: Id, node: Node<'a>) -> Option<Finding<'a>> {
        if let Some(name) = node.as_str() {
            let keys = union.keys.as_ref().filter(|_| union.keys_only)?;
            let cause = Cause::Type { expected: Types::OBJECT, found: JsonType::String };
            return keys.contains_key(name).then_some(Finding { cause, node, schema: id });
        }
        let mut members = node.members();
        let (Some(only), None) = (members.next(), members.next()) else { return None };
        let texts = |place: &&Id| {
            describe::listed(self.graph, **place)
                .is_some_and(|values| values.iter().any(|value| value.as_str() == Some(only.key)))
        };
        let strings = union.branches.iter().zip(&union.types).filter(|(_, types)| **types == Types::STRING);
        let branch = strings.map(|(branch, _)| branch).find(texts)?;
        let cause = Cause::Type { expected: Types::STRING, found: JsonType::Object };
        Some(Finding { cause, node, schema: *branch })
    }

    fn wrong_type(
        &mut self,
        union: &'a Union,
        types: Types,
        id: Id,
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let expected = union.types.iter().fold(Types::NONE, |all, &types| all.or(types));
        if expected.is_empty() {
            return self.report(Cause::Forbidden(None), node, id, out);
        }
        self.report(Cause::Type { expected, found: found_type(types) }, node, id, out)?;
        // An optional list of values is still a list of values.
        let mut present = (0..union.branches.len()).filter(|&place| union.types[place] != Types::NULL);
        let (Some(only), None) = (present.next(), present.next()) else { return Ok(()) };
        let mut inner = Vec::new();
        self.explain(&[union.branches[only]], node, &mut inner)?;
        for finding in inner {
            if matches!(finding.cause, Cause::NotAllowed(_)) {
                self.report(finding.cause, node, finding.schema, out)?;
            }
        }
        Ok(())
    }

    /// What the tag says. `None`: nothing, since there are branches without it.
    fn by_tag(
        &mut self,
        union: &'a Union,
        tag: &'a Tag,
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Option<Flow<()>> {
        if let Some(member) = node.member(&tag.name) {
            if let Some(meant) = tag.named(member.value) {
                return Some(self.lay(union.branches[meant], node, layers, false, out));
            }
            if !tag.untagged.is_empty() {
                return None;
            }
            let found = member.value.json_type();
            if !tag.types.meets(Types::of(found)) {
                let cause = Cause::Type { expected: tag.types, found };
                if let Err(stop) = self.report(cause, member.value, id, out) {
                    return Some(Err(stop));
                }
            }
            return Some(self.report(Cause::NotAllowed(&tag.values), member.value, id, out));
        }
        if !tag.untagged.is_empty() || !tag.required {
            return None;
        }
        // The tag may stand under a misspelt key; then its value still names the branch.
        for member in node.members().take(64) {
            let Some(meant) = tag.named(member.value) else { continue };
            match self.likeness(member.key, &tag.name) {
                Err(stop) => return Some(Err(stop)),
                Ok(likeness) if likeness < names::PLAUSIBLE => {}
                Ok(_) => return Some(self.lay(union.branches[meant], node, layers, false, out)),
            }
        }
        Some(self.report(Cause::Missing { field: &tag.name, values: &tag.values }, node, id, out))
    }

    /// The branch whose one field has the name of a member, or nearly so.
    fn by_key(&mut self, union: &'a Union, node: Node<'a>) -> Flow<Option<usize>> {
        let Some(keys) = &union.keys else { return Ok(None) };
        if let Some(place) = node.members().find_map(|member| keys.get(member.key)) {
            return Ok(Some(*place));
        }
        let mut best: Option<(f64, &str, usize)> = None;
        for member in node.members().take(MAX_KEYS) {
            for (name, &place) in keys.iter().take(1_000) {
                let likeness = self.likeness(member.key, name)?;
                // The map has no order of its own: ties go to the first name.
                let better = best.is_none_or(|(most, first, _)| {
                    likeness > most || (likeness == most && name.as_ref() < first)
                });
                if likeness >= names::PLAUSIBLE && better {
                    best = Some((likeness, name, place));
                }
            }
        }
        Ok(best.map(|(_, _, place)| place))
    }

    /// Explains each branch on its own and takes the one with the fewest faults, if it stands out.
    fn by_faults(
        &mut self,
        union: &'a Union,
        candidates: &[usize],
        id: Id,
        node: Node<'a>,
        layers: &mut Layers<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let mut best: Option<(Score, usize)> = None;
        let mut tie = false;
        for &place in candidates.iter().take(MAX_COMPARED) {
            let branch = union.branches[place];
            let faults = match self.trial(branch, node) {
                Ok(faults) => faults,
                Err(Stop::Enough) => self.max_findings + 1,
                Err(Stop::Budget) => {
                    out.push(Finding { cause: no_branch(union, candidates), node, schema: id });
                    return Err(Stop::Budget);
                }
            };
            let score = Score { faults, unlike: self.unlike(branch, node)? };
            match &best {
                Some((least, _)) if score > *least => {}
                Some((least, _)) if score == *least => tie = true,
                _ => {
                    tie = false;
                    best = Some((score, place));
                }
            }
        }
        let Some((score, place)) = best else { return Ok(()) };
        // A branch of which nothing is there is not what was meant.
        let stranger = node.json_type() == JsonType::Object && score.unlike == usize::MAX;
        if tie || stranger || candidates.len() > MAX_COMPARED {
            return self.report(no_branch(union, candidates), node, id, out);
        }
        let branch = union.branches[place];
        match self.trials.get(&Subject::Value(node).memory(branch)).cloned() {
            Some(found) => {
                for finding in found {
                    self.report(finding.cause, finding.node, finding.schema, out)?;
                }
            }
            None => self.explain(&[branch], node, out)?,
        }
        self.lay(branch, node, layers, true, out)
    }

    /// The number of faults of a branch.
    fn trial(&mut self, branch: Id, node: Node<'a>) -> Flow<usize> {
        let key = Subject::Value(node).memory(branch);
        if let Some(found) = self.trials.get(&key) {
            self.steps += 1;
            return Ok(found.len());
        }
        let mut found = Vec::new();
        let levels = self.levels();
        let result = self.explain(&[branch], node, &mut found);
        self.back_to(levels);
        self.spend(found.len() / 4)?;
        result?;
        self.remember_trial(key, &found);
        Ok(found.len())
    }

    /// How little of an object a branch knows: the fewer of its fields are there, the more.
    /// `usize::MAX`: none of them.
    fn unlike(&mut self, branch: Id, node: Node<'a>) -> Flow<usize> {
        let (mut known, mut there) = (0_usize, 0_usize);
        for part in describe::conjunction(self.graph, branch) {
            let Some(rules) = &self.graph.schema(part).object else { continue };
            known += rules.properties.len();
            self.spend(rules.properties.len().min(node.len()) / 8)?;
            there += if rules.properties.len() < node.len() {
                rules.properties.iter().filter(|(name, _)| node.member(name).is_some()).count()
            } else {
                node.members().filter(|member| rules.property(member.key).is_some()).count()
            };
        }
        Ok(if known > 0 && there == 0 { usize::MAX } else { usize::MAX / 2 - there })
    }

    /// How alike two names are, at its price.
    pub(super) fn likeness(&mut self, left: &str, right: &str) -> Flow<f64> {
        self.spend(names::steps(left, right))?;
        Ok(names::likeness(left, right))
    }
}

fn no_branch<'a>(union: &'a Union, candidates: &[usize]) -> Cause<'a> {
    Cause::NoBranch(union, candidates.iter().copied().take(MAX_DESCRIBED).collect())
}

/// Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    faults: usize,
    unlike: usize,
}
