//! A board's lines, ruled on by VASL and by Alamein.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_engine::{Engine, QuestionError, Ruleset, RulesetConfig, Wanted};
use alamein_hex::{Hex, Trace};
use alamein_maps::BoardNames;
use alamein_maps::vasl::{CREST_LINE, VaslBoard};
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{Adjudicated, Ask, End, Environment, LosResult, Position, Question, Ruling};
use anyhow::{Context, Result};
use serde_json::Value;

use super::difference::{Case, Difference};
use super::golden::{self, Answer, Row, Spot};
use super::outcome::Outcome;
use super::peer::{Look, Peer, Why};
use super::picture::Picture;

/// A board, as both have it.
pub struct Board {
    name: String,
    folder: PathBuf,
    vasl: VaslBoard,
    names: BoardNames,
    peer: Peer,
    position: Arc<Position>,
}

/// Which of the lines are compared: the first of every so many rows.
#[derive(Clone, Copy, Debug)]
pub struct Sample(pub usize);

/// A line on which both rule.
struct Line {
    row: Row,
    spots: [Spot; 2],
    ruling: Ruling,
}

impl Board {
    /// Reads a board from a folder with `boards/` and `golden/`.
    ///
    /// # Errors
    /// What is missing or not such a board.
    pub fn read(folder: &Path, name: &str) -> Result<Self> {
        let at = folder.join("boards").join(name);
        let vasl = alamein_maps::vasl::read(&at)?;
        let names = BoardNames::new(std::slice::from_ref(&vasl.board))?;
        let peer = Peer::new(Picture::read(&at.join("LOSData"))?, &vasl)?;
        let map = Arc::new(vasl.to_map()?);
        let position = Position::new(map, Vec::new(), Environment::default())?;
        Ok(Self {
            name: name.to_owned(),
            folder: folder.to_path_buf(),
            vasl,
            names,
            peer,
            position: Arc::new(position),
        })
    }

    /// Compares the lines of a table: `""` from centre to centre, `".aim"` from and to vertices too.
    ///
    /// # Errors
    /// A table that is not there, or a position that cannot be ruled on.
    pub fn compare(
        &self,
        table: &str,
        sample: Sample,
        plugins: &[NativePlugin],
    ) -> Result<Outcome> {
        let file = self
            .folder
            .join(format!("golden/{}{table}.tsv.gz", self.name));
        let rows = golden::read(&file, &self.names)?;
        let rows: Vec<Row> = rows.into_iter().step_by(sample.0.max(1)).collect();
        let unmodelled = self.unmodelled();
        let is_modelled = |row: &Row| {
            let [from, to] = row.ends?;
            let trace = Trace::new(from.aim, to.aim);
            let mut touched = trace.touched().iter();
            let all = touched.all(|touched| !unmodelled.contains(&touched.hex));
            all.then(|| (row.clone(), [from, to]))
        };
        let lines: Vec<(Row, [Spot; 2])> = rows.iter().filter_map(is_modelled).collect();
        let mut outcome = Outcome {
            rows: rows.len(),
            ..Outcome::default()
        };
        let changed = self.changed_by_the_fault(table)?;
        let mut differing = Vec::new();
        let spots: Vec<[Spot; 2]> = lines.iter().map(|(_, spots)| *spots).collect();
        let rulings = self.rule(&engine(plugins, &RulesetConfig::default())?, &spots)?;
        for ((row, spots), ruled) in lines.into_iter().zip(rulings) {
            match ruled {
                Ok(Adjudicated { ruling, .. }) => {
                    let line = Line { row, spots, ruling };
                    let whys = self.judge(&line, &changed, &mut outcome)?;
                    differing.extend(whys.into_iter().map(|(look, why)| (spots, look, why)));
                }
                Err(QuestionError::NotImplemented { rule, .. }) => {
                    *outcome.refused.entry(rule).or_insert(0) += 1;
                }
                Err(error) => return Err(error).context(row.named.join(" ")),
            }
        }
        self.try_options(plugins, &differing, &mut outcome)?;
        Ok(outcome)
    }

    /// The hexes that show what no layer holds. Crest Lines within a hex are let pass, to see what comes of
    /// them.
    fn unmodelled(&self) -> BTreeSet<Hex> {
        let listed = self.vasl.unmodelled().into_iter();
        let other = |what: &&str| *what != CREST_LINE;
        listed
            .filter(|(_, shown)| shown.iter().any(other))
            .map(|(hex, _)| hex)
            .collect()
    }

    /// The lines on which VASL's own engine answers otherwise if its fault is taken out.
    fn changed_by_the_fault(&self, table: &str) -> Result<BTreeSet<[String; 2]>> {
        let name = format!("golden/{}{table}.hillock-rows.tsv.gz", self.name);
        match self.peer.has_hillocks() {
            true => golden::pairs(&self.folder.join(name)),
            false => Ok(BTreeSet::new()),
        }
    }

    fn rule(
        &self,
        engine: &Engine,
        lines: &[[Spot; 2]],
    ) -> Result<Vec<Result<Adjudicated, QuestionError>>> {
        let ruleset = engine.ruleset();
        let layers = self.position.map().layers.keys();
        let unowned = layers.filter(|layer| ruleset.owner(layer).is_none());
        let unowned: Vec<String> = unowned.cloned().collect();
        let question = |spots: &[Spot; 2]| {
            let [from, to] = spots.map(|spot| End::Hex(spot.aim));
            Question {
                ignore_layers: unowned.clone(),
                ..Question::new(Ask::LineOfSight { from, to })
            }
        };
        let questions: Vec<Question> = lines.iter().map(question).collect();
        let position = Arc::clone(&self.position);
        Ok(engine.adjudicate_here(&ruleset, position, &questions, Wanted::default())?)
    }

    /// Compares what both say of a line; why they differ, if they do, from VASL as it is and from VASL
    /// with its fault taken out.
    fn judge(
        &self,
        line: &Line,
        changed: &BTreeSet<[String; 2]>,
        outcome: &mut Outcome,
    ) -> Result<Vec<(Look, Difference)>> {
        let Line { row, spots, ruling } = line;
        let los = ruling.verdict.los().context("a ruling on a LOS")?;
        let sees = los.result != LosResult::Blocked;
        let ours = sees.then_some(los.hindrance.unwrap_or_default());
        let theirs = match row.answer {
            Answer::Sees(hindrance) => Some(hindrance),
            Answer::Blocked(..) | Answer::Threw => None,
        };
        outcome.compared += 1;
        outcome.agreed[usize::from(!sees)] += usize::from(ours == theirs);
        let text = self.told(line);
        if ours != theirs && sees == theirs.is_some() || self.peer.is_flat() {
            outcome.unexplained.extend((ours != theirs).then_some(text));
            return Ok(Vec::new());
        }
        let sight = self.peer.sight(*spots)?;
        let as_it_is = sight.blocked(Look::AS_IT_IS);
        let account = as_it_is.map_or(Answer::Sees(0), |found| {
            Answer::Blocked(found.pixel.0, found.pixel.1)
        });
        let by_fault = as_it_is.is_some_and(|found| found.why == Why::HalfLevelTooHigh);
        if account != row.answer || by_fault != changed.contains(&row.named) {
            outcome.misread.push(format!("{text}; {as_it_is:?}"));
        }
        let case = Case {
            ruling,
            sight: &sight,
            peer: &self.peer,
            grid: self.position.map().grid,
        };
        let back = self.peer.sight([spots[1], spots[0]])?;
        let mut whys = Vec::new();
        for look in [Look::AS_IT_IS, Look::MENDED] {
            let found = sight.blocked(look);
            if found.is_none() == sees {
                continue;
            }
            let Some(why) = case.why(look, found) else {
                let text = format!("{text}; {look:?}, {found:?}");
                outcome.unexplained.push(text);
                continue;
            };
            whys.push((look, why));
            let one_way = back.blocked(look).is_some() != found.is_some();
            let differing = outcome.differing_mut(look, why);
            differing.add(row, sight.visits.len(), one_way);
            if look.fault && why == Difference::HalfLevelTooHigh {
                let on_hillock = spots.map(|spot| self.peer.hillock_of(spot.aim.hex));
                outcome.note_reasons(on_hillock.iter().flatten().count(), ruling);
            }
        }
        Ok(whys)
    }

    /// All that is needed to look into a line.
    fn told(&self, line: &Line) -> String {
        let Line { row, ruling, .. } = line;
        let findings: Vec<&str> = ruling
            .standing_findings()
            .map(|found| found.text.as_str())
            .collect();
        let [from, to] = &row.named;
        format!(
            "{} {from} to {to}: VASL {:?} {}, Alamein {:?} {findings:?}, on hexes {:?}",
            self.name,
            row.answer,
            row.reason,
            ruling.verdict.los(),
            ruling.grazing.touched
        )
    }

    /// Rules again on the lines that differ, with each contested option set to each of its other values.
    fn try_options(
        &self,
        plugins: &[NativePlugin],
        differing: &[([Spot; 2], Look, Difference)],
        outcome: &mut Outcome,
    ) -> Result<()> {
        if differing.is_empty() {
            return Ok(());
        }
        let lines: Vec<[Spot; 2]> = differing.iter().map(|(spots, ..)| *spots).collect();
        let usual = engine(plugins, &RulesetConfig::default())?;
        let before = self.rule(&usual, &lines)?;
        for (name, config) in otherwise(&usual) {
            let after = self.rule(&engine(plugins, &config)?, &lines)?;
            for ((_, look, why), (before, after)) in differing.iter().zip(before.iter().zip(after))
            {
                let is_blocked = |ruled: &Result<Adjudicated, QuestionError>| {
                    let los = ruled
                        .as_ref()
                        .ok()
                        .and_then(|ruled| ruled.ruling.verdict.los());
                    los.map(|los| los.result == LosResult::Blocked)
                };
                if is_blocked(before) != is_blocked(&after) {
                    let differing = outcome.differing_mut(*look, *why);
                    *differing.options.entry(name.clone()).or_insert(0) += 1;
                }
            }
        }
        Ok(())
    }
}

fn engine(plugins: &[NativePlugin], config: &RulesetConfig) -> Result<Engine> {
    Ok(Engine::new(Ruleset::build(plugins, config)?)?)
}

/// Every other value of every contested option, one at a time.
fn otherwise(engine: &Engine) -> Vec<(String, RulesetConfig)> {
    let mut found = Vec::new();
    for member in engine.ruleset().members() {
        let manifest = member.manifest();
        for option in manifest
            .options()
            .into_iter()
            .filter(|option| option.contested.is_some())
        {
            let values = match (&option.default, option.schema.get("enum")) {
                (Value::Bool(held), _) => vec![Value::Bool(!held)],
                (held, Some(Value::Array(values))) => values
                    .iter()
                    .filter(|value| *value != held)
                    .cloned()
                    .collect(),
                _ => Vec::new(),
            };
            for value in values {
                let name = format!("{}.{} = {value}", manifest.id, option.name);
                let set = serde_json::Map::from_iter([(option.name.clone(), value)]);
                let config = RulesetConfig {
                    options: BTreeMap::from([(manifest.id.clone(), set)]),
                    ..RulesetConfig::default()
                };
                found.push((name, config));
            }
        }
    }
    found
}
