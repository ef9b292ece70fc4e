//! Why a registry does not do what it is asked to.

use alamein_engine::{Conflict, RulesetError};
use alamein_plugin_host::PluginError;
use alamein_terrain::Digest;

/// A ruleset that would be no longer possible, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its name.
    pub ruleset: String,
    /// Why: conflicts, or what a plugin said when it was to be made.
    pub conflicts: Vec<Conflict>,
    /// What a plugin said when an instance of it was to be made, if it was that.
    pub failed: Option<String>,
    /// That plugin, and a word for what came of it that stays the same from version to version.
    pub plugin: Option<(String, &'static str)>,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let conflicts = self.conflicts.iter().map(ToString::to_string);
        let why: Vec<String> = conflicts.chain(self.failed.clone()).collect();
        write!(f, "ruleset {}: {}", self.ruleset, why.join("; "))
    }
}

/// Why a registry does not do what it is asked to. Whatever it was, nothing has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// A plugin that cannot be used.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// The process holds as many libraries as it may.
    #[error(
        "plugin {plugin}: this process holds {held} libraries, and may hold {most}; none is ever \
         unloaded: restart it, or allow it more"
    )]
    TooManyGenerations {
        /// The plugin that was to be loaded.
        plugin: String,
        /// How many it holds.
        held: u64,
        /// How many it may hold.
        most: u64,
    },
    /// Another build of the same version is known.
    #[error(
        "plugin {plugin}: version {version} is known as build {known}, and this is build {given}; \
         a fingerprint would mean both: raise the version, or allow several builds as a developer"
    )]
    BuildsDiffer {
        /// The plugin's id.
        plugin: String,
        /// The version.
        version: String,
        /// The build that is known.
        known: String,
        /// The build that was to be loaded.
        given: String,
    },
    /// The folder holds another plugin than the one to be replaced.
    #[error("plugin {asked}: cannot be replaced by plugin {found}: load that beside it instead")]
    OtherPlugin {
        /// The id of the plugin to be replaced.
        asked: String,
        /// The id of the plugin in the folder.
        found: String,
    },
    /// A plugin whose own cases do not come out as they say.
    #[error("plugin {plugin}: its own cases fail: {}", failed.join("; "))]
    CasesFail {
        /// The plugin's id.
        plugin: String,
        /// What failed, each by file and question.
        failed: Vec<String>,
    },
    /// No such plugin is loaded.
    #[error("no plugin {asked} is loaded; loaded is {there}")]
    UnknownPlugin {
        /// What was asked for.
        asked: String,
        /// What there is.
        there: String,
    },
    /// A ruleset that cannot be.
    #[error("{0}")]
    Impossible(Broken),
    /// Rulesets that would be no longer possible.
    #[error(
        "{plugin} is needed: {}; change the {} first",
        broken.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        if broken.len() == 1 { "ruleset" } else { "rulesets" }
    )]
    WouldBreak {
        /// The plugin that was to be loaded, replaced or retired.
        plugin: String,
        /// The rulesets.
        broken: Vec<Broken>,
    },
    /// A name that cannot be one.
    #[error("{name:?} cannot name a ruleset: {why}")]
    BadName {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A name that is a tag, or a tag that is a name.
    #[error("{name:?} is a {is} already; take another name")]
    NameTaken {
        /// The name.
        name: String,
        /// What it is: `ruleset` or `tag`.
        is: &'static str,
    },
    /// A tag that means another revision.
    #[error("tag {tag:?} means {from}; ask for it to be moved if it shall mean {to}")]
    TagMoves {
        /// The tag.
        tag: String,
        /// The revision that it means.
        from: Digest,
        /// The revision that it was to mean.
        to: Digest,
    },
    /// A tag that does not mean what it was to be moved from.
    #[error(
        "tag {tag:?} {}, not {from}; ask what it means before it is moved",
        now.map_or_else(|| "means nothing".to_owned(), |now| format!("means {now}"))
    )]
    TagElsewhere {
        /// The tag.
        tag: String,
        /// The revision that it means.
        now: Option<Digest>,
        /// The revision that it was to be moved from.
        from: Digest,
    },
    /// There are as many tags as may be.
    #[error(
        "tag {tag:?}: {most} tags are kept, and no more; move one that is there, or allow more"
    )]
    TooManyTags {
        /// The tag.
        tag: String,
        /// How many there may be.
        most: usize,
    },
    /// A revision cannot be made again without a plugin that is not held.
    #[error(
        "plugin {plugin} {version} is not held here, and did not come with what the revision is made of"
    )]
    NotHeld {
        /// The plugin's id.
        plugin: String,
        /// The version.
        version: String,
    },
    /// A build that came in a package was not fit to be used before.
    #[error(
        "{why} (it was tried before, and is not opened again before this process is started again)"
    )]
    Unfit {
        /// The plugin's id.
        plugin: String,
        /// Why.
        why: String,
    },
    /// A revision is of developers, whose builds count in fingerprints, or this registry is.
    #[error(
        "revision {fingerprint} was made where {}",
        if *developer { "several builds of one version are allowed, and is good only there" }
        else { "builds do not count, and here they do" }
    )]
    OtherKind {
        /// Its fingerprint.
        fingerprint: Digest,
        /// It is the revision that is of developers.
        developer: bool,
    },
    /// What was made again has another fingerprint than it had.
    #[error(
        "revision {fingerprint}: made again it is {made}, so that what it is made of is not what it was"
    )]
    NotTheSame {
        /// Its fingerprint.
        fingerprint: Digest,
        /// What came of it.
        made: Digest,
    },
    /// No ruleset, tag or revision of this name.
    #[error("there is no ruleset {asked:?}; {advice}")]
    UnknownRuleset {
        /// What was asked for.
        asked: String,
        /// What to do.
        advice: String,
    },
}

impl RegistryError {
    /// A word for the reason, which stays the same from version to version.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Plugin(error) => error.reason(),
            Self::TooManyGenerations { .. } => "TOO_MANY_GENERATIONS",
            Self::BuildsDiffer { .. } => "BUILDS_DIFFER",
            Self::OtherPlugin { .. } => "OTHER_PLUGIN",
            Self::CasesFail { .. } => "CASES_FAIL",
            Self::UnknownPlugin { .. } => "UNKNOWN_PLUGIN",
            Self::Impossible(_) => "RULESET_IMPOSSIBLE",
            Self::WouldBreak { .. } => "WOULD_BREAK",
            Self::BadName { .. } => "BAD_NAME",
            Self::NameTaken { .. } => "NAME_TAKEN",
            Self::TagMoves { .. } => "TAG_MOVES",
            Self::TagElsewhere { .. } => "TAG_ELSEWHERE",
            Self::TooManyTags { .. } => "TOO_MANY_TAGS",
            Self::NotHeld { .. } => "NOT_HELD",
            Self::Unfit { .. } => "UNFIT",
            Self::OtherKind { .. } => "OTHER_KIND",
            Self::NotTheSame { .. } => "NOT_THE_SAME",
            Self::UnknownRuleset { .. } => "UNKNOWN_RULESET",
        }
    }
}

impl Broken {
    pub(crate) fn of(ruleset: &str, error: RulesetError) -> Self {
        let plugin = match &error {
            RulesetError::Plugin(error) => error.plugin().map(|it| (it.to_owned(), error.reason())),
            _ => None,
        };
        let (conflicts, failed) = match error {
            RulesetError::Conflicts(conflicts) => (conflicts, None),
            other => (Vec::new(), Some(other.to_string())),
        };
        Self {
            ruleset: ruleset.to_owned(),
            conflicts,
            failed,
            plugin,
        }
    }
}
