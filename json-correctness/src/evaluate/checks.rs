//! The checks of a run.

use std::{fmt, sync::Arc};

use super::RunCheck;
use crate::{check::Check, error::Error, metric::Metric, score::Direction};

/// The checks of a run, each with a name: metrics with their policies.
///
/// ```
/// use json_correctness::{Checks, JsonEquality, JsonValidity};
///
/// let checks = Checks::new()
///     .with(JsonValidity::new())
///     .with(JsonEquality::new().threshold(1.0))
///     .named("same_in_any_order", JsonEquality::new().unordered());
/// assert_eq!(checks.names().collect::<Vec<_>>(), ["json_validity", "json_equality", "same_in_any_order"]);
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Checks(Vec<Named>);

/// A check and the name that its results bear.
#[derive(Clone)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) check: Check<Arc<dyn Metric>>,
}

impl Checks {
    /// No checks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a check, or a metric with the default policy, by the metric's name.
    pub fn with(self, check: impl IntoCheck) -> Self {
        let check = check.into_check();
        let name = check.metric().name().to_owned();
        self.add(name, check)
    }

    /// Adds a check by a name of its own, such as a second one of the same metric.
    pub fn named(self, name: impl Into<String>, check: impl IntoCheck) -> Self {
        let check = check.into_check();
        self.add(name.into(), check)
    }

    fn add(mut self, name: String, check: Check<Arc<dyn Metric>>) -> Self {
        self.0.push(Named { name, check });
        self
    }

    /// The names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|named| named.name.as_str())
    }

    pub(crate) fn as_slice(&self) -> &[Named] {
        &self.0
    }

    /// How the run describes the checks, once it is clear that they can run.
    pub(crate) fn described(&self) -> Result<Vec<RunCheck>, Error> {
        if self.0.is_empty() {
            return Err(Error::option("there is no check: add one by `Checks::with`"));
        }
        let mut described: Vec<RunCheck> = Vec::with_capacity(self.0.len());
        for Named { name, check } in &self.0 {
            if described.iter().any(|other| other.metric == *name) {
                return Err(Error::option(format!(
                    "two checks are called `{name}`: give one a name of its own by `Checks::named`"
                )));
            }
            described.push(RunCheck {
                metric: name.clone(),
                threshold: check.effective_threshold().map_err(|error| error.within(name))?,
                strict_mode: check.is_strict(),
                lower_is_better: check.metric().direction() == Direction::LowerIsBetter,
                options: check.metric().options(),
            });
        }
        Ok(described)
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// What can be a check of a run: a [`Check`], or a [`Metric`] with the default policy.
pub trait IntoCheck {
    /// The check.
    fn into_check(self) -> Check<Arc<dyn Metric>>;
}

impl<M: Metric + 'static> IntoCheck for M {
    fn into_check(self) -> Check<Arc<dyn Metric>> {
        Check::new(self).into_shared()
    }
}

impl<M: Metric + 'static> IntoCheck for Check<M> {
    fn into_check(self) -> Check<Arc<dyn Metric>> {
        self.into_shared()
    }
}
