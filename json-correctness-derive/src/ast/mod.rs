//! The type as the macro sees it: its parts, each with what its attributes say.

mod container;
mod field;
mod forward;
mod variant;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, LitStr};

pub(crate) use self::{container::ContainerAttrs, field::FieldAttrs, variant::VariantAttrs};
use crate::{
    attr::{Errors, Form, Item, listing, nearest},
    constraint::{CONSTRAINTS, SCORING},
};

pub(crate) struct Container {
    pub(crate) input: DeriveInput,
    pub(crate) attrs: ContainerAttrs,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) syntax: syn::Variant,
    pub(crate) attrs: VariantAttrs,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) syntax: syn::Field,
    pub(crate) attrs: FieldAttrs,
}

/// `#[serde(default)]` or `#[serde(default = "path")]`.
pub(crate) enum Default {
    Trait,
    Path(TokenStream),
}

impl Container {
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let attrs = ContainerAttrs::read(&input.attrs, errors);
        let body = match &input.data {
            Data::Struct(data) => {
                Body::Struct(data.fields.iter().map(|field| Field::read(field, errors)).collect())
            }
            Data::Enum(data) => Body::Enum(
                data.variants
                    .iter()
                    .map(|variant| Variant {
                        syntax: variant.clone(),
                        attrs: VariantAttrs::read(&variant.attrs, errors),
                        fields: variant.fields.iter().map(|field| Field::read(field, errors)).collect(),
                    })
                    .collect(),
            ),
            Data::Union(data) => {
                errors.at(
                    data.union_token.span,
                    "`ExpectedSchema` cannot be derived for a union, as serde cannot read one: write an enum with `#[serde(untagged)]`",
                );
                return None;
            }
        };
        Some(Self { input: input.clone(), attrs, body })
    }

    /// Every field, whether of the struct or of a variant.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        match &self.body {
            Body::Struct(fields) => fields.iter().collect(),
            Body::Enum(variants) => variants
                .iter()
                .filter(|variant| !variant.attrs.skip)
                .flat_map(|variant| &variant.fields)
                .collect(),
        }
    }
}

impl Field {
    fn read(field: &syn::Field, errors: &mut Errors) -> Self {
        Self { syntax: field.clone(), attrs: FieldAttrs::read(&field.attrs, errors) }
    }
}

const ON_TYPE: &[&str] =
    &["title", "description", "examples", "deny_unknown_fields", "crate", "schema_as", "bound"];

/// What other libraries call a constraint, and how to write it here.
const HABITS: &[(&[&str], &str)] = &[
    (&["min", "max", "minimum", "maximum", "ge", "le"], "range(min = .., max = ..)"),
    (&["gt", "lt", "exclusive_min", "exclusive_max"], "range(exclusive_min = .., exclusive_max = ..)"),
    (&["min_length", "max_length", "min_items", "max_items", "len"], "length(min = .., max = ..)"),
    (&["regex"], "pattern = \"..\""),
    (&["enum", "choices", "values"], "one_of = [..]"),
    (&["email", "url", "ip", "ipv4", "ipv6", "uuid"], "format = \"..\""),
    (&["unique"], "unique_items"),
];

/// What serde has an attribute for.
const OF_SERDE: &[&str] =
    &["alias", "default", "flatten", "rename", "rename_all", "skip", "tag", "transparent", "untagged"];

/// Says that nothing is known by this name here, and what was likely meant.
fn unknown(item: &Item, place: &str, known: &[&str], errors: &mut Errors) {
    let key = &item.key;
    let elsewhere = CONSTRAINTS.contains(&key.as_str()) || SCORING.contains(&key.as_str());
    let habit = HABITS.iter().find(|(names, _)| names.contains(&key.as_str()));
    let message = if elsewhere {
        format!("`{key}` belongs on a field, not on {place}")
    } else if let Some((_, here)) = habit.filter(|_| known.contains(&"range")) {
        format!("unknown attribute `{key}`; write `{here}`")
    } else if OF_SERDE.contains(&key.as_str()) {
        format!("`{key}` is an attribute of serde, which is read too: write `#[serde({})]`", item.tokens)
    } else if let Some(nearest) = nearest(key, known) {
        format!("unknown attribute `{key}`; did you mean `{nearest}`?")
    } else if ON_TYPE.contains(&key.as_str()) {
        format!("`{key}` belongs on the type, not on {place}")
    } else {
        format!("unknown attribute `{key}`; {place} takes {}", listing(known))
    };
    errors.at(item.span, message);
}

fn lit_str(item: &Item) -> Option<LitStr> {
    match &item.form {
        Form::Is(tokens) => syn::parse2(crate::value::ungroup(tokens.clone())).ok(),
        _ => None,
    }
}

fn default_of(item: &Item) -> Default {
    match &item.form {
        Form::Is(_) => Default::Path(item.tokens.clone()),
        _ => Default::Trait,
    }
}

/// The JSON that a function of the user's takes is nowhere to be seen.
fn hidden_shape(item: &Item, errors: &mut Errors) {
    errors.at(
        item.span,
        format!(
            "`{}` hides what JSON is read: add `#[expected(schema_as = \"Type\")]`, naming a type that takes the same JSON",
            item.key
        ),
    );
}
