//! How a map file is written in TOML: for people, in the order in which it is told.

use std::fmt::Write;

use serde_json::{Map, Value};

/// How wide a line gets before a list or table goes on in the next.
const WIDTH: usize = 100;

/// In which order fields are written; those that are not here come last, by name.
const ORDER: [&str; 24] = [
    "format",
    "title",
    "name",
    "id",
    "layer",
    "field",
    "on",
    "columns",
    "rows",
    "first_column",
    "first_row",
    "half",
    "turned",
    "at",
    "over",
    "high",
    "base_level",
    "levels",
    "why",
    "board",
    "layers",
    "overlay",
    "change",
    "hexes",
];

/// The text of a map file that is given as a value.
pub(crate) fn of(file: &Value) -> String {
    let mut text = String::new();
    if let Value::Object(fields) = file {
        table(&mut text, "", fields);
    }
    text
}

/// Writes the fields of a table: first those that fit in it, then those that are tables of their
/// own, each under its name.
fn table(text: &mut String, name: &str, fields: &Map<String, Value>) {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(field, _)| {
        let place = ORDER.iter().position(|known| known == field);
        (place.unwrap_or(ORDER.len()), *field)
    });
    let (below, within): (Vec<_>, Vec<_>) = fields
        .into_iter()
        .partition(|(field, value)| is_below(field, value));
    for (field, value) in within {
        let start = format!("{} = ", key(field));
        text.push_str(&start);
        inline(text, value, start.len());
        text.push('\n');
    }
    for (field, value) in below {
        let name = match name {
            "" => key(field),
            _ => format!("{name}.{}", key(field)),
        };
        match value {
            Value::Array(items) => {
                for fields in items.iter().filter_map(Value::as_object) {
                    heading(text, &format!("[[{name}]]"));
                    table(text, &name, fields);
                }
            }
            Value::Object(fields) => {
                // A table of nothing but tables needs no heading of its own.
                if fields.is_empty() || !fields.iter().all(|(field, value)| is_below(field, value))
                {
                    heading(text, &format!("[{name}]"));
                }
                table(text, &name, fields);
            }
            _ => {}
        }
    }
}

/// Whether a value is written as a table, or tables, of its own.
fn is_below(field: &str, value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_object),
        Value::Object(fields) => {
            let holds_more = |value: &Value| value.is_array() || value.is_object();
            let is_typed = fields.len() == 2 && fields.contains_key("kind");
            // Layers are tables always; others where they do not fit in a line.
            field == "layers"
                || (fields.values().any(holds_more) && !is_typed)
                || plain(value).len() + field.len() > WIDTH
        }
        _ => false,
    }
}

fn heading(text: &mut String, heading: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(heading);
    text.push('\n');
}

/// Writes a value; a list that is too long for its line goes over several.
fn inline(text: &mut String, value: &Value, column: usize) {
    let line = plain(value);
    let items = value.as_array().filter(|_| column + line.len() > WIDTH);
    let Some(items) = items else {
        return text.push_str(&line);
    };
    text.push('[');
    let mut width = WIDTH;
    for item in items.iter().map(plain) {
        if width + item.len() + 2 > WIDTH {
            text.push_str("\n   ");
            width = 3;
        }
        let _ = write!(text, " {item},");
        width += item.len() + 2;
    }
    text.push_str("\n]");
}

/// A value on one line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(string) => quoted(string),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let field =
                |(name, value): (&String, &Value)| format!("{} = {}", key(name), plain(value));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A text in quotes. TOML escapes as JSON does, and DEL too.
fn quoted(text: &str) -> String {
    let json = Value::String(text.to_owned()).to_string();
    json.replace('\u{7f}', "\\u007F")
}
