//! Each row of a dataset as a test of its own.

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use tracing::Span;

use crate::{
    check::Outcome,
    dataset::{Dataset, Row},
    error::Error,
    evaluate::{Checks, Judged, Record},
    report,
};

/// Makes each row of a dataset a test with a name of its own, for every check:
/// `json_validity::the_id_of_the_row`. It is the whole of a test file with `harness = false`:
///
/// ```toml
/// [[test]]
/// name = "tickets"
/// harness = false
/// ```
///
/// ```no_run
/// use json_correctness::{Checks, Dataset, JsonSchemaMatch, test_rows};
///
/// test_rows!(Dataset::open("tests/tickets.jsonl"), Checks::new().with(JsonSchemaMatch::new()));
/// ```
///
/// `cargo test some_id` and nextest find the tests by their names, and the usual options (`--list`,
/// `--exact`, `--test-threads`, …) hold. A row that passes is a test that passes, one that fails or
/// cannot be judged a test that fails, with the report; a row that is skipped is an ignored test. A path
/// is relative to the folder of the package. Where the dataset cannot be read, or has no row, the run
/// fails.
///
/// It needs the feature `harness`.
#[macro_export]
macro_rules! test_rows {
    ($dataset:expr, $checks:expr $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::run_rows($dataset, $checks)
        }
    };
}

/// Runs the rows as tests.
pub fn run_rows(dataset: Dataset, checks: Checks) -> std::process::ExitCode {
    let arguments = Arguments::from_args();
    match trials(dataset, &checks) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("error: {}", report::for_terminal(&error.to_string()));
            std::process::ExitCode::from(101)
        }
    }
}

fn trials(dataset: Dataset, checks: &Checks) -> Result<Vec<Trial>, Error> {
    checks.described()?;
    let mut rows: Vec<(String, Row)> = Vec::new();
    for (index, row) in dataset.rows()?.enumerate() {
        let row = row?;
        let id = row.case.id.clone().unwrap_or_else(|| format!("#{}", index + 1));
        rows.push((id, row));
    }
    if rows.is_empty() {
        return Err(Error::data("the dataset has no row, and that is no pass"));
    }
    Ok(trials_of(rows, checks))
}

fn trials_of(rows: Vec<(String, Row)>, checks: &Checks) -> Vec<Trial> {
    let mut names = std::collections::HashSet::new();
    let mut trials = Vec::new();
    for (number, (id, row)) in rows.into_iter().enumerate() {
        for named in checks.as_slice() {
            let mut name = format!("{}::{}", named.name, report::for_terminal_line(&id));
            // Two tests of one name could not be told apart; the samples of one id get their row's number.
            if !names.insert(name.clone()) {
                name = format!("{name}#{}", number + 1);
            }
            let (named, row, id) = (named.clone(), row.clone(), id.clone());
            trials.push(Trial::ignorable_test(name, move || {
                let judged = Judged::of(number as u64 + 1, &id, &row, &named, &Span::none());
                let Judged { record, verdict, .. } = judged.worded(&named);
                match (record.outcome, verdict) {
                    (Outcome::Passed, _) => Ok(Completion::Completed),
                    (Outcome::Skipped, _) => Ok(Completion::ignored_with(reason(&record))),
                    (_, Some(verdict)) => Err(Failed::from(place(&record) + &verdict.to_string())),
                    (_, None) => Err(Failed::from(place(&record) + &reason(&record))),
                }
            }));
        }
    }
    trials
}

fn reason(record: &Record) -> String {
    report::for_terminal(record.reason.as_deref().unwrap_or_default()).into_owned()
}

/// Where the row stands.
fn place(record: &Record) -> String {
    match (&record.file, record.line) {
        (Some(file), Some(line)) => format!("{}:{line}\n", report::for_terminal_line(file)),
        _ => String::new(),
    }
}
