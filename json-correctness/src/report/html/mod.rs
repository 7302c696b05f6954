//! A run as one HTML page that needs nothing beside itself.

// Writing to a `String` cannot fail.
macro_rules! put {
    ($html:expr, $($format:tt)*) => { let _ = write!($html, $($format)*); };
}

mod cards;
mod data;
mod fields;
mod numbers;
mod sections;
mod text;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::evaluate::Evaluation;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

impl Evaluation {
    /// The run as an HTML page: what it comes to, the scores, the worst fields, and a table of the
    /// results with the faults underlined in each output.
    ///
    /// The page is one file that loads nothing and works from the file system. Without scripts it still
    /// shows the summary and the fields. What is selected stands in the address, behind `#`
    /// (`#outcome=failed&metric=json_diff&q=invoice`), so that a view can be linked to: `q` is a text
    /// to look for, `outcome`, `metric`, `code`, `field`, `tag` and `row` select, `page` counts from 1.
    ///
    /// The texts of the model and of the dataset are harmless in it: they are escaped, control characters
    /// and those that are invisible or turn the reading direction are shown as `␛` and the like, and a
    /// content security policy forbids every script and style but the page's own. An `href` becomes a link
    /// only where it is `http:`, `https:` or relative.
    ///
    /// The page holds at most 20,000 results and 32 MiB of them; results that passed are left out first,
    /// then those that were skipped. Texts over 4 KiB are shortened, outputs over 16 KiB. It says what
    /// is left out.
    ///
    /// ```
    /// use json_correctness::{Checks, JsonValidity, TestCase, evaluate};
    ///
    /// let cases = [TestCase::new("", "[1, 2"), TestCase::new("", "<script>")];
    /// let page = evaluate(cases, Checks::new().with(JsonValidity::new()))?.to_html();
    /// assert!(page.starts_with("<!doctype html>") && page.contains("json_validity"));
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    #[must_use]
    pub fn to_html(&self) -> String {
        let data = data::Data::of(self);
        let mut html = String::with_capacity(data.json.len() + (256 << 10));
        // The parts are written in one pass, so that a text which looks like a place stays a text.
        for part in PAGE.split("{{") {
            let Some((place, rest)) = part.split_once("}}") else {
                html.push_str(part);
                continue;
            };
            match place {
                "policy" => html.push_str(&policy()),
                "style" => html.push_str(STYLE),
                "script" => html.push_str(SCRIPT),
                "title" => sections::title(&mut html, self),
                "header" => sections::header(&mut html, self),
                "metrics" => cards::metrics(&mut html, self),
                "fields" => fields::fields(&mut html, self),
                "left_out" => sections::left_out(&mut html, &data),
                "data" => html.push_str(&data.json),
                _ => debug_assert!(false, "the page has a place {place} that nothing fills"),
            }
            html.push_str(rest);
        }
        html
    }
}

/// Nothing may be loaded or run but the page's own style and script, told by their hashes.
fn policy() -> String {
    let mut policy = String::from("default-src 'none'; base-uri 'none'; form-action 'none'");
    for (kind, content) in [("style", STYLE), ("script", SCRIPT)] {
        let _ = write!(policy, "; {kind}-src 'sha256-{}'", base64(&Sha256::digest(content.as_bytes())));
    }
    policy
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().enumerate().fold(0, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(if digit <= chunk.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    /// A browser hashes what it reads: one line end for two would break the hash, and so the page.
    #[test]
    fn the_page_is_made_of_what_is_hashed() {
        for own in [STYLE, SCRIPT] {
            assert!(!own.contains('\r') && !own.contains("</"), "it would end or change in the page");
            assert!(own.is_ascii(), "what is typed in escapes cannot be mangled");
        }
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("insertAdjacent"));
    }
}
