//! What becomes of a question of a case: passed, failed or skipped.

use alamein_terrain::{Adjudicated, GrazingPolicy, Ruling};

use crate::case::{Asked, CaseQuestion, Expected};
use crate::compare::{Difference, compare};
use crate::known::Known;
use crate::reasons::reasons;

/// What was said of a question.
#[derive(Clone, Debug)]
pub enum Said {
    /// A ruling.
    Ruled(Box<Adjudicated>),
    /// The rule that decides it is not implemented.
    NotImplemented {
        /// The plugin that says so.
        plugin: String,
        /// The rule.
        rule: String,
    },
    /// There is no ruling, for this reason.
    Refused(String),
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The answer is the one expected.
    Passed,
    /// It is not.
    Failed {
        /// What is wrong, if there is no answer to compare.
        why: Option<String>,
        /// What differs.
        differences: Vec<Difference>,
        /// What the rulings that differ rest on.
        reasons: Vec<String>,
    },
    /// It was not compared, for this reason.
    Skipped(String),
}

impl Outcome {
    fn failed(why: impl Into<String>) -> Self {
        Self::Failed {
            why: Some(why.into()),
            differences: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

impl CaseQuestion {
    /// What becomes of it whatever is answered, if that is so. `contested`: questions that the
    /// rules leave open count too.
    #[must_use]
    pub fn decided(&self, contested: bool) -> Option<Outcome> {
        if let Asked::Unreadable(error) = &self.asked {
            return Some(Outcome::failed(error.to_string()));
        }
        if self.contested.is_some() && !contested {
            return Some(Outcome::Skipped("the rules leave it open".into()));
        }
        if matches!(self.asked, Asked::Unanswered) {
            let kind = &self.kind;
            return Some(Outcome::Skipped(format!(
                "nothing answers questions of the kind `{kind}`"
            )));
        }
        if self.expected.is_none() {
            return Some(Outcome::Skipped("the file expects nothing of it".into()));
        }
        None
    }

    /// Whether the file says what other grazing policies would give.
    #[must_use]
    pub fn wants_other_policies(&self) -> bool {
        let others = |expected: &Expected| !expected.others.is_empty();
        self.expected.as_ref().is_some_and(others)
    }
}

/// Compares what was said of a question with what its file expects.
#[must_use]
pub fn judge(question: &CaseQuestion, said: &Said, known: &Known, contested: bool) -> Outcome {
    if let Some(outcome) = question.decided(contested) {
        return outcome;
    }
    let Some(expected) = &question.expected else {
        return Outcome::Passed;
    };
    match said {
        Said::NotImplemented { plugin, rule } => Outcome::Skipped(format!(
            "plugin {plugin} does not implement its rule {rule}"
        )),
        Said::Refused(why) => Outcome::failed(format!("there is no ruling: {why}")),
        Said::Ruled(ruled) => match met(&ruled.ruling) {
            Some(layer) => Outcome::Skipped(format!(
                "it meets the layer `{layer}`, which no loaded plugin owns"
            )),
            None => judge_rulings(expected, ruled, known),
        },
    }
}

/// The first layer that was ignored and met.
fn met(ruling: &Ruling) -> Option<&str> {
    let met = ruling.ignored.iter().find(|layer| layer.met)?;
    Some(&met.layer)
}

fn judge_rulings(expected: &Expected, ruled: &Adjudicated, known: &Known) -> Outcome {
    let mut differences = Vec::new();
    let mut because = Vec::new();
    let rulings = std::iter::once(&ruled.ruling).chain(ruled.other_policies.iter().map(|o| &o.1));
    let mut policies = vec![];
    for ruling in rulings {
        policies.push(ruling.policy);
        let comparison = compare(expected.under(ruling.policy), ruling, known);
        if let Some(key) = comparison.unreported.first() {
            return Outcome::Skipped(format!("no loaded plugin reports `{key}`"));
        }
        if !comparison.differences.is_empty() {
            because.extend(reasons(ruling));
            differences.extend(comparison.differences);
        }
    }
    differences.extend(unasked(expected, &policies, &ruled.ruling, known));
    if differences.is_empty() {
        return Outcome::Passed;
    }
    Outcome::Failed {
        why: None,
        differences,
        reasons: because,
    }
}

/// What differs under policies of which there is no ruling because the line does not graze: there
/// every policy gives the same.
fn unasked(
    expected: &Expected,
    asked: &[GrazingPolicy],
    ruling: &Ruling,
    known: &Known,
) -> Vec<Difference> {
    if ruling.grazing.grazes {
        return Vec::new();
    }
    let others = expected.others.iter();
    others
        .filter(|(policy, _)| !asked.contains(policy))
        .flat_map(|(policy, expected)| {
            let differences = compare(expected, ruling, known).differences;
            differences.into_iter().map(|difference| Difference {
                policy: *policy,
                ..difference
            })
        })
        .collect()
}
