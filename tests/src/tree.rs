//! A JSON text taken apart without losing how it is spelled: the tests' own, so that the library's
//! parser is not its own judge.

use std::fmt::Write as _;
use std::ops::Range;

/// One value. Scalars and keys are kept as the text spells them.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A number, string, boolean or null.
    Scalar(String),
    /// The elements of an array.
    Array(Vec<Tree>),
    /// The members of an object: the key with its quotes, and the value.
    Object(Vec<(String, Tree)>),
}

/// The way to a value: member or element indices from the root.
pub type Way = Vec<usize>;

/// Where a printed value stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// The way to the value.
    pub way: Way,
    /// Its JSON Pointer.
    pub pointer: String,
    /// The bytes of its key with quotes, where it is an object's member.
    pub key: Option<Range<usize>>,
    /// The bytes of the value.
    pub value: Range<usize>,
}

/// What a key's or string's spelling means. Must be a valid JSON string.
#[must_use]
pub fn unquote(spelling: &str) -> String {
    serde_json::from_str(spelling).unwrap_or_else(|_| panic!("no JSON string: {spelling}"))
}

/// The plain spelling of a string.
#[must_use]
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Tree {
    /// Takes a text apart. The text must be valid JSON (as `serde_json::Value` has it).
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut rest = text;
        let tree = parse(&mut rest);
        assert!(rest.trim_start().is_empty(), "no JSON: {text}");
        tree
    }

    /// The value as compact text.
    #[must_use]
    pub fn text(&self) -> String {
        self.print(&Layout::COMPACT).0
    }

    /// The text in a layout, and where every value stands in it.
    #[must_use]
    pub fn print(&self, layout: &Layout) -> (String, Vec<Place>) {
        let mut printer = Printer { layout, text: String::new(), places: Vec::new() };
        printer.value(self, &mut Vec::new(), String::new(), None, 0);
        (printer.text, printer.places)
    }

    /// The value at the end of a way.
    #[must_use]
    pub fn at(&self, way: &[usize]) -> &Self {
        way.iter().fold(self, |tree, &index| match tree {
            Self::Array(items) => &items[index],
            Self::Object(members) => &members[index].1,
            Self::Scalar(_) => panic!("a scalar has no children"),
        })
    }

    /// The value at the end of a way, to be changed.
    pub fn at_mut(&mut self, way: &[usize]) -> &mut Self {
        way.iter().fold(self, |tree, &index| match tree {
            Self::Array(items) => &mut items[index],
            Self::Object(members) => &mut members[index].1,
            Self::Scalar(_) => panic!("a scalar has no children"),
        })
    }

    /// The ways to all values, the root first.
    #[must_use]
    pub fn ways(&self) -> Vec<Way> {
        fn collect(tree: &Tree, way: &mut Way, ways: &mut Vec<Way>) {
            ways.push(way.clone());
            let children: Vec<&Tree> = match tree {
                Tree::Scalar(_) => Vec::new(),
                Tree::Array(items) => items.iter().collect(),
                Tree::Object(members) => members.iter().map(|(_, value)| value).collect(),
            };
            for (index, child) in children.into_iter().enumerate() {
                way.push(index);
                collect(child, way, ways);
                way.pop();
            }
        }
        let mut ways = Vec::new();
        collect(self, &mut Vec::new(), &mut ways);
        ways
    }

    /// Whether some object writes a key twice, escapes resolved.
    #[must_use]
    pub fn has_duplicate_key(&self) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::Array(items) => items.iter().any(Self::has_duplicate_key),
            Self::Object(members) => {
                let mut keys: Vec<String> = members.iter().map(|(key, _)| unquote(key)).collect();
                keys.sort_unstable();
                keys.windows(2).any(|pair| pair[0] == pair[1])
                    || members.iter().any(|(_, value)| value.has_duplicate_key())
            }
        }
    }

    /// The same with every key in its plain spelling.
    #[must_use]
    pub fn with_plain_keys(&self) -> Self {
        match self {
            Self::Scalar(_) => self.clone(),
            Self::Array(items) => Self::Array(items.iter().map(Self::with_plain_keys).collect()),
            Self::Object(members) => Self::Object(
                members.iter().map(|(key, value)| (quote(&unquote(key)), value.with_plain_keys())).collect(),
            ),
        }
    }

    /// Whether some key is spelled with an escape.
    #[must_use]
    pub fn has_escaped_key(&self) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::Array(items) => items.iter().any(Self::has_escaped_key),
            Self::Object(members) => {
                members.iter().any(|(key, value)| key.contains('\\') || value.has_escaped_key())
            }
        }
    }
}

/// How a tree is printed.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Behind an opening bracket, a comma and before a closing bracket; depth times `indent` follows.
    pub line: &'static str,
    /// One level of indentation.
    pub indent: &'static str,
    /// Behind a colon.
    pub space: &'static str,
}

impl Layout {
    /// No white space.
    pub const COMPACT: Self = Self { line: "", indent: "", space: "" };
    /// As most models write.
    pub const PRETTY: Self = Self { line: "\n", indent: "  ", space: " " };
}

struct Printer<'l> {
    layout: &'l Layout,
    text: String,
    places: Vec<Place>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize) {
        self.text.push_str(self.layout.line);
        for _ in 0..depth {
            self.text.push_str(self.layout.indent);
        }
    }

    fn value(
        &mut self,
        tree: &Tree,
        way: &mut Way,
        pointer: String,
        key: Option<Range<usize>>,
        depth: usize,
    ) {
        let slot = self.places.len();
        let start = self.text.len();
        self.places.push(Place { way: way.clone(), pointer: pointer.clone(), key, value: start..start });
        match tree {
            Tree::Scalar(spelling) => self.text.push_str(spelling),
            Tree::Array(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.line(depth + 1);
                    way.push(index);
                    self.value(item, way, format!("{pointer}/{index}"), None, depth + 1);
                    way.pop();
                }
                if !items.is_empty() {
                    self.line(depth);
                }
                self.text.push(']');
            }
            Tree::Object(members) => {
                self.text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    self.text.push_str(if index == 0 { "" } else { "," });
                    self.line(depth + 1);
                    let start = self.text.len();
                    self.text.push_str(key);
                    let span = start..self.text.len();
                    let _ = write!(self.text, ":{}", self.layout.space);
                    let token = unquote(key).replace('~', "~0").replace('/', "~1");
                    way.push(index);
                    self.value(value, way, format!("{pointer}/{token}"), Some(span), depth + 1);
                    way.pop();
                }
                if !members.is_empty() {
                    self.line(depth);
                }
                self.text.push('}');
            }
        }
        self.places[slot].value.end = self.text.len();
    }
}

fn parse(rest: &mut &str) -> Tree {
    *rest = rest.trim_start();
    match rest.as_bytes().first() {
        Some(b'[') => {
            let mut items = Vec::new();
            *rest = rest[1..].trim_start();
            while !rest.starts_with(']') {
                items.push(parse(rest));
                *rest = rest.trim_start();
                *rest = rest.strip_prefix(',').unwrap_or(rest);
            }
            *rest = &rest[1..];
            Tree::Array(items)
        }
        Some(b'{') => {
            let mut members = Vec::new();
            *rest = rest[1..].trim_start();
            while !rest.starts_with('}') {
                *rest = rest.trim_start();
                let key = string(rest);
                *rest = rest.trim_start();
                *rest = rest.strip_prefix(':').expect("a colon");
                members.push((key, parse(rest)));
                *rest = rest.trim_start();
                *rest = rest.strip_prefix(',').map_or(*rest, str::trim_start);
            }
            *rest = &rest[1..];
            Tree::Object(members)
        }
        Some(b'"') => Tree::Scalar(string(rest)),
        _ => {
            let end = rest.find([',', ']', '}', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
            assert!(end > 0, "no JSON value at {rest:?}");
            let (spelling, behind) = rest.split_at(end);
            *rest = behind;
            Tree::Scalar(spelling.to_owned())
        }
    }
}

fn string(rest: &mut &str) -> String {
    let bytes = rest.as_bytes();
    assert_eq!(bytes.first(), Some(&b'"'), "no string at {rest:?}");
    let mut end = 1;
    while bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    let (spelling, behind) = rest.split_at(end + 1);
    *rest = behind;
    spelling.to_owned()
}
