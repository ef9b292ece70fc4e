//! Positions over gRPC: changes, what differs, and what is refused.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_client::v1::{self, ErrorReason as R, change::Change as Given, subject};
use alamein_client::{Client, Error, RemoteError, Subject};
use alamein_hex::Hex;
use alamein_proto::encode;
use alamein_terrain::{Change, CounterFlags, FireLane, Position, changed, diff};
use alamein_tests::serving::{Server, served};
use alamein_tests::{engine, known, linked_plugins, root};
use tonic::Status;

async fn serve(flags: &'static [&'static str]) -> (Server, Client) {
    served(flags).await.unwrap()
}

fn example() -> Arc<Position> {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let file = root().join("tests/cases/f4-example.json");
    alamein_cases::load(&file, &known(&engine))
        .unwrap()
        .position
}

fn hex(position: &Position, name: &str) -> Hex {
    position.map().grid.hex(name).unwrap()
}

fn by_id(id: &str) -> Option<v1::Subject> {
    let subject = Some(subject::Subject::PositionId(id.to_owned()));
    Some(v1::Subject { subject })
}

fn messages(position: &Position, changes: &[Change]) -> Vec<v1::Change> {
    let grid = position.map().grid;
    changes.iter().map(|it| encode::change(it, &grid)).collect()
}

fn refused(status: Status, reason: R, field: &str) {
    let error = Error::from(RemoteError::from(status));
    let remote = error.remote().unwrap();
    assert_eq!(remote.reason, Some(reason), "{error}");
    let fields = remote.fields.iter().map(|fault| fault.field.as_str());
    assert_eq!(fields.collect::<Vec<_>>(), [field], "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_make_another_position() {
    let (_server, client) = serve(&["--max-changes", "3"]).await;
    let before = example();
    let id = client.create_position(&before).await.unwrap().id;
    let tank = before.counters().iter().find(|it| it.class.is_vehicle());
    let tank = tank.unwrap().id.clone();
    let mg = before.counters().iter().find(|it| it.class.is_infantry());
    let mg = mg.unwrap().id.clone();
    let lane = FireLane {
        mg: mg.clone(),
        hex: hex(&before, "Q6"),
    };
    let changes = [
        Change::Turn {
            id: tank.clone(),
            facing: Some(2),
        },
        Change::Flags {
            id: tank.clone(),
            set: CounterFlags::IN_MOTION,
            clear: CounterFlags::none(),
        },
        Change::LayFireLane(lane),
    ];
    let (after, _) = before.apply(&changes).unwrap();
    let mut positions = client.positions();
    let asked = v1::ApplyChangesRequest {
        subject: by_id(&id.to_string()),
        changes: messages(&before, &changes),
        ..v1::ApplyChangesRequest::default()
    };

    // A trial keeps nothing.
    let trial = v1::ApplyChangesRequest {
        validate_only: true,
        ..asked.clone()
    };
    let tried = positions.apply_changes(trial).await.unwrap().into_inner();
    assert_eq!(
        (&*tried.position_id, tried.created),
        (&*after.id().to_string(), true)
    );
    let get = v1::GetPositionRequest {
        position_id: tried.position_id.clone(),
        ..v1::GetPositionRequest::default()
    };
    let gone = positions.get_position(get.clone()).await.unwrap_err();
    refused(gone, R::PositionNotFound, "position_id");

    // The same again gives the same.
    let made = positions
        .apply_changes(asked.clone())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(made, tried);
    let again = positions
        .apply_changes(asked.clone())
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        again,
        v1::ApplyChangesResponse {
            created: false,
            ..made.clone()
        }
    );
    assert_eq!(made.previous_position_id, id.to_string());
    let grid = before.map().grid;
    let differences = changed(&before, &after);
    let differences = differences.iter().map(|it| encode::difference(it, &grid));
    assert_eq!(made.differences, differences.collect::<Vec<_>>());
    let got = positions.get_position(get).await.unwrap().into_inner();
    assert_eq!(got.position.unwrap(), encode::position(&after, true));

    // A carried position is changed as well as one that is kept.
    let carried = v1::ApplyChangesRequest {
        subject: Some(v1::Subject {
            subject: Some(subject::Subject::Position(encode::position(&before, false))),
        }),
        ..asked.clone()
    };
    let carried = positions.apply_changes(carried).await.unwrap().into_inner();
    assert_eq!(carried, again);

    // What differs leads from one to the other.
    let differ = v1::DiffPositionsRequest {
        before: by_id(&id.to_string()),
        after: by_id(&made.position_id),
        ..v1::DiffPositionsRequest::default()
    };
    let differ = positions.diff_positions(differ).await.unwrap().into_inner();
    assert_eq!(differ.differences, made.differences);
    let expected = diff(&before, &after).unwrap();
    assert_eq!(differ.changes, messages(&before, &expected));
    let by_diff = v1::ApplyChangesRequest {
        changes: differ.changes,
        ..asked.clone()
    };
    let by_diff = positions.apply_changes(by_diff).await.unwrap().into_inner();
    assert_eq!(by_diff.position_id, made.position_id);

    // A Fire Lane that is on the map need not be named.
    let ask = |counter_hex: &str| v1::FireLaneRequest {
        subject: by_id(&made.position_id),
        question: Some(v1::FireLaneQuestion {
            mg: Some(v1::End {
                end: Some(v1::end::End::CounterId(mg.clone())),
                corner: None,
            }),
            counter_hex: counter_hex.into(),
            mover_hex: "P6".into(),
            mover: v1::LaneMover::Infantry.into(),
        }),
        ..v1::FireLaneRequest::default()
    };
    let mut judges = client.adjudication();
    let named = judges.fire_lane(ask("Q6")).await.unwrap().into_inner();
    let laid = judges.fire_lane(ask("")).await.unwrap().into_inner();
    assert_eq!(named, laid);
    let ruled = client
        .adjudicate(Subject::from(&after), &[], v1::View::Full)
        .await;
    assert!(ruled.is_err(), "no question is no batch");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_that_cannot_be_made_are_refused_by_name() {
    let (_server, client) = serve(&["--max-changes", "3"]).await;
    let before = example();
    let id = client
        .create_position(&before)
        .await
        .unwrap()
        .id
        .to_string();
    let tank = before.counters().iter().find(|it| it.class.is_vehicle());
    let tank = tank.unwrap().id.clone();
    let mut positions = client.positions();
    let mut rows = vec![
        (
            vec![v1::Change::default()],
            R::MissingField,
            "changes[0].change",
        ),
        (vec![v1::Change::default(); 4], R::TooLong, "changes"),
    ];
    let remove = |id: &str| {
        let counter_id = id.to_owned();
        let change = Some(Given::Remove(v1::RemoveChange { counter_id }));
        v1::Change { change }
    };
    let gone = vec![remove(&tank), remove(&tank)];
    rows.push((gone, R::UnknownCounter, "changes[1].remove.counter_id"));
    let lift = v1::LiftFireLaneChange {
        counter_id: tank.clone(),
    };
    let lift = v1::Change {
        change: Some(Given::LiftFireLane(lift)),
    };
    rows.push((
        vec![lift],
        R::ChangeInvalid,
        "changes[0].lift_fire_lane.counter_id",
    ));
    let odd = v1::AttributeChange {
        counter_id: tank.clone(),
        name: "nobody.asks".into(),
        value: Some(1),
    };
    let odd = v1::Change {
        change: Some(Given::Attribute(odd)),
    };
    // Once it is made, the position does not suit the ruleset.
    rows.push((vec![odd], R::UnknownAttribute, "subject.position_id"));
    for (changes, reason, field) in rows {
        let asked = v1::ApplyChangesRequest {
            subject: by_id(&id),
            changes,
            ..v1::ApplyChangesRequest::default()
        };
        refused(
            positions.apply_changes(asked).await.unwrap_err(),
            reason,
            field,
        );
    }
    let nowhere = v1::ApplyChangesRequest::default();
    let status = positions.apply_changes(nowhere).await.unwrap_err();
    refused(status, R::MissingField, "subject");
    let other = alamein_terrain::Map {
        base_level: 1,
        ..alamein_terrain::Map::flat(before.map().grid)
    };
    let other = Position::new(other.into(), vec![], before.environment()).unwrap();
    let other = client.create_position(&other).await.unwrap().id.to_string();
    let differ = |before: &str, after: &str| v1::DiffPositionsRequest {
        before: by_id(before),
        after: by_id(after),
        ..v1::DiffPositionsRequest::default()
    };
    let status = positions
        .diff_positions(differ(&id, &other))
        .await
        .unwrap_err();
    refused(status, R::MapsDiffer, "after");
    let status = positions
        .diff_positions(differ(&id, "x"))
        .await
        .unwrap_err();
    refused(status, R::PositionNotFound, "after.position_id");
}
