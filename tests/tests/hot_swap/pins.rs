//! What is pinned stays, and new requests get the new code.

use alamein_client::{ErrorReason, v1};
use alamein_tests::stage::{CLUB, Expected, Stage, bytes, shots};
use alamein_tests::swapped::{ID, Swapped};

use crate::{admin, ask, client, reason, tem, try_to_ask};

#[tokio::test(flavor = "multi_thread")]
async fn a_pin_survives_a_swap_and_a_name_gets_the_new_code() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let first = builds.build("1.0.0", 1).unwrap();
    let second = builds.build("1.1.0", 2).unwrap();
    let stage = Stage::start(&first, &[]).unwrap();
    let (by_name, admin) = (client(&stage).await, admin(&stage).await);
    let mut expected = Expected::of(shots.clone()).unwrap();
    let (old, new) = (
        expected.add(&first).unwrap(),
        expected.add(&second).unwrap(),
    );

    let before = ask(&by_name, &shots).await;
    assert_eq!((expected.check(&before).unwrap(), tem(&before)), (old, 1));
    let told = |ruleset: v1::Ruleset| {
        let its = ruleset.plugins.into_iter().find(|it| it.plugin_id == ID);
        its.unwrap()
    };
    let code = told(by_name.ruleset().await.unwrap());
    let usual = by_name.clone().with_ruleset("default");
    let untouched = ask(&usual, &shots).await;
    tag(&by_name, "desert-2026").await;

    stage.lay("second", &second).unwrap();
    let replaced = admin.replace("second", Some(ID)).await.unwrap();
    let swap = &replaced.rulesets[..];
    assert_eq!(swap.len(), 1, "{swap:?}");
    assert_eq!(swap[0].ruleset_id, CLUB);
    let fingerprints = [&*swap[0].before_fingerprint, &swap[0].after_fingerprint];
    assert_eq!(fingerprints, [&*old.to_string(), &*new.to_string()]);

    let after = ask(&by_name, &shots).await;
    assert_eq!((expected.check(&after).unwrap(), tem(&after)), (new, 2));
    let now = told(by_name.ruleset().await.unwrap());
    assert_ne!(now.build_id, code.build_id, "it is other code");
    assert_eq!(now.build_id, replaced.plugin.build_id);
    assert_ne!(now.build_sha256, code.build_sha256);

    let nameless = by_name.clone().with_ruleset("");
    for pinned in [
        by_name.clone().with_ruleset(old.to_string()),
        by_name.clone().with_ruleset("desert-2026"),
        nameless.with_rules(old),
    ] {
        assert_eq!(bytes(&ask(&pinned, &shots).await), bytes(&before));
    }
    assert_eq!(bytes(&ask(&usual, &shots).await), bytes(&untouched));

    // A name and a fingerprint that it does not stand for any more.
    let guarded = by_name.clone().with_rules(old);
    let refused = try_to_ask(&guarded, &shots).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::RulesetNotAvailable);
    let guarded = by_name.clone().with_rules(new);
    assert_eq!(bytes(&ask(&guarded, &shots).await), bytes(&after));
}

async fn tag(client: &alamein_client::Client, tag: &str) {
    let request = v1::TagRulesetRequest {
        ruleset_id: CLUB.into(),
        tag: tag.into(),
        ..Default::default()
    };
    let mut stub = client.rulesets();
    stub.tag_ruleset(request).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_bears_the_rules_that_it_was_given_by() {
    let (builds, shots) = (Swapped::new().unwrap(), shots().unwrap());
    let stage = Stage::start(&builds.build("1.0.0", 1).unwrap(), &[]).unwrap();
    let client = client(&stage).await;
    let fingerprint = client.ruleset().await.unwrap().fingerprint;
    let position = alamein_proto::encode::position(&shots.position, false);
    let subject = v1::Subject {
        subject: Some(v1::subject::Subject::Position(position.clone())),
    };
    let grid = &shots.position.map().grid;
    let encode = |question| alamein_proto::encode::question(question, grid);
    let batch = v1::BatchAdjudicateRequest {
        subject: Some(subject),
        questions: shots.questions.iter().map(encode).collect(),
        ruleset: CLUB.into(),
        ..Default::default()
    };
    let answer = client.adjudication().batch_adjudicate(batch).await.unwrap();
    let headers = answer.metadata();
    assert_eq!(headers.get("alamein-rules").unwrap(), &*fingerprint);
    assert!(headers.get("alamein-generation").is_some());
    assert_eq!(answer.get_ref().rules_fingerprint, fingerprint);
    // What is checked says by what it was checked, too.
    let request = v1::CreatePositionRequest {
        position: Some(position),
        ruleset: CLUB.into(),
        ..Default::default()
    };
    let created = client.positions().create_position(request).await.unwrap();
    assert_eq!(created.get_ref().rules_fingerprint, fingerprint);
    assert!(stage.server.log().contains(&fingerprint), "the span has it");
}
