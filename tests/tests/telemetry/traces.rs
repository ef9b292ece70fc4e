//! Traces, at a receiver.

use std::net::TcpListener;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use alamein_client::{Client, Settings};
use alamein_tests::python;
use alamein_tests::serving::Server;
use opentelemetry::trace::{SpanContext, TraceContextExt as _, TraceFlags, TraceState};
use opentelemetry::{Context, global};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use serde_json::json;
use tonic::Code;

use crate::receiver::{Received, attribute, hex};
use crate::{named_in, position, serve, sight, stub, with};

/// `span.kind` of what serves.
const SERVER: i32 = 2;
/// `status.code` of an error.
const ERROR: i32 = 2;

async fn traced(more: &[&str]) -> (Server, Received) {
    let (received, address) = Received::start().await;
    let endpoint = format!("--otlp-endpoint=http://{address}");
    let mut flags = vec![endpoint.as_str(), "--lame-duck=0", "--instance=one"];
    flags.extend(more);
    (serve(&flags).await, received)
}

fn is_server(span: &Span) -> bool {
    span.kind == SERVER
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_part_of_the_trace_that_its_headers_name() {
    let (server, received) = traced(&[]).await;
    let mut stub = stub(&server).await;

    // One that nobody wants to follow, first: its spans would be there before the others.
    let unwanted = "0af7651916cd43dd8448eb211c80319d";
    let request = sight(position(), "H", "K");
    let parent = format!("00-{unwanted}-b7ad6b7169203331-00");
    stub.line_of_sight(with(request, "traceparent", &parent))
        .await
        .unwrap();

    let trace = "0af7651916cd43dd8448eb211c80319c";
    let request = sight(position(), "H", "K");
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let request = with(request, "traceparent", &parent);
    let request = with(request, "alamein-request-id", "turn-7");
    let answer = stub.line_of_sight(request).await.unwrap();
    assert_eq!(
        answer.metadata().get("alamein-request-id").unwrap(),
        "turn-7"
    );
    let ruling = answer.into_inner().ruling.unwrap();

    let spans = received.trace(trace, is_server).await;
    let [rpc] = named(&spans, "alamein.v1.AdjudicationService/LineOfSight")[..] else {
        panic!("{spans:#?}");
    };
    assert_eq!(hex(&rpc.parent_span_id), "b7ad6b7169203331");
    let told = |key: &str| attribute(&rpc.attributes, key);
    assert_eq!(told("request_id"), "turn-7");
    assert_eq!(told("rules"), ruling.rules_fingerprint);
    assert_eq!(told("ruling_id"), ruling.ruling_id);
    assert_eq!(told("ruling_ids"), ruling.ruling_id);
    assert_eq!(told("rpc.method"), "LineOfSight");
    assert_eq!(told("rpc.grpc.status_code"), "0");
    let [judge] = named(&spans, "judge")[..] else {
        panic!("{spans:#?}");
    };
    assert_eq!(judge.parent_span_id, rpc.span_id);
    let plugins = named(&spans, "plugin");
    let mut called: Vec<_> = plugins
        .iter()
        .map(|span| {
            assert_eq!(span.parent_span_id, judge.span_id);
            assert_eq!(
                attribute(&span.attributes, "rules"),
                ruling.rules_fingerprint
            );
            let of = |key| attribute(&span.attributes, key);
            (of("plugin"), of("round"))
        })
        .collect();
    called.sort();
    assert!(
        called.contains(&("deir".into(), "judge".into())),
        "{called:?}"
    );
    assert!(
        called.contains(&("vehicle".into(), "observe".into())),
        "{called:?}"
    );
    let rounds = called.len();
    called.dedup();
    assert!(
        called.len() >= 6 && rounds < 60,
        "a span a call, not one a line: {called:?}"
    );

    assert!(
        received
            .spans()
            .iter()
            .all(|span| hex(&span.trace_id) != unwanted)
    );
    assert_eq!(received.of_sender("service.name"), "alamein");
    assert_eq!(received.of_sender("service.instance.id"), "one");
    assert_eq!(
        received.of_sender("service.version"),
        env!("CARGO_PKG_VERSION")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_recorded_and_bear_the_requests_id() {
    let (server, received) = traced(&["--set=deir.unarmored_vehicle=tem"]).await;
    let mut stub = stub(&server).await;
    let trace = "1af7651916cd43dd8448eb211c80319c";
    let request = sight(position(), "H", "nobody");
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let request = with(request, "traceparent", &parent);
    let status = stub.line_of_sight(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let id = named_in(&status);
    assert_eq!(
        status.metadata().get("alamein-request-id").unwrap(),
        id.as_str()
    );

    let spans = received.trace(trace, is_server).await;
    let rpc = spans.iter().find(|span| is_server(span)).unwrap();
    assert_eq!(attribute(&rpc.attributes, "request_id"), id);
    assert_eq!(attribute(&rpc.attributes, "error.type"), "UNKNOWN_COUNTER");
    assert_eq!(attribute(&rpc.attributes, "rpc.grpc.status_code"), "3");
    // It is the client's mistake.
    assert_ne!(rpc.status.as_ref().map_or(0, |it| it.code), ERROR);

    // What no handler knows has an id too.
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{}", server.address()));
    let mut raw = tonic::client::Grpc::new(channel.unwrap().connect().await.unwrap());
    raw.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/alamein.v1.AdjudicationService/Guess");
    let codec = tonic_prost::ProstCodec::<(), ()>::default();
    let request = with(tonic::Request::new(()), "alamein-request-id", "guess-1");
    let status = raw.unary(request, path, codec).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert_eq!(named_in(&status), "guess-1");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_tell_their_trace_and_health_is_in_none() {
    let (server, received) = traced(&[]).await;
    let url = format!("http://{}", server.address());
    let channel = tonic::transport::Endpoint::from_shared(url.clone()).unwrap();
    let channel = channel.connect().await.unwrap();
    let mut health = tonic_health::pb::health_client::HealthClient::new(channel);
    let whole = tonic_health::pb::HealthCheckRequest::default();
    health.check(whole).await.unwrap();

    // Ours, in Rust.
    global::set_text_map_propagator(TraceContextPropagator::new());
    let trace = "2af7651916cd43dd8448eb211c80319c";
    let span = SpanContext::new(
        u128::from_str_radix(trace, 16).unwrap().into(),
        0xb7ad_6b71_6920_3332_u64.into(),
        TraceFlags::SAMPLED,
        true,
        TraceState::default(),
    );
    let client = Client::connect_with(&url, Settings::default())
        .await
        .unwrap();
    let within = Context::new().with_remote_span_context(span);
    let asked = opentelemetry::trace::FutureExt::with_context(client.ruleset(), within);
    asked.await.unwrap();
    let spans = received.trace(trace, is_server).await;
    let rpc = spans.iter().find(|span| is_server(span)).unwrap();
    assert_eq!(rpc.name, "alamein.v1.RulesetService/GetRuleset");
    assert_eq!(hex(&rpc.parent_span_id), "b7ad6b7169203332");

    // And one that is written in Python, with a header that is written by hand.
    if python::python().is_some() {
        let trace = "3af7651916cd43dd8448eb211c80319c";
        let parent = format!("00-{trace}-b7ad6b7169203333-01");
        python::run(
            "traced.py",
            server.address(),
            &json!({"traceparent": parent}),
        )
        .unwrap();
        let spans = received.trace(trace, is_server).await;
        let rpc = spans.iter().find(|span| is_server(span)).unwrap();
        assert_eq!(hex(&rpc.parent_span_id), "b7ad6b7169203333");
        assert_eq!(attribute(&rpc.attributes, "request_id"), "from-python");
        assert!(!named(&spans, "plugin").is_empty(), "{spans:#?}");
    } else {
        eprintln!("SKIPPED: set ALAMEIN_PYTHON to a Python with grpcio-tools to trace one");
    }
    let all = received.spans();
    assert!(
        all.iter().all(|span| !span.name.contains("ealth")),
        "{all:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_or_never_answers_disturbs_nobody() {
    // It accepts, since its system does, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for address in [silent.local_addr().unwrap(), gone] {
        let endpoint = format!("--otlp-endpoint=http://{address}");
        let flags = [endpoint.as_str(), "--otlp-timeout=300ms", "--lame-duck=0"];
        let mut server = serve(&flags).await;
        let mut stub = stub(&server).await;
        let position = position();
        for _ in 0..200 {
            stub.line_of_sight(sight(position.clone(), "H", "K"))
                .await
                .unwrap();
        }
        let start = Instant::now();
        while !server.log().contains("traces cannot be sent") {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{}",
                server.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let start = Instant::now();
        assert_eq!(
            server.stop().map(|it| ExitStatus::code(&it)).unwrap(),
            Some(0)
        );
        assert!(
            start.elapsed() < Duration::from_secs(15),
            "{:?}",
            start.elapsed()
        );
        let log = server.log();
        let said = log.matches("traces cannot be sent").count();
        assert!(said <= 2, "{said} times: {log}");
    }
}
