//! Runs the command line.
#![allow(dead_code, reason = "no test uses all of it")]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The command, in the directory of the test data, with an environment that says nothing of colours.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_json-correctness"));
    command.current_dir(data());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CI", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// The directory of the test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// What a run said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// Runs the command with the arguments of a line, separated by blanks.
pub(crate) fn run(line: &str) -> Said {
    command().args(line.split_whitespace()).stdin(Stdio::null()).output().expect("runs").into()
}

/// As [`run`], with a text on standard input.
pub(crate) fn run_with(line: &str, input: &str) -> Said {
    let mut child = command()
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    // A command that does not read closes the pipe.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("ends").into()
}
