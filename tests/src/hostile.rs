//! Texts and schemas made to cost time or memory.

use std::fmt::Write as _;

use json_correctness::{CompiledSchema, Document, Limits, Violation, ViolationKind};
use serde_json::{Value, json};

use crate::{
    judges,
    zoo::recursion::{Expr, Loose},
};

/// What a hostile text is judged by.
#[derive(Clone, Debug)]
pub enum Judge {
    /// A recursive internally tagged enum.
    Expr,
    /// A recursive untagged enum.
    Loose,
    /// A JSON Schema.
    Schema(Value),
}

/// One attack.
#[derive(Clone, Debug)]
pub struct Attack {
    /// What it is.
    pub name: String,
    /// What judges it.
    pub judge: Judge,
    /// The text.
    pub text: String,
    /// How many steps of `Limits::max_explain_steps` must be enough to find every cause, where that
    /// is promised.
    pub steps: Option<usize>,
    /// How many violations there are, `Truncated` included, where that is known.
    pub violations: Option<usize>,
}

impl Attack {
    fn new(name: impl Into<String>, judge: Judge, text: String) -> Self {
        Self { name: name.into(), judge, text, steps: None, violations: None }
    }

    fn explained(mut self, violations: usize, steps: usize) -> Self {
        self.violations = Some(violations);
        self.steps = Some(steps);
        self
    }

    /// Everything that the library says to the text.
    #[must_use]
    pub fn judge(&self, limits: &Limits) -> Vec<Violation> {
        match &self.judge {
            Judge::Expr => judges::judge::<Expr>(&self.text, false, limits),
            Judge::Loose => judges::judge::<Loose>(&self.text, false, limits),
            Judge::Schema(schema) => {
                let schema = CompiledSchema::new(schema, limits).expect("the schema compiles");
                match Document::parse(&self.text, limits) {
                    Ok(document) => schema.violations(&document, limits),
                    Err(error) => panic!("{}: {error:?}", self.name),
                }
            }
        }
    }

    /// The limits under which the attack must be explained in full.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let limits = Limits::default();
        match self.steps {
            Some(steps) => limits.max_explain_steps(steps),
            None => limits,
        }
    }
}

/// Whether a report was cut short.
#[must_use]
pub fn is_truncated(violations: &[Violation]) -> bool {
    violations.iter().any(|violation| matches!(violation.kind, ViolationKind::Truncated { .. }))
}

/// Whether the budget ended before any reason was found.
#[must_use]
pub fn is_unexplained(violations: &[Violation]) -> bool {
    violations.iter().any(|violation| matches!(violation.kind, ViolationKind::Unexplained))
}

fn nest(open: &str, core: &str, close: &str, depth: usize) -> String {
    [open.repeat(depth), core.to_owned(), close.repeat(depth)].concat()
}

/// A wrong leaf under every depth of a recursive tagged enum that the limits allow.
pub fn wrong_leaves() -> impl Iterator<Item = Attack> {
    let leaf = r#"{"op":"number","value":"x"}"#;
    (0..127).map(move |depth| {
        let text = nest(r#"{"op":"not","operand":"#, leaf, "}", depth);
        Attack::new(format!("a wrong leaf under {depth} negations"), Judge::Expr, text)
            .explained(1, 200 * (depth + 1))
    })
}

/// Deep texts that fit no alternative at any level.
pub fn deep_texts() -> impl Iterator<Item = Attack> {
    let expr: [(&str, &str, &str); 8] = [
        (r#"{"left":"#, "1", "}"),
        (r#"{"op":"zz","left":"#, "1", "}"),
        (r#"{"op":"add","left":"#, "1", "}"),
        (r#"{"op":"add","right":1,"left":"#, "1", "}"),
        (r#"{"operand":"#, "{}", "}"),
        (r#"{"op":1,"operand":"#, "{}", "}"),
        (r#"{"arguments":["#, "", "]}"),
        (r#"{"left":{},"right":"#, "{}", "}"),
    ];
    let loose: [(&str, &str, &str); 4] = [
        (r#"{"left":"#, "true", "}"),
        (r#"{"right":1,"left":"#, "true", "}"),
        ("[", "true", "]"),
        (r#"[{"left":"#, "true", "}]"),
    ];
    let of = |judge: Judge, forms: Vec<(&'static str, &'static str, &'static str)>| {
        forms.into_iter().flat_map(move |(open, core, close)| {
            let judge = judge.clone();
            let level = open.matches(['{', '[']).count() - open.matches(['}', ']']).count();
            [8, 16, 24, 40, 63, 126].into_iter().filter(move |depth| depth * level <= 126).map(move |depth| {
                Attack::new(
                    format!("{open}…{close} {depth} deep"),
                    judge.clone(),
                    nest(open, core, close, depth),
                )
            })
        })
    };
    of(Judge::Expr, expr.to_vec()).chain(of(Judge::Loose, loose.to_vec()))
}

/// Deep texts that fit a recursive untagged enum: only the type's own reading of them is slow.
pub fn deep_valid_texts() -> impl Iterator<Item = Attack> {
    [
        ("[", "1", "]"),
        (r#"{"left":"#, "1", "}"),
        (r#"{"left":1,"right":"#, "1", "}"),
        (r#"[{"left":"#, "1", "}]"),
    ]
    .into_iter()
    .flat_map(|(open, core, close)| {
        [6, 20, 60].into_iter().map(move |depth| {
            Attack::new(
                format!("valid {open}…{close} {depth} deep"),
                Judge::Loose,
                nest(open, core, close, depth),
            )
        })
    })
}

fn list(item: &str, count: usize) -> String {
    let mut text = String::with_capacity(count * (item.len() + 1) + 2);
    text.push('[');
    for index in 0..count {
        text.push_str(if index == 0 { "" } else { "," });
        text.push_str(item);
    }
    text.push(']');
    text
}

fn branch(index: usize, tagged: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {format!("f{index}"): {"type": "integer"}, "x": {"type": "string"}},
        "required": [format!("f{index}"), "x"],
    });
    if tagged {
        schema["properties"]["kind"] = json!({"const": format!("k{index}")});
        schema["required"] = json!(["kind", format!("f{index}"), "x"]);
    }
    schema
}

fn branches(word: &str, count: usize, tagged: bool) -> Value {
    json!({"type": "array", "items": {word: (0..count).map(|index| branch(index, tagged)).collect::<Vec<_>>()}})
}

/// Wide texts, long strings, and schemas with much in them.
#[must_use]
pub fn wide_texts() -> Vec<Attack> {
    let mut keys = String::from("{");
    for index in 0..200_000 {
        let _ = write!(keys, "{}\"key_{index}\":1", if index == 0 { "" } else { "," });
    }
    keys.push('}');
    let fields: serde_json::Map<String, Value> =
        (0..2_000).map(|index| (format!("field_{index}"), json!({"type": "integer"}))).collect();
    let names: Vec<&String> = fields.keys().collect();
    let closed =
        json!({"type": "object", "required": names, "properties": fields, "additionalProperties": false});
    let long = format!("\"{}\"", "ab".repeat(500_000));
    let words: Vec<String> = (0..5_000).map(|index| format!("word number {index}")).collect();
    let truncated = 101;
    vec![
        Attack::new(
            "20,000 items, 50 tagged branches",
            Judge::Schema(branches("oneOf", 50, true)),
            list(r#"{"kind":"k49","f49":"no","x":1}"#, 20_000),
        )
        .explained(truncated, 200_000),
        Attack::new(
            "20,000 items, 50 untagged branches",
            Judge::Schema(branches("anyOf", 50, false)),
            list(r#"{"f49":"no","x":1}"#, 20_000),
        ),
        Attack::new(
            "20,000 items, 50 branches, none meant",
            Judge::Schema(branches("anyOf", 50, false)),
            list("{}", 20_000),
        ),
        Attack::new(
            "20,000 items, 50 branches, one of which fits",
            Judge::Schema(branches("oneOf", 50, true)),
            list(r#"{"kind":"k49","f49":1,"x":""}"#, 20_000),
        )
        .explained(0, 200_000),
        Attack::new(
            "a million wrong items",
            Judge::Schema(json!({"type": "array", "items": {"type": "integer"}})),
            list(r#""x""#, 1_000_000),
        )
        .explained(truncated, 200_000),
        Attack::new(
            "one wrong item behind a million",
            Judge::Schema(json!({"type": "array", "items": {"type": "integer"}})),
            format!("[{}\"x\"]", "1,".repeat(1_000_000)),
        ),
        Attack::new("200,000 keys of which none is known", Judge::Schema(closed.clone()), keys.clone()),
        Attack::new(
            "200,000 keys that the names' pattern refuses",
            Judge::Schema(json!({"propertyNames": {"pattern": "^[a-z]+$"}})),
            keys,
        )
        .explained(truncated, 200_000),
        Attack::new("2,000 missing fields", Judge::Schema(closed), "{}".to_owned()),
        Attack::new("a megabyte that is not in an enum", Judge::Schema(json!({"enum": words})), long.clone())
            .explained(1, 200_000),
        Attack::new(
            "a megabyte that does not match",
            Judge::Schema(json!({"type": "string", "pattern": "^(a|b)*c$"})),
            long.clone(),
        )
        .explained(1, 200_000),
        Attack::new(
            "a megabyte for a backtracking pattern",
            Judge::Schema(json!({"type": "string", "pattern": "(?<!b)a*c"})),
            long.clone(),
        )
        .explained(1, 200_000),
        Attack::new(
            "a megabyte that is no date",
            Judge::Schema(json!({"type": "string", "format": "date"})),
            long.clone(),
        ),
        Attack::new("a megabyte of a wrong type", Judge::Schema(json!({"type": "integer"})), long.clone())
            .explained(1, 1_000),
        Attack::new(
            "a megabyte as a key",
            Judge::Schema(
                json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false}),
            ),
            format!("{{{long}:1}}"),
        ),
        Attack::new(
            "100,000 items that must be unique",
            Judge::Schema(json!({"type": "array", "uniqueItems": true})),
            format!("[{}0]", (0..100_000).map(|index| format!("{index},")).collect::<String>()),
        )
        .explained(1, 1_000_000),
        Attack::new(
            "a million duplicate keys",
            Judge::Schema(json!({"type": "object"})),
            format!("{{{}\"a\":1}}", "\"a\":1,".repeat(1_000_000)),
        ),
        Attack::new(
            "a number of a million digits",
            Judge::Schema(json!({"type": "integer", "maximum": 5})),
            format!("1{}.0", "0".repeat(200)),
        ),
    ]
}
