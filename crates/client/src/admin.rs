//! Loading, replacing and retiring the plugins of a running service.

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use alamein_proto::v1;
use alamein_proto::v1::plugin_admin_service_client::PluginAdminServiceClient;
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

use crate::access::{Access, Bearer};
use crate::error::{Error, RemoteError};

type Stub = PluginAdminServiceClient<InterceptedService<Channel, Bearer>>;

/// How to connect to the listener on which plugins are administered.
#[derive(Clone, Debug)]
pub struct AdminSettings {
    /// Who one is to the server, and whom one takes for it.
    pub access: Access,
    /// How long a call may take. To load a plugin takes longer than to ask a question.
    pub deadline: Duration,
}

impl Default for AdminSettings {
    fn default() -> Self {
        Self {
            access: Access::default(),
            deadline: Duration::from_secs(60),
        }
    }
}

/// A connection to the listener on which plugins are administered. Clones share it.
///
/// Nothing is tried twice: what was done is not always known when a connection breaks. Ask
/// [`list`](Self::list) then.
#[derive(Clone, Debug)]
pub struct AdminClient {
    channel: Channel,
    bearer: Bearer,
    deadline: Duration,
}

/// What came of loading or replacing a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct Swapped {
    /// The plugin that was loaded.
    pub plugin: v1::PluginBuild,
    /// Whether it was loaded already.
    pub known: bool,
    /// The rulesets whose names came to stand for new revisions.
    pub rulesets: Vec<v1::RulesetSwap>,
    /// The rulesets that a plugin which replaces others does not get into, since they want another.
    pub staying: Vec<v1::RulesetStay>,
}

/// All plugins of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Stock {
    /// The plugins, those that were refused too.
    pub plugins: Vec<v1::PluginBuild>,
    /// How many libraries the process holds.
    pub libraries_held: u64,
    /// How many it may hold.
    pub libraries_max: u64,
    /// How many revisions of rulesets are kept.
    pub revisions: u64,
}

impl AdminClient {
    /// Connects to `unix:/run/alamein.sock`, `127.0.0.1:50052`, or `https://rules.example.org:50052`.
    ///
    /// # Errors
    /// Where that is no address, a setting makes no sense, or nobody answers there.
    pub async fn connect(address: &str, settings: AdminSettings) -> Result<Self, Error> {
        let AdminSettings { access, deadline } = settings;
        let bearer = access.bearer()?;
        let failed = |source| Error::Connect {
            url: address.to_owned(),
            source,
        };
        let channel = match address.strip_prefix("unix:") {
            Some(path) => over_unix(path.strip_prefix("//").unwrap_or(path).into()).await,
            None => {
                let url = match address.contains("://") {
                    true => address.to_owned(),
                    false => format!("http://{address}"),
                };
                let endpoint = access
                    .endpoint(&url)?
                    .connect_timeout(Duration::from_secs(5));
                endpoint.connect().await
            }
        };
        Ok(Self {
            channel: channel.map_err(failed)?,
            bearer,
            deadline,
        })
    }

    /// Loads the plugin of a folder beside what is loaded.
    ///
    /// # Errors
    /// Where it is refused. Nothing has changed then.
    pub async fn load(&self, folder: &str) -> Result<Swapped, Error> {
        let message = v1::LoadPluginRequest {
            path: folder.to_owned(),
        };
        let answer = self
            .call(
                message,
                |mut stub, it| async move { stub.load_plugin(it).await },
            )
            .await?;
        Ok(Swapped {
            plugin: there(answer.plugin)?,
            known: answer.known,
            rulesets: answer.rulesets,
            staying: Vec::new(),
        })
    }

    /// Loads the plugin of a folder in place of all of the same id; if an id is given, of that.
    ///
    /// # Errors
    /// Where it is refused, or a ruleset cannot be made with it. Nothing has changed then.
    pub async fn replace(&self, folder: &str, id: Option<&str>) -> Result<Swapped, Error> {
        let message = v1::ReplacePluginRequest {
            path: folder.to_owned(),
            plugin_id: id.unwrap_or_default().to_owned(),
        };
        let answer = self
            .call(message, |mut stub, it| async move {
                stub.replace_plugin(it).await
            })
            .await?;
        Ok(Swapped {
            plugin: there(answer.plugin)?,
            known: false,
            rulesets: answer.rulesets,
            staying: answer.staying,
        })
    }

    /// Retires a plugin: all of an id, or what a version and a build say of these. Gives what was
    /// retired.
    ///
    /// # Errors
    /// Where there is none, or rulesets need it.
    pub async fn retire(
        &self,
        which: v1::RetirePluginRequest,
    ) -> Result<Vec<v1::PluginBuild>, Error> {
        let answer = self.call(
            which,
            |mut stub, it| async move { stub.retire_plugin(it).await },
        );
        Ok(answer.await?.plugins)
    }

    /// Lists all plugins.
    ///
    /// # Errors
    /// Where there is no answer.
    pub async fn list(&self) -> Result<Stock, Error> {
        let mut plugins = Vec::new();
        let mut message = v1::ListPluginsRequest::default();
        loop {
            let answer = self
                .call(message.clone(), |mut stub, it| async move {
                    stub.list_plugins(it).await
                })
                .await?;
            plugins.extend(answer.plugins);
            if answer.next_page_token.is_empty() {
                return Ok(Stock {
                    plugins,
                    libraries_held: answer.libraries_held,
                    libraries_max: answer.libraries_max,
                    revisions: answer.revisions,
                });
            }
            message.page_token = answer.next_page_token;
        }
    }

    async fn call<M, T, F>(
        &self,
        message: M,
        send: impl FnOnce(Stub, Request<M>) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let bearer = self.bearer.clone();
        let stub = Stub::new(InterceptedService::new(self.channel.clone(), bearer));
        let mut request = Request::new(message);
        request.set_timeout(self.deadline);
        match tokio::time::timeout(self.deadline, send(stub, request)).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(RemoteError::from(status).into()),
            Err(_) => Err(Error::Deadline(self.deadline)),
        }
    }
}

fn there(plugin: Option<v1::PluginBuild>) -> Result<v1::PluginBuild, Error> {
    plugin.ok_or_else(|| Error::Answer("no plugin in it".into()))
}

/// A channel to a Unix socket.
pub(crate) async fn over_unix(path: PathBuf) -> Result<Channel, tonic::transport::Error> {
    let connect = move |_| {
        let path = path.clone();
        async move { UnixStream::connect(path).await.map(TokioIo::new) }
    };
    // The name means nothing: there is but one way.
    let endpoint = Endpoint::from_static("http://localhost");
    endpoint
        .connect_with_connector(tower::service_fn(connect))
        .await
}
