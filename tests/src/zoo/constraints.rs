//! Constraints on values. Each comes with a check written by hand, which says independently of the
//! schema whether a value keeps them.

use std::net::{Ipv4Addr, Ipv6Addr};

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};

use super::{Specimen, Trait};

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Ranges {
    #[expected(range(min = 1, max = 10))]
    small: u8,
    #[expected(range(min = 0.0, max = 1.0))]
    confidence: f64,
    #[expected(range(min = -5))]
    low: Option<i64>,
    #[schemars(range(max = 100))]
    high: i32,
}

impl Ranges {
    fn holds(&self) -> bool {
        (1..=10).contains(&self.small)
            && (0.0..=1.0).contains(&self.confidence)
            && self.low.is_none_or(|low| low >= -5)
            && self.high <= 100
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Lengths {
    #[expected(length(min = 2, max = 5))]
    text: String,
    #[expected(length(min = 1))]
    list: Vec<u8>,
    #[expected(length(max = 2))]
    maybe: Option<Vec<bool>>,
    #[expected(length(equal = 3))]
    exact: String,
}

impl Lengths {
    fn holds(&self) -> bool {
        (2..=5).contains(&self.text.chars().count())
            && !self.list.is_empty()
            && self.maybe.as_ref().is_none_or(|list| list.len() <= 2)
            && self.exact.chars().count() == 3
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Patterns {
    #[expected(pattern = "^[A-Z]{2}-[0-9]+$")]
    code: String,
    #[expected(pattern = "b")]
    contains_b: Option<String>,
}

impl Patterns {
    fn holds(&self) -> bool {
        let code = self.code.as_bytes();
        code.len() > 3
            && code[..2].iter().all(u8::is_ascii_uppercase)
            && code[2] == b'-'
            && code[3..].iter().all(u8::is_ascii_digit)
            && self.contains_b.as_ref().is_none_or(|text| text.contains('b'))
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Multiples {
    #[expected(multiple_of = 5)]
    five: i64,
    #[expected(multiple_of = 3)]
    three: Option<u8>,
}

impl Multiples {
    fn holds(&self) -> bool {
        self.five % 5 == 0 && self.three.is_none_or(|three| three % 3 == 0)
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Formats {
    #[expected(format = "ipv4")]
    four: String,
    #[expected(format = "ipv6")]
    six: String,
    #[expected(format = "email")]
    email: Option<String>,
    #[expected(format = "date")]
    date: String,
}

impl Formats {
    fn holds(&self) -> bool {
        self.four.parse::<Ipv4Addr>().is_ok()
            && self.six.parse::<Ipv6Addr>().is_ok()
            && self.email.as_ref().is_none_or(|email| is_email(email))
            && is_date(&self.date)
            && self.date.parse::<chrono::NaiveDate>().is_ok()
    }
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let atom = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c))
    };
    let label = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    name.split('.').all(atom) && host.split('.').all(label)
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Choices {
    #[expected(one_of = ["red", "green", "blue"])]
    color: String,
    #[expected(one_of = [1, 2, 3])]
    level: Option<u8>,
}

impl Choices {
    fn holds(&self) -> bool {
        ["red", "green", "blue"].contains(&self.color.as_str())
            && self.level.is_none_or(|level| (1..=3).contains(&level))
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Uniques {
    #[expected(unique_items)]
    numbers: Vec<u8>,
    #[expected(contains(one_of = ["x"]))]
    words: Vec<String>,
}

impl Uniques {
    fn holds(&self) -> bool {
        let mut numbers = self.numbers.clone();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len() == self.numbers.len() && self.words.iter().any(|word| word == "x")
    }
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::constrained::<Ranges>(
            "Ranges",
            &[
                r#"{"small":1,"confidence":0.25,"low":-5,"high":100}"#,
                r#"{"small":10,"confidence":1,"low":null,"high":-2147483648}"#,
            ],
            Ranges::holds,
        ),
        Specimen::constrained::<Lengths>(
            "Lengths",
            &[
                r#"{"text":"éé","list":[1],"maybe":[true,false],"exact":"abc"}"#,
                r#"{"text":"12345","list":[1,2,3],"maybe":null,"exact":"\u00e9\ud83d\ude00x"}"#,
            ],
            Lengths::holds,
        ),
        Specimen::constrained::<Patterns>(
            "Patterns",
            &[r#"{"code":"AB-12","contains_b":"abc"}"#, r#"{"code":"ZZ-0"}"#],
            Patterns::holds,
        ),
        Specimen::constrained::<Multiples>(
            "Multiples",
            &[r#"{"five":-10,"three":9}"#, r#"{"five":0,"three":null}"#],
            Multiples::holds,
        ),
        Specimen::constrained::<Formats>(
            "Formats",
            &[
                r#"{"four":"1.2.3.4","six":"::1","email":"jane@example.com","date":"2024-02-29"}"#,
                r#"{"four":"0.0.0.0","six":"2001:db8::1","date":"1999-12-31"}"#,
            ],
            Formats::holds,
        ),
        Specimen::constrained::<Choices>(
            "Choices",
            &[r#"{"color":"red","level":3}"#, r#"{"color":"blue","level":null}"#],
            Choices::holds,
        ),
        Specimen::constrained::<Uniques>(
            "Uniques",
            &[r#"{"numbers":[1,2,3],"words":["a","x"]}"#, r#"{"numbers":[],"words":["x"]}"#],
            Uniques::holds,
        )
        .with(&[Trait::Entangled]),
    ]
}
