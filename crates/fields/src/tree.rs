//! A file that was read so far that each of its values knows its line.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use toml::de::{DeTable, DeValue};

use crate::{FieldError, Lines};

/// The longest text that is read, in bytes.
const MOST_TEXT: usize = 1024 * 1024;

/// Of how many things that are no TOML it is told.
const MOST_TOLD: usize = 100;

/// A value and the line on which it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The line, counted from 1; of JSON it is not known.
    pub line: Option<usize>,
    /// The value.
    pub value: Value,
}

/// A value of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: `null`, which TOML has not.
    Null,
    /// True or false.
    Flag(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// Fields, in the order of the file; none is there twice.
    Table(Vec<(String, Tree)>),
    /// Something that JSON cannot say: a date, a number that is none.
    Other(&'static str),
}

impl Tree {
    /// Reads a text in TOML.
    ///
    /// # Errors
    /// What is no TOML, each with its line: at least one thing, and no more than 100.
    pub fn of_toml(text: &str) -> Result<Self, Vec<FieldError>> {
        check_length(text)?;
        let (table, errors) = DeTable::parse_recoverable(text);
        let lines = Lines::of(text);
        if errors.is_empty() {
            return Ok(Self {
                line: None,
                value: of_table(table.get_ref(), &lines),
            });
        }
        let error = |error: toml::de::Error| FieldError {
            path: String::new(),
            line: error.span().map(|span| lines.at(span.start)),
            what: error.message().to_owned(),
        };
        Err(errors.into_iter().take(MOST_TOLD).map(error).collect())
    }

    /// Reads a text in JSON.
    ///
    /// # Errors
    /// Where it is no JSON, or a field is there twice, with the line.
    pub fn of_json(text: &str) -> Result<Self, Vec<FieldError>> {
        check_length(text)?;
        serde_json::from_str(text).map_err(|error| {
            vec![FieldError {
                path: String::new(),
                line: Some(error.line()).filter(|line| *line > 0),
                what: error.to_string(),
            }]
        })
    }

    /// The value as JSON has it.
    ///
    /// # Errors
    /// What JSON cannot say, and its line.
    pub fn to_json(&self) -> Result<serde_json::Value, (Option<usize>, &'static str)> {
        use serde_json::Value as Json;
        Ok(match &self.value {
            Value::Null => Json::Null,
            Value::Flag(flag) => Json::Bool(*flag),
            Value::Number(number) => Json::Number(number.clone()),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(list) => {
                Json::Array(list.iter().map(Self::to_json).collect::<Result<_, _>>()?)
            }
            Value::Table(fields) => {
                let field = |(name, tree): &(String, Self)| Ok((name.clone(), tree.to_json()?));
                Json::Object(fields.iter().map(field).collect::<Result<_, _>>()?)
            }
            Value::Other(what) => return Err((self.line, what)),
        })
    }

    /// What kind of value it is, in words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Flag(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(what) => what,
        }
    }
}

fn check_length(text: &str) -> Result<(), Vec<FieldError>> {
    if text.len() <= MOST_TEXT {
        return Ok(());
    }
    let what = format!(
        "the text is {} bytes long; at most {MOST_TEXT} are read",
        text.len()
    );
    Err(vec![FieldError {
        path: String::new(),
        line: None,
        what,
    }])
}

fn of_table(table: &DeTable<'_>, lines: &Lines) -> Value {
    let field = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = name.get_ref();
        // A table that stands under its heading begins there.
        (name.to_string(), of_value(value, lines))
    };
    Value::Table(table.iter().map(field).collect())
}

fn of_value(value: &toml::Spanned<DeValue<'_>>, lines: &Lines) -> Tree {
    let line = Some(lines.at(value.span().start));
    let value = match value.get_ref() {
        DeValue::String(string) => Value::Text(string.to_string()),
        DeValue::Integer(number) => {
            let read = i64::from_str_radix(number.as_str(), number.radix());
            read.map_or(Value::Other("a number too large"), |n| {
                Value::Number(n.into())
            })
        }
        DeValue::Float(number) => {
            let read = number.as_str().parse().ok().and_then(Number::from_f64);
            read.map_or(Value::Other("a number that is none"), Value::Number)
        }
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(list) => {
            Value::List(list.iter().map(|item| of_value(item, lines)).collect())
        }
        DeValue::Table(table) => of_table(table, lines),
    };
    Tree { line, value }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = from.deserialize_any(AnyValue)?;
        Ok(Self { line: None, value })
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        let number = Number::from_f64(number);
        Ok(number.map_or(Value::Other("a number that is none"), Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut names = std::collections::BTreeSet::new();
        let mut fields = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name.clone()) {
                let what = format!("{name:?} stands there twice");
                return Err(de::Error::custom(what));
            }
            fields.push((name, map.next_value()?));
        }
        Ok(Value::Table(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_no_toml_is_told_with_its_line() {
        let errors = Tree::of_toml("a = \nb = 1\nc = [1\nb = 2\n").unwrap_err();
        let lines: Vec<_> = errors.iter().filter_map(|error| error.line).collect();
        assert!(lines.contains(&1) && lines.len() > 1, "{errors:?}");
    }

    #[test]
    fn of_much_that_is_no_toml_little_is_told_and_soon() {
        let errors = Tree::of_toml(&"=\n".repeat(MOST_TEXT / 2)).unwrap_err();
        assert_eq!(errors.len(), MOST_TOLD);
    }

    #[test]
    fn each_of_many_values_finds_its_line_without_a_search() {
        let text: String = (0..100_000).map(|i| format!("p{i}=1\n")).collect();
        let start = std::time::Instant::now();
        let Value::Table(fields) = Tree::of_toml(&text).unwrap().value else {
            panic!("a table")
        };
        let last = fields.iter().find(|(name, _)| name == "p99999").unwrap();
        assert_eq!(last.1.line, Some(100_000));
        // To count the lines before each would take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn a_field_of_json_is_not_there_twice() {
        let errors = Tree::of_json("{\n\"a\": 1,\n\"a\": 2}").unwrap_err();
        assert_eq!(errors[0].line, Some(3));
        assert!(errors[0].what.contains("\"a\" stands there twice"));
    }

    #[test]
    fn toml_and_json_of_one_shape_are_one() {
        let toml = "a = 0x1F\nb = [1.5, \"x\", true]\n[c]\nd = {}\n";
        let json = r#"{"a": 31, "b": [1.5, "x", true], "c": {"d": {}}}"#;
        let toml = Tree::of_toml(toml).unwrap();
        assert_eq!(toml.to_json(), Tree::of_json(json).unwrap().to_json());
        let Value::Table(fields) = &toml.value else {
            panic!("a table")
        };
        let lines: Vec<_> = fields
            .iter()
            .map(|(name, tree)| (name.as_str(), tree.line))
            .collect();
        assert_eq!(lines, [("a", Some(1)), ("b", Some(2)), ("c", Some(3))]);
    }

    #[test]
    fn what_json_cannot_say_is_named_with_its_line() {
        let tree = Tree::of_toml("a = 1\nb = 2026-01-01\n").unwrap();
        assert_eq!(tree.to_json(), Err((Some(2), "a date")));
        let tree = Tree::of_toml("a = nan\n").unwrap();
        assert_eq!(tree.to_json(), Err((Some(1), "a number that is none")));
    }
}
