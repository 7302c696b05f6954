//! Where the cases of a run come from: files of rows.

mod cells;
mod columns;
mod csv;
mod json;
mod object;
mod open;
mod peek;
mod row;
mod shared;

use std::{fmt, io::Read, path::PathBuf};

pub use columns::Columns;
pub(crate) use row::Fault;
pub use row::{IntoRow, Row};

use self::{open::Opened, peek::Peeked};
use crate::{error::Error, text::Limits};

/// How the rows of a dataset are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// One JSON array of objects, or JSON objects behind one another.
    Json,
    /// Comma-separated values, the names of the columns in the first record.
    Csv,
    /// As [`Format::Csv`], with tabs.
    Tsv,
}

impl Format {
    /// The names by which configurations call the formats.
    pub const ALL: [(&'static str, Self); 4] =
        [("jsonl", Self::Jsonl), ("json", Self::Json), ("csv", Self::Csv), ("tsv", Self::Tsv)];
}

/// A file of rows, each of which is a [`TestCase`](crate::TestCase).
///
/// JSONL, a JSON array, CSV or TSV, plain or compressed by gzip or Zstandard; which of them is told by
/// the name and the first bytes. Rows are read one by one, so that a file may be larger than the
/// memory.
///
/// The columns `id`, `input`, `actual_output`, `expected_output`, `json_schema`, `weights`, `label`,
/// `href` and `tags` are the fields of a case; [`Dataset::column`] maps others to them. All other
/// columns are metadata. A cell of `actual_output`, `expected_output`, `json_schema` or `weights` is
/// the text of a JSON value, or in a JSON file also the value itself. Where exactly one row of a file
/// has a `json_schema`, it serves all rows (as SAP AI Core has it).
///
/// A row that cannot be read is one errored result, at its line; the rows behind it are read all the
/// same. A row without `actual_output` is skipped.
///
/// ```
/// use json_correctness::{Checks, Dataset, JsonValidity, evaluate};
///
/// let rows = "{\"actual_output\": \"[1]\"}\n{\"actual_output\": \"[1,]\"}\n";
/// let rows = Dataset::from_reader("answers.jsonl", rows.as_bytes()).rows()?;
/// let evaluation = evaluate(rows, Checks::new().with(JsonValidity::new()))?;
/// assert_eq!(evaluation.summary.metrics[0].pass_rate, Some(0.5));
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[must_use]
pub struct Dataset {
    name: String,
    origin: Origin,
    format: Option<Format>,
    columns: Columns,
    limits: Limits,
}

/// Where the bytes come from.
enum Origin {
    Path(PathBuf),
    Reader(Box<dyn Read + Send>),
}

impl Dataset {
    /// The dataset in a file.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::new(path.display().to_string(), Origin::Path(path))
    }

    /// The dataset that a reader gives. It is called by the name, whose ending tells the format; what
    /// the reader gives is kept in a temporary file while the rows are read.
    pub fn from_reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Self::new(name.into(), Origin::Reader(Box::new(reader)))
    }

    fn new(name: String, origin: Origin) -> Self {
        Self { name, origin, format: None, columns: Columns::default(), limits: Limits::default() }
    }

    /// Sets the format, which is else told by the name and the first bytes.
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Takes a field of the cases from the column of another name.
    ///
    /// # Errors
    ///
    /// There is no such field.
    pub fn column(mut self, field: &str, column: impl Into<String>) -> Result<Self, Error> {
        self.columns.set(field, column.into())?;
        Ok(self)
    }

    /// Takes the fields of the cases from these columns.
    pub fn columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// Sets the limits; of them, [`Limits::max_row_bytes`] counts.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Opens the dataset, and looks at the columns of the first rows.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not UTF-8, or has no column for a field that is mapped or for
    /// `actual_output`; the message then names the columns that it has.
    pub fn rows(self) -> Result<Rows, Error> {
        let opened = Opened::new(self.name, self.origin, self.format, &self.limits)?;
        let rows = Peeked::new(opened, self.columns)?;
        Ok(Rows { rows, ended: false })
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("name", &self.name)
            .field("format", &self.format)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

/// The rows of a dataset, in their order. An error is the last item: the file cannot be read on.
#[must_use]
pub struct Rows {
    rows: Peeked,
    ended: bool,
}

impl Iterator for Rows {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let row = self.rows.next();
        self.ended = !matches!(row, Some(Ok(_)));
        row
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}
