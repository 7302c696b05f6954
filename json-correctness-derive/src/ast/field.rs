//! What the attributes of a field say.

use proc_macro2::Span;
use quote::quote;
use syn::{Attribute, LitStr, Type};

use super::{
    Default, default_of,
    forward::{Forward, reading_name},
    hidden_shape, lit_str, unknown,
};
use crate::{
    attr::{Errors, Item, items},
    constraint::{CONSTRAINTS, Constraints, DESCRIPTIONS, Description, SCORING, Scoring, Source, type_value},
};

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

impl FieldAttrs {
    pub(super) fn read(attrs: &[Attribute], errors: &mut Errors) -> Self {
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
