//! One row of a dataset.

use std::sync::Arc;

use crate::{case::TestCase, error::Error};

/// A case as it stands in a dataset, or what is wrong with its row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The file, where there is one.
    pub file: Option<Arc<str>>,
    /// The line at which the row begins, from 1.
    pub line: Option<u64>,
    /// The case; of a row that cannot be read, what could be.
    pub case: TestCase,
    pub(crate) fault: Option<Fault>,
}

/// Why a row is no case.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// It cannot be read: the result is errored.
    Unreadable(String),
    /// There is nothing to judge: the result is skipped.
    Nothing(String),
}

impl Row {
    /// A row that cannot be read.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self::from(TestCase::new("", "")).with_fault(Fault::Unreadable(message.into()))
    }

    pub(crate) fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    pub(crate) fn at(mut self, file: &Arc<str>, line: u64) -> Self {
        self.file = Some(Arc::clone(file));
        self.line = Some(line);
        self
    }
}

impl From<TestCase> for Row {
    fn from(case: TestCase) -> Self {
        Self { file: None, line: None, case, fault: None }
    }
}

/// What a run takes as a row: a [`TestCase`], a [`Row`], or what a dataset yields.
pub trait IntoRow {
    /// The row.
    ///
    /// # Errors
    ///
    /// The dataset cannot be read on.
    fn into_row(self) -> Result<Row, Error>;
}

impl IntoRow for TestCase {
    fn into_row(self) -> Result<Row, Error> {
        Ok(self.into())
    }
}

impl IntoRow for &TestCase {
    fn into_row(self) -> Result<Row, Error> {
        Ok(self.clone().into())
    }
}

impl IntoRow for Row {
    fn into_row(self) -> Result<Row, Error> {
        Ok(self)
    }
}

impl IntoRow for Result<Row, Error> {
    fn into_row(self) -> Result<Row, Error> {
        self
    }
}
