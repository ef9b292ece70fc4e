//! Everything that is refused: why, for which field, and with what goes with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alamein_hex::Grid;
use alamein_proto::decode::{self, IdOf};
use alamein_proto::v1::{self, ErrorReason as R, movement_question::Step};
use alamein_proto::{FILE_DESCRIPTOR_SET, Limits, Refused};
use alamein_terrain::{Counter, CounterClass, Environment, Layer, Map, Position};
use prost::Message as _;
use prost_types::FileDescriptorSet;

use crate::worse::{
    ID, LIMITS, at_counter, at_hex, counters, entry, good_position, layers, lines, maps,
    of_options, setups, sight, steps,
};

/// The keys that `errors.proto` promises for each reason.
fn promised() -> BTreeMap<R, BTreeSet<String>> {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
    let mut files = set.file.iter();
    let file = files
        .find(|file| file.name().ends_with("errors.proto"))
        .unwrap();
    let values = &file.enum_type[0].value;
    let comments = file.source_code_info.as_ref().unwrap().location.iter();
    let promise = |location: &prost_types::source_code_info::Location| {
        let [5, 0, 2, at] = location.path[..] else {
            return None;
        };
        let first = location.leading_comments().split('.').next()?.to_owned();
        let keys = first
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        Some((R::from_str_name(values[at as usize].name())?, keys))
    };
    comments.filter_map(promise).collect()
}

/// Checks one row; gives its reason.
fn check(refused: &Refused, reason: R, field: &str, promised: &BTreeMap<R, BTreeSet<String>>) {
    assert_eq!(
        (refused.reason, &*refused.field),
        (reason, field),
        "{refused}"
    );
    assert!(!refused.message.is_empty());
    let keys: BTreeSet<String> = refused
        .metadata
        .iter()
        .map(|(key, _)| (*key).to_owned())
        .collect();
    if reason == R::RuleNotImplemented {
        assert_eq!(keys, BTreeSet::from(["field".to_owned()]));
    } else if reason == R::RulesetNotAvailable {
        // Why not, only who looked for it knows.
        assert_eq!(keys, BTreeSet::from(["rules_fingerprint".to_owned()]));
    } else {
        assert_eq!(keys, promised[&reason], "{refused}");
    }
    if let Some((_, path)) = refused.metadata.iter().find(|(key, _)| *key == "field") {
        assert_eq!(path, field);
    }
    let moved = refused.clone().at("subject.");
    assert_eq!(moved.field, format!("subject.{field}"));
    let path = moved.metadata.iter().find(|(key, _)| *key == "field");
    assert!(path.is_none_or(|(_, path)| *path == moved.field));
}

#[test]
fn each_reason_has_its_field_and_what_is_promised() {
    let promised = promised();
    let mut reasons = BTreeSet::new();
    let position = |message: &v1::Position| decode::position(message, &LIMITS, &|_| None);
    let good = good_position();
    for row in maps().into_iter().chain(layers()).chain(counters()) {
        let mut message = good.clone();
        (row.worsen)(&mut message);
        let refused = position(&message).expect_err(row.field);
        check(&refused, row.reason, row.field, &promised);
        reasons.insert(row.reason);
    }
    let position = position(&good).unwrap();
    for row in lines()
        .into_iter()
        .chain(steps())
        .chain(setups())
        .chain(of_options())
    {
        let mut message = v1::Question::default();
        sight(&mut message, at_counter("squad"));
        decode::question(&message, &position, &LIMITS).unwrap();
        (row.worsen)(&mut message);
        let refused = decode::question(&message, &position, &LIMITS).expect_err(row.field);
        check(&refused, row.reason, row.field, &promised);
        reasons.insert(row.reason);
    }
    for (reason, field, refused) in crate::changes::refusals() {
        check(&refused, reason, field, &promised);
        reasons.insert(reason);
    }
    // Those left are the engine's and the server's to give.
    let given_here = (1..=41).filter_map(|number| R::try_from(number).ok());
    let others = [
        R::UnknownAttribute,
        R::UnknownLayer,
        R::LayerInvalid,
        R::LayerNotIgnorable,
        R::BatchTooLarge,
        R::PageTokenInvalid,
        R::InvalidName,
        R::PathBroken,
        R::MapFileInvalid,
        R::PictureTooLarge,
        R::RulesetInvalid,
        R::OptionInvalid,
        R::CaseFileInvalid,
        R::PositionNotFound,
    ];
    for reason in given_here.filter(|reason| !others.contains(reason)) {
        assert!(reasons.contains(&reason), "no row gives {reason:?}");
    }
}

#[test]
fn of_all_that_is_wrong_with_a_map_the_first_is_told_alone() {
    let map_of = |position: &v1::Position| match &position.map_source {
        Some(v1::position::MapSource::Map(map)) => map.clone(),
        _ => panic!("the position carries its map"),
    };
    for row in maps().into_iter().chain(layers()) {
        let mut position = good_position();
        (row.worsen)(&mut position);
        let map = map_of(&position);
        let first = decode::map(&map, &LIMITS).unwrap_err();
        let all = decode::survey_map(&map, &LIMITS, 100).unwrap_err();
        assert_eq!(all.first(), Some(&first), "{}", row.field);
        assert_eq!(decode::survey_map(&map, &LIMITS, 1).unwrap_err(), [first]);
    }
}

#[test]
fn ids_that_nothing_has_say_what_they_were_meant_for() {
    let promised = promised();
    let table = [
        (IdOf::Map, R::MapNotFound),
        (IdOf::Position, R::PositionNotFound),
        (IdOf::Rules, R::RulesetNotAvailable),
    ];
    for (of, reason) in table {
        for text in ["7P", &*"x".repeat(64), &*"x".repeat(9999)] {
            let refused = decode::digest(text, "id", of).unwrap_err();
            check(&refused, reason, "id", &promised);
            assert!(refused.metadata[0].1.len() < 100, "headers are short");
        }
        let refused = decode::digest("", "id", of).unwrap_err();
        check(&refused, R::MissingField, "id", &promised);
        assert!(decode::digest(ID, "id", of).is_ok());
    }
}

#[test]
fn a_grid_has_its_own_bounds_within_the_limit() {
    let map = |columns, rows| v1::Map {
        board: Some(v1::Board { columns, rows }),
        ..v1::Map::default()
    };
    let refused = decode::map(&map(2000, 1), &Limits::default()).unwrap_err();
    assert_eq!(
        (refused.reason, &*refused.field),
        (R::OutOfRange, "board.columns")
    );
    let refused = decode::map(&map(1, 2000), &Limits::default()).unwrap_err();
    assert_eq!(
        (refused.reason, &*refused.field),
        (R::OutOfRange, "board.rows")
    );
    assert_eq!(
        decode::map(&map(0, 0), &LIMITS).unwrap().grid,
        Grid::geomorphic()
    );
}

/// Whatever stands in a request, a refusal's words and metadata stay short.
#[test]
fn refusals_do_not_grow_with_the_request() {
    let long = "P".repeat(100_000);
    let mut position = good_position();
    position.counters[0].hex = long.clone();
    let refused = decode::position(&position, &Limits::default(), &|_| None).unwrap_err();
    let metadata: usize = refused.metadata.iter().map(|(_, value)| value.len()).sum();
    assert!(refused.message.len() + metadata < 400);
}

#[test]
fn what_a_counter_says_of_the_mover_is_used() {
    let grid = Grid::geomorphic();
    let map = Arc::new(Map {
        layers: BTreeMap::from([("fog".to_owned(), Layer::default())]),
        ..Map::flat(grid)
    });
    let tank = Counter::new("tank", CounterClass::Tank, grid.hex("P6").unwrap());
    let position = Position::new(map, vec![tank], Environment::default()).unwrap();
    let asked = v1::MovementQuestion {
        mover: Some(v1::Mover {
            counter_id: "tank".into(),
            weight_tons: Some(22.5004),
            ..v1::Mover::default()
        }),
        step: Some(Step::Entry(entry("P6", "P7"))),
        ec: v1::EnvironmentCondition::Mud.into(),
    };
    let question = decode::movement(&asked, None, &position, &LIMITS).unwrap();
    let alamein_terrain::Ask::Movement { mover, ec, .. } = question.ask else {
        panic!("{question:?}");
    };
    assert_eq!(
        (mover.class, mover.weight_kg),
        (CounterClass::Tank, Some(22_500))
    );
    assert_eq!(ec, Some(alamein_terrain::EnvironmentCondition::Mud));
}

#[test]
fn a_question_on_its_own_has_the_paths_of_its_request() {
    let position = decode::position(&good_position(), &LIMITS, &|_| None).unwrap();
    let asked = v1::LineOfSightQuestion {
        from: at_hex("7P"),
        to: at_hex("P6"),
    };
    let refused = decode::line_of_sight(&asked, None, &position, &LIMITS).unwrap_err();
    assert_eq!(refused.field, "question.from.hex");
    let options = v1::QuestionOptions {
        grazing_policy: 9,
        ..v1::QuestionOptions::default()
    };
    let refused = decode::line_of_sight(&asked, Some(&options), &position, &LIMITS).unwrap_err();
    assert_eq!(refused.field, "options.grazing_policy");
    let refused = decode::fire_lane(None, None, &position, &LIMITS).unwrap_err();
    assert_eq!(
        (refused.reason, &*refused.field),
        (R::MissingField, "question")
    );
}
