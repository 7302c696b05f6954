//! `Document` and `serde_json` agree on what is well formed, for any bytes; what is well formed has
//! the same value, and what is not has a slip whose span lies in the text.
//!
//! The one written exception: numbers whose size is at the border of 64-bit floats.

#![no_main]

use json_correctness::{Document, Extraction, Limits, Slip};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    let theirs = serde_json::from_slice::<Value>(bytes);
    match (Document::from_slice(bytes, &limits), theirs) {
        (Ok(document), Ok(value)) => assert_eq!(document.root().to_value(), value),
        (Err(error), Err(_)) => {
            assert!(error.span.start <= error.span.end && error.span.end <= bytes.len(), "{error:?}");
            assert!(error.slip != Slip::Unexpected || !error.detail.is_empty(), "{error:?}");
        }
        (Err(error), Ok(_)) => assert_eq!(error.slip, Slip::NumberOutOfRange, "{error:?}"),
        (Ok(_), Err(error)) => assert!(error.to_string().starts_with("number out of range"), "{error}"),
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        for extraction in [Extraction::Fenced, Extraction::Embedded] {
            if let Ok(extracted) = extraction.extract(text, &limits) {
                let _ = Document::parse_part(text, extracted.span, &limits);
            }
        }
    }
});
