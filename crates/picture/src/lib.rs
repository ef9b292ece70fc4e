//! Pictures of a part of a map in a terminal: hexes with their names, what the layers hold, the
//! counters, and a line with the hexsides that it crosses.
//!
//! A picture can be read without colour: every layer has a mark of its own, and a legend says
//! which. Nothing here knows what a layer means: it draws whatever hexes and hexsides there are.
//!
//! ```
//! use alamein_hex::Grid;
//! use alamein_picture::{Scene, draw};
//! use alamein_terrain::{Environment, Map, Position};
//!
//! let map = Map::flat(Grid::new(2, 1).unwrap());
//! let position = Position::new(map.into(), vec![], Environment::default()).unwrap();
//! let picture = draw(&Scene::of(&position));
//! assert!(picture.starts_with("         _____\n"));
//! ```

mod canvas;
mod frame;
mod legend;
mod line;
mod marks;
mod place;
mod scene;

pub use scene::{Label, Scene, draw};
