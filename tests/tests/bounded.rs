//! Whatever the text, it is explained within the budget that `Limits` states: counted in
//! steps, violations and bytes. `bounded_memory.rs` measures memory, `benches/hostile.rs` shows times.

use json_correctness::Limits;
use json_correctness_tests::hostile::{
    Attack, deep_texts, deep_valid_texts, is_truncated, is_unexplained, wide_texts, wrong_leaves,
};

fn hold(attacks: impl Iterator<Item = Attack>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for attack in attacks {
        count += 1;
        let limits = attack.limits();
        let violations = attack.judge(&limits);
        let mut blame = |what: String| wrong.push(format!("{}: {what}", attack.name));
        if violations.len() > limits.max_violations + 1 {
            blame(format!("{} violations", violations.len()));
        }
        for violation in &violations {
            let suggested = violation.suggestion.as_ref().map_or(0, String::len);
            let bytes = violation.message.len().max(suggested);
            if bytes > limits.max_message_bytes {
                blame(format!("a message of {bytes} bytes"));
            }
            if violation.span.end > attack.text.len() {
                blame(format!("a span behind the end: {violation:?}"));
            }
        }
        if let Some(expected) = attack.violations {
            let whole = expected <= limits.max_violations;
            let cut_early = whole && (is_truncated(&violations) || is_unexplained(&violations));
            if violations.len() != expected || cut_early {
                let first: Vec<String> = violations.iter().take(3).map(ToString::to_string).collect();
                blame(format!("{} violations instead of {expected}: {first:?}", violations.len()));
            }
        }
    }
    assert!(wrong.is_empty() && count > 0, "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_wrong_leaf_is_found_at_every_depth() {
    hold(wrong_leaves());
}

#[test]
fn deep_texts_that_fit_nothing() {
    // They are all wrong, so that something must be said to each.
    for attack in deep_texts() {
        assert!(!attack.judge(&Limits::default()).is_empty(), "{} passes", attack.name);
    }
    hold(deep_texts());
}

#[test]
fn deep_texts_that_fit_many_ways() {
    hold(deep_valid_texts());
}

#[test]
fn wide_texts_and_long_strings() {
    hold(wide_texts().into_iter());
}
