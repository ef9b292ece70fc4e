//! Who asks the same again is told the same, and all that is told of requests counts it.

use std::fs;

use alamein_proto::v1;
use alamein_tests::serving::Server;
use tonic::Request;

use crate::scrape::value;
use crate::{position, serve, sight, stub};

/// A question about a position that is kept.
async fn kept(server: &Server) -> v1::LineOfSightRequest {
    let url = format!("http://{}", server.address());
    let positions = alamein_client::Client::connect(&url).await.unwrap();
    let request = v1::CreatePositionRequest {
        position: Some(position()),
        ..v1::CreatePositionRequest::default()
    };
    let created = positions.positions().create_position(request).await;
    let id = created.unwrap().into_inner().position_id;
    v1::LineOfSightRequest {
        subject: Some(v1::Subject {
            subject: Some(v1::subject::Subject::PositionId(id)),
        }),
        ..sight(position(), "H", "K").into_inner()
    }
}

fn repeated(server: &Server) -> f64 {
    value(server, "answers_repeated_total").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_the_same_again_is_told_the_same_and_is_counted() {
    let flags = ["--metrics=127.0.0.1:0", "--log-rulings=1"];
    let server = serve(&flags).await;
    let mut stub = stub(&server).await;
    let asked = kept(&server).await;
    let first = stub.line_of_sight(asked.clone()).await.unwrap();
    assert!(value(&server, "answers_kept_bytes").unwrap() > 0.0);
    for times in 1..4 {
        let mut request = Request::new(asked.clone());
        let id = format!("again-{times}");
        let headers = request.metadata_mut();
        headers.insert("alamein-request-id", id.parse().unwrap());
        let again = stub.line_of_sight(request).await.unwrap();
        assert_eq!(again.get_ref(), first.get_ref());
        for header in ["alamein-rules", "alamein-generation", "content-type"] {
            assert_eq!(again.metadata().get(header), first.metadata().get(header));
        }
        assert_eq!(again.metadata().get("alamein-request-id").unwrap(), &*id);
        assert_eq!(repeated(&server), f64::from(times));
    }
    let ruling = first.get_ref().ruling.clone().unwrap().ruling_id;
    let log = server.log();
    let lines = |of: &str| {
        log.lines()
            .filter(|line| line.contains(of) && line.contains(&ruling))
            .count()
    };
    assert_eq!(lines("ruled"), 4, "{log}");
    // What is told of an answer that is given again is told as of any other. The last may yet be written.
    for (what, times) in [("ruled", 1..4), ("answered", 1..3)] {
        for times in times {
            let id = format!("request_id=\"again-{times}\"");
            let words = [
                what,
                &id,
                &ruling,
                "method=\"LineOfSight\"",
                "tenant=\"main\"",
            ];
            let told = |line: &str| words.iter().all(|word| line.contains(word));
            assert!(log.lines().any(told), "{words:?}: {log}");
        }
    }
    let service = r#"service="AdjudicationService",method="LineOfSight""#;
    let answered = format!(r#"rpc_handled_total{{{service},code="OK",reason="NONE"}}"#);
    assert_eq!(value(&server, &answered), Some(4.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_differs_at_all_is_judged() {
    let server = serve(&["--metrics=127.0.0.1:0"]).await;
    let mut stub = stub(&server).await;
    let asked = kept(&server).await;
    let turned = v1::LineOfSightQuestion {
        from: asked.question.as_ref().unwrap().to.clone(),
        to: asked.question.as_ref().unwrap().from.clone(),
    };
    let wrong = v1::LineOfSightRequest {
        rules_fingerprint: "0".repeat(64),
        ..asked.clone()
    };
    let others = [
        v1::LineOfSightRequest {
            view: v1::View::Verdict.into(),
            ..asked.clone()
        },
        v1::LineOfSightRequest {
            question: Some(turned),
            ..asked.clone()
        },
        v1::LineOfSightRequest {
            ruleset: "default".into(),
            ..asked.clone()
        },
        v1::LineOfSightRequest {
            as_side: "axis".into(),
            ..asked.clone()
        },
    ];
    let first = stub.line_of_sight(asked).await.unwrap().into_inner();
    for other in others {
        stub.line_of_sight(other).await.unwrap();
    }
    for _ in 0..2 {
        stub.line_of_sight(wrong.clone()).await.unwrap_err();
    }
    assert_eq!(repeated(&server), 0.0);
    assert!(first.ruling.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_kept_where_none_is_wanted_or_all_is_written_down() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let record = folder.path().join("asked.jsonl");
    let recording = format!("--record={}", record.display());
    for flag in ["--answer-cache=0", &recording] {
        let mut server = serve(&["--metrics=127.0.0.1:0", flag]).await;
        let mut stub = stub(&server).await;
        let asked = kept(&server).await;
        let first = stub.line_of_sight(asked.clone()).await.unwrap();
        let again = stub.line_of_sight(asked).await.unwrap();
        assert_eq!(first.get_ref(), again.get_ref());
        assert_eq!(repeated(&server), 0.0, "{flag}");
        assert_eq!(value(&server, "answers_kept_bytes"), Some(0.0), "{flag}");
        assert!(server.stop().unwrap().success());
    }
    assert!(fs::metadata(&record).unwrap().len() > 0);
}
