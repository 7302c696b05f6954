//! Rows of CSV files.

use std::io::BufRead;

use csv::{ByteRecord, Reader, ReaderBuilder, Trim};

use super::json::Place;
use crate::error::Error;

/// The records of a CSV file.
pub(crate) struct CsvRows {
    reader: Reader<Box<dyn BufRead + Send>>,
    record: ByteRecord,
    columns: Vec<String>,
}

impl CsvRows {
    pub(crate) fn new(bytes: Box<dyn BufRead + Send>, delimiter: u8, name: &str) -> Result<Self, Error> {
        let mut reader =
            ReaderBuilder::new().delimiter(delimiter).flexible(true).trim(Trim::Headers).from_reader(bytes);
        let header = reader.headers().map_err(|error| {
            Error::data(format!("the names of the columns of {name} cannot be read: {error}"))
        })?;
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        for (index, column) in columns.iter().enumerate() {
            if columns[..index].contains(column) {
                return Err(Error::data(format!("{name} has two columns `{column}`: rename one")));
            }
        }
        Ok(Self { reader, record: ByteRecord::new(), columns })
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Reads the next record.
    pub(crate) fn next(&mut self) -> csv::Result<Option<Place>> {
        if !self.reader.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        let (line, offset) =
            self.record.position().map_or((0, 0), |position| (position.line(), position.byte()));
        let (cells, named) = (self.record.len(), self.columns.len());
        let fault = (cells != named)
            .then(|| format!("it has {cells} cells, and the first record names {named} columns"));
        Ok(Some(Place { line, offset, fault }))
    }

    /// The cells of the record that was read last.
    pub(crate) fn cells(&self) -> Result<Vec<(&str, &str)>, String> {
        let cells = self.columns.iter().zip(self.record.iter());
        cells
            .map(|(column, cell)| match std::str::from_utf8(cell) {
                Ok(cell) => Ok((column.as_str(), cell)),
                Err(error) => {
                    Err(format!("its column `{column}` is not UTF-8 from byte {} on", error.valid_up_to()))
                }
            })
            .collect()
    }
}
