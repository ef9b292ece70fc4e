//! Pictures in SVG.

mod counters;
mod edges;
mod ground;
mod legend;
mod line;
mod look;
mod page;
mod point;
mod symbols;
mod texture;
mod words;
mod xml;

pub use page::svg;
