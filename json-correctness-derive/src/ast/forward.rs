//! What is passed on to schemars.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Attribute;

use crate::attr::{Errors, Form, Item};

/// Attributes that schemars is to see as they are.
#[derive(Default)]
pub(crate) struct Forward {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) serde: Vec<TokenStream>,
    pub(crate) schemars: Vec<TokenStream>,
}

impl Forward {
    pub(super) fn of(attrs: &[Attribute]) -> Self {
        let attributes = attrs
            .iter()
            .filter(|attr| attr.path().is_ident("doc") || attr.path().is_ident("deprecated"))
            .cloned()
            .collect();
        Self { attributes, ..Self::default() }
    }
}

impl ToTokens for Forward {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attributes, serde, schemars } = self;
        tokens.extend(quote!(#(#attributes)*));
        if !serde.is_empty() {
            tokens.extend(quote!(#[serde(#(#serde),*)]));
        }
        if !schemars.is_empty() {
            tokens.extend(quote!(#[schemars(#(#schemars),*)]));
        }
    }
}

/// `rename = ".."` as it counts for reading; `rename(serialize = "..")` counts for nothing.
pub(super) fn reading_name(item: &Item) -> Option<TokenStream> {
    match &item.form {
        Form::List(tokens) => {
            let inner = crate::attr::split(tokens.clone(), &mut Errors::default());
            let name = inner.into_iter().find(|inner| inner.key == "deserialize")?;
            let Form::Is(value) = name.form else { return None };
            let key = syn::Ident::new(&item.key, item.span);
            Some(quote!(#key = #value))
        }
        _ => Some(item.tokens.clone()),
    }
}
