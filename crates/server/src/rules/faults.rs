//! What a registry refuses becomes an error of the API.

use alamein_engine::Conflict;
use alamein_proto::v1::ErrorReason as R;
use alamein_rulesets::{Broken, RegistryError};

use crate::fault::Fault;

/// What a registry was asked to do when it refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// To find a ruleset, or to tag it.
    Asking,
    /// To make a ruleset.
    Creating,
    /// To load or replace a plugin.
    Loading,
    /// To retire one.
    Retiring,
}

/// The error of the API for what a registry says.
pub(crate) fn of_registry(error: &RegistryError, doing: Doing) -> Fault {
    let text = error.to_string();
    let refused = |plugin: Option<&str>| {
        let fault = Fault::new(R::PluginRefused, &*text).with("refusal", error.reason());
        match plugin {
            Some(plugin) => fault.with("plugin", plugin),
            None => fault,
        }
    };
    match error {
        RegistryError::Plugin(error) => refused(error.plugin()),
        RegistryError::BuildsDiffer { plugin, .. }
        | RegistryError::CasesFail { plugin, .. }
        | RegistryError::OtherPlugin { asked: plugin, .. } => refused(Some(plugin)),
        RegistryError::TooManyGenerations { held, most, .. } => Fault::new(R::LibrariesFull, text)
            .with("held", held)
            .with("max", most),
        RegistryError::UnknownPlugin { asked, .. } => Fault::new(R::PluginNotFound, text)
            .with("plugin", asked)
            .missing("plugin", asked),
        RegistryError::Impossible(broken) => impossible(broken, text),
        RegistryError::WouldBreak { plugin, broken } if doing == Doing::Retiring => {
            let rulesets: Vec<&str> = broken.iter().map(|broken| &*broken.ruleset).collect();
            Fault::new(R::PluginInUse, in_use(plugin, broken))
                .with("plugin", plugin.trim_start_matches("plugin "))
                .with("rulesets", rulesets.join(","))
        }
        RegistryError::WouldBreak { broken, .. } => match broken.first() {
            Some(broken) => impossible(broken, text),
            None => refused(None),
        },
        RegistryError::BadName { name, .. } => Fault::new(R::InvalidName, text).with("value", name),
        RegistryError::NameTaken { name, .. } => Fault::new(R::TagTaken, text).with("tag", name),
        RegistryError::TagMoves { tag, from, .. } => {
            let text = format!("tag {tag:?} stands for {from}; TagRuleset can move it");
            Fault::new(R::TagTaken, text)
                .with("tag", tag)
                .with("rules_fingerprint", from)
        }
        RegistryError::TooManyTags { most, .. } => Fault::new(R::StoreFull, text)
            .with("kind", "tag")
            .with("max", most),
        RegistryError::UnknownRuleset { asked, .. } => unknown(asked, &text),
        other => {
            tracing::error!("{other}");
            Fault::new(
                R::Internal,
                "the rulesets could not be changed; the log says why",
            )
        }
    }
}

/// A ruleset that cannot be. The first conflict gives the reason; the message tells all.
fn impossible(broken: &Broken, text: String) -> Fault {
    match broken.conflicts.first() {
        None => Fault::new(R::PluginRefused, text).with("refusal", "NOT_CREATED"),
        Some(conflict) => of_conflict(conflict, text),
    }
    .with("ruleset", &broken.ruleset)
}

fn of_conflict(conflict: &Conflict, text: String) -> Fault {
    let fault = match conflict {
        Conflict::MissingPlugin { plugin, wanted, .. } => {
            return Fault::new(R::PluginNotAvailable, text)
                .with("plugin", plugin)
                .with("requirement", wanted);
        }
        Conflict::Option { plugin, path, .. } => {
            return Fault::new(R::OptionInvalid, text)
                .with("plugin", plugin)
                .with("path", path.trim_start_matches('.'))
                .field(option_path(conflict), conflict.to_string());
        }
        _ => Fault::new(R::RulesetConflict, text).with("conflict", conflict.reason()),
    };
    let keys = ["plugin", "other_plugin"];
    let plugins = keys.into_iter().zip(conflict.plugins());
    let fault = plugins.fold(fault, |fault, (key, plugin)| fault.with(key, plugin));
    match conflict.rules().first() {
        Some(rule) => fault.with("rule", &rule.rule),
        None => fault,
    }
}

/// The path of the option at which a conflict is, in a ruleset file; empty if it is at none.
pub(crate) fn option_path(conflict: &Conflict) -> String {
    match conflict {
        Conflict::Option { plugin, path, .. } => format!("plugins.{plugin}.options{path}"),
        Conflict::OptionOfNoPlugin { plugin, .. } => format!("plugins.{plugin}.options"),
        _ => String::new(),
    }
}

/// A ruleset that is not there, or not here.
fn unknown(asked: &str, text: &str) -> Fault {
    if asked.parse::<alamein_terrain::Digest>().is_ok() {
        return Fault::new(R::RulesetNotAvailable, text).with("rules_fingerprint", asked);
    }
    Fault::new(R::RulesetNotFound, text)
        .with("ruleset_id", asked)
        .missing("ruleset", asked)
}

/// Rules of a fingerprint that are not here.
pub(crate) fn elsewhere(fingerprint: &str, text: &str) -> Fault {
    Fault::new(R::RulesetNotAvailable, text)
        .with("rules_fingerprint", fingerprint)
        .field("rules_fingerprint", "leave it empty for the rules in force")
}

/// Which rulesets would be left without what they want, if a plugin were retired.
fn in_use(plugin: &str, broken: &[Broken]) -> String {
    let left = |there: &[String]| match there {
        [] => "none of it".to_owned(),
        there => format!("only {}", there.join(", ")),
    };
    let why = |conflict: &Conflict| match conflict {
        Conflict::MissingPlugin {
            plugin,
            wanted,
            there,
            ..
        } => {
            let left = left(there);
            format!("wants {plugin} {wanted}, and {left} would be left, if it were retired")
        }
        other => format!("could not be made any more: {other}"),
    };
    let rulesets = broken.iter().map(|it| {
        let why = it.conflicts.iter().map(why).chain(it.failed.clone());
        let why: Vec<String> = why.collect();
        format!("ruleset {} {}", it.ruleset, why.join("; "))
    });
    let rulesets: Vec<String> = rulesets.collect();
    let first = if broken.len() == 1 {
        "ruleset"
    } else {
        "rulesets"
    };
    let rulesets = rulesets.join("; ");
    format!("{plugin} is needed: {rulesets}; change the {first} first")
}
