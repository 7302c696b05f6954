//! Seeded mutations of JSON texts.

use crate::{
    random::Random,
    tree::{Layout, Tree, Way, quote, unquote},
};

/// Values at the edges of what types accept.
pub const EDGES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1",
    "-1",
    "1.0",
    "1e0",
    "1e2",
    "1E+2",
    "10e-1",
    "1.5",
    "-1.5",
    "2",
    "5",
    "7",
    "10",
    "100",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "3000000000",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1e19",
    "170141183460469231731687303715884105727",
    "170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105729",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "3.4028235e38",
    "3.4028236e38",
    "1e39",
    "-1e39",
    "1e-50",
    "1e308",
    "1.7976931348623157e308",
    "1e309",
    "1e400",
    "-1e400",
    "1e-400",
    r#""""#,
    r#"" ""#,
    r#""é""#,
    r#""x""#,
    r#""\n""#,
    r#""\u0000""#,
    r#""\ud83d\ude00""#,
    r#""e\u0301""#,
    r#""true""#,
    r#""null""#,
    r#""1""#,
    r#""01""#,
    r#""-0""#,
    r#""+1""#,
    r#""256""#,
    r#""1.0""#,
    r#""1e2""#,
    r#"" 1""#,
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    "[1,2]",
    "[1,2,3]",
    "[1,2,2]",
    r#"["x"]"#,
    r#"[1,"x"]"#,
    r#"{"a":1}"#,
    r#"{"":null}"#,
    r#"{"0":1}"#,
    r#"{"1":true}"#,
    r#""2024-02-29""#,
    r#""2023-02-29""#,
    r#""2024-1-1""#,
    r#""2024-01-01 ""#,
    r#"" 2024-01-01""#,
    r#""+2024-01-01""#,
    r#""-0001-01-01""#,
    r#""+12024-01-01""#,
    r#""12024-01-01""#,
    r#""24-01-01""#,
    r#""2024-00-01""#,
    r#""2024-13-01""#,
    r#""2024-01-32""#,
    r#""0000-01-01""#,
    r#""23:59:60""#,
    r#""24:00:00""#,
    r#""12:30""#,
    r#""1:2:3""#,
    r#""12:30:00.""#,
    r#""12:30:00.123456789""#,
    r#""12:30:00.1234567891""#,
    r#""12:30:00Z""#,
    r#""23:59:60.5""#,
    r#""2024-01-31T01:02:03""#,
    r#""2024-01-31 01:02:03""#,
    r#""2024-01-31T01:02""#,
    r#""2024-1-31T1:2:3""#,
    r#""2024-01-31t01:02:03""#,
    r#""2024-01-31T23:59:60""#,
    r#""2024-01-31T01:02:03Z""#,
    r#""2024-01-31t01:02:03z""#,
    r#""2024-01-31 01:02:03Z""#,
    r#""2024-01-31T01:02:03+02""#,
    r#""2024-01-31T01:02:03+0200""#,
    r#""2024-01-31T01:02:03+24:00""#,
    r#""2024-01-31T01:02:03-00:00""#,
    r#""2024-01-31T01:02:03 UTC""#,
    r#""2024-01-31T23:59:60Z""#,
    r#""2024-01-31T01:02:03.Z""#,
    r#""2024-01-31T01:02:03+23:59""#,
    r#""262142-12-31""#,
    r#""+262142-12-31""#,
    r#""+262143-01-01""#,
    r#""-262143-01-01""#,
    r#""67E55044-10B1-426F-9247-BB680E5FE0C8""#,
    r#""67e5504410b1426f9247bb680e5fe0c8""#,
    r#""{67e55044-10b1-426f-9247-bb680e5fe0c8}""#,
    r#""urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8""#,
    r#""67e55044-10b1-426f-9247-bb680e5fe0c""#,
    r#""67e55044-10b1-426f-9247-bb680e5fe0cg""#,
    r#""67e5-504410b1426f9247bb680e5fe0c8""#,
    r#""URN:UUID:67e55044-10b1-426f-9247-bb680e5fe0c8""#,
    r#""{67e5504410b1426f9247bb680e5fe0c8}""#,
    r#"" http://x ""#,
    r#""http:""#,
    r#""http://""#,
    r#""http://x:99999""#,
    r#""HTTP://EXAMPLE.com""#,
    r#""http://[::1""#,
    r#""//x""#,
    r#""/a""#,
    r#""a:""#,
    r#""http:\\x""#,
    r#""http://exa mple.com""#,
    r#""http://é.com/é""#,
    r#""file:///a b""#,
    r#""http://x/%zz""#,
    r#""http://1.2.3.256""#,
    r#""http://0x7f.1/""#,
    r#""https://user:p@h:80/?q#f""#,
    r#""data:,x y""#,
    r#""ht\ntp://x""#,
    r#""mailto:""#,
    r#""x-y.z+1:q""#,
    r#""1x:y""#,
    r#""127.0.0.1""#,
    r#""127.0.0.01""#,
    r#""127.1""#,
    r#""256.0.0.1""#,
    r#""1.2.3.4.5""#,
    r#""::""#,
    r#""::1%eth0""#,
    r#""fe80::1%1""#,
    r#""1::2::3""#,
    r#""::ffff:1.2.3.4""#,
    r#""::1.2.3""#,
    r#""2001:DB8::1""#,
    r#""1:2:3:4:5:6:7:8""#,
    r#""1:2:3:4:5:6:7:8:9""#,
    r#""12345::""#,
    r#""1:2:3:4:5:6:7::""#,
    r#""::2:3:4:5:6:7:8""#,
    r#""1:2:3:4:5:6:1.2.3.4""#,
    r#""[::1]""#,
    r#""127.0.0.1:80""#,
    r#""127.0.0.1:""#,
    r#""127.0.0.1:65536""#,
    r#""127.0.0.1:080""#,
    r#""127.0.0.1:000080""#,
    r#""127.0.0.1:+8""#,
    r#""[::1]:80""#,
    r#""::1:80""#,
    r#""[fe80::1%7]:80""#,
    r#""[fe80::1%eth0]:80""#,
    r#""[fe80::1%4294967296]:80""#,
    r#""[::ffff:1.2.3.4]:80""#,
    r#""localhost:80""#,
    r#""jane@example.com""#,
    r#""jane""#,
    r#""@""#,
    r#""a@b""#,
    r#""ab""#,
    r#""abc""#,
    r#""abcdef""#,
    r#""AB-12""#,
    r#""AB-12\n""#,
    r#""ab-12""#,
    r#""red""#,
    r#"{"secs":1,"nanos":0}"#,
    r#"{"secs":1,"nanos":1000000000}"#,
    r#"{"secs":18446744073709551615,"nanos":4000000000}"#,
    r#"{"secs":18446744073709551615,"nanos":1}"#,
    "[1,0]",
    r#"{"start":1,"end":0}"#,
    r#"{"secs":1}"#,
    r#"{"secs":1,"nanos":0,"more":1}"#,
    r#"{"Ok":1}"#,
    r#"{"Err":""}"#,
    r#"{"Ok":1,"Err":""}"#,
    r#""Unbounded""#,
    r#"{"Unbounded":null}"#,
];

const KEYS: &[&str] = &[
    "",
    "a",
    "zzz",
    "é",
    "0",
    "1",
    "-1",
    "256",
    "01",
    "+1",
    "-0",
    " 1",
    "true",
    "T",
    "N",
    "type",
    "$ref",
    "name ",
    "2147483648",
];

/// What a mutation draws from: the samples of one type, and their words.
#[derive(Clone, Debug)]
pub struct Pool {
    samples: Vec<Tree>,
    values: Vec<Tree>,
    words: Vec<String>,
}

impl Pool {
    /// Of valid JSON samples.
    #[must_use]
    pub fn new(samples: &[&str]) -> Self {
        let samples: Vec<Tree> = samples.iter().map(|sample| Tree::parse(sample)).collect();
        let mut pool = Self { samples: samples.clone(), values: Vec::new(), words: Vec::new() };
        for tree in &samples {
            for way in tree.ways() {
                let value = tree.at(&way);
                match value {
                    Tree::Scalar(spelling) if spelling.starts_with('"') => pool.words.push(unquote(spelling)),
                    Tree::Object(members) => pool.words.extend(members.iter().map(|(key, _)| unquote(key))),
                    _ => {}
                }
                pool.values.push(value.clone());
            }
        }
        pool.words.extend(KEYS.iter().map(|&key| key.to_owned()));
        pool.words.sort_unstable();
        pool.words.dedup();
        pool
    }

    /// A mutant: a sample with one to three mutations, as text.
    #[must_use]
    pub fn mutant(&self, random: &mut Random) -> String {
        let mut tree = random.pick(&self.samples).clone();
        for _ in 0..[1, 1, 1, 2, 2, 3][random.below(6)] {
            self.mutate(&mut tree, random);
        }
        let layout = if random.once_in(4) { Layout::PRETTY } else { Layout::COMPACT };
        let mut text = tree.print(&layout).0;
        if random.once_in(60) {
            spoil(&mut text, random);
        }
        text
    }

    fn key(&self, random: &mut Random) -> String {
        quote(random.pick::<String>(&self.words))
    }

    fn edge(&self, random: &mut Random) -> Tree {
        match random.below(4) {
            0 => random.pick(&self.values).clone(),
            1 => Tree::Scalar(self.key(random)),
            _ => Tree::parse(random.pick::<&str>(EDGES)),
        }
    }

    fn mutate(&self, tree: &mut Tree, random: &mut Random) {
        let ways = tree.ways();
        let way = random.pick(&ways).clone();
        match random.below(20) {
            0..=3 => *tree.at_mut(&way) = self.edge(random),
            4 => self.swap(tree, &ways, random),
            5 => {
                let inner = tree.at(&way).clone();
                *tree.at_mut(&way) = if random.once_in(2) {
                    Tree::Array(vec![inner])
                } else {
                    Tree::Object(vec![(self.key(random), inner)])
                };
            }
            6 => reshape(tree.at_mut(&way), self, random),
            _ => {
                let deep: Vec<&Way> = ways
                    .iter()
                    .filter(|way| !matches!(tree.at(way), Tree::Scalar(_)) || random.once_in(2))
                    .collect();
                let way = if deep.is_empty() { way } else { (*random.pick(&deep)).clone() };
                match tree.at_mut(&way) {
                    Tree::Scalar(spelling) => self.scalar(spelling, random),
                    Tree::Array(items) => self.array(items, random),
                    Tree::Object(members) => self.object(members, random),
                }
            }
        }
    }

    fn swap(&self, tree: &mut Tree, ways: &[Way], random: &mut Random) {
        let (one, other) = (random.pick(ways).clone(), random.pick(ways).clone());
        if !one.starts_with(&other) && !other.starts_with(&one) {
            let kept = tree.at(&one).clone();
            *tree.at_mut(&one) = tree.at(&other).clone();
            *tree.at_mut(&other) = kept;
        }
    }

    fn array(&self, items: &mut Vec<Tree>, random: &mut Random) {
        match random.below(4) {
            0 if !items.is_empty() => {
                items.remove(random.below(items.len()));
            }
            1 if !items.is_empty() => items.push(random.pick(items).clone()),
            2 => items.reverse(),
            _ => items.insert(random.below(items.len() + 1), self.edge(random)),
        }
    }

    fn object(&self, members: &mut Vec<(String, Tree)>, random: &mut Random) {
        let at = random.below(members.len().max(1));
        match random.below(8) {
            0 if !members.is_empty() => {
                members.remove(at);
            }
            1 if !members.is_empty() => {
                let (key, value) = members[at].clone();
                let key = if random.once_in(2) { escaped(&key, random) } else { key };
                let value = if random.once_in(2) { self.edge(random) } else { value };
                members.insert(random.below(members.len() + 1), (key, value));
            }
            2 if !members.is_empty() => members[at].0 = quote(&typo(&unquote(&members[at].0), random)),
            3 if !members.is_empty() => members[at].0 = self.key(random),
            4 if !members.is_empty() => members[at].0 = escaped(&members[at].0, random),
            5 if !members.is_empty() => members[at].1 = self.edge(random),
            6 => members.reverse(),
            _ => members.insert(random.below(members.len() + 1), (self.key(random), self.edge(random))),
        }
    }

    fn scalar(&self, spelling: &mut String, random: &mut Random) {
        *spelling = match spelling.as_bytes()[0] {
            b'"' => match random.below(5) {
                0 => self.key(random),
                1 => escaped(spelling, random),
                _ => quote(&typo(&unquote(spelling), random)),
            },
            b't' => "false".to_owned(),
            b'f' => "true".to_owned(),
            b'n' => "0".to_owned(),
            _ => number(spelling, random),
        };
    }
}

fn number(spelling: &str, random: &mut Random) -> String {
    let whole = spelling.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match random.below(8) {
        0 => spelling.parse::<i128>().map_or_else(|_| "1".to_owned(), |n| n.saturating_add(1).to_string()),
        1 => spelling.parse::<i128>().map_or_else(|_| "1".to_owned(), |n| n.saturating_sub(1).to_string()),
        2 if whole && spelling != "0" => format!("{spelling}0"),
        3 => spelling.strip_prefix('-').map_or_else(|| format!("-{spelling}"), str::to_owned),
        4 if whole => format!("{spelling}.0"),
        5 if whole => format!("{spelling}e0"),
        6 => quote(spelling),
        _ => format!("{}{}", spelling.split(['.', 'e']).next().unwrap_or("1"), ".5"),
    }
}

/// Another text, a step away.
#[must_use]
pub fn typo(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = random.below(letters.len().max(1));
    match random.below(6) {
        0 if !letters.is_empty() => {
            letters.remove(at);
        }
        1 if !letters.is_empty() => letters[at] = *random.pick(&['x', 'e', '0', '9', ' ', '-', ':', '.']),
        2 => letters.insert(at, *random.pick(&['s', '1', '0', ' ', '-', 'é', '+', 'Z', '\n'])),
        3 if letters.len() > at + 1 => letters.swap(at, at + 1),
        4 => return text.to_uppercase(),
        _ if text.chars().any(char::is_uppercase) => return text.to_lowercase(),
        _ => letters.push('s'),
    }
    letters.into_iter().collect()
}

/// The same string with one character written as an escape.
fn escaped(spelling: &str, random: &mut Random) -> String {
    let letters: Vec<char> = unquote(spelling).chars().collect();
    if letters.is_empty() {
        return spelling.to_owned();
    }
    let at = random.below(letters.len());
    let mut text = String::from("\"");
    for (index, letter) in letters.iter().enumerate() {
        if index == at {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            let quoted = quote(&letter.to_string());
            text.push_str(&quoted[1..quoted.len() - 1]);
        }
    }
    text.push('"');
    text
}

/// An object as the array of its values, an array as an object or as its only element.
fn reshape(tree: &mut Tree, pool: &Pool, random: &mut Random) {
    *tree = match tree {
        Tree::Object(members) if members.len() == 1 && random.once_in(2) => members[0].1.clone(),
        Tree::Object(members) => Tree::Array(members.iter().map(|(_, value)| value.clone()).collect()),
        Tree::Array(items) if items.len() == 1 && random.once_in(2) => items[0].clone(),
        Tree::Array(items) => {
            Tree::Object(items.iter().map(|item| (pool.key(random), item.clone())).collect())
        }
        Tree::Scalar(spelling) if spelling.starts_with('"') => {
            let value = if random.once_in(2) { "null" } else { "{}" };
            Tree::Object(vec![(spelling.clone(), Tree::parse(value))])
        }
        Tree::Scalar(spelling) => Tree::Scalar(quote(spelling)),
    };
}

/// Harms the text itself.
fn spoil(text: &mut String, random: &mut Random) {
    let mut at = random.below(text.len().max(1));
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    match random.below(4) {
        0 => text.truncate(at),
        1 => text.insert(at, *random.pick(&[',', '}', '"', ' ', '\u{a0}', '\\', '1', '\u{1}'])),
        2 => text.push_str(random.pick::<&str>(&[" ", "\n", "x", "{}", ","])),
        _ => text.insert_str(0, random.pick::<&str>(&[" ", "\u{feff}", "x", "\r\n\t"])),
    }
}
