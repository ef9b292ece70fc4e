//! The case that a command is about, and names on its map.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use alamein_cases::{Case, Known, Provenance, Settings, load, parse};
use alamein_hex::{Aim, Hex};
use alamein_maps::{BoardNames, MapFile};
use alamein_terrain::{End, Environment, Position, Question};
use anyhow::{Context, Result, bail, ensure};

use crate::args::Scenario;
use crate::example;
use crate::map::files;

/// A case, and what its hexes are called on the boards of its map.
#[derive(Debug)]
pub(crate) struct Stage {
    case: Case,
    names: Option<BoardNames>,
    /// Hexes that were called by other names than rulings call them, and both.
    renamed: RefCell<BTreeSet<String>>,
}

impl Deref for Stage {
    type Target = Case;

    fn deref(&self) -> &Case {
        &self.case
    }
}

impl From<Case> for Stage {
    fn from(case: Case) -> Self {
        Self {
            case,
            names: None,
            renamed: RefCell::default(),
        }
    }
}

impl Stage {
    /// The stage of a map without counters. Layers that no plugin owns are left out of account.
    pub(crate) fn of_map(file: &MapFile, known: &Known) -> Result<Self> {
        let map = Arc::new(file.to_map()?);
        let layers = map.layers.keys();
        let unowned = layers.filter(|layer| known.layer(layer).is_none());
        let case = Case {
            id: file.title.clone(),
            unowned_layers: unowned.cloned().collect(),
            position: Arc::new(Position::new(map, Vec::new(), Environment::default())?),
            questions: Vec::new(),
            settings: Settings::default(),
            provenance: Provenance::default(),
            strangers: Vec::new(),
        };
        Ok(Self {
            names: Some(file.names()?),
            ..Self::from(case)
        })
    }

    /// What its hexes are called on the boards, if its map tells of boards.
    pub(crate) fn names(&self) -> Option<&BoardNames> {
        self.names.as_ref()
    }

    /// A hex by its name on the boards, or by its place on the grid of the whole map.
    fn hex(&self, name: &str) -> Result<Hex> {
        let grid = &self.position.map().grid;
        let Some(names) = &self.names else {
            return Ok(grid.hex(name)?);
        };
        match (names.hex(name), grid.hex(name)) {
            (Ok(hex), _) => {
                let label = grid.label(hex);
                if !is_called(names, name, &label) {
                    let mut renamed = self.renamed.borrow_mut();
                    renamed.insert(format!("{name} is {label}"));
                }
                Ok(hex)
            }
            (Err(_), Ok(hex)) => Ok(hex),
            (Err(error), Err(_)) => Err(error.into()),
        }
    }

    /// What rulings call the hexes that were named otherwise.
    pub(crate) fn renamed(&self) -> Option<String> {
        let renamed = self.renamed.borrow();
        let told: Vec<&str> = renamed.iter().map(String::as_str).collect();
        (!told.is_empty()).then(|| {
            format!(
                "rulings call hexes by their place on the whole map: {}",
                told.join(", ")
            )
        })
    }
}

/// Whether a hex is called so, but perhaps for its board.
fn is_called(names: &BoardNames, name: &str, label: &str) -> bool {
    let name = name.replace(':', "");
    let mut boards = names.boards().chain([""]);
    boards.any(|board| name.eq_ignore_ascii_case(&format!("{board}{label}")))
}

/// Reads the case.
pub(crate) fn read(scenario: &Scenario, known: &Known) -> Result<Stage> {
    let case = match (&scenario.case, &scenario.map) {
        (Some(file), _) => load(file, known)?,
        (None, Some(file)) => return Stage::of_map(&files::map_file(file)?, known),
        (None, None) => parse(example::NAME, example::TEXT, known)?,
    };
    warn_of_strangers(&case);
    Ok(case.into())
}

/// Warns of what means nothing in a case file.
pub(crate) fn warn_of_strangers(case: &Case) {
    for stranger in &case.strangers {
        eprintln!("alamein: warning: {stranger} means nothing here and is passed over");
    }
}

/// Warns of a side that nobody of some positions is on: it may be misspelt. It is no error, for a side may have no
/// counters yet, and knows then what everybody does. What the side knows of a position is enough to look at, for
/// it knows of its own counters.
pub(crate) fn warn_of_side(positions: &[&Position], side: &str) {
    let counters = positions.iter().flat_map(|position| position.counters());
    let sides = counters.filter_map(|counter| counter.side.as_deref());
    let sides: BTreeSet<&str> = sides.collect();
    if sides.contains(side) {
        return;
    }
    let there = match sides.is_empty() {
        true => "nobody has one".to_owned(),
        false => format!("there are {}", Vec::from_iter(sides).join(", ")),
    };
    eprintln!("alamein: warning: --as-side {side}: nobody there is on that side; {there}");
}

/// A question in this case: layers that no plugin owns are left out of account.
pub(crate) fn question(case: &Case, ask: alamein_terrain::Ask) -> Question {
    let mut question = Question::new(ask);
    question.ignore_layers.clone_from(&case.unowned_layers);
    question
}

/// A hex by name.
pub(crate) fn hex(case: &Stage, field: &str, name: &str) -> Result<Hex> {
    case.hex(name).with_context(|| field.to_owned())
}

/// The hex of a counter, or a hex by name.
pub(crate) fn place(case: &Stage, field: &str, name: &str) -> Result<Hex> {
    match end(case, field, name)? {
        End::Hex(aim) => Ok(aim.hex),
        End::Counter { id, .. } => {
            let counter = case.position.counter(&id);
            Ok(counter.context("the counter is gone")?.hex)
        }
    }
}

/// An end: a counter's id or a hex, with a vertex behind a colon where one is meant.
pub(crate) fn end(case: &Stage, field: &str, text: &str) -> Result<End> {
    if case.position.counter(text).is_some() {
        let id = text.to_owned();
        return Ok(End::Counter { id, corner: None });
    }
    let (name, corner) = match text.rsplit_once(':') {
        None => (text, None),
        // The colon may stand behind the name of a board.
        Some((_, corner)) if case.names.is_some() && corner.parse::<u8>().is_err() => (text, None),
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
    match case.hex(name) {
        Ok(hex) => Ok(End::Hex(Aim { hex, corner })),
        Err(error) => {
            let counters = case.position.counters().iter();
            let ids: Vec<&str> = counters.map(|counter| counter.id.as_str()).collect();
            if ids.is_empty() {
                bail!("{field}: {error}");
            }
            bail!(
                "{field}: there is no counter {name:?} (there are {}), and as a hex: {error}",
                ids.join(", ")
            )
        }
    }
}
