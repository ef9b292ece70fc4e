//! From map files to maps.

use alamein_hex::{Grid, Hex};
use alamein_maps::{BoardNames, MapError, MapFile};
use alamein_proto::encode;
use alamein_proto::v1::compose_map_request::File;
use alamein_proto::v1::{self, ErrorReason};
use alamein_terrain::Map;

use crate::fault::Fault;
use crate::service::missing;

/// The longest map file, in bytes.
const LONGEST: usize = 1 << 20;

/// How many things that are wrong with a map file are told in an error: those are headers, and
/// short.
const TOLD: usize = 8;

/// How many letters of a path, and of what is said of it, an error has.
const LETTERS: usize = 160;

/// The text of a map file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text<'a> {
    Toml(&'a str),
    Json(&'a str),
}

/// Why there is no map.
#[derive(Debug)]
pub(super) enum NoMap {
    /// The text is not even looked at.
    Refused(Fault),
    /// What is wrong with it.
    Wrong(Vec<MapError>),
}

/// The map of a map file, which may have so many hexes.
pub(super) fn compose(
    request: &v1::ComposeMapRequest,
    most_hexes: usize,
) -> Result<v1::ComposeMapResponse, Fault> {
    let text = match request.file.as_ref() {
        None => return Err(missing("file", "the text of a map file")),
        Some(File::Toml(text)) => Text::Toml(text),
        Some(File::Json(text)) => Text::Json(text),
    };
    let invalid = |errors: &[MapError]| invalid(text.field(), errors);
    let (file, map) = text.read(most_hexes).map_err(|why| match why {
        NoMap::Refused(fault) => fault,
        NoMap::Wrong(errors) => invalid(&errors),
    })?;
    let names = match request.include_names {
        true => printed(&file.names().map_err(|error| invalid(&[error]))?),
        false => Vec::new(),
    };
    Ok(v1::ComposeMapResponse {
        map: Some(encode::map(&map)),
        map_id: map.id().to_string(),
        title: file.title,
        names,
    })
}

impl<'a> Text<'a> {
    /// The field of the request that holds it.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Toml(_) => "toml",
            Self::Json(_) => "json",
        }
    }

    fn text(self) -> &'a str {
        let (Self::Toml(text) | Self::Json(text)) = self;
        text
    }

    /// The line on which a field begins, if that is told.
    pub(super) fn line_of(self, path: &[&str]) -> Option<usize> {
        match self {
            Self::Toml(text) => MapFile::line_of(text, path),
            Self::Json(_) => None,
        }
    }

    /// The file and its map. How large it is, is known before anything is made of it.
    pub(super) fn read(self, most_hexes: usize) -> Result<(MapFile, Map), NoMap> {
        check_length(self.field(), self.text()).map_err(NoMap::Refused)?;
        let parsed = match self {
            Self::Toml(text) => MapFile::parse_toml(text),
            Self::Json(text) => MapFile::parse_json(text),
        };
        let parsed = parsed.map_err(|error| NoMap::Wrong(vec![error]))?;
        // Boards that do not fit together are told below, with their lines.
        if let Ok(names) = parsed.names() {
            check_size(names.grid(), self.field(), most_hexes).map_err(NoMap::Refused)?;
        }
        let read = match self {
            Self::Toml(text) => MapFile::read_toml(text),
            Self::Json(text) => MapFile::read_json(text),
        };
        read.map_err(NoMap::Wrong)
    }
}

fn check_length(field: &str, text: &str) -> Result<(), Fault> {
    let length = text.len();
    if length <= LONGEST {
        return Ok(());
    }
    let what = format!("has {length} bytes; a map file may have {LONGEST}");
    Err(Fault::new(ErrorReason::TooLong, format!("{field}: {what}"))
        .with("field", field)
        .with("max", LONGEST)
        .field(field, what))
}

fn check_size(grid: Grid, field: &str, most: usize) -> Result<(), Fault> {
    let hexes = grid.len();
    if hexes <= most {
        return Ok(());
    }
    let what = format!("the boards have {hexes} hexes; this server allows {most}");
    Err(Fault::new(ErrorReason::MapTooLarge, &*what)
        .with("hexes", hexes)
        .with("max", most)
        .field(format!("{field}.board"), what))
}

/// A map file that makes no sense, and the first things that are wrong with it.
fn invalid(field: &str, errors: &[MapError]) -> Fault {
    let first = errors.first();
    let told = first.map_or_else(|| "makes no map".to_owned(), ToString::to_string);
    let path = first.map_or("", |error| error.path.as_str());
    let line = first.and_then(|error| error.line).unwrap_or_default();
    let fault = Fault::new(ErrorReason::MapFileInvalid, cut(&told))
        .with("path", cut(path))
        .with("line", line);
    errors.iter().take(TOLD).fold(fault, |fault, error| {
        let line = error
            .line
            .map_or(String::new(), |line| format!("line {line}: "));
        let what = format!("{line}{}", cut(&error.what));
        fault.field(cut(&path_within(field, &error.path)), what)
    })
}

/// The path of a field of a map file in the request.
pub(super) fn path_within(field: &str, path: &str) -> String {
    match path {
        "" => field.to_owned(),
        path => format!("{field}.{path}"),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What hexes are called on the boards, where that is something else than their place on the grid.
fn printed(names: &BoardNames) -> Vec<v1::PrintedHex> {
    let grid = names.grid();
    let printed = |hex: Hex| {
        let label = grid.label(hex);
        let printed: Vec<String> = names.names(hex).collect();
        (printed != [label.as_str()]).then_some(v1::PrintedHex {
            hex: label,
            printed,
        })
    };
    grid.hexes().filter_map(printed).collect()
}
