//! Map files, in TOML and in JSON.

use alamein_maps::{MapError, MapFile};
use alamein_terrain::Map;

use crate::chosen;

/// A reader of map files that tells all that is wrong.
type Read = fn(&str) -> Result<(MapFile, Map), Vec<MapError>>;

/// Bytes become the text of a map file: of JSON where the first is odd.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if which % 2 == 1 {
        read(text, MapFile::read_json, MapFile::from_json);
    } else {
        read(text, MapFile::read_toml, MapFile::from_toml);
    }
}

fn read(text: &str, all: Read, first: fn(&str) -> Result<MapFile, MapError>) {
    let told = first(text);
    let (file, map) = match all(text) {
        Ok(read) => read,
        Err(wrongs) => {
            assert!((1..=MapFile::MOST_WRONG).contains(&wrongs.len()));
            let lines = 1 + text.matches('\n').count();
            for wrong in &wrongs {
                assert!(!wrong.what.is_empty(), "{wrong:?}");
                let within = wrong.line.is_none_or(|line| (1..=lines).contains(&line));
                assert!(within, "{wrong:?} of {lines} lines");
            }
            assert_eq!(told.as_ref().err(), wrongs.first());
            return;
        }
    };
    assert_eq!(told.as_ref(), Ok(&file));
    assert_eq!(file.to_map().map(|map| map.id()), Ok(map.id()));
    written(&file, &map, file.to_toml(), MapFile::read_toml);
    written(&file, &map, file.to_json(), MapFile::read_json);
    // A map alone makes a file that makes the map.
    match MapFile::from_map(&map) {
        Ok(of_map) => assert_eq!(of_map.to_map().map(|map| map.id()), Ok(map.id())),
        Err(error) => panic!("{error}: of {map:?}"),
    }
}

/// What is written is read as what it was.
fn written(file: &MapFile, map: &Map, text: Result<String, MapError>, read: Read) {
    let text = match text {
        Ok(text) => text,
        Err(error) => panic!("{error}: {file:?} cannot be written"),
    };
    match read(&text) {
        Ok((again, same)) => {
            assert_eq!(again, *file, "{text}");
            assert_eq!(same.id(), map.id(), "{text}");
        }
        Err(wrongs) => panic!("{wrongs:?}: {text}"),
    }
}
