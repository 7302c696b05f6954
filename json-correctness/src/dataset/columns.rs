//! Which column holds which field of a case.

use crate::error::Error;

/// A field of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Id,
    Input,
    ActualOutput,
    ExpectedOutput,
    JsonSchema,
    Weights,
    Label,
    Href,
    Tags,
}

const FIELDS: [(&str, Field); 9] = [
    ("id", Field::Id),
    ("input", Field::Input),
    ("actual_output", Field::ActualOutput),
    ("expected_output", Field::ExpectedOutput),
    ("json_schema", Field::JsonSchema),
    ("weights", Field::Weights),
    ("label", Field::Label),
    ("href", Field::Href),
    ("tags", Field::Tags),
];

/// What other data sets call the output; only ever suggested.
const USUAL_OUTPUTS: [&str; 9] =
    ["output", "prediction", "completion", "response", "answer", "actual", "generated", "result", "text"];

/// Which columns of a dataset hold the fields of the cases: those of the same names, where nothing else
/// is said.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    mapped: Vec<(Field, String)>,
}

impl Columns {
    /// Takes a field from the column of another name.
    ///
    /// # Errors
    ///
    /// There is no such field.
    pub fn set(&mut self, field: &str, column: String) -> Result<(), Error> {
        let Some((_, known)) = FIELDS.iter().find(|(name, _)| *name == field) else {
            return Err(crate::metric::unknown("field of a case", field, &FIELDS.map(|(name, _)| name)));
        };
        self.mapped.retain(|(mapped, _)| mapped != known);
        self.mapped.push((*known, column));
        Ok(())
    }

    /// The field that a column holds; `None` for metadata.
    pub(crate) fn field(&self, column: &str) -> Option<Field> {
        if let Some((field, _)) = self.mapped.iter().find(|(_, mapped)| mapped == column) {
            return Some(*field);
        }
        let (_, field) = FIELDS.iter().find(|(name, _)| *name == column)?;
        // A field that is taken from elsewhere leaves the column of its own name to the metadata.
        (!self.mapped.iter().any(|(mapped, _)| mapped == field)).then_some(*field)
    }

    /// The column that holds a field.
    pub(crate) fn column(&self, field: Field) -> &str {
        let own = || FIELDS.iter().find(|(_, known)| *known == field).map_or("", |(name, _)| name);
        self.mapped.iter().find(|(mapped, _)| *mapped == field).map_or_else(own, |(_, column)| column)
    }

    /// Whether the columns that a dataset has hold what is asked of them.
    pub(crate) fn check(&self, dataset: &str, found: &[String]) -> Result<(), Error> {
        let output = (Field::ActualOutput, self.column(Field::ActualOutput).to_owned());
        let others = self.mapped.iter().filter(|(field, _)| *field != Field::ActualOutput).cloned();
        let Some((_, missing)) =
            std::iter::once(output).chain(others).find(|(_, name)| !found.contains(name))
        else {
            return Ok(());
        };
        let listed: Vec<String> = found.iter().take(50).map(|name| format!("`{}`", shown(name))).collect();
        let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
        let usual = found.iter().find(|name| USUAL_OUTPUTS.contains(&name.to_lowercase().as_str()));
        let mend = match usual {
            Some(usual) if missing == "actual_output" => {
                format!("; if `{0}` holds the outputs, map actual_output to {0}", shown(usual))
            }
            _ => String::new(),
        };
        Err(Error::data(format!(
            "{dataset} has no column `{}`: its columns are {listed}{mend}",
            shown(&missing)
        )))
    }
}

fn shown(name: &str) -> String {
    let mut name = name.to_owned();
    crate::violation::cut(&mut name, 100);
    name
}
