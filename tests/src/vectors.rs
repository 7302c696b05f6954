//! The recorded answers of other libraries, and how far ours agree with them.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    sync::{Mutex, PoisonError},
};

use json_correctness::{Document, Error, Limits, Measurement, Metric, TestCase};
use serde_json::Value;

use crate::{docs, shared};

/// The rows of a vector file; `None`, and a word about it, where the file is absent.
#[must_use]
pub fn rows(file: &str) -> Option<Vec<Value>> {
    let path = shared::path(&format!("vectors/{file}.jsonl"))?;
    let text = fs::read_to_string(path).expect("a vector file");
    Some(text.lines().map(row).collect())
}

/// A row, and under `name_source` the spelling of each of its values: `Value` rounds large integers.
fn row(line: &str) -> Value {
    let mut row: Value = serde_json::from_str(line).expect("a row of JSON");
    let document = Document::parse(line, &Limits::default()).expect("a row of JSON");
    for member in document.root().members() {
        row[format!("{}_source", member.key)] = member.value.source().into();
    }
    row
}

/// One of the library's answers, or one of a peer's.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A score; a peer's may be outside [0, 1] or not finite.
    Score(f64),
    /// An error: ours of the set-up, the peer's an exception.
    Raised,
}

impl Answer {
    /// Whether two answers are the same, within 1e-9.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Raised, Self::Raised) => true,
            (Self::Score(a), Self::Score(b)) => (a - b).abs() <= 1e-9,
            _ => false,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Score(score) => format!("{score:.4}").trim_end_matches('0').trim_end_matches('.').into(),
            Self::Raised => "an error".into(),
        }
    }
}

/// A score as the vector files write it.
#[must_use]
pub fn score_of(value: &Value) -> Answer {
    match value {
        Value::Bool(score) => Answer::Score(f64::from(u8::from(*score))),
        Value::Object(float) => {
            let float = float["__float__"].as_str().expect("the name of a float");
            Answer::Score(float.parse().expect("nan or inf"))
        }
        number => Answer::Score(number.as_f64().expect("a score")),
    }
}

/// One row: what the peer said and what ours says.
#[derive(Debug)]
pub struct Compared<'r> {
    /// The row of the file.
    pub row: &'r Value,
    /// The peer's answer.
    pub peer: Answer,
    /// Our answer, by the metric in the mode at hand.
    pub ours: Result<Measurement, Error>,
}

impl Compared<'_> {
    /// Our answer.
    #[must_use]
    pub fn answer(&self) -> Answer {
        self.ours.as_ref().map_or(Answer::Raised, |found| Answer::Score(found.score.value()))
    }

    /// The codes of our violations.
    #[must_use]
    pub fn codes(&self) -> Vec<&'static str> {
        let violations = self.ours.iter().flat_map(|found| &found.violations);
        violations.map(|violation| violation.code).collect()
    }

    /// Whether one of the codes is among our violations.
    #[must_use]
    pub fn has(&self, codes: &[&str]) -> bool {
        self.codes().iter().any(|code| codes.contains(code))
    }

    /// What our error says; empty where there is none.
    #[must_use]
    pub fn error(&self) -> String {
        self.ours.as_ref().err().map(ToString::to_string).unwrap_or_default()
    }

    /// A text of the row; empty where the field is none.
    #[must_use]
    pub fn text(&self, field: &str) -> &str {
        self.row[field].as_str().unwrap_or_default()
    }
}

/// A written rule: under it our answer differs from the peer's, on purpose.
#[derive(Debug)]
pub struct Rule {
    /// Its name, which stands in `docs/coming-from.md`.
    pub name: &'static str,
    /// Whether the row falls under it.
    pub holds: fn(&Compared<'_>) -> bool,
}

/// A field of a vector file as a test case takes it: a text as it is, a value as JSON, nothing where
/// there is none.
#[must_use]
pub fn argument(row: &Value, field: &str) -> String {
    let is_text = row.get(format!("{field}_kind")).is_none_or(|kind| kind == "text");
    match &row[field] {
        Value::String(text) if is_text => text.clone(),
        _ => row[format!("{field}_source")].as_str().unwrap_or_default().to_owned(),
    }
}

/// Sets a metric up for a row.
type MetricOf<'s> = &'s dyn Fn(&Value) -> Box<dyn Metric>;

/// What a file's rows are judged by.
#[expect(missing_debug_implementations, reason = "functions only")]
pub struct Suite<'s> {
    /// The vector file.
    pub file: &'s str,
    /// The peer's answer in a row.
    pub peer: fn(&Value) -> Answer,
    /// The case of a row.
    pub case: fn(&Value) -> TestCase,
    /// The metric in compatibility mode, for a row; `None` where there is no such mode.
    pub compat: Option<MetricOf<'s>>,
    /// The metric with its defaults, for a row.
    pub default: MetricOf<'s>,
    /// The rules under which answers differ.
    pub rules: &'s [Rule],
}

/// How often a rule was needed, and the first row that it was needed for.
#[derive(Default)]
struct Needed {
    rows: usize,
    example: Option<(String, String, String)>,
}

type Tally = BTreeMap<usize, Needed>;

impl Suite<'_> {
    /// Judges all rows in both modes, prints the counts per rule, fails on a row that differs under no
    /// rule, and holds the generated table of the docs to the result.
    ///
    /// # Panics
    ///
    /// Where a row differs under no rule, or the docs are out of date.
    pub fn check(&self) {
        let Some(rows) = rows(self.file) else { return };
        let rows: Vec<(&Value, Answer)> = rows.iter().map(|row| (row, (self.peer)(row))).collect();
        let answered: Vec<_> = rows.iter().filter(|(_, peer)| *peer != Answer::Raised).collect();
        let compat = self.compat.map(|metric| self.tally("compatibility", metric, &answered));
        let default = self.tally("default", self.default, &answered);
        for (index, rule) in self.rules.iter().enumerate() {
            let needed =
                default.contains_key(&index) || compat.as_ref().is_some_and(|t| t.contains_key(&index));
            assert!(needed, "{}: no row needs the rule `{}`: remove it", self.file, rule.name);
        }
        let refused = rows.len() - answered.len();
        self.document(answered.len(), refused, compat.as_ref(), &default);
    }

    fn tally(&self, mode: &str, metric: MetricOf<'_>, rows: &[&(&Value, Answer)]) -> Tally {
        let (mut same, mut tally, mut unruled) = (0, Tally::new(), Vec::new());
        for (row, peer) in rows {
            let ours = metric(row).measure(&(self.case)(row));
            let compared = Compared { row, peer: peer.clone(), ours };
            if compared.answer().agrees(peer) {
                same += 1;
                continue;
            }
            let Some(rule) = self.rules.iter().position(|rule| (rule.holds)(&compared)) else {
                unruled.push(format!(
                    "{row}\n  peer {peer:?}, ours {:?} {:?} {}",
                    compared.answer(),
                    compared.codes(),
                    compared.error(),
                ));
                continue;
            };
            if std::env::var_os("SHOW_ROWS").is_some() {
                println!("{mode} {} {row}: ours {:?}", self.rules[rule].name, compared.answer());
            }
            let needed = tally.entry(rule).or_default();
            needed.rows += 1;
            let case = (self.case)(row);
            let shown = shown(&case);
            // The shortest example reads best.
            if needed.example.as_ref().is_none_or(|(earlier, ..)| shown.len() < earlier.len()) {
                needed.example = Some((shown, peer.shown(), compared.answer().shown()));
            }
        }
        println!("{} in {mode} mode: {same} of {} answered rows agree", self.file, rows.len());
        for (rule, needed) in &tally {
            println!("  {:>4} differ by rule `{}`", needed.rows, self.rules[*rule].name);
        }
        let count = unruled.len();
        unruled.truncate(12);
        assert!(
            unruled.is_empty(),
            "{} in {mode} mode: {count} rows differ under no rule\n{}",
            self.file,
            unruled.join("\n")
        );
        tally
    }

    fn document(&self, answered: usize, refused: usize, compat: Option<&Tally>, default: &Tally) {
        let sum = |tally: &Tally| tally.values().map(|needed| needed.rows).sum::<usize>();
        let raised = match refused {
            0 => String::new(),
            refused => format!(" (and raised an exception on {refused} more)"),
        };
        let mut table = format!("Of the {answered} recorded inputs that it answered{raised}, ");
        if let Some(compat) = compat {
            let same = answered - sum(compat);
            write!(table, "our compatibility mode gives the same score on {same} and ").expect("a string");
        }
        let same = answered - sum(default);
        writeln!(table, "our defaults give the same score on {same}. The others, by rule:\n")
            .expect("a string");
        table.push_str("| rule | compatibility mode | defaults | example | theirs | our defaults |\n");
        table.push_str("|---|--:|--:|---|--:|--:|\n");
        let rules = 0..self.rules.len();
        for rule in rules {
            let of = |tally: Option<&Tally>| tally.and_then(|tally| tally.get(&rule)).map_or(0, |n| n.rows);
            let Some(needed) = default.get(&rule).or_else(|| compat.and_then(|tally| tally.get(&rule)))
            else {
                continue;
            };
            let (example, theirs, ours) = needed.example.clone().unwrap_or_default();
            let ours = if default.contains_key(&rule) { ours } else { "the same".to_owned() };
            let compat = if self.compat.is_some() { of(compat).to_string() } else { "–".to_owned() };
            writeln!(
                table,
                "| `{}` | {compat} | {} | {example} | {theirs} | {ours} |",
                self.rules[rule].name,
                of(Some(default)),
            )
            .expect("a string");
        }
        let names: Vec<&str> = self.rules.iter().map(|rule| rule.name).collect();
        generated(self.file, &table, &names);
    }
}

/// The inputs of a case, for a table.
fn shown(case: &TestCase) -> String {
    let mut parts = vec![code(&case.actual_output.to_text())];
    if let Some(reference) = &case.expected_output {
        parts.push(format!("against {}", code(&reference.to_text())));
    }
    if let Some(schema) = &case.json_schema {
        parts.push(format!("by {}", code(&schema.to_string())));
    }
    if let Some(weights) = &case.weights {
        parts.push(format!("weighed {}", code(&weights.to_string())));
    }
    parts.join(" ")
}

/// A text as inline code in a table, with what would break it made visible, and shortened.
#[must_use]
pub fn code(text: &str) -> String {
    let visible = |character: char| match character {
        '|' => "\\|".to_owned(),
        // What takes no ink is written as an escape; a backslash is one of the text's own.
        _ if character.escape_debug().len() == 1 || matches!(character, '"' | '\'' | '\\') => {
            character.to_string()
        }
        _ => character.escape_debug().to_string(),
    };
    let mut shown: String = text.chars().map(visible).collect();
    if shown.chars().count() > 60 {
        shown = shown.chars().take(59).chain(['…']).collect();
    }
    match (shown.is_empty(), shown.contains('`')) {
        (true, _) => "(empty)".to_owned(),
        (_, true) => format!("```` {shown} ````"),
        _ => format!("`{shown}`"),
    }
}

/// Holds a generated part of `docs/coming-from.md` to what the test found, or writes it there where
/// `UPDATE_DOCS` is set; and sees that each rule is described.
///
/// # Panics
///
/// Where the docs are out of date.
pub fn generated(name: &str, text: &str, rules: &[&str]) {
    // Tests of one binary run at the same time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    const PAGE: &str = "docs/coming-from.md";
    let page = docs::page(PAGE);
    for rule in rules {
        assert!(page.contains(&format!("**{rule}**")), "{PAGE} does not describe `{rule}`");
    }
    docs::check(PAGE, name, text);
}
