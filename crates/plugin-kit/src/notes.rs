//! What a child process tells the one that started it, through a file.
//!
//! Standard output will not do: the plugin may write there, and what is in a buffer when the plugin
//! ends the process is lost.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::check::Check;

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Note {
    /// What is being done, so that it is known if it is never finished.
    Doing(String),
    /// A fault, and what to do.
    Fault(Check, String),
    /// Something worth knowing.
    Remark(Check, String),
    /// A check that says nothing of this plugin, and why.
    NotApplicable(Check, String),
    /// A text that is the same in every process if the plugin is pure.
    Same(String),
    /// All was done.
    Done,
}

/// Writes notes.
#[derive(Debug)]
pub(crate) struct Notes(File);

impl Notes {
    /// Adds to a file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self(file))
    }

    pub(crate) fn write(&self, note: &Note) {
        let Ok(mut line) = serde_json::to_string(note) else {
            return;
        };
        line.push('\n');
        // Whoever reads finds it missing, and says that the process came to nothing.
        let _ = (&self.0).write_all(line.as_bytes());
    }

    pub(crate) fn doing(&self, what: &str) {
        self.write(&Note::Doing(what.to_owned()));
    }

    pub(crate) fn fault(&self, check: Check, what: impl Into<String>) {
        self.write(&Note::Fault(check, what.into()));
    }

    pub(crate) fn remark(&self, check: Check, what: impl Into<String>) {
        self.write(&Note::Remark(check, what.into()));
    }
}

/// The notes in a file. A line that was not finished is none.
pub(crate) fn read(path: &Path) -> Vec<Note> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let parse = |line: &str| serde_json::from_str(line).ok();
    text.lines().filter_map(parse).collect()
}
