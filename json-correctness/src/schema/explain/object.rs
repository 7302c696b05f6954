//! The explanation of an object: its fields, under all the subschemas that apply to it.

use std::collections::HashSet;

use super::{
    assertions,
    describe::excerpt,
    finding::{Cause, Finding, Sink},
    graph::{ANYTHING, Id, NOTHING, ObjectRules},
    layers::Layer,
    misspelt::{Missing, Stranger},
    subject::Subject,
    walk::{Flow, Walk},
};
use crate::{
    text::{JsonType, Member, Node},
    violation::Counted,
};

/// Most known fields that a finding names.
const MAX_KNOWN: usize = 12;
/// Most optional fields that a key may be taken for.
const MAX_OPTIONAL: usize = 1_000;

/// The subschemas that say something about the object's fields.
struct Rules<'a> {
    rules: &'a ObjectRules,
    id: Id,
    settled: bool,
    /// The places, among these, of the subschemas that it brought along.
    end: usize,
}

/// What the subschemas say about one member.
#[derive(Default)]
struct Says {
    known: bool,
    forbidden: bool,
    /// What its value must satisfy because of its name.
    by_name: Vec<Id>,
    /// What its value must satisfy because nothing else was said.
    by_default: Vec<Id>,
}

impl<'a> Walk<'a> {
    pub(super) fn explain_object(
        &mut self,
        layers: &[Layer<'a>],
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let rules = object_rules(layers);
        if rules.is_empty() {
            return Ok(());
        }
        let before = out.len();
        let mut missing = self.missing(&rules, node, out)?;
        let required = missing.len();
        let mut strangers = Vec::new();
        // Where nothing is said of fields, walking over them would use up the budget for their names.
        let silent = required == 0 && rules.iter().all(|rule| rule.rules.is_silent_on_members());
        for member in node.members().take(if silent { 0 } else { usize::MAX }) {
            self.spend(1)?;
            if self.is_shadowed(node, member) {
                continue;
            }
            let says = self.says(&rules, member)?;
            if !says.known && (required > 0 || says.forbidden) {
                strangers.push(Stranger { member, forbidden: says.forbidden, schemas: says.by_default });
                continue;
            }
            if says.known && says.forbidden {
                self.report_unknown(&rules, member, node, out)?;
            }
            self.explain(&says.by_name, member.value, out)?;
            self.explain(&says.by_default, member.value, out)?;
        }
        if let [stranger] = strangers.as_slice()
            && let Some(member) = wrapper(stranger, &missing, node)
        {
            self.report(Cause::Wrapper(member), node, rules[0].id, out)?;
            let asked: Vec<Id> = rules.iter().filter(|rule| !rule.settled).map(|rule| rule.id).collect();
            return self.explain(&asked, member.value, out);
        }
        if strangers.iter().any(|stranger| stranger.forbidden) {
            self.optional(&rules, node, &mut missing)?;
        }
        let given = self.assign(&strangers, &missing)?;
        let mut found = vec![false; missing.len()];
        for (stranger, given) in strangers.iter().zip(given) {
            let member = stranger.member;
            if let Some(field) = given {
                found[field] = true;
                let Missing { names, required, schemas } = &missing[field];
                let cause = Cause::Misspelt { field: names[0], member, required: *required };
                self.report(cause, node, rules[0].id, out)?;
                // The value is what the field should hold, and is held to that.
                self.explain(schemas, member.value, out)?;
            } else if stranger.forbidden {
                self.report_unknown(&rules, member, node, out)?;
            } else {
                self.explain(&stranger.schemas, member.value, out)?;
            }
        }
        for (lost, found) in missing.iter().zip(found) {
            if lost.required && !found {
                let cause = Cause::Missing { field: lost.names[0], values: &[] };
                self.report(cause, node, rules[0].id, out)?;
            }
        }
        self.explain_dependencies(&rules, node, out)?;
        self.explain_keys(&rules, node, before, out)?;
        if !out[before..].iter().any(|finding| is_about_fields(finding, node)) {
            self.explain_counts(&rules, node, out)?;
        }
        Ok(())
    }

    /// Whether the same key stands again later: of several values the last one counts, and the
    /// repetition is a violation of its own.
    fn is_shadowed(&self, node: Node<'a>, member: Member<'a>) -> bool {
        self.repeats_keys && node.member(member.key).is_some_and(|last| last.value.id() != member.value.id())
    }

    /// The required fields that are missing, and those that stand under two names.
    fn missing(
        &mut self,
        rules: &[Rules<'a>],
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<Vec<Missing<'a>>> {
        let mut missing: Vec<Missing<'a>> = Vec::new();
        let mut seen = HashSet::new();
        for rule in rules.iter().filter(|rule| !rule.settled) {
            self.spend(rule.rules.required.len() / 4)?;
            for name in &rule.rules.required {
                if node.member(name).is_none() && seen.insert(name.as_ref()) {
                    let schemas = properties(rules, name);
                    missing.push(Missing { names: vec![name], required: true, schemas });
                }
            }
            for group in &rule.rules.aliases {
                let mut present: Vec<Member<'a>> =
                    group.names.iter().filter_map(|name| node.member(name)).collect();
                present.sort_by_key(|member| member.key_span);
                if let [first, others @ ..] = present.as_slice() {
                    for member in others {
                        let cause = Cause::Duplicate { member: *member, first: *first };
                        self.report(cause, node, rule.id, out)?;
                    }
                } else if group.required && seen.insert(group.names[0].as_ref()) {
                    let names: Vec<&'a str> = group.names.iter().map(AsRef::as_ref).collect();
                    let schemas = properties(rules, names[0]);
                    missing.push(Missing { names, required: true, schemas });
                }
            }
        }
        Ok(missing)
    }

    /// Adds the optional fields that are missing.
    fn optional(&mut self, rules: &[Rules<'a>], node: Node<'a>, missing: &mut Vec<Missing<'a>>) -> Flow<()> {
        let mut seen: HashSet<&str> = missing.iter().flat_map(|lost| lost.names.iter().copied()).collect();
        let mut optional = 0;
        for rule in rules {
            // A second name of a field that is there is not missing.
            for group in &rule.rules.aliases {
                if group.names.iter().any(|name| node.member(name).is_some()) {
                    seen.extend(group.names.iter().map(AsRef::as_ref));
                }
            }
            for (name, _) in &rule.rules.properties {
                if optional >= MAX_OPTIONAL {
                    return Ok(());
                }
                if node.member(name).is_none() && seen.insert(name) {
                    optional += 1;
                    let schemas = properties(rules, name);
                    missing.push(Missing { names: vec![name], required: false, schemas });
                }
            }
        }
        self.spend(optional / 4)
    }

    fn says(&mut self, rules: &[Rules<'a>], member: Member<'a>) -> Flow<Says> {
        let mut says = Says::default();
        // By its name or as an additional field.
        let mut evaluated = vec![false; rules.len()];
        for (place, rule) in rules.iter().enumerate() {
            let mut matched = false;
            if let Some(schema) = rule.rules.property(member.key) {
                matched = true;
                if !rule.settled {
                    says.by_name.push(schema);
                }
            }
            for (pattern, schema) in &rule.rules.patterns {
                let matches = self.matches(pattern, member.key)?;
                if matches != Some(false) {
                    matched = true;
                    if matches.is_some() && !rule.settled {
                        says.by_name.push(*schema);
                    }
                }
            }
            says.known |= matched;
            evaluated[place] = matched || rule.rules.additional.is_some();
            match rule.rules.additional {
                Some(_) if matched || rule.settled => {}
                Some(NOTHING) => says.forbidden = true,
                Some(schema) if schema != ANYTHING => says.by_default.push(schema),
                _ => {}
            }
        }
        for (place, rule) in rules.iter().enumerate().filter(|(_, rule)| !rule.settled) {
            let Some(rest) = rule.rules.unevaluated.filter(|&rest| rest != ANYTHING) else { continue };
            let inside = place + 1..rule.end;
            let by_inner = rules[inside.clone()].iter().any(|inner| inner.rules.unevaluated.is_some());
            if evaluated[place] || by_inner || evaluated[inside].contains(&true) {
                continue;
            }
            if rest == NOTHING {
                says.forbidden = true;
            } else {
                says.by_default.push(rest);
            }
        }
        Ok(says)
    }

    fn report_unknown(
        &mut self,
        rules: &[Rules<'a>],
        member: Member<'a>,
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        let named = rules.iter().any(|rule| !rule.rules.properties.is_empty());
        let patterns = rules.iter().flat_map(|rule| &rule.rules.patterns);
        let patterns: Vec<String> =
            patterns.take(MAX_KNOWN).map(|(pattern, _)| format!("`{}`", excerpt(pattern.source()))).collect();
        if !named && !patterns.is_empty() {
            // A map: it is the key that is wrong, not that it is there.
            let reason = match patterns.as_slice() {
                [one] => format!("it must match the pattern {one}"),
                several => format!("it must match one of the patterns {}", several.join(", ")),
            };
            return self.report(
                Cause::InvalidKey { member, reason, suggestion: None },
                node,
                rules[0].id,
                out,
            );
        }
        let mut known: Vec<&'a str> = Vec::new();
        for rule in rules {
            for (name, _) in &rule.rules.properties {
                if known.len() < MAX_KNOWN && !known.contains(&name.as_ref()) {
                    known.push(name);
                }
            }
        }
        self.report(Cause::Unknown { member, known }, node, rules[0].id, out)
    }

    fn explain_dependencies(
        &mut self,
        rules: &[Rules<'a>],
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        for rule in rules.iter().filter(|rule| !rule.settled) {
            for (name, required) in &rule.rules.dependent_required {
                self.spend(1)?;
                let Some(because) = node.member(name) else { continue };
                for field in required {
                    let reported = |finding: &Finding<'_>| {
                        finding.node.id() == node.id()
                            && match &finding.cause {
                                Cause::Missing { field: other, .. }
                                | Cause::Misspelt { field: other, .. } => *other == field.as_ref(),
                                _ => false,
                            }
                    };
                    if node.member(field).is_none() && !out.iter().any(reported) {
                        self.report(Cause::Dependent { field, because }, node, rule.id, out)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `propertyNames`, for keys of which nothing else was reported.
    fn explain_keys(
        &mut self,
        rules: &[Rules<'a>],
        node: Node<'a>,
        before: usize,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        for rule in rules.iter().filter(|rule| !rule.settled) {
            let Some(names) = rule.rules.names else { continue };
            for member in node.members() {
                self.spend(1)?;
                let reported = |finding: &Finding<'_>| {
                    matches!(&finding.cause, Cause::Misspelt { member: other, .. } | Cause::Unknown { member: other, .. }
                        if other.key_span == member.key_span)
                };
                if self.valid(names, Subject::Key(member.key))? || out[before..].iter().any(reported) {
                    continue;
                }
                let (reason, suggestion) = match &rule.rules.keys {
                    Some(keys) => (format!("it must be {keys}"), None),
                    None => self.key_reason(names, member.key)?,
                };
                self.report(Cause::InvalidKey { member, reason, suggestion }, node, rule.id, out)?;
            }
        }
        Ok(())
    }

    fn explain_counts(
        &mut self,
        rules: &[Rules<'a>],
        node: Node<'a>,
        out: &mut Vec<Finding<'a>>,
    ) -> Flow<()> {
        for rule in rules.iter().filter(|rule| !rule.settled) {
            let mut causes = Vec::new();
            let fields = (Counted::Fields, node.len() as u64);
            let mut sink = Sink::All(&mut causes);
            assertions::count(fields, rule.rules.min_fields, rule.rules.max_fields, &mut sink);
            for cause in causes {
                self.report(cause, node, rule.id, out)?;
            }
        }
        Ok(())
    }
}

fn object_rules<'a>(layers: &[Layer<'a>]) -> Vec<Rules<'a>> {
    // How many of the layers before each place have rules for objects.
    let mut before = Vec::with_capacity(layers.len() + 1);
    let mut count = 0;
    for layer in layers {
        before.push(count);
        count += usize::from(layer.schema.object.is_some());
    }
    before.push(count);
    layers
        .iter()
        .filter_map(|layer| {
            let rules = layer.schema.object.as_deref()?;
            Some(Rules { rules, id: layer.id, settled: layer.settled, end: before[layer.end] })
        })
        .collect()
}

/// The only member of an object that lacks fields, where its value is an object that has them.
fn wrapper<'a>(stranger: &Stranger<'a>, missing: &[Missing<'a>], node: Node<'a>) -> Option<Member<'a>> {
    let inner = stranger.member.value;
    let has = |lost: &Missing<'_>| lost.names.iter().any(|name| inner.member(name).is_some());
    let wraps = node.len() == 1
        && inner.json_type() == JsonType::Object
        && !missing.is_empty()
        && missing.iter().all(has);
    wraps.then_some(stranger.member)
}

/// What the value of a field must satisfy.
fn properties(rules: &[Rules<'_>], name: &str) -> Vec<Id> {
    rules.iter().filter(|rule| !rule.settled).filter_map(|rule| rule.rules.property(name)).collect()
}

/// Whether a finding about the object itself explains a wrong number of fields.
fn is_about_fields(finding: &Finding<'_>, node: Node<'_>) -> bool {
    finding.node.id() == node.id()
        && matches!(
            finding.cause,
            Cause::Missing { .. }
                | Cause::Misspelt { .. }
                | Cause::Unknown { .. }
                | Cause::Wrapper(_)
                | Cause::Duplicate { .. }
        )
}
