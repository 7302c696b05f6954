//! Reading attributes: the items of `#[expected(..)]` and of the attributes of serde, schemars,
//! garde and validator that say what JSON a field takes.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use syn::{Attribute, Meta};

use crate::value::Value;

/// Every mistake of one type, so that they are reported together.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_compile_error(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}

/// One item of an attribute: `key`, `key = value` or `key(..)`.
pub(crate) struct Item {
    pub(crate) key: String,
    pub(crate) span: Span,
    pub(crate) form: Form,
    /// The whole item, to be forwarded as it stands.
    pub(crate) tokens: TokenStream,
}

pub(crate) enum Form {
    Flag,
    Is(TokenStream),
    List(TokenStream),
}

impl Item {
    fn read(tokens: Vec<TokenTree>) -> Result<Self, syn::Error> {
        let all: TokenStream = tokens.iter().cloned().collect();
        let mut rest = tokens.into_iter();
        let (key, span) = match rest.next() {
            Some(TokenTree::Ident(ident)) => (ident.to_string(), ident.span()),
            Some(other) => {
                return Err(syn::Error::new(other.span(), "expected a name, as in `weight = 0.5`"));
            }
            None => return Err(syn::Error::new(Span::call_site(), "expected a name")),
        };
        let form = match rest.next() {
            None => Form::Flag,
            Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => {
                let value: TokenStream = rest.collect();
                if value.is_empty() {
                    return Err(syn::Error::new(punct.span(), format!("a value is missing after `{key} =`")));
                }
                Form::Is(value)
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                if let Some(next) = rest.next() {
                    return Err(syn::Error::new(next.span(), "expected a comma"));
                }
                Form::List(group.stream())
            }
            Some(other) => {
                let message = format!("expected `{key} = ..`, `{key}(..)` or a comma after `{key}`");
                return Err(syn::Error::new(other.span(), message));
            }
        };
        Ok(Self { key, span, form, tokens: all })
    }

    /// The value behind `=`; otherwise an error that shows how to write the item.
    pub(crate) fn value(&self, example: &str, errors: &mut Errors) -> Option<TokenStream> {
        match &self.form {
            Form::Is(value) => Some(value.clone()),
            _ => {
                errors.at(self.span, format!("`{}` takes a value: write `{example}`", self.key));
                None
            }
        }
    }

    /// The items between the parentheses; otherwise an error that shows how to write the item.
    pub(crate) fn list(&self, example: &str, errors: &mut Errors) -> Option<Vec<Item>> {
        match &self.form {
            Form::List(tokens) => Some(split(tokens.clone(), errors)),
            _ => {
                errors.at(self.span, format!("`{}` takes a list: write `{example}`", self.key));
                None
            }
        }
    }

    /// A string literal behind `=`, or alone between parentheses.
    pub(crate) fn text(&self, example: &str, errors: &mut Errors) -> Option<(String, Span)> {
        let tokens = match &self.form {
            Form::Is(tokens) | Form::List(tokens) => tokens.clone(),
            Form::Flag => {
                errors.at(self.span, format!("`{}` takes a string: write `{example}`", self.key));
                return None;
            }
        };
        let value = Value::read(tokens, self.span);
        match value.as_text() {
            Some(text) => Some((text.to_owned(), value.span)),
            None => {
                errors.at(value.span, format!("`{}` takes a string: write `{example}`", self.key));
                None
            }
        }
    }
}

/// The items of every attribute of this name, in order.
pub(crate) fn items(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Item> {
    let mut all = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        match &attr.meta {
            Meta::List(list) => all.extend(split(list.tokens.clone(), errors)),
            // What is wrong with another crate's attribute, that crate's own derive reports.
            _ if name != "expected" => {}
            _ => errors.push(syn::Error::new_spanned(
                attr,
                "write `#[expected(..)]`, as in `#[expected(weight = 0.5)]`",
            )),
        }
    }
    all
}

/// Splits at the commas of the top level.
pub(crate) fn split(tokens: TokenStream, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    for piece in pieces(tokens) {
        match Item::read(piece) {
            Ok(item) => items.push(item),
            Err(error) => errors.push(error),
        }
    }
    items
}

/// The token runs between the commas of the top level; a comma inside `::<A, B>` does not count.
pub(crate) fn pieces(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut pieces = vec![Vec::new()];
    let mut angles = 0_usize;
    let mut previous = ' ';
    for token in tokens {
        let mut current = ' ';
        if let TokenTree::Punct(punct) = &token {
            current = punct.as_char();
            match current {
                ',' if angles == 0 => {
                    pieces.push(Vec::new());
                    previous = ' ';
                    continue;
                }
                '<' if angles > 0 || previous == ':' => angles += 1,
                '>' if previous != '-' && previous != '=' => angles = angles.saturating_sub(1),
                _ => {}
            }
            if punct.spacing() == Spacing::Alone && current != ':' && current != '-' && current != '=' {
                current = ' ';
            }
        }
        previous = current;
        if let Some(last) = pieces.last_mut() {
            last.push(token);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The known name that was most likely meant.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // `maximum` for `max`, `desc` for `description`.
    let longer = |candidate: &&&str| {
        name.len().min(candidate.len()) >= 3 && (name.starts_with(**candidate) || candidate.starts_with(name))
    };
    if let Some(candidate) = known.iter().find(longer) {
        return Some(candidate);
    }
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.len().max(name.len()).div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `` `a`, `b` and `c` ``
pub(crate) fn listing(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
