//! The ids of a run, to tell when one comes again.

use std::{collections::HashSet, hash::Hasher};

/// How many ids are kept: in less than 110 MB.
const MAX_IDS: usize = 12_000_000;
/// Among how many parts they are divided, so that none is ever copied whole.
const PARTS: usize = 256;
/// How many ids of a part wait until they are put in order.
const WAITING: usize = 512;

/// The ids that were there. What is kept are 64 bits of each, so the chance that two ids of ten million
/// are wrongly taken for one is less than one in 300,000.
#[derive(Default)]
pub(super) struct Ids {
    parts: Vec<Part>,
    count: usize,
}

/// Eight bytes an id, which a hash table of the same would take twice.
#[derive(Default)]
struct Part {
    ordered: Vec<u64>,
    waiting: HashSet<u64>,
}

impl Ids {
    /// Whether the id is new. Beyond 12 million ids, all are taken for new.
    pub(super) fn add(&mut self, id: &str) -> bool {
        if self.count >= MAX_IDS {
            return true;
        }
        if self.parts.is_empty() {
            self.parts.resize_with(PARTS, Part::default);
        }
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write(id.as_bytes());
        let hash = hasher.finish();
        #[expect(clippy::cast_possible_truncation, reason = "the low byte is wanted")]
        let part = &mut self.parts[hash as usize % PARTS];
        let new = part.add(hash);
        self.count += usize::from(new);
        new
    }
}

impl Part {
    fn add(&mut self, hash: u64) -> bool {
        if self.ordered.binary_search(&hash).is_ok() || !self.waiting.insert(hash) {
            return false;
        }
        if self.waiting.len() >= WAITING {
            let mut all = Vec::with_capacity(self.ordered.len() + self.waiting.len());
            all.append(&mut self.ordered);
            all.extend(self.waiting.drain());
            // Two runs in order, which this sort merges.
            all.sort();
            self.ordered = all;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_new_once() {
        let mut ids = Ids::default();
        assert_eq!(["a", "b", "a", ""].map(|id| ids.add(id)), [true, true, false, true]);
        let many = || (0..300_000).map(|id| format!("case-{id}"));
        assert!(many().all(|id| ids.add(&id)));
        assert!(!many().any(|id| ids.add(&id)));
        assert!(ids.parts.iter().all(|part| !part.ordered.is_empty() && part.waiting.len() < WAITING));
    }
}
