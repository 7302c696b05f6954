//! The results that an evaluation holds.

use super::Record;
use crate::check::Outcome;

/// About how many bytes a record takes beside its texts.
const RECORD_BYTES: usize = 400;

/// Keeps results within a bound: those that passed go first.
pub(crate) struct Kept {
    records: Vec<Record>,
    max_bytes: usize,
    bytes: usize,
    passed_go: bool,
    omitted: u64,
}

impl Kept {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { records: Vec::new(), max_bytes, bytes: 0, passed_go: false, omitted: 0 }
    }

    pub(crate) fn add(&mut self, record: Record) {
        let passed = |record: &Record| record.outcome == Outcome::Passed;
        if self.passed_go && passed(&record) {
            self.omitted += 1;
            return;
        }
        let size = size(&record);
        if self.bytes.saturating_add(size) > self.max_bytes && !self.passed_go {
            self.passed_go = true;
            let before = self.records.len();
            self.records.retain(|record| !passed(record));
            self.omitted += (before - self.records.len()) as u64;
            self.bytes = self.records.iter().map(self::size).sum();
            return self.add(record);
        }
        if self.bytes.saturating_add(size) > self.max_bytes {
            self.omitted += 1;
            return;
        }
        self.bytes += size;
        self.records.push(record);
    }

    pub(crate) fn into_parts(self) -> (Vec<Record>, u64) {
        (self.records, self.omitted)
    }
}

fn size(record: &Record) -> usize {
    let findings = record.violations.iter().map(|found| {
        let help = found.help.as_ref().map_or(0, String::len);
        RECORD_BYTES / 2 + found.message.len() + found.pointer.len() + help
    });
    let differences = record.differences.iter().map(|difference| {
        let texts = [&difference.expected, &difference.found];
        RECORD_BYTES / 2 + texts.into_iter().flatten().map(String::len).sum::<usize>()
    });
    let metadata = record.metadata.iter().map(|(name, value)| name.len() + 64 + weight(value));
    let texts = [&record.reason, &record.reason_error, &record.label, &record.href, &record.file];
    RECORD_BYTES
        + findings.chain(differences).chain(metadata).sum::<usize>()
        + texts.into_iter().flatten().map(String::len).sum::<usize>()
        + record.output.as_ref().map_or(0, |output| output.text.len())
}

fn weight(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::String(text) => text.len(),
        serde_json::Value::Array(items) => items.iter().map(|item| 32 + weight(item)).sum(),
        serde_json::Value::Object(members) => {
            members.iter().map(|(name, value)| name.len() + 64 + weight(value)).sum()
        }
        _ => 0,
    }
}
