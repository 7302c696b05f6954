//! The part of an output that is shown.

use std::ops::Range;

/// The whole of an output where it is short, else the `most` bytes around the first that is wrong. No
/// cut goes through a character.
pub(crate) fn around(output: &[u8], fault: usize, most: usize) -> Range<usize> {
    if output.len() <= most {
        return 0..output.len();
    }
    let start = fault.saturating_sub(most / 2).min(output.len() - most);
    let end = start + most;
    let inside = |at: usize| output.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    // A character has three bytes more at most; a longer row is not UTF-8, and may be cut anywhere.
    let first = (start..end).take(4).find(|&at| !inside(at)).unwrap_or(start);
    let last = (first..=end).rev().take(4).find(|&at| !inside(at)).unwrap_or(end);
    if start == 0 { 0..last } else { first..last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_around_the_fault() {
        for (output, fault, most, part) in [
            ("abc", 1, 3, 0..3),
            ("abc", 9, 3, 0..3),
            ("abcdefgh", 0, 4, 0..4),
            ("abcdefgh", 4, 4, 2..6),
            ("abcdefgh", 8, 4, 4..8),
            ("éééé", 4, 3, 4..6),
            ("éééé", 3, 4, 2..4),
            ("😀😀😀", 5, 6, 4..8),
            ("abc", 1, 0, 1..1),
        ] {
            assert_eq!(around(output.as_bytes(), fault, most), part, "{output} {fault} {most}");
        }
        let rubbish = [0x80; 100];
        assert_eq!(around(&rubbish, 50, 10), 45..55);
    }
}
