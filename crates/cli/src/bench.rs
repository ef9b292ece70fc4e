//! Who judges: the plugins in this process, or a service.

use std::sync::Arc;

use alamein_cases::{Said, Settings};
use alamein_terrain::{
    FieldOfView, FieldQuestion, GrazingPolicy, Moving, PairsQuestion, PathQuestion, Position,
    PricedPath, Question, Reach, ReachQuestion,
};
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
            Some(url) => Self::There(Box::new(there(url, rules)?)),
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

    /// Someone who judges as the command line and a case file want it. The options are the rules' own; a
    /// grazing policy that is asked for is the questions', so that the rules are the same, and what is
    /// ruled bears the same id, whoever judges.
    pub(crate) fn judge(&self, rules: &RuleArgs, settings: &Settings) -> Result<Judge> {
        let asked = (settings.policy != GrazingPolicy::default()).then_some(settings.policy);
        let policy = rules.policy.or(asked);
        let rules = RuleArgs {
            policy: None,
            ..rules.clone()
        };
        let options = Settings {
            policy: GrazingPolicy::default(),
            ..settings.clone()
        };
        let by = match self {
            Self::Here(loaded) => By::Here(loaded.judge(&rules, &options)?),
            Self::There(remote) => By::There(remote.judge(&options)?),
        };
        let policy = policy.filter(|policy| *policy != by.settings().policy);
        Ok(Judge { by, policy })
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
fn there(url: &str, rules: &RuleArgs) -> Result<Remote> {
    let access = rules.access.read()?;
    let ruleset = match &rules.ruleset {
        None => String::new(),
        Some(ruleset) => Place::of(url, &access)?.meant(ruleset)?,
    };
    Remote::connect(url, &ruleset, &access)
}

/// Someone who judges, and the grazing policy that is asked for, where it is not that of the rules.
pub(crate) struct Judge {
    by: By,
    policy: Option<GrazingPolicy>,
}

enum By {
    /// In this process.
    Here(local::Judge),
    /// A service.
    There(remote::Judge),
}

impl By {
    fn settings(&self) -> Settings {
        match self {
            Self::Here(judge) => judge.settings(),
            Self::There(judge) => judge.settings().clone(),
        }
    }
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
        let under = |question: &Question| Question {
            policy: question.policy.or(self.policy),
            ..question.clone()
        };
        let questions: Vec<Question> = questions.iter().map(under).collect();
        match &self.by {
            By::Here(judge) => judge.ask(position, &questions, other_policies),
            By::There(judge) => judge.ask(position, &questions, other_policies),
        }
    }

    /// Prices a path.
    pub(crate) fn price_path(
        &self,
        position: &Arc<Position>,
        question: &PathQuestion,
    ) -> Result<PricedPath> {
        let question = PathQuestion {
            moving: self.moving(&question.moving),
            ..question.clone()
        };
        match &self.by {
            By::Here(judge) => judge.price_path(position, &question),
            By::There(judge) => judge.price_path(position, &question),
        }
    }

    /// Finds what an allowance reaches.
    pub(crate) fn reachable(
        &self,
        position: &Arc<Position>,
        question: &ReachQuestion,
    ) -> Result<Reach> {
        let question = ReachQuestion {
            moving: self.moving(&question.moving),
            ..question.clone()
        };
        match &self.by {
            By::Here(judge) => judge.reachable(position, &question),
            By::There(judge) => judge.reachable(position, &question),
        }
    }

    /// Finds what somebody sees.
    pub(crate) fn field_of_view(
        &self,
        position: &Arc<Position>,
        question: &FieldQuestion,
    ) -> Result<FieldOfView> {
        let question = FieldQuestion {
            policy: question.policy.or(self.policy),
            ..question.clone()
        };
        match &self.by {
            By::Here(judge) => judge.field_of_view(position, question),
            By::There(judge) => judge.field_of_view(position, &question),
        }
    }

    /// Finds what is seen from each hex, and gives one after another.
    pub(crate) fn all_pairs(
        &self,
        position: &Arc<Position>,
        question: &PairsQuestion,
        each: &mut dyn FnMut(FieldOfView) -> Result<()>,
    ) -> Result<()> {
        let question = PairsQuestion {
            policy: question.policy.or(self.policy),
            ..question.clone()
        };
        match &self.by {
            By::Here(judge) => judge.all_pairs(position, question, each),
            By::There(judge) => judge.all_pairs(position, &question, each),
        }
    }

    fn moving(&self, moving: &Moving) -> Moving {
        Moving {
            policy: moving.policy.or(self.policy),
            ..moving.clone()
        }
    }

    /// What the rules set that differs from what is usual, and the policy that is asked for.
    pub(crate) fn settings(&self) -> Settings {
        let settings = self.by.settings();
        Settings {
            policy: self.policy.unwrap_or(settings.policy),
            ..settings
        }
    }
}
