//! Map files as texts: TOML, and JSON of the same shape.

use serde::de::DeserializeOwned;

use crate::catalogue::Catalogue;
use crate::error::{MapError, Path, Step, Wrong};
use crate::file::MapFile;
use crate::toml_text;

/// The longest text of a map file that is read.
const MOST_TEXT: usize = 16 * 1024 * 1024;

impl MapFile {
    /// Reads a map file in TOML, and checks that it makes a map.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field and line.
    pub fn from_toml(text: &str) -> Result<Self, MapError> {
        let file: Self = read_toml(text)?;
        match file.build(Catalogue::bundled()) {
            Ok(_) => Ok(file),
            Err(wrong) => Err(located(wrong, text)),
        }
    }

    /// Reads a map file in JSON, and checks that it makes a map.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field, and the line where the text is no map file.
    pub fn from_json(text: &str) -> Result<Self, MapError> {
        check_length(text)?;
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = serde_path_to_error::deserialize(&mut reader);
        let file: Self = read.map_err(|error| {
            let line = Some(error.inner().line()).filter(|line| *line > 0);
            wrong_text(&path_of(error.path()), line, error.inner().to_string())
        })?;
        reader
            .end()
            .map_err(|error| wrong_text(&Path::default(), Some(error.line()), error.to_string()))?;
        file.build(Catalogue::bundled())?;
        Ok(file)
    }

    /// Writes it in JSON.
    ///
    /// # Errors
    /// None that a map file can bring about.
    pub fn to_json(&self) -> Result<String, MapError> {
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|error| wrong_text(&Path::default(), None, error.to_string()))?;
        Ok(text + "\n")
    }

    /// Writes it in TOML.
    ///
    /// # Errors
    /// None that a map file can bring about.
    pub fn to_toml(&self) -> Result<String, MapError> {
        let value = serde_json::to_value(self);
        let value = value.map_err(|error| wrong_text(&Path::default(), None, error.to_string()))?;
        Ok(toml_text::of(&value))
    }
}

/// Reads TOML; an error has the field and the line.
pub(crate) fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, MapError> {
    check_length(text)?;
    let wrong = |path: &Path, error: &toml::de::Error| {
        let line = error.span().map(|span| line_at(text, span.start));
        wrong_text(path, line, error.message().to_owned())
    };
    let reader =
        toml::Deserializer::parse(text).map_err(|error| wrong(&Path::default(), &error))?;
    let read = serde_path_to_error::deserialize(reader);
    read.map_err(|error| wrong(&path_of(error.path()), error.inner()))
}

fn check_length(text: &str) -> Result<(), MapError> {
    if text.len() <= MOST_TEXT {
        return Ok(());
    }
    let what = format!(
        "the text is {} bytes long; at most {MOST_TEXT} are read",
        text.len()
    );
    Err(wrong_text(&Path::default(), None, what))
}

fn wrong_text(path: &Path, line: Option<usize>, what: String) -> MapError {
    MapError {
        path: path.to_string(),
        line,
        what,
    }
}

fn path_of(path: &serde_path_to_error::Path) -> Path {
    use serde_path_to_error::Segment;
    let mut ours = Path::default();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => ours = ours.at(*index),
            Segment::Map { key } => ours = ours.key(key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    ours
}

/// The line on which a byte of a text lies, counted from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// Finds the line of a field that is wrong.
fn located(wrong: Wrong, text: &str) -> MapError {
    let line = span_start(text, wrong.path.steps()).map(|byte| line_at(text, byte));
    MapError {
        line,
        ..wrong.into()
    }
}

/// Where the value at a path begins, or the deepest value above it that is there.
fn span_start(text: &str, steps: &[Step]) -> Option<usize> {
    use toml::de::{DeTable, DeValue};
    let whole = DeTable::parse(text).ok()?;
    let mut start = None;
    let mut value: Option<&DeValue<'_>> = None;
    for step in steps {
        // A layer that is a plain list has no table for the field that it stands for.
        if matches!((step, value), (Step::Key(_), Some(DeValue::Array(_)))) {
            continue;
        }
        let next = match (step, value) {
            (Step::Key(key), None) => whole.get_ref().get(key.as_str()),
            (Step::Key(key), Some(value)) => value.as_table().and_then(|t| t.get(key.as_str())),
            (Step::At(at), value) => value.and_then(DeValue::as_array).and_then(|a| a.get(*at)),
        };
        let Some(next) = next else { break };
        start = Some(next.span().start);
        value = Some(next.get_ref());
    }
    start
}
