//! `alamein map convert`: maps in other forms.

use std::path::Path;

use alamein_cases::{Export, Known, Settings, parse, write as write_case};
use alamein_maps::MapFile;
use alamein_terrain::{Digest, Environment, Map, Position};
use anyhow::{Result, bail};
use serde_json::Value;

use super::files::{Kind, Text, map_file_of};
use super::write;
use crate::args::{MapConvert, Written};

pub(crate) fn run(convert: &MapConvert) -> Result<()> {
    let form = form(convert)?;
    let file = read(&convert.from)?;
    let text = match form {
        Written::Toml => file.to_toml()?,
        Written::Json => file.to_json()?,
        Written::Case => case(file.to_map()?, &file.title)?,
    };
    write(&text, convert.to.as_deref())
}

/// The form that is asked for, or that the name of the file tells.
fn form(convert: &MapConvert) -> Result<Written> {
    if let Some(form) = convert.form {
        return Ok(form);
    }
    let ending = convert.to.as_deref().and_then(Path::extension);
    match ending.and_then(|ending| ending.to_str()) {
        Some("toml") => Ok(Written::Toml),
        Some("json") => Ok(Written::Json),
        _ => bail!("--to: say toml, json or case, or let OUT end in .toml or .json"),
    }
}

/// The map file of a file; of a case file its map, as one board with its layers.
fn read(path: &Path) -> Result<MapFile> {
    let text = Text::read(path)?;
    if text.kind != Kind::Case {
        return map_file_of(path, &text);
    }
    let case = parse(&path.display().to_string(), &text.text, &Known::default())?;
    let mut file = MapFile::from_map(case.position.map())?;
    file.title.clone_from(&case.id);
    Ok(file)
}

/// A case with nothing on its map and no questions.
fn case(map: Map, id: &str) -> Result<String> {
    let position = Position::new(map.into(), Vec::new(), Environment::default())?;
    let text = write_case(
        &Export {
            id,
            position: &position,
            rulings: &[],
            settings: &Settings::default(),
            fingerprint: Digest::of(&[]),
        },
        &Known::default(),
    );
    let mut case: Value = serde_json::from_str(&text)?;
    if let Some(fields) = case.as_object_mut() {
        // Nobody ruled on anything.
        fields.remove("alamein");
    }
    Ok(format!("{case:#}\n"))
}
