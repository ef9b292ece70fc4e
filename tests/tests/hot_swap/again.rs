//! An answer that was given before is given again by the rules alone that it was given by.

use alamein_client::{Client, ErrorReason, v1};
use alamein_tests::stage::{CLUB, Shots, Stage, shots};
use alamein_tests::swapped::{ID, Swapped};

use crate::{admin, client, reason};

/// A request for the first of the shots by itself, about a position that is kept.
async fn shot(client: &Client, shots: &Shots, ruleset: &str) -> v1::LineOfFireRequest {
    let kept = client.create_position(&shots.position).await.unwrap();
    let grid = &shots.position.map().grid;
    let asked = alamein_proto::encode::question(&shots.questions[0], grid);
    let Some(v1::question::Question::LineOfFire(question)) = asked.question else {
        unreachable!("it is a shot");
    };
    v1::LineOfFireRequest {
        subject: Some(v1::Subject {
            subject: Some(v1::subject::Subject::PositionId(kept.id.to_string())),
        }),
        question: Some(question),
        options: asked.options,
        ruleset: ruleset.into(),
        ..v1::LineOfFireRequest::default()
    }
}

/// The ruling on it.
async fn alone(client: &Client, shots: &Shots, ruleset: &str) -> v1::Ruling {
    let request = shot(client, shots, ruleset).await;
    let answer = client.adjudication().line_of_fire(request).await.unwrap();
    answer.into_inner().ruling.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_the_same_after_a_swap_gets_the_new_code() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let first = builds.build("1.0.0", 1).unwrap();
    let second = builds.build("1.1.0", 2).unwrap();
    let stage = Stage::start(&first, &[]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let pin = client.ruleset().await.unwrap().fingerprint;

    let before = alone(&client, &shots, CLUB).await;
    assert_eq!(alone(&client, &shots, CLUB).await, before);
    let pinned = alone(&client, &shots, &pin).await;
    assert_eq!(pinned, before);
    stage.lay("second", &second).unwrap();
    admin.replace("second", Some(ID)).await.unwrap();

    let after = alone(&client, &shots, CLUB).await;
    assert_ne!(after.rules_fingerprint, before.rules_fingerprint);
    assert_ne!(after.verdict, before.verdict);
    assert_eq!(alone(&client, &shots, CLUB).await, after);
    // Who pins the rules is told what they say.
    assert_eq!(alone(&client, &shots, &pin).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_the_rules_of_before_is_refused_although_it_was_answered_so() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &[]).unwrap();
    let (client, admin) = (client(&stage).await, admin(&stage).await);
    let pin = client.ruleset().await.unwrap().fingerprint;
    let request = v1::LineOfFireRequest {
        rules_fingerprint: pin,
        ..shot(&client, &shots, CLUB).await
    };
    for _ in 0..2 {
        let mut stub = client.adjudication();
        stub.line_of_fire(request.clone()).await.unwrap();
    }
    let second = builds.build("1.1.0", 2).unwrap();
    stage.lay("second", &second).unwrap();
    admin.replace("second", Some(ID)).await.unwrap();
    let refused = client.adjudication().line_of_fire(request).await;
    let refused = alamein_client::Error::from(refused.unwrap_err());
    assert_eq!(reason(&refused), ErrorReason::RulesetNotAvailable);
}
