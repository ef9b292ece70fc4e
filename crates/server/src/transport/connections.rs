//! The socket and its connections: counted, served, asked to finish, cut off.
//!
//! tonic's own server would do but for two things: it answers a client's deadline with CANCELLED
//! before anything of ours can, and it leaves every connection to a task that nothing can end.

use std::future::{Future, pending};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tower::ServiceExt as _;

use super::address::Address;
use super::around::Answers;
use super::config::ServerConfig;
use super::sockets::{Socket, Stream};
use super::tls::Tls;

/// How long to wait when accepting fails, as it does when there are no file descriptors left.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a connection may stay open without a byte sent on it.
const FIRST_WORD: Duration = Duration::from_secs(10);

type Http = auto::Builder<TokioExecutor>;

/// A bound socket, and what its connections are to be like.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: Socket,
    address: Address,
    tls: Option<Tls>,
    places: Arc<Semaphore>,
    http: Http,
    max_age: Option<Duration>,
}

/// From where a request comes, in its extensions.
#[derive(Clone, Debug)]
pub(crate) struct Peer(pub(crate) Arc<str>);

/// A connection that was accepted, and its place among the others.
struct Accepted {
    stream: Stream,
    peer: Peer,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    /// Binds the socket. Connections wait in its queue until they are served.
    pub(crate) async fn bind(config: &ServerConfig, tls: Option<Tls>) -> io::Result<Self> {
        let socket = Socket::bind(&config.listen).await?;
        Ok(Self {
            address: socket.address()?,
            socket,
            tls,
            places: Arc::new(Semaphore::new(config.max_connections)),
            http: http(config),
            max_age: config.max_connection_age,
        })
    }

    /// The address that was bound, with its real port.
    pub(crate) fn local_addr(&self) -> &Address {
        &self.address
    }

    /// What counts the connections that may yet be opened.
    pub(crate) fn places(&self) -> Arc<Semaphore> {
        self.places.clone()
    }

    /// Serves connections. Once the drain begins the socket is closed and open connections are
    /// asked to finish; this ends when they have. Dropping it cuts them off.
    pub(crate) async fn serve(self, service: impl Answers, drain: CancellationToken) {
        let mut open = JoinSet::new();
        loop {
            tokio::select! {
                () = drain.cancelled() => break,
                Some(_) = open.join_next(), if !open.is_empty() => {}
                accepted = self.accept() => {
                    let (how, service) = (self.how(), service.clone());
                    open.spawn(connection(accepted, how, service, drain.clone()));
                }
            }
        }
        drop(self);
        while open.join_next().await.is_some() {}
    }

    fn how(&self) -> How {
        How {
            http: self.http.clone(),
            tls: self.tls.clone(),
            max_age: self.max_age,
        }
    }

    async fn accept(&self) -> Accepted {
        let Ok(place) = self.places.clone().acquire_owned().await else {
            return pending().await;
        };
        loop {
            match self.socket.accept().await {
                Ok((stream, peer)) => {
                    return Accepted {
                        stream,
                        peer: Peer(peer.into()),
                        _place: place,
                    };
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

fn http(config: &ServerConfig) -> Http {
    let mut http = Http::new(TokioExecutor::new());
    // Browsers speak HTTP/1.1 where there is no TLS. Its timer bounds the wait for a head.
    http.http1().timer(TokioTimer::new());
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(config.max_streams_per_connection)
        .keep_alive_interval(config.keepalive_interval)
        .keep_alive_timeout(config.keepalive_timeout);
    if config.web { http } else { http.http2_only() }
}

/// What a connection is to be like.
struct How {
    http: Http,
    tls: Option<Tls>,
    max_age: Option<Duration>,
}

/// Serves one connection to its end.
async fn connection(accepted: Accepted, how: How, service: impl Answers, drain: CancellationToken) {
    let How { http, tls, max_age } = how;
    let Accepted {
        stream,
        peer,
        _place,
    } = accepted;
    // Whoever connects and says nothing takes a place from those who have something to ask.
    let spoke = tokio::select! {
        spoke = stream.readable() => spoke.is_ok(),
        () = tokio::time::sleep(FIRST_WORD) => false,
        () = drain.cancelled() => false,
    };
    if !spoke {
        return;
    }
    let Some(stream) = handshake(stream, tls).await else {
        return;
    };
    let service = service.map_request(move |request: Request<_>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        request
    });
    let io = TokioIo::new(stream);
    let mut served = pin!(http.serve_connection(io, TowerToHyperService::new(service)));
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = asked_to_finish(&drain, max_age) => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(error = &*error, "a connection broke");
    }
}

/// Puts TLS around a connection, where that is wanted. A client that does not manage in time is gone.
async fn handshake(stream: Stream, tls: Option<Tls>) -> Option<Stream> {
    let (stream, tls) = match (stream, tls) {
        (Stream::Tcp(stream), Some(tls)) => (stream, tls),
        (stream, _) => return Some(stream),
    };
    match tokio::time::timeout(FIRST_WORD, tls.accept(stream)).await {
        Ok(Ok(stream)) => Some(Stream::Tls(Box::new(stream))),
        Ok(Err(error)) => {
            tracing::debug!(%error, "no TLS with this client");
            None
        }
        Err(_) => None,
    }
}

/// Waits until a connection is to finish: the server drains, or it is old enough.
fn asked_to_finish(
    drain: &CancellationToken,
    max_age: Option<Duration>,
) -> impl Future<Output = ()> + use<'_> {
    let old = async move {
        match max_age {
            Some(age) => tokio::time::sleep(age).await,
            None => pending().await,
        }
    };
    async move {
        tokio::select! {
            () = drain.cancelled() => {}
            () = old => {}
        }
    }
}
