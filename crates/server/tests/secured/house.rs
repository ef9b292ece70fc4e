//! A service to knock at.

use std::path::{Path, PathBuf};
use std::time::Duration;

use alamein_server::auth::{NewToken, Wanted, add};
use alamein_server::transport::{Address, Control, ServerConfig, Tls};
use alamein_server::{AdminConfig, AuthConfig, Quota, Scope, Serving, start};
use http::uri::PathAndQuery;
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;
use tonic_types::StatusExt as _;

/// A service without rules, which asks who calls.
pub(crate) struct House {
    pub(crate) folder: TempDir,
    pub(crate) main: String,
    pub(crate) admin: String,
    control: Control,
}

impl House {
    /// Starts it. What it is to be may be changed before.
    pub(crate) async fn start(change: impl FnOnce(&Path, &mut Serving)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let local = || Address::from(([127, 0, 0, 1], 0));
        let mut serving = Serving {
            config: ServerConfig {
                listen: local(),
                lame_duck: Duration::ZERO,
                ..ServerConfig::default()
            },
            auth: AuthConfig {
                tokens: Some(folder.path().join("tokens.toml")),
                ..AuthConfig::default()
            },
            admin: Some(AdminConfig {
                listen: local(),
                tls: None,
                token: None,
            }),
            ..Serving::default()
        };
        serving.source.folder = folder.path().to_owned();
        std::fs::write(folder.path().join("tokens.toml"), "").unwrap();
        change(folder.path(), &mut serving);
        let served = start(serving).await.unwrap();
        let admin = served.admin.unwrap();
        let house = Self {
            main: served.server.local_addr().to_string(),
            admin: admin.local_addr().to_string(),
            control: served.server.control(),
            folder,
        };
        tokio::spawn(served.server.serve());
        tokio::spawn(admin.serve());
        house
    }

    pub(crate) fn tokens(&self) -> PathBuf {
        self.folder.path().join("tokens.toml")
    }

    /// Makes a token while the service runs, and waits until the service knows it.
    pub(crate) async fn token(&self, scopes: &[Scope], quota: Quota) -> NewToken {
        let token = add(&self.tokens(), &wanted("club", scopes, quota)).unwrap();
        let channel = self.channel();
        until(async || {
            let answer = knock(&channel, "/alamein.v1.None/None", Some(&token.text)).await;
            reason(&answer.unwrap_err()) != "TOKEN_INVALID"
        })
        .await;
        token
    }

    /// The way to its main listener.
    pub(crate) fn channel(&self) -> Channel {
        channel(&self.main)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.control.abort();
    }
}

pub(crate) fn channel(address: &str) -> Channel {
    Endpoint::from_shared(format!("http://{address}"))
        .unwrap()
        .connect_lazy()
}

pub(crate) fn wanted(tenant: &str, scopes: &[Scope], quota: Quota) -> Wanted {
    Wanted {
        tenant: tenant.parse().unwrap(),
        scopes: scopes.iter().copied().collect(),
        expires: None,
        quota,
        note: String::new(),
    }
}

/// Calls a method, whatever it is, with an empty message, and reads the first answer.
pub(crate) async fn knock(
    channel: &Channel,
    path: &str,
    token: Option<&str>,
) -> Result<(), Status> {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready()
        .await
        .map_err(|error| Status::unavailable(error.to_string()))?;
    let mut request = Request::new(());
    if let Some(token) = token {
        let header = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", header);
    }
    let path: PathAndQuery = path.parse().unwrap();
    let codec = ProstCodec::<(), ()>::default();
    let mut answers = grpc
        .server_streaming(request, path, codec)
        .await?
        .into_inner();
    answers.message().await.map(drop)
}

/// The reason of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    let info = status.get_details_error_info();
    info.map(|info| info.reason).unwrap_or_default()
}

/// Whether the service let the request through to where it would be answered.
pub(crate) fn was_let_in(answer: &Result<(), Status>) -> bool {
    const AT_THE_DOOR: [&str; 6] = [
        "CREDENTIALS_MISSING",
        "TOKEN_INVALID",
        "TOKEN_EXPIRED",
        "SCOPE_MISSING",
        "QUOTA_EXCEEDED",
        "AUDIT_FAILED",
    ];
    match answer {
        Ok(()) => true,
        Err(status) => !AT_THE_DOOR.contains(&&*reason(status)),
    }
}

/// Waits until something is so.
pub(crate) async fn until(mut so: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !so().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait)
        .await
        .unwrap();
}

/// A server's side of TLS out of files in a folder.
pub(crate) fn tls(folder: &Path, client_ca: Option<PathBuf>, client_required: bool) -> Tls {
    Tls::read(alamein_server::transport::TlsFiles {
        certificate: folder.join("cert.pem"),
        key: folder.join("key.pem"),
        client_ca,
        client_required,
    })
    .unwrap()
}
