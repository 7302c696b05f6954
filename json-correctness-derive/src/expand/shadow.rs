//! The shadow: a type of the same shape with schemars' own derive.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Fields, GenericParam, LitStr, ext::IdentExt};

use super::{
    Expansion,
    amend::{always_amend, amend, description},
    parts::fewest,
};
use crate::{
    ast::{Body, Container, Default},
    value::Json,
};

impl Expansion<'_> {
    pub(super) fn shadow(&self) -> TokenStream {
        let Self { container, shadow, .. } = self;
        let krate = crate::krate(container);
        let schemars =
            LitStr::new(&quote!(#krate::__private::schemars).to_string().replace(' ', ""), Span::call_site());
        let attrs = &container.attrs;
        let name = match &attrs.remote {
            Some(path) => path.segments.last().map(|last| last.ident.unraw().to_string()),
            None => None,
        }
        .unwrap_or_else(|| container.input.ident.unraw().to_string());
        let rename = (!attrs.renamed).then(|| quote!(#[serde(rename = #name)]));
        let bound = attrs.bound.as_ref().map(|bound| quote!(#[schemars(bound = #bound)]));
        let deny = attrs.deny_unknown_fields.then(|| quote!(#[serde(deny_unknown_fields)]));
        let forward = &attrs.forward;
        let generics = &container.input.generics;
        let (_, _, where_clause) = generics.split_for_impl();
        let head = quote! {
            #[derive(__jc::schemars::JsonSchema)]
            #[schemars(crate = #schemars)]
            #rename
            #bound
        };
        let mut json = Json::object();
        description(&mut json, &attrs.description);
        if let Some(ty) = self.replacement() {
            let ty = self.rewritten(ty).0;
            if generics.params.is_empty() {
                let amend = amend(json);
                let Described(docs) = Described::of(container);
                return quote!(#head #docs #amend struct #shadow(#ty););
            }
            // The parameters have to be used; with a transform of its own the shadow keeps its own name.
            let marks = generics.params.iter().map(|parameter| match parameter {
                GenericParam::Type(ty) => {
                    let ident = &ty.ident;
                    quote!(::core::marker::PhantomData<#ident>)
                }
                GenericParam::Lifetime(lifetime) => {
                    let lifetime = &lifetime.lifetime;
                    quote!(&#lifetime ())
                }
                GenericParam::Const(_) => quote!(()),
            });
            let amend = always_amend(json);
            let Described(docs) = Described::of(container);
            return quote! {
                #head
                #docs
                #amend
                #[serde(transparent)]
                struct #shadow #generics (#ty, #[serde(skip)] ::core::marker::PhantomData<(#(#marks,)*)>) #where_clause;
            };
        }
        if let Some(shape) = self.tuple_minimum() {
            json.raw("min_items", &shape.to_string());
        }
        if let Body::Enum(variants) = &container.body
            && variants.iter().any(|variant| variant.attrs.other && !variant.attrs.skip)
        {
            json.nested("open", |json| {
                if let Some(tag) = &attrs.tag {
                    json.string("tag", tag);
                }
            });
        }
        let amend = amend(json);
        let default = self.container_default();
        let head = quote!(#head #deny #default #forward #amend);
        match &container.body {
            Body::Struct(fields) => {
                let Some(syntax) = self.struct_fields() else { return TokenStream::new() };
                let body = self.fields(syntax, fields, true);
                match syntax {
                    Fields::Named(_) => quote!(#head struct #shadow #generics #where_clause #body),
                    _ => quote!(#head struct #shadow #generics #body #where_clause;),
                }
            }
            Body::Enum(variants) => {
                let variants = variants.iter().map(|variant| self.variant(variant));
                quote!(#head enum #shadow #generics #where_clause { #(#variants)* })
            }
        }
    }

    fn struct_fields(&self) -> Option<&Fields> {
        match &self.container.input.data {
            syn::Data::Struct(data) => Some(&data.fields),
            _ => None,
        }
    }

    /// How many elements a tuple struct has at least, where that is not all of them.
    fn tuple_minimum(&self) -> Option<usize> {
        let attrs = &self.container.attrs;
        match (self.struct_fields(), &self.container.body) {
            (Some(Fields::Unnamed(_)), Body::Struct(fields)) if !attrs.transparent => {
                if attrs.default.is_some() && fields.len() > 1 { Some(0) } else { fewest(fields) }
            }
            _ => None,
        }
    }

    /// The values of defaults are shown in the schema where they can be had without asking for more
    /// of the type's parameters than serde does.
    pub(super) fn plain_defaults(&self) -> bool {
        self.container.input.generics.params.is_empty() && self.container.attrs.remote.is_none()
    }

    fn container_default(&self) -> Option<TokenStream> {
        let default = self.container.attrs.default.as_ref().filter(|_| self.plain_defaults())?;
        Some(match default {
            Default::Trait => {
                // `Self::default()` inside the shadow would be the shadow's.
                let this = &self.this;
                let path = quote!(<#this as ::core::default::Default>::default).to_string();
                quote!(#[serde(default = #path)])
            }
            Default::Path(tokens) => quote!(#[serde(#tokens)]),
        })
    }
}

/// The doc comment and what schemars is told about the container, without what serde is told about
/// fields and variants that are not there.
struct Described(TokenStream);

impl Described {
    fn of(container: &Container) -> Self {
        let forward = &container.attrs.forward;
        let (attributes, schemars) = (&forward.attributes, &forward.schemars);
        let names = forward.serde.iter().filter(|item| item.to_string().starts_with("rename ="));
        Self(quote!(#(#attributes)* #(#[serde(#names)])* #[schemars(#(#schemars),*)]))
    }
}
