//! Changes of a side, which can name nothing that is hidden from it.

use alamein_client::{Client, ErrorReason, RemoteError, v1};
use alamein_proto::encode;
use alamein_terrain::{Change, Counter, CounterClass, FireLane, Position};
use proptest::test_runner::TestRunner;
use tonic::{Response, Status};

use super::{Answer, SECRET, SIDE, answer, counter, hidden, open, position, serve};

type Applied = Result<Response<v1::ApplyChangesResponse>, Status>;

/// What a side might try, and a word for each.
fn tries() -> Vec<(&'static str, Vec<Change>)> {
    let hex = |name| alamein_hex::Grid::geomorphic().hex(name).unwrap();
    let step = |id: &str| Change::Move {
        id: id.into(),
        hex: hex("P7"),
        height: None,
        aboard: None,
    };
    let board = |carrier: &str| Change::Board {
        id: "mg".into(),
        carrier: carrier.into(),
    };
    let lane = |mg: &str| {
        Change::LayFireLane(FireLane {
            mg: mg.into(),
            hex: hex("P5"),
        })
    };
    let secret = || format!("{SECRET}0");
    vec![
        ("move", vec![step("truck")]),
        (
            "reveal",
            vec![Change::KnownTo {
                id: "firer".into(),
                sides: ["german".to_owned()].into(),
            }],
        ),
        ("move what is hidden", vec![step("truck"), step("secret0")]),
        (
            "remove what is hidden",
            vec![Change::Remove { id: secret() }],
        ),
        ("board what is hidden", vec![board("secret0")]),
        ("lay a lane of what is hidden", vec![lane("secret0")]),
        (
            "lift a lane of what is hidden",
            vec![Change::LiftFireLane { mg: secret() }],
        ),
        (
            "reveal what is hidden",
            vec![Change::KnownTo {
                id: secret(),
                sides: [SIDE.to_owned()].into(),
            }],
        ),
        (
            "turn what is hidden",
            vec![Change::Turn {
                id: secret(),
                facing: Some(1),
            }],
        ),
    ]
}

async fn apply(client: &Client, id: &str, changes: &[Change], as_side: &str) -> Applied {
    let subject = v1::subject::Subject::PositionId(id.to_owned());
    let grid = alamein_hex::Grid::geomorphic();
    let request = v1::ApplyChangesRequest {
        subject: Some(v1::Subject {
            subject: Some(subject),
        }),
        changes: changes.iter().map(|it| encode::change(it, &grid)).collect(),
        as_side: as_side.to_owned(),
        ..v1::ApplyChangesRequest::default()
    };
    client.positions().apply_changes(request).await
}

async fn kept(client: &Client, position: &Position) -> String {
    let kept = client.create_position(position).await.unwrap();
    kept.id.to_string()
}

/// What a side is told: all but the id that is for whoever runs the game.
fn told(applied: Applied) -> Answer {
    answer(applied.map(|mut applied| {
        applied.get_mut().kept_position_id.clear();
        applied
    }))
}

fn reason(applied: Applied) -> Option<ErrorReason> {
    RemoteError::from(applied.unwrap_err()).reason
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_side_are_told_by_what_it_knows() {
    let (_server, client) = serve().await;
    let mut runner = TestRunner::deterministic();
    let lanes = hidden(&mut runner).fire_lanes()[..1].to_vec();
    let plain = kept(&client, &position(open(), lanes)).await;
    let mut named = 0;
    for _ in 0..6 {
        let secret = hidden(&mut runner);
        named += usize::from(secret.counter("secret0").is_some());
        let id = kept(&client, &secret).await;
        for (what, changes) in tries() {
            let theirs = told(apply(&client, &id, &changes, SIDE).await);
            let plain = told(apply(&client, &plain, &changes, SIDE).await);
            assert_eq!(theirs, plain, "{what}");
        }
        // What comes of it has what is hidden as it was, and is kept.
        let (_, changes) = &tries()[0];
        let made = apply(&client, &id, changes, SIDE)
            .await
            .unwrap()
            .into_inner();
        let (after, _) = secret.apply(changes).unwrap();
        assert_eq!(made.kept_position_id, after.id().to_string());
        assert_eq!(made.position_id, after.seen_by(SIDE).id().to_string());
        let there = client.position(after.id(), None).await.unwrap();
        assert_eq!(there, after);
    }
    assert!(named > 2, "{named}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_is_as_little_there_as_what_is_not() {
    let (_server, client) = serve().await;
    let secret = Counter {
        known_to: ["german".to_owned()].into(),
        ..counter("secret0", CounterClass::Tank, "P6", "german")
    };
    let rider = Counter {
        aboard: Some("lorry".into()),
        known_to: ["german".to_owned()].into(),
        ..counter("secret1", CounterClass::Squad, "P6", "german")
    };
    let lorry = counter("lorry", CounterClass::Truck, "P6", "german");
    let all = open().into_iter().chain([secret.clone(), rider, lorry]);
    let id = kept(&client, &position(all.collect(), Vec::new())).await;
    let remove = |id: &str| vec![Change::Remove { id: id.into() }];

    // The refusal is the same but for the name that was given.
    let hidden = told(apply(&client, &id, &remove("secret0"), SIDE).await);
    let absent = told(apply(&client, &id, &remove("nobody0"), SIDE).await);
    assert_eq!(hidden.text.replace("secret0", "nobody0"), absent.text);
    assert!(hidden.text.contains("UnknownCounter"), "{}", hidden.text);
    let removed = apply(&client, &id, &remove("secret0"), "").await;
    assert_eq!(removed.unwrap().get_ref().differences.len(), 1);

    // Where only something hidden is in the way, that is all that is told.
    let hidden = apply(&client, &id, &remove("lorry"), SIDE).await;
    assert_eq!(reason(hidden), Some(ErrorReason::Hidden));
    let truth = apply(&client, &id, &remove("lorry"), "").await;
    assert_eq!(reason(truth), Some(ErrorReason::ChangeInvalid));
    let taken = counter("secret0", CounterClass::Squad, "N5", SIDE);
    let taken = apply(&client, &id, &[Change::Place(taken)], SIDE).await;
    assert_eq!(reason(taken), Some(ErrorReason::Hidden));

    // What it knows moves with what it may not know of.
    let away = Change::Move {
        id: "lorry".into(),
        hex: secret.hex,
        height: None,
        aboard: None,
    };
    let moved = apply(&client, &id, &[away], SIDE).await.unwrap();
    assert!(!format!("{:?}", moved.get_ref().differences).contains(SECRET));
}
