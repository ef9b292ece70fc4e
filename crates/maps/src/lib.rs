//! Where maps come from: map files that say what a scenario card says, the desert overlays, and
//! boards joined into one map.
//!
//! * [`MapFile`] is what a map file holds, in TOML or in JSON of the same shape: boards, layers,
//!   overlays, changes by scenario rule. It makes a [`Map`](alamein_terrain::Map) and is made from
//!   one.
//! * [`Catalogue`] knows the overlays: which hexes each has, however it is turned.
//! * [`BoardNames`] translates between the names printed on boards and the hexes of the one grid
//!   that they make together.
//!
//! ```
//! use alamein_maps::MapFile;
//!
//! let file = MapFile::from_toml(r#"
//!     [[board]]
//!     name = "27"
//!
//!     [[overlay]]
//!     id = "D2"
//!     on = ["P6", "Q6"]
//! "#)?;
//! let map = file.to_map()?;
//! assert!(map.layers.contains_key("deir"));
//! # Ok::<(), alamein_maps::MapError>(())
//! ```

mod assemble;
mod board;
mod catalogue;
mod change;
mod error;
mod field;
mod file;
mod laying;
mod layout;
mod names;
mod text;
mod toml_text;
pub mod vasl;

pub use board::{Board, Half, Lies, Side};
pub use catalogue::{Art, Catalogue, Family, Laid};
pub use change::Change;
pub use error::MapError;
pub use field::{FieldText, LayerText};
pub use file::{MapFile, Over, Overlay};
pub use names::{BoardNameError, BoardNames};
