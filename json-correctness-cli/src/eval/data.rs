//! The rows of a run, from all its files.

use std::{collections::VecDeque, path::Path};

use json_correctness::{Dataset, Error, Format, Limits, Row, Rows};

use super::{Eval, reports::Report};
use crate::{failure::Failure, input, measure::pair};

/// How many rows of a file are looked at before the run.
const PEEKED: usize = 100;

/// The rows of the files, one file behind the other.
pub(super) struct Data {
    peeked: VecDeque<Result<Row, Error>>,
    first: Option<Rows>,
    others: VecDeque<Dataset>,
}

impl Data {
    /// Opens the first file; the others are opened in their turn, so that there may be very many.
    pub(super) fn open(options: &Eval) -> Result<Self, Failure> {
        if options.data.is_empty() {
            return Err(Failure::set_up("there is no file of outputs")
                .help("name one: `json-correctness eval outputs.jsonl`, or `-` for standard input"));
        }
        input::one_stdin(options.data.iter().chain(&options.measure.schema))?;
        let mut datasets = VecDeque::new();
        for path in &options.data {
            // A file that is not there is found before anything is judged.
            if path != Path::new(input::STDIN) {
                std::fs::metadata(path).map_err(|error| {
                    let failure = Failure::file("read", path, &error);
                    match Report::all(&[path.display().to_string()]) {
                        Ok(_) => failure.help(format!("did you mean `--report {}`?", path.display())),
                        Err(_) => failure,
                    }
                })?;
            }
            datasets.push_back(dataset(path, options)?);
        }
        let mut first = datasets.pop_front().map(Dataset::rows).transpose()?;
        let peeked = first.as_mut().map(|rows| rows.take(PEEKED).collect()).unwrap_or_default();
        Ok(Self { peeked, first, others: datasets })
    }

    /// Whether the first rows have schemas of their own.
    pub(super) fn has_schemas(&self) -> bool {
        self.peeked.iter().flatten().any(|row| row.case.json_schema.is_some())
    }
}

impl Iterator for Data {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.peeked.pop_front().or_else(|| self.first.as_mut()?.next()) {
                return Some(row);
            }
            match self.others.pop_front()?.rows() {
                Ok(rows) => self.first = Some(rows),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn dataset(path: &Path, options: &Eval) -> Result<Dataset, Failure> {
    let mut dataset = if path == Path::new(input::STDIN) {
        Dataset::from_reader("standard input", std::io::stdin())
    } else {
        Dataset::open(path)
    };
    if let Some(name) = &options.data_format
        && let Some((_, format)) = Format::ALL.iter().find(|(known, _)| known == name)
    {
        dataset = dataset.format(*format);
    }
    for given in &options.map {
        let (field, column) = pair("--map", given, "FIELD=COLUMN")?;
        dataset = dataset.column(&field.replace('-', "_"), column)?;
    }
    let bytes = options.measure.limit.iter().rev().find_map(|given| {
        let (name, number) = given.split_once('=')?;
        (name.replace('-', "_") == "max_row_bytes").then(|| number.parse().ok())?
    });
    Ok(match bytes {
        Some(bytes) => dataset.limits(Limits::default().max_row_bytes(bytes)),
        None => dataset,
    })
}
