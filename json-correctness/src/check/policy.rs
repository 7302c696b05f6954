//! The metrics of this library judge by themselves, with the default policy, and become checks.

use super::{Check, Verdict};
use crate::{
    case::TestCase,
    error::Error,
    metric::{JsonCorrectness, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity},
    reason::{ReasonHook, Reasoner},
    schema::ExpectedSchema,
};

macro_rules! judge_by_themselves {
    ($([$($parameter:ident: $bound:ident)?] $metric:ty;)*) => {
        $(impl<$($parameter: $bound)?> $metric {
            /// Judges the case with the default policy: see [`Check`].
            ///
            /// # Errors
            ///
            /// As [`Metric::measure`](crate::Metric::measure).
            pub fn judge(&self, case: &TestCase) -> Result<Verdict, Error> {
                Check::new(self).judge(case)
            }

            /// A check with this threshold: see [`Check::threshold`].
            pub fn threshold(self, threshold: f64) -> Check<Self> {
                Check::new(self).threshold(threshold)
            }

            /// A check in strict mode: see [`Check::strict_mode`].
            pub fn strict_mode(self, strict: bool) -> Check<Self> {
                Check::new(self).strict_mode(strict)
            }

            /// A check with or without reasons: see [`Check::include_reason`].
            pub fn include_reason(self, include: bool) -> Check<Self> {
                Check::new(self).include_reason(include)
            }

            /// A check that reports its steps: see [`Check::verbose_mode`].
            pub fn verbose_mode(self, verbose: bool) -> Check<Self> {
                Check::new(self).verbose_mode(verbose)
            }

            /// A check whose reasons a reasoner words: see [`Check::reason_with`].
            pub fn reason_with<Kind: 'static>(self, reasoner: impl Reasoner<Kind> + 'static) -> Check<Self> {
                Check::new(self).reason_with(reasoner)
            }

            /// A check whose reasons a hook words: see [`Check::reason_hook`].
            pub fn reason_hook(self, hook: ReasonHook) -> Check<Self> {
                Check::new(self).reason_hook(hook)
            }
        })*
    };
}

// A new metric is one more line here.
judge_by_themselves! {
    [T: ExpectedSchema] JsonCorrectness<T>;
    [] JsonDiff;
    [] JsonEditDistance;
    [] JsonEquality;
    [] JsonSchemaMatch;
    [] JsonValidity;
}

impl<T: ExpectedSchema> JsonCorrectness<T> {
    /// Judges a case with the default policy, and returns the value that its output deserializes into,
    /// if it is correct.
    ///
    /// ```
    /// use json_correctness::{Extraction, JsonCorrectness, TestCase};
    ///
    /// let metric = JsonCorrectness::<Vec<u32>>::new().extract(Extraction::Embedded);
    /// let (primes, verdict) = metric.deserialize(&TestCase::new("Primes?", "Sure! [2, 3]"))?;
    /// assert!(verdict.passed());
    /// assert_eq!(primes, Some(vec![2, 3]));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The schema of the type does not compile.
    pub fn deserialize(&self, case: &TestCase) -> Result<(Option<T>, Verdict), Error> {
        let (value, measurement) = self.examine(&case.actual_output)?;
        Ok((value, Check::new(self).verdict(case, measurement)?))
    }
}
