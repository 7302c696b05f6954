//! The keywords that look at one value alone: types, listed values, numbers, strings, counts.

use super::{
    finding::{Cause, Sink},
    graph::{self, Allowed, ArrayRules, NumberRules, Schema, StringRules},
    subject::Subject,
    types::Types,
    walk::{Flow, Walk},
};
use crate::{
    schema::{canonical, format, keywords},
    text::{JsonType, Node, Number},
    violation::{Bound, Counted},
};

impl<'a> Walk<'a> {
    pub(super) fn types_of(&self, subject: Subject<'a>, schema: &Schema) -> Types {
        subject.types(self.graph.integers, schema.draft)
    }

    /// Looks for what the value itself breaks.
    pub(super) fn assertions(
        &mut self,
        schema: &'a Schema,
        subject: Subject<'a>,
        sink: &mut Sink<'_, 'a>,
    ) -> Flow<()> {
        let types = self.types_of(subject, schema);
        if let Some(expected) = schema.types
            && !expected.contains(types)
            && sink.put(|| Cause::Type { expected, found: found_type(types) })
        {
            return Ok(());
        }
        for listed in [&schema.allowed, &schema.constant].into_iter().flatten() {
            if !self.is_listed(listed, subject)? && sink.put(|| Cause::NotAllowed(&listed.values)) {
                return Ok(());
            }
        }
        if let (Some(rules), Some(number)) = (&schema.number, subject.as_number()) {
            self.number(rules, number, sink)?;
        } else if let (Some(rules), Some(text)) = (&schema.string, subject.as_str()) {
            self.string(schema, rules, text, sink)?;
        } else if let (Some(rules), Subject::Value(node), true) =
            (&schema.array, subject, types == Types::ARRAY)
        {
            self.array(rules, node, sink)?;
        }
        Ok(())
    }

    pub(super) fn is_listed(&mut self, listed: &'a Allowed, subject: Subject<'a>) -> Flow<bool> {
        if let (Some(strings), Some(text)) = (&listed.strings, subject.as_str()) {
            return Ok(strings.contains(text));
        }
        if let (Some(numbers), Some(number)) = (&listed.numbers, subject.as_number()) {
            self.spend(1 + number.spelling().len() / 16)?;
            return Ok(numbers.contains(&graph::number_form(number.spelling())));
        }
        self.spend(listed.values.len() / 8)?;
        for value in &listed.values {
            if value.is_array() || value.is_object() {
                // What is compared is no more than the value of the document.
                self.spend(1 + subject.node().map_or(0, |node| node.source().len() / 64))?;
            }
            if subject.equals(value) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn number(&mut self, rules: &'a NumberRules, number: Number<'a>, sink: &mut Sink<'_, 'a>) -> Flow<()> {
        self.spend(number.spelling().len() / 64)?;
        for (bound, limit) in &rules.bounds {
            if !keywords::holds(number, *bound, limit) && sink.put(|| Cause::OutOfRange(*bound, limit)) {
                return Ok(());
            }
        }
        if let Some(divisor) = &rules.multiple_of
            && !keywords::is_multiple_of(number.spelling(), divisor)
        {
            sink.put(|| Cause::NotMultipleOf(divisor));
        }
        Ok(())
    }

    fn string(
        &mut self,
        schema: &Schema,
        rules: &'a StringRules,
        text: &'a str,
        sink: &mut Sink<'_, 'a>,
    ) -> Flow<()> {
        self.spend(text.len() / 64)?;
        if rules.min_length.is_some() || rules.max_length.is_some() {
            let found = text.chars().count() as u64;
            let length = (Counted::Characters, found);
            if count(length, rules.min_length, rules.max_length, sink) {
                return Ok(());
            }
        }
        if let Some(pattern) = &rules.pattern {
            let matches = self.matches(pattern, text)?;
            if matches == Some(false) && sink.put(|| Cause::Pattern(pattern.source())) {
                return Ok(());
            }
        }
        if let Some(name) = &rules.format {
            self.spend(1 + text.len() / 32)?;
            if format::is_valid(schema.draft, name, text) == Some(false) && sink.put(|| Cause::Format(name)) {
                return Ok(());
            }
        }
        if let Some(content) = &rules.content {
            self.spend(4 + text.len() / 16)?;
            if !content.validator.is_valid(&serde_json::Value::String(text.to_owned())) {
                sink.put(|| Cause::Content(&content.expected));
            }
        }
        Ok(())
    }

    fn array(&mut self, rules: &'a ArrayRules, node: Node<'a>, sink: &mut Sink<'_, 'a>) -> Flow<()> {
        let length = (Counted::Items, node.len() as u64);
        if count(length, rules.min_items, rules.max_items, sink) {
            return Ok(());
        }
        if rules.unique {
            self.spend(node.len() / 4 + node.source().len() / 64)?;
            if let Some((first, second)) = canonical::first_repetition(node) {
                sink.put(|| Cause::NotUnique(first, second));
            }
        }
        Ok(())
    }
}

/// Puts what is broken of a count; whether the assertions can stop.
pub(super) fn count<'a>(
    (counted, found): (Counted, u64),
    min: Option<u64>,
    max: Option<u64>,
    sink: &mut Sink<'_, 'a>,
) -> bool {
    if let Some(limit) = min.filter(|&min| found < min)
        && sink.put(|| Cause::Count { counted, bound: Bound::Minimum, limit, found })
    {
        return true;
    }
    if let Some(limit) = max.filter(|&max| found > max)
        && sink.put(|| Cause::Count { counted, bound: Bound::Maximum, limit, found })
    {
        return true;
    }
    false
}

pub(super) fn found_type(types: Types) -> JsonType {
    types.list().first().copied().unwrap_or(JsonType::Null)
}
