//! Whether a subschema accepts a value: the explainer's own judge, which decides between branches.

use super::{
    finding::Sink,
    graph::{ANYTHING, ArrayRules, Id, ObjectRules, Schema},
    subject::Subject,
    unions::Union,
    walk::{Flow, Walk},
};
use crate::text::{JsonType, Node};

impl<'a> Walk<'a> {
    pub(super) fn valid(&mut self, id: Id, subject: Subject<'a>) -> Flow<bool> {
        self.spend(1)?;
        let graph = self.graph;
        let schema = graph.schema(id);
        if let Some(verdict) = schema.verdict {
            return Ok(verdict);
        }
        let mut sink = Sink::Whether(false);
        self.assertions(schema, subject, &mut sink)?;
        if matches!(sink, Sink::Whether(true)) {
            return Ok(false);
        }
        let container =
            subject.node().filter(|node| matches!(node.json_type(), JsonType::Array | JsonType::Object));
        if schema.applied.is_none() && container.is_none() {
            return Ok(true);
        }
        let key = subject.memory(id);
        if let Some(&answer) = self.answers.get(&key) {
            return Ok(answer);
        }
        self.enter()?;
        let cuts = self.cuts;
        let answer = self.valid_inside(schema, id, subject, container);
        self.leave();
        let answer = answer?;
        if self.cuts == cuts && subject.node().is_some() {
            self.remember(key, answer);
        }
        Ok(answer)
    }

    fn valid_inside(
        &mut self,
        schema: &'a Schema,
        id: Id,
        subject: Subject<'a>,
        container: Option<Node<'a>>,
    ) -> Flow<bool> {
        if let Some(node) = container {
            if let Some(rules) = &schema.object
                && node.json_type() == JsonType::Object
                && !self.valid_object(rules, id, node)?
            {
                return Ok(false);
            }
            if let Some(rules) = &schema.array
                && node.json_type() == JsonType::Array
                && !self.valid_array(rules, id, node)?
            {
                return Ok(false);
            }
        }
        let Some(applied) = &schema.applied else { return Ok(true) };
        for &target in &applied.refs {
            if !self.valid_reference(target, subject)? {
                return Ok(false);
            }
        }
        for &part in &applied.all_of {
            if !self.valid(part, subject)? {
                return Ok(false);
            }
        }
        for &part in &applied.not {
            if self.valid(part, subject)? {
                return Ok(false);
            }
        }
        if let Some(condition) = &applied.condition {
            let chosen = if condition.then.is_none() && condition.otherwise.is_none() {
                None
            } else if self.valid(condition.test, subject)? {
                condition.then
            } else {
                condition.otherwise
            };
            if let Some(chosen) = chosen
                && !self.valid(chosen, subject)?
            {
                return Ok(false);
            }
        }
        if let Some(union) = &applied.any_of
            && self.fitting(union, subject, 1)?.is_empty()
        {
            return Ok(false);
        }
        if let Some(union) = &applied.one_of
            && self.fitting(union, subject, 2)?.len() != 1
        {
            return Ok(false);
        }
        Ok(true)
    }

    /// A reference that comes back to the value that it is already followed for holds.
    pub(super) fn valid_reference(&mut self, target: Id, subject: Subject<'a>) -> Flow<bool> {
        let key = subject.memory(target);
        if !self.following.insert(key) {
            self.cuts += 1;
            return Ok(true);
        }
        let answer = self.valid(target, subject);
        self.following.remove(&key);
        answer
    }

    /// The places of the first branches that accept the value, up to `most`. A tag spares the look at
    /// the other branches.
    pub(super) fn fitting(
        &mut self,
        union: &'a Union,
        subject: Subject<'a>,
        most: usize,
    ) -> Flow<Vec<usize>> {
        let mut fitting = Vec::new();
        let only = match (&union.tag, subject.node()) {
            (Some(tag), Some(node)) if node.json_type() == JsonType::Object && tag.required => {
                tag.branch(node)
            }
            _ => None,
        };
        for (place, &branch) in union.branches.iter().enumerate() {
            if let Some((tagged, untagged)) = only
                && Some(place) != tagged
                && !untagged.contains(&place)
            {
                continue;
            }
            if self.valid(branch, subject)? {
                fitting.push(place);
                if fitting.len() >= most {
                    break;
                }
            }
        }
        Ok(fitting)
    }

    fn valid_object(&mut self, rules: &'a ObjectRules, id: Id, node: Node<'a>) -> Flow<bool> {
        let count = node.len() as u64;
        if rules.min_fields.is_some_and(|min| count < min) || rules.max_fields.is_some_and(|max| count > max)
        {
            return Ok(false);
        }
        self.spend((rules.required.len() + rules.dependent_required.len() + rules.aliases.len()) / 4)?;
        if !rules.required.iter().all(|name| node.member(name).is_some()) {
            return Ok(false);
        }
        for group in &rules.aliases {
            let present = group.names.iter().filter(|name| node.member(name).is_some()).count();
            if present > 1 || (group.required && present == 0) {
                return Ok(false);
            }
        }
        for (name, required) in &rules.dependent_required {
            if node.member(name).is_some() && !required.iter().all(|name| node.member(name).is_some()) {
                return Ok(false);
            }
        }
        for member in node.members() {
            self.spend(1)?;
            if let Some(names) = rules.names
                && !self.valid(names, Subject::Key(member.key))?
            {
                return Ok(false);
            }
            let mut known = false;
            if let Some(schema) = rules.property(member.key) {
                known = true;
                if schema != ANYTHING && !self.valid(schema, Subject::Value(member.value))? {
                    return Ok(false);
                }
            }
            for (pattern, schema) in &rules.patterns {
                let matches = self.matches(pattern, member.key)?;
                if matches != Some(false) {
                    known = true;
                    if !self.valid(*schema, Subject::Value(member.value))? && matches.is_some() {
                        return Ok(false);
                    }
                }
            }
            if let Some(schema) = rules.additional.filter(|_| !known)
                && !self.valid(schema, Subject::Value(member.value))?
            {
                return Ok(false);
            }
        }
        for (name, schema) in &rules.dependent_schemas {
            if node.member(name).is_some() && !self.valid(*schema, Subject::Value(node))? {
                return Ok(false);
            }
        }
        match rules.unevaluated {
            Some(schema) if schema != ANYTHING => self.valid_unevaluated_fields(schema, id, node),
            _ => Ok(true),
        }
    }

    fn valid_array(&mut self, rules: &'a ArrayRules, id: Id, node: Node<'a>) -> Flow<bool> {
        for (index, element) in node.elements().enumerate() {
            let Some(schema) = rules.prefix.get(index).copied().or(rules.rest) else { break };
            if schema != ANYTHING && !self.valid(schema, Subject::Value(element))? {
                return Ok(false);
            }
        }
        if let Some(contains) = &rules.contains {
            let mut found = 0;
            for element in node.elements() {
                found += u64::from(self.valid(contains.schema, Subject::Value(element))?);
                if found >= contains.min && contains.max.is_none() {
                    break;
                }
            }
            if found < contains.min || contains.max.is_some_and(|max| found > max) {
                return Ok(false);
            }
        }
        match rules.unevaluated {
            Some(schema) if schema != ANYTHING => self.valid_unevaluated_items(schema, id, node),
            _ => Ok(true),
        }
    }
}
