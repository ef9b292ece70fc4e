//! Paths and what an allowance reaches, there and back, and what is refused.

use alamein_hex::{Direction, Grid, Hex};
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::{self, ErrorReason as R, View, path_step};
use alamein_proto::{Refused, decode, encode};
use alamein_terrain::{
    Digest, IgnoredLayer, MissingRule, MovementUnit, Moving, OwedCheck, PathQuestion, Position,
    PricedPath, PricedStep, ProhibitedStep, Reach, ReachQuestion, Reached, Spent, Step,
    UnknownStep, Unpriced, Way,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use prost::Message as _;

use crate::generate::{CONDITIONS, hex, mover, position, probes};
use crate::rulings::{check, cited, contested, name, place, ruling};
use crate::worse::{LIMITS, good_position};

const WAYS: [Way; 3] = [Way::Open, Way::Track, Way::Road];

fn moving(position: &Position) -> impl Strategy<Value = Moving> + use<> {
    let probes = probes(position.map().grid);
    let ec = option::of(select(&CONDITIONS[..]));
    let layers: Vec<String> = position.map().layers.keys().cloned().collect();
    let most = layers.len();
    let ignore_layers = proptest::sample::subsequence(layers, 0..=most);
    (mover(), ec, probes, ignore_layers).prop_map(|(mover, ec, probes, ignore_layers)| Moving {
        mover,
        ec,
        policy: None,
        probes,
        ignore_layers,
    })
}

/// A path from a hex: whatever of these directions stays on the map, and turns.
fn walk(grid: Grid) -> impl Strategy<Value = Vec<Step>> {
    let step = (
        select(&Direction::ALL[..]),
        select(&WAYS[..]),
        option::of(1_u8..=5),
    );
    (hex(grid), vec(step, 1..8)).prop_map(move |(start, steps)| {
        let mut at = start;
        let mut path = Vec::new();
        for (direction, way, turn) in steps {
            let to = at.neighbour(direction);
            match turn {
                None if grid.contains(to) => {
                    path.push(Step::Enter { from: at, to, way });
                    at = to;
                }
                turn => path.push(Step::Turn {
                    hex: at,
                    entered_from: None,
                    hexsides: turn.unwrap_or(1),
                    way,
                }),
            }
        }
        path
    })
}

fn path_question() -> impl Strategy<Value = (Position, PathQuestion)> {
    position().prop_flat_map(|position| {
        let walk = walk(position.map().grid);
        let moving = moving(&position);
        let asked = (Just(position), moving, walk, any::<Option<u16>>());
        asked.prop_map(|(position, moving, steps, allowance)| {
            let question = PathQuestion {
                moving,
                steps,
                allowance,
            };
            (position, question)
        })
    })
}

fn reach_question() -> impl Strategy<Value = (Position, ReachQuestion)> {
    position().prop_flat_map(|position| {
        let from = hex(position.map().grid);
        let moving = moving(&position);
        let asked = (
            Just(position),
            moving,
            from,
            any::<u16>(),
            select(&WAYS[..]),
        );
        asked.prop_map(|(position, moving, from, allowance, way)| {
            let question = ReachQuestion {
                moving,
                from,
                allowance,
                way,
            };
            (position, question)
        })
    })
}

fn missing_rule() -> impl Strategy<Value = MissingRule> {
    (cited(), place(), "[ -~]{0,12}").prop_map(|(by, place, text)| MissingRule { by, place, text })
}

fn unit() -> impl Strategy<Value = MovementUnit> {
    select(vec![MovementUnit::Mf, MovementUnit::Mp])
}

prop_compose! {
    fn priced_step()(
        ruling in prop_oneof![ruling().prop_map(Ok), missing_rule().prop_map(Err)],
        total_after in any::<Option<i32>>(), turn_not_judged in any::<bool>(),
        spent in vec((place(), any::<Option<i32>>()), 0..3),
    ) -> PricedStep {
        let spent = spent.into_iter().map(|(place, amount)| Spent { place, amount }).collect();
        PricedStep { ruling, total_after, turn_not_judged, spent }
    }
}

prop_compose! {
    fn priced_path()(
        id in any::<[u8; 2]>(), unit in unit(), steps in vec(priced_step(), 1..4),
        total in any::<Option<i32>>(), exceeds_at in option::of(0_usize..9),
        prohibited in vec((0_usize..9, vec(cited(), 1..3)), 0..3),
        checks in vec((0_usize..9, check()), 0..3),
    ) -> PricedPath {
        let forbid = |(step, by)| ProhibitedStep { step, by };
        let owe = |(step, check)| OwedCheck { step, check };
        PricedPath {
            rules: Digest::of(&id), position: Digest::of(&id[1..]), unit, steps, total, exceeds_at,
            prohibited: prohibited.into_iter().map(forbid).collect(),
            checks: checks.into_iter().map(owe).collect(),
        }
    }
}

fn board_hex() -> impl Strategy<Value = Hex> {
    hex(Grid::geomorphic())
}

fn unpriced() -> impl Strategy<Value = Unpriced> {
    prop_oneof![
        missing_rule().prop_map(Unpriced::NotImplemented),
        Just(Unpriced::NoCost),
        Just(Unpriced::LessThanNothing),
    ]
}

prop_compose! {
    fn reach()(
        id in any::<[u8; 2]>(), unit in unit(), contested in vec(contested(), 0..3),
        hexes in vec((any::<u32>(), board_hex(), option::of(board_hex()), any::<u32>()), 0..5),
        unknown in vec((board_hex(), board_hex(), unpriced()), 0..3),
        not_covered in vec(missing_rule(), 0..3),
        ignored in vec((name("[a-z]{1,4}"), any::<bool>()), 0..3),
    ) -> Reach {
        let reached = |(cost, hex, came_from, checks)| Reached { cost, hex, came_from, checks };
        let step = |(from, to, why)| UnknownStep { from, to, why };
        let layer = |(layer, met)| IgnoredLayer { layer, met };
        Reach {
            rules: Digest::of(&id), position: Digest::of(&id[1..]), unit,
            hexes: hexes.into_iter().map(reached).collect(),
            unknown: unknown.into_iter().map(step).collect(),
            contested, not_covered,
            ignored: ignored.into_iter().map(layer).collect(),
        }
    }
}

proptest! {
    #[test]
    fn a_question_about_a_path_stays_the_same((position, question) in path_question()) {
        let grid = position.map().grid;
        let message = encode::path_question(&question, &grid);
        let message = v1::PathQuestion::decode(&message.encode_to_vec()[..]).unwrap();
        let options = encode::move_options(&question.moving, &grid);
        let limits = alamein_proto::Limits::default();
        let back = decode::path_question(Some(&message), options.as_ref(), &position, &limits);
        prop_assert_eq!(back.unwrap(), question);
    }

    #[test]
    fn a_question_about_an_allowance_stays_the_same((position, question) in reach_question()) {
        let grid = position.map().grid;
        let message = encode::reach_question(&question, &grid);
        let message = v1::ReachQuestion::decode(&message.encode_to_vec()[..]).unwrap();
        let options = encode::move_options(&question.moving, &grid);
        let limits = alamein_proto::Limits::default();
        let back = decode::reach_question(Some(&message), options.as_ref(), &position, &limits);
        prop_assert_eq!(back.unwrap(), question);
    }

    #[test]
    fn an_explained_price_loses_nothing(
        mut priced in priced_path(), (position, question) in path_question(),
    ) {
        // As many steps as were asked about.
        let steps = priced.steps.iter().cycle().take(question.steps.len()).cloned();
        priced.steps = steps.collect();
        let (grid, book) = (position.map().grid, RuleBook::default());
        let message = encode::priced_path(&priced, &question, &grid, &book, View::Explain);
        let message = v1::PricedPath::decode(&message.encode_to_vec()[..]).unwrap();
        prop_assert_eq!(decode::priced_path(&message).unwrap(), priced);
    }

    #[test]
    fn what_is_reached_loses_nothing(reach in reach()) {
        let (grid, book) = (Grid::geomorphic(), RuleBook::default());
        let message = encode::reach(&reach, &grid, &book);
        let message = v1::Reach::decode(&message.encode_to_vec()[..]).unwrap();
        prop_assert_eq!(decode::reach(&message, &grid).unwrap(), reach);
    }
}

fn good_path() -> v1::PathQuestion {
    let entry = |from: &str, to: &str| v1::PathStep {
        step: Some(path_step::Step::Entry(v1::Entry {
            from_hex: from.into(),
            to_hex: to.into(),
            way: 0,
        })),
    };
    v1::PathQuestion {
        mover: Some(v1::Mover {
            class: v1::CounterClass::Tank.into(),
            ..v1::Mover::default()
        }),
        steps: vec![entry("A1", "A2"), entry("A2", "A3")],
        ..v1::PathQuestion::default()
    }
}

fn path_refused(worsen: impl FnOnce(&mut v1::PathQuestion)) -> Refused {
    let mut message = good_path();
    worsen(&mut message);
    let position = decode::position(&good_position(), &LIMITS, &|_| None).unwrap();
    decode::path_question(Some(&message), None, &position, &LIMITS).unwrap_err()
}

#[test]
fn each_fault_of_a_path_has_its_field() {
    let turn = |entered_from: &str, hexsides| v1::PathStep {
        step: Some(path_step::Step::VcaChange(v1::VcaChange {
            hex: "A3".into(),
            entered_from: entered_from.into(),
            hexsides,
            way: 0,
        })),
    };
    type Worsen = Box<dyn FnOnce(&mut v1::PathQuestion)>;
    let rows: Vec<(R, &str, Worsen)> = vec![
        (
            R::MissingField,
            "question.mover",
            Box::new(|it| it.mover = None),
        ),
        (
            R::MissingField,
            "question.steps",
            Box::new(|it| it.steps.clear()),
        ),
        (
            R::PathTooLong,
            "question.steps",
            Box::new(|it| it.steps = vec![it.steps[0].clone(); LIMITS.max_steps + 1]),
        ),
        (
            R::MissingField,
            "question.steps[1].step",
            Box::new(|it| it.steps[1].step = None),
        ),
        (
            R::NotAdjacent,
            "question.steps[2].vca_change.entered_from",
            Box::new(move |it| it.steps.push(turn("A1", 1))),
        ),
        (
            R::OutOfRange,
            "question.steps[2].vca_change.hexsides",
            Box::new(move |it| it.steps.push(turn("A2", 6))),
        ),
        (
            R::OutOfRange,
            "question.allowance",
            Box::new(|it| it.allowance = Some(65_536)),
        ),
        (
            R::UnknownEnumValue,
            "question.ec",
            Box::new(|it| it.ec = 77),
        ),
    ];
    for (reason, field, worsen) in rows {
        let refused = path_refused(worsen);
        assert_eq!(
            (refused.reason, &*refused.field),
            (reason, field),
            "{refused}"
        );
    }
}

#[test]
fn an_allowance_and_a_hex_must_be_given() {
    let position = decode::position(&good_position(), &LIMITS, &|_| None).unwrap();
    let refused = |message: Option<&v1::ReachQuestion>| {
        let refused = decode::reach_question(message, None, &position, &LIMITS).unwrap_err();
        (refused.reason, refused.field)
    };
    assert_eq!(refused(None), (R::MissingField, "question".into()));
    let mut message = v1::ReachQuestion {
        mover: good_path().mover,
        from_hex: "A1".into(),
        ..v1::ReachQuestion::default()
    };
    let expected = (R::MissingField, "question.allowance".to_owned());
    assert_eq!(refused(Some(&message)), expected);
    message.allowance = Some(4);
    message.way = 9;
    assert_eq!(
        refused(Some(&message)),
        (R::UnknownEnumValue, "question.way".into())
    );
    message.from_hex = "ZZ99".into();
    assert_eq!(
        refused(Some(&message)),
        (R::HexOffMap, "question.from_hex".into())
    );
}
