//! Parts of the documents that tests write: between `<!-- name -->` and `<!-- end -->`.

use std::{fmt::Write as _, fs, path::Path};

/// The text of a document of the repository.
///
/// # Panics
///
/// It cannot be read.
#[must_use]
pub fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Checks that the marked part of a document is this text; with `UPDATE_DOCS` set, writes it.
///
/// # Panics
///
/// The part is missing or differs.
pub fn check(name: &str, part: &str, text: &str) {
    let page = page(name);
    let marker = format!("<!-- {part} -->\n");
    let start =
        page.find(&marker).unwrap_or_else(|| panic!("{name} has no `{}`", marker.trim())) + marker.len();
    let length = page[start..].find("<!-- end -->").unwrap_or_else(|| panic!("{part} of {name} has no end"));
    let wanted = format!("\n{}\n\n", text.trim());
    if page[start..start + length] == wanted {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let updated = format!("{}{wanted}{}", &page[..start], &page[start + length..]);
        fs::write(path, updated).unwrap_or_else(|error| panic!("{name}: {error}"));
        return;
    }
    panic!(
        "{part} of {name} is out of date; UPDATE_DOCS=1 writes it anew:\n{wanted}\ninstead of\n{}",
        &page[start..start + length]
    );
}

/// A Markdown table; the first row is its head.
#[must_use]
pub fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
        if index == 0 {
            let _ = writeln!(text, "|{}", "---|".repeat(N));
        }
    }
    text
}
