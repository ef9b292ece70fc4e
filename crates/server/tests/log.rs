//! What the log says of requests.

// A test that cannot go on is to say where.
#![allow(clippy::unwrap_used)]

#[path = "transport/handler.rs"]
mod handler;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alamein_proto::v1::LineOfSightRequest;
use alamein_proto::v1::adjudication_service_client::AdjudicationServiceClient;
use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_server::transport::{ServerBuilder, ServerConfig};
use alamein_terrain::Digest;
use tonic::transport::Channel;
use tonic::{Code, Request};

/// A log that is kept.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// The line that has all these words, once it is there.
    async fn line(&self, words: &[&str]) -> String {
        for _ in 0..100 {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            let found = text
                .lines()
                .find(|line| words.iter().all(|word| line.contains(word)));
            if let Some(line) = found {
                return line.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!(
            "no line has {words:?}: {}",
            String::from_utf8_lossy(&self.0.lock().unwrap())
        );
    }
}

type Client = AdjudicationServiceClient<Channel>;

async fn ask(client: &mut Client, order: &str) -> Result<(), Code> {
    let mut request = Request::new(LineOfSightRequest::default());
    request
        .metadata_mut()
        .insert("x-do", order.parse().unwrap());
    client
        .line_of_sight(request)
        .await
        .map(drop)
        .map_err(|status| status.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_is_told_with_its_ruling_and_its_end() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let listen = ([127, 0, 0, 1], 0).into();
    let config = ServerConfig {
        listen,
        lame_duck: Duration::ZERO,
        // Nobody follows traces, so spans are opened by who has something to tell.
        traces: false,
        ..ServerConfig::default()
    };
    let service = AdjudicationServiceServer::new(handler::Obedient);
    let server = ServerBuilder::new(config)
        .service(service)
        .bind()
        .await
        .unwrap();
    let (url, control) = (format!("http://{}", server.local_addr()), server.control());
    let served = tokio::spawn(server.serve());
    let mut client = Client::connect(url).await.unwrap();

    assert_eq!(ask(&mut client, "").await, Ok(()));
    let method = "service=\"alamein.v1.AdjudicationService\" method=\"LineOfSight\"";
    let ruling = format!("ruling_id=\"{}\"", Digest::of(b"a ruling"));
    let line = log
        .line(&["INFO", method, &ruling, "code=Ok", "answered"])
        .await;
    assert!(line.contains("peer=127.0.0.1:"), "{line}");

    // The client is not told what the panic said; the log is, within the request's span.
    assert_eq!(ask(&mut client, "panic").await, Err(Code::Internal));
    log.line(&[
        "ERROR",
        method,
        "a handler panicked",
        "a secret of the handler",
    ])
    .await;
    log.line(&["ERROR", method, "code=Internal", "failed"])
        .await;

    // A client that goes away.
    let call = ask(&mut client, "sleep 60000");
    assert!(
        tokio::time::timeout(Duration::from_millis(300), call)
            .await
            .is_err()
    );
    log.line(&["INFO", method, "given up by the client"]).await;

    // What is cut off is told so.
    let stuck = tokio::spawn(async move { ask(&mut client, "sleep 61000").await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    log.0.lock().unwrap().clear();
    control.abort();
    assert_eq!(served.await.unwrap().cut_off, 1);
    assert_eq!(stuck.await.unwrap(), Err(Code::Unavailable));
    log.line(&[
        "INFO",
        method,
        "code=Unavailable",
        "reason=\"SHUTTING_DOWN\"",
        "answered",
    ])
    .await;
}
