//! Types that hold themselves.

use std::collections::BTreeMap;

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};

use super::{Specimen, Trait};

/// A tree of itself.
#[derive(Debug, Serialize, Deserialize, ExpectedSchema)]
pub struct Node {
    label: String,
    children: Vec<Node>,
    side: Option<Box<Node>>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Folder {
    name: String,
    entries: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum Entry {
    File { bytes: u64 },
    Folder(Folder),
}

/// An internally tagged expression.
#[derive(Debug, Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Expr {
    /// A literal.
    Number {
        /// Its value.
        value: f64,
    },
    /// A variable.
    Variable {
        /// Its name.
        name: String,
    },
    /// A negation.
    Not {
        /// What is negated.
        operand: Box<Expr>,
    },
    /// A sum.
    Add {
        /// The left side.
        left: Box<Expr>,
        /// The right side.
        right: Box<Expr>,
    },
    /// A call.
    Call {
        /// What is called.
        name: String,
        /// With what.
        arguments: Vec<Expr>,
    },
}

/// An untagged value of itself.
#[derive(Debug, Serialize, Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum Loose {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A pair.
    Pair {
        /// One side.
        left: Box<Loose>,
        /// The other.
        right: Box<Loose>,
    },
    /// One of its own.
    One {
        /// What it holds.
        left: Box<Loose>,
    },
    /// Many.
    Many(Vec<Loose>),
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Node>(
            "Node",
            &[
                r#"{"label":"a","children":[{"label":"b","children":[]},{"label":"c","children":[],"side":null}],"side":{"label":"d","children":[]}}"#,
                r#"{"label":"","children":[]}"#,
            ],
        ),
        Specimen::of::<Folder>(
            "Folder",
            &[
                r#"{"name":"/","entries":{"a":{"File":{"bytes":3}},"b":{"Folder":{"name":"b","entries":{"c":{"File":{"bytes":0}}}}}}}"#,
                r#"{"name":"","entries":{}}"#,
            ],
        ),
        Specimen::of::<Expr>(
            "Expr",
            &[
                r#"{"op":"add","left":{"op":"number","value":1.5},"right":{"op":"not","operand":{"op":"variable","name":"x"}}}"#,
                r#"{"op":"call","name":"max","arguments":[{"op":"number","value":1},{"op":"call","name":"f","arguments":[]}]}"#,
            ],
        ),
        Specimen::of::<Loose>("Loose", &["1.5", r#"{"left":1,"right":"x"}"#, r#"[1,["x"],{"left":[]}]"#])
            .with(&[Trait::Untagged]),
    ]
}
