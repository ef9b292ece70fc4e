//! A ruleset that could not be made, and why.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_engine::Conflict;
use alamein_proto::v1::ErrorReason;
use alamein_rulesets::{Generation, RegistryError, RulesetSpec};

use super::faults::{Doing, of_registry};
use crate::fault::Fault;

/// Why there is no ruleset of a name that was to be.
#[derive(Debug)]
pub struct Refused {
    /// Why.
    pub why: String,
    /// A word for it that stays the same from version to version, where a plugin is at fault. What is told of
    /// that plugin begins with it, so that it is known among those that only take no part.
    pub reason: Option<&'static str>,
    /// The plugin at fault, or one of those that clash; by the name of its folder, where its
    /// manifest does not tell its id. Nothing where there are no plugins.
    pub plugin: Option<String>,
    /// The folder of all plugins, if it could not be used.
    pub(crate) folder: Option<PathBuf>,
    /// Of what it was to be made, if that is known: it is tried again when a plugin comes.
    pub(super) spec: Option<Box<RulesetSpec>>,
    fault: Fault,
}

/// What came of a folder of plugins.
pub(super) type Entries = Vec<(PathBuf, Result<Arc<Generation>, RegistryError>)>;

impl Refused {
    /// A plugin that is needed could not be used. `folder` is that of all plugins.
    pub(super) fn plugin(path: &Path, error: &RegistryError, folder: &Path) -> Self {
        let plugin = plugin_of(path, error, folder);
        let (why, reason) = (error.to_string(), Some(error.reason()));
        Self {
            fault: plugin_refused(&why, plugin.as_deref()),
            why,
            reason,
            plugin,
            folder: (path == folder).then(|| folder.to_owned()),
            spec: None,
        }
    }

    /// There is nothing to make it of.
    pub(super) fn nothing(why: String, plugin: Option<String>) -> Self {
        Self {
            fault: plugin_refused(&why, plugin.as_deref()),
            why,
            reason: None,
            plugin,
            folder: None,
            spec: None,
        }
    }

    /// It cannot be made of this.
    pub(super) fn impossible(spec: RulesetSpec, error: &RegistryError) -> Self {
        let (mut plugin, mut reason) = (None, None);
        if let RegistryError::Impossible(broken) = error {
            let clash = broken.conflicts.first();
            plugin = clash.and_then(|it| it.plugins().last().map(|&plugin| plugin.to_owned()));
            reason = clash.map(Conflict::reason);
            if let Some((failed, why)) = &broken.plugin {
                (plugin, reason) = (Some(failed.clone()), Some(*why));
            }
        }
        Self {
            why: error.to_string(),
            reason,
            folder: None,
            spec: Some(Box::new(spec)),
            fault: match error {
                // What a plugin said when it was to be made.
                RegistryError::Impossible(broken) if broken.conflicts.is_empty() => {
                    plugin_refused(&error.to_string(), plugin.as_deref())
                }
                _ => of_registry(error, Doing::Creating),
            },
            plugin,
        }
    }

    /// What answers a request for it.
    pub(crate) fn fault(&self) -> Fault {
        self.fault.clone()
    }
}

fn plugin_refused(why: &str, plugin: Option<&str>) -> Fault {
    let fault = Fault::new(ErrorReason::PluginRefused, why);
    match plugin {
        Some(plugin) => fault.with("plugin", plugin),
        None => fault,
    }
}

/// The plugin of a folder: its id, or the name of its folder. The folder of all plugins is none.
pub(super) fn plugin_of(path: &Path, error: &RegistryError, folder: &Path) -> Option<String> {
    if let RegistryError::Plugin(error) = error
        && let Some(plugin) = error.plugin()
    {
        return Some(plugin.to_owned());
    }
    let name = path.file_name().filter(|_| path != folder)?;
    Some(name.to_string_lossy().into_owned())
}

/// Whether the plugin of a folder that was refused would have been wanted.
pub(super) fn is_wanted(
    path: &Path,
    error: &RegistryError,
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> bool {
    plugin_of(path, error, folder).is_none_or(|plugin| wanted(&plugin))
}
