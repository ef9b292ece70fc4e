//! Judging in this process.

use std::pin::pin;
use std::sync::Arc;

use alamein_cases::{Said, Settings};
use alamein_engine::{
    Conflict, Engine, Member, PrepareError, QuestionError, Ruleset, Threads, Wanted,
};
use alamein_plugin_host::{NativePlugin, load_folder_with};
use alamein_rulesets::{Registry, RegistryError};
use alamein_terrain::{
    FieldOfView, FieldQuestion, Map, PairsQuestion, PathQuestion, Position, PricedPath, Question,
    Reach, ReachQuestion,
};
use anyhow::{Context, Result, bail, ensure};
use futures::StreamExt as _;
use futures::executor::block_on;

use crate::args::RuleArgs;
use crate::facts::Facts;
use crate::listing::{Listed, Listing};
use crate::map::Problem;
use crate::plugins;
use crate::ruleset::{MISSING, files};

/// The plugins of a folder, loaded.
#[derive(Debug)]
pub(crate) struct Loaded {
    plugins: Vec<NativePlugin>,
    /// What a ruleset file sets, if one chose the plugins.
    ruleset: Option<Settings>,
    pub(crate) facts: Facts,
}

impl Loaded {
    /// Loads every plugin of the folder, or those that a ruleset file chooses of all folders. One
    /// that is refused is an error: no ruling is given with its part left out.
    pub(crate) fn load(rules: &RuleArgs) -> Result<Self> {
        if let Some(ruleset) = rules.ruleset.as_deref().filter(|it| *it != "default") {
            return Self::of_ruleset(rules, ruleset);
        }
        let report = load_folder_with(&plugins::folder(rules)?, &plugins::trust(&rules.trust)?);
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
        Self {
            plugins,
            ruleset: None,
            facts,
        }
    }

    /// The plugins that a ruleset file chooses.
    fn of_ruleset(rules: &RuleArgs, file: &str) -> Result<Self> {
        ensure!(
            files::is_file(file),
            "--ruleset {file}: without --server it must be a ruleset file, such as our-club.toml"
        );
        let spec = files::read(file.as_ref())?;
        let settings = alamein_rulesets::Settings {
            check_cases: false,
            ..alamein_rulesets::Settings::default()
        };
        let threads = Threads::new().context("no threads to judge on")?;
        let registry = Registry::trusting(threads, settings, plugins::trust(&rules.trust)?);
        let mut refused = Vec::new();
        let folders = std::iter::once(plugins::folder(rules)?).chain(rules.plugin_dir.clone());
        for folder in folders {
            let entries = registry.load_folder(&folder).into_iter();
            refused.extend(entries.filter_map(|(_, outcome)| outcome.err()));
        }
        let made = registry.create(&spec, false);
        let made = made.map_err(|error| match lacks_a_plugin(&error) {
            true => anyhow::anyhow!("{error}{MISSING}"),
            false => error.into(),
        });
        let made = made.with_context(|| {
            // It may be why one is missing.
            let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
            match refused.is_empty() {
                true => file.to_owned(),
                false => format!("{file} ({})", refused.join("; ")),
            }
        })?;
        let plugins = made.revision.generations().iter();
        let plugins = plugins.map(|generation| generation.plugin().clone());
        Ok(Self {
            ruleset: Some(Settings {
                policy: spec.grazing_policy,
                options: spec.config().options,
            }),
            ..Self::of(plugins.collect())
        })
    }

    /// Someone who judges by these plugins, as the command line and a case file want it.
    pub(crate) fn judge(&self, rules: &RuleArgs, settings: &Settings) -> Result<Judge> {
        // A ruleset that is named counts for more than what a case file wants.
        let choice = plugins::choice(rules, self.ruleset.as_ref().unwrap_or(settings))?;
        let ruleset = Ruleset::build(&self.plugins, &choice.config)?;
        let engine = Engine::new(ruleset).context("no threads to judge on")?;
        let ruleset = engine.ruleset();
        Ok(Judge { engine, ruleset })
    }
}

fn lacks_a_plugin(error: &RegistryError) -> bool {
    let is_missing = |conflict: &Conflict| matches!(conflict, Conflict::MissingPlugin { .. });
    match error {
        RegistryError::Impossible(broken) => broken.conflicts.iter().any(is_missing),
        _ => false,
    }
}

/// Someone who judges.
#[derive(Debug)]
pub(crate) struct Judge {
    engine: Engine,
    ruleset: Arc<Ruleset>,
}

impl From<Judge> for Engine {
    fn from(judge: Judge) -> Self {
        judge.engine
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
            Err(PrepareError::Map { problems, warnings }) => [problems, warnings].concat(),
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

    /// Finds what somebody sees, on all threads.
    pub(crate) fn field_of_view(
        &self,
        position: &Arc<Position>,
        question: FieldQuestion,
    ) -> Result<FieldOfView> {
        let (ruleset, position) = (Arc::clone(&self.ruleset), Arc::clone(position));
        let wanted = Wanted::default();
        let seen = self
            .engine
            .field_of_view(ruleset, position, question, wanted);
        Ok(block_on(seen)?)
    }

    /// Finds what is seen from each hex, on all threads.
    pub(crate) fn all_pairs(
        &self,
        position: &Arc<Position>,
        question: PairsQuestion,
        each: &mut dyn FnMut(FieldOfView) -> Result<()>,
    ) -> Result<()> {
        let (ruleset, position) = (Arc::clone(&self.ruleset), Arc::clone(position));
        let wanted = Wanted::default();
        let fields = self.engine.all_pairs(ruleset, position, question, wanted);
        let mut fields = pin!(fields);
        while let Some(field) = block_on(fields.next()) {
            each(field?)?;
        }
        Ok(())
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
