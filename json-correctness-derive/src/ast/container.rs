//! What the attributes of the whole type say.

use proc_macro2::Span;
use syn::{Attribute, LitStr, Path, Type};

use super::{
    Default, ON_TYPE, default_of,
    forward::{Forward, reading_name},
    lit_str, unknown,
};
use crate::{
    attr::{Errors, Item, items},
    constraint::{Description, type_value},
    value::Value,
};

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

impl ContainerAttrs {
    pub(super) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
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
