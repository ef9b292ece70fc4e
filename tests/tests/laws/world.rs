//! Small worlds around the middle of a map, and questions about them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alamein_hex::{Direction, Grid, Hex, Hexside, Symmetry};
use alamein_terrain::{
    Ask, Attack, Concealment, Counter, CounterClass, CounterFlags, End, Environment,
    EnvironmentCondition, Field, Fortification, GrazingPolicy, GroundPressure, LaneMover, Layer,
    Map, Mover, Munition, Position, Question, SetUp, SetUpPiece, Step, Way,
};
use proptest::prelude::*;
use proptest::sample::select;

/// All that matters lies within this range of the middle, so that every turn of it is on the map.
const REACH: i16 = 6;

pub(crate) fn grid() -> Grid {
    Grid::new(33, 24).unwrap()
}

/// The middle of the map.
pub(crate) fn middle() -> Hex {
    grid().hex("Q12").unwrap()
}

fn is_near(hex: Hex) -> bool {
    Hex::new(0, 0).range(hex) <= REACH as u16
}

/// A hex by its offset from the middle.
fn near() -> impl Strategy<Value = Hex> {
    let around = (-REACH..=REACH, -REACH..=REACH);
    let hex = around.prop_map(|(q, r)| Hex::new(q, r));
    hex.prop_filter("near the middle", |hex| is_near(*hex))
}

/// What stands somewhere, by its offset from the middle.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) class: CounterClass,
    pub(crate) at: Hex,
    pub(crate) dug_in: bool,
    pub(crate) axis: bool,
}

fn unit() -> impl Strategy<Value = Unit> {
    use CounterClass::{Gun, Halftrack, Squad, Tank, Truck, Wreck};
    let class = select(vec![Squad, Squad, Gun, Tank, Halftrack, Truck, Wreck]);
    (class, near(), any::<bool>(), any::<bool>()).prop_map(|(class, at, dug_in, axis)| Unit {
        class,
        at,
        dug_in,
        axis,
    })
}

/// A hexside, by a hex and the direction in which it lies.
type Side = (Hex, Direction);

/// A small world around the middle: blobs of terrain, hexsides, hills, and units.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// The hexes of each layer that has such, by its name.
    pub(crate) hexes: BTreeMap<&'static str, BTreeSet<Hex>>,
    /// The hexsides of each layer that has such.
    hexsides: BTreeMap<&'static str, Vec<Side>>,
    /// Hexes of Level 1, and those of them of Level 2.
    hills: [BTreeSet<Hex>; 2],
    pub(crate) units: Vec<Unit>,
    ec: Option<EnvironmentCondition>,
}

/// Hexes and all that touch some of them: shapes with an inside.
fn blobs(most: usize) -> impl Strategy<Value = BTreeSet<Hex>> {
    let seeds = prop::collection::vec((near(), any::<bool>()), 0..most);
    seeds.prop_map(|seeds| {
        let mut hexes = BTreeSet::new();
        for (seed, large) in seeds {
            hexes.insert(seed);
            if large {
                let around = seed.neighbours().into_iter();
                hexes.extend(around.filter(|hex| is_near(*hex)));
            }
        }
        hexes
    })
}

fn direction() -> impl Strategy<Value = Direction> {
    select(Direction::ALL.to_vec())
}

fn sides(most: usize) -> impl Strategy<Value = Vec<Side>> {
    prop::collection::vec((near(), direction()), 0..most)
}

/// Dune Crests: some hexsides of sand hexes, by their places among these.
fn crests() -> impl Strategy<Value = Vec<(prop::sample::Index, Direction)>> {
    prop::collection::vec((any::<prop::sample::Index>(), direction()), 0..12)
}

pub(crate) fn world() -> impl Strategy<Value = World> {
    let hexes = (blobs(4), blobs(3), blobs(4), blobs(3), blobs(2));
    let dunes = (crests(), any::<u8>());
    let hills = (blobs(3), blobs(3), any::<bool>());
    let ec = select(vec![
        EnvironmentCondition::Dry,
        EnvironmentCondition::Dry,
        EnvironmentCondition::Wet,
        EnvironmentCondition::Mud,
    ]);
    let units = prop::collection::vec(unit(), 2..6);
    (hexes, dunes, sides(8), hills, units, ec).prop_map(
        |((deir, mut hillock, sand, scrub, hammada), dunes, track, hills, units, ec)| {
            hillock.retain(|hex| !deir.contains(hex));
            let (crests, high) = dunes;
            let all: Vec<Hex> = sand.iter().copied().collect();
            // Some of the sand is high: which, a number says.
            let is_high = |hex: &&Hex| (hex.q + 3 * hex.r + i16::from(high)) % 4 == 0;
            let high_dune = sand.iter().filter(is_high).copied().collect();
            let on_sand = |(at, direction): (prop::sample::Index, Direction)| {
                (!all.is_empty()).then(|| (*at.get(&all), direction))
            };
            let dune_crest = crests.into_iter().filter_map(on_sand).collect();
            // Hills in some worlds only: they hide much of the rest.
            let (mut low, mut high, are_hills) = hills;
            if !are_hills {
                low.clear();
            }
            high.retain(|hex| low.contains(hex));
            World {
                hexes: BTreeMap::from([
                    ("deir", deir),
                    ("hillock", hillock),
                    ("sand", sand),
                    ("high_dune", high_dune),
                    ("scrub", scrub),
                    ("hammada", hammada),
                ]),
                hexsides: BTreeMap::from([("dune_crest", dune_crest), ("track", track)]),
                hills: [low, high],
                units,
                ec: Some(ec),
            }
        },
    )
}

fn place(symmetry: Symmetry) -> impl Fn(Hex) -> Hex {
    move |hex| middle() + symmetry.hex(hex)
}

fn layer(name: &str, field: Field) -> Layer {
    Layer {
        fields: BTreeMap::from([(name.to_owned(), field)]),
    }
}

impl World {
    /// The position, turned and mirrored about the middle.
    pub(crate) fn position(
        &self,
        symmetry: Symmetry,
        extra: &BTreeMap<String, Layer>,
    ) -> Arc<Position> {
        let place = place(symmetry);
        let mut map = Map::flat(grid());
        for (name, hexes) in &self.hexes {
            let hexes = hexes.iter().map(|hex| place(*hex)).collect();
            let layer = layer("hexes", Field::Hexes(hexes));
            map.layers.insert((*name).into(), layer);
        }
        for (name, sides) in &self.hexsides {
            let side = |(hex, direction): &Side| {
                let ends = [*hex, hex.neighbour(*direction)].map(&place);
                Hexside::between(ends[0], ends[1])
            };
            let sides = sides.iter().filter_map(side).collect();
            let layer = layer("hexsides", Field::Hexsides(sides));
            map.layers.insert((*name).into(), layer);
        }
        for (level, hexes) in (1..).zip(&self.hills) {
            map.levels
                .extend(hexes.iter().map(|hex| (place(*hex), level)));
        }
        map.layers.extend(extra.clone());
        let counter = |(at, unit): (usize, &Unit)| {
            let mut counter = Counter::new(format!("u{at}"), unit.class, place(unit.at));
            let side = if unit.axis { "axis" } else { "allied" };
            counter.side = (unit.class != CounterClass::Wreck).then(|| side.to_owned());
            counter.flags = match unit.class {
                CounterClass::Squad if unit.dug_in => CounterFlags::ENTRENCHED,
                CounterClass::Gun if unit.dug_in => CounterFlags::EMPLACED,
                _ => CounterFlags::none(),
            };
            counter
        };
        let counters = self.units.iter().enumerate().map(counter).collect();
        let environment = Environment {
            ec: self.ec.unwrap_or_default(),
        };
        Arc::new(Position::new(Arc::new(map), counters, environment).unwrap())
    }

    /// Questions about every pair of units, lanes between them, steps of each and set-ups where each
    /// is; the same for every symmetry.
    pub(crate) fn questions(&self, symmetry: Symmetry, policy: GrazingPolicy) -> Vec<Question> {
        let mut asks = self.lines(symmetry);
        for (at, unit) in self.units.iter().enumerate() {
            asks.extend(steps(symmetry, at, unit));
            asks.extend(setups(symmetry, at, unit));
        }
        let asked = |ask| Question {
            policy: Some(policy),
            ..Question::new(ask)
        };
        asks.into_iter().map(asked).collect()
    }

    fn lines(&self, symmetry: Symmetry) -> Vec<Ask> {
        let place = place(symmetry);
        let end = |at: usize| End::Counter {
            id: format!("u{at}"),
            corner: None,
        };
        let mut asks = Vec::new();
        for a in 0..self.units.len() {
            for b in (0..self.units.len()).filter(|b| *b != a) {
                let attack = [Attack::Mortar, Attack::Direct, Attack::Oba][b % 3];
                let munition = [Munition::Other, Munition::He, Munition::Bombardment][a % 3];
                asks.push(Ask::LineOfFire {
                    from: end(a),
                    to: end(b),
                    attack,
                    munition,
                });
                let mover = [LaneMover::Infantry, LaneMover::Vehicle][b % 2];
                let middle_unit = self.units[(a + b) % self.units.len()].at;
                asks.push(Ask::FireLane {
                    mg: end(a),
                    counter_hex: place(self.units[b].at),
                    mover_hex: place(middle_unit),
                    mover,
                });
            }
        }
        asks
    }
}

/// Steps out of and into a unit's hex, and a turn in it. The number of the unit chooses who it is.
fn steps(symmetry: Symmetry, at: usize, unit: &Unit) -> Vec<Ask> {
    use CounterClass::{Cavalry, Gun, Halftrack, Motorcycle, Squad, Tank, Truck, Wagon};
    let place = place(symmetry);
    let classes = [
        Squad, Tank, Truck, Halftrack, Cavalry, Wagon, Motorcycle, Gun,
    ];
    let ways = [Way::Open, Way::Open, Way::Track, Way::Road];
    let pressures = [
        Some(GroundPressure::Low),
        Some(GroundPressure::High),
        Some(GroundPressure::Normal),
        None,
    ];
    let next = Direction::ALL[at % 6];
    let (here, there) = (place(unit.at), place(unit.at.neighbour(next)));
    let mut asks = Vec::new();
    for (turn, class) in classes.into_iter().enumerate() {
        let mover = Mover {
            ground_pressure: pressures[(at + turn) % pressures.len()],
            weight_kg: (turn % 2 == 0).then_some(5000),
            british_built: turn % 3 == 0,
            ..Mover::new(class)
        };
        let way = ways[(at + turn) % ways.len()];
        let (from, to) = if turn % 2 == 0 {
            (here, there)
        } else {
            (there, here)
        };
        let mut step = Step::Enter { from, to, way };
        if matches!(class, Tank | Truck) && at.is_multiple_of(2) {
            step = Step::Turn {
                hex: here,
                entered_from: Some(there),
                hexsides: 2,
                way,
            };
        }
        asks.push(Ask::Movement {
            mover,
            step,
            ec: None,
        });
    }
    asks
}

/// What may set up where a unit is.
fn setups(symmetry: Symmetry, at: usize, unit: &Unit) -> Vec<Ask> {
    let hex = place(symmetry)(unit.at);
    let concealment = Concealment::ALL[at % 3];
    let shelters = [
        None,
        Some(Fortification::Trench),
        Some(Fortification::Sangar),
    ];
    let gun = SetUpPiece::Unit {
        class: CounterClass::Gun,
        concealment,
        beneath: shelters[(at / 3) % 3],
    };
    let other = SetUpPiece::Unit {
        class: CounterClass::Squad,
        concealment,
        beneath: shelters[at % 3],
    };
    let fortification = SetUpPiece::Fortification(Fortification::ALL[at % 6]);
    [gun, other, fortification]
        .map(|piece| Ask::SetUp(SetUp { piece, hex }))
        .to_vec()
}
