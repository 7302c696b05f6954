//! What must hold of the comparing metrics, whatever the values.

use json_correctness::{JsonDiff, JsonEditDistance, JsonEquality, Measurement, Metric, TestCase};
use serde_json::{Map, Value, json};

/// A small generator with a fixed seed, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }

    fn leaf(&mut self) -> Value {
        let leaves = [
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(1),
            json!(-1),
            json!(2.5),
            json!(9_007_199_254_740_992_u64),
            json!(9_007_199_254_740_993_u64),
            json!(1e300),
            json!(-1e-300),
            json!(""),
            json!("a"),
            json!("alpha"),
            json!("alhpa"),
            json!("é😀\u{7f}\n\"/"),
        ];
        self.pick(&leaves)
    }

    fn value(&mut self, depth: usize) -> Value {
        let size = self.below(4);
        match (depth, self.below(5)) {
            (0, _) | (_, 0) => self.leaf(),
            (_, 1 | 2) => (0..size).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object(
                (0..size)
                    .map(|_| (self.pick(&["a", "b", "c", "é", "z/~"]).to_owned(), self.value(depth - 1)))
                    .collect(),
            ),
        }
    }

    /// A value that is like another one, in most places.
    fn variant(&mut self, value: &Value) -> Value {
        if self.below(8) == 0 {
            return self.value(1);
        }
        match value {
            Value::Array(list) => list.iter().map(|value| self.variant(value)).collect(),
            Value::Object(members) => {
                let kept = members.iter().filter(|_| !self.0.is_multiple_of(7));
                let kept: Vec<(String, Value)> =
                    kept.map(|(key, value)| (key.clone(), value.clone())).collect();
                Value::Object(kept.into_iter().map(|(key, value)| (key, self.variant(&value))).collect())
            }
            leaf => leaf.clone(),
        }
    }

    /// Another spelling of the same value: keys in any order, numbers and strings in any form.
    fn spelling(&mut self, value: &Value) -> String {
        let space = self.pick(&["", "", " ", "\n\t"]);
        match value {
            Value::Object(members) => {
                let mut members: Vec<(&String, &Value)> = members.iter().collect();
                self.shuffle(&mut members);
                let members: Vec<String> = members
                    .into_iter()
                    .map(|(key, value)| {
                        format!("{space}{}:{space}{}", self.string(key), self.spelling(value))
                    })
                    .collect();
                format!("{{{}{space}}}", members.join(","))
            }
            Value::Array(list) => {
                let list: Vec<String> = list.iter().map(|value| self.spelling(value)).collect();
                format!("[{space}{}]", list.join(&format!("{space},")))
            }
            Value::String(text) => self.string(text),
            Value::Number(number) if !number.to_string().contains('e') => {
                let number = number.to_string();
                let dot = if number.contains('.') { "" } else { ".0" };
                self.pick(&[
                    number.clone(),
                    format!("{number}{dot}00"),
                    format!("{number}e0"),
                    format!("{number}E+00"),
                ])
            }
            other => other.to_string(),
        }
    }

    fn string(&mut self, text: &str) -> String {
        let mut out = String::from("\"");
        for character in text.chars() {
            if self.below(3) == 0 || character < ' ' || matches!(character, '"' | '\\') {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04X}"));
                }
            } else {
                out.push(character);
            }
        }
        out + "\""
    }

    fn shuffled_lists(&mut self, value: &Value) -> Value {
        match value {
            Value::Array(list) => {
                let mut list: Vec<Value> = list.iter().map(|value| self.shuffled_lists(value)).collect();
                self.shuffle(&mut list);
                Value::Array(list)
            }
            Value::Object(members) => Value::Object(
                members.iter().map(|(key, value)| (key.clone(), self.shuffled_lists(value))).collect(),
            ),
            leaf => leaf.clone(),
        }
    }
}

fn measure(metric: &dyn Metric, found: &str, expected: &str) -> Measurement {
    metric.measure(&TestCase::new("", found).expected_output(expected)).expect("a score")
}

fn score(metric: &dyn Metric, found: &str, expected: &str) -> f64 {
    measure(metric, found, expected).score.value()
}

const ROUNDS: usize = 4_000;

#[test]
fn distance_0_similarity_1_and_equality_are_one() {
    let mut random = Random(0x5EED);
    let mut equal_pairs = 0;
    for _ in 0..ROUNDS {
        let value = random.value(3);
        let other = if random.below(3) == 0 { value.clone() } else { random.variant(&value) };
        let (a, b) = (random.spelling(&value), random.spelling(&other));
        let equality = measure(&JsonEquality::new(), &a, &b);
        let equal = equality.score.value() == 1.0;
        equal_pairs += usize::from(equal);
        assert_eq!(equal, equality.differences.is_empty(), "{a} {b}");
        assert_eq!(score(&JsonEditDistance::new(), &a, &b) == 0.0, equal, "{a} {b}");
        let diff = measure(&JsonDiff::new(), &a, &b);
        assert_eq!(diff.score.value() == 1.0, equal, "{a} {b}");
        assert_eq!(diff.differing == 0, equal, "{a} {b}");
    }
    assert!(equal_pairs > ROUNDS / 4 && equal_pairs < ROUNDS * 3 / 4, "{equal_pairs} equal pairs");
}

#[test]
fn both_sides_count_alike() {
    let mut random = Random(0xA11CE);
    for _ in 0..ROUNDS {
        let value = random.value(3);
        let other = random.variant(&value);
        let (a, b) = (random.spelling(&value), random.spelling(&other));
        let metrics: [&dyn Metric; 4] = [
            &JsonEquality::new(),
            &JsonEquality::new().unordered(),
            &JsonEditDistance::new(),
            &JsonDiff::new(),
        ];
        for metric in metrics {
            let (forth, back) = (score(metric, &a, &b), score(metric, &b, &a));
            assert!((forth - back).abs() < 1e-12, "{}: {a} {b}: {forth} {back}", metric.name());
            assert!((0.0..=1.0).contains(&forth));
        }
    }
}

#[test]
fn neither_spelling_nor_key_order_counts() {
    let mut random = Random(0xB0B);
    for _ in 0..ROUNDS {
        let value = random.value(3);
        let other = random.variant(&value);
        let (a, b) = (random.spelling(&value), random.spelling(&other));
        let (a2, b2) = (random.spelling(&value), random.spelling(&other));
        let metrics: [&dyn Metric; 3] = [&JsonEquality::new(), &JsonEditDistance::new(), &JsonDiff::new()];
        for metric in metrics {
            let (once, again) = (score(metric, &a, &b), score(metric, &a2, &b2));
            assert!((once - again).abs() < 1e-12, "{}: {a} {b} {a2} {b2}", metric.name());
        }
    }
}

#[test]
fn unordered_equality_takes_lists_in_any_order_and_no_other() {
    let mut random = Random(0xD1CE);
    let metric = JsonEquality::new().unordered();
    for _ in 0..ROUNDS {
        let value = random.value(3);
        let shuffled = random.shuffled_lists(&value);
        let (a, b) = (random.spelling(&value), random.spelling(&shuffled));
        assert_eq!(score(&metric, &a, &b), 1.0, "{a} {b}");
        // What is unequal stays so, whatever the order.
        let other = random.variant(&value);
        let once = measure(&metric, &a, &random.spelling(&other));
        let again = measure(&metric, &a, &random.shuffled_lists(&other).to_string());
        assert_eq!(once.score, again.score, "{a} {other}");
        assert_eq!(once.score.value() == 1.0, once.differences.is_empty(), "{a} {other}");
    }
}

/// The leaves of a value, as JSON Pointers.
fn leaves(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(list) if !list.is_empty() => {
            list.iter()
                .enumerate()
                .for_each(|(index, value)| leaves(value, &format!("{place}/{index}"), found));
        }
        Value::Object(members) if !members.is_empty() => {
            for (key, value) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(value, &format!("{place}/{key}"), found);
            }
        }
        _ => found.push(place.to_owned()),
    }
}

/// Weights in (0, 1] for some of the keys of a value.
fn weights(random: &mut Random, value: &Value) -> Map<String, Value> {
    let Value::Object(members) = value else { return Map::new() };
    let mut weights = Map::new();
    for (key, value) in members {
        match random.below(3) {
            0 => drop(weights.insert(key.clone(), json!(random.pick(&[0.1, 0.5, 1.0])))),
            1 => {
                let mut inner = self::weights(random, value);
                inner.insert(format!("__{key}"), json!(random.pick(&[0.25, 0.75])));
                weights.insert(key.clone(), Value::Object(inner));
            }
            _ => {}
        }
    }
    weights
}

#[test]
fn one_more_spoilt_leaf_never_raises_the_similarity() {
    let mut random = Random(0xFACE);
    for _ in 0..ROUNDS / 4 {
        let value = random.value(4);
        let metric = JsonDiff::new().weights(Value::Object(weights(&mut random, &value)));
        let mut places = Vec::new();
        leaves(&value, "", &mut places);
        random.shuffle(&mut places);
        let expected = value.to_string();
        let mut spoilt = value;
        let mut before = score(&metric, &spoilt.to_string(), &expected);
        assert_eq!(before, 1.0, "{expected}");
        for place in places {
            let leaf = spoilt.pointer_mut(&place).expect("a leaf");
            *leaf = if leaf.is_string() { json!(7) } else { json!("spoilt") };
            let after = score(&metric, &spoilt.to_string(), &expected);
            assert!(after < before, "{expected}: {spoilt} scores {after}, before {before}");
            before = after;
        }
        assert_eq!(before, 0.0, "{expected}");
    }
}
