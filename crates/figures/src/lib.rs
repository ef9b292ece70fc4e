//! What is measured of Alamein, and how: the scenes that are judged, a clock, figures with ratios and
//! aims, and a history of them.
//!
//! `alamein bench` measures with the plugins that it loads; the benchmarks of this repository measure
//! the same with plugins that are linked. Both get their numbers here, so that they mean the same.

pub mod aims;
pub mod clock;
pub mod curve;
pub mod here;
pub mod history;
pub mod memory;
mod report;
pub mod scenes;
pub mod telling;

pub use report::{Figure, Machine, Ratio, Report, Unit};
