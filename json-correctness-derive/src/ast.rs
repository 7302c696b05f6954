//! The type as the macro sees it: its parts, each with what its attributes say.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, LitStr, Path, Type};

use crate::{
    attr::{Errors, Form, Item, items, listing, nearest},
    constraint::{CONSTRAINTS, Constraints, DESCRIPTIONS, Description, SCORING, Scoring, Source, type_value},
    value::Value,
};

pub(crate) struct Container {
    pub(crate) input: DeriveInput,
    pub(crate) attrs: ContainerAttrs,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) syntax: syn::Variant,
    pub(crate) attrs: VariantAttrs,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) syntax: syn::Field,
    pub(crate) attrs: FieldAttrs,
}

/// `#[serde(default)]` or `#[serde(default = "path")]`.
pub(crate) enum Default {
    Trait,
    Path(TokenStream),
}

#[derive(Default)]
pub(crate) struct ContainerAttrs {
    pub(crate) krate: Option<Path>,
    pub(crate) bound: Option<String>,
    pub(crate) schema_as: Option<(Type, Span)>,
    pub(crate) deny_unknown_fields: bool,
    pub(crate) description: Description,
    pub(crate) renamed: bool,
    pub(crate) tag: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) untagged: bool,
    pub(crate) transparent: bool,
    pub(crate) inline: bool,
    pub(crate) default: Option<Default>,
    pub(crate) remote: Option<Path>,
    /// The type that serde reads in place of this one.
    pub(crate) from: Option<(Type, &'static str)>,
    pub(crate) forward: Forward,
}

#[derive(Default)]
pub(crate) struct VariantAttrs {
    pub(crate) description: Description,
    pub(crate) schema_as: Option<Type>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) other: bool,
    pub(crate) untagged: bool,
    pub(crate) skip: bool,
    pub(crate) forward: Forward,
}

#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) constraints: Constraints,
    pub(crate) description: Description,
    pub(crate) scoring: Scoring,
    pub(crate) schema_as: Option<Type>,
    /// serde reads the field by a function of the user's.
    pub(crate) custom: bool,
    pub(crate) skip: bool,
    pub(crate) flatten: bool,
    pub(crate) required: bool,
    pub(crate) default: Option<Default>,
    pub(crate) aliases: Vec<LitStr>,
    /// The first thing said about the field, for errors about all of it.
    pub(crate) said: Option<(String, Span)>,
    pub(crate) forward: Forward,
}

/// Attributes that schemars is to see as they are.
#[derive(Default)]
pub(crate) struct Forward {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) serde: Vec<TokenStream>,
    pub(crate) schemars: Vec<TokenStream>,
}

impl Forward {
    fn of(attrs: &[Attribute]) -> Self {
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

const ON_TYPE: &[&str] =
    &["title", "description", "examples", "deny_unknown_fields", "crate", "schema_as", "bound"];
const ON_VARIANT: &[&str] = &["title", "description", "examples", "schema_as"];

/// Says that nothing is known by this name here, and what was likely meant.
fn unknown(item: &Item, place: &str, known: &[&str], errors: &mut Errors) {
    let key = &item.key;
    let elsewhere = CONSTRAINTS.contains(&key.as_str()) || SCORING.contains(&key.as_str());
    let message = if elsewhere {
        format!("`{key}` belongs on a field, not on {place}")
    } else if let Some(nearest) = nearest(key, known) {
        format!("unknown attribute `{key}`; did you mean `{nearest}`?")
    } else if ON_TYPE.contains(&key.as_str()) {
        format!("`{key}` belongs on the type, not on {place}")
    } else {
        format!("unknown attribute `{key}`; {place} takes {}", listing(known))
    };
    errors.at(item.span, message);
}

/// `rename = ".."` as it counts for reading; `rename(serialize = "..")` counts for nothing.
fn reading_name(item: &Item) -> Option<TokenStream> {
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

fn lit_str(item: &Item) -> Option<LitStr> {
    match &item.form {
        Form::Is(tokens) => syn::parse2(crate::value::ungroup(tokens.clone())).ok(),
        _ => None,
    }
}

fn default_of(item: &Item) -> Default {
    match &item.form {
        Form::Is(_) => Default::Path(item.tokens.clone()),
        _ => Default::Trait,
    }
}

impl Container {
    pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let attrs = ContainerAttrs::read(&input.attrs, errors);
        let body = match &input.data {
            Data::Struct(data) => {
                Body::Struct(data.fields.iter().map(|field| Field::read(field, errors)).collect())
            }
            Data::Enum(data) => Body::Enum(
                data.variants
                    .iter()
                    .map(|variant| Variant {
                        syntax: variant.clone(),
                        attrs: VariantAttrs::read(&variant.attrs, errors),
                        fields: variant.fields.iter().map(|field| Field::read(field, errors)).collect(),
                    })
                    .collect(),
            ),
            Data::Union(data) => {
                errors.at(
                    data.union_token.span,
                    "`ExpectedSchema` cannot be derived for a union, as serde cannot read one: write an enum with `#[serde(untagged)]`",
                );
                return None;
            }
        };
        Some(Self { input: input.clone(), attrs, body })
    }

    /// Every field, whether of the struct or of a variant.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        match &self.body {
            Body::Struct(fields) => fields.iter().collect(),
            Body::Enum(variants) => variants
                .iter()
                .filter(|variant| !variant.attrs.skip)
                .flat_map(|variant| &variant.fields)
                .collect(),
        }
    }
}

impl ContainerAttrs {
    fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self { forward: Forward::of(attrs), ..Self::default() };
        for item in items(attrs, "serde", errors) {
            this.serde(&item, errors);
        }
        for item in items(attrs, "schemars", errors) {
            match item.key.as_str() {
                "crate" => {}
                key => {
                    this.inline |= key == "inline";
                    this.transparent |= key == "transparent";
                    this.forward.schemars.push(item.tokens);
                }
            }
        }
        for item in items(attrs, "expected", errors) {
            this.expected(&item, errors);
        }
        this
    }

    fn serde(&mut self, item: &Item, errors: &mut Errors) {
        let text = || lit_str(item).map(|text| text.value());
        match item.key.as_str() {
            "rename" => {
                if let Some(rename) = reading_name(item) {
                    self.renamed = true;
                    self.forward.serde.push(rename);
                }
            }
            "rename_all" | "rename_all_fields" => self.forward.serde.extend(reading_name(item)),
            "tag" => self.tag = text(),
            "content" => self.content = text(),
            "untagged" => self.untagged = true,
            "transparent" => self.transparent = true,
            "default" => {
                self.default = Some(default_of(item));
                return;
            }
            "remote" => self.remote = lit_str(item).and_then(|text| text.parse().ok()),
            key @ ("from" | "try_from") => {
                let key = if key == "from" { "from" } else { "try_from" };
                if let Some(ty) = lit_str(item).and_then(|text| text.parse::<Type>().ok()) {
                    self.from = Some((ty, key));
                }
            }
            "deny_unknown_fields" => self.deny_unknown_fields = true,
            "field_identifier" | "variant_identifier" => errors.at(
                item.span,
                format!(
                    "`{}` makes a type that stands for names, not for JSON: take off `ExpectedSchema`",
                    item.key
                ),
            ),
            _ => {}
        }
        if matches!(item.key.as_str(), "tag" | "content" | "untagged" | "transparent") {
            self.forward.serde.push(item.tokens.clone());
        }
    }

    fn expected(&mut self, item: &Item, errors: &mut Errors) {
        match item.key.as_str() {
            "crate" => {
                let Some(tokens) = item.value("crate = \"my_crate::json_correctness\"", errors) else {
                    return;
                };
                let value = Value::read(tokens.clone(), item.span);
                let path = match value.as_text() {
                    Some(text) => LitStr::new(text, value.span).parse_with(Path::parse_mod_style),
                    None => syn::parse2(tokens),
                };
                match path {
                    Ok(path) => self.krate = Some(path),
                    Err(_) => errors
                        .at(value.span, "this is not a path: write `crate = \"my_crate::json_correctness\"`"),
                }
            }
            "bound" => {
                if let Some((text, _)) =
                    item.text("bound = \"T::Item: json_correctness::ExpectedSchema\"", errors)
                {
                    self.bound = Some(text);
                }
            }
            "schema_as" => {
                if let Some(ty) = type_value(item, errors) {
                    self.schema_as = Some((ty, item.span));
                }
            }
            "deny_unknown_fields" => self.deny_unknown_fields = true,
            _ => {
                if !self.description.take(item, errors) {
                    unknown(item, "a type", ON_TYPE, errors);
                }
            }
        }
    }
}

impl VariantAttrs {
    fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self { forward: Forward::of(attrs), ..Self::default() };
        let mut custom = None;
        for item in items(attrs, "serde", errors) {
            match item.key.as_str() {
                "rename" | "rename_all" => this.forward.serde.extend(reading_name(&item)),
                "alias" => this.aliases.extend(lit_str(&item)),
                "other" => this.other = true,
                "skip" | "skip_deserializing" => this.skip = true,
                "untagged" => {
                    this.untagged = true;
                    this.forward.serde.push(item.tokens);
                }
                "with" | "deserialize_with" => custom = Some(item),
                _ => {}
            }
        }
        if this.skip {
            this.forward.serde.push(quote!(skip));
        }
        for item in items(attrs, "schemars", errors) {
            if matches!(item.key.as_str(), "with" | "schema_with") {
                custom = None;
            }
            this.forward.schemars.push(item.tokens);
        }
        for item in items(attrs, "expected", errors) {
            match item.key.as_str() {
                "schema_as" => this.schema_as = type_value(&item, errors),
                _ if this.description.take(&item, errors) => {}
                _ => unknown(&item, "a variant", ON_VARIANT, errors),
            }
        }
        if let Some(item) = custom
            && this.schema_as.is_none()
            && !this.skip
        {
            hidden_shape(&item, errors);
        }
        this
    }
}

/// The JSON that a function of the user's takes is nowhere to be seen.
fn hidden_shape(item: &Item, errors: &mut Errors) {
    errors.at(
        item.span,
        format!(
            "`{}` hides what JSON is read: add `#[expected(schema_as = \"Type\")]`, naming a type that takes the same JSON",
            item.key
        ),
    );
}

impl Field {
    fn read(field: &syn::Field, errors: &mut Errors) -> Self {
        Self { syntax: field.clone(), attrs: FieldAttrs::read(&field.attrs, errors) }
    }
}

impl FieldAttrs {
    fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self { forward: Forward::of(attrs), ..Self::default() };
        let mut custom = None;
        for item in items(attrs, "serde", errors) {
            this.serde(item, &mut custom, errors);
        }
        let mut described = false;
        for item in items(attrs, "schemars", errors) {
            if this.constraint(&item, Source::Schemars, errors) {
                continue;
            }
            match item.key.as_str() {
                "with" | "schema_with" => described = true,
                "skip" | "skip_deserializing" => this.skip = true,
                "flatten" => this.flatten = true,
                "required" => {
                    this.required = true;
                    continue;
                }
                _ => {}
            }
            this.forward.schemars.push(item.tokens);
        }
        for (name, source) in [("garde", Source::Garde), ("validate", Source::Validate)] {
            for item in items(attrs, name, &mut Errors::default()) {
                this.required |= item.key == "required";
                this.constraint(&item, source, errors);
            }
        }
        for item in items(attrs, "expected", errors) {
            this.expected(&item, errors);
        }
        if this.skip {
            this.forward.serde.push(quote!(skip));
        } else if let Some(item) = custom {
            this.custom = true;
            if this.schema_as.is_none() && !described {
                // A remote definition is a type, written like one, and has a schema of its own.
                let remote =
                    lit_str(&item).filter(|_| item.key == "with").and_then(|text| text.parse::<Type>().ok());
                match remote.filter(looks_like_a_type) {
                    Some(ty) => this.schema_as = Some(ty),
                    None => hidden_shape(&item, errors),
                }
            }
        }
        this
    }

    fn constraint(&mut self, item: &Item, source: Source, errors: &mut Errors) -> bool {
        let taken = self.constraints.take(item, source, errors);
        if taken && self.said.is_none() {
            self.said = Some((item.key.clone(), item.span));
        }
        taken
    }

    fn serde(&mut self, item: Item, custom: &mut Option<Item>, errors: &mut Errors) {
        match item.key.as_str() {
            "rename" => self.forward.serde.extend(reading_name(&item)),
            "alias" => self.aliases.extend(lit_str(&item)),
            "default" => self.default = Some(default_of(&item)),
            "flatten" => {
                self.flatten = true;
                self.forward.serde.push(item.tokens);
            }
            "skip" | "skip_deserializing" => self.skip = true,
            "with" | "deserialize_with" => *custom = Some(item),
            "borrow" => errors.at(
                item.span,
                "`borrow` ties the value to the text it came from, and a judged text is not kept: take it off, and own the data (`String`, `Vec<..>`, `Cow<'static, str>`)",
            ),
            _ => {}
        }
    }

    fn expected(&mut self, item: &Item, errors: &mut Errors) {
        if self.constraint(item, Source::Expected, errors) {
            return;
        }
        if item.key == "schema_as" {
            self.schema_as = type_value(item, errors);
        } else if self.description.take(item, errors) || self.scoring.take(item, errors) {
            self.said.get_or_insert((item.key.clone(), item.span));
        } else {
            let known: Vec<&str> =
                [CONSTRAINTS, DESCRIPTIONS, SCORING, &["schema_as"]].into_iter().flatten().copied().collect();
            unknown(item, "a field", &known, errors);
        }
    }
}

/// `ColorDef` and `module::ColorDef` are types, `module` and `module::function` are not.
fn looks_like_a_type(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| {
        last.ident.to_string().starts_with(char::is_uppercase)
    }))
}
