//! Positions and questions in, rulings out.
//!
//! An [`Engine`] has [`Threads`] to work on and a [`Ruleset`]: plugins, each with its options, and
//! a grazing policy. It is asked [`Question`](alamein_terrain::Question)s about a
//! [`Position`](alamein_terrain::Position), puts them to every plugin in rounds, merges what they
//! say and gives [`Ruling`](alamein_terrain::Ruling)s. It knows no rule of the game.
//!
//! A ruling is a pure function of the ruleset's fingerprint, the position and the question. In
//! which order plugins were loaded, whether they are loaded or linked, and which other questions
//! came in the same batch make no difference to a byte of it.

mod answers;
mod asked;
mod calls;
mod checked;
mod config;
mod conflict;
mod engine;
mod error;
mod field;
mod folder;
mod gathered;
mod interests;
mod ledger;
mod memo;
mod message;
mod metrics;
mod moves;
mod named;
mod naming;
mod path;
mod planes;
mod pool;
mod prepared;
mod reach;
mod ready;
mod resolve;
mod restating;
mod rounds;
mod ruleset;
mod search;
mod seers;
mod sieve;
mod sights;
mod verdicts;
mod within;

pub use config::{EngineConfig, Health, OnHealth};
pub use conflict::{Conflict, nearest};
pub use engine::{Engine, Rulings, Threads, Wanted};
pub use error::{AttributeError, MoveError, PrepareError, QuestionError, RulesetError, SightError};
pub use field::Looking;
pub use folder::{LoadedRules, RulesetChoice, load_rules};
pub use metrics::EngineMetrics;
pub use ruleset::{Member, Ruleset, RulesetConfig};
