//! `schema lint`: what is wrong with a schema.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use json_correctness::{Limits, Lint, Severity, for_terminal, lint_schema};
use serde_json::Value;

use crate::{
    check::shown,
    failure::{Failure, Gate},
    input,
    judged::Format,
    screen::Screen,
};

/// Look after schemas
#[derive(Args, Debug)]
pub(crate) struct Schema {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lint(LintFile),
}

/// Find what is wrong with a schema: what does not compile, what asserts nothing, and what passes that
/// should not
///
/// To see what it lets pass, outputs that the schema accepts are changed in one place each. Fails where
/// an error is found. Findings of these names are errors: does-not-compile, misspelt-keyword,
/// ignored-beside-ref, required-but-forbidden, example-fails, accepts-everything.
#[derive(Args, Debug)]
struct LintFile {
    /// The file that holds the schema, `-` for standard input
    file: PathBuf,
    /// A file that holds an output which the schema should accept; may be given several times
    #[arg(long, value_name = "FILE")]
    example: Vec<PathBuf>,
    /// Fail where a warning is found, too
    #[arg(long)]
    deny_warnings: bool,
    /// Whether to print for a person or for a program
    #[arg(long, value_name = "FORM", default_value = "plain")]
    format: Format,
}

impl Schema {
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Gate, Failure> {
        let Command::Lint(lint) = self.command;
        lint.run(screen)
    }
}

impl LintFile {
    fn run(self, screen: &mut Screen) -> Result<Gate, Failure> {
        input::one_stdin(std::iter::once(&self.file).chain(&self.example))?;
        let schema = input::schema(&self.file)?;
        let mut examples = Vec::new();
        for path in &self.example {
            let text = input::text(path)?;
            examples.push(serde_json::from_str::<Value>(&text).map_err(|error| {
                Failure::set_up(format!("{}: the example is not JSON: {error}", path.display()))
                    .help(format!("`json-correctness check {}` tells why", path.display()))
            })?);
        }
        let lints = lint_schema(&schema, &examples, &Limits::default());
        match self.format {
            Format::Json => screen.json(&lints)?,
            Format::Plain => show(screen, &lints, &shown(&self.file))?,
        }
        let worst = if self.deny_warnings { Severity::Warning } else { Severity::Error };
        Ok(lints.iter().all(|lint| lint.severity < worst).into())
    }
}

fn show(screen: &mut Screen, lints: &[Lint], file: &str) -> Result<(), Failure> {
    for lint in lints {
        let place = if lint.pointer.is_root() { "(root)" } else { lint.pointer.as_str() };
        let (color, reset) = match (screen.color(), lint.severity) {
            (false, _) => ("", ""),
            (true, Severity::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
            (true, Severity::Warning) => ("\u{1b}[1;33m", "\u{1b}[0m"),
            (true, _) => ("\u{1b}[1;36m", "\u{1b}[0m"),
        };
        let message = line(&lint.message);
        screen.line(format!("{color}{}[{}]{reset}: {message}", lint.severity, lint.name))?;
        screen.line(format!(" --> {}: {}", line(file), line(place)))?;
        if let Some(help) = &lint.help {
            screen.line(format!("  = help: {}", line(help)))?;
        }
        screen.line("")?;
    }
    let counted = |severity| {
        let count = lints.iter().filter(|lint| lint.severity == severity).count();
        format!("{count} {severity}{}", if count == 1 { "" } else { "s" })
    };
    screen.line([Severity::Error, Severity::Warning, Severity::Note].map(counted).join(", "))
}

/// On one line, harmless for a terminal.
fn line(text: &str) -> String {
    for_terminal(text).replace('\n', "␊")
}
