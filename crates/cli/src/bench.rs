//! Who judges: the plugins in this process, or a service.

use std::sync::Arc;

use alamein_cases::{Said, Settings};
use alamein_terrain::{PathQuestion, Position, PricedPath, Question, Reach, ReachQuestion};
use anyhow::Result;

use crate::args::RuleArgs;
use crate::facts::Facts;
use crate::listing::Listing;
use crate::local::{self, Loaded};
use crate::map::Problem;
use crate::remote::{self, Remote};
use crate::ruleset::Place;

/// Who judges, whatever the rules are set to.
pub(crate) enum Bench {
    /// The plugins in this process.
    Here(Loaded),
    /// A service.
    There(Box<Remote>),
}

impl Bench {
    /// Loads the plugins, or connects to the service.
    pub(crate) fn open(rules: &RuleArgs) -> Result<Self> {
        Ok(match &rules.server {
            Some(url) => Self::There(Box::new(there(url, rules.ruleset.as_deref())?)),
            None => Self::Here(Loaded::load(rules)?),
        })
    }

    /// What the manifests say.
    pub(crate) fn facts(&self) -> &Facts {
        match self {
            Self::Here(loaded) => &loaded.facts,
            Self::There(remote) => &remote.facts,
        }
    }

    /// Someone who judges as the command line and a case file want it.
    pub(crate) fn judge(&self, rules: &RuleArgs, settings: &Settings) -> Result<Judge> {
        Ok(match self {
            Self::Here(loaded) => Judge::Here(loaded.judge(rules, settings)?),
            Self::There(remote) => Judge::There(remote.judge(rules, settings)?),
        })
    }

    /// What the plugins say of the map of a position, whose layers they know.
    pub(crate) fn check(&self, rules: &RuleArgs, position: Arc<Position>) -> Result<Vec<Problem>> {
        match self {
            Self::Here(loaded) => {
                let judge = loaded.judge(rules, &Settings::default())?;
                judge.check(position)
            }
            Self::There(remote) => remote.check(&position),
        }
    }

    /// By which rules it judges.
    pub(crate) fn listing(&self, rules: &RuleArgs) -> Result<Listing> {
        Ok(match self {
            Self::Here(loaded) => loaded.judge(rules, &Settings::default())?.listing(),
            Self::There(remote) => remote.listing(),
        })
    }
}

/// A service, and the ruleset of it that is meant. One of a file must be there.
fn there(url: &str, ruleset: Option<&str>) -> Result<Remote> {
    let ruleset = match ruleset {
        None => String::new(),
        Some(ruleset) => Place::of(url)?.meant(ruleset)?,
    };
    Remote::connect(url, &ruleset)
}

/// Someone who judges.
pub(crate) enum Judge {
    /// In this process.
    Here(local::Judge),
    /// A service.
    There(remote::Judge),
}

impl Judge {
    /// Rules on questions, with what other policies would give where that is wanted.
    pub(crate) fn ask(
        &self,
        position: &Arc<Position>,
        questions: &[Question],
        other_policies: bool,
    ) -> Result<Vec<Said>> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        match self {
            Self::Here(judge) => judge.ask(position, questions, other_policies),
            Self::There(judge) => judge.ask(position, questions, other_policies),
        }
    }

    /// Prices a path.
    pub(crate) fn price_path(
        &self,
        position: &Arc<Position>,
        question: &PathQuestion,
    ) -> Result<PricedPath> {
        match self {
            Self::Here(judge) => judge.price_path(position, question),
            Self::There(judge) => judge.price_path(position, question),
        }
    }

    /// Finds what an allowance reaches.
    pub(crate) fn reachable(
        &self,
        position: &Arc<Position>,
        question: &ReachQuestion,
    ) -> Result<Reach> {
        match self {
            Self::Here(judge) => judge.reachable(position, question),
            Self::There(judge) => judge.reachable(position, question),
        }
    }

    /// What the rules set that differs from what is usual.
    pub(crate) fn settings(&self) -> Settings {
        match self {
            Self::Here(judge) => judge.settings(),
            Self::There(judge) => judge.settings().clone(),
        }
    }
}
