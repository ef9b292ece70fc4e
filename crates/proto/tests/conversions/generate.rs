//! Positions and questions such as clients could have.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_hex::{Aim, Direction, Grid, Hex, Hexside};
use alamein_terrain::{
    Ask, Attack, Concealment, Counter, CounterClass, CounterFlags, End, Environment,
    EnvironmentCondition, Field, FireLane, Fortification, GrazingPolicy, GroundPressure, LaneMover,
    Layer, Map, Mover, Position, Question, SetUp, SetUpPiece, Step, Way,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

pub(crate) const CONDITIONS: [EnvironmentCondition; 5] = [
    EnvironmentCondition::Dry,
    EnvironmentCondition::Moist,
    EnvironmentCondition::Wet,
    EnvironmentCondition::Mud,
    EnvironmentCondition::Snow,
];

pub(crate) fn hex(grid: Grid) -> impl Strategy<Value = Hex> {
    any::<Index>().prop_map(move |index| grid.hex_at(index.index(grid.len())).unwrap())
}

fn hexside(grid: Grid) -> impl Strategy<Value = Hexside> {
    (hex(grid), select(&Direction::ALL[..])).prop_map(|(hex, way)| Hexside::of(hex, way))
}

fn field(grid: Grid) -> impl Strategy<Value = Field> {
    prop_oneof![
        btree_set(hex(grid), 0..5).prop_map(Field::Hexes),
        btree_set(hexside(grid), 0..5).prop_map(Field::Hexsides),
        btree_map(hex(grid), any::<i64>(), 0..5).prop_map(Field::HexValues),
        btree_map(hexside(grid), any::<i64>(), 0..5).prop_map(Field::HexsideValues),
    ]
}

fn layer(grid: Grid) -> impl Strategy<Value = Layer> {
    btree_map("[a-z]{1,4}", field(grid), 0..3).prop_map(|fields| Layer { fields })
}

fn map() -> impl Strategy<Value = Map> {
    (1_u16..9, 1_u16..9).prop_flat_map(|(columns, rows)| {
        let grid = Grid::new(columns, rows).unwrap();
        let levels = btree_map(hex(grid), Map::LEVELS, 0..5);
        let layers = btree_map("[a-z]{1,4}", layer(grid), 0..3);
        (Map::LEVELS, levels, layers).prop_map(move |(base_level, levels, layers)| Map {
            grid,
            base_level,
            levels,
            layers,
        })
    })
}

prop_compose! {
    fn counter(grid: Grid)(
        class in select(&CounterClass::ALL[..]), hex in hex(grid),
        side in option::of("[a-z]{1,4}"), height in -64_i16..=64, flags in 0_u32..256,
        attributes in btree_map("[a-z]{1,3}\\.[a-z]{1,3}", any::<i64>(), 0..3),
        aboard in any::<Option<Index>>(), facing in option::of(0_u8..6),
        known_to in btree_set("[a-z]{1,4}", 0..3),
    ) -> (Counter, Option<Index>) {
        let flags = CounterFlags::from_bits(flags);
        let facing = facing.filter(|_| class.has_facing());
        (Counter {
            id: String::new(), class, hex, side, aboard: None, height, facing, flags, attributes,
            known_to,
        }, aboard)
    }
}

/// Counters of such ids, some of them aboard others.
pub(crate) fn counters(grid: Grid, prefix: &'static str) -> impl Strategy<Value = Vec<Counter>> {
    vec(counter(grid), 0..5).prop_map(move |given| {
        let mut counters: Vec<Counter> = Vec::new();
        for (at, (mut counter, aboard)) in given.into_iter().enumerate() {
            counter.id = format!("{prefix}{at}");
            let vehicles = counters.iter().filter(|carrier| carrier.class.is_vehicle());
            let vehicles: Vec<&Counter> = vehicles.collect();
            if let Some(index) = aboard.filter(|_| !vehicles.is_empty()) {
                let carrier = vehicles[index.index(vehicles.len())];
                counter.aboard = Some(carrier.id.clone());
                counter.hex = carrier.hex;
            }
            counters.push(counter);
        }
        counters
    })
}

/// Counters that are not there.
pub(crate) fn probes(grid: Grid) -> impl Strategy<Value = Vec<Counter>> {
    counters(grid, "probe").prop_map(|mut probes| {
        for probe in &mut probes {
            probe.known_to.clear();
        }
        probes
    })
}

pub(crate) fn position() -> impl Strategy<Value = Position> {
    map().prop_flat_map(|map| {
        let map = Arc::new(map);
        let parts = (
            counters(map.grid, "c"),
            vec(option::of(hex(map.grid)), 5),
            select(&CONDITIONS[..]),
        );
        parts.prop_map(move |(counters, lanes, ec)| {
            let lanes = counters.iter().zip(lanes);
            let lane = |(mg, hex): (&Counter, Option<Hex>)| {
                let mg = mg.id.clone();
                Some(FireLane { mg, hex: hex? })
            };
            let lanes = lanes.filter_map(lane).collect();
            let position = Position::new(Arc::clone(&map), counters, Environment { ec });
            position.unwrap().with_fire_lanes(lanes).unwrap()
        })
    })
}

fn end(grid: Grid, ids: Vec<String>) -> BoxedStrategy<End> {
    let corner = option::of(0_u8..6);
    let aim = (hex(grid), corner.clone());
    let hex = aim.prop_map(|(hex, corner)| End::Hex(Aim { hex, corner }));
    if ids.is_empty() {
        return hex.boxed();
    }
    let counter = (select(ids), corner).prop_map(|(id, corner)| End::Counter { id, corner });
    prop_oneof![hex, counter].boxed()
}

pub(crate) fn mover() -> impl Strategy<Value = Mover> {
    let moves = |class: &CounterClass| *class != CounterClass::Wreck;
    let classes: Vec<_> = CounterClass::ALL.into_iter().filter(moves).collect();
    let pressures = [
        GroundPressure::Low,
        GroundPressure::Normal,
        GroundPressure::High,
    ];
    let pressure = option::of(select(pressures.to_vec()));
    let weight = option::of(0_u32..=1_000_000);
    (select(classes), pressure, weight, any::<bool>()).prop_map(
        |(class, ground_pressure, weight_kg, british_built)| Mover {
            class,
            ground_pressure,
            weight_kg,
            british_built,
        },
    )
}

fn line(grid: Grid, ids: &[String]) -> impl Strategy<Value = Ask> + use<> {
    let end = || end(grid, ids.to_vec());
    let attack = select(vec![Attack::Direct, Attack::Mortar, Attack::Oba]);
    let lane_mover = select(vec![
        LaneMover::Infantry,
        LaneMover::Cavalry,
        LaneMover::Vehicle,
        LaneMover::VulnerablePrc,
    ]);
    prop_oneof![
        (end(), end()).prop_map(|(from, to)| Ask::LineOfSight { from, to }),
        (end(), end(), attack).prop_map(|(from, to, attack)| Ask::LineOfFire {
            from,
            to,
            attack,
            munition: alamein_terrain::Munition::Other
        }),
        (end(), hex(grid), hex(grid), lane_mover).prop_map(
            |(mg, counter_hex, mover_hex, mover)| {
                Ask::FireLane {
                    mg,
                    counter_hex,
                    mover_hex,
                    mover,
                }
            }
        ),
    ]
}

fn setup(grid: Grid) -> impl Strategy<Value = Ask> + use<> {
    let classes = CounterClass::ALL.into_iter();
    let classes: Vec<_> = classes.filter(|it| *it != CounterClass::Wreck).collect();
    let shelters = Fortification::ALL.into_iter();
    let shelters: Vec<_> = shelters.filter(|it| it.shelters()).collect();
    let unit = (
        select(classes),
        select(&Concealment::ALL[..]),
        option::of(select(shelters)),
    );
    let unit = unit.prop_map(|(class, concealment, beneath)| SetUpPiece::Unit {
        class,
        concealment,
        beneath,
    });
    let fortification = select(&Fortification::ALL[..]).prop_map(SetUpPiece::Fortification);
    let piece = prop_oneof![unit, fortification];
    (piece, hex(grid)).prop_map(|(piece, hex)| Ask::SetUp(SetUp { piece, hex }))
}

fn ask(grid: Grid, ids: &[String]) -> BoxedStrategy<Ask> {
    let steps: Vec<(Hex, Hex)> = grid
        .hexes()
        .flat_map(|from| from.neighbours().map(|to| (from, to)))
        .filter(|(_, to)| grid.contains(*to))
        .collect();
    let line = line(grid, ids);
    if steps.is_empty() {
        return line.boxed();
    }
    let ec = option::of(select(&CONDITIONS[..]));
    let way = select(&[Way::Open, Way::Track, Way::Road][..]);
    let turn = option::of((any::<bool>(), 1_u8..=5));
    let movement = (mover(), select(steps), ec, way, turn);
    let movement = movement.prop_map(|(mover, (from, to), ec, way, turn)| {
        let step = match turn {
            None => Step::Enter { from, to, way },
            Some((known, hexsides)) => {
                let entered_from = known.then_some(from);
                Step::Turn {
                    hex: to,
                    entered_from,
                    hexsides,
                    way,
                }
            }
        };
        Ask::Movement { mover, step, ec }
    });
    prop_oneof![3 => line, 1 => movement, 1 => setup(grid)].boxed()
}

/// A position and a question about it.
pub(crate) fn asked() -> impl Strategy<Value = (Position, Question)> {
    position().prop_flat_map(|position| {
        let grid = position.map().grid;
        let probes = probes(grid);
        (Just(position), probes).prop_flat_map(move |(position, probes)| {
            let known = position.counters().iter().chain(&probes);
            let ids: Vec<String> = known.map(|counter| counter.id.clone()).collect();
            let policy = option::of(select(&GrazingPolicy::ALL[..]));
            let layers: BTreeMap<_, _> = position.map().layers.clone();
            let layers: Vec<String> = layers.into_keys().collect();
            let most = layers.len();
            let ignore_layers = proptest::sample::subsequence(layers, 0..=most);
            (ask(grid, &ids), policy, ignore_layers).prop_map(
                move |(ask, policy, ignore_layers)| {
                    let probes = probes.clone();
                    (
                        position.clone(),
                        Question {
                            ask,
                            policy,
                            probes,
                            ignore_layers,
                        },
                    )
                },
            )
        })
    })
}
