//! The constraints and hints on a field, from whichever crate's attribute they come.

mod bounds;
mod description;
mod given;
mod pattern;
mod scoring;

use crate::{
    attr::{Errors, Form, Item, listing, nearest},
    value::Value,
};

use self::given::{array, flag, put};
pub(crate) use self::{
    bounds::{Length, Range},
    description::{DESCRIPTIONS, Description},
    given::{Given, Source, type_value},
    pattern::Pattern,
    scoring::{Align, SCORING, Scoring},
};

pub(crate) enum Contains {
    Value(Value),
    Such(Box<Constraints>),
}

#[derive(Default)]
pub(crate) struct Constraints {
    pub(crate) range: Option<Given<Range>>,
    pub(crate) length: Option<Given<Length>>,
    pub(crate) patterns: Vec<(String, Given<Pattern>)>,
    pub(crate) multiple_of: Option<Given<Value>>,
    pub(crate) format: Option<Given<String>>,
    pub(crate) one_of: Option<Given<Vec<Value>>>,
    pub(crate) unique_items: Option<Given<()>>,
    pub(crate) contains: Option<Given<Contains>>,
    pub(crate) inner: Option<Given<Box<Constraints>>>,
}

pub(crate) const CONSTRAINTS: &[&str] =
    &["range", "length", "pattern", "multiple_of", "format", "one_of", "unique_items", "contains", "inner"];

/// Formats that JSON Schema defines and the judge asserts.
pub(crate) const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ip",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

impl Constraints {
    /// Takes the item if it is a constraint in its crate's language.
    pub(crate) fn take(&mut self, item: &Item, source: Source, errors: &mut Errors) -> bool {
        match (item.key.as_str(), source) {
            ("range", _) => {
                if let Some(range) = bounds::range(item, source, errors) {
                    put(&mut self.range, range, item, source, errors);
                }
            }
            ("length", _) => {
                if let Some(length) = bounds::length(item, source, errors) {
                    put(&mut self.length, length, item, source, errors);
                }
            }
            ("pattern", Source::Expected | Source::Garde | Source::Schemars)
            | ("regex", Source::Schemars | Source::Validate) => self.pattern(item, source, errors),
            ("contains", _) => self.contains(item, source, errors),
            ("inner", Source::Expected | Source::Garde | Source::Schemars) => {
                self.inner(item, source, errors);
            }
            (
                "email" | "ip" | "ipv4" | "ipv6" | "url",
                Source::Schemars | Source::Garde | Source::Validate,
            ) => {
                let name = if item.key == "url" { "uri" } else { &item.key };
                put(&mut self.format, name.to_owned(), item, source, errors);
            }
            ("prefix" | "suffix" | "ascii", Source::Garde) => self.affix(item, source, errors),
            ("multiple_of", Source::Expected) => {
                if let Some(tokens) = item.value("multiple_of = 0.01", errors) {
                    let value = Value::read(tokens, item.span);
                    put(&mut self.multiple_of, value, item, source, errors);
                }
            }
            ("format", Source::Expected) => self.format(item, errors),
            ("one_of", Source::Expected) => {
                if let Some(tokens) = item.value("one_of = [\"a\", \"b\"]", errors)
                    && let Some(values) = array(tokens, "one_of = [\"a\", \"b\"]", item.span, errors)
                {
                    put(&mut self.one_of, values, item, source, errors);
                }
            }
            ("unique_items", Source::Expected) => {
                flag(item, errors);
                put(&mut self.unique_items, (), item, source, errors);
            }
            _ => return false,
        }
        true
    }

    fn contains(&mut self, item: &Item, source: Source, errors: &mut Errors) {
        let contains = match &item.form {
            Form::Is(tokens) => Contains::Value(Value::read(tokens.clone(), item.span)),
            Form::List(tokens) if source == Source::Expected => {
                let mut inner = Constraints::default();
                inner.all(crate::attr::split(tokens.clone(), errors), source, "contains", errors);
                Contains::Such(Box::new(inner))
            }
            Form::List(tokens) => {
                let named = crate::attr::split(tokens.clone(), &mut Errors::default()).into_iter().find_map(
                    |inner| match inner.form {
                        Form::Is(value) if inner.key == "pattern" => Some(value),
                        _ => None,
                    },
                );
                Contains::Value(Value::read(named.unwrap_or_else(|| tokens.clone()), item.span))
            }
            Form::Flag => {
                errors.at(item.span, "`contains` takes a value: write `contains = \"x\"`, or constraints: `contains(range(min = 3))`");
                return;
            }
        };
        put(&mut self.contains, contains, item, source, errors);
    }

    fn inner(&mut self, item: &Item, source: Source, errors: &mut Errors) {
        let Some(items) = item.list("inner(length(max = 10))", errors) else { return };
        let mut inner = Constraints::default();
        inner.all(items, source, "inner", errors);
        put(&mut self.inner, Box::new(inner), item, source, errors);
    }

    fn all(&mut self, items: Vec<Item>, source: Source, within: &str, errors: &mut Errors) {
        for item in items {
            if !self.take(&item, source, errors) && source == Source::Expected {
                let message = match nearest(&item.key, CONSTRAINTS) {
                    Some(known) => format!("`{within}` knows no `{}`; did you mean `{known}`?", item.key),
                    None => format!("`{within}` knows no `{}`; it takes {}", item.key, listing(CONSTRAINTS)),
                };
                errors.at(item.span, message);
            }
        }
    }

    fn format(&mut self, item: &Item, errors: &mut Errors) {
        // `format = ".."` asserts a known format; `format("..")` names one that only people know.
        let custom = matches!(item.form, Form::List(_));
        let Some((name, span)) = item.text("format = \"email\"", errors) else { return };
        if !custom && !FORMATS.contains(&name.as_str()) {
            let hint = match nearest(&name, FORMATS) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("the known ones are {}.", listing(FORMATS)),
            };
            errors.at(
                span,
                format!("`{name}` is no format that is checked; {hint} A name of your own, unchecked, is `format(\"{name}\")`"),
            );
        }
        put(&mut self.format, name, item, Source::Expected, errors);
    }
}
