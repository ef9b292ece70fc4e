//! Looking at built plugins, and trying whether they keep to what a host expects.
//!
//! [`inspect`](inspect()) tells all that a host would learn of a plugin without calling it; nothing
//! of it runs. [`check`] is the conformance kit: it loads a plugin and drives it with maps, lines,
//! steps and options made from what its manifest says, each part in a child process, so that a plugin
//! which ends its process is a finding and not the end of the check.
//!
//! Whoever calls [`check`] names a program that calls [`try_part`] with the arguments it is given: as
//! a rule itself.

mod chance;
mod check;
mod child;
mod conformance;
mod describe;
mod exam;
mod full;
mod heap;
mod inspect;
mod maps;
mod notes;
mod options;
mod part;
mod questions;
mod same;
mod schema;
mod sight;
mod telling;
mod trials;
mod world;

pub use check::{Check, Checked, Report, Verdict};
pub use conformance::{Plan, check, try_part};
pub use describe::{Described, NotDescribed, describe};
pub use inspect::{Inspection, inspect};
pub use schema::MANIFEST_SCHEMA;
