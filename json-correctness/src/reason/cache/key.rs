//! What a reason depends on, as one number.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::reason::ReasonRequest;

/// How many bytes a key has.
pub(super) const BYTES: usize = 32;

/// Changes whenever the parts of a key or their form do.
const FORM: &[u8] = b"json-correctness reasons 1";

/// The name of one question: what is asked, and of whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::reason) struct Key([u8; BYTES]);

impl Key {
    /// The key of a request. The fingerprints say what else shapes the reason: what the user set, and what the
    /// reasoner tells.
    pub(in crate::reason) fn of(request: &ReasonRequest, set: Option<&str>, told: Option<&str>) -> Self {
        let ReasonRequest { case, metric, schema, violations, differences, score, threshold, built_in } =
            request;
        let mut parts = Parts(Sha256::new());
        parts.push(FORM);
        parts.push_some(set.map(str::as_bytes));
        parts.push_some(told.map(str::as_bytes));
        parts.push(metric.as_bytes());
        parts.push(&score.to_bits().to_le_bytes());
        parts.push(&threshold.to_bits().to_le_bytes());
        parts.push(built_in.as_bytes());
        parts.push(case.input.as_bytes());
        parts.push(case.actual_output.as_bytes());
        parts.push_some(case.expected_output.as_ref().map(|output| output.as_bytes()));
        parts.push(&digest(&**violations));
        parts.push(&digest(&**differences));
        parts.push_some(schema.as_ref().map(|schema| digest(schema.schema())).as_ref().map(|it| &it[..]));
        Self(parts.0.finalize().into())
    }

    /// Half of it, which tells keys apart well enough to find an entry.
    pub(super) fn half(&self) -> &[u8; BYTES / 2] {
        // Never absent: a half is shorter.
        self.0.first_chunk().unwrap_or(&[0; BYTES / 2])
    }

    /// In hexadecimal digits.
    pub(super) fn text(&self) -> String {
        hex(&self.0)
    }

    /// The sum by which an entry shows that it is whole.
    pub(super) fn sum(&self, reason: &str) -> String {
        let mut parts = Parts(Sha256::new());
        parts.push(&self.0);
        parts.push(reason.as_bytes());
        hex(&parts.0.finalize()[..8])
    }
}

/// Parts of any length, told apart by their lengths in front.
struct Parts(Sha256);

impl Parts {
    fn push(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn push_some(&mut self, part: Option<&[u8]>) {
        self.push(&[u8::from(part.is_some())]);
        self.push(part.unwrap_or_default());
    }
}

/// The digest of a value's JSON, which is never there as a whole.
fn digest<T: Serialize + ?Sized>(value: &T) -> [u8; BYTES] {
    struct Hashed(Sha256);
    impl Write for Hashed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hashed = Hashed(Sha256::new());
    // Nothing of ours refuses to be written, and a digest does not either.
    let _ = serde_json::to_writer(&mut hashed, value);
    hashed.0.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
