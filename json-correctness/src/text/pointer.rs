//! JSON Pointer (RFC 6901): the address of a value in a document.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

/// A JSON Pointer: `""` is the whole document, `/items/0/sku` a member of an element of a member.
///
/// ```
/// use json_correctness::Pointer;
/// let pointer = Pointer::root().key("a/b").index(0);
/// assert_eq!(pointer.as_str(), "/a~1b/0");
/// assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["a/b", "0"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer of the whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a pointer. `None` where the text is no RFC 6901 pointer: it must be empty or start
    /// with `/`, and every `~` must be followed by `0` or `1`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let starts = text.is_empty() || text.starts_with('/');
        let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        (starts && escapes).then(|| Self(text.to_owned()))
    }

    /// The member `key` of the value at this pointer.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut child = Self(String::with_capacity(self.0.len() + 1 + key.len()));
        child.0.push_str(&self.0);
        child.push_key(key);
        child
    }

    /// The element `index` of the value at this pointer.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    pub(crate) fn push_key(&mut self, key: &str) {
        self.0.push('/');
        let mut from = 0;
        for (at, special) in key.match_indices(['~', '/']) {
            self.0.push_str(&key[from..at]);
            self.0.push_str(if special == "~" { "~0" } else { "~1" });
            from = at + 1;
        }
        self.0.push_str(&key[from..]);
    }

    pub(crate) fn push_index(&mut self, index: usize) {
        let _ = write!(self.0, "/{index}");
    }

    pub(crate) fn truncate(&mut self, bytes: usize) {
        self.0.truncate(bytes);
    }

    /// The pointer's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the whole document.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The decoded reference tokens, outermost first.
    pub fn tokens(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// The last decoded token: a key, or an index in decimal. `None` at the root.
    #[must_use]
    pub fn last(&self) -> Option<String> {
        self.tokens().last()
    }

    /// The pointer of the value that holds this one. `None` at the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Whether `other` is this place or a place inside it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        other.0.strip_prefix(&self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Pointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
