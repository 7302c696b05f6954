//! Where serde and the schema may disagree, as data: each row says when it applies and who wins.
//! `docs/agreement.md` tells users the same, row by row.

use serde_json::Value;

use crate::{
    tree::{Tree, quote, unquote},
    zoo::{Accepted, Specimen, Trait},
};

/// Who is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// The type: it refuses what its schema cannot say.
    Type,
    /// The schema: it refuses what the type would let through.
    Schema,
    /// Neither: the text itself is at fault.
    Text,
}

/// One row of the table. In each, the winner refuses, and so the check fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// A key stands twice in one object, or a field's name beside its alias.
    DuplicateKey,
    /// The text is JSON for serde only because it never looks at an ignored part.
    IgnoredPart,
    /// The type's own code refuses the value.
    RefusedByCode,
    /// A date, address or identifier that is not plainly wrong, and that the type's parser refuses.
    RefusedByParser,
    /// `serde_json` reads no escapes in the keys of maps keyed by numbers or `bool`.
    EscapedKey,
    /// A key of a map keyed by numbers or `bool`, where schemars alone wrote the schema.
    RefusedKey,
    /// A std type that refuses unknown fields.
    ClosedStd,
    /// Two variants of a flattened externally tagged enum beside each other.
    FlattenedEnum,
    /// An array in the place of an object: the fields in their order.
    ArrayForObject,
    /// `{"Unit":null}` for a unit variant.
    ObjectForUnit,
    /// A variant named by its number.
    TagByIndex,
    /// `[]` or `{}` for null inside a tagged or untagged enum.
    EmptyForNull,
    /// A flattened option that becomes `None` because its fields are bad.
    FlattenedOption,
    /// An unknown field beside the tag of a unit variant, where unknown fields are denied.
    ClosedUnit,
    /// Two variants of a flattened externally tagged enum beside each other, both right.
    SeveralVariants,
    /// `serde_json` reads `-0` as an integer for 128-bit types, and for no others.
    MinusZero,
    /// A constraint of the schema that the type does not know.
    Constraint,
    /// Strict formats: another spelling of a date, address or identifier.
    Spelling,
}

impl Row {
    /// All rows.
    pub const ALL: &[Self] = &[
        Self::DuplicateKey,
        Self::IgnoredPart,
        Self::RefusedByCode,
        Self::RefusedByParser,
        Self::EscapedKey,
        Self::RefusedKey,
        Self::ClosedStd,
        Self::FlattenedEnum,
        Self::ArrayForObject,
        Self::ObjectForUnit,
        Self::TagByIndex,
        Self::EmptyForNull,
        Self::FlattenedOption,
        Self::ClosedUnit,
        Self::SeveralVariants,
        Self::MinusZero,
        Self::Constraint,
        Self::Spelling,
    ];

    /// Who is followed.
    #[must_use]
    pub fn winner(self) -> Winner {
        match self {
            Self::DuplicateKey | Self::IgnoredPart => Winner::Text,
            Self::RefusedByCode
            | Self::RefusedByParser
            | Self::EscapedKey
            | Self::RefusedKey
            | Self::ClosedStd
            | Self::FlattenedEnum => Winner::Type,
            _ => Winner::Schema,
        }
    }
}

/// What the judges say to one text.
#[derive(Debug)]
pub struct Opinions {
    /// serde.
    pub serde: Result<Accepted, String>,
    /// The compiled schema; `None` where the text is not JSON.
    pub schema: Option<bool>,
    /// Whether the whole typed check passes.
    pub passes: bool,
    /// The violations of the typed check, one a line.
    pub violations: Vec<String>,
}

/// Asks all judges.
#[must_use]
pub fn ask(specimen: &Specimen, text: &str, strict: bool) -> Opinions {
    let violations = specimen.judge(text, strict, &json_correctness::Limits::default());
    Opinions {
        serde: specimen.deserialize(text.as_bytes()),
        schema: specimen.is_schema_valid(text, strict),
        passes: violations.is_empty(),
        violations: violations.iter().map(ToString::to_string).collect(),
    }
}

/// Puts a text under the rows that explain why the judges disagree; none where they agree.
///
/// # Errors
/// What is not explained, or who should have won.
pub fn classify(specimen: &Specimen, text: &str, strict: bool) -> Result<Vec<Row>, String> {
    let opinions = ask(specimen, text, strict);
    let say = |what: &str| Err(format!("{what}: {opinions:#?}"));
    // serde alone may skip parts that are no JSON; without a tree there is nothing more to compare.
    let is_json = serde_json::from_str::<Value>(text).is_ok();
    if is_json != opinions.schema.is_some() {
        return say("the document and serde_json disagree on what is JSON");
    }
    if !is_json {
        return match (&opinions.serde, opinions.passes) {
            (_, true) => say("passes without being JSON"),
            (Ok(_), false) => Ok(vec![Row::IgnoredPart]),
            (Err(_), false) => Ok(Vec::new()),
        };
    }
    let tree = Tree::parse(text);
    let duplicate = tree.has_duplicate_key();
    let rows = match (&opinions.serde, opinions.schema == Some(true)) {
        (Ok(accepted), true) if !accepted.holds => return say("both let a broken constraint through"),
        (Ok(_), true) if duplicate => vec![Row::DuplicateKey],
        (Ok(_), true) => {
            return if opinions.passes { Ok(Vec::new()) } else { say("both accept, the check refuses") };
        }
        (Err(_), false) => {
            return if opinions.passes { say("both refuse, the check passes") } else { Ok(Vec::new()) };
        }
        (Err(message), true) => match type_refuses(specimen, message, duplicate, &tree) {
            Some(row) => vec![row],
            None => return say("serde refuses, the schema accepts"),
        },
        (Ok(accepted), false) => match schema_refuses(specimen, &tree, accepted, duplicate, strict) {
            Some(rows) => rows,
            None => return say("serde accepts, the schema refuses"),
        },
    };
    if opinions.passes { say(&format!("passes in spite of {rows:?}")) } else { Ok(rows) }
}

/// How the parsers of chrono, uuid, url and std begin their refusals.
const PARSERS_SAY: &[&str] = &[
    "input contains invalid characters",
    "premature end of input",
    "input is out of range",
    "trailing input",
    "UUID parsing failed",
    "invalid socket address syntax",
    "invalid IPv4 socket address syntax",
    "invalid IPv6 socket address syntax",
    "relative URL without a base",
    "empty host",
    "invalid port number",
    "invalid IPv4 address",
    "invalid IPv6 address",
    "invalid international domain name",
    "invalid domain character",
];

/// Why the type refuses what its schema accepts, from serde's own words.
fn type_refuses(specimen: &Specimen, message: &str, duplicate: bool, tree: &Tree) -> Option<Row> {
    if duplicate || message.starts_with("duplicate field") {
        return Some(Row::DuplicateKey);
    }
    if specimen.has(Trait::Refuses) && message.starts_with("refused") {
        return Some(Row::RefusedByCode);
    }
    if specimen.has(Trait::Spelling) && PARSERS_SAY.iter().any(|words| message.starts_with(words)) {
        return Some(Row::RefusedByParser);
    }
    if specimen.has(Trait::ScalarKeys)
        && tree.has_escaped_key()
        && specimen.deserialize(tree.with_plain_keys().text().as_bytes()).is_ok()
    {
        return Some(Row::EscapedKey);
    }
    let key_message =
        ["invalid value: integer", "invalid number", "invalid type", "invalid value: expected key"];
    if specimen.has(Trait::BareMap) && key_message.iter().any(|words| message.starts_with(words)) {
        return Some(Row::RefusedKey);
    }
    if specimen.has(Trait::ClosedStd) && message.starts_with("overflow deserializing") {
        return Some(Row::RefusedByCode);
    }
    if specimen.has(Trait::ClosedStd) && message.starts_with("unknown field") {
        return Some(Row::ClosedStd);
    }
    let several = matches!(tree, Tree::Object(members) if members.len() > 2);
    (specimen.has(Trait::FlattenedEnum) && several).then_some(Row::FlattenedEnum)
}

/// Why the schema refuses what the type accepts: compares the text with what the type itself writes
/// for the value that it read. Where the text has another shape, the type's own replaces it; the
/// schema must then accept, else there is more to it than the rows explain.
fn schema_refuses(
    specimen: &Specimen,
    tree: &Tree,
    accepted: &Accepted,
    duplicate: bool,
    strict: bool,
) -> Option<Vec<Row>> {
    // The format alone is refused: strict mode asks for it where the type's parser does not.
    if strict && specimen.has(Trait::Spelling) && specimen.is_schema_valid(&tree.text(), false) == Some(true)
    {
        return Some(vec![Row::Spelling]);
    }
    let canonical = Tree::parse(&accepted.canonical);
    let mut rows = Vec::new();
    let mended = mend(specimen, tree, &canonical, &mut rows).text();
    let explained = match specimen.is_schema_valid(&mended, strict) {
        Some(true) => !rows.is_empty(),
        _ if strict
            && specimen.has(Trait::Spelling)
            && !rows.is_empty()
            && specimen.is_schema_valid(&mended, false) == Some(true) =>
        {
            rows.push(Row::Spelling);
            true
        }
        _ if !accepted.holds => {
            rows.push(Row::Constraint);
            true
        }
        // Which of equal keys each judge looks at is not promised: none of them is accepted.
        _ => duplicate,
    };
    if duplicate {
        rows.push(Row::DuplicateKey);
    }
    rows.sort_unstable();
    rows.dedup();
    explained.then_some(rows)
}

fn mend(specimen: &Specimen, text: &Tree, canonical: &Tree, rows: &mut Vec<Row>) -> Tree {
    let mut replaced = |row| {
        rows.push(row);
        canonical.clone()
    };
    match (text, canonical) {
        (Tree::Array(_), Tree::Object(_)) => replaced(Row::ArrayForObject),
        (Tree::Object(members), Tree::Scalar(to)) if members.len() == 1 && to.starts_with('"') => {
            replaced(Row::ObjectForUnit)
        }
        (Tree::Array(items), Tree::Scalar(to)) if items.is_empty() && to == "null" => {
            replaced(Row::EmptyForNull)
        }
        (Tree::Object(members), Tree::Scalar(to)) if members.is_empty() && to == "null" => {
            replaced(Row::EmptyForNull)
        }
        (Tree::Scalar(from), Tree::Scalar(to)) if to.starts_with('"') && from != to => {
            if !from.starts_with('"') {
                replaced(Row::TagByIndex)
            } else if specimen.has(Trait::Spelling) && unquote(from) != unquote(to) {
                replaced(Row::Spelling)
            } else {
                text.clone()
            }
        }
        (Tree::Scalar(from), Tree::Scalar(to)) if from == "-0" && to == "0" => replaced(Row::MinusZero),
        (Tree::Array(items), Tree::Array(others)) if items.len() == others.len() => Tree::Array(
            items.iter().zip(others).map(|(item, other)| mend(specimen, item, other, rows)).collect(),
        ),
        (Tree::Object(members), Tree::Object(others)) => {
            let mut mended = Vec::new();
            for (key, value) in members {
                let plain = quote(&unquote(key));
                if let Some((_, other)) = others.iter().find(|(other, _)| *other == plain) {
                    mended.push((key.clone(), mend(specimen, value, other, rows)));
                } else if specimen.has(Trait::FlattenedOption) {
                    rows.push(Row::FlattenedOption);
                } else if specimen.has(Trait::FlattenedEnum) && members.len() > others.len() {
                    rows.push(Row::SeveralVariants);
                } else if specimen.has(Trait::ClosedInternal) && others.len() == 1 {
                    rows.push(Row::ClosedUnit);
                } else {
                    mended.push((key.clone(), value.clone()));
                }
            }
            Tree::Object(mended)
        }
        _ => text.clone(),
    }
}

/// Looks for a smaller text that is not explained either.
#[must_use]
pub fn shrink(specimen: &Specimen, text: &str, strict: bool) -> String {
    if serde_json::from_str::<Value>(text).is_err() {
        return text.to_owned();
    }
    let mut tree = Tree::parse(text);
    loop {
        let smaller =
            tree.ways().into_iter().rev().flat_map(|way| candidates(&tree, &way)).find(|candidate| {
                let text = candidate.text();
                text.len() < tree.text().len() && classify(specimen, &text, strict).is_err()
            });
        match smaller {
            Some(candidate) => tree = candidate,
            None => return tree.text(),
        }
    }
}

fn candidates(tree: &Tree, way: &[usize]) -> Vec<Tree> {
    let mut all = Vec::new();
    for plain in ["0", "\"\"", "null", "{}", "[]"] {
        let mut candidate = tree.clone();
        *candidate.at_mut(way) = Tree::Scalar(plain.to_owned());
        all.push(candidate);
    }
    if let Some((&last, parent)) = way.split_last() {
        let mut candidate = tree.clone();
        match candidate.at_mut(parent) {
            Tree::Array(items) => drop(items.remove(last)),
            Tree::Object(members) => drop(members.remove(last)),
            Tree::Scalar(_) => {}
        }
        all.push(candidate);
    }
    all
}
