//! What a service tells of itself: its metrics, its log, its traces.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A test may.

mod documented;
mod logs;
mod receiver;
mod repeated;
mod scrape;
mod stopped;
mod traces;

use std::time::Duration;

use alamein_client::{Client, Settings};
use alamein_proto::v1;
use alamein_proto::v1::adjudication_service_client::AdjudicationServiceClient;
use alamein_tests::serving::Server;
use alamein_tests::{engine, known, linked_plugins, plugin_folder, root};
use tonic::transport::Channel;
use tonic::{Request, Status};

/// A service with these flags, whose rules are in force.
async fn serve(flags: &[&str]) -> Server {
    let server = Server::start(plugin_folder().unwrap(), flags).unwrap();
    let settings = Settings {
        deadline: Duration::from_secs(60),
        tries: 200,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    let client = Client::connect_with(&url, settings).await.unwrap();
    client.ruleset().await.unwrap();
    server
}

type Stub = AdjudicationServiceClient<Channel>;

/// A stub without anything about it.
async fn stub(server: &Server) -> Stub {
    let url = format!("http://{}", server.address());
    Stub::connect(url).await.unwrap()
}

/// The position of the worked example.
fn position() -> v1::Position {
    let known = known(&engine(&linked_plugins().unwrap()).unwrap());
    let file = root().join("tests/cases/f4-example.json");
    let case = alamein_cases::load(&file, &known).unwrap();
    alamein_proto::encode::position(&case.position, false)
}

/// A question of LOS between two counters.
fn sight(position: v1::Position, from: &str, to: &str) -> Request<v1::LineOfSightRequest> {
    let end = |name: &str| {
        Some(v1::End {
            end: Some(v1::end::End::CounterId(name.to_owned())),
            ..v1::End::default()
        })
    };
    Request::new(v1::LineOfSightRequest {
        subject: Some(v1::Subject {
            subject: Some(v1::subject::Subject::Position(position)),
        }),
        question: Some(v1::LineOfSightQuestion {
            from: end(from),
            to: end(to),
        }),
        ..v1::LineOfSightRequest::default()
    })
}

/// Puts something into the headers of a request.
fn with<T>(mut request: Request<T>, name: &'static str, value: &str) -> Request<T> {
    request.metadata_mut().insert(name, value.parse().unwrap());
    request
}

/// The id of the request that an error names among its details.
fn named_in(status: &Status) -> String {
    use tonic_types::StatusExt as _;
    let details = status.get_error_details();
    details.request_info().unwrap().request_id.clone()
}
