//! Questions.

use alamein_hex::{Aim, Grid, Hex};
use alamein_terrain::{
    Ask, Counter, CounterClass, End, Fortification, GrazingPolicy, Mover, Position, Question,
    SetUp, SetUpPiece, Step,
};

use super::basics::{chosen, hex, name, optional, text};
use super::counter::{counters, unknown_counter};
use crate::refused::{Limits, Refused};
use crate::v1::{
    self, ErrorReason, end, movement_question, question::Question as Asked, set_up_question,
};
use crate::within::{Within, each};

/// The heaviest thing that moves, in tons.
const HEAVIEST_TONS: f64 = 1000.0;

/// Reads a question about a position. Paths are those of the message: `line_of_sight.from.hex`,
/// `options.probes[0].class`.
///
/// # Errors
/// Where something is missing, not on the position's map, or not answered by any ruleset.
pub fn question(
    question: &v1::Question,
    position: &Position,
    limits: &Limits,
) -> Result<Question, Refused> {
    text(&question.tag, "tag", limits)?;
    let asked = question.question.as_ref();
    let asked = asked.ok_or_else(|| Refused::missing("question"))?;
    let reader = Reader::new(question.options.as_ref(), position, limits)?;
    match asked {
        Asked::LineOfSight(sight) => reader.read("line_of_sight", |it| it.sight(sight)),
        Asked::LineOfFire(fire) => reader.read("line_of_fire", |it| it.fire(fire)),
        Asked::FireLane(lane) => reader.read("fire_lane", |it| it.lane(lane)),
        Asked::Movement(movement) => reader.read("movement", |it| it.movement(movement)),
        Asked::SetUp(setup) => reader.read("set_up", |it| it.set_up(setup)),
    }
}

macro_rules! alone {
    ($($(#[$doc:meta])* $name:ident: $message:ident by $read:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Paths are those of the request that holds both: `question.mover`,
        /// `options.probes[0].class`.
        ///
        /// # Errors
        /// As [`question`](question()); and where there is no question.
        pub fn $name<'a>(
            question: impl Into<Option<&'a v1::$message>>,
            options: Option<&v1::QuestionOptions>,
            position: &Position,
            limits: &Limits,
        ) -> Result<Question, Refused> {
            let asked = question.into().ok_or_else(|| Refused::missing("question"))?;
            Reader::new(options, position, limits)?.read("question", |it| it.$read(asked))
        }
    )*};
}

alone! {
    /// Reads a question of a line of sight, asked on its own.
    line_of_sight: LineOfSightQuestion by sight;
    /// Reads a question of a line of fire, asked on its own.
    line_of_fire: LineOfFireQuestion by fire;
    /// Reads a question about a Fire Lane, asked on its own.
    fire_lane: FireLaneQuestion by lane;
    /// Reads a question about a step, asked on its own.
    movement: MovementQuestion by movement;
    /// Reads a question about a set-up, asked on its own.
    set_up: SetUpQuestion by set_up;
}

/// Reads the ends of a line to draw. Paths begin at the line: `from.hex`.
///
/// # Errors
/// Where an end is missing, or not on the position's map.
pub fn render_line(
    line: &v1::RenderLine,
    position: &Position,
    limits: &Limits,
) -> Result<[End; 2], Refused> {
    let reader = Reader::new(None, position, limits)?;
    Ok([
        reader.end(line.from.as_ref(), "from")?,
        reader.end(line.to.as_ref(), "to")?,
    ])
}

/// Reads what is asked, of a position and with a question's options.
pub(super) struct Reader<'a> {
    position: &'a Position,
    limits: &'a Limits,
    pub(super) policy: Option<GrazingPolicy>,
    pub(super) probes: Vec<Counter>,
    pub(super) ignore_layers: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        options: Option<&v1::QuestionOptions>,
        position: &'a Position,
        limits: &'a Limits,
    ) -> Result<Self, Refused> {
        let mut reader = Self {
            position,
            limits,
            policy: None,
            probes: Vec::new(),
            ignore_layers: Vec::new(),
        };
        if let Some(options) = options {
            reader.options(options).within(|| "options.".into())?;
        }
        Ok(reader)
    }

    fn options(&mut self, options: &v1::QuestionOptions) -> Result<(), Refused> {
        let limits = self.limits;
        let count = options.probes.len();
        if count > limits.max_probes {
            return Err(Refused::too_long(
                "probes",
                count,
                "probes",
                limits.max_probes,
            ));
        }
        self.policy = optional(options.grazing_policy, "grazing_policy")?;
        let known = |id: &str| self.position.counter(id);
        self.probes = counters(&options.probes, "probes", self.grid(), known, limits)?;
        each(&self.probes, "probes", ".", |probe| {
            match probe.known_to.len() {
                0 => Ok(()),
                // Whoever asks knows what he asks about.
                count => Err(Refused::too_long("known_to", count, "sides", 0)),
            }
        })?;
        self.ignore_layers = each(&options.ignore_layers, "ignore_layers", "", |layer| {
            Ok(name(layer, "", limits)?.to_owned())
        })?;
        Ok(())
    }

    fn read(
        self,
        field: &str,
        read: impl FnOnce(&Self) -> Result<Ask, Refused>,
    ) -> Result<Question, Refused> {
        let ask = read(&self).within(|| format!("{field}."))?;
        Ok(Question {
            ask,
            policy: self.policy,
            probes: self.probes,
            ignore_layers: self.ignore_layers,
        })
    }

    fn sight(&self, asked: &v1::LineOfSightQuestion) -> Result<Ask, Refused> {
        Ok(Ask::LineOfSight {
            from: self.end(asked.from.as_ref(), "from")?,
            to: self.end(asked.to.as_ref(), "to")?,
        })
    }

    fn fire(&self, asked: &v1::LineOfFireQuestion) -> Result<Ask, Refused> {
        Ok(Ask::LineOfFire {
            from: self.end(asked.from.as_ref(), "from")?,
            to: self.end(asked.to.as_ref(), "to")?,
            attack: chosen(asked.attack, "attack")?,
            munition: optional(asked.munition, "munition")?.unwrap_or_default(),
        })
    }

    fn lane(&self, asked: &v1::FireLaneQuestion) -> Result<Ask, Refused> {
        let mg = self.end(asked.mg.as_ref(), "mg")?;
        // A lane that is on the map need not be told.
        let laid = match &mg {
            End::Counter { id, .. } if asked.counter_hex.is_empty() => self.position.fire_lane(id),
            _ => None,
        };
        Ok(Ask::FireLane {
            counter_hex: match laid {
                Some(lane) => lane.hex,
                None => hex(self.grid(), &asked.counter_hex, "counter_hex")?,
            },
            mg,
            mover_hex: hex(self.grid(), &asked.mover_hex, "mover_hex")?,
            mover: chosen(asked.mover, "mover")?,
        })
    }

    fn movement(&self, asked: &v1::MovementQuestion) -> Result<Ask, Refused> {
        let mover = asked.mover.as_ref();
        let mover = mover.ok_or_else(|| Refused::missing("mover"))?;
        let step = match &asked.step {
            None => return Err(Refused::missing("step")),
            Some(movement_question::Step::Entry(entry)) => {
                self.entry(entry).within(|| "entry.".into())?
            }
            Some(movement_question::Step::VcaChange(turn)) => {
                self.turn(turn).within(|| "vca_change.".into())?
            }
        };
        Ok(Ask::Movement {
            mover: self.mover(mover).within(|| "mover.".into())?,
            step,
            ec: optional(asked.ec, "ec")?,
        })
    }

    fn set_up(&self, asked: &v1::SetUpQuestion) -> Result<Ask, Refused> {
        use set_up_question::Piece;
        let hex = hex(self.grid(), &asked.hex, "hex")?;
        let piece = match &asked.piece {
            None => return Err(Refused::missing("piece")),
            Some(Piece::Unit(unit)) => self::unit(unit).within(|| "unit.".into())?,
            Some(Piece::Fortification(number)) => {
                SetUpPiece::Fortification(chosen(*number, "fortification")?)
            }
        };
        Ok(Ask::SetUp(SetUp { piece, hex }))
    }

    pub(super) fn end(&self, end: Option<&v1::End>, field: &str) -> Result<End, Refused> {
        let end = end.ok_or_else(|| Refused::missing(field))?;
        self.some_end(end).within(|| format!("{field}."))
    }

    fn some_end(&self, end: &v1::End) -> Result<End, Refused> {
        let corner = end.corner.map(corner).transpose()?;
        match &end.end {
            None => Err(Refused::missing("end")),
            Some(end::End::CounterId(id)) => {
                let id = self.counter(id)?.id.clone();
                Ok(End::Counter { id, corner })
            }
            Some(end::End::Hex(name)) => {
                let hex = hex(self.grid(), name, "hex")?;
                Ok(End::Hex(Aim { hex, corner }))
            }
        }
    }

    pub(super) fn mover(&self, mover: &v1::Mover) -> Result<Mover, Refused> {
        let given: Option<CounterClass> = optional(mover.class, "class")?;
        let class = if mover.counter_id.is_empty() {
            given.ok_or_else(|| Refused::missing("class"))?
        } else {
            let counter = self.counter(&mover.counter_id)?;
            if let Some(given) = given.filter(|given| *given != counter.class) {
                return Err(mismatch(given, counter));
            }
            counter.class
        };
        if class == CounterClass::Wreck {
            let message = "a wreck does not move";
            return Err(
                Refused::new(ErrorReason::CannotMove, "class", message).with("class", class)
            );
        }
        Ok(Mover {
            class,
            ground_pressure: optional(mover.ground_pressure, "ground_pressure")?,
            weight_kg: mover.weight_tons.map(kilograms).transpose()?,
            british_built: mover.british_built,
        })
    }

    pub(super) fn entry(&self, entry: &v1::Entry) -> Result<Step, Refused> {
        let from = hex(self.grid(), &entry.from_hex, "from_hex")?;
        let to = hex(self.grid(), &entry.to_hex, "to_hex")?;
        if !from.is_adjacent(to) {
            return Err(not_adjacent("to_hex", self.grid(), from, to));
        }
        Ok(Step::Enter {
            from,
            to,
            way: optional(entry.way, "way")?.unwrap_or_default(),
        })
    }

    pub(super) fn turn(&self, turn: &v1::VcaChange) -> Result<Step, Refused> {
        let at = hex(self.grid(), &turn.hex, "hex")?;
        let entered_from = match turn.entered_from.as_str() {
            "" => None,
            from => Some(hex(self.grid(), from, "entered_from")?),
        };
        if let Some(from) = entered_from.filter(|from| !from.is_adjacent(at)) {
            return Err(not_adjacent("entered_from", self.grid(), from, at));
        }
        let hexsides = u8::try_from(turn.hexsides)
            .ok()
            .filter(|sides| (1..=5).contains(sides));
        let hexsides = hexsides.ok_or_else(|| {
            let message = format!("a VCA changes by 1 to 5 hexsides, not by {}", turn.hexsides);
            Refused::new(ErrorReason::OutOfRange, "hexsides", message)
                .with("value", turn.hexsides)
                .with("min", 1)
                .with("max", 5)
        })?;
        let way = optional(turn.way, "way")?.unwrap_or_default();
        Ok(Step::Turn {
            hex: at,
            entered_from,
            hexsides,
            way,
        })
    }

    /// The counter of the position, or the probe, that a field `counter_id` names.
    fn counter(&self, id: &str) -> Result<&Counter, Refused> {
        let id = name(id, "counter_id", self.limits)?;
        let probe = || self.probes.iter().find(|probe| probe.id == id);
        let counter = self.position.counter(id).or_else(probe);
        counter.ok_or_else(|| unknown_counter(id).at("counter_id"))
    }

    pub(super) fn grid(&self) -> &'a Grid {
        &self.position.map().grid
    }
}

fn unit(unit: &v1::SetUpUnit) -> Result<SetUpPiece, Refused> {
    let refused = |field, what: &str, message| {
        Err(Refused::new(ErrorReason::CannotSetUp, field, message).with("what", what))
    };
    let class: CounterClass = chosen(unit.class, "class")?;
    if class == CounterClass::Wreck {
        return refused("class", class.name(), "a wreck does not set up");
    }
    let beneath: Option<Fortification> = optional(unit.beneath, "beneath")?;
    if let Some(open) = beneath.filter(|beneath| !beneath.shelters()) {
        return refused("beneath", open.name(), "nothing sets up beneath it");
    }
    Ok(SetUpPiece::Unit {
        class,
        concealment: optional(unit.concealment, "concealment")?.unwrap_or_default(),
        beneath,
    })
}

fn corner(corner: u32) -> Result<u8, Refused> {
    let fits = u8::try_from(corner).ok().filter(|corner| *corner < 6);
    fits.ok_or_else(|| {
        let message = format!("a hex has corners 0 to 5, not {corner}");
        Refused::new(ErrorReason::UnknownCorner, "corner", message).with("corner", corner)
    })
}

fn kilograms(tons: f64) -> Result<u32, Refused> {
    const FIELD: &str = "weight_tons";
    if !tons.is_finite() || tons < 0.0 {
        let message = "a weight is a finite number and not negative";
        return Err(Refused::new(ErrorReason::NotANumber, FIELD, message));
    }
    if tons > HEAVIEST_TONS {
        return Err(Refused::out_of_range(FIELD, tons, 0, HEAVIEST_TONS));
    }
    // At most a million.
    Ok((tons * 1000.0).round() as u32)
}

fn mismatch(given: CounterClass, counter: &Counter) -> Refused {
    let message = format!(
        "the mover is said to be a {given}, but {:?} is a {}; leave one out",
        counter.id, counter.class
    );
    Refused::new(ErrorReason::MoverMismatch, "class", message)
        .with("counter", &counter.id)
        .with("class", counter.class)
}

fn not_adjacent(field: &str, grid: &Grid, from: Hex, to: Hex) -> Refused {
    let (from, to) = (grid.label(from), grid.label(to));
    let message = format!("{to} is not adjacent to {from}");
    Refused::new(ErrorReason::NotAdjacent, field, message)
        .with("from", from)
        .with("to", to)
}
