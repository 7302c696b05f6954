//! What a faulty type expands to besides its errors: an impl that is never run, so that every use of
//! the type does not become an error of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

pub(crate) fn fallback(input: &DeriveInput, krate: &Path, errors: TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, parameters, where_clause) = input.generics.split_for_impl();
    quote! {
        #errors
        #[doc(hidden)]
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as __jc;
            #[automatically_derived]
            impl #impl_generics __jc::schemars::JsonSchema for #ident #parameters #where_clause {
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    ::core::unimplemented!()
                }
                fn json_schema(_: &mut __jc::schemars::SchemaGenerator) -> __jc::schemars::Schema {
                    ::core::unimplemented!()
                }
            }
        };
    }
}
