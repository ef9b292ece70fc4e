//! Changes, there and back, and those that are refused.

use std::sync::Arc;

use alamein_proto::v1::{self, ErrorReason as R, change::Change as Given};
use alamein_proto::{Limits, Refused, decode, encode};
use alamein_terrain::{Change, Environment, Map, Position, changed, diff};
use proptest::prelude::*;
use prost::Message as _;

use crate::generate::position;
use crate::worse::{LIMITS, counter, good_position};

proptest! {
    #[test]
    fn changes_and_what_differs_stay_the_same(a in position(), b in position()) {
        // Both on the map of one: what the other has there, if it has it on that map.
        let grid = a.map().grid;
        let counters = b.counters().iter().filter(|it| grid.contains(it.hex)).cloned().collect();
        let Ok(b) = Position::new(Arc::clone(a.map()), counters, b.environment()) else {
            return Ok(());
        };
        let changes = diff(&a, &b).unwrap();
        let messages: Vec<v1::Change> =
            changes.iter().map(|it| encode::change(it, &grid)).collect();
        let bytes: Vec<Vec<u8>> = messages.iter().map(v1::Change::encode_to_vec).collect();
        let read = bytes.iter().map(|bytes| v1::Change::decode(&bytes[..]).unwrap());
        let read: Vec<v1::Change> = read.collect();
        let back = decode::changes(&read, &grid, &Limits::default()).unwrap();
        prop_assert_eq!(&back, &changes);

        for it in changed(&a, &b) {
            let message = encode::difference(&it, &grid).difference.unwrap();
            let (before, after) = match message {
                v1::difference::Difference::Counter(it) => (it.before, it.after),
                _ => continue,
            };
            let all = |position: &Position| encode::position(position, true).counters;
            prop_assert!(before.iter().all(|it| all(&a).contains(it)));
            prop_assert!(after.iter().all(|it| all(&b).contains(it)));
        }
    }
}

/// Lists of changes that are refused: why, for which field, and the refusal.
pub(crate) fn refusals() -> Vec<(R, &'static str, Refused)> {
    let id = || "squad".to_owned();
    let placed = |worsen: fn(&mut v1::Counter)| {
        let mut placed = counter("gun", v1::CounterClass::Gun, "P6");
        worsen(&mut placed);
        Given::Place(v1::PlaceChange {
            counter: Some(placed),
        })
    };
    let moved = |id: &str, hex: &str, height, aboard: &str| {
        Given::Move(v1::MoveChange {
            counter_id: id.into(),
            hex: hex.into(),
            height_half_levels: height,
            aboard: aboard.into(),
        })
    };
    let turn = |id: &str, facing| {
        Given::Turn(v1::TurnChange {
            counter_id: id.into(),
            facing: Some(facing),
        })
    };
    let flags = |set: &[i32], clear: &[i32]| {
        Given::Flags(v1::FlagsChange {
            counter_id: id(),
            set: set.to_vec(),
            clear: clear.to_vec(),
        })
    };
    let lay = |id: &str, hex: &str| {
        Given::LayFireLane(v1::LayFireLaneChange {
            counter_id: id.into(),
            hex: hex.into(),
        })
    };
    let counter_id = String::new();
    let rows = [
        (
            R::MissingField,
            "place.counter",
            Given::Place(v1::PlaceChange { counter: None }),
        ),
        (
            R::MissingField,
            "place.counter.hex",
            placed(|it| it.hex.clear()),
        ),
        (
            R::DuplicateCounter,
            "place.counter.id",
            placed(|it| it.id = "squad".into()),
        ),
        (
            R::CounterInvalid,
            "place.counter.aboard",
            placed(|it| it.aboard = "squad".into()),
        ),
        (
            R::MissingField,
            "remove.counter_id",
            Given::Remove(v1::RemoveChange { counter_id }),
        ),
        (
            R::UnknownCounter,
            "move.counter_id",
            moved("ghost", "P7", None, ""),
        ),
        (R::HexOffMap, "move.hex", moved("squad", "P11", None, "")),
        (
            R::OutOfRange,
            "move.height_half_levels",
            moved("squad", "P7", Some(65), ""),
        ),
        (
            R::CounterInvalid,
            "move.aboard",
            moved("squad", "P7", None, "truck"),
        ),
        (R::FacingInvalid, "turn.facing", turn("squad", 1)),
        (R::OutOfRange, "turn.facing", turn("truck", 6)),
        (R::UnknownEnumValue, "flags.set[1]", flags(&[1, 0], &[])),
        (R::ChangeInvalid, "flags.clear", flags(&[1], &[1])),
        (
            R::ChangeInvalid,
            "wreck.counter_id",
            Given::Wreck(v1::WreckChange {
                counter_id: id(),
                burning: false,
            }),
        ),
        (
            R::ChangeInvalid,
            "dismount.counter_id",
            Given::Dismount(v1::DismountChange { counter_id: id() }),
        ),
        (
            R::ChangeInvalid,
            "lift_fire_lane.counter_id",
            Given::LiftFireLane(v1::LiftFireLaneChange { counter_id: id() }),
        ),
        (R::HexOffMap, "lay_fire_lane.hex", lay("squad", "P11")),
        (R::MissingField, "ec", Given::Ec(0)),
    ];
    let position = decode::position(&good_position(), &LIMITS, &|_| None).unwrap();
    let grid = position.map().grid;
    let apply = |given: &[v1::Change]| -> Result<(), Refused> {
        let changes: Vec<Change> = decode::changes(given, &grid, &LIMITS)?;
        let applied = position.apply(&changes);
        applied
            .map(|_| ())
            .map_err(|error| decode::applied(error, &grid))
    };
    let mut refused: Vec<(R, &'static str, Refused)> = rows
        .into_iter()
        .map(|(reason, field, change)| {
            let change = v1::Change {
                change: Some(change),
            };
            let Err(refused) = apply(&[change]) else {
                panic!("{field} is not refused");
            };
            let field = format!("changes[0].{field}");
            (reason, &*field.leak(), refused)
        })
        .collect();
    let nothing = v1::Change { change: None };
    let missing = apply(std::slice::from_ref(&nothing)).unwrap_err();
    refused.push((R::MissingField, "changes[0].change", missing));
    let many = apply(&vec![nothing; 5]).unwrap_err();
    refused.push((R::TooLong, "changes", many));
    let elsewhere = Map {
        base_level: 1,
        ..Map::flat(grid)
    };
    let elsewhere = Position::new(Arc::new(elsewhere), vec![], Environment::default()).unwrap();
    let other = diff(&position, &elsewhere).unwrap_err();
    refused.push((R::MapsDiffer, "after", decode::other_map(&other, "after")));
    refused
}
