//! What the walk finds, before it is put into words.

use super::{graph::Id, types::Types, unions::Union};
use crate::{
    text::{JsonType, Member, Node},
    violation::{Bound, Counted},
};

/// One root cause. Findings are made and thrown away by the thousand while branches are compared, so
/// they borrow; words and pointers are made at the end, for those that are reported.
#[derive(Clone, Debug)]
pub(super) struct Finding<'a> {
    pub(super) cause: Cause<'a>,
    /// The value, or the object whose member it is about.
    pub(super) node: Node<'a>,
    /// The subschema that says so.
    pub(super) schema: Id,
}

#[derive(Clone, Debug)]
pub(super) enum Cause<'a> {
    Type {
        expected: Types,
        found: JsonType,
    },
    NotAllowed(&'a [serde_json::Value]),
    OutOfRange(Bound, &'a str),
    NotMultipleOf(&'a str),
    Count {
        counted: Counted,
        bound: Bound,
        limit: u64,
        found: u64,
    },
    Pattern(&'a str),
    Format(&'a str),
    Content(&'a str),
    NotUnique(usize, usize),
    Missing {
        field: &'a str,
        values: &'a [serde_json::Value],
    },
    Misspelt {
        field: &'a str,
        member: Member<'a>,
        required: bool,
    },
    Unknown {
        member: Member<'a>,
        known: Vec<&'a str>,
    },
    /// A member that holds what should stand in its place.
    Wrapper(Member<'a>),
    Duplicate {
        member: Member<'a>,
        first: Member<'a>,
    },
    InvalidKey {
        member: Member<'a>,
        reason: String,
        suggestion: Option<String>,
    },
    Dependent {
        field: &'a str,
        because: Member<'a>,
    },
    /// Of the union, the branches at these places were looked at.
    NoBranch(&'a Union, Vec<usize>),
    SeveralBranches(&'a Union, Vec<usize>),
    /// What the value must not be; `None`: there must be no value.
    Forbidden(Option<Id>),
}

/// Where the assertions of a schema put what they find.
pub(super) enum Sink<'s, 'a> {
    /// Only whether there is anything.
    Whether(bool),
    All(&'s mut Vec<Cause<'a>>),
}

impl<'a> Sink<'_, 'a> {
    /// Whether the assertions can stop here.
    pub(super) fn put(&mut self, cause: impl FnOnce() -> Cause<'a>) -> bool {
        match self {
            Self::Whether(found) => {
                *found = true;
                true
            }
            Self::All(causes) => {
                causes.push(cause());
                false
            }
        }
    }
}
