//! Questions in names become lines, steps and set-ups in numbers.

use alamein_hex::{Aim, Hex, trace_between};
use alamein_terrain::{
    Ask, Attack, AttributeFact, Counter, CounterClass, CounterFacts, CounterFlags, End, EndFacts,
    EnvironmentCondition, GrazingPolicy, LaneFacts, Line, MoveStep, MovementUnit, Mover, Munition,
    Name, Position, Purpose, Question, ReachQuestion, SetUp, SetUpPiece, Step, TurnFacts,
};
use smol_str::format_smolstr;

use crate::error::QuestionError;
use crate::prepared::{Prepared, check_attributes, number};
use crate::ruleset::Ruleset;

/// What a question became.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "most are lines")]
pub(crate) enum Job {
    /// A line.
    Line(Line),
    /// A step.
    Step(MoveStep),
    /// A set-up.
    SetUp(SetUp),
}

/// Counters that a batch adds to those of its position.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    pub(crate) facts: Vec<CounterFacts>,
    pub(crate) names: Vec<Name>,
    /// Their attributes, by names that are numbered on from those of the position's counters.
    pub(crate) attributes: Vec<AttributeFact>,
    /// The names of attributes that no counter of the position has.
    pub(crate) attribute_names: Vec<String>,
}

/// Resolves the questions of one batch.
pub(crate) struct Resolver<'a> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) prepared: &'a Prepared,
    pub(crate) probes: Probes,
}

impl Resolver<'_> {
    /// Makes a line, a step or a set-up of a question.
    pub(crate) fn resolve(&mut self, question: &Question) -> Result<Job, QuestionError> {
        self.check_layers(&question.ignore_layers)?;
        let probes = self.add_probes(&question.probes)?;
        let policy = question.policy.unwrap_or(self.ruleset.policy());
        match &question.ask {
            Ask::LineOfSight { from, to } => {
                let ends = [
                    self.end("from", from, &probes)?,
                    self.end("to", to, &probes)?,
                ];
                Ok(Job::Line(self.line(
                    ends,
                    Purpose::Sight,
                    None,
                    policy,
                    &probes,
                )))
            }
            Ask::LineOfFire {
                from,
                to,
                attack,
                munition,
            } => {
                let ends = [
                    self.end("from", from, &probes)?,
                    self.end("to", to, &probes)?,
                ];
                let mut line = self.line(ends, Purpose::Fire, Some(*attack), policy, &probes);
                line.munition = *munition;
                Ok(Job::Line(line))
            }
            Ask::FireLane {
                mg,
                counter_hex,
                mover_hex,
                mover,
            } => {
                let mg = self.end("mg", mg, &probes)?;
                self.on_map("counter_hex", *counter_hex)?;
                self.on_map("mover_hex", *mover_hex)?;
                let counter = self.prepared.ordinary_unit(Aim::centre(*counter_hex));
                let mut probes = probes;
                let probe = self.add_lane_probe(*mover_hex);
                probes.push((probe, *mover_hex));
                let lane = LaneFacts {
                    hex: *mover_hex,
                    mover: *mover,
                    probe: Some(probe),
                };
                let mut line = self.line([mg, counter], Purpose::Lane, None, policy, &probes);
                line.lane = Some(lane);
                Ok(Job::Line(line))
            }
            Ask::Movement { mover, step, ec } => self.step(mover, step, *ec).map(Job::Step),
            Ask::SetUp(setup) => self.setup(*setup).map(Job::SetUp),
        }
    }

    fn setup(&self, setup: SetUp) -> Result<SetUp, QuestionError> {
        self.on_map("hex", setup.hex)?;
        let refused = match setup.piece {
            SetUpPiece::Unit {
                class: CounterClass::Wreck,
                ..
            } => Some(("class", CounterClass::Wreck.name())),
            SetUpPiece::Unit { beneath, .. } => beneath
                .filter(|beneath| !beneath.shelters())
                .map(|beneath| ("beneath", beneath.name())),
            SetUpPiece::Fortification(_) => None,
        };
        match refused {
            None => Ok(setup),
            Some((field, what)) => Err(QuestionError::NoSetUp {
                field: field.into(),
                what,
            }),
        }
    }

    fn step(
        &self,
        mover: &Mover,
        step: &Step,
        ec: Option<EnvironmentCondition>,
    ) -> Result<MoveStep, QuestionError> {
        may_move(mover)?;
        let (from, to, way, turn) = match *step {
            Step::Enter { from, to, way } => {
                self.on_map("from", from)?;
                self.on_map("to", to)?;
                self.adjacent("to", from, to)?;
                (from, to, way, None)
            }
            Step::Turn {
                hex,
                entered_from,
                hexsides,
                way,
            } => {
                // What has no VCA has none to change.
                if mover.class.movement_unit() != MovementUnit::Mp {
                    return Err(no_mover(mover));
                }
                self.on_map("hex", hex)?;
                if let Some(entered_from) = entered_from {
                    self.on_map("entered_from", entered_from)?;
                    self.adjacent("entered_from", hex, entered_from)?;
                }
                if !(1..=5).contains(&hexsides) {
                    let field = "hexsides".into();
                    return Err(QuestionError::BadTurn { field, hexsides });
                }
                (
                    hex,
                    hex,
                    way,
                    Some(TurnFacts {
                        hexsides,
                        entered_from,
                    }),
                )
            }
        };
        let ec = self.ec(ec);
        Ok(MoveStep {
            mover: mover.clone(),
            from,
            to,
            way,
            turn,
            ec,
        })
    }

    fn adjacent(&self, field: &str, from: Hex, to: Hex) -> Result<(), QuestionError> {
        if from.is_adjacent(to) {
            return Ok(());
        }
        let label = |hex| self.prepared.map.map.grid.label(hex);
        let (from, to) = (label(from), label(to));
        Err(QuestionError::NotAdjacent {
            field: field.into(),
            from,
            to,
        })
    }

    /// A step of a move that begins there. The hex that it enters is to be filled in.
    pub(crate) fn first_step(
        &mut self,
        question: &ReachQuestion,
    ) -> Result<MoveStep, QuestionError> {
        let moving = &question.moving;
        self.check_layers(&moving.ignore_layers)?;
        self.add_probes(&moving.probes)?;
        may_move(&moving.mover)?;
        self.on_map("from", question.from)?;
        Ok(MoveStep {
            mover: moving.mover.clone(),
            from: question.from,
            to: question.from,
            way: question.way,
            turn: None,
            ec: self.ec(moving.ec),
        })
    }

    /// The Environmental Conditions that hold for a step.
    fn ec(&self, ec: Option<EnvironmentCondition>) -> EnvironmentCondition {
        ec.unwrap_or(self.prepared.position.environment().ec)
    }

    pub(crate) fn check_layers(&self, ignore_layers: &[String]) -> Result<(), QuestionError> {
        for layer in ignore_layers {
            if let Some(owner) = self.ruleset.owner(layer) {
                let (layer, plugin) = (layer.clone(), owner.manifest().id.clone());
                return Err(QuestionError::NotIgnorable { layer, plugin });
            }
        }
        match self.prepared.map.unknown_layer(ignore_layers) {
            None => Ok(()),
            Some(layer) => Err(QuestionError::UnknownLayer { layer }),
        }
    }

    fn on_map(&self, field: &str, hex: Hex) -> Result<(), QuestionError> {
        let grid = &self.prepared.map.map.grid;
        if grid.contains(hex) {
            return Ok(());
        }
        Err(QuestionError::OffMap {
            field: field.into(),
            hex: grid.label(hex),
        })
    }

    /// Adds the probes of a question, checked as the counters of a position are.
    pub(crate) fn add_probes(
        &mut self,
        probes: &[Counter],
    ) -> Result<Vec<(u32, Hex)>, QuestionError> {
        if probes.is_empty() {
            return Ok(Vec::new());
        }
        let position = &self.prepared.position;
        let together = position.counters().iter().chain(probes).cloned().collect();
        Position::new(position.map().clone(), together, position.environment())
            .map_err(QuestionError::BadProbe)?;
        check_attributes(self.ruleset, probes).map_err(QuestionError::ProbeAttribute)?;
        let add = |probe: &Counter| {
            let facts = self.prepared.facts(probe, true);
            let index = self.add_probe(facts, Name::new(&probe.id));
            for (name, value) in &probe.attributes {
                let name = self.attribute(name);
                self.probes.attributes.push(AttributeFact {
                    counter: index,
                    name,
                    value: *value,
                });
            }
            (index, probe.hex)
        };
        Ok(probes.iter().map(add).collect())
    }

    fn add_probe(&mut self, facts: CounterFacts, name: Name) -> u32 {
        let index = number(self.prepared.counters.len() + self.probes.facts.len());
        self.probes.facts.push(facts);
        self.probes.names.push(name);
        index
    }

    /// The number of an attribute's name.
    fn attribute(&mut self, name: &String) -> u32 {
        let known = &self.prepared.attribute_names;
        let more = &mut self.probes.attribute_names;
        let at = known.binary_search(name).unwrap_or_else(|_| {
            let at = more.iter().position(|it| it == name);
            known.len()
                + at.unwrap_or_else(|| {
                    more.push(name.clone());
                    more.len() - 1
                })
        });
        number(at)
    }

    /// A wreck that is not there, in the hex where something moves on a Fire Lane: what is said of
    /// it tells whether a wreck there would Hinder.
    fn add_lane_probe(&mut self, hex: Hex) -> u32 {
        let label = self.prepared.map.map.grid.label(hex);
        let facts = CounterFacts {
            class: CounterClass::Wreck,
            flags: CounterFlags::none(),
            hex,
            level: self.prepared.map.level(hex),
            side: 0,
            aboard: None,
            probe: true,
        };
        self.add_probe(facts, format_smolstr!("(a wreck in {label})"))
    }

    pub(crate) fn end(
        &self,
        field: &str,
        end: &End,
        probes: &[(u32, Hex)],
    ) -> Result<EndFacts, QuestionError> {
        match end {
            End::Hex(aim) => {
                self.on_map(field, aim.hex)?;
                self.corner(field, aim.corner)?;
                Ok(self.prepared.ordinary_unit(*aim))
            }
            End::Counter { id, corner } => {
                self.corner(field, *corner)?;
                let index =
                    self.counter(id, probes)
                        .ok_or_else(|| QuestionError::UnknownCounter {
                            field: field.into(),
                            id: id.clone(),
                        })?;
                Ok(self.end_of(index, *corner))
            }
        }
    }

    fn corner(&self, field: &str, corner: Option<u8>) -> Result<(), QuestionError> {
        match corner {
            Some(corner) if corner > 5 => Err(QuestionError::BadCorner {
                field: field.into(),
                corner,
            }),
            _ => Ok(()),
        }
    }

    fn counter(&self, id: &str, probes: &[(u32, Hex)]) -> Option<u32> {
        let of_position = self.prepared.counters.len();
        let named = |(index, _): &&(u32, Hex)| {
            let at = (*index as usize).checked_sub(of_position);
            at.and_then(|at| self.probes.names.get(at))
                .is_some_and(|name| name == id)
        };
        self.prepared
            .index_of(id)
            .or_else(|| probes.iter().find(named).map(|probe| probe.0))
    }

    fn facts(&self, index: u32) -> CounterFacts {
        counter_facts(self.prepared, &self.probes, index)
    }

    fn end_of(&self, index: u32, corner: Option<u8>) -> EndFacts {
        let facts = self.facts(index);
        EndFacts {
            hex: facts.hex,
            corner,
            counter: Some(index),
            level: facts.level,
            class: facts.class,
            flags: facts.flags,
            side: facts.side,
            aboard: facts.aboard.is_some(),
        }
    }

    pub(crate) fn line(
        &self,
        [from, to]: [EndFacts; 2],
        purpose: Purpose,
        attack: Option<Attack>,
        policy: GrazingPolicy,
        probes: &[(u32, Hex)],
    ) -> Line {
        let mut line = bare_line(self.prepared, from, to, policy);
        line.purpose = purpose;
        line.attack = attack;
        for (probe, hex) in probes {
            if line.trace.touched().any(|touch| touch.hex == *hex) {
                line.counters.push(*probe);
            }
        }
        line
    }
}

fn may_move(mover: &Mover) -> Result<(), QuestionError> {
    if mover.class == CounterClass::Wreck {
        return Err(no_mover(mover));
    }
    Ok(())
}

fn no_mover(mover: &Mover) -> QuestionError {
    let (field, class) = ("mover.class".into(), mover.class.name());
    QuestionError::NoMover { field, class }
}

/// The facts of a counter of the position, or of a probe of the batch.
pub(crate) fn counter_facts(prepared: &Prepared, probes: &Probes, index: u32) -> CounterFacts {
    let index = index as usize;
    let of_position = prepared.counters.len();
    if index < of_position {
        prepared.counters[index]
    } else {
        probes.facts[index - of_position]
    }
}

/// A line for sight between two ends, with the counters on its way.
pub(crate) fn bare_line(
    prepared: &Prepared,
    from: EndFacts,
    to: EndFacts,
    policy: GrazingPolicy,
) -> Line {
    let aim = |end: &EndFacts| Aim {
        hex: end.hex,
        corner: end.corner,
    };
    let trace = trace_between(aim(&from), aim(&to));
    let grid = &prepared.map.map.grid;
    let inside = [from, to].iter().all(|end| prepared.map.is_inside(end.hex));
    let on_map = |side| {
        inside
            || trace
                .crossings(side)
                .all(|c| grid.contains(c.from) && grid.contains(c.to))
    };
    let left_on_map = on_map(alamein_hex::Side::Left);
    // Both readings cross the same hexsides where the line does not graze.
    let right_on_map = match trace.grazing() {
        true => on_map(alamein_hex::Side::Right),
        false => left_on_map,
    };
    let readings_on_map = [left_on_map, right_on_map];
    Line {
        readings_on_map,
        counters: prepared.counters_on(&trace),
        trace,
        from,
        to,
        purpose: Purpose::Sight,
        attack: None,
        munition: Munition::Other,
        policy,
        lane: None,
        obstacles_only: false,
    }
}
