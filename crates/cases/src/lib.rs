//! Case files: a position, questions about it, and the answers that somebody expects.
//!
//! A case file is JSON, plain or compressed with gzip, and complete in itself: the map with its
//! layers, the counters, the questions. [`load`] reads one, [`judge`] compares what a ruleset says
//! of a question with what the file expects of it, and [`write`](fn@write) makes a file out of a
//! position and rulings on it. A dispute, a bug report and a regression test are all such a file.
//!
//! Nothing here knows a rule of the game or a plugin. Which layers there are and by which key an
//! answer reports what a rule found stands in the manifests of the plugins that are loaded: see
//! [`Known`].

mod answer;
mod case;
mod changes;
mod compare;
mod error;
mod judge;
mod known;
mod layers;
mod node;
mod position;
mod question;
mod reasons;
mod record;
mod settings;
mod source;
mod write;

pub use answer::{Answer, answer};
pub use case::{Asked, Case, CaseQuestion, Expected, load, parse};
pub use changes::{changed_json, changes_json, parse_changes};
pub use compare::{Comparison, Difference, compare};
pub use error::CaseError;
pub use judge::{Outcome, Said, judge};
pub use known::Known;
pub use reasons::reasons;
pub use record::{Line, Provenance, lines};
pub use settings::Settings;
pub use source::read_text;
pub use write::{Export, Exported, write, write_line, write_position};
