//! A number by its spelling: exact questions and comparisons, without rounding.

use std::cmp::Ordering;

use super::lexer;

/// A number as the text spells it. Questions and comparisons are exact: nothing is rounded, and
/// the cost is linear in the length of the spelling, whatever the exponent.
///
/// ```
/// use std::cmp::Ordering;
/// use json_correctness::Number;
/// let big = Number::parse("9007199254740993").expect("a number");
/// let float = Number::parse("9007199254740992.5").expect("a number");
/// assert_eq!(big.compare(float), Ordering::Greater);
/// assert!(Number::parse("1.50e2").expect("a number").is_integer());
/// assert!(Number::parse("01").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number<'d> {
    spelling: &'d str,
}

/// A spelling in parts. Its value is `0.d₁d₂d₃… × 10^(scale + exponent)`, `d₁` being the first digit
/// that is not 0.
struct Parts<'d> {
    negative: bool,
    integer: &'d [u8],
    fraction: &'d [u8],
    exponent: Exponent<'d>,
    /// Number of digits before the point, counted from the first one that is not 0.
    scale: i64,
    zero: bool,
}

/// An exponent of any length.
#[derive(Clone, Copy)]
struct Exponent<'d> {
    negative: bool,
    digits: &'d [u8],
}

impl<'d> Exponent<'d> {
    fn digit(self, index: usize) -> i64 {
        let digit = i64::from(self.digits[index] - b'0');
        if self.negative { -digit } else { digit }
    }

    /// `self - other`, exact where it lies within ±10^17, else of the right sign and beyond that.
    fn minus(self, other: Self) -> i64 {
        let length = self.digits.len().max(other.digits.len());
        let mut difference = 0_i64;
        for place in (0..length).rev() {
            let digit = |exponent: Self| match exponent.digits.len().checked_sub(place + 1) {
                Some(index) => exponent.digit(index),
                None => 0,
            };
            difference = difference * 10 + digit(self) - digit(other);
            // From 3 on, no later digits (at most ±18 each) can bring the sign back.
            if difference.abs() > 100_000_000_000_000_000 {
                break;
            }
        }
        difference
    }

    const ZERO: Exponent<'static> = Exponent { negative: false, digits: &[] };
}

impl<'d> Number<'d> {
    /// Reads a number of RFC 8259's grammar, of any size. `None` where the text is none.
    #[must_use]
    pub fn parse(spelling: &'d str) -> Option<Self> {
        let token = lexer::number_form(spelling.as_bytes(), 0)?;
        (token.end == spelling.len()).then_some(Self { spelling })
    }

    /// A spelling that the lexer has already read.
    pub(super) fn from_lexed(spelling: &'d str) -> Self {
        Self { spelling }
    }

    /// The number as the text spells it.
    #[must_use]
    pub fn spelling(self) -> &'d str {
        self.spelling
    }

    /// Whether it is spelled without fraction and exponent, and is not `-0`: what serde takes for
    /// an integer.
    #[must_use]
    pub fn is_written_as_integer(self) -> bool {
        self.spelling != "-0" && !self.spelling.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    }

    /// Whether the mathematical value is an integer: `1`, `1.0`, `1e2`, `-0`.
    #[must_use]
    pub fn is_integer(self) -> bool {
        let parts = self.parts();
        if parts.zero {
            return true;
        }
        // The exponent must move every digit up to the last one that is not 0 before the point.
        let needed = match parts.fraction.iter().rposition(|&digit| digit != b'0') {
            Some(last) => last as i64 + 1,
            None => {
                let last = parts.integer.iter().rposition(|&digit| digit != b'0').unwrap_or(0);
                last as i64 + 1 - parts.integer.len() as i64
            }
        };
        parts.exponent.minus(Exponent::ZERO) >= needed
    }

    /// The value, where it is [written as an integer](Self::is_written_as_integer) and fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        if self.spelling == "-0" { None } else { self.spelling.parse().ok() }
    }

    /// The value, where it is [written as an integer](Self::is_written_as_integer) and fits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        if self.spelling == "-0" { None } else { self.spelling.parse().ok() }
    }

    /// The nearest 64-bit float. Finite for every number of a [`Document`](super::Document); infinite
    /// for a larger one.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.spelling.parse().unwrap_or(f64::NAN)
    }

    /// Compares the exact mathematical values of two spellings. `-0` equals `0`.
    #[must_use]
    pub fn compare(self, other: Number<'_>) -> Ordering {
        let (a, b) = (self.parts(), other.parts());
        match (a.sign(), b.sign()) {
            (x, y) if x != y => x.cmp(&y),
            (0, _) => Ordering::Equal,
            (1, _) => a.compare_magnitude(&b),
            _ => b.compare_magnitude(&a),
        }
    }

    fn parts(self) -> Parts<'d> {
        let bytes = self.spelling.as_bytes();
        let negative = bytes.first() == Some(&b'-');
        let unsigned = &bytes[usize::from(negative)..];
        let (mantissa, exponent) = match unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&unsigned[..at], &unsigned[at + 1..]),
            None => (unsigned, &unsigned[unsigned.len()..]),
        };
        let (integer, fraction) = match mantissa.iter().position(|&byte| byte == b'.') {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &mantissa[mantissa.len()..]),
        };
        let exponent = match exponent {
            [b'-', digits @ ..] => Exponent { negative: true, digits },
            [b'+', digits @ ..] | digits => Exponent { negative: false, digits },
        };
        let nonzero = |digit: &u8| *digit != b'0';
        let (scale, zero) = match (integer.iter().position(nonzero), fraction.iter().position(nonzero)) {
            (Some(first), _) => ((integer.len() - first) as i64, false),
            (None, Some(first)) => (-(first as i64), false),
            (None, None) => (0, true),
        };
        Parts { negative, integer, fraction, exponent, scale, zero }
    }
}

impl Parts<'_> {
    fn sign(&self) -> i8 {
        match (self.zero, self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// The digits from the first one that is not 0.
    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.integer.iter().chain(self.fraction).copied().skip_while(|&digit| digit == b'0')
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        // Scales are below 2^32, so the clamped difference of the exponents decides exactly.
        let by_scale = self.exponent.minus(other.exponent).cmp(&(other.scale - self.scale));
        by_scale.then_with(|| {
            let (mut left, mut right) = (self.digits(), other.digits());
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return Ordering::Equal,
                    (a, b) => match a.unwrap_or(b'0').cmp(&b.unwrap_or(b'0')) {
                        Ordering::Equal => {}
                        unequal => return unequal,
                    },
                }
            }
        })
    }
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
