//! A first look at a regular expression: the faults that no dialect would take.
//!
//! The schema is compiled in full when it is first used; this only brings the plain slips to the
//! compiler's attention, without a regex engine among the dependencies of the macro.

/// Refuses what is certainly no regular expression.
pub(crate) fn check(source: &str) -> Result<(), String> {
    let characters: Vec<char> = source.chars().collect();
    let mut open = 0_usize;
    let mut index = 0;
    // Whether there is something in front that a quantifier could repeat.
    let mut atom = false;
    while let Some(&character) = characters.get(index) {
        match character {
            '\\' if index + 1 == characters.len() => return Err("it ends in a lone `\\`".into()),
            '\\' => {
                index += 1;
                atom = true;
            }
            '[' => {
                index = class(&characters, index)?;
                atom = true;
            }
            '(' => {
                open += 1;
                // `(?:`, `(?=`, `(?<name>`: the question mark repeats nothing.
                if characters.get(index + 1) == Some(&'?') {
                    let head = characters[index..].iter().position(|character| ":=!>)".contains(*character));
                    match head.map(|head| index + head) {
                        Some(end) if characters[end] == ')' => index = end - 1,
                        Some(end) => index = end,
                        None => return Err("a `(` is not closed".into()),
                    }
                }
                atom = false;
            }
            ')' => {
                open = open.checked_sub(1).ok_or("a `)` has no `(`")?;
                atom = true;
            }
            '*' | '+' | '?' if !atom => {
                return Err(format!("nothing stands before `{character}` to be repeated"));
            }
            '*' | '+' | '?' => {
                if characters.get(index + 1) == Some(&'?') {
                    index += 1;
                }
            }
            '{' => {
                if let Some(end) = quantifier(&characters, index)? {
                    if !atom {
                        return Err("nothing stands before `{` to be repeated".into());
                    }
                    index = end;
                    if characters.get(index + 1) == Some(&'?') {
                        index += 1;
                    }
                }
                atom = true;
            }
            '|' | '^' => atom = false,
            _ => atom = true,
        }
        index += 1;
    }
    if open > 0 { Err("a `(` is not closed".into()) } else { Ok(()) }
}

/// The index of the `]` that ends the class opened at `start`.
fn class(characters: &[char], start: usize) -> Result<usize, String> {
    let mut index = start + 1;
    if characters.get(index) == Some(&'^') {
        index += 1;
    }
    let mut nested = 0_usize;
    while let Some(&character) = characters.get(index) {
        match character {
            '\\' => index += 1,
            '[' if characters.get(index + 1) == Some(&':') => nested += 1,
            ']' if nested > 0 => nested -= 1,
            ']' => return Ok(index),
            _ => {}
        }
        if let [from, '-', to, ..] = characters[index..]
            && from.is_ascii_alphanumeric()
            && to.is_ascii_alphanumeric()
            && from > to
            && characters.get(index.wrapping_sub(1)) != Some(&'\\')
        {
            return Err(format!("the range `{from}-{to}` runs backwards"));
        }
        index += 1;
    }
    Err("a `[` is not closed".into())
}

/// The index of the `}` if a counted quantifier starts here.
fn quantifier(characters: &[char], start: usize) -> Result<Option<usize>, String> {
    let rest = &characters[start + 1..];
    let Some(length) = rest.iter().position(|character| *character == '}') else { return Ok(None) };
    let inside: String = rest[..length].iter().collect();
    let (low, high) = inside.split_once(',').unwrap_or((&inside, &inside));
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if low.is_empty() || !number(low) || !number(high) {
        return Ok(None);
    }
    match (low.parse::<u64>(), high.parse::<u64>()) {
        (Ok(low), Ok(high)) if low > high => {
            Err(format!("`{{{inside}}}` asks for at least {low} and at most {high}"))
        }
        _ => Ok(Some(start + 1 + length)),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_certain_faults_are_refused() {
        for good in [
            "",
            "^a+$",
            "(?:a|b)*?",
            "[^]a]x]",
            "[]a]",
            "a{2,3}",
            "a{,3}",
            "{",
            "x{a}",
            "\\p{L}+",
            "(?<n>a)\\k<n>",
            "(?=a)b",
            "[a-z0-9-]",
            "[\\w-z]",
            "^\\d{3}-\\d{4}$",
            "a|",
            "\\[",
            "[[:alpha:]]",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["(", ")", "[", "[a", "*a", "a|*", "(?:*)", "a\\", "a{3,2}", "[z-a]", "^*", "a(b"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
