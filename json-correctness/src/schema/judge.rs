//! The judge of record: `jsonschema`'s validator, run on a [`Document`](crate::Document) itself.

use std::borrow::Cow;

use jsonschema::{
    JsonType as SchemaType,
    json::{Array, Json, JsonNumber, Node as SchemaNode, NodeIdentity, Object},
};
use serde_json::Value;

use super::{canonical, explain::IntegerRule};
use crate::text::{Elements, JsonType, Members, Node, Number};

/// The representation that `jsonschema` judges: documents of this crate.
#[derive(Debug)]
pub(crate) struct Documents;

impl Json for Documents {
    type Node<'a> = View<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>(_: &mut (), string: &str, judge: impl FnOnce(View<'_>) -> T) -> T {
        judge(View::Key(string))
    }
}

/// What a schema is applied to: a value of a document, or a key (by `propertyNames`).
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'d> {
    Value(Node<'d>, IntegerRule),
    Key(&'d str),
}

impl<'d> View<'d> {
    fn node(self) -> Option<Node<'d>> {
        match self {
            Self::Value(node, _) => Some(node),
            Self::Key(_) => None,
        }
    }

    fn container(self, json_type: JsonType) -> Option<Container<'d>> {
        match self {
            Self::Value(node, integers) if node.json_type() == json_type => {
                Some(Container { node, integers })
            }
            _ => None,
        }
    }
}

impl<'d> SchemaNode<'d, Documents> for View<'d> {
    type Object = Container<'d>;
    type Array = Container<'d>;
    type Number = Numeral<'d>;

    fn as_object(&self) -> Option<Container<'d>> {
        self.container(JsonType::Object)
    }

    fn as_array(&self) -> Option<Container<'d>> {
        self.container(JsonType::Array)
    }

    fn as_string(&self) -> Option<Cow<'d, str>> {
        match *self {
            Self::Value(node, _) => node.as_str().map(Cow::Borrowed),
            Self::Key(key) => Some(Cow::Borrowed(key)),
        }
    }

    fn as_number(&self) -> Option<Numeral<'d>> {
        match *self {
            Self::Value(node, integers) => node.as_number().map(|number| Numeral { number, integers }),
            Self::Key(_) => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        self.node()?.as_bool()
    }

    fn is_null(&self) -> bool {
        self.json_type() == SchemaType::Null
    }

    fn json_type(&self) -> SchemaType {
        match self {
            Self::Key(_) => SchemaType::String,
            Self::Value(node, _) => match node.json_type() {
                JsonType::Null => SchemaType::Null,
                JsonType::Boolean => SchemaType::Boolean,
                JsonType::Integer | JsonType::Number => SchemaType::Number,
                JsonType::String => SchemaType::String,
                JsonType::Array => SchemaType::Array,
                JsonType::Object => SchemaType::Object,
            },
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match *self {
            Self::Value(node, _) => equals(node, expected),
            Self::Key(key) => expected.as_str() == Some(key),
        }
    }

    fn to_value(&self) -> Cow<'d, Value> {
        Cow::Owned(match *self {
            Self::Value(node, _) => node.to_value(),
            Self::Key(key) => Value::String(key.to_owned()),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        // A key has no number in the document. It needs an identity all the same: without one, a loop
        // of references under `propertyNames` would only end with the stack.
        Some(match self {
            Self::Value(node, _) => NodeIdentity::tagged(node.id(), 0),
            Self::Key(key) => NodeIdentity::tagged(key.as_ptr().addr(), 1),
        })
    }
}

/// An object or an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container<'d> {
    node: Node<'d>,
    integers: IntegerRule,
}

impl<'d> Object<'d, Documents> for Container<'d> {
    type Node = View<'d>;
    type MemberName = &'d str;
    type MembersIter = MemberViews<'d>;

    fn len(&self) -> usize {
        self.node.len()
    }

    fn get(&self, key: &Box<str>) -> Option<View<'d>> {
        self.node.member(key).map(|member| View::Value(member.value, self.integers))
    }

    fn members(&self) -> MemberViews<'d> {
        MemberViews { members: self.node.members(), integers: self.integers }
    }
}

impl<'d> Array<'d, Documents> for Container<'d> {
    type Node = View<'d>;
    type ElementsIter = ElementViews<'d>;

    fn len(&self) -> usize {
        self.node.len()
    }

    fn elements(&self) -> ElementViews<'d> {
        ElementViews { elements: self.node.elements(), integers: self.integers }
    }

    fn is_unique(&self) -> bool {
        canonical::first_repetition(self.node).is_none()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MemberViews<'d> {
    members: Members<'d>,
    integers: IntegerRule,
}

impl<'d> Iterator for MemberViews<'d> {
    type Item = (&'d str, View<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        let member = self.members.next()?;
        Some((member.key, View::Value(member.value, self.integers)))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ElementViews<'d> {
    elements: Elements<'d>,
    integers: IntegerRule,
}

impl<'d> Iterator for ElementViews<'d> {
    type Item = View<'d>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(View::Value(self.elements.next()?, self.integers))
    }
}

/// A number, with the rule by which it is an integer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numeral<'d> {
    pub(crate) number: Number<'d>,
    integers: IntegerRule,
}

impl JsonNumber for Numeral<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.number.as_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        self.number.as_i64()
    }

    fn as_f64(&self) -> Option<f64> {
        Some(self.number.as_f64())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.number.spelling())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        // Only errors and annotations ask, and neither is ever built here.
        Cow::Owned(self.number.spelling().parse().unwrap_or_else(|_| 0.into()))
    }

    fn is_integer(&self) -> bool {
        match self.integers {
            IntegerRule::Spelling => self.number.is_written_as_integer(),
            IntegerRule::Value => self.number.is_integer(),
        }
    }

    fn is_written_as_integer(&self) -> bool {
        match self.integers {
            IntegerRule::Spelling => self.number.is_written_as_integer(),
            IntegerRule::Value => !self.number.spelling().contains(['.', 'e', 'E']),
        }
    }
}

/// Equality as JSON Schema means it: numbers by their exact values, objects regardless of order.
pub(crate) fn equals(node: Node<'_>, expected: &Value) -> bool {
    match expected {
        Value::Null => node.json_type() == JsonType::Null,
        Value::Bool(expected) => node.as_bool() == Some(*expected),
        Value::String(expected) => node.as_str() == Some(expected),
        Value::Number(expected) => node.as_number().is_some_and(|number| {
            let spelling = expected.to_string();
            Number::parse(&spelling).is_some_and(|expected| number.compare(expected).is_eq())
        }),
        Value::Array(expected) => {
            node.json_type() == JsonType::Array
                && node.len() == expected.len()
                && node.elements().zip(expected).all(|(element, expected)| equals(element, expected))
        }
        // A key that is written twice has its last value, as everywhere.
        Value::Object(expected) => {
            node.json_type() == JsonType::Object
                && node.members().all(|member| expected.contains_key(member.key))
                && expected.iter().all(|(key, expected)| {
                    node.member(key).is_some_and(|member| equals(member.value, expected))
                })
        }
    }
}
