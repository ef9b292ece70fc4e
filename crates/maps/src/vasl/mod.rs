//! Boards of VASL, the Virtual ASL project, read from its board archives.
//!
//! A VASL board is a zip archive or a folder with, among much else, two members that say what its
//! terrain is: `LOSData`, the level and terrain of each pixel of its picture, and
//! `BoardMetadata.xml`, where its hexes lie on that picture. [`read`] derives from them what each
//! hex is: its Base Level, its terrain, what runs along its hexsides. [`VaslBoard::to_map`] gives
//! what of that has a layer here; [`VaslBoard::unmodelled`] says what has none.
//!
//! Files come from anywhere: whatever is in them, reading ends in a board or an error, within the
//! memory that the limits of this module allow.

mod error;
mod geometry;
mod hexes;
mod kinds;
mod members;
mod metadata;
mod payload;
mod raster;
mod stream;
mod to_map;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use alamein_hex::{Grid, Hex, Hexside};

use crate::board::Board;

pub use error::VaslError;
pub use hexes::VaslHex;
pub use kinds::TerrainKind;

/// The longest board archive that is read, in bytes.
pub const MOST_ARCHIVE: u64 = 64 * 1024 * 1024;
/// The most members of a board archive.
pub const MOST_MEMBERS: usize = 4096;
/// The longest `LOSData`, as it is stored in a folder or archive after the archive's own packing.
pub const MOST_LOS_DATA: u64 = 16 * 1024 * 1024;
/// The longest `BoardMetadata.xml`.
pub const MOST_METADATA: u64 = 1024 * 1024;
/// The most nodes of `BoardMetadata.xml`: elements, texts, comments.
pub const MOST_NODES: u32 = 50_000;
/// The most pixels of a board. The largest board known has 5.8 million.
pub const MOST_PIXELS: usize = 24 * 1024 * 1024;
/// The most hex columns, and the most hex rows, of a board.
pub const MOST_HEXES: i32 = 256;

/// What [`VaslBoard::unmodelled`] calls it where ground of two levels meets within a hex.
pub const CREST_LINE: &str = "crest line";

/// The member that holds levels and terrain.
pub const LOS_DATA: &str = "LOSData";
/// The member that says where hexes lie.
pub const METADATA: &str = "BoardMetadata.xml";

/// A board of VASL, as hexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaslBoard {
    /// Its name, size and hex names, in the form of a map file. Levels are not in it.
    pub board: Board,
    /// Its grid. [`VaslBoard::board`] says what its hexes are called: not all begin with A1.
    pub grid: Grid,
    /// Its hexes, in the order of [`Grid::index`].
    pub hexes: Vec<VaslHex>,
    /// What runs along hexsides: walls, cliffs, Dune Crests.
    pub hexsides: BTreeMap<Hexside, &'static TerrainKind>,
}

/// Reads a board from its archive or folder.
///
/// # Errors
/// What is missing, malformed or too large.
pub fn read(path: &Path) -> Result<VaslBoard, VaslError> {
    let members = if path.is_dir() {
        members::of_folder(path)?
    } else {
        members::of_archive(path)?
    };
    decode(&members.los_data, &members.metadata)
}

/// Reads a board from the bytes of its archive.
///
/// # Errors
/// What is missing, malformed or too large.
pub fn read_bytes(archive: &[u8]) -> Result<VaslBoard, VaslError> {
    if archive.len() as u64 > MOST_ARCHIVE {
        return Err(VaslError::TooLarge {
            what: "the archive",
            most: MOST_ARCHIVE,
            unit: "bytes",
        });
    }
    let members = members::of_bytes(archive)?;
    decode(&members.los_data, &members.metadata)
}

/// Reads a board from its two members, as they are stored.
///
/// # Errors
/// What is malformed or too large.
pub fn decode(los_data: &[u8], metadata: &[u8]) -> Result<VaslBoard, VaslError> {
    let metadata = metadata::read(metadata)?;
    let payload = payload::read(los_data)?;
    let geometry = geometry::Geometry::new(&metadata, &payload)?;
    hexes::derive(&metadata, &payload, &geometry)
}

impl VaslBoard {
    /// What is known of a hex.
    #[must_use]
    pub fn hex(&self, hex: Hex) -> Option<&VaslHex> {
        self.hexes.get(self.grid.index(hex)?)
    }
}
