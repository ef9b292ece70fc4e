//! The case that a command is about, and names on its map.

use alamein_cases::{Case, Known, load, parse};
use alamein_hex::{Aim, Hex};
use alamein_terrain::{End, Question};
use anyhow::{Context, Result, bail, ensure};

use crate::args::Scenario;
use crate::example;

/// Reads the case.
pub(crate) fn read(scenario: &Scenario, known: &Known) -> Result<Case> {
    let case = match &scenario.case {
        Some(file) => load(file, known)?,
        None => parse(example::NAME, example::TEXT, known)?,
    };
    for stranger in &case.strangers {
        eprintln!("alamein: warning: {stranger} means nothing here and is passed over");
    }
    Ok(case)
}

/// A question in this case: layers that no plugin owns are left out of account.
pub(crate) fn question(case: &Case, ask: alamein_terrain::Ask) -> Question {
    let mut question = Question::new(ask);
    question.ignore_layers.clone_from(&case.unowned_layers);
    question
}

/// A hex by name.
pub(crate) fn hex(case: &Case, field: &str, name: &str) -> Result<Hex> {
    let grid = &case.position.map().grid;
    grid.hex(name).with_context(|| field.to_owned())
}

/// The hex of a counter, or a hex by name.
pub(crate) fn place(case: &Case, field: &str, name: &str) -> Result<Hex> {
    match end(case, field, name)? {
        End::Hex(aim) => Ok(aim.hex),
        End::Counter { id, .. } => {
            let counter = case.position.counter(&id);
            Ok(counter.context("the counter is gone")?.hex)
        }
    }
}

/// An end: a counter's id or a hex, with a vertex behind a colon where one is meant.
pub(crate) fn end(case: &Case, field: &str, text: &str) -> Result<End> {
    if case.position.counter(text).is_some() {
        let id = text.to_owned();
        return Ok(End::Counter { id, corner: None });
    }
    let (name, corner) = match text.rsplit_once(':') {
        None => (text, None),
        Some((name, corner)) => {
            let number: u8 = corner
                .parse()
                .with_context(|| format!("{field}: {corner:?} is no vertex"))?;
            ensure!(
                number < 6,
                "{field}: a hex has vertices 0 to 5, not {number}"
            );
            (name, Some(number))
        }
    };
    if case.position.counter(name).is_some() {
        let id = name.to_owned();
        return Ok(End::Counter { id, corner });
    }
    match case.position.map().grid.hex(name) {
        Ok(hex) => Ok(End::Hex(Aim { hex, corner })),
        Err(error) => {
            let counters = case.position.counters().iter();
            let ids: Vec<&str> = counters.map(|counter| counter.id.as_str()).collect();
            bail!(
                "{field}: there is no counter {name:?} (there are {}), and as a hex: {error}",
                ids.join(", ")
            )
        }
    }
}
