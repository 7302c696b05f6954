//! The keywords of one subschema, by the rules of its draft. A keyword whose value is none that it can
//! have is passed over: the meta-schema, which the judge of record checks, refuses it.

use jsonschema::Draft;
use serde_json::{Map, Value};

use super::{
    compile::{Compiler, Scope, Token},
    graph::{
        AliasGroup, Allowed, ArrayRules, Condition, Contains, Content, Id, NumberRules, ObjectRules,
        StringRules,
    },
    types::Types,
    unions::Union,
};
use crate::{Error, schema::keywords::exact_limits, violation::Bound};

impl<'v> Compiler<'v, '_> {
    pub(super) fn keywords(
        &mut self,
        map: &'v Map<String, Value>,
        scope: &Scope<'v>,
        id: Id,
    ) -> Result<(), Error> {
        let aliases = aliases(map);
        let number = number_rules(map, scope.draft);
        let string = self.string_rules(map, scope, id)?;
        let array = self.array_rules(map, scope, id)?;
        let object = self.object_rules(map, scope, id, aliases)?;
        self.applicators(map, scope, id)?;
        let schema = &mut self.graph.schemas[id as usize];
        schema.types = types(map);
        schema.allowed = match map.get("enum") {
            Some(Value::Array(values)) => Some(Box::new(Allowed::new(values))),
            _ => None,
        };
        schema.constant = map
            .get("const")
            .filter(|_| scope.draft > Draft::Draft4)
            .map(|value| Box::new(Allowed::new(std::slice::from_ref(value))));
        schema.number = number.map(Box::new);
        schema.string = string.map(Box::new);
        schema.array = array.map(Box::new);
        schema.object = object.map(Box::new);
        Ok(())
    }

    fn string_rules(
        &mut self,
        map: &'v Map<String, Value>,
        scope: &Scope<'v>,
        id: Id,
    ) -> Result<Option<StringRules>, Error> {
        let present = ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"];
        if !present.iter().any(|keyword| map.contains_key(*keyword)) {
            return Ok(None);
        }
        let pattern = match map.get("pattern") {
            Some(Value::String(source)) => Some(self.pattern(source, id)?),
            _ => None,
        };
        Ok(Some(StringRules {
            min_length: count(map, "minLength"),
            max_length: count(map, "maxLength"),
            pattern,
            format: map.get("format").and_then(Value::as_str).map(Box::from),
            content: content(map, scope.draft),
        }))
    }

    fn array_rules(
        &mut self,
        map: &'v Map<String, Value>,
        scope: &Scope<'v>,
        id: Id,
    ) -> Result<Option<ArrayRules>, Error> {
        let draft = scope.draft;
        let mut rules = ArrayRules {
            min_items: count(map, "minItems"),
            max_items: count(map, "maxItems"),
            unique: map.get("uniqueItems") == Some(&Value::Bool(true)),
            ..ArrayRules::default()
        };
        if draft >= Draft::Draft202012 {
            rules.prefix = self.list(map, "prefixItems", scope, id)?;
            rules.evaluates = rules.prefix.len();
        }
        match map.get("items") {
            Some(Value::Array(items)) => {
                rules.prefix = self.list(map, "items", scope, id)?;
                rules.rest = self.one(map, "additionalItems", scope, id)?;
                let all = map.contains_key("additionalItems") || draft >= Draft::Draft202012;
                rules.evaluates = if all { usize::MAX } else { items.len() };
            }
            Some(items) => {
                rules.rest = Some(self.subschema(items, scope, id, Token::Key("items"))?);
                rules.evaluates = usize::MAX;
            }
            None => {}
        }
        if draft > Draft::Draft4
            && let Some(schema) = self.one(map, "contains", scope, id)?
        {
            let counted = draft >= Draft::Draft201909;
            let (min, max) = (count(map, "minContains"), count(map, "maxContains"));
            let (min, max) = if counted { (min.unwrap_or(1), max) } else { (1, None) };
            rules.contains = Some(Contains { schema, min, max });
        }
        if draft >= Draft::Draft201909 {
            rules.unevaluated = self.one(map, "unevaluatedItems", scope, id)?;
            self.graph.tracks_evaluation |= rules.unevaluated.is_some();
        }
        let used = rules.min_items.is_some()
            || rules.max_items.is_some()
            || rules.unique
            || rules.rest.is_some()
            || rules.contains.is_some()
            || rules.unevaluated.is_some()
            || !rules.prefix.is_empty();
        Ok(used.then_some(rules))
    }

    fn object_rules(
        &mut self,
        map: &'v Map<String, Value>,
        scope: &Scope<'v>,
        id: Id,
        aliases: Vec<AliasGroup>,
    ) -> Result<Option<ObjectRules>, Error> {
        let draft = scope.draft;
        let mut rules = ObjectRules {
            min_fields: count(map, "minProperties"),
            max_fields: count(map, "maxProperties"),
            required: names(map.get("required")),
            aliases,
            ..ObjectRules::default()
        };
        for (name, schema) in self.map(map, "properties", scope, id)? {
            rules.index.insert(name.into(), rules.properties.len() as u32);
            rules.properties.push((name.into(), schema));
        }
        for (source, schema) in self.map(map, "patternProperties", scope, id)? {
            rules.patterns.push((self.pattern(source, id)?, schema));
        }
        rules.additional = self.one(map, "additionalProperties", scope, id)?;
        if draft > Draft::Draft4 {
            rules.names = self.one(map, "propertyNames", scope, id)?;
            // What the derive says of integer keys, whose pattern tells people nothing.
            let keys = map.get("propertyNames").and_then(|names| names.pointer("/x-expected/keys"));
            rules.keys = keys.and_then(Value::as_str).map(Into::into);
        }
        if let Some(Value::Object(dependencies)) = map.get("dependencies") {
            for (name, dependency) in dependencies {
                if dependency.is_array() {
                    rules.dependent_required.push((name.as_str().into(), names(Some(dependency))));
                } else {
                    let schema =
                        self.subschema(dependency, scope, id, Token::Member("dependencies", name))?;
                    rules.dependent_schemas.push((name.as_str().into(), schema));
                }
            }
        }
        if draft >= Draft::Draft201909 {
            if let Some(Value::Object(dependencies)) = map.get("dependentRequired") {
                for (name, required) in dependencies {
                    rules.dependent_required.push((name.as_str().into(), names(Some(required))));
                }
            }
            for (name, schema) in self.map(map, "dependentSchemas", scope, id)? {
                rules.dependent_schemas.push((name.into(), schema));
            }
            rules.unevaluated = self.one(map, "unevaluatedProperties", scope, id)?;
            self.graph.tracks_evaluation |= rules.unevaluated.is_some();
        }
        let used = rules.min_fields.is_some()
            || rules.max_fields.is_some()
            || rules.additional.is_some()
            || rules.names.is_some()
            || rules.unevaluated.is_some()
            || !rules.required.is_empty()
            || !rules.properties.is_empty()
            || !rules.patterns.is_empty()
            || !rules.dependent_required.is_empty()
            || !rules.dependent_schemas.is_empty()
            || !rules.aliases.is_empty();
        Ok(used.then_some(rules))
    }

    fn applicators(&mut self, map: &'v Map<String, Value>, scope: &Scope<'v>, id: Id) -> Result<(), Error> {
        let groups = alias_names(map);
        let mut all_of = Vec::new();
        if let Some(Value::Array(members)) = map.get("allOf") {
            for (index, member) in members.iter().enumerate() {
                if !says_alias(member, &groups) {
                    all_of.push(self.subschema(member, scope, id, Token::Item("allOf", index))?);
                }
            }
        }
        let any_of = self.list(map, "anyOf", scope, id)?;
        let one_of = self.list(map, "oneOf", scope, id)?;
        let mut not = Vec::new();
        not.extend(self.one(map, "not", scope, id)?);
        let mut condition = None;
        if scope.draft >= Draft::Draft7 && (map.contains_key("then") || map.contains_key("else")) {
            if let Some(test) = self.one(map, "if", scope, id)? {
                condition = Some(Condition {
                    test,
                    then: self.one(map, "then", scope, id)?,
                    otherwise: self.one(map, "else", scope, id)?,
                });
            }
        } else if scope.draft >= Draft::Draft201909
            && let Some(test) = self.one(map, "if", scope, id)?
        {
            // Without consequences an `if` still evaluates fields.
            condition = Some(Condition { test, then: None, otherwise: None });
        }
        let present = |name: &str| map.get(name).is_some_and(Value::is_array);
        if all_of.is_empty()
            && !present("anyOf")
            && !present("oneOf")
            && not.is_empty()
            && condition.is_none()
        {
            return Ok(());
        }
        let applied = self.graph.schemas[id as usize].applied.get_or_insert_default();
        applied.all_of = all_of;
        applied.any_of = present("anyOf").then(|| Union::new(any_of));
        applied.one_of = present("oneOf").then(|| Union::new(one_of));
        applied.not = not;
        applied.condition = condition;
        Ok(())
    }
}

fn types(map: &Map<String, Value>) -> Option<Types> {
    match map.get("type")? {
        Value::String(name) => Some(Types::named(name)),
        Value::Array(names) => Some(
            names
                .iter()
                .filter_map(Value::as_str)
                .fold(Types::NONE, |types, name| types.or(Types::named(name))),
        ),
        _ => None,
    }
}

fn number_rules(map: &Map<String, Value>, draft: Draft) -> Option<NumberRules> {
    let mut rules = NumberRules::default();
    let old = draft == Draft::Draft4;
    for (keyword, flag, bound, exclusive) in [
        ("minimum", "exclusiveMinimum", Bound::Minimum, Bound::ExclusiveMinimum),
        ("maximum", "exclusiveMaximum", Bound::Maximum, Bound::ExclusiveMaximum),
    ] {
        if let Some(Value::Number(limit)) = map.get(keyword) {
            let is_exclusive = old && map.get(flag) == Some(&Value::Bool(true));
            rules.bounds.push((if is_exclusive { exclusive } else { bound }, limit.to_string().into()));
        }
        if let Some(Value::Number(limit)) = map.get(flag).filter(|_| !old) {
            rules.bounds.push((exclusive, limit.to_string().into()));
        }
    }
    if let Some(extension) = map.get("x-expected") {
        rules.bounds.extend(
            exact_limits(extension).into_iter().map(|(bound, limit)| (bound, limit.into_boxed_str())),
        );
    }
    if let Some(Value::Number(divisor)) = map.get("multipleOf") {
        rules.multiple_of = Some(divisor.to_string().into());
    }
    (!rules.bounds.is_empty() || rules.multiple_of.is_some()).then_some(rules)
}

/// A non-negative integer, also one spelled `2.0`.
fn count(map: &Map<String, Value>, keyword: &str) -> Option<u64> {
    let value = map.get(keyword)?;
    value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| *number >= 0.0 && number.trunc() == *number)?;
        // Beyond the range the cast saturates, which no length can reach either.
        Some(number as u64)
    })
}

fn names(value: Option<&Value>) -> Vec<Box<str>> {
    let Some(Value::Array(values)) = value else { return Vec::new() };
    values.iter().filter_map(Value::as_str).map(Box::from).collect()
}

/// Only the drafts 6 and 7 assert on content.
fn content(map: &Map<String, Value>, draft: Draft) -> Option<Content> {
    if !matches!(draft, Draft::Draft6 | Draft::Draft7) {
        return None;
    }
    let mut alone = Map::new();
    let mut expected = Vec::new();
    for keyword in ["contentEncoding", "contentMediaType"] {
        if let Some(Value::String(name)) = map.get(keyword) {
            alone.insert(keyword.to_owned(), Value::String(name.clone()));
            expected.push(name.as_str());
        }
    }
    if alone.is_empty() {
        return None;
    }
    let expected = expected.iter().rev().copied().collect::<Vec<_>>().join(" in ").into();
    let validator = jsonschema::options().offline().with_draft(draft).build(&Value::Object(alone)).ok()?;
    Some(Content { validator: std::sync::Arc::new(validator), expected })
}

fn alias_names(map: &Map<String, Value>) -> Vec<Vec<&str>> {
    let groups = map.get("x-expected").and_then(|extension| extension.get("alias_groups"));
    let Some(Value::Array(groups)) = groups else { return Vec::new() };
    groups
        .iter()
        .filter_map(|group| group.get("names")?.as_array())
        .map(|names| names.iter().filter_map(Value::as_str).collect::<Vec<_>>())
        .filter(|names| !names.is_empty())
        .collect()
}

fn aliases(map: &Map<String, Value>) -> Vec<AliasGroup> {
    let Some(Value::Array(groups)) =
        map.get("x-expected").and_then(|extension| extension.get("alias_groups"))
    else {
        return Vec::new();
    };
    groups
        .iter()
        .map(|group| AliasGroup {
            names: names(group.get("names")),
            required: group.get("required") == Some(&Value::Bool(true)),
        })
        .filter(|group| !group.names.is_empty())
        .collect()
}

/// Whether a member of `allOf` only says in standard keywords what an alias group says: exactly one
/// of the names, or not two of them.
fn says_alias(member: &Value, groups: &[Vec<&str>]) -> bool {
    let Value::Object(map) = member else { return false };
    let (Some((keyword, value)), 1) = (map.iter().next(), map.len()) else { return false };
    let required = |schema: &Value| match schema.as_object() {
        Some(map) if map.len() == 1 => map.get("required").map(|names_of| names(Some(names_of))),
        _ => None,
    };
    match (keyword.as_str(), value) {
        ("oneOf", Value::Array(forms)) => groups.iter().any(|group| {
            forms.len() == group.len()
                && forms.iter().zip(group).all(|(form, name)| {
                    required(form)
                        .is_some_and(|names| matches!(names.as_slice(), [only] if only.as_ref() == *name))
                })
        }),
        ("not", not) => required(not).is_some_and(|names| {
            names.len() == 2
                && groups.iter().any(|group| names.iter().all(|name| group.contains(&name.as_ref())))
        }),
        _ => false,
    }
}
