//! Sockets in the file system, and tokens.

// A test that cannot go on is to say where.
#![allow(clippy::unwrap_used)]

#[path = "transport/handler.rs"]
mod handler;

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use alamein_proto::v1::LineOfSightRequest;
use alamein_proto::v1::adjudication_service_client::AdjudicationServiceClient;
use alamein_proto::v1::adjudication_service_server::AdjudicationServiceServer;
use alamein_server::Guard;
use alamein_server::auth::Token;
use alamein_server::transport::{Address, BoundServer, ServerBuilder, ServerConfig, StartError};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tonic::metadata::MetadataValue;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

const SECRET: &str = "a-secret-that-nobody-guesses";

async fn bind(path: &Path, token: Option<Token>) -> Result<BoundServer, StartError> {
    let config = ServerConfig {
        listen: Address::Unix(path.to_owned()),
        ..ServerConfig::default()
    };
    let service = AdjudicationServiceServer::new(handler::Obedient);
    let builder = ServerBuilder::new(config).service(service);
    let guard = token.map_or_else(Guard::open, Guard::shared);
    builder.guard(guard).bind().await
}

fn channel(path: PathBuf) -> Channel {
    let connect = move |_| {
        let path = path.clone();
        async move { UnixStream::connect(path).await.map(TokioIo::new) }
    };
    let endpoint = Endpoint::from_static("http://unix");
    endpoint.connect_with_connector_lazy(tower::service_fn(connect))
}

async fn call(channel: &Channel, authorization: Option<&str>) -> Result<(), Status> {
    let mut request = Request::new(LineOfSightRequest::default());
    if let Some(value) = authorization {
        let value: MetadataValue<_> = value.parse().unwrap();
        request.metadata_mut().insert("authorization", value);
    }
    let mut client = AdjudicationServiceClient::new(channel.clone());
    client.line_of_sight(request).await.map(drop)
}

#[tokio::test]
async fn a_unix_socket_is_its_users_alone_and_goes_with_its_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let server = bind(&path, None).await.unwrap();
    assert_eq!(
        server.local_addr().to_string(),
        format!("unix:{}", path.display())
    );
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let others = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(others, 1, "nothing is left of how it was made");

    let control = server.control();
    let served = tokio::spawn(server.serve());
    call(&channel(path.clone()), None).await.unwrap();

    let second = bind(&path, None).await.unwrap_err();
    let StartError::Bind { source, .. } = second else {
        panic!("{second}");
    };
    assert_eq!(
        source.kind(),
        ErrorKind::AddrInUse,
        "a server that lives keeps its socket"
    );
    call(&channel(path.clone()), None).await.unwrap();

    control.abort();
    served.await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn a_socket_that_a_dead_server_left_is_replaced_and_a_file_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "the standard library leaves it");
    let server = bind(&path, None).await.unwrap();
    tokio::spawn(server.serve());
    call(&channel(path), None).await.unwrap();

    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    let refused = bind(&file, None).await.unwrap_err();
    assert!(refused.to_string().contains("no socket"), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
}

#[tokio::test]
async fn without_the_token_nothing_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("admin.sock");
    let secret = SECRET;
    let token = Token::new(secret).unwrap();
    let server = bind(&path, Some(token)).await.unwrap();
    server.control().set_ready(true).await;
    tokio::spawn(server.serve());
    let channel = channel(path);
    call(&channel, Some(&format!("Bearer {secret}")))
        .await
        .unwrap();
    let wrong = format!("Bearer {secret}x");
    for given in [None, Some("Bearer"), Some(&*wrong)] {
        let refused = call(&channel, given).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated, "{given:?}");
        let info = refused.get_details_error_info().unwrap();
        let reason = if given.is_none() {
            "CREDENTIALS_MISSING"
        } else {
            "TOKEN_INVALID"
        };
        assert_eq!(info.reason, reason);
        assert!(!refused.message().contains(secret));
    }
    let mut health = tonic_health::pb::health_client::HealthClient::new(channel);
    let asked = tonic_health::pb::HealthCheckRequest::default();
    let told = health.check(asked).await.unwrap().into_inner();
    assert_eq!(told.status, 1, "health is open on purpose");
}
