//! The fields and variants of the shadow.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Fields, LitStr, Type, ext::IdentExt, spanned::Spanned};

use super::{
    Expansion,
    amend::{amend, constraints, description, scoring},
};
use crate::{
    ast::{Default, Field, Variant},
    kind::{Rewrite, is_option},
    value::Json,
};

impl Expansion<'_> {
    /// The type whose schema the field has, and whether it is another than the field's own.
    pub(super) fn field_type(&self, field: &Field) -> (Type, bool) {
        let attrs = &field.attrs;
        let mut rewrite = Rewrite { this: &self.this, maps: !attrs.flatten, replaced: false };
        let mut ty = attrs.schema_as.as_ref().unwrap_or(&field.syntax.ty).clone();
        rewrite.ty(&mut ty);
        let mut replaced = rewrite.replaced || attrs.schema_as.is_some();
        // serde takes absence for `None` only where it reads the field itself.
        if attrs.custom && attrs.default.is_none() && !attrs.flatten && attrs.schema_as.is_some() {
            ty = Type::Verbatim(quote_spanned!(ty.span()=> __jc::Custom<#ty>));
            replaced = true;
        }
        (ty, replaced)
    }

    pub(super) fn fields(&self, syntax: &Fields, fields: &[Field], of_struct: bool) -> TokenStream {
        let fields = fields.iter().map(|field| self.field(field, of_struct));
        match syntax {
            Fields::Named(_) => quote!({ #(#fields,)* }),
            Fields::Unnamed(_) => quote!((#(#fields,)*)),
            Fields::Unit => TokenStream::new(),
        }
    }

    fn field(&self, field: &Field, of_struct: bool) -> TokenStream {
        let attrs = &field.attrs;
        let name = field.syntax.ident.iter();
        let mut own = field.syntax.ty.clone();
        Rewrite { this: &self.this, maps: false, replaced: false }.ty(&mut own);
        if attrs.skip {
            return quote!(#[serde(skip)] #(#name:)* #own);
        }
        let forward = &attrs.forward;
        let with = match self.field_type(field) {
            (ty, true) => {
                let text = LitStr::new(&ty.to_token_stream().to_string(), ty.span());
                Some(quote!(#[schemars(with = #text)]))
            }
            _ => None,
        };
        let default = match &attrs.default {
            Some(_) if !self.plain_defaults() => Some(quote!(#[serde(default = "__jc::no_default")])),
            Some(Default::Trait) => Some(quote!(#[serde(default)])),
            Some(Default::Path(tokens)) => Some(quote!(#[serde(#tokens)])),
            None if of_struct && self.container.attrs.default.is_some() && !self.plain_defaults() => {
                Some(quote!(#[serde(default = "__jc::no_default")]))
            }
            None => None,
        }
        .filter(|_| !attrs.flatten);
        let required = attrs.required.then(|| quote!(#[schemars(required)]));
        let mut json = Json::object();
        description(&mut json, &attrs.description);
        constraints(&mut json, &attrs.constraints);
        scoring(&mut json, &attrs.scoring, &attrs.aliases);
        let amend = amend(json);
        quote_spanned!(field.syntax.ty.span()=> #forward #with #default #required #amend #(#name:)* #own)
    }

    /// The variant, and once more under each of its aliases.
    pub(super) fn variant(&self, variant: &Variant) -> TokenStream {
        let ident = &variant.syntax.ident;
        let attrs = &variant.attrs;
        let container = &self.container.attrs;
        if attrs.skip {
            return quote!(#[serde(skip)] #ident,);
        }
        let mut json = Json::object();
        description(&mut json, &attrs.description);
        if attrs.other {
            json.raw("other", "true");
        }
        if let (Some(content), false) = (&container.content, attrs.untagged) {
            match (&variant.syntax.fields, &variant.fields[..]) {
                (Fields::Unit, _) => json.string("adjacent_unit", content),
                (Fields::Unnamed(_), [only]) if is_option(&only.syntax.ty) => {
                    json.string("adjacent_optional", content);
                }
                _ => {}
            }
        }
        if let (Fields::Unnamed(_), None) = (&variant.syntax.fields, &attrs.schema_as)
            && let Some(count) = fewest(&variant.fields)
        {
            json.raw("variant_min_items", &count.to_string());
        }
        let amend = amend(json);
        let forward = &attrs.forward;
        let with = attrs.schema_as.as_ref().map(|ty| {
            let text = LitStr::new(&self.rewritten(ty).0.to_token_stream().to_string(), ty.span());
            quote!(#[schemars(with = #text)])
        });
        let fields = self.fields(&variant.syntax.fields, &variant.fields, false);
        let aliases = attrs.aliases.iter().enumerate().map(|(index, alias)| {
            let name = format_ident!("__{}Alias{}", ident.unraw(), index);
            let plain: Vec<_> =
                attrs.forward.serde.iter().filter(|item| !item.to_string().starts_with("rename =")).collect();
            let (attributes, schemars) = (&attrs.forward.attributes, &attrs.forward.schemars);
            quote! {
                #(#attributes)*
                #[serde(rename = #alias #(, #plain)*)]
                #[schemars(#(#schemars),*)]
                #with
                #amend
                #name #fields,
            }
        });
        let aliases: TokenStream = aliases.collect();
        quote!(#forward #with #amend #ident #fields, #aliases)
    }
}

/// How many elements a tuple has at least, where its last ones may be left out for their defaults.
pub(super) fn fewest(fields: &[Field]) -> Option<usize> {
    if fields.len() < 2 {
        return None;
    }
    let read: Vec<&Field> = fields.iter().filter(|field| !field.attrs.skip).collect();
    let fewest = read.iter().rposition(|field| field.attrs.default.is_none()).map_or(0, |last| last + 1);
    (fewest < read.len()).then_some(fewest)
}
