//! How alike two field names are.

/// From this likeness on, one name may stand for the other.
pub(super) const PLAUSIBLE: f64 = 0.6;
/// Longer names are only compared for being the same but for case and separators.
const MAX_COMPARED: usize = 64;

/// From 0 (nothing in common) to 1 (the same but for case and separators).
pub(super) fn likeness(left: &str, right: &str) -> f64 {
    if left.len() > MAX_COMPARED || right.len() > MAX_COMPARED {
        return if left.eq_ignore_ascii_case(right) { 1.0 } else { 0.0 };
    }
    let (plain_left, plain_right) = (plain(left), plain(right));
    if plain_left.is_empty() || plain_right.is_empty() {
        return 0.0;
    }
    if plain_left == plain_right {
        return 1.0;
    }
    spelling(&plain_left, &plain_right).max(wording(left, right)).max(abbreviation(&plain_left, &plain_right))
}

/// What the comparison costs, in steps of the walk.
pub(super) fn steps(left: &str, right: &str) -> usize {
    if left.len() > MAX_COMPARED || right.len() > MAX_COMPARED {
        return 1;
    }
    4 + left.len() * right.len() / 64
}

/// Comparisons that may still be made.
#[derive(Debug)]
pub(super) struct Effort {
    pub(super) left: usize,
}

impl Effort {
    /// As [`likeness`]; 0 where there is no effort left.
    pub(super) fn likeness(&mut self, left: &str, right: &str) -> f64 {
        match self.left.checked_sub(steps(left, right)) {
            Some(rest) => {
                self.left = rest;
                likeness(left, right)
            }
            None => 0.0,
        }
    }
}

/// The name without case and separators.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// By slips of the keyboard: one in three characters may be wrong.
fn spelling(left: &str, right: &str) -> f64 {
    let longest = left.chars().count().max(right.chars().count());
    let slips = strsim::damerau_levenshtein(left, right);
    let allowed = longest / 3;
    if slips > allowed || slips >= longest { 0.0 } else { 1.0 - slips as f64 / (longest as f64 + 1.0) }
}

/// By words: `name` and `customer_name` share one, and the one has nothing else.
fn wording(left: &str, right: &str) -> f64 {
    let (left, right) = (words(left), words(right));
    let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if few.is_empty() || !few.iter().all(|word| many.contains(word)) {
        return 0.0;
    }
    0.6 + 0.3 * few.len() as f64 / many.len() as f64
}

/// By abbreviation: `desc` and `description`, `qty` and `quantity`.
fn abbreviation(left: &str, right: &str) -> f64 {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if short.chars().count() < 3 {
        return 0.0;
    }
    if long.starts_with(short) {
        return 0.65;
    }
    // The same first letter, and consonants of the rest in their order, not too few of them.
    let mut letters = long.chars();
    let in_order = short.chars().all(|wanted| letters.any(|letter| letter == wanted));
    let consonants = !short.chars().skip(1).any(|letter| "aeiou".contains(letter));
    let first = short.chars().next() == long.chars().next();
    if in_order && consonants && first && 3 * short.len() >= long.len() { 0.62 } else { 0.0 }
}

/// The words of a name in snake_case, kebab-case or camelCase.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut lower_before, mut open) = (false, false);
    for character in name.chars() {
        if !character.is_alphanumeric() {
            open = false;
            continue;
        }
        if !open || (lower_before && character.is_uppercase()) {
            words.push(String::new());
        }
        open = true;
        lower_before = character.is_lowercase() || character.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_stand_for_one_another() {
        let rows = [
            ("name", "customer_name", true),
            ("customerName", "customer_name", true),
            ("Customer-Name", "customer_name", true),
            ("emial", "email", true),
            ("desc", "description", true),
            ("qty", "quantity", true),
            ("args", "arguments", true),
            ("amt", "amount", true),
            ("age", "average", false),
            ("tmp", "transmission_type", false),
            ("pirority", "priority", true),
            ("e_mail", "email", true),
            ("name", "customer_email", false),
            ("age", "page_count", false),
            ("x", "y", false),
            ("a", "ab", false),
            ("id", "ids", true),
            ("foo", "bar", false),
            ("", "a", false),
            ("_", "_", false),
        ];
        for (left, right, expected) in rows {
            assert_eq!(
                likeness(left, right) >= PLAUSIBLE,
                expected,
                "{left} {right} {}",
                likeness(left, right)
            );
            assert_eq!(likeness(right, left), likeness(left, right), "{left} {right}");
        }
    }
}
