//! What comes back.

use alamein_client::{Client, Error, ErrorReason, FieldFault, Subject, View};
use alamein_terrain::Digest;
use tonic::Code;

use crate::stub::{Trouble, answer, position, quick, served, sight};

#[tokio::test]
async fn rulings_come_back_whole_and_errors_in_their_place() {
    let (stub, client) = served(quick()).await;
    let position = position();
    let questions = [sight("tank"), sight("ghost"), sight("tank")];
    let mut answers = client
        .adjudicate(&position, &questions, View::Explain)
        .await
        .unwrap();
    assert_eq!(answers.len(), 3);
    let expected = answer(&questions[0], position.id());
    for at in [0, 2] {
        let given = answers[at].as_ref().unwrap();
        assert_eq!(*given, expected);
        assert_eq!(given.ruling.canonical(), expected.ruling.canonical());
    }
    let error = answers.remove(1).unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::UnknownCounter));
    let remote = error.remote().unwrap();
    assert_eq!(remote.code, Code::InvalidArgument);
    assert_eq!(remote.metadata["counter"], "ghost");
    let fault = FieldFault {
        field: "line_of_sight.from.counter_id".into(),
        what: "no such counter".into(),
    };
    assert_eq!(remote.fields, [fault]);
    assert_eq!(
        error.to_string(),
        "UNKNOWN_COUNTER: there is no counter \"ghost\" in the position"
    );
    assert!(stub.seen()[0].batch.rules_fingerprint.is_empty());
}

#[tokio::test]
async fn a_view_below_explain_leaves_out_what_was_considered() {
    let (_stub, client) = served(quick()).await;
    let position = position();
    let answers = client
        .adjudicate(&position, &[sight("tank")], View::Verdict)
        .await;
    let given = answers.unwrap().remove(0).unwrap();
    let expected = answer(&sight("tank"), position.id()).ruling;
    assert_eq!(
        (given.ruling.id, &given.ruling.verdict),
        (expected.id, &expected.verdict)
    );
    assert!(given.ruling.considered.is_empty() && given.other_policies.is_empty());
}

#[tokio::test]
async fn a_kept_position_is_named_by_its_id() {
    let (stub, client) = served(quick()).await;
    let position = position();
    let kept = client.create_position(&position).await.unwrap();
    assert_eq!(kept.id, position.id());
    let rules = Digest::of(b"rules");
    let client = client.with_rules(rules);
    let answers = client
        .adjudicate(kept, &[sight("tank")], View::Explain)
        .await
        .unwrap();
    assert!(answers[0].is_ok());
    let seen = &stub.seen()[0].batch;
    assert_eq!(seen.subject, Some(message(&kept.id.to_string())));
    assert_eq!(seen.rules_fingerprint, rules.to_string());
}

fn message(id: &str) -> alamein_client::v1::Subject {
    let subject = alamein_client::v1::subject::Subject::PositionId(id.into());
    alamein_client::v1::Subject {
        subject: Some(subject),
    }
}

#[tokio::test]
async fn a_ruling_on_another_position_is_no_answer() {
    let (stub, client) = served(quick()).await;
    stub.trouble([Trouble::Stray]);
    let position = position();
    let answers = client
        .adjudicate(&position, &[sight("tank")], View::Full)
        .await
        .unwrap();
    assert!(matches!(answers[0], Err(Error::Answer(_))), "{answers:?}");
}

#[tokio::test]
async fn the_rest_of_the_api_is_at_hand() {
    let (_stub, client) = served(quick()).await;
    assert_eq!(client.ruleset().await.unwrap().ruleset_id, "default");
    let position = position();
    let questions = [sight("tank"), sight("tank")];
    let case = client
        .export_case(&position, &questions, Some("dispute"))
        .await
        .unwrap();
    assert_eq!(
        (&*case.name, &*case.content),
        ("dispute.json", &b"2 questions"[..])
    );
    let request = alamein_client::v1::ListMapsRequest::default();
    let error = client.maps().list_maps(request).await.unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented, "the stub keeps no maps");
}

#[tokio::test]
async fn calls_may_be_made_from_tasks() {
    let (_stub, client) = served(quick()).await;
    let task = tokio::spawn(async move {
        let position = position();
        let subject = Subject::from(&position);
        let ruleset = client.ruleset().await.map(|_| ());
        let kept = client.create_position(&position).await.map(|_| ());
        let case = client.export_case(subject, &[], None).await.map(|_| ());
        let answers = client
            .adjudicate(subject, &[], View::Full)
            .await
            .map(|_| ());
        ruleset.and(kept).and(case).and(answers)
    });
    task.await.unwrap().unwrap();
}

#[tokio::test]
async fn where_nobody_listens_there_is_no_connection() {
    // The port is free again once the listener is gone.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for url in [&*url, "no url"] {
        let error = Client::connect(url).await.unwrap_err();
        assert!(matches!(error, Error::Connect { .. }), "{error}");
        assert!(error.to_string().contains(url));
    }
}
