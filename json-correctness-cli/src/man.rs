//! `man`: the manual.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man as Page;

use crate::{
    failure::{Failure, Gate},
    screen::Screen,
};

/// Print the manual page, or write the pages of all commands into a directory
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Write `json-correctness.1` and a page for each command into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(self, screen: &mut Screen, command: Command) -> Result<Gate, Failure> {
        match self.out {
            Some(directory) => clap_mangen::generate_to(command, &directory)
                .map_err(|error| Failure::file("write", &directory, &error))?,
            None => {
                let mut page = Vec::new();
                Page::new(command).render(&mut page).map_err(|error| Failure::output(&error))?;
                screen.raw(&page)?;
            }
        }
        Ok(Gate::Holds)
    }
}
