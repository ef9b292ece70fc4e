//! `alamein game record`: the rulings of a game, as a record that is replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use alamein_cases::{Asked, lines, load};
use alamein_terrain::{Digest, Question};
use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Table;
use crate::args::GameRecord;
use crate::case_files;
use crate::remote::Remote;

/// How the names of records end.
const RECORDS: &[&str] = &[".jsonl", ".jsonl.gz"];

/// A position of a game and the rules by which it is played there: their ids.
type Stage = (String, String);

pub(super) fn run(record: &GameRecord) -> Result<()> {
    let table = Table::open(&record.server, &record.access)?;
    let history = table.client().history(&record.game, false, None);
    let entries = table.wait(history.all())?;
    let mut stages: Vec<Stage> = Vec::new();
    for entry in entries {
        let stage = (entry.position_id, entry.rules_fingerprint);
        if !stages.contains(&stage) {
            stages.push(stage);
        }
    }
    let mut written = Written::open(record.save.as_deref())?;
    let files = case_files::found(&record.from, RECORDS)?;
    for file in &files {
        written.take_over(file, &stages)?;
    }
    for file in &record.ask {
        ask(&table, record, file, &stages, &mut written)?;
    }
    written.end(&stages)
}

/// A record that is being written.
struct Written {
    to: Box<dyn Write>,
    /// Each line is written once, however often it was asked.
    there: BTreeSet<Digest>,
    counts: BTreeMap<Stage, u64>,
}

impl Written {
    fn open(save: Option<&Path>) -> Result<Self> {
        let to: Box<dyn Write> = match save {
            None => Box::new(std::io::stdout().lock()),
            Some(file) => {
                let mut options = OpenOptions::new();
                // It holds what is hidden from players.
                let opened = options.write(true).create_new(true).mode(0o600).open(file);
                let opened = opened.with_context(|| format!("--save {}", file.display()))?;
                Box::new(std::io::BufWriter::new(opened))
            }
        };
        Ok(Self {
            to,
            there: BTreeSet::new(),
            counts: BTreeMap::new(),
        })
    }

    fn line(&mut self, text: &str, stage: &Stage) -> Result<()> {
        let text = text.trim_end();
        if self.there.insert(Digest::of(text.as_bytes())) {
            writeln!(self.to, "{text}")?;
            *self.counts.entry(stage.clone()).or_default() += 1;
        }
        Ok(())
    }

    /// Takes over what a record has of a game.
    fn take_over(&mut self, file: &Path, stages: &[Stage]) -> Result<()> {
        for line in lines(file)? {
            let line = line?;
            if line.text.is_empty() {
                continue;
            }
            match stage_of(&line.text) {
                Some(stage) if stages.contains(&stage) => self.line(&line.text, &stage)?,
                Some(_) => {}
                None => {
                    let (file, number) = (file.display(), line.number);
                    let what = match line.whole {
                        true => "is no line of a record",
                        false => "is cut off",
                    };
                    eprintln!("alamein: warning: {file} line {number} {what}, and is passed over");
                }
            }
        }
        Ok(())
    }

    /// Tells what there is of each position, where that is not in the way.
    fn end(mut self, stages: &[Stage]) -> Result<()> {
        self.to.flush()?;
        let rulings: u64 = self.counts.values().sum();
        let (with, all) = (self.counts.len(), stages.len());
        eprintln!("{rulings} rulings, on {with} of the {all} positions of the game");
        Ok(())
    }
}

/// The position and the rules of a line of a record.
fn stage_of(line: &str) -> Option<Stage> {
    let line: Value = serde_json::from_str(line).ok()?;
    let told = |key: &str| Some(line.get("alamein")?.get(key)?.as_str()?.to_owned());
    Some((told("position_id")?, told("rules_fingerprint")?))
}

/// Asks the questions of a case file about each position of a game.
fn ask(
    table: &Table,
    record: &GameRecord,
    file: &Path,
    stages: &[Stage],
    written: &mut Written,
) -> Result<()> {
    let access = record.access.read()?;
    let mut judge: Option<(&str, Remote)> = None;
    for stage in stages {
        let (position, rules) = stage;
        let remote = match judge.take() {
            Some((of, remote)) if of == rules => remote,
            _ => Remote::connect(&record.server, rules, &access)?,
        };
        let case = load(file, &remote.facts.known)?;
        let position = table.position(position)?;
        let (theirs, ours) = (case.position.map_id(), position.map_id());
        ensure!(
            theirs == ours,
            "{}: its map is {theirs}, and the game is on {ours}",
            file.display()
        );
        let (ids, questions): (Vec<&str>, Vec<Question>) = case
            .questions
            .iter()
            .filter_map(|question| match &question.asked {
                Asked::Question(asked) => Some((question.id.as_str(), (**asked).clone())),
                Asked::Unanswered | Asked::Unreadable(_) => None,
            })
            .unzip();
        for (id, line) in ids.iter().zip(remote.record(&position, &questions)?) {
            match line {
                Ok(line) => written.line(&line, stage)?,
                // Who is asked about need not be on the map all the time.
                Err(why) => eprintln!(
                    "alamein: warning: {id} is not ruled on, on the position {}: {why}",
                    position.id()
                ),
            }
        }
        judge = Some((rules, remote));
    }
    Ok(())
}
