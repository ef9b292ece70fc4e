//! The transport, seen by clients that are not written in Rust.
//!
//! Each test starts a server and runs a script of `tests/python` against it with the Python that
//! `ALAMEIN_PYTHON` names; it needs grpcio, grpcio-health-checking, grpcio-reflection and
//! grpcio-status. Without that variable these tests say so and pass.

// A test that cannot go on is to say where.
#![allow(clippy::unwrap_used)]

mod frames;
mod handler;
mod python;

use std::time::{Duration, Instant};

use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_server::transport::{BoundServer, Control, ServerBuilder, ServerConfig, Shutdown};
use tokio::task::JoinHandle;

use crate::handler::Obedient;
use crate::python::Script;

/// A configuration for tests: a free port, and no waiting.
fn config() -> ServerConfig {
    ServerConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        lame_duck: Duration::from_millis(300),
        drain_limit: Duration::from_secs(2),
        ..ServerConfig::default()
    }
}

struct Running {
    address: String,
    control: Control,
    served: JoinHandle<Shutdown>,
}

async fn bind(config: ServerConfig) -> BoundServer {
    let builder = ServerBuilder::new(config);
    builder
        .service(AdjudicationServiceServer::new(Obedient))
        .bind()
        .await
        .unwrap()
}

/// A server that serves, and says so.
async fn start(config: ServerConfig) -> Running {
    let server = bind(config).await;
    let (address, control) = (server.local_addr().to_string(), server.control());
    control.set_ready(true).await;
    Running {
        address,
        control,
        served: tokio::spawn(server.serve()),
    }
}

impl Running {
    async fn stop(self) {
        self.control.shutdown();
        assert_eq!(self.served.await.unwrap(), Shutdown { cut_off: 0 });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_are_deadline_exceeded() {
    let Some(script) = Script::find("deadline.py") else {
        return;
    };
    let config = ServerConfig {
        max_deadline: Duration::from_millis(800),
        ..config()
    };
    let server = start(config).await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn panics_are_internal_and_harm_nobody_else() {
    let Some(script) = Script::find("panic.py") else {
        return;
    };
    let server = start(config()).await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn overload_is_turned_away_at_once() {
    let Some(script) = Script::find("overload.py") else {
        return;
    };
    let config = ServerConfig {
        max_concurrent_requests: 2,
        ..config()
    };
    let server = start(config).await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_limits_both_ways() {
    let Some(script) = Script::find("sizes.py") else {
        return;
    };
    let server = start(config()).await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_reflection_answer() {
    let Some(script) = Script::find("about.py") else {
        return;
    };
    let server = bind(config()).await;
    let (address, control) = (server.local_addr().to_string(), server.control());
    let served = tokio::spawn(server.serve());
    script
        .run(&address, async |cue| match cue {
            "ready" => control.set_ready(true).await,
            "not ready" => control.set_ready(false).await,
            other => panic!("unknown cue {other:?}"),
        })
        .await;
    Running {
        address,
        control,
        served,
    }
    .stop()
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_are_answered() {
    let Some(script) = Script::find("web.py") else {
        return;
    };
    let config = ServerConfig {
        max_deadline: Duration::from_secs(4),
        web_origins: vec!["https://play.example.org".into()],
        ..config()
    };
    let server = start(config).await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_connections_are_asked_to_finish() {
    let Some(script) = Script::find("aging.py") else {
        return;
    };
    let max_connection_age = Some(Duration::from_millis(200));
    let server = start(ServerConfig {
        max_connection_age,
        ..config()
    })
    .await;
    script.run(&server.address, async |_| {}).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shutting_down_lets_work_finish() {
    let Some(script) = Script::find("shutdown.py") else {
        return;
    };
    let config = ServerConfig {
        lame_duck: Duration::from_secs(1),
        drain_limit: Duration::from_secs(10),
        ..config()
    };
    let server = start(config).await;
    script
        .run(&server.address, async |_| server.control.shutdown())
        .await;
    assert_eq!(server.served.await.unwrap(), Shutdown { cut_off: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn shutting_down_ends_in_bounded_time() {
    let Some(script) = Script::find("stuck.py") else {
        return;
    };
    let config = ServerConfig {
        drain_limit: Duration::from_millis(500),
        ..config()
    };
    let server = start(config).await;
    let mut asked = None;
    script
        .run(&server.address, async |_| {
            asked = Some(Instant::now());
            server.control.shutdown();
        })
        .await;
    assert_eq!(server.served.await.unwrap(), Shutdown { cut_off: 1 });
    let took = asked.unwrap().elapsed();
    assert!(took < Duration::from_secs(5), "took {took:?}");
}
