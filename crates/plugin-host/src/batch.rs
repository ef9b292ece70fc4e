//! Showing lines, steps and set-ups to a plugin.

use alamein_hex::Side;
use alamein_plugin_abi::{
    self as abi, Array, AttributeView, Bytes, CENTRE, CounterView, EndView, HexCoord, LINE_GRAZES,
    LINE_LEFT_OFF_MAP, LINE_OBSTACLES_ONLY, LINE_RIGHT_OFF_MAP, LineView, NONE, STEP_ENTER,
    STEP_TURN, SetUpView, StepView,
};
use alamein_terrain::{
    AttributeFact, Concealment, CounterFacts, EndFacts, EnvironmentCondition, Fortification, Line,
    LineBatch, MoveStep, SetUp, SetUpBatch, SetUpPiece, StepBatch,
};

use crate::layout::{coord, lend, lend_text};

/// What lines, steps and set-ups of a batch have in common.
struct Position<'a> {
    levels: &'a [i16],
    counters: Vec<CounterView>,
    attributes: Vec<AttributeView>,
    names: Vec<Bytes>,
    ec: EnvironmentCondition,
}

impl<'a> Position<'a> {
    fn new(
        levels: &'a [i16],
        counters: &[CounterFacts],
        attributes: &[AttributeFact],
        names: &'a [String],
        ec: EnvironmentCondition,
    ) -> Self {
        Self {
            levels,
            counters: counters.iter().map(counter).collect(),
            attributes: attributes.iter().map(attribute).collect(),
            names: names.iter().map(|name| lend_text(name)).collect(),
            ec,
        }
    }
}

/// The lines that a plugin is asked about.
pub(crate) struct Lines<'a>(Shown<'a>);

#[allow(clippy::large_enum_variant, reason = "there is one in a call")]
enum Shown<'a> {
    /// As they were made in an earlier round.
    Kept(&'a LineViews),
    Made(LineViews),
}

impl<'a> Lines<'a> {
    pub(crate) fn new(batch: &LineBatch<'a>) -> Self {
        let kept = batch.kept.and_then(|kept| {
            let kept: &LineViews = kept.get_or_make(|| LineViews::new(batch))?;
            // Of another batch it would show other lines.
            (kept.of == Identity::of(batch)).then_some(kept)
        });
        Self(match kept {
            Some(kept) => Shown::Kept(kept),
            None => Shown::Made(LineViews::new(batch)),
        })
    }

    /// The view, which must not be used longer than `self` and the batch live.
    pub(crate) fn view(&self) -> abi::LineBatch {
        match &self.0 {
            Shown::Kept(views) => views.view(),
            Shown::Made(views) => views.view(),
        }
    }
}

/// Lines as a plugin sees them. It points to what their batch borrows, and may be used no longer than that.
struct LineViews {
    of: Identity,
    levels: Array,
    counters: Vec<CounterView>,
    attributes: Vec<AttributeView>,
    names: Vec<Bytes>,
    ec: EnvironmentCondition,
    lines: Vec<LineView>,
}

// SAFETY: all pointers in it are to what may be shared, and nobody writes through them.
unsafe impl Send for LineViews {}
// SAFETY: as above.
unsafe impl Sync for LineViews {}

/// By what a batch is told from others: where what it borrows is, and how much of it.
#[derive(PartialEq, Eq)]
struct Identity([(usize, usize); 6], EnvironmentCondition);

impl Identity {
    fn of(batch: &LineBatch<'_>) -> Self {
        fn place<T>(slice: &[T]) -> (usize, usize) {
            (slice.as_ptr().addr(), slice.len())
        }
        let places = [
            place(batch.levels),
            place(batch.counters),
            place(batch.attributes),
            place(batch.attribute_names),
            place(batch.lines),
            place(batch.ask),
        ];
        Self(places, batch.ec)
    }
}

impl LineViews {
    fn new(batch: &LineBatch<'_>) -> Self {
        let LineBatch {
            levels,
            counters,
            attributes,
            attribute_names,
            ec,
            ..
        } = *batch;
        let position = Position::new(levels, counters, attributes, attribute_names, ec);
        let asked = batch.ask.iter().map(|of| &batch.lines[*of as usize]);
        Self {
            of: Identity::of(batch),
            levels: lend(position.levels),
            counters: position.counters,
            attributes: position.attributes,
            names: position.names,
            ec,
            lines: asked.map(line).collect(),
        }
    }

    fn view(&self) -> abi::LineBatch {
        abi::LineBatch {
            struct_size: size_of::<abi::LineBatch>(),
            lines: lend(&self.lines),
            counters: lend(&self.counters),
            levels: self.levels,
            attributes: lend(&self.attributes),
            attribute_names: lend(&self.names),
            ec: self.ec as u32,
            reserved: 0,
        }
    }
}

/// The steps that a plugin is asked about.
pub(crate) struct Steps<'a> {
    position: Position<'a>,
    steps: Vec<StepView>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(batch: &StepBatch<'a>) -> Self {
        let StepBatch {
            levels,
            counters,
            attributes,
            attribute_names,
            ec,
            ..
        } = *batch;
        let position = Position::new(levels, counters, attributes, attribute_names, ec);
        let asked = batch.ask.iter().map(|of| &batch.steps[*of as usize]);
        Self {
            position,
            steps: asked.map(step).collect(),
        }
    }

    /// The view, which must not be used longer than `self` and the batch live.
    pub(crate) fn view(&self) -> abi::StepBatch {
        abi::StepBatch {
            struct_size: size_of::<abi::StepBatch>(),
            steps: lend(&self.steps),
            counters: lend(&self.position.counters),
            levels: lend(self.position.levels),
            attributes: lend(&self.position.attributes),
            attribute_names: lend(&self.position.names),
            ec: self.position.ec as u32,
            reserved: 0,
        }
    }
}

/// The set-ups that a plugin is asked about.
pub(crate) struct SetUps<'a> {
    position: Position<'a>,
    setups: Vec<SetUpView>,
}

impl<'a> SetUps<'a> {
    pub(crate) fn new(batch: &SetUpBatch<'a>) -> Self {
        let SetUpBatch {
            levels,
            counters,
            attributes,
            attribute_names,
            ec,
            ..
        } = *batch;
        let position = Position::new(levels, counters, attributes, attribute_names, ec);
        let asked = batch.ask.iter().map(|of| &batch.setups[*of as usize]);
        Self {
            position,
            setups: asked.map(setup).collect(),
        }
    }

    /// The view, which must not be used longer than `self` and the batch live.
    pub(crate) fn view(&self) -> abi::SetUpBatch {
        abi::SetUpBatch {
            struct_size: size_of::<abi::SetUpBatch>(),
            setups: lend(&self.setups),
            counters: lend(&self.position.counters),
            levels: lend(self.position.levels),
            attributes: lend(&self.position.attributes),
            attribute_names: lend(&self.position.names),
            ec: self.position.ec as u32,
            reserved: 0,
        }
    }
}

fn counter(facts: &CounterFacts) -> CounterView {
    CounterView {
        hex: coord(facts.hex),
        class: facts.class as u32,
        flags: facts.flags.bits(),
        side: facts.side,
        aboard: facts.aboard.unwrap_or(NONE),
        level: facts.level,
        probe: facts.probe.into(),
    }
}

fn attribute(fact: &AttributeFact) -> AttributeView {
    AttributeView {
        counter: fact.counter,
        name: fact.name,
        value: fact.value,
    }
}

fn end(facts: &EndFacts) -> EndView {
    EndView {
        hex: coord(facts.hex),
        corner: facts.corner.map_or(CENTRE, u32::from),
        counter: facts.counter.unwrap_or(NONE),
        class: facts.class as u32,
        flags: facts.flags.bits(),
        side: facts.side,
        level: facts.level,
        aboard: facts.aboard.into(),
    }
}

fn line(line: &Line) -> LineView {
    let trace = line.trace.trace();
    let [left, right] = line.readings_on_map;
    let flag = |set: bool, flag| if set { flag } else { 0 };
    let lane = line.lane;
    LineView {
        origin: coord(line.trace.origin()),
        flags: flag(trace.grazing(), LINE_GRAZES)
            | flag(!left, LINE_LEFT_OFF_MAP)
            | flag(!right, LINE_RIGHT_OFF_MAP)
            | flag(line.obstacles_only, LINE_OBSTACLES_ONLY),
        purpose: line.purpose as u32,
        attack: line.attack.map_or(0, |attack| attack as u32),
        policy: line.policy as u32,
        range: trace.range().into(),
        from: end(&line.from),
        to: end(&line.to),
        touched: lend(trace.touched()),
        left: lend(trace.reading(Side::Left).crossings()),
        right: lend(trace.reading(Side::Right).crossings()),
        counters: lend(&line.counters),
        lane_hex: lane.map_or(HexCoord::default(), |lane| coord(lane.hex)),
        lane_mover: lane.map_or(0, |lane| lane.mover as u32),
        lane_probe: lane.and_then(|lane| lane.probe).unwrap_or(NONE),
        munition: line.munition as u32,
    }
}

fn step(step: &MoveStep) -> StepView {
    let entered_from = step.turn.and_then(|turn| turn.entered_from);
    StepView {
        from: coord(step.from),
        to: coord(step.to),
        class: step.mover.class as u32,
        ground_pressure: step
            .mover
            .ground_pressure
            .map_or(0, |pressure| pressure as u32),
        weight_kg: step.mover.weight_kg.unwrap_or(0),
        british_built: step.mover.british_built.into(),
        ec: step.ec as u32,
        kind: if step.turn.is_some() {
            STEP_TURN
        } else {
            STEP_ENTER
        },
        way: step.way as u32,
        hexsides: step.turn.map_or(0, |turn| turn.hexsides.into()),
        entered_known: entered_from.is_some().into(),
        entered_from: entered_from.map_or(HexCoord::default(), coord),
    }
}

fn setup(setup: &SetUp) -> SetUpView {
    let (class, fortification, beneath, concealment) = match setup.piece {
        SetUpPiece::Unit {
            class,
            concealment,
            beneath,
        } => (class as u32, None, beneath, concealment),
        SetUpPiece::Fortification(fortification) => {
            (0, Some(fortification), None, Concealment::Unconcealed)
        }
    };
    let number = |fortification: Option<Fortification>| match fortification {
        Some(fortification) => fortification as u32,
        None => abi::FORTIFICATION_NONE,
    };
    SetUpView {
        hex: coord(setup.hex),
        class,
        fortification: number(fortification),
        beneath: number(beneath),
        concealment: concealment as u32,
    }
}
