//! Files that hold maps: map files and case files.

use std::path::Path;

use alamein_cases::read_text;
use alamein_maps::{MapError, MapFile};
use alamein_terrain::Map;
use anyhow::{Result, bail};
use serde_json::Value;

/// The text of a file that holds a map.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A map file in TOML.
    Toml,
    /// A map file in JSON.
    Json,
    /// A case file.
    Case,
}

impl Text {
    /// Reads a file and sees what it is: TOML unless it begins as JSON does, and a case if it has
    /// a map in it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = read_text(path)?;
        let kind = if !text.trim_start().starts_with('{') {
            Kind::Toml
        } else if is_case(&text) {
            Kind::Case
        } else {
            Kind::Json
        };
        Ok(Self { kind, text })
    }

    /// The map file, or all that is wrong with it.
    pub(crate) fn map_file(&self) -> Result<(MapFile, Map), Vec<MapError>> {
        match self.kind {
            Kind::Toml => MapFile::read_toml(&self.text),
            Kind::Json | Kind::Case => MapFile::read_json(&self.text),
        }
    }
}

fn is_case(text: &str) -> bool {
    let value: Result<Value, _> = serde_json::from_str(text);
    value.is_ok_and(|value| value.get("map").is_some() && value.get("board").is_none())
}

/// Reads a map file that must be right.
pub(crate) fn map_file(path: &Path) -> Result<MapFile> {
    let text = Text::read(path)?;
    if text.kind == Kind::Case {
        bail!("{} is a case file; name it with --case", path.display());
    }
    map_file_of(path, &text)
}

/// The map file of a text, which must be right.
pub(crate) fn map_file_of(path: &Path, text: &Text) -> Result<MapFile> {
    match text.map_file() {
        Ok((file, _)) => Ok(file),
        Err(wrongs) => bail!("{}", told(path, &wrongs)),
    }
}

/// The first thing that is wrong with a file, and how to see the others.
fn told(path: &Path, wrongs: &[MapError]) -> String {
    let file = path.display();
    match wrongs {
        [] => format!("{file}: makes no map"),
        [only] => format!("{file}: {only}"),
        [first, others @ ..] => format!(
            "{file}: {first} (and {} more: `alamein map check {file}` tells all)",
            others.len()
        ),
    }
}
