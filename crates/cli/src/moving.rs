//! `alamein move` and `alamein reach`.

mod json;
mod telling;

pub(crate) use json::missing_rule;

use std::sync::Arc;

use alamein_cases::Exported;
use alamein_hex::Hex;
use alamein_picture::{Label, draw};
use alamein_terrain::{
    Adjudicated, Ask, CounterClass, Mover, Moving, PathQuestion, Position, PricedPath, Question,
    ReachQuestion, Step,
};
use anyhow::{Context, Result, bail};

use crate::args::{How, Move, Output, Reach, class};
use crate::scenario::Stage;
use crate::session::{Session, alone};
use crate::{mapping, output, scenario};

/// A step is a question like others; more of them, or an allowance, make a path.
pub(crate) fn walk(walk: &Move) -> Result<()> {
    let session = Session::open(&walk.asking.scenario, &walk.asking.rules)?;
    let moving = moving(&session.case, &walk.mover, walk.how)?;
    let steps = steps(&session.case, &walk.hexes, walk.how)?;
    let wanted = &walk.asking.output;
    if let ([step], None) = (&*steps, walk.allowance) {
        let Moving { mover, ec, .. } = moving;
        let step = step.clone();
        let question = scenario::question(&session.case, Ask::Movement { mover, step, ec });
        return session.show(wanted, "move", &question);
    }
    let question = PathQuestion {
        moving,
        steps,
        allowance: walk.allowance,
    };
    let priced = session
        .judge
        .price_path(&session.case.position, &question)?;
    session.tell_names();
    show_path(&session, wanted, &question, &priced)?;
    save_path(&session, wanted, &question, &priced)
}

fn show_path(
    session: &Session,
    wanted: &Output,
    question: &PathQuestion,
    priced: &PricedPath,
) -> Result<()> {
    if wanted.json {
        return output::line(&format!("{:#}", json::path(priced, wanted.explain)));
    }
    if wanted.picture {
        output::line(&picture_of_path(session, question, priced))?;
    }
    output::put(&session.speaker(wanted.explain).path(question, priced))
}

/// Each step has a question and a ruling of its own, and so they are saved.
fn save_path(
    session: &Session,
    wanted: &Output,
    question: &PathQuestion,
    priced: &PricedPath,
) -> Result<()> {
    if wanted.save.is_none() {
        return Ok(());
    }
    // What has a price is a path.
    let steps = question.joined().unwrap_or_default();
    let mut rulings: Vec<(String, Question, Adjudicated)> = Vec::new();
    for (at, (step, priced)) in steps.into_iter().zip(&priced.steps).enumerate() {
        match &priced.ruling {
            Ok(ruling) => {
                let asked = question.moving.question(step);
                rulings.push((format!("move-{}", at + 1), asked, alone(ruling)));
            }
            Err(_) => eprintln!("step {} has no ruling to save", at + 1),
        }
    }
    let exported = rulings.iter().map(|(id, question, ruled)| Exported {
        id,
        question,
        ruled,
    });
    let exported: Vec<Exported<'_>> = exported.collect();
    session.save(wanted, &exported, priced.rules)
}

/// The part of the map that a path crosses, with the totals in its hexes.
fn picture_of_path(session: &Session, question: &PathQuestion, priced: &PricedPath) -> String {
    let mut scene = mapping::scene(&session.case.position, session.bench.facts());
    let start = question.steps.first().map(Step::begins_in);
    scene.focus.extend(start);
    scene
        .labels
        .extend(start.map(|hex| label(hex, "start".into())));
    for (step, priced) in question.steps.iter().zip(&priced.steps) {
        let total = priced.total_after;
        let word = total.map_or_else(|| "?".to_owned(), |total| total.to_string());
        // A turn changes what its hex says.
        scene.labels.retain(|label| label.hex != step.ends_in());
        scene.labels.push(label(step.ends_in(), word));
    }
    draw(&scene)
}

pub(crate) fn reach(reach: &Reach) -> Result<()> {
    let session = Session::open(&reach.scenario, &reach.rules)?;
    let question = ReachQuestion {
        moving: moving(&session.case, &reach.mover, reach.how)?,
        from: scenario::hex(&session.case, "HEX", &reach.hex)?,
        allowance: reach.allowance,
        way: reach.how.along.unwrap_or_default(),
    };
    let found = session.judge.reachable(&session.case.position, &question)?;
    session.tell_names();
    if reach.json {
        let grid = &session.case.position.map().grid;
        return output::line(&format!("{:#}", json::reach(&found, grid)));
    }
    output::line(&picture_of_reach(&session, &found)?)?;
    output::put(&session.speaker(false).reach(&question, &found))
}

/// The hexes that an allowance reaches, with their costs in them; no counters, for there is no room.
fn picture_of_reach(session: &Session, found: &alamein_terrain::Reach) -> Result<String> {
    let position = &session.case.position;
    let map = Arc::clone(position.map());
    let bare = Position::new(map, Vec::new(), position.environment())?;
    let mut scene = mapping::scene(&bare, session.bench.facts());
    let labels = found.hexes.iter();
    scene.labels = labels
        .map(|reached| label(reached.hex, telling::cost(reached)))
        .collect();
    Ok(draw(&scene))
}

fn label(hex: Hex, word: String) -> Label {
    Label { hex, word }
}

/// Who moves, and what else all questions about it have in common.
fn moving(case: &Stage, mover: &str, how: How) -> Result<Moving> {
    let counter = case.position.counter(mover);
    let class = match counter.map(|counter| counter.class) {
        Some(class) => class,
        None => class(mover).with_context(|| no_such_mover(mover))?,
    };
    let mover = Mover {
        class,
        ground_pressure: how.ground_pressure,
        weight_kg: how.weight,
        british_built: how.british_built,
    };
    Ok(Moving {
        ec: how.ec,
        ignore_layers: case.unowned_layers.clone(),
        ..Moving::new(mover)
    })
}

fn no_such_mover(word: &str) -> String {
    let names = CounterClass::ALL.map(CounterClass::name);
    format!(
        "MOVER: {word:?} is neither a counter here nor one of {}",
        names.join(", ")
    )
}

/// The steps through these hexes. `R6:2` turns by 2 hexsides in R6, once it is entered.
fn steps(case: &Stage, hexes: &[String], how: How) -> Result<Vec<Step>> {
    let way = how.along.unwrap_or_default();
    let mut steps = Vec::new();
    let mut at = None;
    for word in hexes {
        let (name, turn) = with_turn(word);
        let hex = scenario::hex(case, "HEX", name)?;
        if let Some(from) = at {
            let to = hex;
            steps.push(Step::Enter { from, to, way });
        }
        steps.extend(turn.map(|hexsides| Step::Turn {
            hex,
            entered_from: None,
            hexsides,
            way,
        }));
        at = Some(hex);
    }
    if steps.is_empty() {
        let name = hexes.first().map_or("", String::as_str);
        bail!("HEX: a move needs a second hex, or a turn such as {name}:1");
    }
    Ok(steps)
}

/// A hex, and by how many hexsides to turn there if that stands behind it. A board's name may have
/// a colon too.
fn with_turn(word: &str) -> (&str, Option<u8>) {
    let split = word.rsplit_once(':');
    let turn = split.and_then(|(name, turn)| Some((name, turn.parse().ok()?)));
    match turn {
        Some((name, turn)) => (name, Some(turn)),
        None => (word, None),
    }
}
