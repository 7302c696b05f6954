//! Who lacks a schema is told so at the place where the user wrote the type, in our words.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Type, spanned::Spanned};

use super::Expansion;
use crate::kind::foreign_leaves;

impl Expansion<'_> {
    /// Blames the type that lacks a schema, at the place where the user wrote it, in our words.
    pub(super) fn needs(&self) -> TokenStream {
        let mut leaves = Vec::new();
        if let Some(ty) = self.replacement() {
            foreign_leaves(ty, &self.parameters, &mut leaves);
        } else {
            for field in self.container.fields().into_iter().filter(|field| !field.attrs.skip) {
                let ty = field.attrs.schema_as.as_ref().unwrap_or(&field.syntax.ty);
                let described = field.attrs.forward.schemars.iter().any(|item| {
                    let item = item.to_string();
                    item.starts_with("with") || item.starts_with("schema_with")
                });
                if !described && !mentions_lifetime(ty) {
                    foreign_leaves(ty, &self.parameters, &mut leaves);
                }
            }
        }
        let mut seen: Vec<String> = Vec::new();
        leaves.retain(|ty| {
            let text = ty.to_token_stream().to_string();
            let new = !seen.contains(&text);
            seen.push(text);
            new
        });
        if leaves.is_empty() {
            return TokenStream::new();
        }
        let calls = leaves.into_iter().map(|ty| quote_spanned!(ty.span()=> __jc::needs::<#ty>();));
        quote!(fn __needs() { #(#calls)* })
    }
}

/// A check outside of the impl knows none of its lifetimes.
fn mentions_lifetime(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    text.replace("'static", "").contains('\'')
}
