//! The expansion: a hidden shadow of the type with schemars' own derive, and the user's type
//! delegating to it.
//!
//! schemars knows serde's attributes well; the shadow lets it see those that count for reading, and
//! nothing else, and carries what it does not know (constraints, hints, aliases) as one transform per
//! field whose argument is a JSON text. One string literal per field costs the compiler next to nothing.

mod amend;
mod needs;
mod parts;
mod shadow;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Ident, Type, ext::IdentExt};

use crate::{
    ast::{Body, Container},
    kind::{Rewrite, is_phantom},
};

pub(crate) fn expand(container: &Container) -> TokenStream {
    Expansion::new(container).all()
}

struct Expansion<'a> {
    container: &'a Container,
    /// The user's type with its parameters.
    this: Type,
    shadow: Ident,
    parameters: Vec<&'a Ident>,
}

impl<'a> Expansion<'a> {
    fn new(container: &'a Container) -> Self {
        let ident = &container.input.ident;
        let (_, parameters, _) = container.input.generics.split_for_impl();
        Self {
            container,
            this: Type::Verbatim(quote!(#ident #parameters)),
            shadow: format_ident!("__{}Shadow", ident.unraw(), span = Span::call_site()),
            parameters: container
                .input
                .generics
                .params
                .iter()
                .filter_map(|parameter| match parameter {
                    GenericParam::Type(ty) => Some(&ty.ident),
                    GenericParam::Const(constant) => Some(&constant.ident),
                    GenericParam::Lifetime(_) => None,
                })
                .collect(),
        }
    }

    fn all(&self) -> TokenStream {
        let Self { container, shadow, .. } = self;
        let krate = crate::krate(container);
        let ident = &container.input.ident;
        let (impl_generics, parameters, where_clause) = container.input.generics.split_for_impl();
        let predicates = where_clause.map(|clause| {
            let predicates = clause.predicates.iter();
            quote!(#(#predicates,)*)
        });
        let inner = self.seen_through();
        let bound = if container.input.generics.params.is_empty() {
            quote!(#where_clause)
        } else {
            // The shadow's own bounds say nothing of the type that it is asked about by name.
            let inner = inner.iter();
            quote!(where #predicates #(#inner: __jc::schemars::JsonSchema,)* #shadow #parameters: __jc::schemars::JsonSchema)
        };
        let item = self.shadow();
        let delegate = quote!(<#shadow #parameters as __jc::schemars::JsonSchema>);
        let see_through = self.see_through(inner.as_ref(), &delegate);
        let needs = self.needs();
        quote! {
            #[doc(hidden)]
            #[allow(
                dead_code, deprecated, non_camel_case_types, non_snake_case, private_bounds, unused,
                clippy::all, clippy::nursery, clippy::pedantic
            )]
            const _: () = {
                use #krate::__private as __jc;
                #needs
                #item
                #[automatically_derived]
                impl #impl_generics __jc::schemars::JsonSchema for #ident #parameters #bound {
                    #[inline]
                    fn schema_name() -> ::std::borrow::Cow<'static, str> { #delegate::schema_name() }
                    #[inline]
                    fn schema_id() -> ::std::borrow::Cow<'static, str> { #delegate::schema_id() }
                    #[inline]
                    fn json_schema(generator: &mut __jc::schemars::SchemaGenerator) -> __jc::schemars::Schema {
                        #delegate::json_schema(generator)
                    }
                    #see_through
                }
            };
        }
    }

    /// The type that is read in this one's place, or that this one is transparent for.
    fn seen_through(&self) -> Option<Type> {
        match &self.container.body {
            _ if self.replacement().is_some() => self.replacement().map(|ty| self.rewritten(ty).0),
            Body::Struct(fields) if self.container.attrs.transparent => fields
                .iter()
                .find(|field| {
                    !field.attrs.skip && field.attrs.default.is_none() && !is_phantom(&field.syntax.ty)
                })
                .map(|field| self.field_type(field).0),
            _ => None,
        }
    }

    /// Whoever is read in this type's place also says whether absence is taken, and whether the schema
    /// is to be inlined.
    fn see_through(&self, inner: Option<&Type>, delegate: &TokenStream) -> TokenStream {
        if let Some(inner) = inner {
            quote! {
                #[inline]
                    fn inline_schema() -> bool { #delegate::inline_schema() }
                #[inline]
                    fn _schemars_private_is_option() -> bool {
                    <#inner as __jc::schemars::JsonSchema>::_schemars_private_is_option()
                }
                #[inline]
                    fn _schemars_private_non_optional_json_schema(
                    generator: &mut __jc::schemars::SchemaGenerator,
                ) -> __jc::schemars::Schema {
                    #delegate::_schemars_private_non_optional_json_schema(generator)
                }
            }
        } else if self.container.attrs.inline {
            quote!(
                fn inline_schema() -> bool {
                    true
                }
            )
        } else {
            TokenStream::new()
        }
    }

    /// The type that is read in place of this one.
    fn replacement(&self) -> Option<&Type> {
        let attrs = &self.container.attrs;
        attrs.schema_as.as_ref().map(|(ty, _)| ty).or(attrs.from.as_ref().map(|(ty, _)| ty))
    }

    fn rewritten(&self, ty: &Type) -> (Type, bool) {
        let mut ty = ty.clone();
        let mut rewrite = Rewrite { this: &self.this, maps: true, replaced: false };
        rewrite.ty(&mut ty);
        (ty, rewrite.replaced)
    }
}
