//! Limits on connections.

// A test that cannot go on is to say where.
#![allow(clippy::unwrap_used)]

#[path = "transport/handler.rs"]
mod handler;

use std::time::Duration;

use alamein_proto::v1::LineOfSightRequest;
use alamein_proto::v1::adjudication_service_client::AdjudicationServiceClient;
use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_server::transport::{ServerBuilder, ServerConfig, StartError};
use tonic::transport::Channel;

/// Serves in the background. Gives the address.
async fn start(config: ServerConfig) -> String {
    let config = ServerConfig {
        listen: ([127, 0, 0, 1], 0).into(),
        ..config
    };
    let service = AdjudicationServiceServer::new(handler::Obedient);
    let server = ServerBuilder::new(config)
        .service(service)
        .bind()
        .await
        .unwrap();
    let url = format!("http://{}", server.local_addr());
    tokio::spawn(server.serve());
    url
}

async fn call(channel: &Channel) -> Result<(), tonic::Status> {
    let mut client = AdjudicationServiceClient::new(channel.clone());
    client
        .line_of_sight(LineOfSightRequest::default())
        .await
        .map(drop)
}

fn channel(url: &str) -> Channel {
    Channel::from_shared(url.to_owned()).unwrap().connect_lazy()
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_for_a_place() {
    let url = start(ServerConfig {
        max_connections: 1,
        ..ServerConfig::default()
    })
    .await;
    let first = channel(&url);
    call(&first).await.unwrap();
    let second = channel(&url);
    let mut waiting = Box::pin(call(&second));
    let soon = tokio::time::timeout(Duration::from_millis(500), &mut waiting).await;
    assert!(soon.is_err(), "the second should wait: {soon:?}");
    drop(first);
    tokio::time::timeout(Duration::from_secs(10), waiting)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn an_address_in_use_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = ServerConfig {
        listen: taken.local_addr().unwrap().into(),
        ..ServerConfig::default()
    };
    let refused = ServerBuilder::new(config.clone()).bind().await.unwrap_err();
    assert!(matches!(refused, StartError::Bind { address, .. } if address == config.listen));
}
