//! The walk over a text and a plan side by side.

use std::sync::atomic::Ordering::Relaxed;

use super::plan::{
    ANYTHING, ArrayRules, Choice, Field, Id, Kinds, NumberRules, ObjectRules, Plan, StringRules, Union,
};
use crate::{
    schema::keywords,
    text::{Mark, Number, Numeral, Quoted, Scanner},
};

/// How deep the walk descends: below it, the text goes to the other judges.
const MOST_LEVELS: usize = 300;
/// How often the whole text may be read again for the alternatives of unions, beyond some bytes.
const MOST_REREADS: usize = 2;
const FREE_REREAD_BYTES: usize = 1024;

/// `None` is no verdict: the value is wrong, or the fast pass cannot know.
type Accepted = Option<()>;

pub(super) struct Walk<'p, 't> {
    plan: &'p Plan,
    scan: Scanner<'t>,
    /// The string at hand, where it has escapes.
    decoded: String,
    levels: usize,
    /// Bytes that may be read again.
    rereads: usize,
}

impl<'p, 't> Walk<'p, 't> {
    pub(super) fn new(plan: &'p Plan, scan: Scanner<'t>) -> Self {
        let rereads = scan.len() * MOST_REREADS + FREE_REREAD_BYTES;
        Self { plan, scan, decoded: String::new(), levels: MOST_LEVELS, rereads }
    }

    /// Whether the whole text is one value that the plan accepts.
    pub(super) fn accepts(mut self) -> bool {
        self.value(self.plan.root).is_some() && self.scan.is_at_end()
    }

    fn value(&mut self, id: Id) -> Accepted {
        if id == ANYTHING {
            return self.scan.value();
        }
        let plan = self.plan;
        let node = &plan.nodes[id as usize];
        let first = self.scan.peek();
        if let Some(union) = &node.union {
            return self.union(union, first);
        }
        let needed = |kind: Kinds| node.kinds.has(kind).then_some(());
        match first {
            b'"' => {
                needed(Kinds::STRING)?;
                let string = self.scan.string()?;
                node.string.as_ref().map_or(Some(()), |rules| self.string(rules, string))
            }
            b'{' => {
                needed(Kinds::OBJECT)?;
                match &node.object {
                    Some(rules) => self.inside(|walk| walk.object(rules)),
                    None => self.scan.value(),
                }
            }
            b'[' => {
                needed(Kinds::ARRAY)?;
                match &node.array {
                    Some(rules) => self.inside(|walk| walk.array(rules)),
                    None => self.scan.value(),
                }
            }
            b't' => needed(Kinds::TRUE).and_then(|()| self.scan.word(b"true")),
            b'f' => needed(Kinds::FALSE).and_then(|()| self.scan.word(b"false")),
            b'n' => needed(Kinds::NULL).and_then(|()| self.scan.word(b"null")),
            _ => {
                let numeral = self.scan.number()?;
                // What has a fraction may be an integer, by the draft: both must be allowed.
                needed(if numeral.integer { Kinds::INTEGER } else { Kinds::NUMBER })?;
                node.number.as_ref().map_or(Some(()), |rules| number(rules, &numeral))
            }
        }
    }

    /// Descends, as far as the stack allows.
    fn inside(&mut self, walk: impl FnOnce(&mut Self) -> Accepted) -> Accepted {
        self.levels = self.levels.checked_sub(1)?;
        let accepted = walk(self);
        self.levels += 1;
        accepted
    }

    fn string(&mut self, rules: &StringRules, quoted: Quoted) -> Accepted {
        if !quoted.escaped {
            return string(rules, self.scan.written(quoted));
        }
        self.scan.decode(quoted, &mut self.decoded)?;
        string(rules, &self.decoded)
    }

    fn array(&mut self, rules: &ArrayRules) -> Accepted {
        let mut length = 0;
        let mut more = self.scan.open(b']')?;
        while more {
            self.value(rules.prefix.get(length).copied().unwrap_or(rules.rest))?;
            length += 1;
            more = self.scan.goes_on(b']')?;
        }
        (rules.min..=rules.max).contains(&length).then_some(())
    }

    fn object(&mut self, rules: &ObjectRules) -> Accepted {
        let mut keys = self.scan.no_keys();
        let (mut seen, mut length) = (0_u128, 0);
        // Where the guess for the next field stands.
        let mut guess = &rules.first;
        let mut more = self.scan.open(b'}')?;
        while more {
            length += 1;
            if self.scan.peek() != b'"' {
                return None;
            }
            let guessed = usize::from(guess.load(Relaxed));
            let known = match rules.fields.get(guessed) {
                Some(field) if self.scan.key_is(&field.key) => Ok(guessed),
                _ => {
                    let key = self.scan.key()?;
                    rules.place(&self.scan, key, &mut self.decoded).ok_or(key)
                }
            };
            match known {
                Ok(place) => {
                    if place != guessed {
                        guess.store(place as u8, Relaxed);
                    }
                    if seen & 1 << place != 0 {
                        return None;
                    }
                    seen |= 1 << place;
                    let Field { node, next, .. } = &rules.fields[place];
                    guess = next;
                    self.value(*node)?;
                }
                Err(key) => {
                    self.scan.add(&mut keys, key)?;
                    self.other_member(rules, key)?;
                }
            }
            more = self.scan.goes_on(b'}')?;
        }
        self.scan.close(&keys)?;
        rules.allows(seen, length).then_some(())
    }

    /// A member whose key, which has no escapes, is no field.
    fn other_member(&mut self, rules: &ObjectRules, key: Quoted) -> Accepted {
        let name = self.scan.written(key);
        if rules.names != ANYTHING {
            let names = &self.plan.nodes[rules.names as usize];
            if names.union.is_some() || !names.kinds.has(Kinds::STRING) {
                return None;
            }
            names.string.as_ref().map_or(Some(()), |rules| string(rules, name))?;
        }
        let mut matched = None;
        for (pattern, node) in &rules.patterns {
            if pattern.run(name).matches? && matched.replace(*node).is_some() {
                return None;
            }
        }
        self.value(matched.unwrap_or(rules.rest))
    }

    fn union(&mut self, union: &Union, first: u8) -> Accepted {
        let kind = match first {
            b'n' => Kinds::NULL,
            b't' => Kinds::TRUE,
            b'f' => Kinds::FALSE,
            b'"' => Kinds::STRING,
            b'[' => Kinds::ARRAY,
            b'{' => Kinds::OBJECT,
            _ => {
                let mark = self.scan.mark();
                let numeral = self.scan.number()?;
                self.scan.rewind(mark);
                if numeral.integer { Kinds::INTEGER } else { Kinds::FRACTION }
            }
        };
        match (&union.by_kind[kind.0.trailing_zeros() as usize][..], &union.choice) {
            ([], _) => None,
            (_, Some(choice)) if kind == Kinds::OBJECT => {
                let branch = self.chosen(choice)?;
                self.inside(|walk| walk.value(branch))
            }
            ([only], _) => self.inside(|walk| walk.value(*only)),
            (branches, _) => {
                for &branch in branches {
                    let mark = self.scan.mark();
                    if self.inside(|walk| walk.value(branch)).is_some() {
                        return Some(());
                    }
                    self.go_back(mark)?;
                }
                None
            }
        }
    }

    /// Goes back, as long as that was not done too often: from then on nothing is accepted any more.
    fn go_back(&mut self, mark: Mark) -> Accepted {
        let left = self.rereads.checked_sub(1 + self.scan.rewind(mark));
        self.rereads = left.unwrap_or(0);
        left.map(drop)
    }

    /// The branch for the object at hand.
    fn chosen(&mut self, choice: &Choice) -> Option<Id> {
        let mark = self.scan.mark();
        let (branches, text) = match choice {
            Choice::Tag { name, branches } => {
                let mut more = self.scan.open(b'}')?;
                loop {
                    if !more {
                        return None;
                    }
                    let key = self.scan.key()?;
                    if self.scan.written(key) == &**name {
                        break;
                    }
                    self.scan.skip()?;
                    more = self.scan.goes_on(b'}')?;
                }
                if self.scan.peek() != b'"' {
                    return None;
                }
                (branches, self.scan.string()?)
            }
            Choice::Key(branches) => {
                if !self.scan.open(b'}')? {
                    return None;
                }
                (branches, self.scan.key()?)
            }
            Choice::Present(branches) => return self.only_present(mark, branches),
        };
        let text = if text.escaped { return None } else { self.scan.written(text) };
        let at = branches.binary_search_by(|(value, _)| (**value).cmp(text)).ok()?;
        self.go_back(mark)?;
        Some(branches[at].1)
    }

    /// The branch of the only one of the fields that the object at hand has.
    fn only_present(&mut self, mark: Mark, branches: &[(Box<str>, Id)]) -> Option<Id> {
        let mut found = None;
        let mut more = self.scan.open(b'}')?;
        while more {
            let key = self.scan.key()?;
            if key.escaped {
                return None;
            }
            let name = self.scan.written(key);
            if let Some((_, branch)) = branches.iter().find(|(field, _)| **field == *name)
                && found.replace(*branch).is_some()
            {
                return None;
            }
            self.scan.skip()?;
            more = self.scan.goes_on(b'}')?;
        }
        self.go_back(mark)?;
        found
    }
}

impl ObjectRules {
    /// The place of a field by its key, also where that is written with escapes.
    fn place(&self, scan: &Scanner<'_>, key: Quoted, decoded: &mut String) -> Option<usize> {
        if !key.escaped {
            return self.find(scan.written(key));
        }
        scan.decode(key, decoded)?;
        self.find(decoded)
    }

    /// Whether an object of so many members may have just these of the fields.
    fn allows(&self, seen: u128, length: usize) -> bool {
        self.required & !seen == 0
            && (self.min..=self.max).contains(&length)
            && self.exclusive.iter().all(|(group, required)| match (seen & group).count_ones() {
                0 => !required,
                count => count == 1,
            })
            && self.dependent.iter().all(|(field, others)| seen >> field & 1 == 0 || others & !seen == 0)
    }
}

fn string(rules: &StringRules, text: &str) -> Accepted {
    if let Some(allowed) = &rules.allowed {
        let found = match allowed.len() {
            0..=8 => allowed.iter().any(|one| **one == *text),
            _ => allowed.binary_search_by(|one| (**one).cmp(text)).is_ok(),
        };
        if !found {
            return None;
        }
    }
    if rules.forbidden.iter().any(|one| **one == *text) {
        return None;
    }
    // A character takes one to four bytes.
    let surely_long_enough = text.len() / 4 >= rules.min || (rules.min == 1 && !text.is_empty());
    let surely_short_enough = rules.max.is_none_or(|max| text.len() <= max);
    if !(surely_long_enough && surely_short_enough) {
        let length = text.chars().count();
        if length < rules.min || rules.max.is_some_and(|max| length > max) {
            return None;
        }
    }
    for pattern in &rules.patterns {
        if !pattern.run(text).matches? {
            return None;
        }
    }
    rules.formats.iter().all(|format| format.accepts(text)).then_some(())
}

fn number(rules: &NumberRules, numeral: &Numeral<'_>) -> Accepted {
    let number = numeral.number;
    if !rules.limits.is_empty() {
        let near = numeral.near();
        if !rules.limits.iter().all(|limit| limit.allows_near(near, number)) {
            return None;
        }
    }
    let is_multiple = |divisor: &str| keywords::is_multiple_of(number.spelling(), divisor);
    let equals = |one: &str| Number::parse(one).is_some_and(|one| number.compare(one).is_eq());
    let listed = rules.allowed.as_ref().is_none_or(|allowed| allowed.iter().any(|one| equals(one)));
    let forbidden = rules.forbidden.iter().any(|one| equals(one));
    (listed && !forbidden && rules.divisors.iter().all(|divisor| is_multiple(divisor))).then_some(())
}
