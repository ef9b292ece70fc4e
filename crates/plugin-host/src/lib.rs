//! Loads, checks and calls terrain plugins.
//!
//! ```no_run
//! use alamein_plugin_host::{Vocabulary, load_folder};
//!
//! let report = load_folder("plugins".as_ref());
//! for (folder, error) in report.refused() {
//!     eprintln!("{}: {} ({error})", folder.display(), error.reason());
//! }
//! let kinds = Vocabulary::of(report.loaded());
//! for (index, plugin) in (0..).zip(report.loaded()) {
//!     let options = plugin.manifest().options_with(&Default::default());
//!     let feature = plugin.instantiate(options, &kinds, index)?;
//!     println!("{feature:?} is a TerrainFeature");
//! }
//! # Ok::<(), alamein_plugin_host::PluginError>(())
//! ```
//!
//! A plugin is a library with a `plugin.json` beside it, or is linked into this program
//! ([`NativePlugin::linked`]). Both are checked and called in the same way, so both answer the
//! same.
//!
//! This crate is for Unix; it is tested on Linux.
//!
//! # How a plugin is loaded
//!
//! [`NativePlugin::load`] takes these steps. The first that fails is the last, and
//! [`PluginError`] says what it was.
//!
//! 1. Read the `plugin.json`, and check it: a manifest with an `artifact`, for this [`TARGET`],
//!    whose file is a plain name. Neither it nor the library may lead out of the folder by a link,
//!    and not everyone may write to any of the three.
//! 2. Read the library's bytes, and check their size and SHA-256 against the `plugin.json`, and
//!    that they are a whole library for this machine: one that is cut short would end the process
//!    as soon as the system touches what is missing.
//! 3. Write *those bytes* to a new file in memory (or, where there can be none, in a new folder),
//!    under a name that this process never used: the system's loader, asked for a name or a file that it knows, gives the old code
//!    without a word.
//! 4. Open that file: with all symbols bound now, visible to nobody else, and never to be
//!    unloaded. This is the first time that code of the plugin may run (constructors, which a Rust
//!    library has none of). A file in memory stays open with the library, one on disk is removed.
//! 5. Find the descriptor, `alamein_plugin_<id>`, and check that its address is new.
//! 6. Check the descriptor before anything is called: magic number, ABI, sizes, panic strategy,
//!    target; id, version, build id and manifest against the `plugin.json`; the tables of rules,
//!    kinds and functions. All of it is copied.
//!
//! [`NativePlugin::instantiate`] then calls the plugin for the first time.
//!
//! # Never unloaded
//!
//! A library stays in memory to the end of the process, even if it was refused: it may have
//! started threads, or have left thread-local values behind whose destructors are in it. Loading
//! the same folder again gives new code with a state of its own; [`libraries_held`] counts.
//!
//! # What is checked in each call
//!
//! What a plugin says is checked one by one: tags, indices, places, bounds (see [`limits`]), and
//! null pointers. What makes no sense fails the whole call, and so do unknown statuses; what a
//! failed call had said is dropped. A call that panicked takes its instance out of use for good.
//!
//! # What cannot be caught
//!
//! A plugin is native code in this process, and trusted. If it reads memory that is not its own,
//! overflows its stack, calls `abort` or `exit`, or lets a panic or an exception out of a function
//! of its table, the process ends. If it never returns from a call, the thread that called never
//! comes back: it may ask whether its time is up, but cannot be made to. Another thread can see that
//! ([`Whereabouts`]), take the instance out of use, and go on without the thread. If it scribbles over memory,
//! anything may happen. Only load what you would run as yourself; what you would not belongs in a
//! process or a sandbox of its own, behind the same trait.

mod batch;
mod call;
mod context;
mod descriptor;
mod digest;
mod elf;
mod error;
mod feature;
mod files;
mod folder;
mod last;
mod layout;
mod lease;
pub mod limits;
mod map_view;
mod package;
mod plugin;
mod prepared;
#[cfg(feature = "rogue")]
pub mod rogue;
mod saying;
mod seen;
mod services;
mod sidecar;
mod sight;
mod sink;
mod stage;
mod text;
mod texts;
pub mod trial;
mod trust;
mod unopened;
mod vocabulary;
mod watch;

pub use error::PluginError;
pub use feature::NativeFeature;
pub use folder::{FolderEntry, FolderReport, load_folder, load_folder_with};
pub use last::last_calls_made;
pub use package::Package;
pub use plugin::{NativePlugin, Origin};
pub use sidecar::read_manifest;
pub use stage::libraries_held;
pub use trust::{LOCK_FILE, Lock, LockError, Locked, Trust, TrustedKey, Vouched};
pub use unopened::Unopened;
pub use vocabulary::Vocabulary;
pub use watch::{Stay, Whereabouts};

/// The target triple that this host is built for. Plugins must be built for the same.
pub const TARGET: &str = env!("ALAMEIN_TARGET");
