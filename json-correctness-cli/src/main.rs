//! The command line of `json-correctness`: arguments and output. Whatever judges or computes stands in
//! the library.

mod check;
mod compare;
mod completions;
mod eval;
mod explain;
mod failure;
mod input;
mod judged;
mod man;
mod measure;
mod nearest;
mod reasons;
mod schema;
mod screen;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    failure::{Failure, Gate},
    screen::Screen,
};

/// Is the JSON that a language model returned right, and if not, what exactly is wrong, and where?
#[derive(Debug, Parser)]
#[command(name = "json-correctness", version, after_help = EXIT_CODES, subcommand_required = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    every gate holds
  1    a gate failed: an output is wrong, a pass rate is too low, or nothing was judged
  2    bad usage or set-up
  74   a file could not be read or written
  130  interrupted";

#[derive(Debug, Subcommand)]
enum Command {
    Eval(Box<eval::Eval>),
    Check(check::CheckOutput),
    Compare(compare::Compare),
    Explain(explain::Explain),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::Man),
}

fn main() -> ExitCode {
    let ended = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(answer) => return said_by_parser(&answer),
    };
    match ended {
        Ok(gate) => gate.into(),
        Err(failure) => failure.tell(),
    }
}

fn run(command: Command) -> Result<Gate, Failure> {
    let mut screen = Screen::new();
    let gate = match command {
        Command::Eval(eval) => eval.run(&mut screen),
        Command::Check(check) => check.run(&mut screen),
        Command::Compare(compare) => compare.run(&mut screen),
        Command::Explain(explain) => explain.run(&mut screen),
        Command::Schema(schema) => schema.run(&mut screen),
        Command::Completions(completions) => completions.run(&mut screen, Arguments::command()),
        Command::Man(man) => man.run(&mut screen, Arguments::command()),
    }?;
    screen.finish()?;
    Ok(gate)
}

/// Help and version, or what is wrong with the arguments.
fn said_by_parser(answer: &clap::Error) -> ExitCode {
    match answer.print() {
        Err(error) if !answer.use_stderr() => Failure::output(&error).tell(),
        _ => ExitCode::from(answer.exit_code().try_into().unwrap_or(failure::SET_UP)),
    }
}
