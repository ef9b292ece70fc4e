//! A place in a JSON document, which knows its path.

use serde_json::{Map, Value};

/// A field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) path: String,
    pub(crate) what: String,
}

/// A value and the path that leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) value: &'a Value,
    path: String,
}

impl<'a> Node<'a> {
    /// The top of a document, or of a part of it that has paths of its own.
    pub(crate) fn top(value: &'a Value) -> Self {
        Self {
            value,
            path: String::new(),
        }
    }

    /// What is wrong here.
    pub(crate) fn wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong {
            path: self.path.clone(),
            what: what.into(),
        }
    }

    /// The field of this name, unless it is absent or null.
    pub(crate) fn get(&self, name: &str) -> Option<Node<'a>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Node {
            value,
            path: self.below(name),
        })
    }

    /// The field of this name, which must be there.
    pub(crate) fn need(&self, name: &str) -> Result<Node<'a>, Wrong> {
        self.object()?;
        self.get(name).ok_or_else(|| Wrong {
            path: self.below(name),
            what: "is missing".into(),
        })
    }

    pub(crate) fn object(&self) -> Result<&'a Map<String, Value>, Wrong> {
        self.value
            .as_object()
            .ok_or_else(|| self.not("an object such as {\"id\": ..}"))
    }

    /// The fields of an object.
    pub(crate) fn fields(
        &self,
    ) -> Result<impl Iterator<Item = (&'a str, Node<'a>)> + use<'a>, Wrong> {
        let object = self.object()?;
        let path = self.path.clone();
        Ok(object.iter().map(move |(name, value)| {
            let node = Node {
                value,
                path: join(&path, name),
            };
            (name.as_str(), node)
        }))
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<impl Iterator<Item = Node<'a>> + use<'a>, Wrong> {
        let items = self.value.as_array().ok_or_else(|| self.not("a list"))?;
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(at, value)| Node {
            value,
            path: format!("{path}[{at}]"),
        }))
    }

    pub(crate) fn text(&self) -> Result<&'a str, Wrong> {
        self.value.as_str().ok_or_else(|| self.not("a text"))
    }

    pub(crate) fn flag(&self) -> Result<bool, Wrong> {
        self.value
            .as_bool()
            .ok_or_else(|| self.not("true or false"))
    }

    /// A whole number that fits.
    pub(crate) fn number<N: TryFrom<i64>>(&self) -> Result<N, Wrong> {
        let number = self
            .value
            .as_i64()
            .ok_or_else(|| self.not("a whole number"))?;
        N::try_from(number).map_err(|_| self.wrong(format!("{number} is out of bounds")))
    }

    /// One of some words.
    pub(crate) fn word<T>(&self, words: &[(&str, T)]) -> Result<T, Wrong>
    where
        T: Copy,
    {
        let text = self.text()?;
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, meaning)) => Ok(*meaning),
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(self.wrong(format!("{text:?} is none of {}", known.join(", "))))
            }
        }
    }

    /// The names of fields that are none of these.
    pub(crate) fn strangers(&self, known: &[&str]) -> Vec<String> {
        let names = self.value.as_object().into_iter().flat_map(Map::keys);
        names
            .filter(|name| !known.contains(&name.as_str()))
            .map(|name| self.below(name))
            .collect()
    }

    fn below(&self, name: &str) -> String {
        join(&self.path, name)
    }

    fn not(&self, wanted: &str) -> Wrong {
        let is = match self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.wrong(format!("must be {wanted}, and is {is}"))
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
