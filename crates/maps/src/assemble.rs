//! From a map file to a map, and back.

use std::collections::BTreeMap;

use alamein_hex::Hex;
use alamein_terrain::Map;

use crate::board::Board;
use crate::catalogue::Catalogue;
use crate::change;
use crate::error::{Found, MapError, Path, Wrong};
use crate::field::LayerText;
use crate::file::MapFile;
use crate::laying::Laying;
use crate::names::BoardNames;

impl MapFile {
    /// The map that this file describes.
    ///
    /// # Errors
    /// The first field that makes no sense, and what to do.
    pub fn to_map(&self) -> Result<Map, MapError> {
        self.to_map_with(Catalogue::bundled())
    }

    /// The map that this file describes, with overlays from this catalogue.
    ///
    /// # Errors
    /// The first field that makes no sense, and what to do.
    pub fn to_map_with(&self, catalogue: &Catalogue) -> Result<Map, MapError> {
        Ok(self.build(catalogue)?)
    }

    /// The names of the hexes of its map.
    ///
    /// # Errors
    /// Boards that do not fit together.
    pub fn names(&self) -> Result<BoardNames, MapError> {
        BoardNames::new(&self.boards)
    }

    fn build(&self, catalogue: &Catalogue) -> Result<Map, Wrong> {
        self.survey(catalogue, 1).map_err(|wrongs| {
            let first = wrongs.into_iter().next();
            first.unwrap_or_else(|| Path::default().wrong("makes no map"))
        })
    }

    /// The map, or what is wrong with the file: so many things at most. What makes no sense is left
    /// out, and the rest looked at without it.
    pub(crate) fn survey(&self, catalogue: &Catalogue, most: usize) -> Result<Map, Vec<Wrong>> {
        self.check_format().map_err(|wrong| vec![wrong])?;
        self.check_lengths().map_err(|wrong| vec![wrong])?;
        let names = BoardNames::lay(&self.boards, &Path::of("board"));
        let names = names.map_err(|wrong| vec![wrong])?;
        let mut found = Found::at_most(most);
        let mut map = Map::flat(names.grid());
        levels(&self.boards, &names, &mut map, &mut found);
        for (name, layer) in &self.layers {
            let path = Path::of("layers").key(name);
            let layer = layer.read(&names, &path, &mut found);
            map.layers.insert(name.clone(), layer);
        }
        let mut laying = Laying::new(catalogue, &names);
        for (index, card) in self.overlays.iter().enumerate() {
            if found.is_full() {
                break;
            }
            let laid = laying.lay(card, &mut map, &Path::of("overlay").at(index));
            laid.unwrap_or_else(|wrong| found.note(wrong));
        }
        for (index, change) in self.changes.iter().enumerate() {
            if found.is_full() {
                break;
            }
            let made = change::make(change, &mut map, &names, &Path::of("change").at(index));
            made.unwrap_or_else(|wrong| found.note(wrong));
        }
        let map = found.unless(map)?;
        map.check()
            .map_err(|error| vec![Path::default().wrong(error.to_string())])?;
        Ok(map)
    }

    fn check_format(&self) -> Result<(), Wrong> {
        if self.format == Self::FORMAT {
            return Ok(());
        }
        let (is, reads) = (self.format, Self::FORMAT);
        let what = format!("is {is}, and this program reads {reads}");
        Err(Path::of("format").wrong(what))
    }

    /// That there is not more to do than any scenario asks for.
    fn check_lengths(&self) -> Result<(), Wrong> {
        let lists = [
            ("overlay", self.overlays.len()),
            ("change", self.changes.len()),
        ];
        match lists
            .into_iter()
            .find(|(_, length)| *length > Self::MOST_LISTED)
        {
            None => Ok(()),
            Some((list, length)) => {
                let most = Self::MOST_LISTED;
                let what = format!("lists {length}; a map has at most {most}");
                Err(Path::of(list).wrong(what))
            }
        }
    }

    /// The file of a map of one board: its layers, with nothing left to overlays or changes.
    ///
    /// # Errors
    /// A map that names a hex which it does not have.
    pub fn from_map(map: &Map) -> Result<Self, MapError> {
        let board = Board {
            columns: map.grid.columns(),
            rows: map.grid.rows(),
            ..Board::default()
        };
        Self::from_map_on(map, vec![board])
    }

    /// The file of a map on these boards, whose names its hexes then have. What the boards say of
    /// levels is replaced by what the map says.
    ///
    /// # Errors
    /// Boards that do not make a grid of the map's size; a map that names a hex which it does not
    /// have.
    pub fn from_map_on(map: &Map, boards: Vec<Board>) -> Result<Self, MapError> {
        let mut file = Self {
            boards,
            ..Self::default()
        };
        let names = file.names()?;
        if names.grid() != map.grid {
            let (made, had) = (names.grid(), map.grid);
            return Err(MapError::from(Path::of("board").wrong(format!(
                "these boards make {} columns of {} rows, and the map has {} of {}",
                made.columns(),
                made.rows(),
                had.columns(),
                had.rows()
            ))));
        }
        for board in &mut file.boards {
            board.base_level = map.base_level;
            board.levels.clear();
        }
        for (hex, level) in &map.levels {
            let (board, name) = names.printed(*hex).ok_or_else(|| {
                let what = format!("names {}, which is not on the map", map.grid.label(*hex));
                MapError::from(Path::of("levels").wrong(what))
            })?;
            if let Some(board) = file.boards.get_mut(board) {
                board.levels.insert(name, *level);
            }
        }
        for (name, layer) in &map.layers {
            let path = Path::of("layers").key(name);
            let layer = LayerText::write(layer, &names, &path)?;
            file.layers.insert(name.clone(), layer);
        }
        Ok(file)
    }
}

/// Sets the levels that boards say. Where boards meet, what one says of a hex by name holds before
/// what it has from its board as a whole, and then the board that comes first in the file.
fn levels(boards: &[Board], names: &BoardNames, map: &mut Map, found: &mut Found) {
    map.base_level = boards.first().map_or(0, |board| board.base_level);
    let mut said = BTreeMap::new();
    for (index, board) in boards.iter().enumerate() {
        let path = Path::of("board").at(index);
        check_level(board.base_level, &path.key("base_level"))
            .unwrap_or_else(|wrong| found.note(wrong));
        for (name, level) in &board.levels {
            let path = path.key("levels").key(name);
            let set = level_of(index, name, *level, names, &mut said, &path);
            set.unwrap_or_else(|wrong| found.note(wrong));
        }
    }
    if boards
        .iter()
        .any(|board| board.base_level != map.base_level)
    {
        for hex in names.grid().hexes() {
            let board = names.printed(hex).and_then(|(index, _)| boards.get(index));
            match board {
                Some(board) if board.base_level != map.base_level => {
                    map.levels.insert(hex, board.base_level);
                }
                _ => {}
            }
        }
    }
    map.levels.extend(said);
}

/// Sets the level that a board says of one of its hexes.
fn level_of(
    board: usize,
    name: &str,
    level: i16,
    names: &BoardNames,
    said: &mut BTreeMap<Hex, i16>,
    path: &Path,
) -> Result<(), Wrong> {
    check_level(level, path)?;
    let hex = names.hex_on(board, name).map_err(|why| path.wrong(why))?;
    match said.insert(hex, level).filter(|other| *other != level) {
        None => Ok(()),
        Some(other) => Err(path.wrong(format!(
            "is level {level}, and {other} on the board that shares the hex; make them agree"
        ))),
    }
}

fn check_level(level: i16, path: &Path) -> Result<(), Wrong> {
    if Map::LEVELS.contains(&level) {
        return Ok(());
    }
    let (least, most) = (Map::LEVELS.start(), Map::LEVELS.end());
    Err(path.wrong(format!(
        "level {level} is out of bounds; levels go from {least} to {most}"
    )))
}
