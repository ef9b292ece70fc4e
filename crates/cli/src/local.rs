//! Judging in this process.

use std::sync::Arc;

use alamein_cases::{Said, Settings};
use alamein_engine::{Engine, Member, PrepareError, QuestionError, Ruleset, Wanted};
use alamein_plugin_host::{NativePlugin, load_folder};
use alamein_terrain::{Map, PathQuestion, Position, PricedPath, Question, Reach, ReachQuestion};
use anyhow::{Context, Result, bail};

use crate::args::RuleArgs;
use crate::facts::Facts;
use crate::listing::{Listed, Listing};
use crate::map::Problem;
use crate::plugins;

/// The plugins of a folder, loaded.
#[derive(Debug)]
pub(crate) struct Loaded {
    plugins: Vec<NativePlugin>,
    pub(crate) facts: Facts,
}

impl Loaded {
    /// Loads every plugin of the folder. One that is refused is an error: no ruling is given with
    /// its part left out.
    pub(crate) fn load(rules: &RuleArgs) -> Result<Self> {
        let report = load_folder(&plugins::folder(rules)?);
        let refused: Vec<String> = report
            .refused()
            .map(|(_, error)| error.to_string())
            .collect();
        if !refused.is_empty() {
            bail!("a plugin cannot be used: {}", refused.join("; "));
        }
        let plugins: Vec<NativePlugin> = report.loaded().cloned().collect();
        if plugins.is_empty() {
            bail!(
                "there is no plugin in {}; build them with `cargo xtask plugins`",
                report.folder.display()
            );
        }
        Ok(Self::of(plugins))
    }

    /// These plugins.
    pub(crate) fn of(plugins: Vec<NativePlugin>) -> Self {
        let facts = Facts::of(plugins.iter().map(|plugin| plugin.manifest()));
        Self { plugins, facts }
    }

    /// Someone who judges by these plugins, as the command line and a case file want it.
    pub(crate) fn judge(&self, rules: &RuleArgs, settings: &Settings) -> Result<Judge> {
        let choice = plugins::choice(rules, settings)?;
        let ruleset = Ruleset::build(&self.plugins, &choice.config)?;
        let engine = Engine::new(ruleset).context("no threads to judge on")?;
        let ruleset = engine.ruleset();
        Ok(Judge { engine, ruleset })
    }
}

/// Someone who judges.
#[derive(Debug)]
pub(crate) struct Judge {
    engine: Engine,
    ruleset: Arc<Ruleset>,
}

impl Judge {
    /// Rules on questions, with what other policies would give where that is wanted.
    pub(crate) fn ask(
        &self,
        position: &Arc<Position>,
        questions: &[Question],
        other_policies: bool,
    ) -> Result<Vec<Said>> {
        let wanted = Wanted {
            other_policies,
            ..Wanted::default()
        };
        let position = Arc::clone(position);
        let rulings = self
            .engine
            .adjudicate_here(&self.ruleset, position, questions, wanted)?;
        let said = |ruling| match ruling {
            Ok(ruled) => Said::Ruled(Box::new(ruled)),
            Err(QuestionError::NotImplemented { plugin, rule, .. }) => {
                Said::NotImplemented { plugin, rule }
            }
            Err(error) => Said::Refused(error.to_string()),
        };
        Ok(rulings.into_iter().map(said).collect())
    }

    /// What the plugins say of a map.
    pub(crate) fn check(&self, position: Arc<Position>) -> Result<Vec<Problem>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let map = Arc::clone(position.map());
        let said = match runtime.block_on(self.engine.check(position, Vec::new())) {
            Ok(warnings) => warnings,
            Err(PrepareError::Map { problems }) => problems,
            Err(error) => return Err(error.into()),
        };
        let problem = |said: alamein_terrain::Problem| Problem {
            path: self.layer_of(&said, &map),
            severity: said.severity,
            line: None,
            what: format!("plugin {}: {}", said.plugin, said.message),
        };
        Ok(said.into_iter().map(problem).collect())
    }

    /// The path of the layer that a problem concerns, if its plugin owns one of the map's alone.
    fn layer_of(&self, said: &alamein_terrain::Problem, map: &Map) -> String {
        let members = self.ruleset.members().iter();
        let manifests = members.map(Member::manifest);
        let mut owned = manifests
            .filter(|manifest| manifest.id == said.plugin)
            .flat_map(|manifest| &manifest.layers)
            .filter(|layer| map.layers.contains_key(&layer.name));
        match (owned.next(), owned.next()) {
            (Some(only), None) => format!("layers.{}", only.name),
            _ => String::new(),
        }
    }

    /// Prices a path.
    pub(crate) fn price_path(
        &self,
        position: &Arc<Position>,
        question: &PathQuestion,
    ) -> Result<PricedPath> {
        let (position, wanted) = (Arc::clone(position), Wanted::default());
        let priced = self
            .engine
            .price_path_here(&self.ruleset, position, question, wanted);
        Ok(priced?)
    }

    /// Finds what an allowance reaches.
    pub(crate) fn reachable(
        &self,
        position: &Arc<Position>,
        question: &ReachQuestion,
    ) -> Result<Reach> {
        let (position, wanted) = (Arc::clone(position), Wanted::default());
        let reach = self
            .engine
            .reachable_here(&self.ruleset, position, question, wanted);
        Ok(reach?)
    }

    /// What the ruleset sets that differs from what is usual.
    pub(crate) fn settings(&self) -> Settings {
        let members = self.ruleset.members().iter();
        let options = members.map(|member| (member.manifest(), &member.options));
        Settings::differing(self.ruleset.policy(), options)
    }

    /// By which rules it judges.
    pub(crate) fn listing(&self) -> Listing {
        let listed = |member: &Member| Listed {
            manifest: member.manifest().clone(),
            options: member.options.clone(),
            sha256: member.digest.clone(),
            build_id: member.build_id.clone(),
        };
        Listing {
            fingerprint: self.ruleset.fingerprint().to_string(),
            policy: self.ruleset.policy().name(),
            plugins: self.ruleset.members().iter().map(listed).collect(),
        }
    }
}
