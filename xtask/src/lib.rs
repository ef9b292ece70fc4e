//! The chores of this repository, as a library.
//!
//! The `xtask` command is a thin shell over it. The end to end tests use [`build_plugins`] to
//! build the plugins that they load.

mod build;
mod cargo;
pub mod ci;
mod files;
pub mod header;
mod plugins;
pub mod test;
pub mod tidy;
mod workspace;

use std::path::{Path, PathBuf};

pub use build::build_binary;
pub use plugins::{BuildPlugins, BuiltPlugin, build_plugins};
pub use workspace::Workspace;

/// The environment variable that names the folder of built plugins.
pub const PLUGIN_DIR: &str = "ALAMEIN_PLUGIN_DIR";

/// The environment variable that tells a plugin, as it is compiled, which sources it came from.
pub const BUILD_ID: &str = "ALAMEIN_BUILD_ID";

/// The root of this repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
