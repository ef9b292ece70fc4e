//! The chores of this repository, as a library.
//!
//! The `xtask` command is a thin shell over it. The end to end tests use [`build_plugins`] to
//! build the plugins that they load.

pub mod api;
mod build;
pub mod ci;
pub mod clients;
pub mod figures;
pub mod fuzz;
pub mod header;
pub mod reference;
pub mod soak;
pub mod test;
pub mod tidy;

use std::path::{Path, PathBuf};

pub use alamein_plugin_build::{
    BUILD_ID, BuildPlugins, BuiltPlugin, Workspace, build_house_rules, build_plugins,
};
pub use build::build_binary;

/// The environment variable that names the folder of built plugins.
pub const PLUGIN_DIR: &str = "ALAMEIN_PLUGIN_DIR";

/// The root of this repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
