//! Messages become domain types.
//!
//! What a client sends is checked field by field and [`Refused`] with the path of the field at
//! fault; nothing is accepted and ignored. Paths begin at the message that a function is given.

mod basics;
mod change;
mod counter;
mod map;
mod moves;
mod position;
mod question;
mod ruleset;
mod ruling;
mod sight;
mod verdict;

pub use basics::{IdOf, digest, unknown_word};
pub use change::{applied, changes, other_map};
pub use map::{hexes, map, survey_map};
pub use moves::{path_question, priced_path, reach, reach_question};
pub use position::position;
pub use question::{
    fire_lane, line_of_fire, line_of_sight, movement, question, render_line, set_up,
};
pub use ruleset::ruleset_spec;
pub use ruling::{DecodeError, adjudicated, ruling};
pub use sight::{field_head, field_question, field_summary, packed_field, sighted};

#[cfg(doc)]
use crate::Refused;
