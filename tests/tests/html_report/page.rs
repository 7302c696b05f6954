//! A page as the elements and attributes that stand in it.

use std::collections::BTreeSet;

/// A start tag: its name, and its attributes.
type Tag = (String, Vec<(String, String)>);

/// The start tags of HTML as a browser writes it, or as this library does: attributes are quoted, and no
/// quote stands in them as it is.
fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if !rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        let end = rest.find(|c: char| c == '>' || c == '/' || c.is_whitespace()).expect("a name");
        let name = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            if let Some(behind) = rest.strip_prefix('>') {
                rest = behind;
                break;
            }
            let end = rest.find(|c: char| c == '=' || c == '>' || c.is_whitespace()).expect("an attribute");
            let attribute = rest[..end].to_ascii_lowercase();
            rest = &rest[end..];
            let mut value = "";
            if let Some(quoted) = rest.strip_prefix("=\"") {
                (value, rest) = quoted.split_once('"').expect("a closing quote");
            } else {
                assert!(!rest.starts_with('='), "a value without quotes in {name}");
            }
            attributes.push((attribute, value.to_owned()));
        }
        if ["script", "style", "title", "noscript"].contains(&name.as_str()) {
            rest = &rest[rest.find(&format!("</{name}")).expect("its end")..];
        }
        tags.push((name, attributes));
    }
    tags
}

/// Nothing in the page is more than the page's own elements and attributes.
pub(crate) fn assert_harmless(html: &str) {
    const TAGS: &str = "a article body button circle code dd details div dl dt figcaption figure form h1 h2 h3 \
        h4 head header html i input label li main mark meta nav noscript option p path pre rect script section \
        select span strong style summary svg table tbody td th thead title tr ul br caption";
    const ATTRIBUTES: &str = "aria-expanded aria-hidden aria-label aria-labelledby autocomplete charset class \
        colspan content d data-faults data-name for height hidden href http-equiv id lang name placeholder \
        preserveaspectratio rel role scope spellcheck tabindex target title type value viewbox width x y disabled";
    let known: BTreeSet<&str> = TAGS.split_whitespace().collect();
    let known_attributes: BTreeSet<&str> = ATTRIBUTES.split_whitespace().collect();
    let tags = tags(html);
    assert!(tags.len() > 50, "the page is there");
    let mut scripts = 0;
    for (name, attributes) in &tags {
        assert!(known.contains(name.as_str()), "an element {name}");
        scripts += usize::from(name == "script");
        for (attribute, value) in attributes {
            assert!(known_attributes.contains(attribute.as_str()), "an attribute {attribute} of {name}");
            if attribute == "href" {
                let outside = value.starts_with("https://example.org/");
                assert!(value.starts_with('#') || outside, "a link to {value}");
            }
        }
    }
    assert_eq!(scripts, 2, "the data, and the page's own script");
    for hidden in ['\0', '\u{1b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{2028}', '\u{2029}'] {
        assert!(!html.contains(hidden), "{hidden:?} stands in the page");
    }
}
