//! What makes no sense is refused here, at its token, with what to write instead.

use std::cmp::Ordering;

use quote::ToTokens;
use syn::Type;

use crate::{
    ast::{Body, Container, Field},
    attr::Errors,
    constraint::{Constraints, Contains, Given, Length, Range, Scoring},
    kind::{Kind, borrowed},
    value::{Value, ValueKind},
};

pub(crate) fn check(container: &Container, errors: &mut Errors) {
    let through = match (&container.attrs.schema_as, &container.attrs.from) {
        (Some((ty, _)), _) => Some(("schema_as", ty)),
        (None, Some((ty, key))) => Some((*key, ty)),
        (None, None) => None,
    };
    for field in container.fields() {
        match (&through, &field.attrs.said) {
            (Some((key, ty)), Some((said, span))) => errors.at(
                *span,
                format!(
                    "`{key}` makes `{}` the type that is read, so `{said}` here has no effect: put it there",
                    spelled(ty)
                ),
            ),
            (Some(_), None) => {}
            (None, _) => check_field(field, errors),
        }
    }
    if let Body::Enum(variants) = &container.body {
        for variant in variants.iter().filter(|variant| variant.attrs.skip) {
            if !variant.attrs.aliases.is_empty() {
                errors.at(variant.syntax.ident.span(), "this variant is never read: take off its aliases");
            }
        }
    }
}

fn check_field(field: &Field, errors: &mut Errors) {
    let attrs = &field.attrs;
    if let (true, Some((said, span))) = (attrs.skip, &attrs.said) {
        errors.at(
            *span,
            format!("the field is skipped and never read, so `{said}` has no effect: take one of them off"),
        );
        return;
    }
    if let (true, Some((said, span))) = (attrs.flatten, &attrs.said) {
        errors.at(*span, format!("`{said}` has no effect on a flattened field: put it on the fields that are flattened into this one"));
        return;
    }
    if attrs.skip {
        return;
    }
    let ty = attrs.schema_as.as_ref().unwrap_or(&field.syntax.ty);
    if let Some((reference, owned)) = borrowed(ty) {
        let instead = owned.map_or(String::new(), |owned| format!(": write `{owned}`"));
        errors.push(syn::Error::new_spanned(
            reference,
            format!("a borrowed value cannot outlive the text it came from; own the data{instead}"),
        ));
    }
    let kind = Kind::of(ty);
    constraints(&attrs.constraints, &kind, ty, errors);
    scoring(&attrs.scoring, &kind, ty, errors);
}

/// A type as its user would write it.
pub(crate) fn spelled(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, tight) in [(" < ", "<"), (" >", ">"), (" :: ", "::"), (" ,", ","), ("& ", "&"), ("< ", "<")]
    {
        text = text.replace(spaced, tight);
    }
    text
}

fn misfit<T>(
    given: &Given<T>,
    name: &str,
    what: &str,
    kind: &Kind,
    ty: &Type,
    mend: &str,
    errors: &mut Errors,
) {
    let end = if mend.is_empty() { "take it off".to_owned() } else { format!("write `{mend}`") };
    errors.at(given.span, format!("`{name}` {what}, and `{}` is {}: {end}", spelled(ty), kind.describe()));
}

fn constraints(all: &Constraints, kind: &Kind, ty: &Type, errors: &mut Errors) {
    let unknown = *kind == Kind::Unknown;
    let text = matches!(kind, Kind::Text | Kind::Char);
    let number = matches!(kind, Kind::Integer | Kind::Float);
    let list = matches!(kind, Kind::List(_));
    if let Some(given) = &all.range {
        if !unknown && !number {
            let mend = match kind {
                Kind::Text => "length(min = .., max = ..)",
                Kind::List(item) if matches!(**item, Kind::Integer | Kind::Float | Kind::Unknown) => {
                    "inner(range(min = .., max = ..))"
                }
                Kind::List(_) | Kind::Map => "length(min = .., max = ..)",
                _ => "",
            };
            misfit(given, "range", "bounds numbers", kind, ty, mend, errors);
        }
        range(&given.value, kind, ty, errors);
    }
    if let Some(given) = &all.length {
        if !unknown && !matches!(kind, Kind::Text | Kind::List(_) | Kind::Map) {
            let mend = if number { "range(min = .., max = ..)" } else { "" };
            misfit(given, "length", "bounds text, lists and maps", kind, ty, mend, errors);
        }
        length(&given.value, errors);
    }
    for (name, given) in &all.patterns {
        if !unknown && !text {
            let mend = match kind {
                Kind::List(item) if matches!(**item, Kind::Text | Kind::Unknown) => "inner(pattern = \"..\")",
                Kind::Integer | Kind::Float => "range(min = .., max = ..)",
                _ => "",
            };
            misfit(given, name, "is for text", kind, ty, mend, errors);
        }
    }
    if let Some(given) = &all.format
        && !unknown
        && !text
    {
        let mend = match kind {
            Kind::List(item) if matches!(**item, Kind::Text | Kind::Unknown) => {
                format!("inner(format = \"{}\")", given.value)
            }
            _ => String::new(),
        };
        misfit(given, "format", "is for text", kind, ty, &mend, errors);
    }
    if let Some(given) = &all.multiple_of {
        if !unknown && !number {
            let mend = match kind {
                Kind::List(item) if matches!(**item, Kind::Integer | Kind::Float | Kind::Unknown) => {
                    "inner(multiple_of = ..)"
                }
                _ => "",
            };
            misfit(given, "multiple_of", "is for numbers", kind, ty, mend, errors);
        }
        match given.value.as_number() {
            Some(step) if step <= 0.0 => errors.at(given.value.span, "`multiple_of` takes a step above 0"),
            None if !given.value.is_expression() => {
                let message = format!("`multiple_of` takes a number, not {}", given.value.describe());
                errors.at(given.value.span, message);
            }
            _ => exact(&given.value, errors),
        }
    }
    if let Some(given) = &all.one_of {
        match kind {
            Kind::List(_) | Kind::Map | Kind::Unit => {
                let mend = if list { "inner(one_of = [..])" } else { "" };
                misfit(given, "one_of", "lists single values", kind, ty, mend, errors);
            }
            _ => given.value.iter().for_each(|value| literal(value, "one_of", kind, ty, errors)),
        }
    }
    if let Some(given) = &all.unique_items
        && !unknown
        && !list
    {
        misfit(given, "unique_items", "is for lists", kind, ty, "", errors);
    }
    if let Some(given) = &all.contains {
        match (kind, &given.value) {
            (Kind::Text | Kind::Unknown, _) | (Kind::List(_), Contains::Such(_)) => {}
            (Kind::List(item), Contains::Value(value)) => literal(value, "contains", item, ty, errors),
            _ => misfit(given, "contains", "is for lists and text", kind, ty, "", errors),
        }
        if let Contains::Such(such) = &given.value {
            if *kind == Kind::Text {
                misfit(given, "contains(..)", "is for lists", kind, ty, "contains = \"..\"", errors);
            }
            constraints(such, item_kind(kind), ty, errors);
        }
        if let (Kind::Text, Contains::Value(value)) = (kind, &given.value) {
            literal(value, "contains", kind, ty, errors);
        }
    }
    if let Some(given) = &all.inner {
        if !unknown && !list {
            misfit(given, "inner", "is for the items of lists", kind, ty, "", errors);
        }
        constraints(&given.value, item_kind(kind), item_type(ty), errors);
    }
}

fn item_kind(kind: &Kind) -> &Kind {
    match kind {
        Kind::List(item) => item,
        _ => &Kind::Unknown,
    }
}

/// The type of the items, for messages: looks through `Option`, `Box` and the like as `Kind` does.
fn item_type(ty: &Type) -> &Type {
    let inner = match ty {
        Type::Array(array) => return &array.elem,
        Type::Slice(slice) => return &slice.elem,
        Type::Path(path) => path.path.segments.last().and_then(|last| match &last.arguments {
            syn::PathArguments::AngleBracketed(list) => {
                list.args.iter().find_map(|argument| match argument {
                    syn::GenericArgument::Type(ty) => Some((last, ty)),
                    _ => None,
                })
            }
            _ => None,
        }),
        _ => None,
    };
    match inner {
        Some((last, inner))
            if matches!(last.ident.to_string().as_str(), "Option" | "Box" | "Rc" | "Arc" | "Cow") =>
        {
            item_type(inner)
        }
        Some((_, inner)) => inner,
        None => ty,
    }
}

/// A literal must be of the type that the field holds.
fn literal(value: &Value, name: &str, kind: &Kind, ty: &Type, errors: &mut Errors) {
    let fits = match (&value.kind, kind) {
        (ValueKind::Expression(_), _) | (_, Kind::Unknown) => true,
        (ValueKind::Text(text), Kind::Char) => text.chars().count() == 1,
        (ValueKind::Text(_), Kind::Text) => true,
        (ValueKind::Int(_), Kind::Integer | Kind::Float) | (ValueKind::Float(_), Kind::Float) => true,
        (ValueKind::Bool(_), Kind::Bool) => true,
        _ => false,
    };
    if !fits {
        let (is, ty) = (value.describe(), spelled(ty));
        errors.at(
            value.span,
            format!("{is} can never be a value of `{ty}`: `{name}` takes {} here", kind.describe()),
        );
    } else {
        exact(value, errors);
    }
}

/// JSON Schema documents hold 64-bit integers and f64; anything else would be rounded in silence.
fn exact(value: &Value, errors: &mut Errors) {
    if let ValueKind::Int(number) = value.kind {
        let in_64_bits = i128::from(i64::MIN) <= number && number <= i128::from(u64::MAX);
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
        if !in_64_bits && (number as f64) as i128 != number {
            errors.at(
                value.span,
                "an integer beyond 64 bits cannot be kept exactly in a schema: round it to a multiple of a power of two, or leave it to the type",
            );
        }
    }
}

fn range(range: &Range, kind: &Kind, ty: &Type, errors: &mut Errors) {
    let Range { min, max, exclusive_min, exclusive_max } = range;
    for (one, two, names) in
        [(min, exclusive_min, "min` and `exclusive_min"), (max, exclusive_max, "max` and `exclusive_max")]
    {
        if let (Some(_), Some(two)) = (one, two) {
            errors.at(two.span, format!("`{names}` exclude each other: keep one of them"));
        }
    }
    for value in [min, max, exclusive_min, exclusive_max].into_iter().flatten() {
        exact(value, errors);
        if *kind == Kind::Integer && matches!(value.kind, ValueKind::Float(_)) {
            errors.at(value.span, format!("`{}` holds integers: write the limit as an integer", spelled(ty)));
        }
    }
    let low = min.as_ref().map(|min| (min, false)).or(exclusive_min.as_ref().map(|min| (min, true)));
    let high = max.as_ref().map(|max| (max, false)).or(exclusive_max.as_ref().map(|max| (max, true)));
    if let (Some((low, low_open)), Some((high, high_open))) = (low, high) {
        let empty = match low.compare(high) {
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => low_open || high_open,
            _ => false,
        };
        if empty {
            errors.at(high.span, "no number lies in this range: its lower limit is above its upper one");
        }
    }
}

fn length(length: &Length, errors: &mut Errors) {
    let Length { min, max, equal } = length;
    for value in [min, max, equal].into_iter().flatten() {
        match value.kind {
            ValueKind::Int(number) if number < 0 => errors.at(value.span, "a length is never negative"),
            ValueKind::Float(_) => errors.at(value.span, "a length is an integer"),
            _ => exact(value, errors),
        }
    }
    if let (Some(equal), true) = (equal, min.is_some() || max.is_some()) {
        errors.at(equal.span, "`equal` excludes `min` and `max`: keep `equal`, or the other two");
    }
    if let (Some(min), Some(max)) = (min, max)
        && min.compare(max) == Some(Ordering::Greater)
    {
        errors.at(max.span, "no length lies in this range: `min` is above `max`");
    }
}

fn scoring(all: &Scoring, kind: &Kind, ty: &Type, errors: &mut Errors) {
    if let Some(given) = &all.comparison {
        let fits = match (given.value.as_str(), kind) {
            (_, Kind::Unknown) | ("exact", _) => true,
            ("numeric", kind) => matches!(kind, Kind::Integer | Kind::Float | Kind::Bool),
            (_, kind) => matches!(kind, Kind::Text | Kind::Char),
        };
        if !fits {
            let what = if given.value == "numeric" { "compares numbers" } else { "compares text" };
            misfit(given, &given.value, what, kind, ty, "comparison = \"exact\"", errors);
        }
    }
    if let Some(given) = &all.tolerance
        && !matches!(kind, Kind::Unknown | Kind::Integer | Kind::Float)
    {
        misfit(given, "tolerance", "is for numbers", kind, ty, "", errors);
    }
    if let Some(given) = &all.align
        && !matches!(kind, Kind::Unknown | Kind::List(_))
    {
        misfit(given, "align", "is for lists", kind, ty, "", errors);
    }
    if let (Some(ignore), Some(weight)) = (&all.ignore, &all.weight) {
        errors.at(
            ignore.span,
            format!("an ignored field has no weight: keep `ignore` or `weight{}`", weight_text(weight)),
        );
    }
}

fn weight_text(weight: &Given<Value>) -> String {
    weight.value.as_number().map_or(String::new(), |number| format!(" = {number}"))
}
