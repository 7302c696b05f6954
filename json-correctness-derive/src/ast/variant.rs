//! What the attributes of a variant say.

use quote::quote;
use syn::{Attribute, LitStr, Type};

use super::{
    forward::{Forward, reading_name},
    hidden_shape, lit_str, unknown,
};
use crate::{
    attr::{Errors, items},
    constraint::{Description, type_value},
};

const ON_VARIANT: &[&str] = &["title", "description", "examples", "schema_as"];

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

impl VariantAttrs {
    pub(super) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
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
