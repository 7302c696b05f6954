//! The schema that a single row gives to all rows.

use std::sync::Arc;

use serde_json::Value;

use super::{
    cells::{Cases, Cell},
    columns::{Columns, Field},
    object::Object,
    open::{Opened, Written, unreadable},
};
use crate::error::Error;

/// The schema of the only row that has one, if other rows have none.
///
/// A file in which the second schema comes soon is left soon; one in which no row names a schema is
/// only searched for the column's name.
pub(crate) fn shared_schema(
    opened: &Opened,
    columns: &Columns,
    has_schemas: bool,
) -> Result<Option<Arc<Value>>, Error> {
    let column = columns.column(Field::JsonSchema);
    let mut found = Found::default();
    match opened.rows()? {
        Written::Csv(_) if !has_schemas => {}
        Written::Csv(mut rows) => loop {
            let failed = |error| unreadable(opened.name(), &std::io::Error::other(error));
            let Some(place) = rows.next().map_err(failed)? else { break };
            let cells = rows.cells().unwrap_or_default();
            let cell = cells.iter().find(|(name, _)| place.fault.is_none() && *name == column);
            if found.add(columns, cell.map(|(_, cell)| Cell::Text(cell))) {
                break;
            }
        },
        Written::Json(mut rows) => {
            let mut buffer = Vec::new();
            // Written with escapes, a name is not found; who does that maps the column.
            let name = memchr::memmem::Finder::new(column.as_bytes());
            loop {
                let place = rows.next(&mut buffer).map_err(|error| unreadable(opened.name(), &error))?;
                let Some(place) = place else { break };
                if name.find(&buffer).is_none() || place.fault.is_some() {
                    continue;
                }
                let Ok(object) = Object::read(&buffer, opened.limits()) else { continue };
                let cell = object.cells().into_iter().find(|(name, _)| *name == column);
                if found.add(columns, cell.map(|(_, cell)| cell)) {
                    break;
                }
            }
        }
    }
    Ok(if found.count == 1 { found.schema } else { None })
}

#[derive(Default)]
struct Found {
    count: usize,
    schema: Option<Arc<Value>>,
}

impl Found {
    /// Whether there are too many already.
    fn add(&mut self, columns: &Columns, cell: Option<Cell<'_>>) -> bool {
        let Some(cell) = cell else { return false };
        let column = columns.column(Field::JsonSchema);
        let row = Cases::default().row(columns, std::iter::once((column, cell)));
        if row.case.json_schema.is_some() {
            self.count += 1;
            self.schema = row.case.json_schema;
        }
        self.count > 1
    }
}
