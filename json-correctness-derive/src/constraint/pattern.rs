//! Regular expressions, and what can be said as one.

use proc_macro2::TokenStream;

use crate::{
    attr::{Errors, Form, Item, split},
    value::Value,
};

use super::{Constraints, Given, Source};

/// One regular expression; prefix, suffix and the like are turned into one.
pub(crate) enum Pattern {
    Text(String),
    /// Anything with `to_string`.
    Expression(TokenStream),
}

impl Constraints {
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

    /// garde's words for what a pattern says.
    pub(super) fn affix(&mut self, item: &Item, source: Source, errors: &mut Errors) {
        let pattern = match (item.key.as_str(), &item.form) {
            ("ascii", _) => "^[\\u0000-\\u007f]*$".to_owned(),
            (key, Form::List(tokens)) => {
                let value = Value::read(tokens.clone(), item.span);
                let Some(text) = value.as_text() else { return };
                let escaped = escape(text);
                if key == "prefix" { format!("^{escaped}") } else { format!("{escaped}$") }
            }
            _ => return,
        };
        self.put_pattern(item, Pattern::Text(pattern), source, errors);
    }

    pub(super) fn pattern(&mut self, item: &Item, source: Source, errors: &mut Errors) {
        let tokens = match &item.form {
            Form::Is(tokens) => tokens.clone(),
            // `regex(pattern = ..)` and `regex(path = ..)`, or the expression alone.
            Form::List(tokens) => {
                let inner = split(tokens.clone(), &mut Errors::default());
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
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "\\.+*?()|[]{}^$/-".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
