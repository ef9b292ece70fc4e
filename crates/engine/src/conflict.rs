//! What keeps plugins from making a ruleset together: all of it, at once.

mod circle;
mod find;
mod replacing;

use std::fmt;

use alamein_terrain::Cited;

pub(crate) use find::{Candidate, find};

/// One thing that keeps plugins from making a ruleset together. It names the plugins and the rules,
/// and says what to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Conflict {
    /// Two plugins of one id.
    PluginTwice {
        /// The id.
        plugin: String,
        /// The versions, lowest first.
        versions: Vec<String>,
    },
    /// A plugin that is not there.
    MissingPlugin {
        /// The id.
        plugin: String,
        /// The versions, or the build, that would do.
        wanted: String,
        /// What there is of that id instead.
        there: Vec<String>,
        /// An id that may be meant.
        did_you_mean: Option<String>,
    },
    /// A plugin needs another, which is not there.
    MissingDependency {
        /// The plugin.
        plugin: String,
        /// The plugin that it needs.
        needs: String,
        /// The versions of it that will do.
        requirement: String,
    },
    /// A plugin needs another, which is there in a version that will not do.
    WrongVersion {
        /// The plugin.
        plugin: String,
        /// The plugin that it needs.
        needs: String,
        /// The versions of it that will do.
        requirement: String,
        /// The version that is there.
        found: String,
    },
    /// Two plugins own the same layer.
    LayerTwice {
        /// The layer.
        layer: String,
        /// One plugin.
        one: String,
        /// The other.
        other: String,
    },
    /// Two rules replace the same rule.
    ReplacedTwice {
        /// The rule that they replace.
        replaced: Cited,
        /// One that replaces it.
        one: Cited,
        /// The other.
        other: Cited,
    },
    /// Rules that replace each other in a circle; a rule that replaces itself is one of one.
    Circle {
        /// The rules, each replaced by the next, and the last by the first.
        rules: Vec<Cited>,
    },
    /// A rule replaces what no plugin has.
    UnknownRule {
        /// The rule that replaces.
        by: Cited,
        /// What it says that it replaces.
        replaces: String,
        /// A rule that may be meant.
        did_you_mean: Option<String>,
    },
    /// A rule replaces what several plugins have.
    AmbiguousRule {
        /// The rule that replaces.
        by: Cited,
        /// What it says that it replaces.
        replaces: String,
        /// The plugins that have such a rule.
        plugins: Vec<String>,
    },
    /// Options for a plugin that is not there.
    OptionOfNoPlugin {
        /// The id given.
        plugin: String,
        /// An id that may be meant.
        did_you_mean: Option<String>,
    },
    /// An option that the plugin's schema refuses.
    Option {
        /// The plugin.
        plugin: String,
        /// The option's path, as in `.tem`; empty for the options as a whole.
        path: String,
        /// What the schema says.
        why: String,
    },
}

impl Conflict {
    /// A word for the reason, which stays the same from version to version.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::PluginTwice { .. } => "PLUGIN_TWICE",
            Self::MissingPlugin { .. } => "MISSING_PLUGIN",
            Self::MissingDependency { .. } => "MISSING_DEPENDENCY",
            Self::WrongVersion { .. } => "WRONG_VERSION",
            Self::LayerTwice { .. } => "LAYER_TWICE",
            Self::ReplacedTwice { .. } => "REPLACED_TWICE",
            Self::Circle { .. } => "CIRCLE",
            Self::UnknownRule { .. } => "UNKNOWN_RULE",
            Self::AmbiguousRule { .. } => "AMBIGUOUS_RULE",
            Self::OptionOfNoPlugin { .. } => "OPTION_OF_NO_PLUGIN",
            Self::Option { .. } => "OPTION",
        }
    }

    /// The plugins that it is between, sorted, each once.
    #[must_use]
    pub fn plugins(&self) -> Vec<&str> {
        let mut plugins: Vec<&str> = match self {
            Self::PluginTwice { plugin, .. }
            | Self::MissingPlugin { plugin, .. }
            | Self::OptionOfNoPlugin { plugin, .. }
            | Self::Option { plugin, .. } => vec![plugin],
            Self::MissingDependency { plugin, needs, .. }
            | Self::WrongVersion { plugin, needs, .. } => vec![plugin, needs],
            Self::LayerTwice { one, other, .. } => vec![one, other],
            Self::AmbiguousRule { by, plugins, .. } => {
                let plugins = plugins.iter().map(String::as_str);
                plugins.chain([&*by.plugin]).collect()
            }
            Self::ReplacedTwice { .. } | Self::Circle { .. } | Self::UnknownRule { .. } => {
                self.rules().into_iter().map(|rule| &*rule.plugin).collect()
            }
        };
        plugins.sort_unstable();
        plugins.dedup();
        plugins
    }

    /// The rules that it is about: first what is replaced, where that is known, then what replaces.
    #[must_use]
    pub fn rules(&self) -> Vec<&Cited> {
        match self {
            Self::ReplacedTwice {
                replaced,
                one,
                other,
            } => vec![replaced, one, other],
            Self::Circle { rules } => rules.iter().collect(),
            Self::UnknownRule { by, .. } | Self::AmbiguousRule { by, .. } => vec![by],
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PluginTwice { plugin, versions } => {
                let versions = versions.join(" and ");
                write!(
                    f,
                    "plugin {plugin} is there twice, as {versions}: leave one out"
                )
            }
            Self::MissingPlugin {
                plugin,
                wanted,
                there,
                did_you_mean,
            } => {
                write!(f, "plugins.{plugin}: {wanted} is not loaded; ")?;
                match (did_you_mean, there.is_empty()) {
                    (Some(other), _) => write!(f, "did you mean {other}?"),
                    (None, true) => write!(f, "no plugin of that id is: load it, or leave it out"),
                    (None, false) => write!(f, "loaded is {}", there.join(", ")),
                }
            }
            Self::MissingDependency {
                plugin,
                needs,
                requirement,
            } => write!(
                f,
                "plugin {plugin} needs plugin {needs} {requirement}, which is not in the ruleset: \
                 add {needs}, or leave {plugin} out"
            ),
            Self::WrongVersion {
                plugin,
                needs,
                requirement,
                found,
            } => write!(
                f,
                "plugin {plugin} needs plugin {needs} {requirement}, and the ruleset has {found}: \
                 take another {needs}, or another {plugin}"
            ),
            Self::LayerTwice { layer, one, other } => write!(
                f,
                "plugins {one} and {other} both own the layer {layer:?}: leave one out"
            ),
            Self::ReplacedTwice {
                replaced,
                one,
                other,
            } => {
                let (one, other, replaced) = (of(one), of(other), of(replaced));
                write!(
                    f,
                    "{one} and {other} both replace {replaced}: leave one out"
                )
            }
            Self::Circle { rules } => match rules.as_slice() {
                [rule] => write!(f, "{} replaces itself: its author must mend that", of(rule)),
                rules => {
                    let mut names: Vec<String> = rules.iter().map(of).collect();
                    names.extend(names.first().cloned());
                    let circle = names.join(", which is replaced by ");
                    write!(f, "{circle}: leave one of the plugins out")
                }
            },
            Self::UnknownRule {
                by,
                replaces,
                did_you_mean,
            } => {
                let by_name = of(by);
                write!(
                    f,
                    "{by_name} replaces {replaces}, which no plugin of the ruleset has"
                )?;
                match did_you_mean {
                    Some(rule) => write!(f, "; did you mean {rule}?"),
                    None => write!(
                        f,
                        ": add the plugin that has it, or leave {} out",
                        by.plugin
                    ),
                }
            }
            Self::AmbiguousRule {
                by,
                replaces,
                plugins,
            } => write!(
                f,
                "{} replaces {replaces}, which plugins {} have: its author must say whose, as in \
                 {}:{replaces}",
                of(by),
                plugins.join(" and "),
                plugins.first().map_or("plugin", String::as_str)
            ),
            Self::OptionOfNoPlugin {
                plugin,
                did_you_mean,
            } => {
                write!(f, "options.{plugin}: no such plugin in the ruleset")?;
                match did_you_mean {
                    Some(other) => write!(f, "; did you mean {other}?"),
                    None => Ok(()),
                }
            }
            Self::Option { plugin, path, why } => write!(f, "options.{plugin}{path}: {why}"),
        }
    }
}

/// How a rule is called in a sentence.
fn of(rule: &Cited) -> String {
    format!("rule {} of plugin {}", rule.rule, rule.plugin)
}

/// Of some names the one that is most like this, if one is like it: what may have been meant.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.8;
    let likeness = |other: &'a str| (strsim::jaro_winkler(name, other), other);
    let like = names.into_iter().map(likeness);
    let like = like.filter(|(likeness, other)| *likeness >= LIKE && *other != name);
    like.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, other)| other)
}

#[cfg(test)]
mod tests;
