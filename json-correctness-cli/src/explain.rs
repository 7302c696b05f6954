//! `explain`: what a violation's code means.

use clap::Args;

use crate::{
    failure::{Failure, Gate},
    nearest::nearest,
    screen::Screen,
};

/// The page that describes every code; each section is tested to give what it says.
const PAGE: &str = include_str!("../violations.md");

/// Explain the code of a violation, such as JC0102; without one, list all
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The code
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Gate, Failure> {
        let Some(code) = self.code else {
            for (code, title, _) in sections() {
                screen.line(format!("{code}  {title}"))?;
            }
            return Ok(Gate::Holds);
        };
        let asked = code.trim().to_uppercase();
        let Some((code, title, body)) = sections().find(|(known, _, _)| *known == asked) else {
            let shown: String = code.chars().take(60).collect();
            let known: Vec<&str> = sections().map(|(code, _, _)| code).collect();
            let near = nearest(&asked, known).map(|near| format!("did you mean {near}? "));
            return Err(Failure::set_up(format!("there is no violation with the code `{shown}`"))
                .help(format!("{}`json-correctness explain` lists all codes", near.unwrap_or_default())));
        };
        screen.line(format!("{code}: {title}\n\n{}", body.trim()))?;
        Ok(Gate::Holds)
    }
}

/// Code, title and text of each section.
fn sections() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PAGE.split("\n## ").skip(1).filter_map(|section| {
        let (head, body) = section.split_once('\n')?;
        let (code, title) = head.split_once(": ")?;
        Some((code, title, body))
    })
}
