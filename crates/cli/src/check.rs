//! `alamein check`: replaying case files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use alamein_cases::{Asked, Case, CaseQuestion, Difference, Outcome, Said, Settings, judge, load};
use alamein_terrain::{GrazingPolicy, Question};
use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::args::{Check, RuleArgs};
use crate::bench::{Bench, Judge};
use crate::case_files;
use crate::output;
use crate::paint::Paint;
use crate::remote::OtherOptions;

pub(crate) fn run(check: &Check) -> Result<ExitCode> {
    replay(Replaying {
        files: &check.files,
        bench: Bench::open(&check.rules)?,
        rules: &check.rules,
        contested: check.contested,
        json: check.json,
    })
}

/// What to replay, who judges, and how to tell of it.
pub(crate) struct Replaying<'a> {
    /// Case files, and folders of them.
    pub(crate) files: &'a [PathBuf],
    pub(crate) bench: Bench,
    pub(crate) rules: &'a RuleArgs,
    /// Count also questions that the rules leave open.
    pub(crate) contested: bool,
    pub(crate) json: bool,
}

/// Replays case files, tells of it, and gives the status to exit with.
pub(crate) fn replay(what: Replaying<'_>) -> Result<ExitCode> {
    let files = case_files::found(what.files, case_files::CASES)?;
    let mut judges = Judges::new(what.bench, what.rules);
    // What is wrong with the rules themselves is told once, and not of each file.
    judges.for_settings(&Settings::default())?;
    let mut replay = Replay {
        judges,
        contested: what.contested,
        report: Report::default(),
        say: (!what.json).then(Paint::of_terminal),
    };
    for file in &files {
        if let Err(error) = replay.file(file) {
            if output::is_closed(&error) {
                return Err(error);
            }
            eprintln!("alamein: {error:#}");
            replay.report.errors.push(format!("{error:#}"));
        }
    }
    let report = replay.report;
    if what.json {
        output::line(&format!("{:#}", report.json()))?;
    } else {
        output::put(&report.text())?;
    }
    Ok(ExitCode::from(
        match (report.errors.is_empty(), report.failed()) {
            (false, _) => 2,
            (true, 0) => 0,
            (true, _) => 1,
        },
    ))
}

/// Those who judge, one for all files that want the same rules.
pub(crate) struct Judges<'a> {
    pub(crate) bench: Bench,
    rules: &'a RuleArgs,
    known: Vec<(Settings, Judge)>,
}

impl<'a> Judges<'a> {
    pub(crate) fn new(bench: Bench, rules: &'a RuleArgs) -> Self {
        Self {
            bench,
            rules,
            known: Vec::new(),
        }
    }

    pub(crate) fn for_settings(&mut self, settings: &Settings) -> Result<&Judge> {
        let at = match self.known.iter().position(|(known, _)| known == settings) {
            Some(at) => at,
            None => {
                let judge = self.bench.judge(self.rules, settings)?;
                self.known.push((settings.clone(), judge));
                self.known.len() - 1
            }
        };
        Ok(&self.known[at].1)
    }
}

struct Replay<'a> {
    judges: Judges<'a>,
    contested: bool,
    report: Report,
    /// How to tell of failures as they are found, if at all.
    say: Option<Paint>,
}

impl Replay<'_> {
    fn file(&mut self, file: &Path) -> Result<()> {
        let case = load(file, &self.judges.bench.facts().known)?;
        let name = file.display().to_string();
        if let Some(first) = case.strangers.first() {
            let count = case.strangers.len();
            eprintln!(
                "alamein: warning: {name}: {count} fields mean nothing here, such as {first}"
            );
        }
        self.report
            .layers
            .extend(case.unowned_layers.iter().cloned());
        for (question, outcome) in self.outcomes(&case).with_context(|| name.clone())? {
            let checked = Checked {
                file: name.clone(),
                id: question.id.clone(),
                outcome,
            };
            if let Some(paint) = self.say {
                output::put(&checked.failure(paint))?;
            }
            self.report.checked.push(checked);
        }
        Ok(())
    }

    /// What becomes of each question of a case.
    fn outcomes<'c>(&mut self, case: &'c Case) -> Result<Vec<(&'c CaseQuestion, Outcome)>> {
        let mut outcomes: Vec<Option<Outcome>> = case
            .questions
            .iter()
            .map(|question| question.decided(self.contested))
            .collect();
        let contested = self.contested;
        let known = self.judges.bench.facts().known.clone();
        let judge_here = match self.judges.for_settings(&case.settings) {
            Ok(judge) => judge,
            Err(error) if error.is::<OtherOptions>() => return Ok(unsuited(case, outcomes)),
            Err(error) => return Err(error),
        };
        for other_policies in [false, true] {
            let open: Vec<(usize, &CaseQuestion, Question)> = case
                .questions
                .iter()
                .enumerate()
                .filter(|(at, asked)| {
                    outcomes[*at].is_none() && asked.wants_other_policies() == other_policies
                })
                .filter_map(|(at, asked)| match &asked.asked {
                    Asked::Question(question) => Some((at, asked, (**question).clone())),
                    _ => None,
                })
                .collect();
            let questions: Vec<Question> = open.iter().map(|(_, _, q)| q.clone()).collect();
            let said = judge_here.ask(&case.position, &questions, other_policies)?;
            for ((at, asked, _), said) in open.into_iter().zip(said) {
                outcomes[at] = Some(judge(asked, &said, &known, contested));
            }
        }
        let unasked = || Said::Refused("it was not asked".into());
        let outcome = |(asked, outcome): (&'c CaseQuestion, Option<Outcome>)| {
            let outcome = outcome.unwrap_or_else(|| judge(asked, &unasked(), &known, contested));
            (asked, outcome)
        };
        Ok(case.questions.iter().zip(outcomes).map(outcome).collect())
    }
}

/// Questions that a service cannot be asked, since it judges by other options than their file
/// wants.
fn unsuited(case: &Case, decided: Vec<Option<Outcome>>) -> Vec<(&CaseQuestion, Outcome)> {
    let why = || "the service judges by other options than the file wants".to_owned();
    let outcome = |outcome: Option<Outcome>| outcome.unwrap_or_else(|| Outcome::Skipped(why()));
    let outcomes = decided.into_iter().map(outcome);
    case.questions.iter().zip(outcomes).collect()
}

/// A question and what became of it.
struct Checked {
    file: String,
    id: String,
    outcome: Outcome,
}

impl Checked {
    /// What to say of a failure; nothing of anything else.
    fn failure(&self, paint: Paint) -> String {
        let Outcome::Failed {
            why,
            differences,
            reasons,
        } = &self.outcome
        else {
            return String::new();
        };
        let mut text = format!("{} {} {}\n", paint.bad("FAILED"), self.file, self.id);
        if let Some(why) = why {
            text.push_str(&format!("  {why}\n"));
        }
        for difference in differences {
            text.push_str(&format!("  {}\n", told(difference)));
        }
        for reason in reasons {
            text.push_str(&format!("    {}\n", paint.faint(reason)));
        }
        text
    }

    fn json(&self) -> Value {
        let mut value = json!({"file": self.file, "id": self.id});
        match &self.outcome {
            Outcome::Passed => value["outcome"] = json!("passed"),
            Outcome::Skipped(why) => {
                value["outcome"] = json!("skipped");
                value["why"] = json!(why);
            }
            Outcome::Failed {
                why,
                differences,
                reasons,
            } => {
                let difference = |difference: &Difference| {
                    json!({
                        "policy": difference.policy.name(),
                        "key": difference.key,
                        "expected": difference.expected,
                        "ruled": difference.ruled,
                    })
                };
                value["outcome"] = json!("failed");
                value["why"] = json!(why);
                value["differences"] = differences.iter().map(difference).collect();
                value["reasons"] = json!(reasons);
            }
        }
        value
    }
}

pub(crate) fn told(difference: &Difference) -> String {
    let Difference {
        policy,
        key,
        expected,
        ruled,
    } = difference;
    let under = if *policy == GrazingPolicy::default() {
        String::new()
    } else {
        format!("under {}: ", policy.name())
    };
    format!("{under}{key}: expected {expected}, ruled {ruled}")
}

/// What became of all of them.
#[derive(Default)]
struct Report {
    checked: Vec<Checked>,
    layers: BTreeSet<String>,
    errors: Vec<String>,
}

impl Report {
    fn count(&self, wanted: fn(&Outcome) -> bool) -> usize {
        let outcomes = self.checked.iter().map(|checked| &checked.outcome);
        outcomes.filter(|outcome| wanted(outcome)).count()
    }

    fn passed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Passed))
    }

    fn failed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Failed { .. }))
    }

    fn skipped(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Skipped(_)))
    }

    /// Why questions were skipped, and how many for each reason.
    fn skips(&self) -> BTreeMap<&str, usize> {
        let mut skips = BTreeMap::new();
        for checked in &self.checked {
            if let Outcome::Skipped(why) = &checked.outcome {
                *skips.entry(why.as_str()).or_default() += 1;
            }
        }
        skips
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let skips = self.skips();
        if !skips.is_empty() {
            text.push_str("Skipped:\n");
        }
        for (why, count) in skips {
            text.push_str(&format!("  {count:>5}  {why}\n"));
        }
        if !self.layers.is_empty() {
            let layers: Vec<&str> = self.layers.iter().map(String::as_str).collect();
            text.push_str(&format!(
                "Layers that no loaded plugin owns, left out of account: {}\n",
                layers.join(", ")
            ));
        }
        if !self.errors.is_empty() {
            text.push_str(&format!(
                "Files that cannot be used: {}\n",
                self.errors.len()
            ));
        }
        let (passed, failed, skipped) = (self.passed(), self.failed(), self.skipped());
        text.push_str(&format!(
            "{passed} passed, {failed} failed, {skipped} skipped\n"
        ));
        text
    }

    fn json(&self) -> Value {
        json!({
            "passed": self.passed(),
            "failed": self.failed(),
            "skipped": self.skipped(),
            "unowned_layers": self.layers,
            "errors": self.errors,
            "questions": self.checked.iter().map(Checked::json).collect::<Value>(),
        })
    }
}
