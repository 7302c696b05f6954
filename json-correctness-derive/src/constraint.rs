//! The constraints and hints on a field, from whichever crate's attribute they come.

use proc_macro2::{Span, TokenStream};
use syn::Type;

use crate::{
    attr::{Errors, Form, Item, listing, nearest, pieces},
    value::Value,
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

pub(crate) enum Contains {
    Value(Value),
    Such(Box<Constraints>),
}

/// One regular expression; prefix, suffix and the like are turned into one.
pub(crate) enum Pattern {
    Text(String),
    /// Anything with `to_string`.
    Expression(TokenStream),
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

/// What describes a value without constraining it.
#[derive(Default)]
pub(crate) struct Description {
    pub(crate) title: Option<Given<String>>,
    pub(crate) description: Option<Given<String>>,
    pub(crate) examples: Option<Given<Vec<Value>>>,
}

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

pub(crate) const CONSTRAINTS: &[&str] =
    &["range", "length", "pattern", "multiple_of", "format", "one_of", "unique_items", "contains", "inner"];
pub(crate) const DESCRIPTIONS: &[&str] = &["title", "description", "examples"];
pub(crate) const SCORING: &[&str] = &["weight", "threshold", "ignore", "comparison", "tolerance", "align"];
pub(crate) const COMPARISONS: &[&str] =
    &["exact", "numeric", "levenshtein", "case_insensitive", "whitespace_insensitive", "instant"];
pub(crate) const ALIGNMENTS: &[&str] = &["positional", "unordered"];
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

/// Keeps the first of two; reports the second.
fn put<T>(slot: &mut Option<Given<T>>, value: T, item: &Item, source: Source, errors: &mut Errors) {
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

impl Constraints {
    /// Takes the item if it is a constraint in its crate's language.
    pub(crate) fn take(&mut self, item: &Item, source: Source, errors: &mut Errors) -> bool {
        match (item.key.as_str(), source) {
            ("range", _) => {
                if let Some(range) = range(item, source, errors) {
                    put(&mut self.range, range, item, source, errors);
                }
            }
            ("length", _) => {
                if let Some(length) = length(item, source, errors) {
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
            ("prefix" | "suffix", Source::Garde) => {
                if let Form::List(tokens) = &item.form
                    && let Some(text) = Value::read(tokens.clone(), item.span).as_text()
                {
                    let escaped = escape(text);
                    let pattern =
                        if item.key == "prefix" { format!("^{escaped}") } else { format!("{escaped}$") };
                    self.put_pattern(item, Pattern::Text(pattern), source, errors);
                }
            }
            ("ascii", Source::Garde) => {
                self.put_pattern(item, Pattern::Text("^[\\u0000-\\u007f]*$".into()), source, errors);
            }
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

    fn put_pattern(&mut self, item: &Item, pattern: Pattern, source: Source, errors: &mut Errors) {
        // `regex` and `pattern` are two names of one thing.
        let name = if item.key == "regex" { "pattern" } else { item.key.as_str() };
        if let Some((_, first)) = self.patterns.iter().find(|(known, _)| known == name) {
            errors.at(
                item.span,
                format!(
                    "`{}` is given twice, first by `#[{}(..)]`: keep one of them",
                    item.key,
                    first.source.name()
                ),
            );
            return;
        }
        self.patterns.push((name.to_owned(), Given { value: pattern, span: item.span, source }));
    }

    fn pattern(&mut self, item: &Item, source: Source, errors: &mut Errors) {
        let tokens = match &item.form {
            Form::Is(tokens) => tokens.clone(),
            // `regex(pattern = ..)` and `regex(path = ..)`, or the expression alone.
            Form::List(tokens) => {
                let inner = crate::attr::split(tokens.clone(), &mut Errors::default());
                let named = inner.into_iter().find_map(|inner| match inner.form {
                    Form::Is(value) if inner.key == "pattern" || inner.key == "path" => Some(value),
                    _ => None,
                });
                named.unwrap_or_else(|| tokens.clone())
            }
            Form::Flag => {
                errors.at(
                    item.span,
                    format!("`{0}` takes a regular expression: write `{0} = \"^[A-Z]+$\"`", item.key),
                );
                return;
            }
        };
        let value = Value::read(tokens.clone(), item.span);
        let pattern = match value.as_text() {
            // validator takes the path of a static as a string.
            Some(text) if source == Source::Validate => match text.parse() {
                Ok(path) => Pattern::Expression(path),
                Err(_) => return,
            },
            Some(text) => {
                if let Err(fault) = crate::pattern::check(text) {
                    errors.at(value.span, format!("this is not a regular expression: {fault}"));
                }
                Pattern::Text(text.to_owned())
            }
            None if value.is_expression() => Pattern::Expression(tokens),
            None => {
                errors.at(value.span, format!("`{}` takes a string, not {}", item.key, value.describe()));
                return;
            }
        };
        self.put_pattern(item, pattern, source, errors);
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

impl Description {
    pub(crate) fn take(&mut self, item: &Item, errors: &mut Errors) -> bool {
        match item.key.as_str() {
            "title" => {
                if let Some((text, _)) = item.text("title = \"..\"", errors) {
                    put(&mut self.title, text, item, Source::Expected, errors);
                }
            }
            "description" => {
                if let Some((text, _)) = item.text("description = \"..\"", errors) {
                    put(&mut self.description, text, item, Source::Expected, errors);
                }
            }
            "examples" => {
                if let Some(tokens) = item.value("examples = [\"a\", \"b\"]", errors)
                    && let Some(values) = array(tokens, "examples = [\"a\", \"b\"]", item.span, errors)
                {
                    put(&mut self.examples, values, item, Source::Expected, errors);
                }
            }
            _ => return false,
        }
        true
    }
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
                let mut inner = crate::attr::split(tokens.clone(), errors);
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

fn known(name: &str, all: &[&str], what: &str, span: Span, errors: &mut Errors) {
    if !all.contains(&name) {
        let hint = match nearest(name, all) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("the known ones are {}", listing(all)),
        };
        errors.at(span, format!("`{name}` is no {what}; {hint}"));
    }
}

fn flag(item: &Item, errors: &mut Errors) {
    if !matches!(item.form, Form::Flag) {
        errors.at(item.span, format!("`{0}` takes no value: write `{0}` alone", item.key));
    }
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
        None if matches!(value.kind, crate::value::ValueKind::Bool(_)) => {
            errors.at(value.span, format!("`{}` takes a number, not a boolean", item.key));
            None
        }
        None => Some(value),
    }
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

fn range(item: &Item, source: Source, errors: &mut Errors) -> Option<Range> {
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

fn length(item: &Item, source: Source, errors: &mut Errors) -> Option<Length> {
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

fn tolerance(item: &Item, errors: &mut Errors) -> Option<(&'static str, Value)> {
    let example = "tolerance = 0.5` (absolute) or `tolerance(relative = 0.01)";
    let (kind, value) = match &item.form {
        Form::Is(tokens) => ("absolute", Value::read(tokens.clone(), item.span)),
        Form::List(tokens) => {
            let mut inner = crate::attr::split(tokens.clone(), errors);
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

fn array(tokens: TokenStream, example: &str, span: Span, errors: &mut Errors) -> Option<Vec<Value>> {
    let tokens = crate::value::ungroup(tokens);
    let mut rest = tokens.clone().into_iter();
    match (rest.next(), rest.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None)
            if group.delimiter() == proc_macro2::Delimiter::Bracket =>
        {
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
        Some(text) => syn::LitStr::new(text, value.span).parse::<Type>(),
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

pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "\\.+*?()|[]{}^$/-".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
