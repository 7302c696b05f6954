//! The keywords that the judge of record takes into its own hands: those which `jsonschema` judges
//! by rounded numbers or in unbounded time, and the bounds in `x-expected`.

use std::{cell::RefCell, cmp::Ordering};

use jsonschema::{
    Draft, Keyword, ValidationError, ValidationOptions,
    json::{Node as _, NodeIdentity},
    paths::Location,
};
use serde_json::{Map, Value};

use super::{
    canonical::decimal,
    judge::{Documents, View},
    pattern::Pattern,
    walk,
};
use crate::{
    text::{Limits, Number, Span},
    violation::Bound,
};

/// A run of a pattern that is worth more steps than this had to go back far.
const DEAR_STEPS: usize = 1_000;
/// What the dear runs of one judgement may be worth together: about forty of them. Each one alone
/// is bounded, but a text can hold very many strings.
const MOST_DEAR_STEPS: usize = 200_000;
/// Runs of one judgement in which undecided patterns are assumed to match or not; beyond them the
/// judgement is undecided.
const MOST_RUNS: usize = 16;

/// What the judge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    Valid,
    Invalid,
    /// The verdict depends on patterns that could not be run to an end.
    Undecided(Vec<Site>),
    /// Document and schema together are nested deeper than any stack.
    TooDeep,
}

/// A string that a pattern stayed undecided on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    identity: Option<NodeIdentity>,
    pub(crate) pattern: String,
    pub(crate) bytes: usize,
    /// Where the string stands; `None` for a key.
    pub(crate) span: Option<Span>,
}

/// The dear runs of one judgement.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    steps: usize,
}

impl Spent {
    /// Whether the pattern matches; `None` where it stays undecided, or too much was spent before.
    pub(crate) fn run(&mut self, pattern: &Pattern, text: &str) -> Option<bool> {
        if self.steps > MOST_DEAR_STEPS && pattern.backtracks() {
            return None;
        }
        let run = pattern.run(text);
        let steps = run.steps + pattern.steps(text);
        if pattern.backtracks() && steps > DEAR_STEPS {
            self.steps += steps;
        }
        run.matches
    }
}

impl Site {
    /// A key that a pattern of `patternProperties` stays undecided on.
    pub(crate) fn of_key(pattern: String, bytes: usize, span: Span) -> Self {
        Self { identity: None, pattern, bytes, span: Some(span) }
    }
}

#[derive(Default)]
struct Assumptions {
    made: Vec<(Site, bool)>,
    met: Vec<Site>,
    spent: Spent,
}

thread_local! {
    // A keyword sees nothing but its node, so what is assumed about patterns travels beside.
    static ASSUMPTIONS: RefCell<Assumptions> = RefCell::default();
}

/// Judges under every outcome of the patterns that stay undecided: only a verdict that is the same
/// under all of them is one.
pub(crate) fn under_every_outcome(mut is_valid: impl FnMut() -> bool) -> Judgement {
    let mut pending = vec![Vec::new()];
    let (mut verdict, mut sites) = (None, Vec::new());
    let mut spent = Spent::default();
    for _ in 0..MOST_RUNS {
        let Some(made) = pending.pop() else { break };
        ASSUMPTIONS.with_borrow_mut(|state| *state = Assumptions { made, met: Vec::new(), spent });
        let valid = is_valid();
        let Assumptions { made, met, spent: now } = ASSUMPTIONS.with_borrow_mut(std::mem::take);
        spent = now;
        if let Some(site) = met.into_iter().next() {
            for outcome in [true, false] {
                let mut assumed = made.clone();
                assumed.push((site.clone(), outcome));
                pending.push(assumed);
            }
            if !sites.contains(&site) {
                sites.push(site);
            }
        } else if *verdict.get_or_insert(valid) != valid {
            return Judgement::Undecided(sites);
        }
    }
    match verdict {
        Some(true) if pending.is_empty() => Judgement::Valid,
        Some(false) if pending.is_empty() => Judgement::Invalid,
        _ => Judgement::Undecided(sites),
    }
}

/// The outcome that is assumed for an undecided pattern.
fn assumed(pattern: &Pattern, view: View<'_>, text: &str) -> bool {
    let site = Site {
        identity: view.identity(),
        pattern: pattern.source().to_owned(),
        bytes: text.len(),
        span: match view {
            View::Value(node, _) => Some(node.span()),
            View::Key(_) => None,
        },
    };
    ASSUMPTIONS.with_borrow_mut(|state| {
        // One site at a time is decided on; the rest of this run cannot count any more.
        if !state.met.is_empty() {
            return true;
        }
        if let Some((_, outcome)) = state.made.iter().find(|(made, _)| *made == site) {
            return *outcome;
        }
        state.met.push(site);
        true
    })
}

pub(crate) type Options<'o> = ValidationOptions<'o, std::sync::Arc<dyn jsonschema::Retrieve>, Documents>;

/// What every validator of this library starts from: nothing is fetched, formats are asserted, and an
/// `email` is an address (RFC 5321's `Mailbox`), not a header: `Bob <bob@x.io>` is none.
pub(crate) fn options<'o>() -> Options<'o> {
    jsonschema::options_for::<Documents>()
        .offline()
        .should_validate_formats(true)
        .with_email_options(jsonschema::EmailOptions::default().without_display_text())
}

/// Hands the keywords of this module to `jsonschema`.
pub(crate) fn register<'o>(
    options: Options<'o>,
    schema: &Value,
    draft: Draft,
    limits: &Limits,
) -> Options<'o> {
    let limits = limits.clone();
    let mut options = options
        .with_keyword("pattern", move |_: &Map<String, Value>, value: &Value, _: Location| {
            let Value::String(source) = value else { return Ok(nothing()) };
            match Pattern::compile(source, &limits) {
                Ok(pattern) => Ok(Box::new(PatternKeyword { pattern }) as Boxed),
                Err(error) => Err(ValidationError::custom(error.to_string())),
            }
        })
        .with_keyword("minimum", |parent: &Map<String, Value>, value: &Value, _: Location| {
            // Draft 4 has a flag beside the limit.
            let exclusive = parent.get("exclusiveMinimum") == Some(&Value::Bool(true));
            let bound = if exclusive { Bound::ExclusiveMinimum } else { Bound::Minimum };
            Ok(limit_keyword(value, bound))
        })
        .with_keyword("maximum", |parent: &Map<String, Value>, value: &Value, _: Location| {
            let exclusive = parent.get("exclusiveMaximum") == Some(&Value::Bool(true));
            let bound = if exclusive { Bound::ExclusiveMaximum } else { Bound::Maximum };
            Ok(limit_keyword(value, bound))
        })
        .with_keyword("exclusiveMinimum", |_: &Map<String, Value>, value: &Value, _: Location| {
            Ok(limit_keyword(value, Bound::ExclusiveMinimum))
        })
        .with_keyword("exclusiveMaximum", |_: &Map<String, Value>, value: &Value, _: Location| {
            Ok(limit_keyword(value, Bound::ExclusiveMaximum))
        })
        .with_keyword("multipleOf", |_: &Map<String, Value>, value: &Value, _: Location| {
            Ok(match value {
                Value::Number(divisor) => Box::new(MultipleOf { divisor: divisor.to_string() }) as Boxed,
                _ => nothing(),
            })
        })
        .with_keyword("x-expected", |_: &Map<String, Value>, value: &Value, _: Location| {
            Ok(Box::new(LimitsKeyword {
                limits: exact_limits(value)
                    .into_iter()
                    .map(|(bound, limit)| Limit::new(bound, limit))
                    .collect(),
            }) as Boxed)
        });
    // The crate's own `const` and `enum` compare numbers as `f64`, but are fast on strings.
    if allows_numbers(schema) {
        options = options.with_keyword("enum", |_: &Map<String, Value>, value: &Value, _: Location| {
            let allowed = value.as_array().cloned().unwrap_or_default();
            Ok(Box::new(OneOf { allowed }) as Boxed)
        });
        // Draft 4 does not know the keyword.
        if draft != Draft::Draft4 {
            options = options.with_keyword("const", |_: &Map<String, Value>, value: &Value, _: Location| {
                Ok(Box::new(OneOf { allowed: vec![value.clone()] }) as Boxed)
            });
        }
    }
    options
}

/// Whether a `const` or `enum` of the schema holds a number.
fn allows_numbers(schema: &Value) -> bool {
    let mut found = false;
    walk::subschemas(schema, &mut |object| {
        found |= ["const", "enum"].iter().filter_map(|keyword| object.get(*keyword)).any(holds_number);
    });
    found
}

fn holds_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(list) => list.iter().any(holds_number),
        Value::Object(map) => map.values().any(holds_number),
        _ => false,
    }
}

type Boxed = Box<dyn for<'i> Keyword<'i, Documents>>;

/// A keyword whose value is none that it can have there; the meta-schema refuses it where it matters.
fn nothing() -> Boxed {
    Box::new(LimitsKeyword { limits: Vec::new() })
}

fn limit_keyword(value: &Value, bound: Bound) -> Boxed {
    match value {
        Value::Number(limit) => {
            Box::new(LimitsKeyword { limits: vec![Limit::new(bound, limit.to_string())] })
        }
        _ => nothing(),
    }
}

/// The bounds that a schema of a type carries in `x-expected` because no JSON number that
/// `serde_json` can hold spells them: those of the 128-bit integers and of `f32`. They are strings.
pub(crate) fn exact_limits(extension: &Value) -> Vec<(Bound, String)> {
    [
        ("minimum", Bound::Minimum),
        ("maximum", Bound::Maximum),
        ("exclusiveMinimum", Bound::ExclusiveMinimum),
        ("exclusiveMaximum", Bound::ExclusiveMaximum),
    ]
    .into_iter()
    .filter_map(|(name, bound)| Some((bound, extension.get(name)?.as_str()?.to_owned())))
    .collect()
}

/// Whether the number holds the bound; exact, whatever the spellings.
pub(crate) fn holds(number: Number<'_>, bound: Bound, limit: &str) -> bool {
    Number::parse(limit).is_none_or(|limit| allows(bound, number.compare(limit)))
}

/// Whether a number that compares so to the limit holds the bound.
fn allows(bound: Bound, ordering: Ordering) -> bool {
    match bound {
        Bound::Minimum => ordering != Ordering::Less,
        Bound::Maximum => ordering != Ordering::Greater,
        Bound::ExclusiveMinimum => ordering == Ordering::Greater,
        Bound::ExclusiveMaximum => ordering == Ordering::Less,
    }
}

/// A bound on numbers.
#[derive(Debug)]
pub(crate) struct Limit {
    bound: Bound,
    /// The limit rounded, which nearly every number is compared to without its digits: rounding keeps
    /// the order, so two numbers that differ when rounded differ the same way.
    near: f64,
    exact: String,
}

impl Limit {
    pub(crate) fn new(bound: Bound, exact: String) -> Self {
        Self { bound, near: exact.parse().unwrap_or(f64::NAN), exact }
    }

    fn allows(&self, number: Number<'_>) -> bool {
        self.allows_near(number.as_f64(), number)
    }

    /// As `allows`, of a number whose nearest float is known.
    pub(crate) fn allows_near(&self, near: f64, number: Number<'_>) -> bool {
        match near.partial_cmp(&self.near) {
            Some(ordering @ (Ordering::Less | Ordering::Greater)) => allows(self.bound, ordering),
            _ if number.spelling() == self.exact => allows(self.bound, Ordering::Equal),
            _ => holds(number, self.bound, &self.exact),
        }
    }
}

struct LimitsKeyword {
    limits: Vec<Limit>,
}

impl<'i> Keyword<'i, Documents> for LimitsKeyword {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        verdict(Keyword::<Documents>::is_valid(self, instance))
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        self.limits.is_empty()
            || instance
                .as_number()
                .is_none_or(|numeral| self.limits.iter().all(|limit| limit.allows(numeral.number)))
    }
}

/// `enum` and `const`.
struct OneOf {
    allowed: Vec<Value>,
}

impl<'i> Keyword<'i, Documents> for OneOf {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        verdict(Keyword::<Documents>::is_valid(self, instance))
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        self.allowed.iter().any(|allowed| instance.equals_value(allowed))
    }
}

struct MultipleOf {
    divisor: String,
}

impl<'i> Keyword<'i, Documents> for MultipleOf {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        verdict(Keyword::<Documents>::is_valid(self, instance))
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        instance.as_number().is_none_or(|numeral| is_multiple_of(numeral.number.spelling(), &self.divisor))
    }
}

struct PatternKeyword {
    pattern: Pattern,
}

impl<'i> Keyword<'i, Documents> for PatternKeyword {
    fn validate(&self, instance: View<'i>) -> Result<(), ValidationError<'i>> {
        verdict(Keyword::<Documents>::is_valid(self, instance))
    }

    fn is_valid(&self, instance: View<'i>) -> bool {
        instance.as_string().is_none_or(|text| {
            ASSUMPTIONS
                .with_borrow_mut(|state| state.spent.run(&self.pattern, &text))
                .unwrap_or_else(|| assumed(&self.pattern, instance, &text))
        })
    }
}

/// Only `is_valid` is ever asked; the explainer words the reasons.
fn verdict(valid: bool) -> Result<(), ValidationError<'static>> {
    if valid { Ok(()) } else { Err(ValidationError::custom("refused")) }
}

/// Whether one decimal number is a whole multiple of another, both as they are spelled: exact, and
/// linear in the length of the first one.
pub(crate) fn is_multiple_of(number: &str, divisor: &str) -> bool {
    let (Some((digits, exponent)), Some((divisor, divisor_exponent))) = (decimal(number), decimal(divisor))
    else {
        // Neither is an exponent beyond 128 bits in a number that a document can hold, unless it
        // stands for next to nothing.
        return false;
    };
    let Ok(divisor) = divisor.parse::<u64>() else { return false };
    if digits.is_empty() {
        return true;
    }
    // The quotient is digits × 10^shift / divisor.
    let Some(shift) = exponent.checked_sub(divisor_exponent) else { return false };
    if shift < 0 {
        // `digits` ends in no zero, so no power of ten divides it.
        return false;
    }
    let divisor = u128::from(divisor);
    if divisor == 0 {
        return false;
    }
    let remainder = digits.bytes().fold(0, |rest, digit| (rest * 10 + u128::from(digit - b'0')) % divisor);
    let (mut power, mut base, mut left) = (1 % divisor, 10 % divisor, shift);
    while left > 0 {
        if left & 1 == 1 {
            power = power * base % divisor;
        }
        base = base * base % divisor;
        left >>= 1;
    }
    remainder * power % divisor == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_exact() {
        let rows = [
            ("0.3", "0.1", true),
            ("0.30000000000000000001", "0.1", false),
            ("1e400", "3", false),
            ("3e300", "3", true),
            ("9007199254740993", "2", false),
            ("36893488147419103232", "2", true),
            ("-4.5", "1.5", true),
            ("0", "7", true),
            ("0e5", "7", true),
            ("1e-9", "1", false),
            ("19.99", "0.01", true),
            ("1070468.14", "0.01", true),
            ("12", "1e1", false),
        ];
        for (number, divisor, expected) in rows {
            assert_eq!(is_multiple_of(number, divisor), expected, "{number} / {divisor}");
        }
    }

    #[test]
    fn bounds_are_exact() {
        let rows = [
            ("-9223372036854775809", Bound::Minimum, "-9223372036854775808", false),
            ("18446744073709551616", Bound::Maximum, "18446744073709551615", false),
            ("1.00000000000000000000001", Bound::Maximum, "1", false),
            ("1.0", Bound::ExclusiveMaximum, "1", false),
            ("1e2", Bound::Minimum, "100", true),
            ("1e400", Bound::Maximum, "1e300", false),
            ("9007199254740993", Bound::Maximum, "9007199254740992", false),
            ("9007199254740993", Bound::ExclusiveMinimum, "9007199254740992", true),
            ("-0", Bound::Minimum, "0.0", true),
        ];
        for (number, bound, limit, expected) in rows {
            let number = Number::parse(number).unwrap_or_else(|| unreachable!("a number"));
            assert_eq!(holds(number, bound, limit), expected, "{} {limit}", number.spelling());
            let limit = Limit::new(bound, limit.to_owned());
            assert_eq!(limit.allows(number), expected, "{} {}", number.spelling(), limit.exact);
        }
    }
}
