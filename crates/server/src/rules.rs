//! The rules in force: loaded once the server listens, and what became of each plugin.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_cases::{Known, Settings};
use alamein_engine::{
    Conflict, Engine, EngineConfig, LoadedRules, RulesetChoice, RulesetError, Threads, load_rules,
};
use alamein_plugin_host::{FolderReport, PluginError};
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::ErrorReason;
use arc_swap::ArcSwapOption;

use crate::fault::Fault;

/// The rules of a server. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Rules(Arc<ArcSwapOption<State>>);

#[derive(Debug)]
enum State {
    Ready(Ready),
    Refused(Refused),
}

/// Rules that can be judged by.
#[derive(Debug)]
pub struct Ready {
    /// The engine.
    pub engine: Engine,
    /// What the manifests say of the rules.
    pub book: RuleBook,
    /// What the manifests say of case files.
    pub known: Known,
    /// What the ruleset sets that differs from what is usual.
    pub settings: Settings,
}

/// Why there are no rules to judge by, and what became of each plugin.
#[derive(Debug)]
pub struct Refused {
    /// Why.
    pub why: String,
    /// A word for it that stays the same from version to version, where a plugin could not be used.
    pub reason: Option<&'static str>,
    /// The plugin at fault, or one of those that clash; by the name of its folder, where its
    /// manifest does not tell its id. Nothing where there are no plugins.
    pub plugin: Option<String>,
    /// What became of each plugin.
    pub report: FolderReport,
}

/// What the rules are at one moment. A request takes it once.
#[derive(Clone, Debug)]
pub struct InForce(Arc<State>);

impl InForce {
    /// The rules, if they can be judged by.
    ///
    /// # Errors
    /// The fault that answers a request where they cannot.
    pub fn ready(&self) -> Result<&Ready, Fault> {
        match &*self.0 {
            State::Ready(ready) => Ok(ready),
            State::Refused(refused) => {
                let fault = Fault::new(ErrorReason::PluginRefused, refused.why.clone());
                Err(match &refused.plugin {
                    Some(plugin) => fault.with("plugin", plugin),
                    None => fault,
                })
            }
        }
    }

    /// What was refused, where something was.
    #[must_use]
    pub fn refused(&self) -> Option<&Refused> {
        match &*self.0 {
            State::Ready(_) => None,
            State::Refused(refused) => Some(refused),
        }
    }
}

impl Rules {
    /// Rules that are there already.
    #[must_use]
    pub fn of(engine: Engine) -> Self {
        let rules = Self::default();
        rules.set(State::Ready(ready(engine)));
        rules
    }

    /// What the rules are now.
    ///
    /// # Errors
    /// The fault that answers a request while they are loaded.
    pub fn now(&self) -> Result<InForce, Fault> {
        let now = self.0.load_full().map(InForce);
        now.ok_or_else(|| {
            Fault::new(
                ErrorReason::RulesetNotReady,
                "the rules are being loaded; try again",
            )
            .retry_after(std::time::Duration::from_millis(200))
        })
    }

    /// Loads the plugins of a folder and puts them in force. It takes a while, and the thread it
    /// is called on. Says whether there are rules now.
    pub fn load(&self, source: &RulesSource) -> bool {
        let LoadedRules { report, ruleset } = load_rules(&source.folder, &source.choice);
        for plugin in report.loaded() {
            let (id, version) = (plugin.id(), plugin.version());
            tracing::info!(id, version, digest = plugin.digest(), "plugin loaded");
        }
        for (path, error) in report.refused() {
            let path = path.display();
            tracing::error!(%path, reason = error.reason(), "plugin refused: {error}");
        }
        let why = |error| Why::of(&error, &report);
        let engine = ruleset.map_err(why).and_then(|ruleset| {
            tracing::info!(fingerprint = %ruleset.fingerprint(), "rules in force");
            let threads = Threads::with(source.engine.clone())?;
            Ok(threads.engine(Arc::new(ruleset)))
        });
        match engine {
            Ok(engine) => {
                self.set(State::Ready(ready(engine)));
                true
            }
            Err(Why {
                why,
                reason,
                plugin,
            }) => {
                tracing::error!("no rules to judge by: {why}");
                self.set(State::Refused(Refused {
                    why,
                    reason,
                    plugin,
                    report,
                }));
                false
            }
        }
    }

    fn set(&self, state: State) {
        self.0.store(Some(Arc::new(state)));
    }
}

fn ready(engine: Engine) -> Ready {
    let ruleset = engine.ruleset();
    let members = ruleset.members();
    let manifests = || members.iter().map(|member| member.manifest());
    let options = members
        .iter()
        .map(|member| (member.manifest(), &member.options));
    Ready {
        book: RuleBook::new(manifests()),
        known: Known::of(manifests()),
        settings: Settings::differing(ruleset.policy(), options),
        engine,
    }
}

/// Why there is no engine.
struct Why {
    why: String,
    reason: Option<&'static str>,
    plugin: Option<String>,
}

impl Why {
    fn of(error: &RulesetError, report: &FolderReport) -> Self {
        let (reason, plugin) = match error {
            RulesetError::Plugin(error) => (Some(error.reason()), at_fault(error, report)),
            RulesetError::NotThere { plugin, .. } => (None, Some(plugin.clone())),
            RulesetError::Conflicts(conflicts) => {
                let plugins = conflicts.first().map(Conflict::plugins).unwrap_or_default();
                (None, plugins.last().map(|plugin| (*plugin).to_owned()))
            }
            RulesetError::Empty | RulesetError::NoPlugins { .. } => (None, None),
        };
        Self {
            why: error.to_string(),
            reason,
            plugin,
        }
    }
}

/// The plugin that could not be used: its id, or the name of its folder.
fn at_fault(error: &PluginError, report: &FolderReport) -> Option<String> {
    if let Some(plugin) = error.plugin() {
        return Some(plugin.to_owned());
    }
    let (path, _) = report.refused().find(|(_, its)| *its == error)?;
    plugin_at(path, report)
}

/// The name of a plugin's folder. The folder of all plugins is not a plugin's.
pub(crate) fn plugin_at(path: &Path, report: &FolderReport) -> Option<String> {
    let name = path.file_name().filter(|_| path != report.folder)?;
    Some(name.to_string_lossy().into_owned())
}

impl From<std::io::Error> for Why {
    fn from(error: std::io::Error) -> Self {
        Self {
            why: format!("no threads to judge on: {error}"),
            reason: None,
            plugin: None,
        }
    }
}

/// Where a server's rules come from.
#[derive(Clone, Debug, Default)]
pub struct RulesSource {
    /// The folder of plugins.
    pub folder: PathBuf,
    /// Which of them, with which options.
    pub choice: RulesetChoice,
    /// How the threads work that judge by them.
    pub engine: EngineConfig,
}
