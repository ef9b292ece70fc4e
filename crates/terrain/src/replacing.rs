//! Which rule replaces which, and with what.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::manifest::is_id;
use crate::saying::{Effect, Fact};

/// A rule of a ruleset: the feature, and the rule's place in that feature's table.
pub type RuleAt = (u16, u16);

/// Which rules are replaced, each by the one rule that does so. There is no circle in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacements(BTreeMap<RuleAt, RuleAt>);

impl Replacements {
    /// The rule that replaces this one.
    #[must_use]
    #[inline]
    pub fn of(&self, rule: RuleAt) -> Option<RuleAt> {
        self.0.get(&rule).copied()
    }

    /// No rule is replaced.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every rule that is replaced, and by which.
    pub fn iter(&self) -> impl Iterator<Item = (RuleAt, RuleAt)> {
        self.0.iter().map(|(replaced, by)| (*replaced, *by))
    }

    /// Whether this rule replaces that one, be it through others.
    ///
    /// ```
    /// # use alamein_terrain::Replacements;
    /// let chain: Replacements = [((0, 1), (2, 0)), ((2, 0), (3, 0))].into_iter().collect();
    /// assert!(chain.stands_for((3, 0), (0, 1)));
    /// assert!(!chain.stands_for((0, 1), (3, 0)));
    /// ```
    #[must_use]
    pub fn stands_for(&self, by: RuleAt, replaced: RuleAt) -> bool {
        let mut at = replaced;
        // As long as the longest way there can be.
        for _ in 0..self.0.len() {
            match self.of(at) {
                Some(next) if next == by => return true,
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    }

    /// The rules of a feature that this rule replaces, be it through others.
    pub fn stood_for(&self, by: RuleAt, feature: u16) -> impl Iterator<Item = u16> {
        let its = self.0.range((feature, 0)..=(feature, u16::MAX));
        its.filter_map(move |(replaced, _)| self.stands_for(by, *replaced).then_some(replaced.1))
    }
}

impl FromIterator<(RuleAt, RuleAt)> for Replacements {
    fn from_iter<I: IntoIterator<Item = (RuleAt, RuleAt)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

/// The name of rules that another replaces.
///
/// It is a rule's id, `X9.1/name`; with its plugin before it where two plugins have such a rule,
/// `dunes:X9.1/name`; or a number, `X9.1`, which means every rule of that number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Replaced {
    /// The plugin whose rule it is, where that is said.
    pub plugin: Option<String>,
    /// The rule's id, or a number.
    pub rule: String,
}

impl Replaced {
    /// Whether it names a rule of this id, of whichever plugin.
    ///
    /// ```
    /// # use alamein_terrain::Replaced;
    /// let number = Replaced::try_from("X9.1".to_owned()).unwrap();
    /// assert!(number.names("X9.1/name") && !number.names("X9.11"));
    /// ```
    #[must_use]
    pub fn names(&self, rule: &str) -> bool {
        rule == self.rule || self.is_number() && rule.split('/').next() == Some(&self.rule)
    }

    /// Whether it is a number, and so means every rule of it.
    #[must_use]
    pub fn is_number(&self) -> bool {
        !self.rule.contains('/')
    }
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(plugin) = &self.plugin {
            write!(f, "{plugin}:")?;
        }
        f.write_str(&self.rule)
    }
}

impl TryFrom<String> for Replaced {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (plugin, rule) = match text.split_once(':') {
            Some((plugin, rule)) => (Some(plugin), rule),
            None => (None, text.as_str()),
        };
        if rule.is_empty() || plugin.is_some_and(|plugin| !is_id(plugin)) {
            return Err(format!(
                "{text:?} names no rule: write the rule's id, or plugin:id, or a number"
            ));
        }
        let (plugin, rule) = (plugin.map(str::to_owned), rule.to_owned());
        Ok(Self { plugin, rule })
    }
}

impl From<Replaced> for String {
    fn from(replaced: Replaced) -> Self {
        replaced.to_string()
    }
}

/// The number with which a rule replaces others: it says what they say, with this number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum With {
    /// This number.
    Number(i16),
    /// The value of an option of the plugin's.
    Option {
        /// The option's name.
        option: String,
    },
}

impl With {
    /// The numbers that there may be: more than any DRM, height or cost in the game.
    pub const RANGE: std::ops::RangeInclusive<i16> = -100..=100;

    /// The option that it names, if it does.
    #[must_use]
    pub fn option(&self) -> Option<&String> {
        match self {
            Self::Number(_) => None,
            Self::Option { option } => Some(option),
        }
    }

    /// The number, with these options of the plugin; nothing if the option is no such number.
    ///
    /// ```
    /// # use alamein_terrain::With;
    /// # use serde_json::json;
    /// let two: With = serde_json::from_str("2").unwrap();
    /// let option: With = serde_json::from_str(r#"{"option": "tem"}"#).unwrap();
    /// assert_eq!(two.number(&json!({})), Some(2));
    /// assert_eq!(option.number(&json!({"tem": 3})), Some(3));
    /// assert_eq!(option.number(&json!({"tem": "much"})), None);
    /// ```
    #[must_use]
    pub fn number(&self, options: &Value) -> Option<i16> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Option { option } => i16::try_from(options.get(option)?.as_i64()?).ok(),
        }
    }
}

impl Fact {
    /// The same with another number: a DRM, a height, MF or MP, the Final DR at which a check fails.
    #[must_use]
    pub fn with(self, number: i16) -> Self {
        match self {
            Self::Obstacle { kind, inherent, .. } => Self::Obstacle {
                kind,
                height: number,
                inherent,
            },
            Self::Hindrance { kind, .. } => Self::Hindrance { kind, drm: number },
            Self::Mark { kind, .. } => Self::Mark {
                kind,
                value: number.into(),
            },
            Self::Cost { part, .. } => Self::Cost {
                part,
                amount: number,
            },
            Self::Check {
                kind, times, order, ..
            } => Self::Check {
                kind,
                fails_at: number,
                times,
                order,
            },
            Self::CheckDrm { kind, .. } => Self::CheckDrm { kind, drm: number },
        }
    }
}

impl Effect {
    /// The same with another number; nothing if no number goes with it.
    #[must_use]
    pub fn with(self, number: i16) -> Option<Self> {
        match self {
            Self::Tem { group, .. } => Some(Self::Tem { group, drm: number }),
            Self::MoraleDrm { .. } => Some(Self::MoraleDrm { drm: number }),
            Self::Cap { .. } => Some(Self::Cap { max: number }),
            Self::Limit { .. } => Some(Self::Limit { at: number }),
            _ => None,
        }
    }
}
