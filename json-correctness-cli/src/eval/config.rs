//! `--config`: the options of `eval` in a TOML file.
//!
//! The file is turned into the arguments that it stands for, so that names, values and messages are
//! those of the command line and nothing is listed twice.

use std::path::Path;

use clap::{CommandFactory, Parser};
use json_correctness::metric_names;
use toml::Value;

use super::Eval;
use crate::{failure::Failure, input, nearest::did_you_mean};

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Arguments {
    #[command(flatten)]
    eval: Eval,
}

/// Reads the options of a file.
pub(super) fn read(path: &Path) -> Result<Eval, Failure> {
    let text = input::text(path)?;
    let said_of = |failure: Failure| failure.within(path.display());
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line =
            error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        said_of(Failure::set_up(format!("line {line} is not TOML: {}", error.message())))
    })?;
    let arguments = arguments(&table).map_err(said_of)?;
    match Arguments::try_parse_from(&arguments) {
        Ok(parsed) => Ok(parsed.eval),
        Err(error) => {
            let text = error.render().to_string();
            let said = text.lines().next().unwrap_or_default();
            let failure = said_of(Failure::set_up(said.strip_prefix("error: ").unwrap_or(said)));
            let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
            let values = text.lines().map(str::trim).find(|line| line.starts_with("[possible values"));
            Err(match tip.or(values) {
                Some(help) => failure.help(help),
                None => failure,
            })
        }
    }
}

fn arguments(table: &toml::Table) -> Result<Vec<String>, Failure> {
    let command = Arguments::command();
    let known: Vec<&str> = command
        .get_arguments()
        .map(|argument| argument.get_long().unwrap_or("data"))
        .filter(|name| !["config", "help", "version"].contains(name))
        .collect();
    let mut arguments = Vec::new();
    let mut data = Vec::new();
    for (key, value) in table {
        let name = key.replace('_', "-");
        if !known.contains(&name.as_str()) {
            return Err(Failure::set_up(format!("there is no option `{key}`"))
                .help(did_you_mean(&name, known.iter().copied())));
        }
        match value {
            _ if name == "data" => data = texts(key, value)?,
            Value::Table(members) if ["option", "map", "report", "limit"].contains(&name.as_str()) => {
                for (member, value) in members {
                    pairs(&name, member, value, &mut arguments)?;
                }
            }
            _ => arguments.extend(texts(key, value)?.into_iter().map(|text| format!("--{name}={text}"))),
        }
    }
    arguments.push("--".to_owned());
    arguments.extend(data);
    Ok(arguments)
}

/// A member of a table, as `KEY=VALUE`.
fn pairs(name: &str, member: &str, value: &Value, arguments: &mut Vec<String>) -> Result<(), Failure> {
    let written = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        value => serde_json::to_string(value)
            .map_err(|error| Failure::set_up(format!("`{member}` cannot be an option: {error}"))),
    };
    match value {
        // [option.json_diff] addresses one metric.
        Value::Table(members)
            if name == "option" && metric_names().contains(&member.replace('-', "_").as_str()) =>
        {
            for (key, value) in members {
                arguments.push(format!("--option={member}.{key}={}", written(value)?));
            }
        }
        Value::Array(several) if name == "report" => {
            for value in several {
                arguments.push(format!("--{name}={member}={}", written(value)?));
            }
        }
        value => arguments.push(format!("--{name}={member}={}", written(value)?)),
    }
    Ok(())
}

/// The text of a value, or of each value of a list.
fn texts(key: &str, value: &Value) -> Result<Vec<String>, Failure> {
    let one = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        _ => Err(Failure::set_up(format!("`{key}` is {}", kind(value)))
            .help(format!("give `{key}` a text, a number, true or false, or a list of them"))),
    };
    match value {
        Value::Array(several) => several.iter().map(one).collect(),
        value => Ok(vec![one(value)?]),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Table(_) => "a table",
        Value::Datetime(_) => "a date or time",
        _ => "a list of lists",
    }
}
