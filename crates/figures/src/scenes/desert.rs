//! Desert of any size: boards beside each other, and overlays wherever they fit.

use std::collections::BTreeSet;

use alamein_hex::{Direction, Hex};
use alamein_maps::{Art, Board, BoardNames, Catalogue, Lies, MapFile, Overlay, Side};
use anyhow::{Context, Result};

use super::Chance;

/// How many overlays a board bears: four boards bear all that there are.
const OVERLAYS_PER_BOARD: usize = 7;

/// How many places are tried for an overlay.
const TRIES: usize = 5_000;

/// Desert of so many boards, 1 to 64, in as square a rectangle as there is, with seven overlays for each
/// board. Overlays neither touch each other nor the edge. The same number gives the same map; four
/// boards bear every overlay of the catalogue once.
///
/// # Errors
/// A number of boards that no map has.
pub fn desert(boards: u16) -> Result<MapFile> {
    let mut file = MapFile {
        title: "Desert with every overlay".to_owned(),
        boards: laid(boards),
        ..MapFile::default()
    };
    let names = file.names().context("no map has so many boards")?;
    let mut taken = BTreeSet::new();
    let mut chance = Chance::new(u64::from(boards));
    let mut arts: Vec<&Art> = Catalogue::bundled().iter().collect();
    // What is large finds room while there is some.
    arts.sort_by_key(|art| std::cmp::Reverse(art.shows.hexes.len()));
    let wanted = usize::from(boards) * OVERLAYS_PER_BOARD;
    let mut wanted: Vec<&Art> = arts.into_iter().cycle().take(wanted).collect();
    wanted.sort_by_key(|art| std::cmp::Reverse(art.shows.hexes.len()));
    for art in wanted {
        file.overlays
            .extend(placed(art, &names, &mut taken, &mut chance));
    }
    Ok(file)
}

/// Boards in rows, the wider way across.
fn laid(boards: u16) -> Vec<Board> {
    let down = (1..=boards)
        .take_while(|down| down * down <= boards)
        .filter(|down| boards.is_multiple_of(*down))
        .last()
        .unwrap_or(1);
    let across = boards / down;
    let board = |number: u16| {
        let begins_a_row = number > across && number % across == 1 % across;
        Board {
            name: number.to_string(),
            at: begins_a_row.then(|| Lies::Beside(Side::Below, (number - across).to_string())),
            ..Board::default()
        }
    };
    (1..=boards).map(board).collect()
}

/// An overlay on a place where nothing is yet, if one is found.
fn placed(
    art: &Art,
    names: &BoardNames,
    taken: &mut BTreeSet<Hex>,
    chance: &mut Chance,
) -> Option<Overlay> {
    let grid = names.grid();
    let hexes: Vec<Hex> = grid.hexes().collect();
    let is_free = |hex: Hex| grid.contains(hex) && !taken.contains(&hex);
    // A gap of a hex is left on every side.
    let has_room = |hex: &Hex| {
        is_free(*hex)
            && Direction::ALL
                .iter()
                .all(|way| is_free(hex.neighbour(*way)))
    };
    for _ in 0..TRIES {
        let one = *chance.one_of(&hexes)?;
        let two = *chance.one_of(&Direction::ALL)?;
        // Before it is turned there: most places are of no use.
        if !has_room(&one) || !has_room(&one.neighbour(two)) {
            continue;
        }
        let laid = art.laid(one, two);
        if laid.hexes.iter().all(has_room) {
            taken.extend(&laid.hexes);
            return Some(Overlay {
                id: art.id.clone(),
                on: [names.name(one)?, names.name(one.neighbour(two))?],
                over: Default::default(),
                high: false,
            });
        }
    }
    None
}
