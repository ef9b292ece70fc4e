//! A plugin's own cases: checked before it is put in force.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_cases::{Asked, Case, CaseQuestion, Known, Outcome, Said, judge, parse, read_text};
use alamein_engine::{QuestionError, RulesetConfig, Rulings, Threads, Wanted};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::Question;
use futures::executor::block_on;

use crate::error::RegistryError;
use crate::generation::Generation;
use crate::snapshot::{Snapshot, Standing, plugins_of};

/// How many failures are told.
const MOST_TOLD: usize = 10;
/// How long all its cases may take.
const MOST_TIME: Duration = Duration::from_secs(60);

/// Checks a plugin's own cases, if it has any: beside `members`, which are of one ruleset with it, and the
/// plugins that there are.
pub(crate) fn check(
    threads: &Threads,
    snapshot: &Snapshot,
    generation: &Arc<Generation>,
    members: &[Arc<Generation>],
) -> Result<(), RegistryError> {
    let cases = cases(generation);
    if cases.is_empty() {
        return Ok(());
    }
    let plugins = plugins_of(&beside(snapshot, generation, members));
    let mut failed = Vec::new();
    let start = Instant::now();
    for (name, text) in cases {
        // No other change is made meanwhile.
        if start.elapsed() > MOST_TIME {
            failed.push(format!("they take longer than {MOST_TIME:?}"));
            break;
        }
        match text {
            Ok(text) => check_case(threads, &plugins, &name, &text, &mut failed),
            Err(why) => failed.push(format!("{name}: {why}")),
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let more = failed.len().saturating_sub(MOST_TOLD);
    failed.truncate(MOST_TOLD);
    if more > 0 {
        failed.push(format!("and {more} more"));
    }
    Err(RegistryError::CasesFail {
        plugin: generation.plugin().id().to_owned(),
        failed,
    })
}

/// The cases of a plugin, by the names of their files, or why one cannot be read.
pub(crate) fn cases(generation: &Generation) -> Vec<(String, Result<String, String>)> {
    if let Some(packed) = generation.packed_cases() {
        let cases = packed.iter().cloned();
        return cases.map(|(name, text)| (name, Ok(text))).collect();
    }
    let files = generation.folder().map(case_files).unwrap_or_default();
    let read = |file: PathBuf| {
        let name = file.file_name().unwrap_or_default();
        (name.to_string_lossy().into_owned(), read(&file))
    };
    files.into_iter().map(read).collect()
}

fn read(file: &Path) -> Result<String, String> {
    // A pipe would never end.
    if !file.is_file() {
        return Err("is no ordinary file".into());
    }
    read_text(file).map_err(|error| error.to_string())
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.join("cases").read_dir() else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let json = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    };
    let mut files: Vec<PathBuf> = paths.filter(json).collect();
    files.sort();
    files
}

/// The plugins beside which a plugin's own cases are checked: itself, what it requires, and all
/// that require nothing and replace nothing. House rules of others are left out: they change what
/// the plugin's author could not know.
fn beside(
    snapshot: &Snapshot,
    generation: &Arc<Generation>,
    members: &[Arc<Generation>],
) -> Vec<Arc<Generation>> {
    let newest = |id: &str| {
        if let Some(member) = members.iter().find(|member| member.plugin().id() == id) {
            return Some(member);
        }
        let of_id = snapshot.generations.iter();
        let of_id = of_id.filter(|(g, s)| *s == Standing::Current && g.plugin().id() == id);
        of_id
            .max_by_key(|(g, _)| (g.version(), g.number()))
            .map(|(g, _)| g)
    };
    let mut chosen = vec![Arc::clone(generation)];
    let mut ids: BTreeSet<String> = [generation.plugin().id().to_owned()].into();
    let mut at = 0;
    while let Some(needs) = chosen.get(at).cloned() {
        for id in needs.plugin().manifest().requires.keys() {
            if let Some(needed) = newest(id).filter(|_| ids.insert(id.clone())) {
                chosen.push(Arc::clone(needed));
            }
        }
        at += 1;
    }
    let all = snapshot.generations.iter().map(|(other, _)| other);
    for other in members.iter().chain(all) {
        let manifest = other.plugin().manifest();
        let plain = manifest.requires.is_empty()
            && manifest.rules.iter().all(|rule| rule.replaces.is_empty());
        if let Some(other) =
            newest(&manifest.id).filter(|_| plain && ids.insert(manifest.id.clone()))
        {
            chosen.push(Arc::clone(other));
        }
    }
    chosen
}

fn check_case(
    threads: &Threads,
    plugins: &[NativePlugin],
    name: &str,
    text: &str,
    failed: &mut Vec<String>,
) {
    let known = Known::of(plugins.iter().map(NativePlugin::manifest));
    let case = match parse(name, text, &known) {
        Ok(case) => case,
        Err(error) => return failed.push(error.to_string()),
    };
    let rulings = match rule(threads, plugins, &case) {
        Ok(rulings) => rulings,
        Err(why) => return failed.push(format!("{name}: {why}")),
    };
    let mut rulings = rulings.into_iter();
    for question in &case.questions {
        let said = match &question.asked {
            Asked::Question(_) => match rulings.next() {
                Some(Ok(ruled)) => Said::Ruled(Box::new(ruled)),
                Some(Err(QuestionError::NotImplemented { plugin, rule, .. })) => {
                    Said::NotImplemented { plugin, rule }
                }
                Some(Err(error)) => Said::Refused(error.to_string()),
                None => Said::Refused("nothing was said".into()),
            },
            Asked::Unanswered | Asked::Unreadable(_) => Said::Refused("it was not asked".into()),
        };
        if let Outcome::Failed {
            why, differences, ..
        } = judge(question, &said, &known, false)
        {
            let differ = differences.iter().map(|d| {
                let (key, expected, got) = (&d.key, &d.expected, &d.ruled);
                format!("{key} is {got}, not {expected}")
            });
            let what: Vec<String> = why.into_iter().chain(differ).collect();
            failed.push(format!(
                "{name}: question {}: {}",
                question.id,
                what.join(", ")
            ));
        }
    }
}

fn rule(threads: &Threads, plugins: &[NativePlugin], case: &Case) -> Result<Rulings, String> {
    let config = RulesetConfig {
        policy: case.settings.policy,
        options: case.settings.options.clone(),
    };
    let ruleset = threads.build(plugins.to_vec(), config, false);
    let ruleset = ruleset.map_err(|error| error.to_string())?;
    let asked = |question: &CaseQuestion| match &question.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        Asked::Unanswered | Asked::Unreadable(_) => None,
    };
    let questions: Vec<Question> = case.questions.iter().filter_map(asked).collect();
    let wanted = Wanted {
        other_policies: case
            .questions
            .iter()
            .any(CaseQuestion::wants_other_policies),
        ..Wanted::default()
    };
    let engine = threads.engine(Arc::new(ruleset));
    let position = Arc::clone(&case.position);
    let rulings = engine.adjudicate(engine.ruleset(), position, questions, wanted);
    block_on(rulings).map_err(|error| error.to_string())
}
