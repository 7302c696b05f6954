//! The tokens of well-formed JSON. Everything here only says "well formed" or "not": what is wrong
//! with a text is the business of the careful second pass, [`super::diagnose`].

/// The first byte behind the white space at `at`.
#[inline]
pub(super) fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The first byte at or behind `at` that ends a run of plain string characters: a quote, a
/// backslash or a control character. The length of `bytes` where there is none.
#[inline]
pub(super) fn plain_run(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u128 = u128::MAX / 255;
    const HIGH: u128 = ONES << 7;
    // Sixteen bytes at once, so that nearly every string takes one step: a byte below `n` borrows from
    // its high bit. A borrow spreads only upwards, so the lowest bit that is set is never a false one.
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<16>) {
        let word = u128::from_le_bytes(*chunk);
        // This moves the quote right behind the control characters, and the space away from there.
        let low = word ^ (ONES * (b'"' ^ 0x20) as u128);
        let backslash = word ^ (ONES * b'\\' as u128);
        let found =
            ((low.wrapping_sub(ONES * 0x21) & !low) | (backslash.wrapping_sub(ONES) & !backslash)) & HIGH;
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 16;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// A number's end and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberToken {
    pub(super) end: usize,
    /// Spelled without fraction and exponent.
    pub(super) integer: bool,
}

/// Reads the number at `at` by RFC 8259's grammar. `None` where it is none, or is beyond the range
/// of a 64-bit float.
#[inline]
pub(super) fn number(bytes: &[u8], start: usize) -> Option<NumberToken> {
    let token = number_form(bytes, start)?;
    // An integer of 300 digits is inside the range.
    let small = token.integer && token.end - start < 300;
    (small || is_finite(bytes, start, token.end)).then_some(token)
}

/// Reads the number at `at` by RFC 8259's grammar, of whatever size.
#[inline]
pub(super) fn number_form(bytes: &[u8], start: usize) -> Option<NumberToken> {
    let digits = |mut at: usize| {
        while let Some(b'0'..=b'9') = bytes.get(at) {
            at += 1;
        }
        at
    };
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut end = match bytes.get(first)? {
        b'0' => first + 1,
        b'1'..=b'9' => digits(first + 1),
        _ => return None,
    };
    let mut integer = true;
    if bytes.get(end) == Some(&b'.') {
        integer = false;
        let fraction = end + 1;
        end = digits(fraction);
        if end == fraction {
            return None;
        }
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        integer = false;
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = end + 1 + sign;
        end = digits(exponent);
        if end == exponent {
            return None;
        }
    }
    Some(NumberToken { end, integer })
}

/// Whether a well-formed number does not overflow a 64-bit float.
fn is_finite(bytes: &[u8], start: usize, end: usize) -> bool {
    let spelling = &bytes[start..end];
    let exponent = spelling.iter().rposition(|byte| matches!(byte, b'e' | b'E'));
    // 100 digits and an exponent of two digits stay below 1e200.
    if spelling.len() < 100 && exponent.is_none_or(|at| spelling.len() - at <= 3) {
        return true;
    }
    std::str::from_utf8(spelling)
        .ok()
        .and_then(|spelling| spelling.parse::<f64>().ok())
        .is_some_and(f64::is_finite)
}

/// Decodes the escape at `at`, where a backslash stands: the character and the end. `None` where the
/// escape is none of JSON's, or half of a surrogate pair.
pub(super) fn escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let character = match bytes.get(at + 1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(bytes, at),
        _ => return None,
    };
    Some((character, at + 2))
}

fn unicode_escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let high = hex4(bytes, at + 2)?;
    if !(0xD800..0xDC00).contains(&high) {
        return char::from_u32(high).map(|character| (character, at + 6));
    }
    if bytes.get(at + 6..at + 8) != Some(br"\u") {
        return None;
    }
    let low = hex4(bytes, at + 8)?;
    if !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).map(|character| (character, at + 12))
}

/// The value of four hexadecimal digits.
pub(super) fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at + 4)?
        .iter()
        .try_fold(0, |value, &byte| char::from(byte).to_digit(16).map(|digit| value * 16 + digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_run_ends_at_the_first_byte_that_is_not_plain() {
        for fill in [b'a', b' ', b'!', 0x7f, 0xc3, 0xff] {
            for length in 0..40 {
                let run = vec![fill; length];
                assert_eq!(plain_run(&run, 0), length);
                for byte in 0..=u8::MAX {
                    let plain = byte != b'"' && byte != b'\\' && byte >= 0x20;
                    let bytes = [&run[..], &[byte, b'"', fill]].concat();
                    assert_eq!(plain_run(&bytes, 0), length + usize::from(plain), "{length} {byte}");
                }
            }
        }
    }
}
