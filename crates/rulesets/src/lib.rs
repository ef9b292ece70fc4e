//! Rulesets by name, and the plugins that they are made of.
//!
//! A [`RulesetSpec`] is what a ruleset file says: which plugins, in which versions, with which
//! options, under which grazing policy. A [`Registry`] holds plugins and makes [`Revision`]s of
//! specs. A revision is immutable and known by the fingerprint of its rules; a name points to the
//! newest revision of its spec and follows when plugins are loaded, replaced or retired; a tag is a
//! name for one revision, and stays.
//!
//! ```no_run
//! use alamein_engine::Threads;
//! use alamein_rulesets::{Registry, RulesetSpec, Settings};
//!
//! let registry = Registry::new(Threads::new()?, Settings::default());
//! registry.load("plugins/dunes".as_ref())?;
//! let spec = RulesetSpec::of("our-club", [("dunes", "^0.1".parse()?)]);
//! let made = registry.create(&spec, false)?;
//! registry.tag("desert-2026", made.revision.fingerprint(), false)?;
//!
//! let revision = registry.resolve("desert-2026")?;
//! let _in_flight = revision.enter();
//! let engine = registry.threads().engine(revision.ruleset());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! *Nothing is half done.* Every change makes a new snapshot of the whole and swaps it in at its
//! end; if anything fails, the last good one stays, and the error says what would have to change.
//! Whoever took a snapshot or a revision keeps it for as long as it likes, and gets the same answers
//! from it.
//!
//! *A fingerprint never means two things.* It hashes the plugins' ids, versions and rules revisions,
//! not their builds; so two builds of one version are refused, even if one is retired. For
//! developers, who build one version many times, there is [`Settings::developer`]: there the builds
//! count in every fingerprint. Such fingerprints are of another kind than those without builds, and
//! are never taken for them.

mod compare;
mod diff;
mod error;
mod generation;
mod golden;
mod listing;
mod registry;
mod revision;
mod snapshot;
mod spec;

pub use compare::{Changed, Compared, Unruled, compare};
pub use diff::{Diff, OptionChange, PluginChange, ReplacementChange, RuleChange};
pub use error::{Broken, RegistryError};
pub use generation::{Generation, PluginRef};
pub use listing::{Listing, PluginState, PluginStatus, RulesetStatus};
pub use registry::{Created, Loaded, Packed, Recipe, RecipePlugin, Registry, Settings, Stayed};
pub use revision::{InFlight, Revision, RevisionFailure};
pub use snapshot::{Named, Snapshot};
pub use spec::{PluginSpec, RulesetSpec, name_trouble};
