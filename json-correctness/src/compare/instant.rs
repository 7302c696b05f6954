//! Dates and times by the instant that they name.

/// What a text names, by RFC 3339. Only those of one form are compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Instant {
    /// Seconds from the start of 1970 in UTC, and the digits behind the point without zeros at the end.
    Global(i64, String),
    /// The same in a place that is not named.
    Local(i64, String),
    /// Days from the start of 1970.
    Date(i64),
    /// Seconds of a day in UTC.
    Time(i64, String),
    LocalTime(i64, String),
}

impl Instant {
    /// Reads a date, a time or both; the zone may be missing, seconds may not. `None` where the text is
    /// none of them.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let Some((date, rest)) = text.get(..10).and_then(days).zip(text.get(10..)) else {
            return match clock(text)? {
                (seconds, fraction, true) => Some(Self::Time(seconds.rem_euclid(DAY), fraction)),
                (seconds, fraction, false) => Some(Self::LocalTime(seconds, fraction)),
            };
        };
        if rest.is_empty() {
            return Some(Self::Date(date));
        }
        let (seconds, fraction, zoned) = clock(rest.strip_prefix(['T', 't', ' '])?)?;
        let seconds = date * DAY + seconds;
        Some(if zoned { Self::Global(seconds, fraction) } else { Self::Local(seconds, fraction) })
    }
}

const DAY: i64 = 86_400;

fn number(text: &str, length: usize, most: i64) -> Option<i64> {
    let digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| digits && number <= most)
}

/// Days from the start of 1970 to a date in the Gregorian calendar.
fn days(text: &str) -> Option<i64> {
    let [year, month, day] = split(text, '-')?;
    let (year, month, day) = (number(year, 4, 9999)?, number(month, 2, 12)?, number(day, 2, 31)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if month < 1 || day < 1 || day > longest {
        return None;
    }
    // Years start in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leaps + (153 * month + 2) / 5 + day - 719_469)
}

/// Seconds of the day (in UTC where there is a zone), the fraction, and whether there is a zone.
fn clock(text: &str) -> Option<(i64, String, bool)> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let [hour, minute, second] = split(time, ':')?;
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = number(hour, 2, 23)? * 3600 + number(minute, 2, 59)? * 60 + number(second, 2, 60)?;
    let offset = match zone {
        "" => return Some((seconds, fraction.trim_end_matches('0').to_owned(), false)),
        "Z" | "z" => 0,
        zone => {
            let (hours, minutes) = zone[1..].split_once(':')?;
            let offset = number(hours, 2, 23)? * 3600 + number(minutes, 2, 59)? * 60;
            if zone.starts_with('-') { -offset } else { offset }
        }
    };
    Some((seconds - offset, fraction.trim_end_matches('0').to_owned(), true))
}

fn split(text: &str, by: char) -> Option<[&str; 3]> {
    let mut parts = text.split(by);
    let three = [parts.next()?, parts.next()?, parts.next()?];
    parts.next().is_none().then_some(three)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_has_many_texts() {
        let rows = [
            ("1970-01-01T00:00:00Z", "1970-01-01t01:00:00.000+01:00", true),
            ("2024-02-29T23:30:00-01:00", "2024-03-01 00:30:00z", true),
            ("2000-01-01T00:00:00.5Z", "2000-01-01T00:00:00.50Z", true),
            ("2000-01-01T00:00:00.5Z", "2000-01-01T00:00:00.05Z", false),
            ("2000-01-01T00:00:00", "2000-01-01T00:00:00Z", false),
            ("2000-01-01T00:00:00", "2000-01-01 00:00:00.0", true),
            ("2000-01-01", "2000-01-01", true),
            ("2000-01-01", "2000-01-02", false),
            ("12:00:00Z", "13:00:00+01:00", true),
            ("00:30:00+01:00", "23:30:00Z", true),
            ("12:00:00", "12:00:00Z", false),
        ];
        for (a, b, same) in rows {
            let (x, y) = (Instant::parse(a).expect(a), Instant::parse(b).expect(b));
            assert_eq!(x == y, same, "{a} {b}: {x:?} {y:?}");
        }
        assert_eq!(
            Instant::parse("2026-11-21T03:00:00Z"),
            Some(Instant::Global(1_795_230_000, String::new()))
        );
        assert_eq!(Instant::parse("1969-12-31"), Some(Instant::Date(-1)));
        for text in [
            "",
            "now",
            "2023-02-29",
            "2000-13-01",
            "2000-1-1",
            "2000-01-01T24:00:00Z",
            "1:2:3",
            "12:00",
            "2000-01-01T00:00:00.Z",
            "2000-01-01T00:00:00+1",
            "2000-01-01Té",
            "é000-01-01",
            "+1:00:00",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }
}
