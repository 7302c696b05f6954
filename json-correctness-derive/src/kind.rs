//! What JSON a Rust type takes, as far as its spelling tells, and the rewriting of field types for
//! the shadow.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, PathArguments, Type, TypePath};

/// The JSON that a type takes; [`Kind::Unknown`] where only the compiler could tell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Text,
    Char,
    Bool,
    Integer,
    Float,
    List(Box<Kind>),
    Map,
    Unit,
    Unknown,
}

const INTEGERS: &[&str] =
    &["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
const NON_ZERO: &[&str] = &[
    "NonZeroI8",
    "NonZeroI16",
    "NonZeroI32",
    "NonZeroI64",
    "NonZeroI128",
    "NonZeroIsize",
    "NonZeroU8",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroU128",
    "NonZeroUsize",
];
const LISTS: &[&str] = &["Vec", "VecDeque", "LinkedList", "BinaryHeap", "HashSet", "BTreeSet", "IndexSet"];
const MAPS: &[&str] = &["HashMap", "BTreeMap", "IndexMap"];
const POINTERS: &[&str] =
    &["Option", "Box", "Rc", "Arc", "Cow", "Cell", "RefCell", "Mutex", "RwLock", "Wrapping"];

impl Kind {
    pub(crate) fn of(ty: &Type) -> Self {
        match ty {
            Type::Group(group) => Self::of(&group.elem),
            Type::Paren(paren) => Self::of(&paren.elem),
            Type::Array(array) => Self::List(Box::new(Self::of(&array.elem))),
            Type::Slice(slice) => Self::List(Box::new(Self::of(&slice.elem))),
            Type::Reference(reference) => Self::of(&reference.elem),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Self::Unit,
            Type::Tuple(_) => Self::List(Box::new(Self::Unknown)),
            Type::Path(path) if path.qself.is_none() => Self::of_path(path),
            _ => Self::Unknown,
        }
    }

    fn of_path(path: &TypePath) -> Self {
        let Some(last) = path.path.segments.last() else { return Self::Unknown };
        let name = last.ident.to_string();
        let name = name.as_str();
        let arguments = type_arguments(&last.arguments);
        let first = || arguments.first().map_or(Self::Unknown, |ty| Self::of(ty));
        if path.path.segments.len() == 1 && arguments.is_empty() {
            match name {
                "str" => return Self::Text,
                "char" => return Self::Char,
                "bool" => return Self::Bool,
                "f32" | "f64" => return Self::Float,
                name if INTEGERS.contains(&name) => return Self::Integer,
                _ => {}
            }
        }
        match name {
            "String" if arguments.is_empty() => Self::Text,
            name if NON_ZERO.contains(&name) && arguments.is_empty() => Self::Integer,
            "NonZero" => first(),
            name if POINTERS.contains(&name) => first(),
            name if LISTS.contains(&name) => Self::List(Box::new(first())),
            name if MAPS.contains(&name) && arguments.len() >= 2 => Self::Map,
            _ => Self::Unknown,
        }
    }

    /// `text`, `a number` and so on, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Char => "a single character",
            Self::Bool => "a boolean",
            Self::Integer => "an integer",
            Self::Float => "a number",
            Self::List(_) => "a list",
            Self::Map => "a map",
            Self::Unit => "null",
            Self::Unknown => "of unknown shape",
        }
    }
}

/// Whether `null` and absence are taken, as far as the spelling tells.
pub(crate) fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Option"),
        _ => false,
    }
}

/// Whether this type is `PhantomData<..>`, for which no schema is needed.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

fn type_arguments(arguments: &PathArguments) -> Vec<&Type> {
    match arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Rewrites a type for the shadow: `Self` becomes the user's type, and maps whose keys are not plainly
/// strings become `KeyedMap`. Returns whether a map was replaced.
pub(crate) struct Rewrite<'a> {
    pub(crate) this: &'a Type,
    pub(crate) maps: bool,
    pub(crate) replaced: bool,
}

impl Rewrite<'_> {
    pub(crate) fn ty(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) => {
                if path.qself.is_none() && path.path.is_ident("Self") {
                    *ty = self.this.clone();
                    return;
                }
                // `Self::Item` has no path of its own outside of `Self`.
                if let (None, Some(first)) = (&path.qself, path.path.segments.first())
                    && first.ident == "Self"
                    && path.path.segments.len() > 1
                {
                    let this = self.this;
                    let rest = path.path.segments.iter().skip(1);
                    if let Ok(qualified) = syn::parse2(quote!(<#this>#(::#rest)*)) {
                        *ty = qualified;
                    }
                    return;
                }
                if let Some(qself) = &mut path.qself {
                    self.ty(&mut qself.ty);
                }
                for segment in &mut path.path.segments {
                    self.arguments(&mut segment.arguments);
                }
                if self.maps && path.qself.is_none() {
                    self.map(ty);
                }
            }
            Type::Group(group) => self.ty(&mut group.elem),
            Type::Paren(paren) => self.ty(&mut paren.elem),
            Type::Array(array) => self.ty(&mut array.elem),
            Type::Slice(slice) => self.ty(&mut slice.elem),
            Type::Reference(reference) => self.ty(&mut reference.elem),
            Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|element| self.ty(element)),
            _ => {}
        }
    }

    fn arguments(&mut self, arguments: &mut PathArguments) {
        if let PathArguments::AngleBracketed(list) = arguments {
            for argument in &mut list.args {
                match argument {
                    GenericArgument::Type(ty) => self.ty(ty),
                    GenericArgument::AssocType(assoc) => self.ty(&mut assoc.ty),
                    _ => {}
                }
            }
        }
    }

    fn map(&mut self, ty: &mut Type) {
        let Type::Path(path) = &*ty else { return };
        let Some(last) = path.path.segments.last() else { return };
        if !MAPS.iter().any(|name| last.ident == name) {
            return;
        }
        let arguments = type_arguments(&last.arguments);
        let (Some(key), Some(value)) = (arguments.first(), arguments.get(1)) else { return };
        if Kind::of(key) == Kind::Text {
            return;
        }
        let keyed = Ident::new("KeyedMap", last.ident.span());
        if let Ok(keyed) = syn::parse2(quote!(__jc::#keyed<#key, #value>)) {
            self.replaced = true;
            *ty = keyed;
        }
    }
}

/// The types inside a field's type for which the user has to provide a schema: whatever is neither a
/// well-known type nor a parameter of the container.
pub(crate) fn foreign_leaves<'a>(ty: &'a Type, parameters: &[&Ident], out: &mut Vec<&'a Type>) {
    match ty {
        Type::Group(group) => foreign_leaves(&group.elem, parameters, out),
        Type::Paren(paren) => foreign_leaves(&paren.elem, parameters, out),
        Type::Array(array) => foreign_leaves(&array.elem, parameters, out),
        Type::Slice(slice) => foreign_leaves(&slice.elem, parameters, out),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| foreign_leaves(ty, parameters, out)),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return };
            let arguments = type_arguments(&last.arguments);
            let name = last.ident.to_string();
            let known = |names: &[&str]| names.contains(&name.as_str());
            if known(POINTERS) || known(LISTS) || known(MAPS) {
                arguments.into_iter().for_each(|ty| foreign_leaves(ty, parameters, out));
            } else if Kind::of(ty) == Kind::Unknown
                && name != "PhantomData"
                && name != "Value"
                && !mentions(ty.to_token_stream(), parameters)
            {
                out.push(ty);
            }
        }
        _ => {}
    }
}

/// Whether one of these names stands among the tokens.
pub(crate) fn mentions(tokens: TokenStream, names: &[&Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == "Self" || names.iter().any(|name| **name == ident),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The first reference in a type, and what to own instead, outside of `PhantomData`.
pub(crate) fn borrowed(ty: &Type) -> Option<(&Type, Option<&'static str>)> {
    match ty {
        Type::Reference(reference) => {
            let owned = match Kind::of(&reference.elem) {
                Kind::Text => Some("String"),
                Kind::List(_) => Some("Vec<..>"),
                _ => None,
            };
            Some((ty, owned))
        }
        Type::Group(group) => borrowed(&group.elem),
        Type::Paren(paren) => borrowed(&paren.elem),
        Type::Array(array) => borrowed(&array.elem),
        Type::Slice(slice) => borrowed(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(borrowed),
        Type::Path(path) if !is_phantom(ty) => path
            .path
            .segments
            .iter()
            .flat_map(|segment| type_arguments(&segment.arguments))
            .find_map(borrowed),
        _ => None,
    }
}
