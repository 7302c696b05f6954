//! How close two numbers are.

use super::decimal::Decimal;
use crate::text::Number;

/// The largest number below 1: what is nearly the same is never said to be the same.
pub(super) const ALMOST: f64 = 1.0 - f64::EPSILON / 2.0;

/// `1 − |x − y| / (|x| + |y|)`: 1 exactly where the values are equal, 0 where the signs are opposite or
/// one of them alone is 0.
pub(super) fn closeness(x: Number<'_>, y: Number<'_>) -> f64 {
    if x.spelling() == y.spelling() || x.compare(y).is_eq() {
        return 1.0;
    }
    let (x, y) = (x.as_f64(), y.as_f64());
    if (x < 0.0) != (y < 0.0) || x == 0.0 || y == 0.0 {
        return 0.0;
    }
    let (small, large) = (x.abs().min(y.abs()), x.abs().max(y.abs()));
    let mut sum = large + small;
    let mut apart = large - small;
    if sum.is_infinite() {
        // Half of each is exact up there.
        (sum, apart) = (large / 2.0 + small / 2.0, large / 2.0 - small / 2.0);
    }
    (1.0 - apart / sum).clamp(0.0, ALMOST)
}

/// The same as other libraries compute it, with their rounding and overflow.
pub(super) fn naive_closeness(x: f64, y: f64) -> f64 {
    if x == 0.0 && y == 0.0 {
        return 1.0;
    }
    (1.0 - (x - y).abs() / (x.abs() + y.abs())).clamp(0.0, 1.0)
}

/// How far a number may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tolerance {
    /// By this much.
    Absolute(f64),
    /// By this share of the expected one's magnitude.
    Relative(f64),
}

impl Tolerance {
    /// Whether the number is near enough. Decided on the decimals as they are written, so that 1.1 is
    /// within 0.1 of 1.0; in 64-bit floats where there are more digits than 128 bits hold.
    pub(super) fn allows(self, found: Number<'_>, expected: Number<'_>) -> bool {
        self.allows_exactly(found, expected).unwrap_or_else(|| {
            let (found, expected) = (found.as_f64(), expected.as_f64());
            let most = match self {
                Self::Absolute(most) => most,
                Self::Relative(share) => share * expected.abs(),
            };
            found == expected || (found - expected).abs() <= most
        })
    }

    fn allows_exactly(self, found: Number<'_>, expected: Number<'_>) -> Option<bool> {
        let (found, expected) = (Decimal::read(found.spelling()), Decimal::read(expected.spelling()));
        let (Self::Absolute(most) | Self::Relative(most)) = self;
        // The shortest digits of the tolerance are those that its author wrote.
        let most = Decimal::read(&format!("{most:e}"));
        let unit = found.unit().min(expected.unit());
        let (found, expected) = (found.in_units(unit)?, expected.in_units(unit)?);
        let apart = found.checked_sub(expected)?.checked_abs()?;
        // apart · 10^unit <= most · 10^unit' · (1, or |expected| · 10^unit)
        let (allowed, allowed_unit) = match self {
            Self::Absolute(_) => (most.in_units(most.unit())?, most.unit()),
            Self::Relative(_) => {
                let share = most.in_units(most.unit())?;
                (share.checked_mul(expected.checked_abs()?)?, most.unit().checked_add(unit)?)
            }
        };
        let shift = u32::try_from(unit.abs_diff(allowed_unit)).ok()?;
        let power = 10_i128.checked_pow(shift)?;
        Some(if unit > allowed_unit {
            apart.checked_mul(power)? <= allowed
        } else {
            apart <= allowed.checked_mul(power)?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(spelling: &str) -> Number<'_> {
        Number::parse(spelling).expect("a number")
    }

    #[test]
    fn closeness_is_one_for_equal_numbers_alone() {
        let rows = [
            ("0", "0", 1.0),
            ("0", "-0.0", 1.0),
            ("19.0", "39.0", 1.0 - 20.0 / 58.0),
            ("1", "3", 0.5),
            ("1.7e308", "1.0e308", 1.0 - 0.7 / 2.7),
            ("1", "-1", 0.0),
            ("0", "1e-300", 0.0),
            ("1e308", "1e308", 1.0),
            ("1.7e308", "1.7e307", 1.0 - 0.9 / 1.1),
            ("5e-324", "1e-323", 1.0 - 1.0 / 3.0),
            ("9007199254740992", "9007199254740993", ALMOST),
            ("1e-400", "1e-401", 0.0),
        ];
        for (x, y, expected) in rows {
            let found = closeness(number(x), number(y));
            assert!((found - expected).abs() < 1e-12, "{x} {y}: {found}");
            assert_eq!(found == 1.0, expected == 1.0, "{x} {y}: {found}");
            assert_eq!(found, closeness(number(y), number(x)), "{x} {y}");
            // To the digit where no step can round.
            assert!(expected != 0.5 || found == 0.5, "{x} {y}: {found}");
        }
    }

    #[test]
    fn tolerances_are_decimal() {
        use Tolerance::{Absolute, Relative};
        let rows = [
            ("1.1", "1.0", Absolute(0.1), true),
            ("1.1000000000000000001", "1.0", Absolute(0.1), false),
            ("-0.1", "0.1", Absolute(0.2), true),
            ("-0.1", "0.1", Absolute(0.19), false),
            ("5", "5.0", Absolute(0.0), true),
            ("5", "5.0000001", Absolute(0.0), false),
            ("101", "100", Relative(0.01), true),
            ("101.01", "100", Relative(0.01), false),
            // of the expected one
            ("100", "101", Relative(0.00991), true),
            ("100", "101", Relative(0.0099), false),
            ("-101", "-100", Relative(0.01), true),
            ("0", "0", Relative(0.5), true),
            ("1e-9", "0", Relative(0.5), false),
            ("1e300", "1.005e300", Relative(0.01), true),
            ("1e300", "1e-300", Absolute(1.0), false),
            ("1.7e308", "-1.7e308", Absolute(1e308), false),
            (
                "123456789012345678901234567890123456789012",
                "123456789012345678901234567890123456789013",
                Absolute(1.0),
                true,
            ),
        ];
        for (found, expected, tolerance, allowed) in rows {
            assert_eq!(
                tolerance.allows(number(found), number(expected)),
                allowed,
                "{found} {expected} {tolerance:?}"
            );
        }
    }
}
