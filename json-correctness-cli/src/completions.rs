//! `completions`: what a shell needs to complete a command line.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{
    failure::{Failure, Gate},
    screen::Screen,
};

/// Print the completions for a shell
///
/// For example, for bash: `json-correctness completions bash > ~/.local/share/bash-completion/completions/json-correctness`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, screen: &mut Screen, mut command: Command) -> Result<Gate, Failure> {
        // Into memory first: the generator panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "json-correctness", &mut script);
        screen.raw(&script)?;
        Ok(Gate::Holds)
    }
}
