//! Regular expressions of a schema (`pattern`, `patternProperties`), run in bounded time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Error, text::Limits};

/// A backtracking run that ends within this many steps back is cheap; nearly all do.
const FEW_STEPS_BACK: usize = 1_000;
/// Beyond this many steps back a run gives up: some milliseconds.
const MOST_STEPS_BACK: usize = 100_000;

/// A regular expression in ECMA-262's dialect, as far as JSON Schema asks for it.
///
/// The linear engine runs whatever it can express. What needs backtracking (look-around,
/// back-references) is only run on short strings and gives up after a fixed number of steps: a limit
/// on steps alone does not bound the time, since `(?<!b)a*c` is quadratic in the string.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    engine: Engine,
    /// By how much counted repetitions slow the linear engine down.
    weight: usize,
}

#[derive(Clone, Debug)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(Box<Backtracking>),
}

#[derive(Clone, Debug)]
struct Backtracking {
    /// The same expression twice, since a limit is fixed when an expression is built: the first one
    /// tells the cheap runs from the dear ones.
    brief: fancy_regex::Regex,
    patient: fancy_regex::Regex,
    max_bytes: usize,
}

/// What one run of a pattern says, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// `None`: undecided.
    pub(crate) matches: Option<bool>,
    /// Steps of [`Limits::max_explain_steps`] that the run was worth beyond [`Pattern::steps`]; the
    /// same on every run.
    pub(crate) steps: usize,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// The pattern is longer than [`Limits::max_pattern_bytes`], expands to too large a program, or
    /// is not a regular expression.
    pub(crate) fn compile(source: &str, limits: &Limits) -> Result<Self, Error> {
        if source.len() > limits.max_pattern_bytes {
            let mut head = source.to_owned();
            crate::violation::cut(&mut head, 60);
            return Err(Error::limit(format!(
                "the pattern `{head}` has {} bytes, more than max_pattern_bytes = {}: shorten it or raise the limit",
                source.len(),
                limits.max_pattern_bytes,
            )));
        }
        let invalid = || {
            let mut head = source.to_owned();
            crate::violation::cut(&mut head, 200);
            Error::schema(format!("`{head}` is not a regular expression that can be used as a pattern"))
        };
        let translated = jsonschema_regex::to_rust_regex(source).map_err(|()| invalid())?;
        let engine = match regex::Regex::new(&translated) {
            Ok(regex) => Engine::Linear(regex),
            Err(regex::Error::CompiledTooBig(bytes)) => {
                let mut head = source.to_owned();
                crate::violation::cut(&mut head, 200);
                return Err(Error::limit(format!(
                    "the pattern `{head}` expands to more than {bytes} bytes: use smaller repetition counts"
                )));
            }
            Err(_) => {
                let build = |steps_back| {
                    fancy_regex::RegexBuilder::new(&translated)
                        .backtrack_limit(steps_back)
                        .build()
                        .map_err(|_| invalid())
                };
                Engine::Backtracking(Box::new(Backtracking {
                    brief: build(FEW_STEPS_BACK)?,
                    patient: build(MOST_STEPS_BACK)?,
                    max_bytes: limits.max_backtracking_bytes,
                }))
            }
        };
        Ok(Self { source: source.into(), engine, weight: 1 + counts(source) / 4 })
    }

    /// The pattern as the schema spells it.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the linear engine cannot run the pattern.
    pub(crate) fn backtracks(&self) -> bool {
        matches!(self.engine, Engine::Backtracking(_))
    }

    /// Whether the pattern matches somewhere in the text. `None` where that stays undecided: the
    /// pattern needs backtracking, and the text is too long for it or the run gave up.
    #[cfg(test)]
    pub(crate) fn matches(&self, text: &str) -> Option<bool> {
        self.run(text).matches
    }

    /// What a run on the text is worth at least, in steps of [`Limits::max_explain_steps`].
    pub(crate) fn steps(&self, text: &str) -> usize {
        match &self.engine {
            Engine::Linear(_) => 1 + text.len().saturating_mul(self.weight) / 32,
            Engine::Backtracking(engine) if text.len() > engine.max_bytes => 1,
            // Where each step back runs to the end of the text.
            Engine::Backtracking(_) => 20 + text.len().saturating_mul(text.len()) / 500,
        }
    }

    /// As [`Pattern::matches`], with what it cost beyond [`Pattern::steps`].
    pub(crate) fn run(&self, text: &str) -> Match {
        match &self.engine {
            Engine::Linear(regex) => Match { matches: guarded(|| Some(regex.is_match(text))), steps: 0 },
            Engine::Backtracking(engine) if text.len() > engine.max_bytes => {
                Match { matches: None, steps: 0 }
            }
            Engine::Backtracking(engine) => {
                if let Some(matches) = guarded(|| engine.brief.is_match(text).ok()) {
                    return Match { matches: Some(matches), steps: 0 };
                }
                Match { matches: guarded(|| engine.patient.is_match(text).ok()), steps: 8_000 + text.len() }
            }
        }
    }
}

/// The sum of the numbers in `{…}`: each such repetition is that many copies to the engine.
fn counts(source: &str) -> usize {
    let mut sum = 0_usize;
    for repetition in source.split('{').skip(1) {
        let inside = repetition.split('}').next().unwrap_or_default();
        let most = inside.split(',').filter_map(|count| count.trim().parse::<usize>().ok()).max();
        sum = sum.saturating_add(most.unwrap_or(0));
    }
    sum
}

/// The engines panic on a few known inputs (regex issue 1344): such a run is undecided too.
fn guarded(run: impl FnOnce() -> Option<bool>) -> Option<bool> {
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

#[cfg(test)]
#[expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn patterns_speak_ecma_and_stay_bounded() {
        let long = "a".repeat(10_000);
        let bomb = "a".repeat(40);
        let rows = [
            ("^[a-z]+$", "abc", Some(true)),
            ("^[a-z]+$", "abc\n", Some(false)),
            ("b", "abc", Some(true)),
            (r"^\d$", "٣", Some(false)),
            (r"^\w$", "é", Some(false)),
            (r"^\s$", "\u{feff}", Some(true)),
            (r"^\cA$", "\u{1}", Some(true)),
            (r"^\p{Lu}$", "É", Some(true)),
            (r"^(?!x)", "abc", Some(true)),
            (r"^(?!x)", "xbc", Some(false)),
            (r"^(.)\1$", "aa", Some(true)),
            (r"^(.)\1$", "ab", Some(false)),
            (r"(?<!b)a*c", long.as_str(), None),
            (r"^(?=a)(?:a|a)*\1?b()$", bomb.as_str(), None),
            ("a*c", long.as_str(), Some(false)),
        ];
        for (pattern, text, expected) in rows {
            let pattern = Pattern::compile(pattern, &Limits::default()).expect(pattern);
            assert_eq!(pattern.matches(text), expected, "{} on {text:.20}", pattern.source());
        }
    }

    #[test]
    fn a_dear_run_costs_more_steps_than_a_cheap_one() {
        let pattern = Pattern::compile(r"^(?=a)(?:a|a)*\1?b()$", &Limits::default()).unwrap();
        assert!(pattern.run("ab").steps + pattern.steps("ab") < 100);
        assert!(pattern.run(&"a".repeat(40)).steps > 1_000);
    }

    #[test]
    fn patterns_that_cannot_be_used() {
        let limits = Limits::default();
        assert!(Pattern::compile("(", &limits).unwrap_err().is_schema());
        assert!(Pattern::compile("(?=a", &limits).is_err());
        assert!(Pattern::compile(&"a".repeat(8193), &limits).unwrap_err().is_limit());
        assert!(Pattern::compile("((a{1000}){1000}){1000}", &limits).unwrap_err().is_limit());
    }
}
