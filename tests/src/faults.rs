//! Faults put into valid texts on purpose, each with the place where it must be reported.

use std::ops::Range;

use json_correctness::{Limits, Violation, ViolationKind};

use crate::{
    random::Random,
    tree::{Layout, Place, Tree, Way, quote, unquote},
    zoo::Specimen,
};

/// What is done to a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A value becomes another one: wrong type, out of range, not allowed, wrong form or length.
    Replace(Tree),
    /// A key is misspelt.
    Rename(String),
    /// A member is left out.
    Drop,
    /// A member is added to the object.
    Extra(String, Tree),
    /// A member is written a second time, at the end.
    Duplicate,
}

/// One change at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The value that is replaced, whose key is renamed, that is left out or doubled; for an extra
    /// member, the object.
    pub way: Way,
    /// What is done to it.
    pub change: Change,
}

/// The place where a fault must be reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The pointers that name it.
    pub pointers: Vec<String>,
    /// Its bytes.
    pub span: Range<usize>,
}

/// Keys that say which variant an object is: while they are wrong, the rest of the object has no
/// meaning that could be judged.
const TAGS: [&str; 5] = ["type", "kind", "t", "op", "shape"];
/// Keys that name a variant themselves: the same holds while they are wrong.
const VARIANTS: [&str; 18] = [
    "Newtype",
    "Tuple",
    "Struct",
    "Content",
    "Empty",
    "second-try",
    "3rd",
    "Level",
    "level",
    "Circle",
    "Square",
    "File",
    "Folder",
    "Ok",
    "Err",
    "Included",
    "Excluded",
    "Go",
];
/// Second names of fields, and the first: a missing field is reported under its first name.
const ALIASES: [(&str, &str); 6] = [
    ("fullName", "name"),
    ("full-name", "name"),
    ("years", "age"),
    ("n", "name"),
    ("y", "age"),
    ("level", "Level"),
];
/// An added key that resembles no other.
const EXTRA: &str = "zz_extra";

/// Everything that can be done to a valid text, whether or not it is a fault there.
#[must_use]
pub fn changes(tree: &Tree, random: &mut Random) -> Vec<Fault> {
    let mut all = Vec::new();
    for way in tree.ways() {
        let value = tree.at(&way);
        for replacement in replacements(value, random) {
            all.push(Fault { way: way.clone(), change: Change::Replace(replacement) });
        }
        if let Tree::Object(members) = value {
            // In a map the new member's value is right, and its key may be wrong.
            if let [_, .., (_, value)] = members.as_slice() {
                all.push(Fault { way: way.clone(), change: Change::Extra(quote(EXTRA), value.clone()) });
            }
        }
        if let Some(members) = siblings(tree, &way) {
            let key = unquote(&members[way[way.len() - 1]].0);
            let wrong = quote(&misspelt(&key, random));
            if !members.iter().any(|(key, _)| *key == wrong) {
                all.push(Fault { way: way.clone(), change: Change::Rename(wrong) });
            }
            all.push(Fault { way: way.clone(), change: Change::Drop });
            all.push(Fault { way: way.clone(), change: Change::Duplicate });
        }
    }
    all
}

/// A key that still resembles the right one. Of one or two letters, little is left after a slip: there
/// only the case is changed.
fn misspelt(key: &str, random: &mut Random) -> String {
    let letters: Vec<char> = key.chars().collect();
    let at = random.below(letters.len().max(1));
    let mut wrong = letters.clone();
    match random.below(5) {
        0 if letters.len() > 3 => drop(wrong.remove(at)),
        1 if letters.len() > 3 => wrong[at] = 'q',
        2 if letters.len() > 2 && letters.len() > at + 1 && letters[at] != letters[at + 1] => {
            wrong.swap(at, at + 1);
        }
        _ if letters.len() < 3 => return key.to_uppercase(),
        3 if key != key.to_uppercase() => return key.to_uppercase(),
        _ => wrong.push('s'),
    }
    wrong.into_iter().collect()
}

fn siblings<'t>(tree: &'t Tree, way: &[usize]) -> Option<&'t [(String, Tree)]> {
    match tree.at(&way[..way.len().checked_sub(1)?]) {
        Tree::Object(members) => Some(members),
        _ => None,
    }
}

fn replacements(value: &Tree, random: &mut Random) -> Vec<Tree> {
    let mut texts = vec!["null", "true", "17.5", r#""zz none""#, "[]", "{}"];
    let same: &[&str] = match value {
        Tree::Array(_) => &["[]"],
        Tree::Object(_) => &["{}"],
        Tree::Scalar(spelling) => match spelling.as_bytes()[0] {
            b'"' => &[],
            b't' | b'f' => &["true"],
            // An empty object in the place of null lacks its fields, which is another fault.
            b'n' => &["null", "{}"],
            _ => &[],
        },
    };
    texts.retain(|text| !same.contains(text));
    let mut all = vec![Tree::parse(random.pick::<&str>(&texts))];
    match value {
        Tree::Scalar(spelling) if spelling.starts_with('"') => {
            let text = random.pick::<&str>(&[r#""""#, r#""zz""#, r#""a very long text, longer than most""#]);
            all.push(Tree::parse(text));
        }
        Tree::Scalar(spelling) if !matches!(spelling.as_bytes()[0], b't' | b'f' | b'n') => {
            let text = random.pick::<&str>(&[
                "0",
                "-1",
                "101",
                "3000000000",
                "-1e30",
                "999999999999999999999999999999999999999999",
            ]);
            all.push(Tree::parse(text));
        }
        Tree::Array(items) if !items.is_empty() => {
            let mut longer = items.clone();
            longer.push(items[0].clone());
            all.push(Tree::Array(longer));
            all.push(Tree::Array(items[..items.len() - 1].to_vec()));
        }
        _ => {}
    }
    all.retain(|other| other != value);
    all
}

/// Whether a fault touches something that the other depends on.
#[must_use]
pub fn interfere(tree: &Tree, one: &Fault, other: &Fault) -> bool {
    reaches(tree, one, other) || reaches(tree, other, one) || {
        // A key left out and a foreign key in one object can be read as one wrong key.
        let (a, b) = (holder(one), holder(other));
        let kinds = (&one.change, &other.change);
        a == b && matches!(kinds, (Change::Drop, Change::Extra(..)) | (Change::Extra(..), Change::Drop))
            || one == other
    }
}

/// The object that a change of members happens in.
fn holder(fault: &Fault) -> &[usize] {
    match fault.change {
        Change::Extra(..) => &fault.way,
        _ => &fault.way[..fault.way.len().saturating_sub(1)],
    }
}

fn reaches(tree: &Tree, one: &Fault, other: &Fault) -> bool {
    let covers = |way: &[usize]| other.way.starts_with(way);
    if let Change::Extra(..) = one.change {
        return one == other;
    }
    let names_variant = siblings(tree, &one.way).is_some_and(|members| {
        let key = unquote(&members[one.way[one.way.len() - 1]].0);
        let by_key = VARIANTS.contains(&key.as_str()) && !matches!(one.change, Change::Replace(_));
        by_key || TAGS.contains(&key.as_str())
    });
    covers(&one.way) || (names_variant && covers(holder(one)))
}

/// The text with all faults, and where they must be reported.
#[must_use]
pub fn inject(tree: &Tree, faults: &[Fault], layout: &Layout) -> (String, Vec<Expected>) {
    // Marks survive the changes of their neighbours: each fault is found again by its mark.
    let mut changed = tree.clone();
    let mut order: Vec<usize> = (0..faults.len()).collect();
    // Later siblings first, so that a member left out does not move the way to another fault.
    order.sort_by(|&a, &b| faults[b].way.cmp(&faults[a].way));
    for &index in &order {
        if !matches!(faults[index].change, Change::Drop) {
            apply(&mut changed, &faults[index]);
        }
    }
    // Nothing but `Drop` moves anything, and it only moves what stands behind it.
    for &index in &order {
        if matches!(faults[index].change, Change::Drop) {
            apply(&mut changed, &faults[index]);
        }
    }
    let (text, places) = changed.print(layout);
    let expected = faults.iter().map(|fault| expect(tree, &changed, faults, fault, &places)).collect();
    (text, expected)
}

fn apply(tree: &mut Tree, fault: &Fault) {
    if let Change::Replace(value) = &fault.change {
        *tree.at_mut(&fault.way) = value.clone();
        return;
    }
    if let Change::Extra(key, value) = &fault.change {
        if let Tree::Object(members) = tree.at_mut(&fault.way) {
            members.push((key.clone(), value.clone()));
        }
        return;
    }
    let last = fault.way[fault.way.len() - 1];
    if let Tree::Object(members) = tree.at_mut(&fault.way[..fault.way.len() - 1]) {
        match &fault.change {
            Change::Rename(key) => members[last].0.clone_from(key),
            Change::Duplicate => members.push(members[last].clone()),
            _ => drop(members.remove(last)),
        }
    }
}

/// The way to what stood at `way` before the members of `faults` were left out.
fn moved(way: &[usize], faults: &[Fault]) -> Way {
    let mut moved = way.to_vec();
    for fault in faults.iter().filter(|fault| matches!(fault.change, Change::Drop)) {
        let depth = fault.way.len() - 1;
        if way.len() > depth && way[..depth] == fault.way[..depth] && way[depth] > fault.way[depth] {
            moved[depth] -= 1;
        }
    }
    moved
}

fn expect(tree: &Tree, changed: &Tree, faults: &[Fault], fault: &Fault, places: &[Place]) -> Expected {
    let place = |way: &[usize]| places.iter().find(|place| place.way == way).expect("the place was printed");
    let key_span = |place: &Place| place.key.clone().expect("a member has a key");
    let token = |key: &str| unquote(key).replace('~', "~0").replace('/', "~1");
    let object = place(&moved(holder(fault), faults));
    match &fault.change {
        Change::Replace(_) => {
            let here = place(&moved(&fault.way, faults));
            Expected { pointers: vec![here.pointer.clone()], span: here.value.clone() }
        }
        Change::Rename(_) => {
            let here = place(&moved(&fault.way, faults));
            let original = &siblings(tree, &fault.way).expect("a member")[fault.way[fault.way.len() - 1]].0;
            let mut pointers = names(&object.pointer, &token(original));
            pointers.push(here.pointer.clone());
            Expected { pointers, span: key_span(here) }
        }
        Change::Drop => {
            let key = &siblings(tree, &fault.way).expect("a member")[fault.way[fault.way.len() - 1]].0;
            if VARIANTS.contains(&unquote(key).as_str()) {
                // Which variant was meant went with the key: the whole object fits none.
                return Expected { pointers: vec![object.pointer.clone()], span: object.value.clone() };
            }
            let start = object.value.start;
            Expected { pointers: names(&object.pointer, &token(key)), span: start..start + 1 }
        }
        Change::Extra(..) | Change::Duplicate => {
            let key = match &fault.change {
                Change::Extra(key, _) => key.clone(),
                _ => siblings(tree, &fault.way).expect("a member")[fault.way[fault.way.len() - 1]].0.clone(),
            };
            let Tree::Object(members) = changed.at(&object.way) else { panic!("an object holds members") };
            let at = members.iter().rposition(|(other, _)| *other == key).expect("it was added");
            let here = place(&[object.way.as_slice(), &[at]].concat());
            Expected { pointers: vec![here.pointer.clone()], span: key_span(here) }
        }
    }
}

/// The pointers of a member, by its key and by the first name of its field.
fn names(object: &str, key: &str) -> Vec<String> {
    let first = ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, first)| *first);
    std::iter::once(key).chain(first).map(|name| format!("{object}/{name}")).collect()
}

/// Whether the change alone makes the text wrong in a way that the schema can see. What only the
/// type's own code refuses is found when the schema has nothing more to say, and one at a time.
#[must_use]
pub fn is_fault(specimen: &Specimen, tree: &Tree, fault: &Fault) -> bool {
    let (text, _) = inject(tree, std::slice::from_ref(fault), &Layout::COMPACT);
    let violations = specimen.judge(&text, false, &Limits::default());
    let by_type = |violation: &Violation| {
        matches!(violation.kind, ViolationKind::RefusedByType { .. } | ViolationKind::NotJson { .. })
    };
    !violations.is_empty() && !violations.iter().any(by_type)
}

/// What is wrong with the report of these faults, if anything.
#[must_use]
pub fn judge(specimen: &Specimen, tree: &Tree, faults: &[Fault], layout: &Layout) -> Option<String> {
    let (text, expected) = inject(tree, faults, layout);
    let violations = specimen.judge(&text, false, &Limits::default());
    let at = |violation: &Violation, place: &Expected| {
        place.pointers.iter().any(|pointer| pointer == violation.pointer.as_str())
            && (violation.span.start, violation.span.end) == (place.span.start, place.span.end)
    };
    let missed: Vec<&Expected> =
        expected.iter().filter(|place| !violations.iter().any(|violation| at(violation, place))).collect();
    let surplus: Vec<String> = violations
        .iter()
        .filter(|violation| !expected.iter().any(|place| at(violation, place)))
        .map(|violation| format!("{violation} [{}..{}]", violation.span.start, violation.span.end))
        .collect();
    if missed.is_empty() && surplus.is_empty() {
        return None;
    }
    let changes: Vec<_> =
        faults.iter().map(|fault| format!("{:?} at {:?}", fault.change, fault.way)).collect();
    Some(format!(
        "{}\n  from {}\n  text {text}\n  by {}\n  not reported: {missed:?}\n  follows from another, or misplaced: {surplus:#?}",
        specimen.name,
        tree.text(),
        changes.join("; "),
    ))
}

/// A set of faults that do not touch one another, at most `count` of them.
#[must_use]
pub fn choose(specimen: &Specimen, tree: &Tree, count: usize, random: &mut Random) -> Vec<Fault> {
    let mut candidates = changes(tree, random);
    let mut chosen: Vec<Fault> = Vec::new();
    while chosen.len() < count && !candidates.is_empty() {
        let candidate = candidates.swap_remove(random.below(candidates.len()));
        let free = chosen.iter().all(|other| !interfere(tree, &candidate, other));
        if free && is_fault(specimen, tree, &candidate) {
            chosen.push(candidate);
        }
    }
    chosen
}
