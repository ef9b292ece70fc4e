//! Pictures of a part of a map: hexes with their names, what the layers hold, the counters, and a
//! line with the hexsides that it crosses.
//!
//! [`draw`] makes one of letters, for a terminal; [`svg`] makes one in SVG, for pages and programs;
//! [`png`] paints that, for who can show no SVG. Each can be read without colour: every layer has a mark or pattern of its own, and a legend
//! says which. Nothing here knows what a layer means: it draws whatever hexes and hexsides there
//! are, and the manifests' words for how layers look only choose colours and patterns. The same
//! scene gives the same picture, to the byte.
//!
//! ```
//! use alamein_hex::Grid;
//! use alamein_picture::{Scene, draw, svg};
//! use alamein_terrain::{Environment, Map, Position};
//!
//! let map = Map::flat(Grid::new(2, 1).unwrap());
//! let position = Position::new(map.into(), vec![], Environment::default()).unwrap();
//! let scene = Scene::of(&position);
//! assert!(draw(&scene).starts_with("         _____\n"));
//! assert!(svg(&scene).unwrap().starts_with("<svg "));
//! ```

mod content;
mod course;
mod frame;
mod png;
mod scene;
mod svg;
mod text;
mod told;

pub use frame::TooLarge;
pub use png::{PNG_WIDTHS, PngError, png};
pub use scene::{Label, Scene};
pub use svg::svg;
pub use text::draw;
