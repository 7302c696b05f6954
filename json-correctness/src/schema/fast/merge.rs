//! One node from the keywords of all subschemas that apply to a value.

use serde_json::Value;

use super::{
    compile::Compiler,
    plan::{ANYTHING, ArrayRules, Field, FieldSet, Id, Kinds, Node, NumberRules, ObjectRules, StringRules},
};
use crate::{
    schema::{
        explain::{
            graph::{self, Schema},
            types::Types,
        },
        format::FormatCheck,
        keywords::Limit,
    },
    text::{Expected, Number},
};

/// Most fields of one object: a [`FieldSet`] has a bit for each.
const MOST_FIELDS: usize = FieldSet::BITS as usize;

pub(super) fn merge(compiler: &mut Compiler<'_>, parts: &[&Schema]) -> Node {
    let mut node = Node::of(Kinds::ALL);
    let mut unknown = Kinds::NONE;
    let mut forbidden = Vec::new();
    for schema in parts {
        if let Some(types) = schema.types {
            node.possible = node.possible.and(kinds_of(types));
        }
        for listed in [&schema.allowed, &schema.constant].into_iter().flatten() {
            let kinds = listed.values.iter().map(kind_of).fold(Kinds::NONE, Kinds::or);
            node.possible = node.possible.and(kinds);
            // Arrays and objects are not compared.
            unknown = unknown.or(Kinds::ARRAY).or(Kinds::OBJECT);
        }
        let Some(applied) = &schema.applied else { continue };
        if applied.condition.is_some() {
            unknown = Kinds::ALL;
        }
        for &not in &applied.not {
            match only_listed(compiler.graph.schema(not)) {
                Some(values) => forbidden.extend(values),
                None => unknown = Kinds::ALL,
            }
        }
    }
    for kind in forbidden.iter().map(|value| kind_of(value)) {
        if !Kinds::NUMBER.or(Kinds::STRING).meets(kind) {
            unknown = unknown.or(kind);
        }
    }
    let number = number_rules(parts, &forbidden);
    let string = string_rules(parts, &forbidden, &mut unknown);
    let array = array_rules(compiler, parts, &mut unknown);
    let object = object_rules(compiler, parts, &mut unknown);
    if array.is_none() && parts.iter().any(|schema| schema.array.is_some()) {
        unknown = unknown.or(Kinds::ARRAY);
    }
    if object.is_none() && parts.iter().any(|schema| schema.object.is_some()) {
        unknown = unknown.or(Kinds::OBJECT);
    }
    node.kinds = node.possible.without(unknown);
    node.number = number.map(Box::new);
    node.string = string.map(Box::new);
    node.array = array.map(Box::new);
    node.object = object.map(Box::new);
    node
}

fn kinds_of(types: Types) -> Kinds {
    [
        (Types::NULL, Kinds::NULL),
        (Types::BOOLEAN, Kinds::TRUE.or(Kinds::FALSE)),
        (Types::INTEGER, Kinds::INTEGER),
        (Types::FRACTION, Kinds::FRACTION),
        (Types::STRING, Kinds::STRING),
        (Types::ARRAY, Kinds::ARRAY),
        (Types::OBJECT, Kinds::OBJECT),
    ]
    .into_iter()
    .filter(|(types_of, _)| types.meets(*types_of))
    .fold(Kinds::NONE, |kinds, (_, more)| kinds.or(more))
}

fn kind_of(value: &Value) -> Kinds {
    match value {
        Value::Null => Kinds::NULL,
        Value::Bool(true) => Kinds::TRUE,
        Value::Bool(false) => Kinds::FALSE,
        Value::Number(_) => Kinds::NUMBER,
        Value::String(_) => Kinds::STRING,
        Value::Array(_) => Kinds::ARRAY,
        Value::Object(_) => Kinds::OBJECT,
    }
}

/// What the parts list in `enum` and `const`: the values that all of them list, where any does.
fn listed<'s>(
    parts: &[&'s Schema],
    pick: impl Fn(&'s Value) -> Option<String>,
    equal: impl Fn(&str, &str) -> bool,
) -> Option<Vec<Box<str>>> {
    let mut common: Option<Vec<Box<str>>> = None;
    for schema in parts {
        for listed in [&schema.allowed, &schema.constant].into_iter().flatten() {
            let values: Vec<Box<str>> =
                listed.values.iter().filter_map(&pick).map(String::into_boxed_str).collect();
            common = Some(match common {
                None => values,
                Some(mut common) => {
                    common.retain(|one| values.iter().any(|other| equal(one, other)));
                    common
                }
            });
        }
    }
    common
}

/// The values of a subschema that accepts just these.
fn only_listed(schema: &Schema) -> Option<&[Value]> {
    let silent = schema.verdict.is_none()
        && schema.number.is_none()
        && schema.string.is_none()
        && schema.array.is_none()
        && schema.object.is_none()
        && schema.applied.is_none()
        && schema.allowed.is_some() != schema.constant.is_some();
    let listed = schema.allowed.as_ref().or(schema.constant.as_ref()).filter(|_| silent)?;
    let types = schema.types.map_or(Kinds::ALL, kinds_of);
    listed.values.iter().all(|value| types.has(kind_of(value))).then_some(&listed.values)
}

fn number_rules(parts: &[&Schema], forbidden: &[&Value]) -> Option<NumberRules> {
    let spelled = |value: &Value| value.as_number().map(ToString::to_string);
    let mut rules = NumberRules {
        forbidden: forbidden.iter().filter_map(|value| spelled(value)).map(String::into_boxed_str).collect(),
        ..NumberRules::default()
    };
    for number in parts.iter().filter_map(|schema| schema.number.as_ref()) {
        rules.limits.extend(number.bounds.iter().map(|(bound, limit)| Limit::new(*bound, limit.to_string())));
        rules.divisors.extend(number.multiple_of.clone());
    }
    let equal =
        |a: &str, b: &str| Number::parse(a).zip(Number::parse(b)).is_some_and(|(a, b)| a.compare(b).is_eq());
    rules.allowed = listed(parts, spelled, equal);
    let silent = rules.limits.is_empty()
        && rules.divisors.is_empty()
        && rules.allowed.is_none()
        && rules.forbidden.is_empty();
    (!silent).then_some(rules)
}

fn string_rules(parts: &[&Schema], forbidden: &[&Value], unknown: &mut Kinds) -> Option<StringRules> {
    let mut rules = StringRules {
        forbidden: forbidden.iter().filter_map(|value| value.as_str()).map(Box::from).collect(),
        ..StringRules::default()
    };
    for schema in parts {
        let Some(string) = &schema.string else { continue };
        rules.min = rules.min.max(length(string.min_length).unwrap_or(0));
        rules.max = least(rules.max, length(string.max_length));
        if let Some(pattern) = &string.pattern {
            // It may stay undecided, and costs much.
            if pattern.backtracks() {
                *unknown = unknown.or(Kinds::STRING);
            }
            rules.patterns.push(pattern.clone());
        }
        if let Some(name) = &string.format
            && let Some(check) = FormatCheck::find(schema.draft, name)
        {
            rules.formats.push(check);
        }
        if string.content.is_some() {
            *unknown = unknown.or(Kinds::STRING);
        }
    }
    rules.allowed = listed(parts, |value| value.as_str().map(str::to_owned), |a, b| a == b);
    if let Some(allowed) = &mut rules.allowed {
        allowed.sort_unstable();
        allowed.dedup();
    }
    let silent = rules.min == 0
        && rules.max.is_none()
        && rules.patterns.is_empty()
        && rules.formats.is_empty()
        && rules.allowed.is_none()
        && rules.forbidden.is_empty();
    (!silent).then_some(rules)
}

fn length(limit: Option<u64>) -> Option<usize> {
    limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

fn least(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).min()
}

fn array_rules(compiler: &mut Compiler<'_>, parts: &[&Schema], unknown: &mut Kinds) -> Option<ArrayRules> {
    let rules: Vec<_> = parts.iter().filter_map(|schema| schema.array.as_ref()).collect();
    let mut max = None;
    for array in &rules {
        let unevaluated = array.unevaluated.is_some_and(|schema| schema != graph::ANYTHING);
        if array.contains.is_some() || unevaluated {
            *unknown = unknown.or(Kinds::ARRAY);
        }
        max = least(max, length(array.max_items));
        if array.unique {
            // An array of one item repeats nothing.
            max = least(max, Some(1));
        }
    }
    if rules.is_empty() || unknown.has(Kinds::ARRAY) {
        return None;
    }
    let prefix = rules.iter().map(|array| array.prefix.len()).max().unwrap_or(0);
    let mut item = |at: usize| {
        let schemas: Vec<graph::Id> =
            rules.iter().filter_map(|array| array.prefix.get(at).copied().or(array.rest)).collect();
        compiler.node(&schemas)
    };
    Some(ArrayRules {
        prefix: (0..prefix).map(&mut item).collect(),
        rest: item(prefix),
        min: rules.iter().filter_map(|array| length(array.min_items)).max().unwrap_or(0),
        max: max.unwrap_or(usize::MAX),
    })
}

fn object_rules(compiler: &mut Compiler<'_>, parts: &[&Schema], unknown: &mut Kinds) -> Option<ObjectRules> {
    let rules: Vec<&graph::ObjectRules> =
        parts.iter().filter_map(|schema| schema.object.as_deref()).collect();
    let mut names: Vec<&str> = Vec::new();
    for object in &rules {
        let unevaluated = object.unevaluated.is_some_and(|schema| schema != graph::ANYTHING);
        let patterns = !object.patterns.is_empty()
            && (rules.len() > 1 || object.patterns.iter().any(|(pattern, _)| pattern.backtracks()));
        if unevaluated || patterns || !object.dependent_schemas.is_empty() {
            *unknown = unknown.or(Kinds::OBJECT);
        }
        names.extend(object.properties.iter().map(|(name, _)| &**name));
        names.extend(object.required.iter().map(|name| &**name));
        names.extend(object.aliases.iter().flat_map(|group| &group.names).map(|name| &**name));
        let dependent = object.dependent_required.iter();
        names.extend(
            dependent.flat_map(|(name, others)| std::iter::once(name).chain(others)).map(|name| &**name),
        );
    }
    compiler.spend(names.len());
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    let of_names: Vec<graph::Id> = rules.iter().filter_map(|object| object.names).collect();
    // Whether the fields' own names are allowed is not asked.
    if rules.is_empty()
        || names.len() > MOST_FIELDS
        || !(of_names.is_empty() || names.is_empty())
        || unknown.has(Kinds::OBJECT)
    {
        return None;
    }
    let set = |wanted: &[Box<str>]| {
        wanted
            .iter()
            .filter_map(|name| names.iter().position(|known| **known == **name))
            .fold(0, |set: FieldSet, place| set | 1 << place)
    };
    let mut result = ObjectRules {
        fields: Vec::with_capacity(names.len()),
        table: Vec::new(),
        first: 0.into(),
        required: rules.iter().fold(0, |all, object| all | set(&object.required)),
        rest: ANYTHING,
        patterns: Vec::new(),
        names: compiler.node(&of_names),
        min: rules.iter().filter_map(|object| length(object.min_fields)).max().unwrap_or(0),
        max: rules.iter().filter_map(|object| length(object.max_fields)).min().unwrap_or(usize::MAX),
        exclusive: rules
            .iter()
            .flat_map(|object| &object.aliases)
            .map(|group| (set(&group.names), group.required))
            .collect(),
        dependent: rules
            .iter()
            .flat_map(|object| &object.dependent_required)
            .filter_map(|(name, others)| {
                Some((names.iter().position(|known| **known == **name)?, set(others)))
            })
            .collect(),
    };
    for (place, name) in names.iter().enumerate() {
        let node = field(compiler, &rules, name)?;
        result.fields.push(Field { key: Expected::new(name), node, next: (place as u8 + 1).into() });
    }
    let rest: Vec<graph::Id> = rules.iter().filter_map(|object| object.additional).collect();
    result.rest = compiler.node(&rest);
    for (pattern, schema) in rules.iter().flat_map(|object| &object.patterns) {
        result.patterns.push((pattern.clone(), compiler.node(&[*schema])));
    }
    result.index();
    Some(result)
}

/// The node for the member of this name; `None` where it cannot be told which subschemas apply.
fn field(compiler: &mut Compiler<'_>, rules: &[&graph::ObjectRules], name: &str) -> Option<Id> {
    let mut schemas = Vec::new();
    for object in rules {
        let before = schemas.len();
        schemas.extend(object.property(name));
        for (pattern, schema) in &object.patterns {
            if pattern.run(name).matches? {
                schemas.push(*schema);
            }
        }
        if schemas.len() == before {
            schemas.extend(object.additional);
        }
    }
    Some(compiler.node(&schemas))
}
