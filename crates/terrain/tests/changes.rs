//! The laws of changes.
//!
//! 1. `apply(a, diff(a, b))` is `b`, and no change of a diff can be left out.
//! 2. What differs between two positions is told of each thing once, as it was and as it is.
//! 3. Changes are read back from their canonical form.
//! 4. Positions that differ only in what is hidden from a side are the same as seen by it.

#![allow(clippy::unwrap_used)] // A test may.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use alamein_hex::{Grid, Hex};
use alamein_terrain::{
    Canon, CanonReader, Change, ChangeFault, Changed, Counter, CounterClass, CounterFlags,
    Environment, EnvironmentCondition, FireLane, Map, Position, changed, diff,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const IDS: usize = 7;
const SIDES: [&str; 3] = ["german", "italian", "british"];

fn map() -> Arc<Map> {
    static MAP: LazyLock<Arc<Map>> = LazyLock::new(|| Arc::new(Map::flat(Grid::geomorphic())));
    Arc::clone(&MAP)
}

fn hex() -> impl Strategy<Value = Hex> {
    let grid = Grid::geomorphic();
    select(vec!["P5", "P6", "Q6"]).prop_map(move |name| grid.hex(name).unwrap())
}

fn sides() -> impl Strategy<Value = BTreeSet<String>> {
    prop_oneof![
        2 => Just(BTreeSet::new()),
        1 => btree_set(select(&SIDES[..]).prop_map(str::to_owned), 1..3),
    ]
}

prop_compose! {
    fn counter()(
        class in select(vec![
            CounterClass::Squad, CounterClass::Truck, CounterClass::Tank, CounterClass::Tank,
            CounterClass::Gun, CounterClass::Wreck,
        ]),
        hex in hex(), side in option::of(select(&SIDES[..])), height in 0_i16..2,
        facing in option::of(0_u8..6), flags in 0_u32..256,
        attributes in btree_map("[a-b]\\.[a-b]", 0_i64..3, 0..3), known_to in sides(),
    ) -> Counter {
        let mut counter = Counter::new("", class, hex);
        counter.side = side.map(str::to_owned);
        counter.height = height;
        counter.facing = facing.filter(|_| class.has_facing());
        counter.flags = CounterFlags::from_bits(flags);
        counter.attributes = attributes;
        counter.known_to = known_to;
        counter
    }
}

/// A position of some of a few counters, in any order of who is aboard whom.
fn position() -> impl Strategy<Value = Position> {
    let counters = vec(
        option::weighted(0.8, (counter(), any::<Option<Index>>())),
        IDS,
    );
    let order = Just((0..IDS).collect::<Vec<_>>()).prop_shuffle();
    let lanes = vec(option::weighted(0.3, hex()), IDS);
    let ec = select(&EnvironmentCondition::ALL[..2]);
    (counters, order, lanes, ec).prop_map(|(given, order, lanes, ec)| {
        let mut counters: Vec<Counter> = Vec::new();
        for at in order {
            let Some((mut counter, aboard)) = given[at].clone() else {
                continue;
            };
            counter.id = format!("c{at}");
            let vehicles = counters.iter().filter(|it| it.class.is_vehicle());
            let vehicles: Vec<&Counter> = vehicles.collect();
            if let Some(index) = aboard.filter(|_| !vehicles.is_empty()) {
                let carrier = vehicles[index.index(vehicles.len())];
                counter.aboard = Some(carrier.id.clone());
                counter.hex = carrier.hex;
            }
            counters.push(counter);
        }
        let lanes = lanes.into_iter().enumerate().filter_map(|(at, hex)| {
            let mg = format!("c{at}");
            let there = counters.iter().any(|counter| counter.id == mg);
            hex.filter(|_| there).map(|hex| FireLane { mg, hex })
        });
        let lanes = lanes.collect();
        let position = Position::new(map(), counters, Environment { ec }).unwrap();
        position.with_fire_lanes(lanes).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_leads_from_one_position_to_the_other(a in position(), b in position()) {
        let changes = diff(&a, &b).unwrap();
        let (after, told) = a.apply(&changes).unwrap();
        prop_assert_eq!(&after, &b);
        prop_assert_eq!(after.id(), b.id());
        prop_assert_eq!(&after.canonical(), &b.canonical());
        prop_assert_eq!(told, changed(&a, &b));
        prop_assert_eq!(diff(&b, &b).unwrap(), vec![]);
        for at in 0..changes.len() {
            let mut fewer = changes.clone();
            fewer.remove(at);
            let other = a.apply(&fewer).map(|(after, _)| after);
            prop_assert_ne!(other.as_ref(), Ok(&b), "{:?} is idle in {:?}", changes[at], changes);
        }
    }

    #[test]
    fn what_differs_is_told_once_of_each(a in position(), b in position()) {
        let mut seen = BTreeSet::new();
        for it in changed(&a, &b) {
            let key = match it {
                Changed::Counter { before, after } => {
                    prop_assert_ne!(&before, &after);
                    let id = before.as_ref().or(after.as_ref()).unwrap().id.clone();
                    prop_assert_eq!(a.counter(&id), before.as_ref());
                    prop_assert_eq!(b.counter(&id), after.as_ref());
                    format!("counter {id}")
                }
                Changed::FireLane { before, after } => {
                    let mg = before.as_ref().or(after.as_ref()).unwrap().mg.clone();
                    prop_assert_eq!(a.fire_lane(&mg), before.as_ref());
                    prop_assert_eq!(b.fire_lane(&mg), after.as_ref());
                    format!("lane {mg}")
                }
                Changed::Ec { before, after } => {
                    prop_assert_eq!((before, after), (a.environment().ec, b.environment().ec));
                    "ec".to_owned()
                }
            };
            prop_assert!(seen.insert(key));
        }
        let ids = |position: &Position| -> BTreeSet<String> {
            position.counters().iter().map(|it| it.id.clone()).collect()
        };
        for id in ids(&a).union(&ids(&b)) {
            let same = a.counter(id) == b.counter(id);
            prop_assert_eq!(!same, seen.contains(&format!("counter {id}")));
            let same = a.fire_lane(id) == b.fire_lane(id);
            prop_assert_eq!(!same, seen.contains(&format!("lane {id}")));
        }
    }

    #[test]
    fn changes_are_read_back_from_their_canonical_form(a in position(), b in position()) {
        let changes = diff(&a, &b).unwrap();
        let mut canon = Canon::new("test/1");
        canon.list(changes.iter());
        let bytes = canon.into_bytes();
        let mut reader = CanonReader::new(&bytes, "test/1").unwrap();
        prop_assert_eq!(reader.get::<Vec<Change>>(), Ok(changes));
        prop_assert_eq!(reader.end(), Ok(()));
    }

    #[test]
    fn nobody_sees_what_is_hidden(position in position(), side in select(&SIDES[..])) {
        let seen = position.seen_by(side);
        // What a position is without the hidden counters, found another way: one after the other.
        let mut without = position.clone();
        loop {
            let on_its_way = |counter: &&Counter| {
                let mut at = Some(*counter);
                std::iter::from_fn(|| {
                    let now = at?;
                    at = now.aboard.as_ref().and_then(|id| without.counter(id));
                    Some(now)
                }).any(|it| !it.is_known_to(side))
            };
            let leaf = |counter: &&Counter| {
                without.counters().iter().all(|it| it.aboard.as_ref() != Some(&counter.id))
            };
            let Some(gone) = without.counters().iter().filter(on_its_way).find(leaf) else { break };
            let id = gone.id.clone();
            let lift = without.fire_lane(&id).map(|_| Change::LiftFireLane { mg: id.clone() });
            let changes: Vec<Change> =
                lift.into_iter().chain([Change::Remove { id }]).collect();
            without = without.apply(&changes).unwrap().0;
        }
        let others = without.counters().iter().filter(|it| it.side.as_deref() != Some(side));
        let reveal = others.map(|it| Change::KnownTo { id: it.id.clone(), sides: [].into() });
        let without = without.apply(&reveal.collect::<Vec<_>>()).unwrap().0;
        prop_assert_eq!(&seen, &without);
        prop_assert_eq!(seen.seen_by(side), without);
    }
}

fn sample() -> (Position, impl Fn(&str) -> Hex) {
    let map = map();
    let grid = map.grid;
    let hex = move |name: &str| grid.hex(name).unwrap();
    let mut truck = Counter::new("truck", CounterClass::Truck, hex("P6"));
    truck.side = Some("british".into());
    truck.flags = CounterFlags::IN_MOTION;
    let mut squad = Counter::new("squad", CounterClass::Squad, hex("P6"));
    squad.aboard = Some("truck".into());
    let mg = Counter::new("mg", CounterClass::HalfSquad, hex("P5"));
    let counters = vec![truck, squad, mg];
    let position = Position::new(map, counters, Environment::default()).unwrap();
    let lane = FireLane {
        mg: "mg".into(),
        hex: hex("P9"),
    };
    (position.with_fire_lanes(vec![lane]).unwrap(), hex)
}

#[test]
fn passengers_move_with_their_vehicle() {
    let (before, hex) = sample();
    let moved = Change::Move {
        id: "truck".into(),
        hex: hex("P7"),
        height: None,
        aboard: None,
    };
    let (after, told) = before.apply(std::slice::from_ref(&moved)).unwrap();
    assert_eq!(after.counter("squad").unwrap().hex, hex("P7"));
    assert_eq!(told.len(), 2);
    assert_eq!(diff(&before, &after), Ok(vec![moved]));
}

#[test]
fn a_wreck_is_nobodys_and_carries_nobody() {
    let (before, _) = sample();
    let wreck = Change::Wreck {
        id: "truck".into(),
        burning: true,
    };
    let refused = before.apply(std::slice::from_ref(&wreck)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "changes[0].wreck.counter_id: \"squad\" is still aboard \"truck\"; \
         move, dismount or remove it before"
    );
    let gone = Change::Remove { id: "squad".into() };
    let (after, _) = before.apply(&[gone, wreck]).unwrap();
    let truck = after.counter("truck").unwrap();
    assert_eq!(truck.class, CounterClass::Wreck);
    assert_eq!((&truck.side, truck.flags), (&None, CounterFlags::BURNING));
}

#[test]
fn each_change_that_cannot_be_made_names_its_field() {
    let (before, hex) = sample();
    let id = || "squad".to_owned();
    let off = Hex::new(200, 0);
    let to = |id: &str, hex, height, aboard: Option<&str>| Change::Move {
        id: id.into(),
        hex,
        height,
        aboard: aboard.map(str::to_owned),
    };
    let placed = |id: &str, facing, aboard: Option<&str>| {
        let mut counter = Counter::new(id, CounterClass::Gun, hex("P5"));
        counter.facing = facing;
        counter.aboard = aboard.map(str::to_owned);
        Change::Place(counter)
    };
    let lane = |mg: &str, hex| Change::LayFireLane(FireLane { mg: mg.into(), hex });
    let table = [
        (placed("", None, None), "place.counter.id"),
        (placed("mg", None, None), "place.counter.id"),
        (placed("gun", Some(6), None), "place.counter.facing"),
        (placed("gun", None, Some("truck")), "place.counter.aboard"),
        (placed("gun", None, Some("gun")), "place.counter.aboard"),
        (Change::Remove { id: "x".into() }, "remove.counter_id"),
        (Change::Remove { id: "mg".into() }, "remove.counter_id"),
        (Change::Remove { id: "truck".into() }, "remove.counter_id"),
        (to("squad", off, None, None), "move.hex"),
        (to("squad", hex("P7"), Some(65), None), "move.height"),
        (to("squad", hex("P7"), None, Some("truck")), "move.aboard"),
        (to("truck", hex("P6"), None, Some("truck")), "move.aboard"),
        (
            Change::Board {
                id: "mg".into(),
                carrier: "truck".into(),
            },
            "board.carrier_id",
        ),
        (Change::Dismount { id: "mg".into() }, "dismount.counter_id"),
        (
            Change::Turn {
                id: id(),
                facing: Some(1),
            },
            "turn.facing",
        ),
        (
            Change::Turn {
                id: "truck".into(),
                facing: Some(6),
            },
            "turn.facing",
        ),
        (
            Change::Flags {
                id: id(),
                set: CounterFlags::ENTRENCHED,
                clear: CounterFlags::ENTRENCHED.and(CounterFlags::BURNING),
            },
            "flags.clear",
        ),
        (
            Change::Wreck {
                id: id(),
                burning: false,
            },
            "wreck.counter_id",
        ),
        (lane("x", hex("P6")), "lay_fire_lane.counter_id"),
        (lane("mg", off), "lay_fire_lane.hex"),
        (
            Change::LiftFireLane { mg: id() },
            "lift_fire_lane.counter_id",
        ),
    ];
    for (change, field) in table {
        let fine = Change::Ec(EnvironmentCondition::Wet);
        let refused = before.apply(&[fine, change.clone()]).unwrap_err();
        assert_eq!(refused.field, format!("changes[1].{field}"), "{change:?}");
        assert_eq!(refused.index, 1);
    }
}

#[test]
fn nothing_goes_aboard_itself_by_way_of_others() {
    let (before, hex) = sample();
    let tank = Counter::new("tank", CounterClass::Tank, hex("P6"));
    let board = |id: &str, carrier: &str| Change::Board {
        id: id.into(),
        carrier: carrier.into(),
    };
    let changes = [
        Change::Place(tank),
        board("truck", "tank"),
        board("tank", "truck"),
    ];
    let refused = before.apply(&changes).unwrap_err();
    assert_eq!(refused.field, "changes[2].board.carrier_id");
    assert!(matches!(refused.fault, ChangeFault::Ring { .. }));
}

#[test]
fn positions_on_different_maps_have_no_diff() {
    let (before, _) = sample();
    let mut map = Map::flat(Grid::geomorphic());
    map.base_level = 1;
    let other = Position::new(Arc::new(map), vec![], Environment::default()).unwrap();
    assert!(diff(&before, &other).is_err());
}
