//! What schemars does not know, as a JSON text that is worked into its schema.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::{
    constraint::{Align, Constraints, Contains, Description, Pattern, Scoring},
    value::{Json, Value, ValueKind},
};

/// The transform that applies a JSON text to a schema, unless it is empty.
pub(super) fn amend(json: Json) -> Option<TokenStream> {
    (!json.is_blank()).then(|| always_amend(json))
}

pub(super) fn always_amend(json: Json) -> TokenStream {
    let (text, dynamic) = json.finish();
    let (pointers, values): (Vec<String>, Vec<TokenStream>) = dynamic.into_iter().unzip();
    quote!(#[schemars(transform = __jc::Amend(#text) #(.with(#pointers, #values))*)])
}

pub(super) fn description(json: &mut Json, description: &Description) {
    for (key, given) in [("title", &description.title), ("description", &description.description)] {
        if let Some(given) = given {
            json.string(key, &given.value);
        }
    }
    if let Some(given) = &description.examples {
        json.array("examples", &given.value);
    }
}

pub(super) fn constraints(json: &mut Json, all: &Constraints) {
    if let Some(given) = &all.range {
        json.nested("range", |json| {
            let range = &given.value;
            for (key, value) in [
                ("minimum", &range.min),
                ("maximum", &range.max),
                ("exclusiveMinimum", &range.exclusive_min),
                ("exclusiveMaximum", &range.exclusive_max),
            ] {
                if let Some(value) = value {
                    json.value(key, value);
                }
            }
        });
    }
    if let Some(given) = &all.length {
        json.nested("length", |json| {
            let length = &given.value;
            for (key, value) in [
                ("min", length.min.as_ref().or(length.equal.as_ref())),
                ("max", length.max.as_ref().or(length.equal.as_ref())),
            ] {
                if let Some(value) = value {
                    json.value(key, value);
                }
            }
        });
    }
    if !all.patterns.is_empty() {
        let patterns: Vec<Value> = all
            .patterns
            .iter()
            .map(|(_, given)| match &given.value {
                Pattern::Text(text) => Value::text(text.clone(), given.span),
                Pattern::Expression(tokens) => {
                    Value { kind: ValueKind::Expression(quote!((#tokens).to_string())), span: given.span }
                }
            })
            .collect();
        json.array("patterns", &patterns);
    }
    if let Some(given) = &all.multiple_of {
        json.value("multiple_of", &given.value);
    }
    if let Some(given) = &all.format {
        json.string("format", &given.value);
    }
    if let Some(given) = &all.one_of {
        json.array("one_of", &given.value);
    }
    if all.unique_items.is_some() {
        json.raw("unique_items", "true");
    }
    if let Some(given) = &all.contains {
        match &given.value {
            Contains::Value(value) => json.value("contains", value),
            Contains::Such(such) => json.nested("contains_such", |json| constraints(json, such)),
        }
    }
    if let Some(given) = &all.inner {
        json.nested("inner", |json| constraints(json, &given.value));
    }
}

pub(super) fn scoring(json: &mut Json, all: &Scoring, aliases: &[LitStr]) {
    let Scoring { weight, threshold, ignore, comparison, tolerance, align } = all;
    let nothing = weight.is_none()
        && threshold.is_none()
        && ignore.is_none()
        && comparison.is_none()
        && tolerance.is_none()
        && align.is_none();
    if nothing && aliases.is_empty() {
        return;
    }
    json.nested("expected", |json| {
        if !aliases.is_empty() {
            let aliases: Vec<Value> =
                aliases.iter().map(|alias| Value::text(alias.value(), alias.span())).collect();
            json.array("aliases", &aliases);
        }
        if let Some(given) = align {
            match &given.value {
                Align::Named(name) => json.string("align", name),
                Align::Key(key) => json.nested("align", |json| json.string("key", key)),
            }
        }
        if let Some(given) = comparison {
            json.string("comparison", &given.value);
        }
        if ignore.is_some() {
            json.raw("ignore", "true");
        }
        if let Some(given) = threshold {
            json.value("threshold", &given.value);
        }
        if let Some(given) = tolerance {
            json.nested("tolerance", |json| json.value(given.value.0, &given.value.1));
        }
        if let Some(given) = weight {
            json.value("weight", &given.value);
        }
    });
}
