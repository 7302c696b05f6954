//! From rows as they are written to rows of cases.

use super::{
    cells::{Cases, Cell},
    columns::{Columns, Field},
    json::Place,
    object::Object,
    open::{Opened, Written, unreadable},
    row::Row,
    shared::shared_schema,
};
use crate::{error::Error, text::Limits};

/// In how many rows the columns of a JSON file are looked for.
const PEEKED_ROWS: usize = 100;

/// The rows of an opened dataset, once its first rows have been looked at.
pub(crate) struct Peeked {
    opened: Opened,
    columns: Columns,
    written: Written,
    buffer: Vec<u8>,
    cases: Cases,
    /// The schema that a single row gives to all.
    schema: Option<std::sync::Arc<serde_json::Value>>,
}

impl Peeked {
    pub(crate) fn new(opened: Opened, columns: Columns) -> Result<Self, Error> {
        let (names, any) = names(&opened)?;
        // A file without any row has no columns, and that is for the run to say.
        if any {
            columns.check(opened.name(), &names)?;
        }
        let has_schemas = names.iter().any(|name| name == columns.column(Field::JsonSchema));
        let schema = shared_schema(&opened, &columns, has_schemas)?;
        let written = opened.rows()?;
        Ok(Self { opened, columns, written, buffer: Vec::new(), cases: Cases::default(), schema })
    }

    pub(crate) fn next(&mut self) -> Option<Result<Row, Error>> {
        let row = match &mut self.written {
            Written::Json(rows) => match rows.next(&mut self.buffer) {
                Err(error) => return Some(Err(unreadable(self.opened.name(), &error))),
                Ok(None) => return None,
                Ok(Some(place)) => {
                    json_row(&self.columns, &mut self.cases, place, &self.buffer, self.opened.limits())
                }
            },
            Written::Csv(rows) => match rows.next() {
                Err(error) => {
                    let error = std::io::Error::other(error);
                    return Some(Err(unreadable(self.opened.name(), &error)));
                }
                Ok(None) => return None,
                Ok(Some(place)) => match (&place.fault, rows.cells()) {
                    (Some(fault), _) => (unreadable_row(&place, fault), place.line),
                    (None, Err(fault)) => (unreadable_row(&place, &fault), place.line),
                    (None, Ok(cells)) => {
                        let cells = cells.into_iter().map(|(column, cell)| (column, Cell::Text(cell)));
                        (self.cases.row(&self.columns, cells), place.line)
                    }
                },
            },
        };
        let (mut row, line) = row;
        if row.case.json_schema.is_none() {
            row.case.json_schema.clone_from(&self.schema);
        }
        Some(Ok(row.at(self.opened.name(), line)))
    }
}

fn json_row(columns: &Columns, cases: &mut Cases, place: Place, text: &[u8], limits: &Limits) -> (Row, u64) {
    let row = match (&place.fault, Object::read(text, limits)) {
        (Some(fault), _) => unreadable_row(&place, fault),
        (None, Err(fault)) => unreadable_row(&place, &fault),
        (None, Ok(object)) => cases.row(columns, object.cells().into_iter()),
    };
    (row, place.line)
}

fn unreadable_row(place: &Place, fault: &str) -> Row {
    Row::unreadable(format!("the row at line {} (byte {}) cannot be read: {fault}", place.line, place.offset))
}

/// The names of the columns, and whether there is a row that can be read.
fn names(opened: &Opened) -> Result<(Vec<String>, bool), Error> {
    let mut names: Vec<String> = Vec::new();
    match opened.rows()? {
        Written::Csv(rows) => {
            names.extend_from_slice(rows.columns());
            Ok((names, true))
        }
        Written::Json(mut rows) => {
            let (mut buffer, mut any) = (Vec::new(), false);
            for _ in 0..PEEKED_ROWS {
                let place = rows.next(&mut buffer).map_err(|error| unreadable(opened.name(), &error))?;
                let Some(place) = place else { break };
                let Ok(object) = Object::read(&buffer, opened.limits()) else { continue };
                if place.fault.is_some() {
                    continue;
                }
                any = true;
                for (name, _) in object.cells() {
                    if !names.iter().any(|known| known == name) {
                        names.push(name.to_owned());
                    }
                }
            }
            Ok((names, any))
        }
    }
}
