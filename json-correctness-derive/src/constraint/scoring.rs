//! What tells the metrics how to score a field.

use proc_macro2::Span;

use crate::{
    attr::{Errors, Form, Item, listing, nearest, split},
    value::Value,
};

use super::{
    Given, Source,
    given::{flag, put},
};

pub(crate) const SCORING: &[&str] = &["weight", "threshold", "ignore", "comparison", "tolerance", "align"];
pub(crate) const COMPARISONS: &[&str] =
    &["exact", "numeric", "levenshtein", "case_insensitive", "whitespace_insensitive", "instant"];
pub(crate) const ALIGNMENTS: &[&str] = &["positional", "unordered"];

/// What tells the metrics how to score a field.
#[derive(Default)]
pub(crate) struct Scoring {
    pub(crate) weight: Option<Given<Value>>,
    pub(crate) threshold: Option<Given<Value>>,
    pub(crate) ignore: Option<Given<()>>,
    pub(crate) comparison: Option<Given<String>>,
    pub(crate) tolerance: Option<Given<(&'static str, Value)>>,
    pub(crate) align: Option<Given<Align>>,
}

pub(crate) enum Align {
    Named(String),
    Key(String),
}

impl Scoring {
    pub(crate) fn take(&mut self, item: &Item, errors: &mut Errors) -> bool {
        let source = Source::Expected;
        match item.key.as_str() {
            key @ ("weight" | "threshold") => {
                let Some(tokens) = item.value(&format!("{key} = 0.5"), errors) else { return true };
                let value = Value::read(tokens, item.span);
                match value.as_number() {
                    Some(number) if (0.0..=1.0).contains(&number) => {}
                    Some(number) => {
                        errors.at(value.span, format!("`{key}` lies between 0 and 1, and {number} does not"));
                    }
                    None => errors.at(
                        value.span,
                        format!("`{key}` takes a number from 0 to 1, not {}", value.describe()),
                    ),
                }
                let slot = if key == "weight" { &mut self.weight } else { &mut self.threshold };
                put(slot, value, item, source, errors);
            }
            "ignore" => {
                flag(item, errors);
                put(&mut self.ignore, (), item, source, errors);
            }
            "comparison" => {
                if let Some((name, span)) = item.text("comparison = \"levenshtein\"", errors) {
                    known(&name, COMPARISONS, "comparison", span, errors);
                    put(&mut self.comparison, name, item, source, errors);
                }
            }
            "tolerance" => {
                if let Some(tolerance) = tolerance(item, errors) {
                    put(&mut self.tolerance, tolerance, item, source, errors);
                }
            }
            "align" => self.align(item, errors),
            _ => return false,
        }
        true
    }

    fn align(&mut self, item: &Item, errors: &mut Errors) {
        let example = "align = \"unordered\"` or `align(key = \"id\")";
        let align = match &item.form {
            Form::List(tokens) => {
                let mut inner = split(tokens.clone(), errors);
                match (inner.pop(), inner.is_empty()) {
                    (Some(only), true) if only.key == "key" => {
                        only.text("key = \"id\"", errors).map(|(key, _)| Align::Key(key))
                    }
                    _ => {
                        errors.at(item.span, format!("`align` takes one member's name: write `{example}`"));
                        None
                    }
                }
            }
            _ => item.text(example, errors).map(|(name, span)| {
                known(&name, ALIGNMENTS, "alignment", span, errors);
                Align::Named(name)
            }),
        };
        if let Some(align) = align {
            put(&mut self.align, align, item, Source::Expected, errors);
        }
    }
}

fn tolerance(item: &Item, errors: &mut Errors) -> Option<(&'static str, Value)> {
    let example = "tolerance = 0.5` (absolute) or `tolerance(relative = 0.01)";
    let (kind, value) = match &item.form {
        Form::Is(tokens) => ("absolute", Value::read(tokens.clone(), item.span)),
        Form::List(tokens) => {
            let mut inner = split(tokens.clone(), errors);
            let only = inner.pop().filter(|_| inner.is_empty());
            let kind = match only.as_ref().map(|only| only.key.as_str()) {
                Some("absolute") => "absolute",
                Some("relative") => "relative",
                _ => {
                    errors.at(item.span, format!("`tolerance` takes one distance: write `{example}`"));
                    return None;
                }
            };
            (kind, Value::read(only?.value(example, errors)?, item.span))
        }
        Form::Flag => {
            errors.at(item.span, format!("`tolerance` takes a distance: write `{example}`"));
            return None;
        }
    };
    match value.as_number() {
        Some(number) if number >= 0.0 => Some((kind, value)),
        Some(_) => {
            errors.at(value.span, "`tolerance` is a distance: it is never negative");
            None
        }
        None => {
            errors.at(value.span, format!("`tolerance` takes a number, not {}", value.describe()));
            None
        }
    }
}

fn known(name: &str, all: &[&str], what: &str, span: Span, errors: &mut Errors) {
    if !all.contains(&name) {
        let hint = match nearest(name, all) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the known ones are {}", listing(all)),
        };
        errors.at(span, format!("`{name}` is no {what}; {hint}"));
    }
}
