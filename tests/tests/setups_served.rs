//! Set-ups over gRPC: the same as in-process, and what is refused.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_client::{Client, Error, ErrorReason};
use alamein_engine::{Engine, Wanted};
use alamein_proto::v1::{self, set_up_question::Piece};
use alamein_proto::{decode, encode};
use alamein_terrain::{Ask, Concealment, CounterClass, Fortification, Position, Question};
use alamein_terrain::{SetUp, SetUpPiece};
use alamein_tests::serving::{Server, served};
use alamein_tests::{engine, known, linked_plugins, root};

/// The positions of the cases about set-ups, and an engine on the plugins that are linked into this
/// program.
fn position() -> (Engine, Arc<Position>) {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let file = root().join("tests/cases/setup.json");
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    (engine, case.position)
}

async fn serve() -> (Server, Client) {
    served(&[]).await.unwrap()
}

fn subject(position: &Position) -> Option<v1::Subject> {
    let position = encode::position(position, false);
    Some(v1::Subject {
        subject: Some(v1::subject::Subject::Position(position)),
    })
}

async fn set_up(client: &Client, request: v1::SetUpRequest) -> Result<v1::Ruling, Error> {
    let answer = client.call(&request, |request| {
        let mut stub = client.adjudication();
        async move { stub.set_up(request).await }
    });
    Ok(answer.await?.ruling.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn alone_it_is_ruled_on_as_in_process() {
    let (engine, position) = position();
    let (_server, client) = serve().await;
    let gun = |beneath| SetUpPiece::Unit {
        class: CounterClass::Gun,
        concealment: Concealment::Hidden,
        beneath,
    };
    let pieces = [
        gun(None),
        gun(Some(Fortification::Trench)),
        SetUpPiece::Fortification(Fortification::Sangar),
    ];
    let grid = position.map().grid;
    for piece in pieces {
        for hex in ["J2", "J4", "N4"].map(|name| grid.hex(name).unwrap()) {
            let question = Question::new(Ask::SetUp(SetUp { piece, hex }));
            let message = encode::question(&question, &grid);
            let Some(v1::question::Question::SetUp(asked)) = message.question else {
                panic!("{message:?}")
            };
            let request = v1::SetUpRequest {
                subject: subject(&position),
                question: Some(asked),
                view: v1::View::Explain.into(),
                ..v1::SetUpRequest::default()
            };
            let there = set_up(&client, request).await.unwrap();
            let there = decode::ruling(&there).unwrap();
            let here = engine
                .adjudicate_here(
                    &engine.ruleset(),
                    Arc::clone(&position),
                    std::slice::from_ref(&question),
                    Wanted::default(),
                )
                .unwrap();
            let here = &here[0].as_ref().unwrap().ruling;
            assert_eq!(there.canonical(), here.canonical(), "{question:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_set_up_is_refused_with_its_field() {
    let (_, position) = position();
    let (_server, client) = serve().await;
    let ask = async |unit: v1::SetUpUnit| {
        let request = v1::SetUpRequest {
            subject: subject(&position),
            question: Some(v1::SetUpQuestion {
                hex: "J4".into(),
                piece: Some(Piece::Unit(unit)),
            }),
            ..v1::SetUpRequest::default()
        };
        set_up(&client, request).await.unwrap_err()
    };
    let wreck = v1::SetUpUnit {
        class: v1::CounterClass::Wreck.into(),
        ..v1::SetUpUnit::default()
    };
    let in_wire = v1::SetUpUnit {
        class: v1::CounterClass::Squad.into(),
        beneath: v1::Fortification::Wire.into(),
        ..v1::SetUpUnit::default()
    };
    for (unit, field) in [(wreck, "class"), (in_wire, "beneath")] {
        let error = ask(unit).await;
        let remote = error.remote().unwrap_or_else(|| panic!("{error}"));
        assert_eq!(remote.reason, Some(ErrorReason::CannotSetUp), "{error}");
        assert_eq!(remote.fields[0].field, format!("question.unit.{field}"));
    }
}
