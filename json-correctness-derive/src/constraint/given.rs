//! A value in an attribute: whose it is, where it stands, and how it is read.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::{LitStr, Type};

use crate::{
    attr::{Errors, Form, Item, pieces},
    value::{Value, ungroup},
};

/// Whose attribute an item stands in.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Source {
    Expected,
    Schemars,
    Garde,
    Validate,
}

impl Source {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Expected => "expected",
            Self::Schemars => "schemars",
            Self::Garde => "garde",
            Self::Validate => "validate",
        }
    }
}

/// A value, where it stands, and whose attribute gave it.
pub(crate) struct Given<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
    pub(crate) source: Source,
}

/// Keeps the first of two; reports the second.
pub(super) fn put<T>(
    slot: &mut Option<Given<T>>,
    value: T,
    item: &Item,
    source: Source,
    errors: &mut Errors,
) {
    match slot {
        Some(first) => errors.at(
            item.span,
            format!(
                "`{}` is given twice, first by `#[{}(..)]`: keep one of them",
                item.key,
                first.source.name()
            ),
        ),
        None => *slot = Some(Given { value, span: item.span, source }),
    }
}

pub(super) fn flag(item: &Item, errors: &mut Errors) {
    if !matches!(item.form, Form::Flag) {
        errors.at(item.span, format!("`{0}` takes no value: write `{0}` alone", item.key));
    }
}

pub(super) fn array(
    tokens: TokenStream,
    example: &str,
    span: Span,
    errors: &mut Errors,
) -> Option<Vec<Value>> {
    let tokens = ungroup(tokens);
    let mut rest = tokens.clone().into_iter();
    match (rest.next(), rest.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Bracket => {
            let values: Vec<Value> = pieces(group.stream())
                .into_iter()
                .map(|piece| Value::read(piece.into_iter().collect(), span))
                .collect();
            if values.is_empty() {
                errors.at(group.span(), format!("the list is empty: write `{example}`"));
                return None;
            }
            Some(values)
        }
        _ => {
            errors.at(
                Value::read(tokens, span).span,
                format!("expected a list in brackets: write `{example}`"),
            );
            None
        }
    }
}

/// A type in quotes, `schema_as = "Vec<String>"`, or as it stands.
pub(crate) fn type_value(item: &Item, errors: &mut Errors) -> Option<Type> {
    let example = format!("{} = \"String\"", item.key);
    let tokens = item.value(&example, errors)?;
    let value = Value::read(tokens.clone(), item.span);
    let parsed = match value.as_text() {
        Some(text) => LitStr::new(text, value.span).parse::<Type>(),
        None => syn::parse2::<Type>(tokens),
    };
    match parsed {
        Ok(ty) => Some(ty),
        Err(_) => {
            errors.at(value.span, format!("this is not a type: write `{example}`"));
            None
        }
    }
}
