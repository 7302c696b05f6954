//! Values inside attributes: literals, which become JSON text while the macro runs, and other
//! constant expressions, which the program evaluates when it builds the schema.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Lit, spanned::Spanned};

pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

pub(crate) enum ValueKind {
    Text(String),
    Int(i128),
    Float(f64),
    Bool(bool),
    Expression(TokenStream),
}

impl Value {
    pub(crate) fn read(tokens: TokenStream, fallback: Span) -> Self {
        let tokens = ungroup(tokens);
        let span = if tokens.is_empty() { fallback } else { tokens.span() };
        let mut rest = tokens.clone().into_iter();
        let mut first = rest.next();
        let negative = matches!(&first, Some(TokenTree::Punct(punct)) if punct.as_char() == '-');
        if negative {
            first = rest.next();
        }
        let literal = match (first, rest.next()) {
            (Some(first), None) => syn::parse2::<Lit>(ungroup(first.into())).ok(),
            _ => None,
        };
        let kind = match literal {
            Some(Lit::Str(text)) if !negative => ValueKind::Text(text.value()),
            Some(Lit::Char(text)) if !negative => ValueKind::Text(text.value().to_string()),
            Some(Lit::Bool(value)) if !negative => ValueKind::Bool(value.value),
            Some(Lit::Int(digits)) => match signed(digits.base10_digits(), negative) {
                Some(value) => ValueKind::Int(value),
                None => ValueKind::Expression(tokens),
            },
            Some(Lit::Float(digits)) => match digits.base10_parse::<f64>() {
                Ok(value) if value.is_finite() => ValueKind::Float(if negative { -value } else { value }),
                _ => ValueKind::Expression(tokens),
            },
            _ => ValueKind::Expression(tokens),
        };
        Self { kind, span }
    }

    pub(crate) fn text(text: String, span: Span) -> Self {
        Self { kind: ValueKind::Text(text), span }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A literal number; integers beyond 2^53 are rounded, which does for comparing.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self.kind {
            #[allow(clippy::cast_precision_loss)]
            ValueKind::Int(value) => Some(value as f64),
            ValueKind::Float(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn is_expression(&self) -> bool {
        matches!(self.kind, ValueKind::Expression(_))
    }

    /// Literal against literal, exactly; `None` where one is not a number literal.
    pub(crate) fn compare(&self, other: &Value) -> Option<std::cmp::Ordering> {
        match (&self.kind, &other.kind) {
            (ValueKind::Int(one), ValueKind::Int(two)) => Some(one.cmp(two)),
            _ => self.as_number()?.partial_cmp(&other.as_number()?),
        }
    }

    /// What a reader would call the literal.
    pub(crate) fn describe(&self) -> &'static str {
        match self.kind {
            ValueKind::Text(_) => "a string",
            ValueKind::Int(_) => "an integer",
            ValueKind::Float(_) => "a decimal number",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Expression(_) => "an expression",
        }
    }
}

fn signed(digits: &str, negative: bool) -> Option<i128> {
    if negative { format!("-{digits}").parse().ok() } else { digits.parse().ok() }
}

/// Takes off the invisible groups that `macro_rules!` puts around its fragments.
pub(crate) fn ungroup(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            ungroup(group.stream())
        }
        _ => tokens,
    }
}

/// JSON text under construction; expressions leave a `null` and are set by the program.
#[derive(Default)]
pub(crate) struct Json {
    text: String,
    path: Vec<String>,
    dynamic: Vec<(String, TokenStream)>,
    fresh: bool,
}

impl Json {
    pub(crate) fn object() -> Self {
        Self { text: "{".into(), fresh: true, ..Self::default() }
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text == "{"
    }

    pub(crate) fn finish(mut self) -> (String, Vec<(String, TokenStream)>) {
        self.text.push('}');
        (self.text, self.dynamic)
    }

    fn comma(&mut self) {
        if !self.fresh {
            self.text.push(',');
        }
        self.fresh = false;
    }

    fn key(&mut self, key: &str) {
        self.comma();
        push_string(&mut self.text, key);
        self.text.push(':');
    }

    pub(crate) fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.text.push_str(json);
    }

    pub(crate) fn string(&mut self, key: &str, text: &str) {
        self.key(key);
        push_string(&mut self.text, text);
    }

    pub(crate) fn value(&mut self, key: &str, value: &Value) {
        self.key(key);
        self.path.push(key.to_owned());
        self.push(value);
        self.path.pop();
    }

    pub(crate) fn array(&mut self, key: &str, values: &[Value]) {
        self.key(key);
        self.path.push(key.to_owned());
        self.text.push('[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.path.push(index.to_string());
            self.push(value);
            self.path.pop();
        }
        self.text.push(']');
        self.path.pop();
        self.fresh = false;
    }

    pub(crate) fn nested(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.path.push(key.to_owned());
        self.text.push('{');
        self.fresh = true;
        fill(self);
        self.text.push('}');
        self.fresh = false;
        self.path.pop();
    }

    fn push(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::Text(text) => push_string(&mut self.text, text),
            ValueKind::Int(number) => self.text.push_str(&number.to_string()),
            ValueKind::Float(number) => self.text.push_str(&format!("{number:?}")),
            ValueKind::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            ValueKind::Expression(tokens) => {
                self.text.push_str("null");
                let pointer = format!("/{}", self.path.join("/"));
                self.dynamic.push((pointer, quote!(__jc::value(&(#tokens)))));
            }
        }
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}
