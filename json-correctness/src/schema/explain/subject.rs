//! What a schema is applied to: a value of the document, or a key (`propertyNames`).

use jsonschema::Draft;
use serde_json::Value;

use super::{IntegerRule, graph::Id, types::Types};
use crate::{
    schema::judge,
    text::{JsonType, Node, Number},
};

#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'a> {
    Value(Node<'a>),
    Key(&'a str),
}

impl<'a> Subject<'a> {
    pub(super) fn node(self) -> Option<Node<'a>> {
        match self {
            Self::Value(node) => Some(node),
            Self::Key(_) => None,
        }
    }

    pub(super) fn as_str(self) -> Option<&'a str> {
        match self {
            Self::Value(node) => node.as_str(),
            Self::Key(key) => Some(key),
        }
    }

    pub(super) fn as_number(self) -> Option<Number<'a>> {
        self.node().and_then(Node::as_number)
    }

    /// The type, by what the draft and the rule take for an integer.
    pub(super) fn types(self, rule: IntegerRule, draft: Draft) -> Types {
        let Self::Value(node) = self else { return Types::STRING };
        match node.json_type() {
            JsonType::Integer | JsonType::Number => {
                let integer = node.as_number().is_some_and(|number| match rule {
                    IntegerRule::Spelling => number.is_written_as_integer(),
                    IntegerRule::Value if draft == Draft::Draft4 => {
                        !number.spelling().contains(['.', 'e', 'E'])
                    }
                    IntegerRule::Value => number.is_integer(),
                });
                if integer { Types::INTEGER } else { Types::FRACTION }
            }
            other => Types::of(other),
        }
    }

    pub(super) fn equals(self, value: &Value) -> bool {
        match self {
            Self::Value(node) => judge::equals(node, value),
            Self::Key(key) => value.as_str() == Some(key),
        }
    }

    /// Under what a finding about this subject and a schema is remembered. Only one key is looked at
    /// at a time, and what was found of one is not remembered.
    pub(super) fn memory(self, id: Id) -> (Id, u32) {
        (id, self.node().map_or(u32::MAX, |node| node.id() as u32))
    }
}
