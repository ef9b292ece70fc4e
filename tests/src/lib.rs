//! What the end to end tests share: the seven plugins, linked and loaded, and rulesets of them.

pub mod compiler;
pub mod envoy;
pub mod house;
pub mod postgres;
pub mod python;
pub mod serving;
pub mod stage;
pub mod swapped;
pub mod vasl;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use alamein_cases::{Asked, Case, CaseQuestion, Known, Outcome, Said, Settings, judge};
use alamein_engine::{Engine, QuestionError, Ruleset, RulesetConfig, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::Question;
use anyhow::{Context, Result};
use xtask::{BuildPlugins, Workspace};

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    xtask::root()
}

/// The seven plugins, linked into this program.
///
/// # Errors
/// Where one is not what it says it is.
pub fn linked_plugins() -> Result<Vec<NativePlugin>> {
    let descriptors = [
        &alamein_deir::alamein_plugin_deir,
        &alamein_entrenchment::alamein_plugin_entrenchment,
        &alamein_ground::alamein_plugin_ground,
        &alamein_hillock::alamein_plugin_hillock,
        &alamein_sand::alamein_plugin_sand,
        &alamein_sight::alamein_plugin_sight,
        &alamein_vehicle::alamein_plugin_vehicle,
    ];
    descriptors
        .into_iter()
        .map(|d| Ok(NativePlugin::linked(d)?))
        .collect()
}

/// The folder of built plugins. They are built here, once for a process, so that no test can load
/// a stale one.
///
/// # Errors
/// Where they do not build.
pub fn plugin_folder() -> Result<&'static Path> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| build().map_err(|error| format!("{error:#}")));
    folder
        .as_deref()
        .map_err(|error| anyhow::anyhow!("{error}"))
}

fn build() -> Result<PathBuf> {
    let workspace = Workspace::read(&xtask::root())?;
    // Plugins are built as this program is: a benchmark does not measure a debug build.
    let release = !cfg!(debug_assertions);
    let out = release.then(|| xtask::root().join("target/alamein/release-plugins"));
    let options = BuildPlugins {
        release,
        out,
        ..BuildPlugins::default()
    };
    let built = xtask::build_plugins(&workspace, &options)?;
    let one = built.first().context("no plugin was built")?;
    let folder = one
        .folder
        .parent()
        .context("a plugin has a folder above it")?;
    Ok(folder.to_path_buf())
}

/// The folder of built house rules, which is none that anybody loads whole. They are built here, once
/// for a process.
///
/// # Errors
/// Where they do not build.
pub fn house_rules_folder() -> Result<&'static Path> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let workspace = Workspace::read(&xtask::root())?;
        xtask::build_house_rules(&workspace, &BuildPlugins::default())?;
        Ok(workspace.built_house_rules_dir())
    };
    let folder =
        FOLDER.get_or_init(|| build().map_err(|error: anyhow::Error| format!("{error:#}")));
    folder
        .as_deref()
        .map_err(|error| anyhow::anyhow!("{error}"))
}

/// The seven plugins, built and loaded. Each carries the build id that its sidecar has, which the
/// host has checked, and that is the one of the sources as they are.
///
/// # Errors
/// Where one does not build or load.
pub fn loaded_plugins() -> Result<Vec<NativePlugin>> {
    let report = alamein_plugin_host::load_folder(plugin_folder()?);
    if let Some((path, error)) = report.refused().next() {
        anyhow::bail!("{}: {error}", path.display());
    }
    let plugins = report
        .entries
        .into_iter()
        .filter_map(|entry| entry.outcome.ok());
    Ok(plugins.collect())
}

/// An engine on these plugins with default options.
///
/// # Errors
/// Where they do not make a ruleset.
pub fn engine(plugins: &[NativePlugin]) -> Result<Engine> {
    Ok(Engine::new(Ruleset::build(
        plugins,
        &RulesetConfig::default(),
    )?)?)
}

/// What became of the questions of some case files.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many passed.
    pub passed: usize,
    /// What failed, in words.
    pub failed: Vec<String>,
    /// What was skipped, and why.
    pub skipped: Vec<(String, String)>,
}

/// Puts the questions of a case to an engine on these plugins, with the policy and the options that
/// the case calls for, and compares the answers.
///
/// # Errors
/// Where the position cannot be ruled on.
pub fn run_case(
    plugins: &[NativePlugin],
    known: &Known,
    case: &Case,
    tally: &mut Tally,
) -> Result<()> {
    let Settings { policy, options } = case.settings.clone();
    let engine = Engine::new(Ruleset::build(plugins, &RulesetConfig { policy, options })?)?;
    let ruleset = engine.ruleset();
    let asked = |question: &CaseQuestion| match &question.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        Asked::Unanswered | Asked::Unreadable(_) => None,
    };
    let questions: Vec<Question> = case.questions.iter().filter_map(asked).collect();
    let wanted = Wanted {
        other_policies: true,
        ..Wanted::default()
    };
    let position = Arc::clone(&case.position);
    let rulings = engine.adjudicate_here(&ruleset, position, &questions, wanted)?;
    let mut rulings = rulings.into_iter();
    for question in &case.questions {
        let outcome = match &question.asked {
            Asked::Question(_) => match rulings.next().context("a ruling is missing")? {
                Ok(ruled) => judge(question, &Said::Ruled(Box::new(ruled)), known, false),
                Err(QuestionError::NotImplemented { plugin, rule, .. }) => judge(
                    question,
                    &Said::NotImplemented { plugin, rule },
                    known,
                    false,
                ),
                Err(error) => judge(question, &Said::Refused(error.to_string()), known, false),
            },
            Asked::Unanswered => Outcome::Skipped(format!(
                "nothing answers questions of kind {}",
                question.kind
            )),
            Asked::Unreadable(error) => anyhow::bail!("{error}"),
        };
        match outcome {
            Outcome::Passed => tally.passed += 1,
            Outcome::Skipped(why) => tally.skipped.push((question.id.clone(), why)),
            failed @ Outcome::Failed { .. } => {
                tally.failed.push(format!("{}: {failed:#?}", question.id));
            }
        }
    }
    Ok(())
}

/// What the manifests of an engine's plugins say of case files.
#[must_use]
pub fn known(engine: &Engine) -> Known {
    Known::of(
        engine
            .ruleset()
            .members()
            .iter()
            .map(|member| member.manifest()),
    )
}
