//! Map files as texts: TOML, and JSON of the same shape.

use alamein_fields::line_at;
use alamein_terrain::Map;
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
        first(Self::survey_toml(text, 1))
    }

    /// Reads a map file in JSON, and checks that it makes a map.
    ///
    /// # Errors
    /// The first thing that is wrong, with its field, and the line where the text is no map file.
    pub fn from_json(text: &str) -> Result<Self, MapError> {
        first(Self::survey_json(text, 1))
    }

    /// Reads a map file in TOML, and leaves open whether it makes a map.
    ///
    /// # Errors
    /// The first thing that is wrong with the text, with its field and line.
    pub fn parse_toml(text: &str) -> Result<Self, MapError> {
        read_toml(text)
    }

    /// Reads a map file in JSON, and leaves open whether it makes a map.
    ///
    /// # Errors
    /// The first thing that is wrong with the text, with its field and line.
    pub fn parse_json(text: &str) -> Result<Self, MapError> {
        read_json(text)
    }

    /// Reads a map file in TOML and makes its map.
    ///
    /// # Errors
    /// All that is wrong, each with its field and line: at least one thing, and no more than
    /// [`MapFile::MOST_WRONG`]. A text that is no map file is one thing.
    pub fn read_toml(text: &str) -> Result<(Self, Map), Vec<MapError>> {
        Self::survey_toml(text, Self::MOST_WRONG)
    }

    /// Reads a map file in JSON and makes its map.
    ///
    /// # Errors
    /// As for TOML; lines are told only where the text is no map file.
    pub fn read_json(text: &str) -> Result<(Self, Map), Vec<MapError>> {
        Self::survey_json(text, Self::MOST_WRONG)
    }

    /// The line of a map file in TOML on which a field of it begins, or else the deepest field above
    /// it that is there.
    ///
    /// ```
    /// # use alamein_maps::MapFile;
    /// let text = "[[board]]\n\n[layers]\nscrub = [\"C3\"]\n";
    /// assert_eq!(MapFile::line_of(text, &["layers", "scrub"]), Some(4));
    /// ```
    #[must_use]
    pub fn line_of(toml: &str, path: &[&str]) -> Option<usize> {
        let whole = toml::de::DeTable::parse(toml).ok()?;
        let steps: Vec<Step> = path
            .iter()
            .map(|key| Step::Key((*key).to_owned()))
            .collect();
        let byte = span_start(whole.get_ref(), &steps)?;
        Some(line_at(toml, byte))
    }

    /// How many things that are wrong are told at once.
    pub const MOST_WRONG: usize = 100;

    fn survey_toml(text: &str, most: usize) -> Result<(Self, Map), Vec<MapError>> {
        let file: Self = read_toml(text).map_err(|error| vec![error])?;
        match file.survey(Catalogue::bundled(), most) {
            Ok(map) => Ok((file, map)),
            Err(wrongs) => Err(located(wrongs, text)),
        }
    }

    fn survey_json(text: &str, most: usize) -> Result<(Self, Map), Vec<MapError>> {
        let file = read_json(text).map_err(|error| vec![error])?;
        match file.survey(Catalogue::bundled(), most) {
            Ok(map) => Ok((file, map)),
            Err(wrongs) => Err(wrongs.into_iter().map(MapError::from).collect()),
        }
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

/// The file alone, or the first thing that is wrong with it.
fn first(read: Result<(MapFile, Map), Vec<MapError>>) -> Result<MapFile, MapError> {
    let none = || wrong_text(&Path::default(), None, "makes no map".to_owned());
    let first = |wrongs: Vec<MapError>| wrongs.into_iter().next().unwrap_or_else(none);
    read.map(|(file, _)| file).map_err(first)
}

/// Reads JSON; an error has the field and the line.
fn read_json(text: &str) -> Result<MapFile, MapError> {
    check_length(text)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader);
    let file = read.map_err(|error| {
        let line = Some(error.inner().line()).filter(|line| *line > 0);
        wrong_text(&path_of(error.path()), line, error.inner().to_string())
    })?;
    reader
        .end()
        .map_err(|error| wrong_text(&Path::default(), Some(error.line()), error.to_string()))?;
    Ok(file)
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

/// Finds the lines of fields that are wrong.
fn located(wrongs: Vec<Wrong>, text: &str) -> Vec<MapError> {
    let whole = toml::de::DeTable::parse(text).ok();
    let line = |wrong: &Wrong| {
        let byte = span_start(whole.as_ref()?.get_ref(), wrong.path.steps())?;
        Some(line_at(text, byte))
    };
    let locate = |wrong: Wrong| MapError {
        line: line(&wrong),
        ..wrong.into()
    };
    wrongs.into_iter().map(locate).collect()
}

/// Where the value at a path begins, or the deepest value above it that is there.
fn span_start(whole: &toml::de::DeTable<'_>, steps: &[Step]) -> Option<usize> {
    use toml::de::DeValue;
    let mut start = None;
    let mut value: Option<&DeValue<'_>> = None;
    for step in steps {
        // A layer that is a plain list has no table for the field that it stands for.
        if matches!((step, value), (Step::Key(_), Some(DeValue::Array(_)))) {
            continue;
        }
        let next = match (step, value) {
            (Step::Key(key), None) => whole.get(key.as_str()),
            (Step::Key(key), Some(value)) => value.as_table().and_then(|t| t.get(key.as_str())),
            (Step::At(at), value) => value.and_then(DeValue::as_array).and_then(|a| a.get(*at)),
        };
        let Some(next) = next else { break };
        start = Some(next.span().start);
        value = Some(next.get_ref());
    }
    start
}
