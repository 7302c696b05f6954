//! The derive macro of `json-correctness`, which re-exports it: see [`ExpectedSchema`](macro@ExpectedSchema).

mod ast;
mod attr;
mod constraint;
mod expand;
mod fallback;
mod kind;
mod pattern;
mod valid;
mod value;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Path, parse_macro_input, parse_quote};

#[doc = include_str!("expected_schema.md")]
#[proc_macro_derive(ExpectedSchema, attributes(expected, schemars, serde, garde, validate))]
pub fn derive_expected_schema(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).into()
}

fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = attr::Errors::default();
    let container = ast::Container::read(input, &mut errors);
    if let Some(container) = &container {
        valid::check(container, &mut errors);
    }
    match container {
        Some(container) if errors.is_empty() => expand::expand(&container),
        container => {
            let krate = container.as_ref().map_or_else(default_krate, krate);
            fallback::fallback(input, &krate, errors.into_compile_error())
        }
    }
}

/// Where the library is found from the user's code.
fn krate(container: &ast::Container) -> Path {
    container.attrs.krate.clone().unwrap_or_else(default_krate)
}

fn default_krate() -> Path {
    parse_quote!(::json_correctness)
}
