//! Fields of view, and questions over one stream, by the running service: the same as in-process.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;
use std::time::Duration;

use alamein_client::v1::{self, answer::Answer};
use alamein_client::{AnswerOrder, Client, Error, ErrorReason, RemoteError, View};
use alamein_engine::{Engine, Wanted};
use alamein_hex::{Aim, Grid, Hex};
use alamein_proto::{decode, encode};
use alamein_terrain::{
    Ask, Counter, CounterClass, End, Environment, FieldOfView, FieldQuestion, GrazingPolicy, Map,
    Position, Question, Sight,
};
use alamein_tests::serving::{Server, served};
use alamein_tests::{engine, known, linked_plugins, root};
use futures::{StreamExt as _, stream};
use tonic::{Code, Status};

/// The worked example, and an engine on the plugins that are linked into this program.
fn example() -> (Engine, Arc<Position>) {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let file = root().join("tests/cases/f4-example.json");
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    (engine, case.position)
}

async fn serve(flags: &[&str]) -> (Server, Client) {
    served(flags).await.unwrap()
}

fn hex(position: &Position, name: &str) -> Hex {
    position.map().grid.hex(name).unwrap()
}

fn counter(id: &str) -> End {
    End::Counter {
        id: id.into(),
        corner: None,
    }
}

fn look(engine: &Engine, position: &Arc<Position>, question: &FieldQuestion) -> FieldOfView {
    let (ruleset, position) = (engine.ruleset(), Arc::clone(position));
    let field = engine.field_of_view_here(ruleset, position, question, Wanted::default());
    field.unwrap()
}

#[track_caller]
fn refused(error: &Error, reason: ErrorReason, field: &str) {
    let remote = error.remote().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(remote.reason, Some(reason), "{error}");
    assert_eq!(remote.fields[0].field, field, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_of_view_is_the_same_packed_and_in_parts() {
    let (engine, position) = example();
    let (_server, client) = serve(&[]).await;
    let kept = client.create_position(&position).await.unwrap();
    let plain = FieldQuestion::new(counter("H"));
    let questions = [
        FieldQuestion {
            range: Some(3),
            ..plain.clone()
        },
        FieldQuestion {
            policy: Some(GrazingPolicy::Both),
            ..FieldQuestion::new(End::Hex(Aim::corner(hex(&position, "P6"), 2).unwrap()))
        },
        plain,
    ];
    for question in questions {
        let expected = look(&engine, &position, &question);
        let packed = client.field_of_view(&*position, &question).await.unwrap();
        // The served plugins are loaded ones, so that their fingerprint is another.
        let here = FieldOfView {
            rules: packed.rules,
            ..expected
        };
        assert_eq!(packed, here, "{question:?}");
        let looking = client.look(kept, &question).await.unwrap();
        assert_eq!(looking.whole().await.unwrap(), here, "{question:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_map_comes_in_many_parts() {
    let (_server, client) = serve(&[]).await;
    let map = Arc::new(Map::flat(Grid::new(99, 20).unwrap()));
    let middle = map.grid.hex("W10").unwrap();
    let wreck = Counter::new("wreck", CounterClass::Wreck, map.grid.hex("X9").unwrap());
    let position = Position::new(map, vec![wreck], Environment::default()).unwrap();
    let position = Arc::new(position);
    let question = FieldQuestion::new(End::Hex(middle.into()));
    let mut looking = client.look(&*position, &question).await.unwrap();
    let (mut parts, mut sights) = (0, Vec::new());
    while let Some(more) = looking.judged().await.unwrap() {
        parts += 1;
        sights.extend(more);
    }
    assert!(parts > 2, "{parts}");
    assert_eq!(sights.len(), position.map().grid.len());
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let here = look(&engine, &position, &question);
    assert_eq!(sights, here.sights);
    assert!(sights.iter().any(|(_, sight)| *sight == Sight::Hindered(1)));
    // The rules stay those of the engine's linked plugins, but for the fingerprint.
    assert_eq!(looking.field().contested, here.contested);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_the_question_is_told_at_its_place() {
    let (_, position) = example();
    let (_server, client) = serve(&[]).await;
    let nobody = FieldQuestion::new(counter("nobody"));
    let error = client.field_of_view(&*position, &nobody).await.unwrap_err();
    refused(
        &error,
        ErrorReason::UnknownCounter,
        "question.from.counter_id",
    );
    let error = client.look(&*position, &nobody).await.unwrap_err();
    refused(
        &error,
        ErrorReason::UnknownCounter,
        "question.from.counter_id",
    );
    let layers = FieldQuestion {
        ignore_layers: vec!["deir".into()],
        ..FieldQuestion::new(counter("H"))
    };
    let error = client.field_of_view(&*position, &layers).await.unwrap_err();
    refused(
        &error,
        ErrorReason::LayerNotIgnorable,
        "options.ignore_layers[0]",
    );
}

/// What a side sees of each hex is what it is told of the LOS to that hex.
#[tokio::test(flavor = "multi_thread")]
async fn a_side_sees_what_it_is_told_of_each_line() {
    let (_, position) = example();
    let (_server, client) = serve(&[]).await;
    let grid = position.map().grid;
    let mut wreck = Counter::new("secret", CounterClass::Wreck, grid.hex("R6").unwrap());
    wreck.known_to = ["german".to_owned()].into();
    let mut firer = Counter::new("firer", CounterClass::Squad, grid.hex("R4").unwrap());
    firer.side = Some("british".into());
    let map = Arc::clone(position.map());
    let counters = vec![wreck, firer];
    let position = Position::new(map, counters, position.environment()).unwrap();
    let subject = Some(alamein_client::Subject::from(&position).message());
    let asked = v1::PackedFieldOfViewRequest {
        subject: subject.clone(),
        question: Some(encode::field_question(
            &FieldQuestion::new(counter("firer")),
            &grid,
        )),
        as_side: "british".into(),
        ..v1::PackedFieldOfViewRequest::default()
    };
    let mut stub = client.adjudication();
    let field = stub.packed_field_of_view(asked).await.unwrap();
    let field = field.into_inner().field.unwrap();
    assert!(field.summary.as_ref().unwrap().hidden_matters);
    assert!(!format!("{field:?}").contains("secret"));
    let seen = decode::packed_field(&field).unwrap();
    assert_eq!(seen.position, position.seen_by("british").id());
    let sight = |to: Hex| {
        let (from, to) = (counter("firer"), End::Hex(to.into()));
        encode::question(&Question::new(Ask::LineOfSight { from, to }), &grid)
    };
    let batch = v1::BatchAdjudicateRequest {
        subject,
        questions: grid.hexes().map(sight).collect(),
        as_side: "british".into(),
        ..v1::BatchAdjudicateRequest::default()
    };
    let told = stub.batch_adjudicate(batch).await.unwrap().into_inner();
    let mut hindered = 0;
    for (hex, answer) in grid.hexes().zip(told.answers) {
        let Some(Answer::Ruling(ruling)) = answer.answer else {
            panic!("{answer:?}");
        };
        let ruling = decode::ruling(&ruling).unwrap();
        let los = ruling.verdict.los().unwrap();
        assert_eq!(seen.sight(hex), Some(los.into()), "{}", grid.label(hex));
        hindered += u32::from(los.hindrance == Some(1));
    }
    assert!(hindered > 0);
}

fn sight(position: &Position, from: &str, to: &str) -> Question {
    let end = |name: &str| End::Hex(hex(position, name).into());
    Question::new(Ask::LineOfSight {
        from: end(from),
        to: end(to),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_answered_as_a_batch_is() {
    let (_, position) = example();
    let (_server, client) = serve(&[]).await;
    let flat = Arc::new(Map::flat(position.map().grid));
    let flat = Position::new(flat, Vec::new(), Environment::default()).unwrap();
    let flat = Arc::new(flat);
    for order in [AnswerOrder::AsAsked, AnswerOrder::AsJudged] {
        let (mut asker, mut answers) = client.stream(View::Explain, order).await.unwrap();
        let positions = [&position, &flat].map(Arc::clone);
        let hexes = ["O4", "P6", "Q7", "R5", "S9", "T5"];
        // Two of each at one position, then at the other.
        let asked = move |at: usize, it: &Position| {
            let to = hexes[(at + 1) % hexes.len()];
            let off = sight(it, hexes[0], to);
            let nobody = Question::new(Ask::LineOfSight {
                from: counter("nobody"),
                to: counter("nobody"),
            });
            [sight(it, hexes[at % hexes.len()], to), nobody, off]
        };
        let of = {
            let positions = positions.clone();
            move |at: usize| Arc::clone(&positions[(at / 2) % 2])
        };
        let asking = tokio::spawn({
            let of = of.clone();
            async move {
                for at in 0..100_usize {
                    let position = of(at);
                    let asked = asked(at, &position);
                    let number = asker.ask(&*position, &asked).await.unwrap();
                    assert_eq!(number, at as u64);
                }
            }
        });
        let mut came = Vec::new();
        while let Some(answered) = answers.next().await.unwrap() {
            let at = usize::try_from(answered.request).unwrap();
            let position = of(at);
            assert_eq!(answered.position, position.id());
            let asked = asked(at, &position);
            let batch = client.adjudicate(&*position, &asked, View::Explain).await;
            for (one, other) in answered.answers.iter().zip(batch.unwrap()) {
                match (one, other) {
                    (Ok(one), Ok(other)) => assert_eq!(*one, other),
                    (Err(one), Err(other)) => {
                        assert_eq!(one.reason(), Some(ErrorReason::UnknownCounter));
                        assert_eq!(one.reason(), other.reason());
                    }
                    (one, other) => panic!("{one:?} {other:?}"),
                }
            }
            assert_eq!(answered.answers.len(), 3);
            came.push(answered.request);
        }
        asking.await.unwrap();
        if order == AnswerOrder::AsJudged {
            came.sort_unstable();
        }
        assert_eq!(came, (0..100).collect::<Vec<u64>>());
    }
}

fn context(position: &Position) -> Option<v1::AdjudicationContext> {
    Some(v1::AdjudicationContext {
        subject: Some(alamein_client::Subject::from(position).message()),
        view: View::Verdict.into(),
        ..v1::AdjudicationContext::default()
    })
}

/// What comes of these requests, and how the stream ends.
async fn answers(
    client: &Client,
    requests: Vec<v1::AdjudicateRequest>,
) -> (Vec<v1::AdjudicateResponse>, Option<Status>) {
    let mut stub = client.adjudication();
    let answers = stub.adjudicate(stream::iter(requests)).await;
    let mut answers = answers.unwrap().into_inner();
    let mut came = Vec::new();
    loop {
        match answers.message().await {
            Ok(Some(answer)) => came.push(answer),
            Ok(None) => return (came, None),
            Err(status) => return (came, Some(status)),
        }
    }
}

fn reason(status: Option<Status>) -> (Code, Option<ErrorReason>, String) {
    let status = status.unwrap();
    let code = status.code();
    let error = RemoteError::from(status);
    let field = error.fields.first().map(|it| it.field.clone());
    (code, error.reason, field.unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ends_a_stream_comes_after_what_was_asked_before() {
    let (_, position) = example();
    let (_server, client) = serve(&["--max-questions", "5", "--max-stream-messages", "6"]).await;
    let grid = position.map().grid;
    let question = encode::question(&sight(&position, "P6", "Q7"), &grid);
    let tagged = |tag: &str| v1::Question {
        tag: tag.to_owned(),
        ..question.clone()
    };
    let ask = |tag: &str| v1::AdjudicateRequest {
        questions: vec![tagged(tag)],
        ..v1::AdjudicateRequest::default()
    };
    let first = v1::AdjudicateRequest {
        context: context(&position),
        order: AnswerOrder::AsJudged.into(),
        ..ask("first")
    };
    // Nothing is asked but what is tagged, and a request may ask nothing.
    let nothing = v1::AdjudicateRequest::default();
    let (came, end) = answers(&client, vec![first.clone(), nothing, ask("last")]).await;
    assert!(end.is_none(), "{end:?}");
    let tags = came
        .iter()
        .flat_map(|it| it.answers.iter().map(|it| it.tag.as_str()));
    let mut tags: Vec<&str> = tags.collect();
    tags.sort_unstable();
    assert_eq!(tags, ["first", "last"]);

    let (came, end) = answers(&client, vec![ask("early")]).await;
    assert!(came.is_empty());
    let missing = (
        Code::InvalidArgument,
        Some(ErrorReason::MissingField),
        "context".into(),
    );
    assert_eq!(reason(end), missing);

    let gone = v1::AdjudicateRequest {
        context: Some(v1::AdjudicationContext {
            ruleset: "nobodys".into(),
            ..context(&position).unwrap()
        }),
        ..ask("gone")
    };
    let (came, end) = answers(
        &client,
        vec![first.clone(), ask("before"), gone, ask("after")],
    )
    .await;
    assert_eq!(came.len(), 2, "{came:?}");
    let (code, why, _) = reason(end);
    assert_eq!(
        (code, why),
        (Code::NotFound, Some(ErrorReason::RulesetNotFound))
    );

    let many = v1::AdjudicateRequest {
        questions: vec![tagged("many"); 6],
        ..v1::AdjudicateRequest::default()
    };
    let (came, end) = answers(&client, vec![first.clone(), many]).await;
    assert_eq!(came.len(), 1);
    assert_eq!(reason(end).1, Some(ErrorReason::BatchTooLarge));

    let order = v1::AdjudicateRequest {
        order: AnswerOrder::AsAsked.into(),
        ..ask("order")
    };
    let (came, end) = answers(&client, vec![first.clone(), order]).await;
    assert_eq!(came.len(), 1);
    assert_eq!(reason(end).2, "order");

    let mut long = vec![first];
    long.extend((0..9).map(|at| ask(&at.to_string())));
    let (came, end) = answers(&client, long).await;
    assert_eq!(came.len(), 6);
    let (code, why, _) = reason(end);
    assert_eq!(
        (code, why),
        (Code::ResourceExhausted, Some(ErrorReason::StreamTooLong))
    );
}

/// Whoever takes no answers is asked for no more questions than a few.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_made_to_wait() {
    let (_, position) = example();
    let (_server, client) = serve(&[]).await;
    let grid = position.map().grid;
    // Large questions, so that they fill the windows of HTTP/2 soon, and the answers more so.
    let asked = encode::question(&sight(&position, "P6", "S8"), &grid);
    let request = v1::AdjudicateRequest {
        context: context(&position),
        questions: vec![asked; 500],
        ..v1::AdjudicateRequest::default()
    };
    let (sent, counted) = tokio::sync::watch::channel(0_u64);
    let requests = stream::iter(0..2000_u64).map(move |at| {
        sent.send_replace(at + 1);
        request.clone()
    });
    let mut answers = client
        .adjudication()
        .adjudicate(requests)
        .await
        .unwrap()
        .into_inner();
    // Nothing is taken until nothing more is sent.
    let mut before = 0;
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = *counted.borrow();
        if now == before && now > 0 {
            break;
        }
        before = now;
    }
    assert!(
        before < 1000,
        "{before} requests were sent and no answer was taken"
    );
    // Taken, they go on.
    for _ in 0..before {
        answers.message().await.unwrap().unwrap();
    }
    assert!(*counted.borrow() > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_and_the_end_of_the_server_end_streams() {
    let (_, position) = example();
    let (mut server, client) = serve(&[]).await;
    let waits = |time: Option<Duration>| {
        let first = v1::AdjudicateRequest {
            context: context(&position),
            ..v1::AdjudicateRequest::default()
        };
        let client = client.clone();
        async move {
            let requests = stream::iter([first]).chain(stream::pending());
            let mut request = tonic::Request::new(requests);
            if let Some(time) = time {
                request.set_timeout(time);
            }
            let mut stub = client.adjudication();
            let mut answers = stub.adjudicate(request).await?.into_inner();
            assert_eq!(answers.message().await?.unwrap().answers.len(), 0);
            Ok::<_, Status>(answers)
        }
    };
    let mut answers = waits(Some(Duration::from_secs(3))).await.unwrap();
    let late = answers.message().await.unwrap_err();
    assert!(
        matches!(late.code(), Code::DeadlineExceeded | Code::Cancelled),
        "{late:?}"
    );
    let mut answers = waits(None).await.unwrap();
    let stopped = tokio::task::spawn_blocking(move || server.stop());
    let ended = answers.message().await.unwrap_err();
    assert_eq!(
        RemoteError::from(ended).reason,
        Some(ErrorReason::ShuttingDown)
    );
    assert!(stopped.await.unwrap().unwrap().success());
}
