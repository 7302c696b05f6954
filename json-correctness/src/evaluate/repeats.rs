//! Several outputs for one id: the same prompt sampled several times.

use std::collections::BTreeMap;

use super::{AtK, RepeatGate, RepeatSummary};
use crate::check::Outcome;

/// How the samples of a case are taken together: rows of the same id are samples of one case.
///
/// ```
/// use json_correctness::Repeats;
/// let repeats = Repeats::new().at([1, 3]).require(2, 3);
/// # let _ = repeats;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Repeats {
    at: Vec<u64>,
    gate: Option<(u64, u64)>,
}

impl Repeats {
    /// Rows of the same id are one case.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports pass@k and pass^k for each of these k: see [`AtK`].
    pub fn at(mut self, k: impl IntoIterator<Item = u64>) -> Self {
        self.at.extend(k);
        self.at.retain(|k| *k > 0);
        self.at.sort_unstable();
        self.at.dedup();
        self
    }

    /// A case passes where at least `required` of its `of` samples do. The run then passes by the rate
    /// of its cases, not of its rows.
    pub fn require(mut self, required: u64, of: u64) -> Self {
        self.gate = Some((required, of));
        self
    }
}

/// The samples of all cases, by id.
pub(crate) struct Samples {
    repeats: Repeats,
    /// How many samples of each id pass, of how many that were judged.
    by_id: BTreeMap<String, (u64, u64)>,
}

impl Samples {
    pub(crate) fn new(repeats: Repeats) -> Self {
        Self { repeats, by_id: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, id: &str, outcome: Outcome) {
        if outcome == Outcome::Skipped {
            return;
        }
        let counts = match self.by_id.get_mut(id) {
            Some(counts) => counts,
            None => self.by_id.entry(id.to_owned()).or_default(),
        };
        counts.0 += u64::from(outcome == Outcome::Passed);
        counts.1 += 1;
    }

    pub(crate) fn summary(&self) -> RepeatSummary {
        let flaky = self.by_id.values().filter(|(passed, judged)| *passed > 0 && passed < judged);
        RepeatSummary {
            cases: self.by_id.len() as u64,
            flaky: flaky.count() as u64,
            at: self.repeats.at.iter().map(|k| self.at(*k)).collect(),
            gate: self.repeats.gate.map(|(required, of)| self.gate(required, of)),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn at(&self, k: u64) -> AtK {
        let enough = || self.by_id.values().filter(|(_, judged)| *judged >= k);
        let cases = enough().count() as u64;
        let mean = |chance: &dyn Fn(u64, u64) -> f64| {
            (cases > 0).then(|| enough().map(|(c, n)| chance(*c, *n)).sum::<f64>() / cases as f64)
        };
        AtK {
            k,
            cases,
            pass_at: mean(&|c, n| 1.0 - chance_of_all(n - c, n, k)),
            pass_all: mean(&|c, n| chance_of_all(c, n, k)),
        }
    }

    fn gate(&self, required: u64, of: u64) -> RepeatGate {
        let complete = || self.by_id.values().filter(|(_, judged)| *judged == of);
        let passed = complete().filter(|(passed, _)| *passed >= required).count() as u64;
        let judged = complete().count() as u64;
        RepeatGate {
            required,
            of,
            passed,
            failed: judged - passed,
            errored: self.by_id.len() as u64 - judged,
        }
    }
}

/// C(c, k) / C(n, k): the chance that k of n, drawn without putting back, are all of a certain c.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn chance_of_all(c: u64, n: u64, k: u64) -> f64 {
    if c < k {
        return 0.0;
    }
    (0..k).map(|drawn| (c - drawn) as f64 / (n - drawn) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_are_those_of_drawing() {
        let mut samples = Samples::new(Repeats::new().at([1, 2, 4]).require(2, 3));
        let rows = [("a", [true, true, false]), ("b", [false, false, false]), ("c", [true, true, true])];
        for (id, outcomes) in rows {
            for passed in outcomes {
                samples.add(id, if passed { Outcome::Passed } else { Outcome::Failed });
            }
        }
        samples.add("d", Outcome::Passed);
        samples.add("e", Outcome::Skipped);
        let summary = samples.summary();
        assert_eq!((summary.cases, summary.flaky), (4, 1));
        let figures: Vec<_> = summary.at.iter().map(|at| (at.k, at.cases, at.pass_at, at.pass_all)).collect();
        let third = 1.0 / 3.0;
        assert_eq!(figures[0].1, 4);
        assert!((figures[0].2.expect("cases") - (2.0 * third + 2.0) / 4.0).abs() < 1e-12);
        // Of two drawn of "a", at least one passes always; both pass for one pair of three.
        assert!((figures[1].2.expect("cases") - 2.0 * third).abs() < 1e-12);
        assert!((figures[1].3.expect("cases") - (third + 1.0) / 3.0).abs() < 1e-12);
        assert_eq!(figures[2], (4, 0, None, None));
        let gate = summary.gate.expect("a gate");
        assert_eq!((gate.passed, gate.failed, gate.errored), (2, 1, 1));
    }
}
