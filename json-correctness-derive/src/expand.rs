//! The expansion: a hidden shadow of the type with schemars' own derive, and the user's type
//! delegating to it.
//!
//! schemars knows serde's attributes well; the shadow lets it see those that count for reading, and
//! nothing else, and carries what it does not know (constraints, hints, aliases) as one transform per
//! field whose argument is a JSON text. One string literal per field costs the compiler next to nothing.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Fields, GenericParam, Ident, LitStr, Type, ext::IdentExt, spanned::Spanned};

use crate::{
    ast::{Body, Container, Default, Field, Variant},
    constraint::{Align, Constraints, Contains, Description, Pattern, Scoring},
    kind::{Rewrite, foreign_leaves, is_option, is_phantom},
    value::{Json, Value, ValueKind},
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

    /// Blames the type that lacks a schema, at the place where the user wrote it, in our words.
    fn needs(&self) -> TokenStream {
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

    fn shadow(&self) -> TokenStream {
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

    /// Elements of a tuple struct from the first one with a default on may be left out.
    fn tuple_minimum(&self) -> Option<usize> {
        let (Some(Fields::Unnamed(_)), Body::Struct(fields)) = (self.struct_fields(), &self.container.body)
        else {
            return None;
        };
        let read: Vec<&Field> = fields.iter().filter(|field| !field.attrs.skip).collect();
        if fields.len() < 2 || self.container.attrs.transparent {
            return None;
        }
        if self.container.attrs.default.is_some() {
            return Some(0);
        }
        read.iter().position(|field| field.attrs.default.is_some())
    }

    /// The values of defaults are shown in the schema where they can be had without asking for more
    /// of the type's parameters than serde does.
    fn plain_defaults(&self) -> bool {
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

    fn rewritten(&self, ty: &Type) -> (Type, bool) {
        let mut ty = ty.clone();
        let mut rewrite = Rewrite { this: &self.this, maps: true, replaced: false };
        rewrite.ty(&mut ty);
        (ty, rewrite.replaced)
    }

    /// The type whose schema the field has, and whether it is another than the field's own.
    fn field_type(&self, field: &Field) -> (Type, bool) {
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

    fn fields(&self, syntax: &Fields, fields: &[Field], of_struct: bool) -> TokenStream {
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
    fn variant(&self, variant: &Variant) -> TokenStream {
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

/// A check outside of the impl knows none of its lifetimes.
fn mentions_lifetime(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    text.replace("'static", "").contains('\'')
}

/// The transform that applies a JSON text to a schema, unless it is empty.
fn amend(json: Json) -> Option<TokenStream> {
    (!json.is_blank()).then(|| always_amend(json))
}

fn always_amend(json: Json) -> TokenStream {
    let (text, dynamic) = json.finish();
    let (pointers, values): (Vec<String>, Vec<TokenStream>) = dynamic.into_iter().unzip();
    quote!(#[schemars(transform = __jc::Amend(#text) #(.with(#pointers, #values))*)])
}

fn description(json: &mut Json, description: &Description) {
    for (key, given) in [("title", &description.title), ("description", &description.description)] {
        if let Some(given) = given {
            json.string(key, &given.value);
        }
    }
    if let Some(given) = &description.examples {
        json.array("examples", &given.value);
    }
}

fn constraints(json: &mut Json, all: &Constraints) {
    if let Some(given) = &all.range {
        json.nested("range", |json| {
            let range = &given.value;
            for (key, value) in [
                ("minimum", &range.min),
                ("maximum", &range.max),
                ("exclusiveMinimum", &range.exclusive_min),
                ("exclusiveMaximum", &range.exclusive_max),
            ] {
                if let Some(value) = value {
                    json.value(key, value);
                }
            }
        });
    }
    if let Some(given) = &all.length {
        json.nested("length", |json| {
            let length = &given.value;
            for (key, value) in [
                ("min", length.min.as_ref().or(length.equal.as_ref())),
                ("max", length.max.as_ref().or(length.equal.as_ref())),
            ] {
                if let Some(value) = value {
                    json.value(key, value);
                }
            }
        });
    }
    if !all.patterns.is_empty() {
        let patterns: Vec<Value> = all
            .patterns
            .iter()
            .map(|(_, given)| match &given.value {
                Pattern::Text(text) => Value::text(text.clone(), given.span),
                Pattern::Expression(tokens) => {
                    Value { kind: ValueKind::Expression(quote!((#tokens).to_string())), span: given.span }
                }
            })
            .collect();
        json.array("patterns", &patterns);
    }
    if let Some(given) = &all.multiple_of {
        json.value("multiple_of", &given.value);
    }
    if let Some(given) = &all.format {
        json.string("format", &given.value);
    }
    if let Some(given) = &all.one_of {
        json.array("one_of", &given.value);
    }
    if all.unique_items.is_some() {
        json.raw("unique_items", "true");
    }
    if let Some(given) = &all.contains {
        match &given.value {
            Contains::Value(value) => json.value("contains", value),
            Contains::Such(such) => json.nested("contains_such", |json| constraints(json, such)),
        }
    }
    if let Some(given) = &all.inner {
        json.nested("inner", |json| constraints(json, &given.value));
    }
}

fn scoring(json: &mut Json, all: &Scoring, aliases: &[LitStr]) {
    let Scoring { weight, threshold, ignore, comparison, tolerance, align } = all;
    let nothing = weight.is_none()
        && threshold.is_none()
        && ignore.is_none()
        && comparison.is_none()
        && tolerance.is_none()
        && align.is_none();
    if nothing && aliases.is_empty() {
        return;
    }
    json.nested("expected", |json| {
        if !aliases.is_empty() {
            let aliases: Vec<Value> =
                aliases.iter().map(|alias| Value::text(alias.value(), alias.span())).collect();
            json.array("aliases", &aliases);
        }
        if let Some(given) = align {
            match &given.value {
                Align::Named(name) => json.string("align", name),
                Align::Key(key) => json.nested("align", |json| json.string("key", key)),
            }
        }
        if let Some(given) = comparison {
            json.string("comparison", &given.value);
        }
        if ignore.is_some() {
            json.raw("ignore", "true");
        }
        if let Some(given) = threshold {
            json.value("threshold", &given.value);
        }
        if let Some(given) = tolerance {
            json.nested("tolerance", |json| json.value(given.value.0, &given.value.1));
        }
        if let Some(given) = weight {
            json.value("weight", &given.value);
        }
    });
}
