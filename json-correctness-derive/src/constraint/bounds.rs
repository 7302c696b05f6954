//! Limits of numbers and of lengths.

use crate::{
    attr::{Errors, Form, Item, listing, nearest, pieces},
    value::{Value, ValueKind},
};

use super::Source;

#[derive(Default)]
pub(crate) struct Range {
    pub(crate) min: Option<Value>,
    pub(crate) max: Option<Value>,
    pub(crate) exclusive_min: Option<Value>,
    pub(crate) exclusive_max: Option<Value>,
}

#[derive(Default)]
pub(crate) struct Length {
    pub(crate) min: Option<Value>,
    pub(crate) max: Option<Value>,
    pub(crate) equal: Option<Value>,
}

pub(super) fn range(item: &Item, source: Source, errors: &mut Errors) -> Option<Range> {
    let mut range = Range::default();
    bounds(item, source, &["min", "max", "exclusive_min", "exclusive_max"], errors, |name, value| {
        let slot = match name {
            "min" => &mut range.min,
            "max" => &mut range.max,
            "exclusive_min" => &mut range.exclusive_min,
            _ => &mut range.exclusive_max,
        };
        slot.replace(value).is_none()
    })?;
    Some(range)
}

pub(super) fn length(item: &Item, source: Source, errors: &mut Errors) -> Option<Length> {
    let mut length = Length::default();
    if source == Source::Garde
        && let Form::List(tokens) = &item.form
        && pieces(tokens.clone()).iter().any(|piece| {
            piece.len() == 1 && matches!(piece[0].to_string().as_str(), "bytes" | "graphemes" | "utf16")
        })
    {
        // JSON Schema counts Unicode scalar values; it has no word for these.
        return None;
    }
    bounds(item, source, &["min", "max", "equal"], errors, |name, value| {
        let slot = match name {
            "min" => &mut length.min,
            "max" => &mut length.max,
            _ => &mut length.equal,
        };
        slot.replace(value).is_none()
    })?;
    Some(length)
}

fn bounds(
    item: &Item,
    source: Source,
    names: &[&str],
    errors: &mut Errors,
    mut set: impl FnMut(&str, Value) -> bool,
) -> Option<()> {
    let example = format!("{}(min = 1, max = 10)", item.key);
    let items = item.list(&example, errors)?;
    if items.is_empty() {
        errors.at(item.span, format!("`{}` has no limit: write `{example}`", item.key));
    }
    for inner in items {
        if names.contains(&inner.key.as_str()) {
            if let Some(value) = number(&inner, source, errors)
                && !set(&inner.key, value)
            {
                errors.at(inner.span, format!("`{}` is given twice: keep one of them", inner.key));
            }
        } else if source == Source::Expected {
            let hint = match nearest(&inner.key, names) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("it takes {}", listing(names)),
            };
            errors.at(inner.span, format!("`{}` knows no `{}`; {hint}", item.key, inner.key));
        }
    }
    Some(())
}

fn number(item: &Item, source: Source, errors: &mut Errors) -> Option<Value> {
    let tokens = item.value(&format!("{} = 1", item.key), errors)?;
    let value = Value::read(tokens, item.span);
    match value.as_text() {
        // validator and schemars take numbers in quotes, too.
        Some(text) if source != Source::Expected => {
            text.parse().ok().map(|tokens| Value::read(tokens, item.span))
        }
        Some(_) => {
            errors
                .at(value.span, format!("`{}` takes a number, not a string: take off the quotes", item.key));
            None
        }
        None if matches!(value.kind, ValueKind::Bool(_)) => {
            errors.at(value.span, format!("`{}` takes a number, not a boolean", item.key));
            None
        }
        None => Some(value),
    }
}
