//! Messages and domain types, there and back, and what is refused on the way.

#![allow(clippy::unwrap_used)] // A test may.

mod changes;
mod generate;
mod moves;
mod refusals;
mod round_trips;
mod rulings;
mod sight;
mod views;
mod worse;
