//! The exact decimal form of a number's spelling.

use std::fmt::Write as _;

/// A number as `0.d₁d₂…dₖ × 10^point`, with neither the first nor the last digit 0.
pub(super) struct Decimal {
    negative: bool,
    /// No digits for zero.
    digits: String,
    point: i128,
    /// `point - 1` in decimal, where it is beyond [`LEVEL`].
    beyond: Option<String>,
}

/// Points beyond are only spelled, not reckoned with.
const LEVEL: i128 = 10_i128.pow(36);

/// Most digits that a 64-bit float needs.
const FLOAT_DIGITS: i128 = 17;

impl Decimal {
    /// Reads a spelling of RFC 8259's grammar, with an exponent of any length.
    pub(super) fn read(spelling: &str) -> Self {
        let (negative, unsigned) = match spelling.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, spelling),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent),
            None => (unsigned, "0"),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: String = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let zeros = (all.len() - significant.len()) as i128;
        let digits = significant.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self { negative: false, digits, point: 0, beyond: None };
        }
        let point = whole.len() as i128 - zeros;
        match exponent.parse::<i128>() {
            Ok(exponent) if exponent.abs() < LEVEL => {
                Self { negative, digits, point: point + exponent, beyond: None }
            }
            _ => {
                let (sign, magnitude, by) = match exponent.strip_prefix('-') {
                    Some(magnitude) => ('-', magnitude, 1 - point),
                    None => ('+', exponent.trim_start_matches('+'), point - 1),
                };
                let beyond = Some(format!("{sign}{}", moved(magnitude, by)));
                Self { negative, digits, point: if sign == '-' { -LEVEL } else { LEVEL }, beyond }
            }
        }
    }

    /// The power of ten of the last digit.
    pub(super) fn unit(&self) -> i128 {
        self.point.saturating_sub(self.digits.len() as i128)
    }

    /// The value in units of `10^unit`, which must not be greater than its own. `None` where it does
    /// not fit.
    pub(super) fn in_units(&self, unit: i128) -> Option<i128> {
        if self.digits.is_empty() {
            return Some(0);
        }
        if self.beyond.is_some() {
            return None;
        }
        let shift = u32::try_from(self.unit().checked_sub(unit)?).ok()?;
        let value = self.digits.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(shift)?)?;
        Some(if self.negative { -value } else { value })
    }

    /// As ECMAScript (and so RFC 8785) writes numbers, but with all digits.
    pub(super) fn write_ecmascript(&self, out: &mut String) {
        self.write(out, -5, 21, |exponent| format!("{exponent:+}"));
    }

    /// As Python's `repr` writes floats.
    pub(super) fn write_python_float(&self, negative_zero: bool, out: &mut String) {
        if self.digits.is_empty() {
            out.push_str(if negative_zero { "-0.0" } else { "0.0" });
            return;
        }
        self.write(out, -3, 16, |exponent| {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{sign}{:02}", exponent.unsigned_abs())
        });
        let integral = self.point >= self.digits.len() as i128 && self.point <= 16;
        if integral {
            out.push_str(".0");
        }
    }

    /// Positional where the point lies from `low` to `high`, else scientific.
    fn write(&self, out: &mut String, low: i128, high: i128, exponent: impl Fn(i128) -> String) {
        let Self { negative, digits, point, beyond } = self;
        if digits.is_empty() {
            out.push('0');
            return;
        }
        if *negative {
            out.push('-');
        }
        let count = digits.len() as i128;
        // A large integer keeps all its digits, unless a float would be written with an exponent and
        // few digits.
        if count <= *point && (*point <= high || count > FLOAT_DIGITS) && beyond.is_none() {
            out.push_str(digits);
            (count..*point).for_each(|_| out.push('0'));
        } else if 0 < *point && *point <= high && *point < count {
            let (whole, fraction) = digits.split_at(*point as usize);
            let _ = write!(out, "{whole}.{fraction}");
        } else if low <= *point && *point <= 0 {
            out.push_str("0.");
            (*point..0).for_each(|_| out.push('0'));
            out.push_str(digits);
        } else {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            let power = beyond.clone().unwrap_or_else(|| exponent(*point - 1));
            let _ = write!(out, "{first}{dot}{rest}e{power}");
        }
    }
}

/// `digits + by`, for a sum above 0.
fn moved(digits: &str, by: i128) -> String {
    let mut sum = digits.as_bytes().to_vec();
    let mut carry = by;
    for digit in sum.iter_mut().rev() {
        let new = i128::from(*digit - b'0') + carry;
        *digit = b'0' + new.rem_euclid(10) as u8;
        carry = new.div_euclid(10);
        if carry == 0 {
            break;
        }
    }
    let carried = if carry > 0 { carry.to_string() } else { String::new() };
    let sum = carried + &String::from_utf8_lossy(&sum);
    sum.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_have_one_form() {
        let rows = [
            ("0", "0"),
            ("-0.0e5", "0"),
            ("1", "1"),
            ("1.0", "1"),
            ("10e-1", "1"),
            ("-1.50", "-1.5"),
            ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("1.5e-7", "1.5e-7"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("123456789012345678901234567891", "123456789012345678901234567891"),
            ("9007199254740993", "9007199254740993"),
            ("1e-400", "1e-400"),
            ("10e-1000000000000000000000000000000000001", "1e-1000000000000000000000000000000000000"),
            ("10e-10000000000000000000000000000000000000000", "1e-9999999999999999999999999999999999999999"),
            (
                "0.01e-99999999999999999999999999999999999999999",
                "1e-100000000000000000000000000000000000000001",
            ),
            (
                "12e-00099999999999999999999999999999999999999999",
                "1.2e-99999999999999999999999999999999999999998",
            ),
            (
                "-1e-99999999999999999999999999999999999999999",
                "-1e-99999999999999999999999999999999999999999",
            ),
            ("1e99999999999999999999999999999999999999999", "1e+99999999999999999999999999999999999999999"),
            ("0e99999999999999999999999999999999999999999", "0"),
        ];
        for (spelling, expected) in rows {
            let mut out = String::new();
            Decimal::read(spelling).write_ecmascript(&mut out);
            assert_eq!(out, expected, "{spelling}");
        }
    }

    #[test]
    fn floats_are_written_as_python_does() {
        let rows = [
            ("1.0", "1.0"),
            ("1e5", "100000.0"),
            ("1e16", "1e+16"),
            ("1e15", "1000000000000000.0"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("-2.5", "-2.5"),
            ("0.1", "0.1"),
            ("12.5", "12.5"),
        ];
        for (spelling, expected) in rows {
            let mut out = String::new();
            Decimal::read(spelling).write_python_float(false, &mut out);
            assert_eq!(out, expected, "{spelling}");
        }
    }
}
