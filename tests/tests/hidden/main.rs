//! What a side may not know it is not told, by any method, whatever it asks.
//!
//! Pairs of positions that differ in nothing but what is hidden from a side are asked the same. What comes
//! back is the same to the byte wherever the true verdicts are the same in what a side is told of them,
//! and nowhere does it name what is hidden.
#![allow(clippy::unwrap_used)] // A test may.

mod who_knows;
mod writing;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use alamein_client::v1::{self, View, verdict::Verdict};
use alamein_client::{Client, RemoteError};
use alamein_proto::encode;
use alamein_terrain::{
    Ask, Attack, Change, Counter, CounterClass, CounterFlags, End, FireLane, GroundPressure,
    LaneMover, Mover, Moving, Munition, PathQuestion, Position, Question, ReachQuestion, SetUp,
    SetUpPiece, Step, Way,
};
use alamein_tests::serving::{Server, served};
use alamein_tests::{engine, known, linked_plugins, root};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use prost::Message;
use tonic::{Response, Status};

/// What every hidden counter's id begins with, and nothing else.
const SECRET: &str = "secret";
const SIDE: &str = "british";
const HEXES: [&str; 8] = ["N5", "O5", "O6", "P5", "P6", "P7", "Q6", "Q5"];

async fn serve() -> (Server, Client) {
    served(&[]).await.unwrap()
}

/// The map of the worked example, with other counters.
fn position(counters: Vec<Counter>, lanes: Vec<FireLane>) -> Position {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let file = root().join("tests/cases/f4-example.json");
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    let map = Arc::clone(case.position.map());
    let position = Position::new(map, counters, case.position.environment()).unwrap();
    position.with_fire_lanes(lanes).unwrap()
}

fn counter(id: &str, class: CounterClass, hex: &str, side: &str) -> Counter {
    let grid = alamein_hex::Grid::geomorphic();
    let mut counter = Counter::new(id, class, grid.hex(hex).unwrap());
    counter.side = Some(side.to_owned());
    counter
}

/// What everybody knows.
fn open() -> Vec<Counter> {
    vec![
        counter("firer", CounterClass::Squad, "N5", SIDE),
        counter("truck", CounterClass::Truck, "O6", SIDE),
        counter("target", CounterClass::Tank, "Q6", "german"),
        counter("mg", CounterClass::HalfSquad, "N5", SIDE),
    ]
}

prop_compose! {
    fn hidden_counter()(
        class in select(vec![
            CounterClass::Tank, CounterClass::Halftrack, CounterClass::Wreck, CounterClass::Gun,
            CounterClass::Squad,
        ]),
        hex in select(&HEXES[..]), burning in any::<bool>(), dug_in in any::<bool>(),
        facing in proptest::option::of(0_u8..6),
    ) -> Counter {
        let mut counter = counter("", class, hex, "german");
        counter.flags = match (class, burning, dug_in) {
            (CounterClass::Wreck, true, _) => CounterFlags::BURNING,
            (CounterClass::Tank, _, true) => CounterFlags::DUG_IN,
            _ => CounterFlags::none(),
        };
        counter.facing = facing.filter(|_| class.has_facing());
        counter.known_to = ["german".to_owned()].into();
        if class == CounterClass::Wreck {
            counter.side = None;
        }
        counter
    }
}

/// Positions with other hidden counters each.
fn hidden(runner: &mut TestRunner) -> Position {
    let drawn = proptest::collection::vec(hidden_counter(), 0..5);
    let mut drawn = drawn.new_tree(runner).unwrap().current();
    for (at, counter) in drawn.iter_mut().enumerate() {
        counter.id = format!("{SECRET}{at}");
    }
    let lane = drawn.first().map(|counter| FireLane {
        mg: counter.id.clone(),
        hex: counter.hex,
    });
    let grid = alamein_hex::Grid::geomorphic();
    let known = FireLane {
        mg: "mg".into(),
        hex: grid.hex("Q6").unwrap(),
    };
    let lanes = lane.into_iter().chain([known]).collect();
    position(open().into_iter().chain(drawn).collect(), lanes)
}

fn questions(position: &Position) -> Vec<v1::Question> {
    let grid = position.map().grid;
    let hex = |name: &str| grid.hex(name).unwrap();
    let unit = |id: &str| End::Counter {
        id: id.into(),
        corner: None,
    };
    let mut asked = Vec::new();
    for to in HEXES {
        let (from, to) = (unit("firer"), End::Hex(hex(to).into()));
        asked.push(Ask::LineOfSight { from, to });
    }
    for attack in [Attack::Direct, Attack::Mortar] {
        asked.push(Ask::LineOfFire {
            from: unit("firer"),
            to: unit("target"),
            attack,
            munition: Munition::He,
        });
    }
    asked.push(Ask::FireLane {
        mg: unit("mg"),
        counter_hex: hex("Q6"),
        mover_hex: hex("O5"),
        mover: LaneMover::Infantry,
    });
    asked.push(Ask::Movement {
        mover: Mover {
            ground_pressure: Some(GroundPressure::Low),
            ..Mover::new(CounterClass::Tank)
        },
        step: Step::enter(hex("O6"), hex("P6")),
        ec: None,
    });
    asked.push(Ask::SetUp(SetUp {
        piece: SetUpPiece::Unit {
            class: CounterClass::Gun,
            concealment: alamein_terrain::Concealment::Hidden,
            beneath: None,
        },
        hex: hex("P6"),
    }));
    let questions = asked.into_iter().map(Question::new);
    let mut asked: Vec<v1::Question> = questions.map(|it| encode::question(&it, &grid)).collect();
    // A probe that is called as something hidden may be, one that is known, and who is not there.
    for id in ["secret0", "target"] {
        let mut probed = asked[2].clone();
        probed.options = Some(v1::QuestionOptions {
            probes: vec![v1::Counter {
                id: id.into(),
                class: v1::CounterClass::Wreck.into(),
                hex: "O5".into(),
                ..v1::Counter::default()
            }],
            ..v1::QuestionOptions::default()
        });
        asked.push(probed);
    }
    for id in ["secret0", "secret4", "nobody"] {
        let end = Some(v1::end::End::CounterId(id.into()));
        let end = v1::End { end, corner: None };
        let from = Some(v1::End {
            end: Some(v1::end::End::CounterId("firer".into())),
            corner: None,
        });
        let question = v1::LineOfSightQuestion {
            from,
            to: Some(end),
        };
        asked.push(v1::Question {
            question: Some(v1::question::Question::LineOfSight(question)),
            ..v1::Question::default()
        });
    }
    asked
}

/// An answer as it travels, and as it reads.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    bytes: Vec<u8>,
    text: String,
}

fn answer<M: Message + Debug>(answer: Result<Response<M>, Status>) -> Answer {
    match answer {
        Ok(message) => Answer {
            bytes: message.get_ref().encode_to_vec(),
            text: format!("{:?}", message.get_ref()),
        },
        // Each request has an id of its own, which errors bear.
        Err(status) => Answer {
            bytes: Vec::new(),
            text: format!("{:?}", RemoteError::from(status)),
        },
    }
}

/// Everything that can be asked of a kept position, but for the questions of a batch.
async fn all_else(
    client: &Client,
    id: &str,
    position: &Position,
) -> BTreeMap<&'static str, Answer> {
    let subject = || {
        let subject = Some(v1::subject::Subject::PositionId(id.to_owned()));
        Some(v1::Subject { subject })
    };
    let side = || SIDE.to_owned();
    let grid = position.map().grid;
    let hex = |name: &str| grid.hex(name).unwrap();
    let moving = Moving::new(Mover {
        ground_pressure: Some(GroundPressure::Low),
        ..Mover::new(CounterClass::Tank)
    });
    let path = PathQuestion {
        moving: moving.clone(),
        steps: vec![
            Step::enter(hex("O6"), hex("P6")),
            Step::enter(hex("P6"), hex("P7")),
        ],
        allowance: Some(3),
    };
    let reach = ReachQuestion {
        moving,
        from: hex("O6"),
        allowance: 4,
        way: Way::Open,
    };
    let mut all = BTreeMap::new();
    let mut judges = client.adjudication();
    let price = v1::PricePathRequest {
        subject: subject(),
        question: Some(encode::path_question(&path, &grid)),
        as_side: side(),
        ..v1::PricePathRequest::default()
    };
    all.insert("path", answer(judges.price_path(price).await));
    let reachable = v1::ReachableRequest {
        subject: subject(),
        question: Some(encode::reach_question(&reach, &grid)),
        as_side: side(),
        ..v1::ReachableRequest::default()
    };
    all.insert("reach", answer(judges.reachable(reachable).await));
    let export = v1::ExportCaseRequest {
        subject: subject(),
        questions: questions(position).into_iter().take(12).collect(),
        as_side: side(),
        ..v1::ExportCaseRequest::default()
    };
    let exported = judges.export_case(export).await;
    let file = exported.as_ref().unwrap().get_ref().case_file.clone();
    assert!(!String::from_utf8(file).unwrap().contains(SECRET));
    all.insert("export", answer(exported));
    for (name, other_ruleset) in [("get", ""), ("unknown ruleset", "no-such-ruleset")] {
        let sight = v1::LineOfSightRequest {
            subject: subject(),
            ruleset: other_ruleset.to_owned(),
            as_side: side(),
            ..v1::LineOfSightRequest::default()
        };
        all.insert(name, answer(judges.line_of_sight(sight).await));
    }
    let mut positions = client.positions();
    let get = v1::GetPositionRequest {
        position_id: id.to_owned(),
        as_side: side(),
    };
    all.insert("position", answer(positions.get_position(get).await));
    let moved = Change::Move {
        id: "truck".into(),
        hex: hex("P7"),
        height: None,
        aboard: None,
    };
    let (after, _) = position.apply(&[moved]).unwrap();
    let after = Some(v1::subject::Subject::Position(encode::position(
        &after, false,
    )));
    let differ = v1::DiffPositionsRequest {
        before: subject(),
        after: Some(v1::Subject { subject: after }),
        as_side: side(),
    };
    let differing = positions.diff_positions(differ).await;
    assert_eq!(differing.as_ref().unwrap().get_ref().changes.len(), 1);
    all.insert("diff", answer(differing));
    let picture = v1::RenderMapRequest {
        subject: Some(v1::render_map_request::Subject::PositionId(id.to_owned())),
        as_side: side(),
        ..v1::RenderMapRequest::default()
    };
    let picture = client.maps().render_map(picture).await.unwrap();
    let svg = String::from_utf8(picture.get_ref().picture.clone()).unwrap();
    assert!(!svg.contains(SECRET));
    all.insert("picture", answer(Ok(picture)));
    all
}

async fn batch(
    client: &Client,
    id: &str,
    position: &Position,
    as_side: &str,
) -> v1::BatchAdjudicateResponse {
    let subject = Some(v1::subject::Subject::PositionId(id.to_owned()));
    let request = v1::BatchAdjudicateRequest {
        subject: Some(v1::Subject { subject }),
        questions: questions(position),
        view: View::Explain.into(),
        as_side: as_side.to_owned(),
        ..v1::BatchAdjudicateRequest::default()
    };
    let answer = client.adjudication().batch_adjudicate(request).await;
    answer.unwrap().into_inner()
}

fn ruling(answer: &v1::Answer) -> Option<&v1::Ruling> {
    match answer.answer.as_ref().unwrap() {
        v1::answer::Answer::Ruling(ruling) => Some(ruling),
        v1::answer::Answer::Error(_) => None,
    }
}

/// The numbers of a verdict on a line, without who and by what.
fn numbers(ruling: &v1::Ruling) -> Option<(i32, Option<i32>)> {
    let line = |line: &v1::LineOfSightVerdict| {
        let blocked = line.result() == v1::LineOfSightResult::Blocked;
        (line.result, line.hindrance.filter(|_| !blocked))
    };
    match ruling.verdict.as_ref()?.verdict.as_ref()? {
        Verdict::LineOfSight(sight) => Some(line(sight)),
        Verdict::LineOfFire(fire) => fire.line.as_ref().map(line),
        _ => None,
    }
}

/// All that a side is told of a position.
struct Told {
    id: String,
    batch: v1::BatchAdjudicateResponse,
    all_else: BTreeMap<&'static str, Answer>,
}

impl Told {
    async fn of(client: &Client, position: &Position) -> Self {
        let id = client.create_position(position).await.unwrap().id;
        let id = id.to_string();
        Self {
            batch: batch(client, &id, position, SIDE).await,
            all_else: all_else(client, &id, position).await,
            id,
        }
    }

    /// That it tells no more than another does, of a position that is the same to the side. Gives how many
    /// rulings are the same, and in how many what is hidden matters.
    fn is_like(&self, plain: &Self, truth: &v1::BatchAdjudicateResponse) -> (usize, usize) {
        let (mut alike, mut mattered) = (0, 0);
        assert_eq!(self.batch.position_id, plain.batch.position_id);
        for (name, told) in &self.all_else {
            let plain = &plain.all_else[name];
            assert_eq!(told.text, plain.text, "{name}");
            assert!(told == plain, "{name}");
        }
        let answers = self.batch.answers.iter().zip(&truth.answers);
        for ((told, truth), plain) in answers.zip(&plain.batch.answers) {
            let (text, same) = (format!("{told:?}"), told == plain);
            assert_eq!(same, told.encode_to_vec() == plain.encode_to_vec());
            let (Some(told), Some(plain)) = (ruling(told), ruling(plain)) else {
                assert!(same, "an error tells of what is hidden: {text} {plain:?}");
                continue;
            };
            // The question itself may be about such a name.
            let grounds = format!(
                "{:?} {:?} {:?} {:?} {:?} {:?}",
                told.verdict,
                told.findings,
                told.observations,
                told.considered,
                told.trace,
                told.contested_options,
            );
            let probed = format!("{:?}", told.question).contains(SECRET);
            assert!(probed || !grounds.contains(SECRET), "{text}");
            if let Some(truth) = ruling(truth) {
                assert_eq!(numbers(told), numbers(truth), "the verdict is the true one");
            }
            if told.hidden_matters {
                mattered += 1;
                assert_eq!(told.findings, plain.findings);
                assert_eq!(told.observations, plain.observations);
            } else {
                alike += 1;
                assert!(same, "{text} {plain:?}");
            }
        }
        (alike, mattered)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_that_differ_in_what_is_hidden_are_told_alike() {
    let (_server, client) = serve().await;
    let mut runner = TestRunner::deterministic();
    let (mut alike, mut mattered) = (0, 0);
    let plain = position(open(), hidden(&mut runner).fire_lanes()[..1].to_vec());
    assert!(plain.fire_lane("mg").is_some());
    let plain = Told::of(&client, &plain).await;
    for _ in 0..12 {
        let secret = hidden(&mut runner);
        let told = Told::of(&client, &secret).await;
        let truth = batch(&client, &told.id, &secret, "").await;
        let (like, not) = told.is_like(&plain, &truth);
        alike += like;
        mattered += not;
        for (told, plain) in told.batch.answers.iter().zip(&plain.batch.answers) {
            let (told, plain) = (ruling(told), ruling(plain));
            if let Some(told) = told.filter(|told| told.hidden_matters) {
                assert_ne!(told.ruling_id, plain.unwrap().ruling_id);
            }
        }
    }
    assert!(alike > 50 && mattered > 5, "{alike} alike, {mattered} not");
}
