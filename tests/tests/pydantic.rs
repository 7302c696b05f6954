//! The reference vectors of pydantic through the Rust equivalents of its models: where the verdicts
//! differ, exactly one rule of `docs/pydantic.md` says why.
//!
//! `UPDATE_DOCS=1 cargo test -p json-correctness-tests --test pydantic` writes the page's table anew.

use std::collections::BTreeMap;

use json_correctness::{
    Document, ExpectedSchema, JsonCorrectness, JsonSchemaMatch, JsonType, Limits, Node, Number, Slip,
    TestCase, Verdict, Violation, ViolationKind, assert_json_correct,
};
use json_correctness_tests::{
    docs,
    pydantic::{self, Validated},
    shared,
};
use serde::Deserialize;
use serde_json::Value;

const PAGE: &str = "docs/pydantic.md";

#[derive(Deserialize)]
struct Row {
    model: String,
    actual_output: String,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    passed: bool,
    errors: Vec<PydanticError>,
    deepeval: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct PydanticError {
    loc: Vec<Value>,
    r#type: String,
}

/// A row in which pydantic and this library give different verdicts.
struct Difference<'r> {
    row: &'r Row,
    violations: &'r [Violation],
    document: Option<&'r Document<'r>>,
}

impl Difference<'_> {
    /// This library refuses the row, for nothing but violations of this kind.
    fn refused_only(&self, explains: impl Fn(&Self, &Violation) -> bool) -> bool {
        !self.violations.is_empty() && self.violations.iter().all(|violation| explains(self, violation))
    }

    /// The value that a violation is about.
    fn value(&self, violation: &Violation) -> Option<Node<'_>> {
        self.document?.locate(&violation.pointer).map(|located| located.node)
    }

    /// The string that a violation of `model`'s field is about.
    fn text(&self, model: &str, field: &str, violation: &Violation) -> Option<&str> {
        let here = self.row.model == model && violation.pointer.as_str() == field;
        self.value(violation).filter(|_| here)?.as_str()
    }

    /// The number that a violation of `model`'s field is about.
    fn number(&self, model: &str, field: &str, violation: &Violation) -> Option<Number<'_>> {
        let here = self.row.model == model && violation.pointer.as_str() == field;
        self.value(violation).filter(|_| here)?.as_number()
    }

    fn slip(&self) -> Option<Slip> {
        match self.violations {
            [Violation { kind: ViolationKind::NotJson { slip, .. }, .. }] => Some(*slip),
            _ => None,
        }
    }
}

/// A rule: its name in the page, and which differences it explains.
type Rule = (&'static str, fn(&Difference<'_>) -> bool);

const RULES: [Rule; 15] = [
    ("lax-scalars", |difference| difference.refused_only(is_coerced)),
    ("integer-width", |difference| {
        difference.violations.iter().any(|violation| is_too_wide(difference, violation))
            && difference.refused_only(|difference, violation| {
                is_too_wide(difference, violation) || is_coerced(difference, violation)
            })
    }),
    ("not-finite", |difference| matches!(difference.slip(), Some(Slip::NotFinite | Slip::NumberOutOfRange))),
    ("duplicate-keys", |difference| {
        difference.refused_only(|_, violation| matches!(violation.kind, ViolationKind::DuplicateKey { .. }))
    }),
    ("nesting", |difference| difference.slip() == Some(Slip::TooDeep)),
    ("email-trimmed", |difference| {
        difference.refused_only(|difference, violation| {
            email(difference, violation).is_some_and(|text| text != text.trim())
        })
    }),
    ("email-display-name", |difference| {
        difference.refused_only(|difference, violation| {
            email(difference, violation).is_some_and(|text| text.contains('<'))
        })
    }),
    ("email-international", |difference| {
        difference.refused_only(|difference, violation| {
            email(difference, violation).is_some_and(|text| !text.is_ascii())
        })
    }),
    ("email-deliverable", |difference| {
        let refused = |error: &PydanticError| error.r#type == "value_error" && error.loc == ["email"];
        let text = serde_json::from_str::<Value>(&difference.row.actual_output).ok();
        let text = text.as_ref().and_then(|value| value["email"].as_str());
        let undeliverable = |text: &str| {
            text.rsplit_once('@').is_some_and(|(local, domain)| {
                local.starts_with('"') || domain.starts_with('[') || !domain.contains('.')
            })
        };
        difference.violations.is_empty()
            && difference.row.expected.errors.iter().all(refused)
            && text.is_some_and(undeliverable)
    }),
    ("date-time-local", |difference| {
        difference.refused_only(|difference, violation| {
            let text = difference.text("Formats", "/at", violation);
            text.is_some_and(|text| text.starts_with("2024-01-02") && !text.contains(['Z', '+']))
        })
    }),
    ("unix-time", |difference| {
        difference.refused_only(|difference, violation| {
            difference.number("Formats", "/at", violation).is_some_and(Number::is_integer)
        })
    }),
    ("time-with-offset", |difference| {
        difference.refused_only(|difference, violation| {
            difference
                .text("Formats", "/clock", violation)
                .is_some_and(|text| text.ends_with('Z') || text.contains('+'))
        })
    }),
    ("duration-forms", |difference| {
        difference.refused_only(|difference, violation| {
            let text = difference.text("Formats", "/span", violation);
            text.is_some_and(|text| !text.starts_with('P'))
                || difference.number("Formats", "/span", violation).is_some()
        })
    }),
    ("address-from-number", |difference| {
        difference.refused_only(|difference, violation| {
            difference.number("Formats", "/ip", violation).is_some_and(Number::is_integer)
        })
    }),
    ("alias-path", |difference| {
        difference
            .refused_only(|difference, violation| difference.text("Aliases", "/address", violation).is_some())
    }),
];

fn email<'d>(difference: &'d Difference<'_>, violation: &Violation) -> Option<&'d str> {
    difference
        .text("Formats", "/email", violation)
        .filter(|_| matches!(&violation.kind, ViolationKind::Format { format, .. } if format == "email"))
}

/// An integer that a 64-bit integer cannot hold.
fn is_too_wide(difference: &Difference<'_>, violation: &Violation) -> bool {
    matches!(&violation.kind, ViolationKind::OutOfRange { limit, .. }
        if *limit == i64::MAX.to_string() || *limit == i64::MIN.to_string())
        && difference.value(violation).and_then(Node::as_number).is_some_and(Number::is_integer)
}

/// A scalar of another type, which pydantic's lax mode reads as the one that is wanted.
fn is_coerced(difference: &Difference<'_>, violation: &Violation) -> bool {
    let Some(value) = difference.value(violation) else { return false };
    match &violation.kind {
        ViolationKind::WrongType { expected, .. } => expected.iter().any(|wanted| match wanted {
            JsonType::Integer => lax_integer(value).is_some(),
            JsonType::Number => is_lax_float(value),
            JsonType::Boolean => is_lax_bool(value),
            _ => false,
        }),
        // Of an enum of integers: said beside the wrong type.
        ViolationKind::NotAllowed { allowed, .. } => {
            lax_integer(value).is_some_and(|integer| allowed.contains(&integer))
        }
        _ => false,
    }
}

/// The integer that pydantic reads from a boolean, a number without fraction, or a text.
fn lax_integer(value: Node<'_>) -> Option<String> {
    if let Some(flag) = value.as_bool() {
        return Some(u8::from(flag).to_string());
    }
    if let Some(number) = value.as_number() {
        return number.is_integer().then(|| number.as_f64().to_string());
    }
    let text = value.as_str()?.trim();
    let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let digital = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let read = digits.split('_').all(digital) && !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0');
    read.then(|| whole.replace('_', ""))
}

fn is_lax_float(value: Node<'_>) -> bool {
    value.as_bool().is_some()
        || value.as_str().is_some_and(|text| text.trim().replace('_', "").parse::<f64>().is_ok())
}

fn is_lax_bool(value: Node<'_>) -> bool {
    const WORDS: [&str; 12] = ["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];
    value.as_number().is_some_and(|number| matches!(number.spelling(), "0" | "1"))
        || value.as_str().is_some_and(|text| WORDS.contains(&text.to_lowercase().as_str()))
}

#[test]
fn every_difference_has_its_rule() {
    let page = docs::page(PAGE);
    let written: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert_eq!(written, RULES.map(|(name, _)| name), "the rules of {PAGE} and of the code");

    let Some(rows) = shared::rows::<Row>("vectors/pydantic_correctness.jsonl") else { return };
    let limits = Limits::default();
    let mut found: Vec<Vec<&Row>> = vec![Vec::new(); RULES.len()];
    let (mut both_pass, mut both_refuse) = (0, 0);
    let mut unruled = Vec::new();
    for row in &rows {
        let verdict = pydantic::judge(&row.model, &row.actual_output).expect("the schema compiles");
        if verdict.passed() == row.expected.passed {
            *(if verdict.passed() { &mut both_pass } else { &mut both_refuse }) += 1;
            continue;
        }
        let document = Document::parse(&row.actual_output, &limits).ok();
        let difference = Difference { row, violations: verdict.violations(), document: document.as_ref() };
        let matching: Vec<usize> = (0..RULES.len()).filter(|&index| RULES[index].1(&difference)).collect();
        match matching[..] {
            [rule] => found[rule].push(row),
            _ => unruled.push(described(row, &verdict, &matching)),
        }
    }
    let of = format!("Of {} rows, {both_pass} pass and {both_refuse} fail by both", rows.len());
    println!("{of}");
    let head = ["rule", "rows", "pydantic", "here", "for example"].map(str::to_owned);
    let mut table = vec![head];
    for ((name, _), rows) in RULES.iter().zip(&found) {
        println!("{name}: {}", rows.len());
        let Some(example) = rows.iter().min_by_key(|row| row.actual_output.len()) else { continue };
        let (theirs, ours) = if example.expected.passed { ("passes", "fails") } else { ("fails", "passes") };
        table.push([
            format!("`{name}`"),
            rows.len().to_string(),
            theirs.to_owned(),
            ours.to_owned(),
            format!("`{}`: `{}`", example.model, shortened(&example.actual_output)),
        ]);
    }
    assert!(
        unruled.is_empty(),
        "{} differ without a rule of their own:\n{}",
        unruled.len(),
        unruled.join("\n")
    );
    for ((name, _), rows) in RULES.iter().zip(&found) {
        assert!(!rows.is_empty(), "the rule `{name}` explains nothing");
    }
    let differ: usize = found.iter().map(Vec::len).sum();
    docs::check(PAGE, "counts", &format!("{of}; {differ} differ:\n\n{}", docs::table(&table)));
}

fn shortened(text: &str) -> String {
    if text.len() <= 70 {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(40).collect::<String>())
}

fn described(row: &Row, verdict: &Verdict, rules: &[usize]) -> String {
    let rules: Vec<&str> = rules.iter().map(|&index| RULES[index].0).collect();
    let ours = if verdict.passed() { "passes" } else { "fails" };
    let mut text = format!("{}: {} {ours} here; rules {rules:?}", row.model, shortened(&row.actual_output));
    for violation in verdict.violations() {
        text.push_str(&format!("\n    {violation}"));
    }
    text
}

/// DeepEval says what pydantic says, and raises where there is no output; here that is a failure
/// like any other.
#[test]
fn deepeval_adds_nothing_but_an_exception() {
    let Some(rows) = shared::rows::<Row>("vectors/pydantic_correctness.jsonl") else { return };
    let mut raised = 0;
    for row in &rows {
        for (mode, answer) in &row.expected.deepeval {
            if answer.get("raises").is_none() {
                assert_eq!(answer["success"], row.expected.passed, "{mode}: {}", row.actual_output);
                continue;
            }
            raised += 1;
            let verdict = pydantic::judge(&row.model, &row.actual_output).expect("the schema compiles");
            let codes: Vec<&str> = verdict.violations().iter().map(|violation| violation.code).collect();
            assert_eq!(
                (verdict.score(), &codes[..]),
                (Some(0.0), &["JC0001"][..]),
                "{:?}",
                row.actual_output
            );
        }
    }
    println!("DeepEval raised {raised} times");
    assert!(raised > 0);
}

/// What only code can say: a validator over two fields, after the fields' own rules.
#[test]
fn a_validator_is_a_try_from() {
    let validated = assert_json_correct!(Validated, r#"{"low": 1, "high": 2}"#);
    assert_eq!((validated.low, validated.high), (1, 2));
    let said = |output: &str| {
        let verdict = pydantic::judge("Validated", output).expect("the schema compiles");
        verdict.violations().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        said(r#"{"low": -1, "high": "x"}"#),
        [
            "JC0203 at 1:9 (/low): `low` is -1, below the minimum of 0",
            "JC0201 at 1:21 (/high): `high` must be an integer, found a string",
        ]
    );
    let [refused] = &said(r#"{"low": 3, "high": 2}"#)[..] else { panic!("one violation") };
    assert!(refused.starts_with("JC0401 at 1:1 (root)"), "{refused}");
    assert!(refused.contains("low must not exceed high"), "{refused}");
}

/// What the page offers for those who want pydantic's verdict.
#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only judged")]
struct OtherWays {
    #[expected(format = "idn-email")]
    international: Option<String>,
    #[expected(format = "email", pattern = r"@[^@\[\]]+\.[^@\[\]]+$")]
    deliverable: Option<String>,
    #[serde(default, with = "chrono::serde::ts_seconds_option")]
    #[expected(schema_as = "Option<i64>")]
    seconds: Option<chrono::DateTime<chrono::Utc>>,
    local: Option<chrono::NaiveDateTime>,
    #[expected(format = "time")]
    clock: Option<String>,
    wide: Option<i128>,
    #[expected(pattern = "^https?:")]
    url: Option<url::Url>,
}

#[test]
fn the_other_ways_of_the_page_work() {
    for (output, passes) in [
        (r#"{"international": "é@x.de"}"#, true),
        (r#"{"deliverable": "a@b.co"}"#, true),
        (r#"{"deliverable": "a@b"}"#, false),
        (r#"{"deliverable": "a@[127.0.0.1]"}"#, false),
        (r#"{"seconds": 1704164645}"#, true),
        (r#"{"seconds": null}"#, true),
        (r#"{"seconds": "2024-01-02"}"#, false),
        (r#"{"local": "2024-01-02T03:04:05"}"#, true),
        (r#"{"clock": "10:20:00Z"}"#, true),
        (r#"{"clock": "10:20:00"}"#, false),
        (r#"{"wide": 9223372036854775808}"#, true),
        (r#"{"url": "https://x.io"}"#, true),
        (r#"{"url": "ftp://x.io"}"#, false),
    ] {
        let case = TestCase::new("", output);
        let verdict = JsonCorrectness::<OtherWays>::new().judge(&case).expect("the schema compiles");
        assert_eq!(verdict.passed(), passes, "{output}: {:?}", verdict.reason());
    }
}

/// A typed check ends where serde_json ends, whatever the limits.
#[test]
fn nesting_ends_with_serde_json() {
    let output = format!("{}{}", "[".repeat(130), "]".repeat(130));
    let limits = Limits::default().max_depth(200);
    let case = TestCase::new("", output);
    let typed = JsonCorrectness::<Value>::new().limits(limits.clone()).judge(&case);
    assert!(!typed.expect("the schema compiles").passed());
    let schema = JsonSchemaMatch::new().schema(serde_json::json!({})).limits(limits);
    assert!(schema.judge(&case).expect("the schema compiles").passed());
}
