//! Exact hex geometry for Advanced Squad Leader maps: names, hexsides, vertices, and the course
//! of a line of fire over them.
//!
//! Nothing here knows a rule of the game, and nothing rounds: whether a line crosses a hexside,
//! runs along it or meets a vertex is decided in whole numbers.
//!
//! * [`Grid`] says which hexes a map has and what they are called.
//! * [`Hex`], [`Direction`], [`Hexside`] and [`Vertex`] are the pieces.
//! * [`Trace`] follows a line from one [`Aim`] to another; [`trace_between`] does so by way of
//!   templates that are computed once.
//! * [`Symmetry`] turns and mirrors all of these.
//!
//! ```
//! use alamein_hex::{Grid, trace_between};
//!
//! let board = Grid::geomorphic();
//! let line = trace_between(board.hex("P5")?, board.hex("S10")?);
//! assert_eq!(line.range(), 6);
//! assert!(line.grazing());
//! # Ok::<(), alamein_hex::NameError>(())
//! ```

mod aim;
mod direction;
mod event;
mod grid;
mod hex;
mod hexside;
mod lattice;
mod name;
mod reading;
mod symmetry;
mod template;
mod touch;
mod trace;
mod vertex;
mod walk;

pub use aim::Aim;
pub use direction::Direction;
pub use event::Event;
pub use grid::{Grid, GridError};
pub use hex::Hex;
pub use hexside::Hexside;
pub use name::NameError;
pub use reading::{Crossing, Reading, Side};
pub use symmetry::Symmetry;
pub use template::{TEMPLATE_RANGE, TraceRef, template, trace_between};
pub use touch::{Contact, Touch};
pub use trace::Trace;
pub use vertex::Vertex;
