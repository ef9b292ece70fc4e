//! Rules that replace others with a number: they say the same, with that number.
//!
//! It is the commonest house rule there is ("deirs are deeper: +2"), and a plugin of one needs no code:
//! its manifest says which rule, and which number. What the replaced rule says still tells where and
//! of whom; the copy goes through the rounds like anything else that is said, in the name of the rule
//! that replaces.

use std::collections::BTreeMap;

use alamein_terrain::{Fact, FeatureError, Finding, Observation, Replacements, RuleAt, With};

use crate::ruleset::Member;

/// For each rule that replaces others with a number, the number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Restating(BTreeMap<RuleAt, i16>);

impl Restating {
    /// Reads it out of the manifests and options of a ruleset's members.
    pub(crate) fn of(members: &[Member]) -> Self {
        let mut numbers = BTreeMap::new();
        for (feature, member) in (0..).zip(members) {
            for (rule, with) in member.replaces_with() {
                if let Some(number) = With::number(with, &member.options) {
                    numbers.insert((feature, rule), number);
                }
            }
        }
        Self(numbers)
    }

    /// The rule that says again what this one says, with its number. Where that rule is itself replaced
    /// with a number, it is the last one that does.
    fn again(&self, replacements: &Replacements, rule: RuleAt) -> Option<(RuleAt, i16)> {
        // There is no circle in what is replaced, so this ends.
        let next = |rule: RuleAt| {
            let by = replacements.of(rule)?;
            Some((by, *self.0.get(&by)?))
        };
        std::iter::successors(next(rule), |(by, _)| next(*by)).last()
    }

    /// What is observed again of an observation, by which feature.
    pub(crate) fn observation(
        &self,
        replacements: &Replacements,
        feature: u16,
        said: Observation,
    ) -> Result<Option<(u16, Observation)>, (RuleAt, String)> {
        let Some((by, number)) = self.again(replacements, (feature, said.rule)) else {
            return Ok(None);
        };
        let fact = said.fact.with(number);
        if let Fact::Cost { amount: ..0, .. } = fact {
            return Err((by, format!("a cost cannot be {number}")));
        }
        let (feature, rule) = by;
        Ok(Some((feature, Observation { rule, fact, ..said })))
    }

    /// What is found again of a finding that has a number, by which feature.
    pub(crate) fn finding(
        &self,
        replacements: &Replacements,
        feature: u16,
        said: &Finding,
    ) -> Option<(u16, Finding)> {
        let ((feature, rule), number) = self.again(replacements, (feature, said.rule))?;
        let effect = said.effect.with(number)?;
        let finding = Finding {
            rule,
            effect,
            ..said.clone()
        };
        Some((feature, finding))
    }
}

/// What is said again and makes no sense, as an error of the plugin that says it.
pub(crate) fn rubbish(members: &[Member], rule: RuleAt, why: &str) -> FeatureError {
    let member = members.get(usize::from(rule.0));
    let cited = member.and_then(|member| member.rule(rule.1));
    let rule = cited.map_or("?", |(cited, _)| &cited.rule);
    FeatureError::Rubbish {
        plugin: member.map_or("?", |it| &it.manifest().id).to_owned(),
        message: format!("rule {rule} replaces with a number that makes no sense: {why}"),
    }
}
