//! A receiver of traces.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// How long it is waited for spans.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was received. Clones are of the same.
#[derive(Clone, Default)]
pub(crate) struct Received(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Received {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Received {
    /// A receiver that listens, and where.
    pub(crate) async fn start() -> (Self, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, received) = (listener.local_addr().unwrap(), Self::default());
        let service = TraceServiceServer::new(received.clone());
        let serving = Server::builder().add_service(service);
        tokio::spawn(serving.serve_with_incoming(TcpIncoming::from(listener)));
        (received, address)
    }

    /// All spans so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let received = self.0.lock().unwrap();
        let resources = received.iter().flat_map(|it| &it.resource_spans);
        let scopes = resources.flat_map(|it| &it.scope_spans);
        scopes.flat_map(|it| it.spans.clone()).collect()
    }

    /// What is told of who sends.
    pub(crate) fn of_sender(&self, key: &str) -> String {
        let received = self.0.lock().unwrap();
        let resource = received[0].resource_spans[0].resource.as_ref();
        attribute(&resource.unwrap().attributes, key)
    }

    /// All that was received, as one text.
    pub(crate) fn whole(&self) -> String {
        format!("{:?}", self.0.lock().unwrap())
    }

    /// The spans of a trace, once the one is among them at which it ends.
    pub(crate) async fn trace(&self, id: &str, ends: impl Fn(&Span) -> bool) -> Vec<Span> {
        let start = Instant::now();
        loop {
            let all = self.spans();
            let of = all.into_iter().filter(|span| hex(&span.trace_id) == id);
            let of: Vec<Span> = of.collect();
            if of.iter().any(&ends) {
                return of;
            }
            assert!(start.elapsed() < PATIENCE, "no end of {id}: {of:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// An id as headers write it.
pub(crate) fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An attribute as text; empty if there is none.
pub(crate) fn attribute(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|it| it.key == key);
    match found.and_then(|it| it.value.clone()?.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(other) => format!("{other:?}"),
        None => String::new(),
    }
}
