//! A ruleset from a folder of plugins.

use std::path::Path;

use alamein_plugin_host::{FolderReport, NativePlugin, Trust, load_folder_with};

use crate::error::RulesetError;
use crate::ruleset::{Ruleset, RulesetConfig};

/// Which plugins of a folder make a ruleset, and what it sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesetChoice {
    /// The ids of the plugins; none means all that are there.
    pub plugins: Vec<String>,
    /// Options and policy.
    pub config: RulesetConfig,
    /// Which plugins are let in.
    pub trust: Trust,
}

/// What came of a folder.
#[derive(Debug)]
pub struct LoadedRules {
    /// Its plugins, those refused too.
    pub report: FolderReport,
    /// The ruleset, or why there is none.
    pub ruleset: Result<Ruleset, RulesetError>,
}

/// Loads the plugins of a folder and makes a ruleset of them.
///
/// A plugin that is refused makes the ruleset fail, unless the choice names others and not it:
/// rulings are never given with the part of a plugin silently left out.
#[must_use]
pub fn load_rules(folder: &Path, choice: &RulesetChoice) -> LoadedRules {
    let report = load_folder_with(folder, &choice.trust);
    let ruleset =
        choose(&report, choice).and_then(|plugins| Ruleset::build(&plugins, &choice.config));
    LoadedRules { report, ruleset }
}

fn choose(
    report: &FolderReport,
    choice: &RulesetChoice,
) -> Result<Vec<NativePlugin>, RulesetError> {
    let wanted = |id: &str| choice.plugins.is_empty() || choice.plugins.iter().any(|p| p == id);
    let mut chosen = Vec::new();
    for entry in &report.entries {
        match &entry.outcome {
            Ok(plugin) if wanted(plugin.id()) => chosen.push(plugin.clone()),
            Ok(_) => {}
            Err(error) => {
                let name = entry.folder.file_name().and_then(|name| name.to_str());
                if error.plugin().or(name).is_none_or(wanted) {
                    return Err(error.clone().into());
                }
            }
        }
    }
    let folder = || report.folder.display().to_string();
    let missing = choice
        .plugins
        .iter()
        .find(|id| !chosen.iter().any(|p| p.id() == id.as_str()));
    if let Some(plugin) = missing {
        let there: Vec<&str> = report.loaded().map(NativePlugin::id).collect();
        let (plugin, there) = (plugin.clone(), there.join(", "));
        return Err(RulesetError::NotThere {
            plugin,
            folder: folder(),
            there,
        });
    }
    if chosen.is_empty() {
        return Err(RulesetError::NoPlugins { folder: folder() });
    }
    Ok(chosen)
}
