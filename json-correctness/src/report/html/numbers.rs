//! Numbers as people read them.

#[expect(clippy::cast_precision_loss, reason = "a share for the eye")]
pub(super) fn share(part: u64, all: u64) -> f64 {
    (part as f64 / all as f64).clamp(0.0, 1.0)
}

/// A rate as percent; never 100% or 0% where it is not.
pub(super) fn percent(rate: f64) -> String {
    let text = format!("{:.1}%", rate * 100.0);
    match text.as_str() {
        "100.0%" if rate < 1.0 => "&gt;99.9%".to_owned(),
        "0.0%" if rate > 0.0 => "&lt;0.1%".to_owned(),
        "100.0%" => "100%".to_owned(),
        "0.0%" => "0%".to_owned(),
        _ => text,
    }
}

pub(super) fn score(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "1.00" && value < 1.0 { "&lt;1".to_owned() } else { text }
}

pub(super) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(super) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1000.0)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_claim_more_than_they_are() {
        for (rate, text) in [
            (1.0, "100%"),
            (0.9999, "&gt;99.9%"),
            (0.999, "99.9%"),
            (0.5, "50.0%"),
            (0.0001, "&lt;0.1%"),
            (0.0, "0%"),
        ] {
            assert_eq!(percent(rate), text);
        }
        assert_eq!([0.999, 1.0, 0.0].map(score), ["&lt;1", "1.00", "0.00"]);
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0123, 5.0, 600.0].map(duration), ["12 ms", "5.0 s", "10 min"]);
    }
}
