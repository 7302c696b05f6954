//! The keys of objects: which stand twice, and where a key stands in a large object.

use std::hash::{BuildHasher, RandomState};

use super::document::{Document, Entry, string};
use super::{JsonType, Node, Pointer};

/// From this many members on, an object's keys are found by hash.
const LARGE: u32 = 33;

/// The keys of the large objects, by hash. The hash is keyed at random, so that no text can be made
/// whose keys collide; nothing that is emitted depends on its order.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    state: Option<RandomState>,
    /// Hash and entry of each key, sorted within each object.
    hashed: Vec<(u64, u32)>,
    /// Object, and its range in `hashed`.
    objects: std::collections::HashMap<u32, (u32, u32)>,
}

/// A cheap digest of a key: equal keys have equal ones, different keys mostly not.
#[inline]
pub(crate) fn fingerprint(key: &[u8]) -> u32 {
    let digest = if let (Some(first), Some(last)) = (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
    } else if let (Some(first), Some(last)) = (key.first_chunk::<4>(), key.last_chunk::<4>()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
    } else {
        key.iter().fold(0, |digest, &byte| digest << 8 | u64::from(byte))
    };
    ((digest ^ key.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// The entries of the keys of an object.
fn keys(entries: &[Entry], object: u32) -> impl Iterator<Item = u32> + Clone {
    let end = entries[object as usize].next;
    std::iter::successors((object + 1 < end).then_some(object + 1), move |&key| {
        let value = entries[key as usize + 1].next;
        let next = if value == 0 { key + 2 } else { value };
        (next < end).then_some(next)
    })
}

impl KeyIndex {
    /// Looks for repeated keys in an object that is complete, and indexes it where it is large.
    pub(super) fn close(
        &mut self,
        object: u32,
        text: &str,
        entries: &[Entry],
        buffer: &str,
        ends: &[u32],
        repeated: &mut Vec<(u32, u32)>,
    ) {
        let name = |key: u32| string(text, buffer, ends, entries[key as usize]);
        if entries[object as usize].extra >= LARGE {
            return self.close_large(object, entries, name, repeated);
        }
        let mut seen = 0_u64;
        for key in keys(entries, object) {
            let print = entries[key as usize].next;
            let bit = 1 << (print & 63);
            if seen & bit != 0 {
                let first = keys(entries, object)
                    .take_while(|&earlier| earlier < key)
                    .find(|&earlier| entries[earlier as usize].next == print && name(earlier) == name(key));
                repeated.extend(first.map(|first| (first, key)));
            }
            seen |= bit;
        }
    }

    fn close_large<'a>(
        &mut self,
        object: u32,
        entries: &[Entry],
        name: impl Fn(u32) -> &'a str,
        repeated: &mut Vec<(u32, u32)>,
    ) {
        let state = self.state.get_or_insert_with(RandomState::new);
        let from = self.hashed.len();
        self.hashed.extend(keys(entries, object).map(|key| (state.hash_one(name(key)), key)));
        let hashed = &mut self.hashed[from..];
        hashed.sort_unstable();
        for group in hashed.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            for (at, &(_, key)) in group.iter().enumerate() {
                let first = group[..at].iter().find(|earlier| name(earlier.1) == name(key));
                repeated.extend(first.map(|&(_, first)| (first, key)));
            }
        }
        self.objects.insert(object, (from as u32, self.hashed.len() as u32));
    }

    /// The entry of the last key of that name, where the object is a large one.
    fn find(&self, object: u32, key: &str, name: impl Fn(u32) -> bool) -> Option<Option<u32>> {
        let &(from, to) = self.objects.get(&object)?;
        let hash = self.state.as_ref()?.hash_one(key);
        let hashed = &self.hashed[from as usize..to as usize];
        let start = hashed.partition_point(|entry| entry.0 < hash);
        let end = start + hashed[start..].partition_point(|entry| entry.0 == hash);
        Some(hashed[start..end].iter().rev().map(|entry| entry.1).find(|&entry| name(entry)))
    }
}

impl Document<'_> {
    /// The entry of the last key of that name in an object.
    pub(super) fn find_key(&self, object: u32, key: &str) -> Option<u32> {
        let print = fingerprint(key.as_bytes());
        let same = |entry: u32| self.entries[entry as usize].next == print && self.string(entry) == key;
        let keys = || keys(&self.entries, object);
        if self.entries[object as usize].extra >= LARGE
            && let Some(found) = self.index.find(object, key, same)
        {
            return found;
        }
        if self.duplicates.is_empty() {
            keys().find(|&key| same(key))
        } else {
            keys().filter(|&key| same(key)).last()
        }
    }

    /// The entry behind a value and all that it holds.
    #[inline]
    pub(super) fn behind(&self, value: u32) -> u32 {
        let next = self.entries[value as usize].next;
        if next == 0 { value + 1 } else { next }
    }

    /// The pointer of a value of this document, in one walk over the values before it.
    ///
    /// ```
    /// use json_correctness::{Document, Limits};
    /// let document = Document::parse(r#"{"a": [1, true]}"#, &Limits::default()).expect("well formed");
    /// let value = document.root().member("a").and_then(|a| a.value.elements().nth(1)).expect("there");
    /// assert_eq!(document.pointer_to(value).as_str(), "/a/1");
    /// ```
    #[must_use]
    pub fn pointer_to(&self, node: Node<'_>) -> Pointer {
        self.pointers(&[node.id() as u32], usize::MAX).pop().unwrap_or_default()
    }

    /// The pointers of values, whose entries must be sorted, in one walk over the document. Where they
    /// are longer than `most_bytes` together, only those of the first values; at least one.
    pub(crate) fn pointers(&self, values: &[u32], most_bytes: usize) -> Vec<Pointer> {
        struct Open {
            container: u32,
            /// Where the container's pointer ends in that of the value at hand.
            end: usize,
            /// The entry to look at next, and its place in the container.
            next: u32,
            place: usize,
        }
        let mut open: Vec<Open> = Vec::new();
        let mut pointer = Pointer::root();
        let mut found = Vec::with_capacity(values.len());
        let mut bytes = 0;
        for &value in values {
            while open.last().is_some_and(|last| self.behind(last.container) <= value) {
                open.pop();
            }
            let mut here = 0;
            loop {
                // Step from the innermost open container to its child that holds the value.
                pointer.truncate(open.last().map_or(0, |last| last.end));
                if let Some(last) = open.last_mut() {
                    let object = Node::new(self, last.container).json_type() == JsonType::Object;
                    here = loop {
                        let child = last.next + u32::from(object);
                        let behind = self.behind(child);
                        if value < behind {
                            break child;
                        }
                        last.next = behind;
                        last.place += 1;
                    };
                    if object {
                        pointer.push_key(self.string(last.next));
                    } else {
                        pointer.push_index(last.place);
                    }
                }
                if here >= value {
                    break;
                }
                open.push(Open { container: here, end: pointer.as_str().len(), next: here + 1, place: 0 });
            }
            bytes += pointer.as_str().len();
            if bytes > most_bytes && !found.is_empty() {
                break;
            }
            found.push(pointer.clone());
        }
        found
    }
}
