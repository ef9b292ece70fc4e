//! Domain types become messages, in their canonical form: lists sorted, defaults filled in.

mod book;
mod change;
mod game;
mod map;
mod moves;
mod plugin;
mod position;
mod question;
mod ruleset;
mod ruling;
mod said;
mod sight;
mod verdict;

pub use book::RuleBook;
pub use change::{change, difference};
pub use game::{advanced, game, game_entry};
pub use map::map;
pub use moves::{move_options, path_question, priced_path, reach, reach_question};
pub use plugin::plugin;
pub use position::position;
pub use question::question;
pub use ruleset::{conflict, ruleset_diff, ruleset_spec};
pub use ruling::ruling;
pub use sight::{field_head, field_options, field_question, field_summary, packed_field, sighted};
