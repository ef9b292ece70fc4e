//! What is wrong with a configuration, and where.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Value, json};

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the command line.
    Flag,
    /// In the environment, by this name.
    Environment(String),
    /// In a file, on this line where it is known.
    File(PathBuf, Option<usize>),
    /// Nowhere.
    Default,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::File(path, None) => path.display().fmt(f),
            Self::File(path, Some(line)) => write!(f, "{}:{line}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Something that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    /// The option, as it is called there; empty where it is about more than one.
    pub(crate) key: String,
    /// What is wrong, and what to do.
    pub(crate) what: String,
}

impl Fault {
    pub(crate) fn new(place: Place, key: impl Into<String>, what: impl Into<String>) -> Self {
        let (key, what) = (key.into(), what.into());
        Self { place, key, what }
    }

    pub(super) fn json(&self) -> Value {
        let (file, line) = match &self.place {
            Place::File(path, line) => (Some(path.display().to_string()), *line),
            _ => (None, None),
        };
        let environment = match &self.place {
            Place::Environment(name) => Some(name),
            _ => None,
        };
        json!({
            "file": file,
            "line": line,
            "environment": environment,
            "option": Some(&self.key).filter(|key| !key.is_empty()),
            "what": self.what,
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::File(..) => write!(f, "{}: ", self.place)?,
            Place::Environment(name) => write!(f, "{name}: ")?,
            Place::Flag | Place::Default => {}
        }
        match (&self.place, self.key.as_str()) {
            (Place::Environment(_), _) | (_, "") => f.write_str(&self.what),
            (_, key) => write!(f, "{key}: {}", self.what),
        }
    }
}
