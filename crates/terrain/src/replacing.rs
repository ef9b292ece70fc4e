//! Which rule replaces which.

use std::collections::BTreeMap;

/// A rule of a ruleset: the feature, and the rule's place in that feature's table.
pub type RuleAt = (u16, u16);

/// Which rules are replaced, each by the one rule that does so. There is no circle in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacements(BTreeMap<RuleAt, RuleAt>);

impl Replacements {
    /// The rule that replaces this one.
    #[must_use]
    pub fn of(&self, rule: RuleAt) -> Option<RuleAt> {
        self.0.get(&rule).copied()
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
