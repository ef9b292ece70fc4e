//! `alamein replay`: ruling again on what was recorded.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use alamein_cases::{
    Asked, Case, CaseQuestion, Difference, Outcome, Said, Settings, compare, judge, lines, load,
    parse, reasons,
};
use alamein_terrain::{Question, Ruling};
use anyhow::Result;
use serde_json::{Value, json};

use crate::args::Replay;
use crate::bench::Bench;
use crate::check::{Judges, told};
use crate::paint::Paint;
use crate::remote::OtherOptions;
use crate::{case_files, output};

/// How often it is told how far it has come.
const TELL: Duration = Duration::from_secs(1);

pub(crate) fn run(replay: &Replay) -> Result<ExitCode> {
    let files = case_files::found(&replay.files, case_files::CASES_AND_RECORDS)?;
    let mut judges = Judges::new(Bench::open(&replay.rules)?, &replay.rules);
    // What is wrong with the rules themselves is told once, and not of each line.
    judges.for_settings(&Settings::default())?;
    let mut run = Run {
        judges,
        json: replay.json,
        paint: Paint::of_terminal(),
        counts: Counts::default(),
        skips: BTreeMap::new(),
        progress: std::io::stderr().is_terminal().then(Instant::now),
    };
    for file in &files {
        run.file(file)?;
    }
    run.clear_progress();
    run.sum_up()?;
    Ok(ExitCode::from(
        match (run.counts.damaged, run.counts.differ) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        },
    ))
}

/// What became of how many rulings.
#[derive(Default)]
struct Counts {
    same: u64,
    differ: u64,
    /// Of those that differ: by the rules of the record's own fingerprint.
    by_the_same_rules: u64,
    /// Lines that cannot be read, and rulings that are not of what they are said to be.
    damaged: u64,
    /// Lines that are cut off at the end of a record.
    cut_off: u64,
}

struct Run<'a> {
    judges: Judges<'a>,
    json: bool,
    paint: Paint,
    counts: Counts,
    /// Why rulings were not compared, and how many.
    skips: BTreeMap<String, u64>,
    /// When it was last told how far it has come, if that is told.
    progress: Option<Instant>,
}

impl Run<'_> {
    fn file(&mut self, file: &Path) -> Result<()> {
        let name = file.display().to_string();
        let is_case = case_files::CASES.iter().any(|end| name.ends_with(end));
        if is_case {
            match load(file, &self.judges.bench.facts().known) {
                Ok(case) => self.case(&name, &case)?,
                Err(error) => self.damaged(&error.to_string()),
            }
            return Ok(());
        }
        let read = match lines(file) {
            Ok(read) => read,
            Err(error) => {
                self.damaged(&error.to_string());
                return Ok(());
            }
        };
        for line in read {
            let line = match line {
                Ok(line) if line.text.is_empty() => continue,
                Ok(line) => line,
                Err(error) => {
                    self.damaged(&error.to_string());
                    break;
                }
            };
            let place = format!("{name} line {}", line.number);
            match parse(&place, &line.text, &self.judges.bench.facts().known) {
                Ok(case) => self.case(&place, &case)?,
                Err(_) if !line.whole => {
                    self.clear_progress();
                    self.counts.cut_off += 1;
                    eprintln!(
                        "alamein: warning: {place}: the record is cut off in the midst of its last line, \
                         which is passed over"
                    );
                }
                Err(error) => self.damaged(&error.to_string()),
            }
            self.tell_progress();
        }
        Ok(())
    }

    fn case(&mut self, place: &str, case: &Case) -> Result<()> {
        for question in &case.questions {
            let Asked::Question(asked) = &question.asked else {
                match question.decided(true) {
                    Some(Outcome::Skipped(why)) => self.skip(why),
                    Some(Outcome::Failed { why, .. }) => {
                        let why = why.unwrap_or_default();
                        self.damaged(&format!("{place}: {why}"));
                    }
                    Some(Outcome::Passed) | None => {}
                }
                continue;
            };
            let contradiction = case
                .provenance
                .contradicts(&case.position, &question.id, asked);
            if let Some(what) = contradiction {
                self.damaged(&format!(
                    "{place}: question {}: {what}; the line was changed since",
                    question.id
                ));
                continue;
            }
            self.question(place, case, question, asked)?;
        }
        Ok(())
    }

    fn question(
        &mut self,
        place: &str,
        case: &Case,
        question: &CaseQuestion,
        asked: &Question,
    ) -> Result<()> {
        let judge_here = match self.judges.for_settings(&case.settings) {
            Ok(judge) => judge,
            Err(error) if error.is::<OtherOptions>() => {
                self.skip("the service judges by other options than were recorded".into());
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let wants_others = question.wants_other_policies();
        let said = judge_here.ask(&case.position, std::slice::from_ref(asked), wants_others)?;
        let Some(said) = said.into_iter().next() else {
            return Ok(());
        };
        let known = &self.judges.bench.facts().known;
        let mut other_policy = false;
        let (why, differences) = match (judge(question, &said, known, true), &said) {
            (Outcome::Passed, Said::Ruled(ruled)) => {
                // The answer is what it was under this policy; what was given may have been under another.
                let ruling = &ruled.ruling;
                let given = question.expected.iter();
                let given = given.flat_map(|it| compare(&it.usual, ruling, known).differences);
                let given: Vec<Difference> = given.collect();
                if given.is_empty() {
                    self.counts.same += 1;
                    return Ok(());
                }
                other_policy = true;
                let why = format!("a line that grazes is read as {} now", ruling.policy.name());
                (Some(why), given)
            }
            (Outcome::Passed, _) => return Ok(()),
            // There was a ruling once.
            (_, Said::NotImplemented { plugin, rule }) => {
                let why = format!("plugin {plugin} does not implement its rule {rule}");
                (Some(why), Vec::new())
            }
            (Outcome::Skipped(why), _) => {
                self.skip(why);
                return Ok(());
            }
            (
                Outcome::Failed {
                    why, differences, ..
                },
                _,
            ) => (why, differences),
        };
        let ruling = match &said {
            Said::Ruled(ruled) => Some(&ruled.ruling),
            _ => None,
        };
        self.counts.differ += 1;
        let rules = case.provenance.rules;
        let same_rules = !other_policy && ruling.is_some_and(|it| Some(it.rules) == rules);
        self.counts.by_the_same_rules += u64::from(same_rules);
        self.clear_progress();
        Differing {
            place,
            case,
            question,
            ruling,
            why,
            differences,
            same_rules,
        }
        .tell(self.json, self.paint)
    }

    fn skip(&mut self, why: String) {
        *self.skips.entry(why).or_default() += 1;
    }

    fn damaged(&mut self, what: &str) {
        self.clear_progress();
        self.counts.damaged += 1;
        eprintln!("alamein: {what}");
    }

    fn tell_progress(&mut self) {
        let Some(told) = &mut self.progress else {
            return;
        };
        if told.elapsed() >= TELL {
            *told = Instant::now();
            let Counts { same, differ, .. } = self.counts;
            eprint!("\r{} rulings, {differ} differ", same + differ);
            let _ = std::io::stderr().flush();
        }
    }

    /// Wipes the line on which it is told how far it has come.
    fn clear_progress(&self) {
        if self.progress.is_some() {
            eprint!("\r\x1b[K");
        }
    }

    fn sum_up(&self) -> Result<()> {
        let counts = &self.counts;
        let skipped: u64 = self.skips.values().sum();
        if self.json {
            let summary = json!({"summary": {
                "same": counts.same,
                "differ": counts.differ,
                "differ_by_the_same_rules": counts.by_the_same_rules,
                "skipped": self.skips,
                "damaged": counts.damaged,
                "cut_off": counts.cut_off,
            }});
            return output::line(&summary.to_string());
        }
        for (why, count) in &self.skips {
            output::line(&format!("not compared: {count}: {why}"))?;
        }
        let mut text = format!(
            "{} of {} rulings differ",
            counts.differ,
            counts.same + counts.differ
        );
        if counts.by_the_same_rules > 0 {
            text.push_str(&format!(
                ", {} of them by the very rules that were recorded, which should never be",
                counts.by_the_same_rules
            ));
        }
        if skipped > 0 {
            text.push_str(&format!("; {skipped} are not compared"));
        }
        if counts.damaged > 0 {
            text.push_str(&format!("; {} cannot be used", counts.damaged));
        }
        output::line(&text)
    }
}

/// A ruling that differs from what was recorded.
struct Differing<'a> {
    place: &'a str,
    case: &'a Case,
    question: &'a CaseQuestion,
    /// The ruling, if there is one now.
    ruling: Option<&'a Ruling>,
    why: Option<String>,
    differences: Vec<Difference>,
    same_rules: bool,
}

impl Differing<'_> {
    fn tell(&self, json: bool, paint: Paint) -> Result<()> {
        match json {
            true => output::line(&self.json().to_string()),
            false => output::put(&self.text(paint)),
        }
    }

    fn grounds(&self) -> Vec<String> {
        self.ruling.map(reasons).unwrap_or_default()
    }

    fn text(&self, paint: Paint) -> String {
        let mut text = format!(
            "{} {} {}",
            paint.bad("DIFFERS"),
            self.place,
            self.question.id
        );
        if self.same_rules {
            text.push_str(" (by the same rules)");
        }
        text.push('\n');
        if let Some(why) = &self.why {
            text.push_str(&format!("  {why}\n"));
        }
        for difference in &self.differences {
            text.push_str(&format!("  {}\n", told(difference)));
        }
        // Both explanations at once: what only the record has, what only the new ruling has, and both.
        let (then, now) = (&self.question.grounds, self.grounds());
        for ground in then.iter().filter(|ground| !now.contains(ground)) {
            text.push_str(&format!("  - {ground}\n"));
        }
        for ground in &now {
            let sign = if then.contains(ground) { ' ' } else { '+' };
            text.push_str(&format!("  {sign} {ground}\n"));
        }
        if then.is_empty() {
            text.push_str("  (the record has no grounds)\n");
        }
        text
    }

    fn json(&self) -> Value {
        let provenance = &self.case.provenance;
        let id = provenance.rulings.get(&self.question.id);
        let difference = |difference: &Difference| {
            json!({
                "policy": difference.policy.name(),
                "key": difference.key,
                "recorded": difference.expected,
                "ruled": difference.ruled,
            })
        };
        json!({
            "place": self.place,
            "question": self.question.id,
            "why": self.why,
            "same_rules": self.same_rules,
            "differences": self.differences.iter().map(difference).collect::<Value>(),
            "recorded": {
                "ruling_id": id.map(ToString::to_string),
                "rules_fingerprint": provenance.rules.map(|rules| rules.to_string()),
                "grounds": self.question.grounds,
            },
            "ruled": self.ruling.map(|ruling| json!({
                "ruling_id": ruling.id.to_string(),
                "rules_fingerprint": ruling.rules.to_string(),
                "grounds": self.grounds(),
            })),
        })
    }
}
