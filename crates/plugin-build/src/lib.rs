//! From a plugin's sources to a folder that a host loads: building, laying out, and starting anew.
//!
//! [`build_plugins`] builds those of this repository, [`build_folder`] the one of a folder anywhere,
//! written in Rust or in C. Both lay a plugin out in the same way: a folder named by its id, with the
//! library, its manifest with an added `artifact` that says what the library must be, and its case
//! files. [`start`] writes the sources of a new one.
//!
//! Nothing here loads a plugin or knows what one is made of inside.

mod c;
pub mod cargo;
pub mod files;
mod folder;
mod house;
mod layout;
mod rust;
mod sdk;
mod start;
mod workspace;

pub use folder::{BuildFolder, build_folder};
pub use house::{BuildPlugins, build_house_rules, build_plugins};
pub use layout::{BuiltPlugin, CASES, MANIFEST, id_of};
pub use sdk::Sdk;
pub use start::{Started, check_name, start};
pub use workspace::{Dependency, Package, Workspace};

/// The environment variable that tells a plugin, as it is compiled, which sources it came from.
pub const BUILD_ID: &str = "ALAMEIN_BUILD_ID";
