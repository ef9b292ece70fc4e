//! What each hex is, out of the pixels.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Direction, Grid, Hex, Hexside};

use super::geometry::{Geometry, Place};
use super::kinds::{TerrainKind, code};
use super::metadata::{Edge, Metadata};
use super::payload::Payload;
use super::raster::Raster;
use super::{VaslBoard, VaslError};
use crate::board::Board;
use crate::names::BoardNames;

/// A hex of a VASL board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaslHex {
    /// Which hex it is.
    pub hex: Hex,
    /// The level of its centre dot: the floor, in a depression.
    pub base_level: i8,
    /// Its terrain: that of its centre, unless a building or Inherent Terrain reaches it.
    pub terrain: &'static TerrainKind,
    /// The depression that its centre lies in.
    pub depression: Option<&'static TerrainKind>,
    /// Whether `LOSData` marks a stairway.
    pub stairway: bool,
    /// The terrain just inside the middle of each hexside, from the north one clockwise; nothing
    /// off the picture.
    pub edges: [Option<&'static TerrainKind>; 6],
    /// How many pixels of the hex show which terrain, by code.
    pub shows: BTreeMap<u8, u32>,
    /// How many pixels of the hex are at which level.
    pub levels: BTreeMap<i8, u32>,
    /// The hexsides that `BoardMetadata.xml` lists as slopes.
    pub slopes: BTreeSet<Direction>,
    /// The hexsides that `BoardMetadata.xml` lists as railway embankments.
    pub embankments: BTreeSet<Direction>,
}

/// Derives the hexes of a board.
pub(super) fn derive(
    metadata: &Metadata,
    payload: &Payload,
    geometry: &Geometry,
) -> Result<VaslBoard, VaslError> {
    let size = |count: i32| u16::try_from(count).unwrap_or(u16::MAX);
    let grid = Grid::new(size(geometry.columns), size(geometry.rows))
        .map_err(|error| VaslError::geometry(error.to_string()))?;
    let board = Board {
        name: metadata.name.clone(),
        columns: grid.columns(),
        rows: grid.rows(),
        first_column: geometry.first_column.to_owned(),
        first_row: geometry.rows_before + 1,
        ..Board::default()
    };
    let deriving = Deriving {
        raster: &payload.raster,
        geometry,
    };
    // The columns and rows of both are counted alike.
    let places = geometry.places().zip(grid.hexes()).zip(&payload.stairways);
    let hexes: Option<Vec<VaslHex>> = places
        .map(|((place, hex), stairway)| deriving.hex(place, hex, *stairway))
        .collect();
    let hexes = hexes.ok_or_else(|| VaslError::geometry("a centre lies off the picture"))?;
    let mut board = VaslBoard {
        board,
        grid,
        hexes,
        hexsides: BTreeMap::new(),
    };
    deriving.shown(&mut board);
    board.hexsides = deriving.hexsides(&board);
    edges_of(metadata, &mut board)?;
    Ok(board)
}

struct Deriving<'a> {
    raster: &'a Raster,
    geometry: &'a Geometry,
}

impl Deriving<'_> {
    fn hex(&self, place: Place, hex: Hex, stairway: bool) -> Option<VaslHex> {
        let (x, y) = self.geometry.centre(place);
        let (base_level, centre) = self.raster.at(x, y)?;
        let edges = self.geometry.midpoints(place).map(|(x, y)| self.kind(x, y));
        let mut terrain = TerrainKind::of_code(centre)?;
        if !terrain.building {
            let building = edges.iter().flatten().find(|kind| kind.building);
            terrain = building.copied().unwrap_or(terrain);
        }
        if terrain.market {
            terrain = TerrainKind::of_code(code::OPEN_GROUND)?;
        }
        let depression = Some(terrain).filter(|kind| kind.depression);
        if let Some(inherent) = self.inherent(place) {
            terrain = inherent;
        }
        Some(VaslHex {
            hex,
            base_level,
            terrain,
            depression,
            stairway,
            edges,
            shows: BTreeMap::new(),
            levels: BTreeMap::new(),
            slopes: BTreeSet::new(),
            embankments: BTreeSet::new(),
        })
    }

    fn kind(&self, x: i32, y: i32) -> Option<&'static TerrainKind> {
        TerrainKind::of_code(self.raster.code(x, y)?)
    }

    /// Inherent Terrain, if any pixel of it lies nearer to the centre than to all hexsides.
    fn inherent(&self, place: Place) -> Option<&'static TerrainKind> {
        let border = self.geometry.border(place)?;
        let (xs, ys) = (border.map(|(x, _)| x), border.map(|(_, y)| y));
        let span = |all: [i32; 6], size: i32| {
            let least = all.iter().min().map_or(0, |least| (*least).max(0));
            let most = all.iter().max().map_or(0, |most| (*most).min(size));
            least..most
        };
        let centre = self.geometry.centre(place);
        let midpoints = self.geometry.midpoints(place);
        let sides: Vec<(i32, i32)> = (0u8..)
            .zip(midpoints)
            .filter(|(side, _)| self.geometry.is_on_board(place, *side))
            .map(|(_, point)| point)
            .collect();
        for x in span(xs, self.raster.width()) {
            for y in span(ys, self.raster.height()) {
                let Some(kind) = self.kind(x, y).filter(|kind| kind.inherent) else {
                    continue;
                };
                let near = square(centre, x, y);
                if sides.iter().all(|side| near <= square(*side, x, y)) {
                    return Some(kind);
                }
            }
        }
        None
    }

    /// Notes which terrain the pixels of each hex show, and at which levels.
    fn shown(&self, board: &mut VaslBoard) {
        let mut seen = vec![[0u32; 256]; board.hexes.len()];
        for x in 0..self.raster.width() {
            for y in 0..self.raster.height() {
                let Some((level, code)) = self.raster.at(x, y) else {
                    continue;
                };
                let hex = self
                    .geometry
                    .hex_at(x, y)
                    .and_then(|place| self.geometry.index(place));
                let Some(hex) = hex else { continue };
                if let Some(seen) = seen.get_mut(hex) {
                    seen[usize::from(code)] += 1;
                }
                if let Some(hex) = board.hexes.get_mut(hex) {
                    *hex.levels.entry(level).or_insert(0) += 1;
                }
            }
        }
        for (hex, seen) in board.hexes.iter_mut().zip(seen) {
            let pixels = (0u8..=255).zip(seen);
            hex.shows = pixels.filter(|(_, pixels)| *pixels > 0).collect();
        }
    }

    /// What runs along each hexside: what the hex that comes first has there, or else the other.
    fn hexsides(&self, board: &VaslBoard) -> BTreeMap<Hexside, &'static TerrainKind> {
        let mut hexsides = BTreeMap::new();
        for (place, hex) in self.geometry.places().zip(&board.hexes) {
            for side in (0u8..6).filter(|side| self.geometry.is_on_board(place, *side)) {
                let Some(direction) = Direction::from_index(side) else {
                    continue;
                };
                let edge = hex.edges.get(usize::from(side)).copied().flatten();
                if let Some(kind) = edge.filter(|kind| kind.hexside) {
                    // Hexes come in order, so that the first to speak is the first.
                    hexsides
                        .entry(Hexside::of(hex.hex, direction))
                        .or_insert(kind);
                }
            }
        }
        hexsides
    }
}

fn square((x, y): (i32, i32), to_x: i32, to_y: i32) -> i64 {
    let (dx, dy) = (
        i64::from(x) - i64::from(to_x),
        i64::from(y) - i64::from(to_y),
    );
    dx * dx + dy * dy
}

/// Notes the slopes and railway embankments that the metadata lists. A hex that the board does not
/// have is no error: VASL passes over it too.
fn edges_of(metadata: &Metadata, board: &mut VaslBoard) -> Result<(), VaslError> {
    let names = BoardNames::new(std::slice::from_ref(&board.board))
        .map_err(|error| VaslError::geometry(error.to_string()))?;
    let mut note = |edges: &[Edge], is_slope: bool| {
        for edge in edges {
            let index = names
                .hex(&edge.hex)
                .ok()
                .and_then(|hex| board.grid.index(hex));
            let Some(hex) = index.and_then(|index| board.hexes.get_mut(index)) else {
                continue;
            };
            let sides = edge
                .hexsides
                .iter()
                .filter_map(|side| Direction::from_index(*side));
            if is_slope {
                hex.slopes.extend(sides);
            } else {
                hex.embankments.extend(sides);
            }
        }
    };
    note(&metadata.slopes, true);
    note(&metadata.embankments, false);
    Ok(())
}
