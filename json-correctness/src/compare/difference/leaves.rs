//! Two values that are compared as wholes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{ALMOST, Rules, walk::Walk};
use crate::{
    compare::{
        canonical::Canonical,
        distance::Distance,
        equality::equal,
        fields::{Comparison, Own, Place},
        instant::Instant,
        numeric::{closeness, naive_closeness},
    },
    error::Error,
    text::{JsonType, Node},
};

impl<'d> Walk<'d, '_> {
    /// The similarity of two values that are not both objects or both lists.
    pub(super) fn leaves(&mut self, expected: Node<'d>, found: Node<'d>) -> Result<f64, Error> {
        Ok(match Self::kinds(expected, found) {
            (JsonType::Null, JsonType::Null) => 1.0,
            (JsonType::String, JsonType::String) => self.strings(expected, found)?,
            (JsonType::Number, JsonType::Number) if !self.is_foreign() => self.numbers(expected, found),
            (JsonType::Boolean, JsonType::Boolean) => one_if(expected.source() == found.source()),
            (JsonType::Boolean | JsonType::Number, JsonType::Boolean | JsonType::Number)
                if self.is_foreign() =>
            {
                naive_closeness(float(expected), float(found))
            }
            (JsonType::Null, _) | (_, JsonType::Null) => 0.0,
            _ if self.rules == Rules::Autoevals => {
                let text = |node| Canonical::PythonDumps.text(node);
                1.0 - Distance::Levenshtein.normalized(&text(expected), &text(found), self.limits)?
            }
            _ => 0.0,
        })
    }

    fn strings(&mut self, expected: Node<'_>, found: Node<'_>) -> Result<f64, Error> {
        let (a, b) = (expected.as_str().unwrap_or_default(), found.as_str().unwrap_or_default());
        if a == b {
            return Ok(1.0);
        }
        if self.rules == Rules::Exact {
            return Ok(0.0);
        }
        self.spend(a.len().saturating_mul(b.len()) / 64)?;
        Ok((1.0 - Distance::Levenshtein.normalized(a, b, self.limits)?).min(ALMOST))
    }

    fn numbers(&self, expected: Node<'_>, found: Node<'_>) -> f64 {
        match (expected.as_number(), found.as_number()) {
            (Some(x), Some(y)) if self.rules == Rules::Exact => one_if(x.compare(y).is_eq()),
            (Some(x), Some(y)) => closeness(x, y),
            _ => 0.0,
        }
    }

    /// The similarity by the comparison or the tolerance that the field has. `None` where it has none,
    /// or one that is not for values of these types.
    pub(super) fn as_told(
        &mut self,
        expected: Node<'d>,
        found: Node<'d>,
        place: &Place<'_>,
    ) -> Result<Option<f64>, Error> {
        let (comparison, tolerance) = place.comparison();
        if let Some(Comparison::Own(own)) = comparison {
            return self.own(own, expected, found).map(Some);
        }
        if let (Some(tolerance), Some(x), Some(y)) = (tolerance, expected.as_number(), found.as_number()) {
            let near = tolerance.allows(y, x);
            return Ok(Some(match comparison {
                Some(Comparison::Numeric) if !near => closeness(x, y),
                _ => one_if(near),
            }));
        }
        let texts = expected.as_str().zip(found.as_str());
        Ok(match (comparison, texts) {
            (None | Some(Comparison::Levenshtein), _) => None,
            (Some(Comparison::Exact), _) => Some(one_if(equal(expected, found, true))),
            (Some(Comparison::Numeric), _) => as_numbers(expected, found),
            (Some(Comparison::CaseInsensitive), Some((a, b))) => Some(one_if(folded(a).eq(folded(b)))),
            (Some(Comparison::WhitespaceInsensitive), Some((a, b))) => {
                Some(one_if(a.split_whitespace().eq(b.split_whitespace())))
            }
            (Some(Comparison::Instant), Some((a, b))) => {
                let instants = Instant::parse(a).zip(Instant::parse(b));
                Some(one_if(instants.map_or(a == b, |(a, b)| a == b)))
            }
            _ => None,
        })
    }

    fn own(&mut self, own: &Own, expected: Node<'_>, found: Node<'_>) -> Result<f64, Error> {
        let place = self.finder.pointer();
        let similarity = catch_unwind(AssertUnwindSafe(|| own.call(found, expected)))
            .map_err(|_| Error::hook(format!("the comparison function of `{place}` panicked")))?;
        if !(0.0..=1.0).contains(&similarity) {
            return Err(Error::hook(format!(
                "the comparison function of `{place}` returned {similarity}: it must return a number from 0 to 1"
            )));
        }
        Ok(similarity)
    }
}

fn one_if(same: bool) -> f64 {
    f64::from(u8::from(same))
}

/// A text in which upper and lower case are one. By way of upper case, so that ß is ss and ς is σ.
fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// The closeness of numbers and booleans.
fn as_numbers(expected: Node<'_>, found: Node<'_>) -> Option<f64> {
    if let (Some(x), Some(y)) = (expected.as_number(), found.as_number()) {
        return Some(closeness(x, y));
    }
    let is_numeric = |node: Node<'_>| node.as_bool().is_some() || node.as_number().is_some();
    let numeric = is_numeric(expected) && is_numeric(found);
    numeric.then(|| naive_closeness(float(expected), float(found)))
}

fn float(node: Node<'_>) -> f64 {
    match (node.as_bool(), node.as_number()) {
        (Some(flag), _) => f64::from(u8::from(flag)),
        (None, Some(number)) => number.as_f64(),
        _ => 0.0,
    }
}
