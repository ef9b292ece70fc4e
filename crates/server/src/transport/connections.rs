//! The socket and its connections: counted, served, asked to finish, cut off.
//!
//! tonic's own server would do but for two things: it answers a client's deadline with CANCELLED
//! before anything of ours can, and it leaves every connection to a task that nothing can end.

mod connection;
mod sending;

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

pub(crate) use self::connection::Connection;
use self::connection::Times;
use super::address::Address;
use super::around::Answers;
use super::config::ServerConfig;
use super::metrics::{Open, TransportMetrics};
use super::sockets::{Socket, Stream};
use super::tls::Tls;

/// How long to wait when accepting fails, as it does when there are no file descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// How often it is said that accepting fails.
const SAID_EVERY: Duration = Duration::from_secs(10);

/// How many requests that came in may be given up before they were looked at: more than there can be among
/// what is read at once.
const PENDING_RESETS: usize = 1024;

/// The smallest buffer that HTTP/1 takes.
const SMALLEST_BUFFER: usize = 8 << 10;

type Http = auto::Builder<TokioExecutor>;

/// A bound socket, and what its connections are to be like.
#[derive(Debug)]
pub(crate) struct Listener {
    socket: Socket,
    address: Address,
    tls: Option<Tls>,
    places: Arc<Semaphore>,
    http: Http,
    times: Times,
    /// When it was last said that accepting fails, and how often it did since.
    failing: Option<(Instant, u64)>,
    metrics: TransportMetrics,
    /// Who wants to know whether connections are accepted.
    asked: mpsc::Receiver<oneshot::Sender<()>>,
    pulse: Pulse,
}

/// Shows that connections are accepted, or would be if there were any.
#[derive(Clone, Debug)]
pub(crate) struct Pulse(mpsc::Sender<oneshot::Sender<()>>);

impl Pulse {
    /// Waits until whoever accepts connections has come by. It does not once the socket is closed.
    pub(crate) async fn felt(&self) {
        let (tell, told) = oneshot::channel();
        if self.0.send(tell).await.is_err() || told.await.is_err() {
            pending().await
        }
    }
}

/// A connection that was accepted, and its place among the others.
struct Accepted {
    stream: Stream,
    peer: Arc<str>,
    open: Open,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    /// Binds the socket. Connections wait in its queue until they are served.
    pub(crate) async fn bind(
        config: &ServerConfig,
        tls: Option<Tls>,
        metrics: TransportMetrics,
    ) -> io::Result<Self> {
        let socket = Socket::bind(&config.listen).await?;
        let (ask, asked) = mpsc::channel(1);
        Ok(Self {
            address: socket.address()?,
            socket,
            tls,
            places: Arc::new(Semaphore::new(config.max_connections)),
            http: http(config),
            times: config.into(),
            failing: None,
            metrics,
            asked,
            pulse: Pulse(ask),
        })
    }

    /// What shows that connections are accepted.
    pub(crate) fn pulse(&self) -> Pulse {
        self.pulse.clone()
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
    pub(crate) async fn serve(mut self, answers: impl Answers, drain: CancellationToken) {
        let answers = Arc::new(answers);
        let mut open = JoinSet::new();
        loop {
            tokio::select! {
                () = drain.cancelled() => break,
                Some(tell) = self.asked.recv() => {
                    // Whoever asked may have gone.
                    let _ = tell.send(());
                }
                Some(_) = open.join_next(), if !open.is_empty() => {}
                accepted = accept(&self.socket, &self.places, &mut self.failing, &self.metrics) => {
                    let (how, answers) = (self.how(), Arc::clone(&answers));
                    open.spawn(serve(accepted, how, answers, drain.clone()));
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
            times: self.times,
            metrics: self.metrics.clone(),
        }
    }
}

async fn accept(
    socket: &Socket,
    places: &Arc<Semaphore>,
    failing: &mut Option<(Instant, u64)>,
    metrics: &TransportMetrics,
) -> Accepted {
    let Ok(place) = Arc::clone(places).acquire_owned().await else {
        return pending().await;
    };
    loop {
        match socket.accept().await {
            Ok((stream, peer)) => {
                return Accepted {
                    stream,
                    peer: peer.into(),
                    open: metrics.connected(),
                    _place: place,
                };
            }
            Err(error) => {
                metrics.refused("accept_failed");
                say(&error, failing, Instant::now());
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Says that accepting fails, but not every time: it may go on for long.
fn say(error: &io::Error, failing: &mut Option<(Instant, u64)>, now: Instant) {
    match failing {
        Some((said, times)) if now < *said + SAID_EVERY => *times += 1,
        _ => {
            let times = failing.map_or(0, |(_, times)| times) + 1;
            tracing::warn!(%error, times, "connections cannot be accepted; those that are open go on");
            *failing = Some((now, 0));
        }
    }
}

fn http(config: &ServerConfig) -> Http {
    let mut http = Http::new(TokioExecutor::new());
    // Browsers speak HTTP/1.1 where there is no TLS.
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.handshake_timeout)
        .max_buf_size((config.max_header_bytes as usize).max(SMALLEST_BUFFER));
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(config.max_streams_per_connection)
        .max_header_list_size(config.max_header_bytes)
        // A client whose time was up while nobody looked has given up what came in meanwhile.
        .max_pending_accept_reset_streams(PENDING_RESETS)
        // It may also open streams before it says that it gave up others, and these are refused. They would
        // be counted as long as the connection lasts; what is given up is counted there.
        .max_local_error_reset_streams(None)
        .initial_stream_window_size(config.stream_window)
        .initial_connection_window_size(config.connection_window)
        .max_send_buf_size(config.send_buffer)
        .keep_alive_interval(config.keepalive_interval)
        .keep_alive_timeout(config.keepalive_timeout);
    if config.web { http } else { http.http2_only() }
}

/// What a connection is to be like.
struct How {
    http: Http,
    tls: Option<Tls>,
    times: Times,
    metrics: TransportMetrics,
}

/// Serves one connection to its end.
async fn serve<S: Answers>(
    accepted: Accepted,
    how: How,
    answers: Arc<S>,
    drain: CancellationToken,
) {
    let How {
        http,
        tls,
        times,
        metrics,
    } = how;
    let Accepted {
        stream,
        peer,
        open: _open,
        _place,
    } = accepted;
    // Whoever connects and says nothing takes a place from those who have something to ask.
    let spoke = tokio::select! {
        spoke = stream.readable() => spoke.is_ok(),
        () = tokio::time::sleep(times.greeting) => false,
        () = drain.cancelled() => false,
    };
    if !spoke {
        metrics.refused("silent");
        return;
    }
    let Some(stream) = handshake(stream, tls, times.greeting).await else {
        metrics.refused("no_tls");
        return;
    };
    connection::serve(stream, peer, http, times, answers, drain).await;
}

/// Puts TLS around a connection, where that is wanted. A client that does not manage in time is gone.
async fn handshake(stream: Stream, tls: Option<Tls>, time: Duration) -> Option<Stream> {
    let (stream, tls) = match (stream, tls) {
        (Stream::Tcp(stream), Some(tls)) => (stream, tls),
        (stream, _) => return Some(stream),
    };
    match tokio::time::timeout(time, tls.accept(stream)).await {
        Ok(Ok(stream)) => Some(Stream::Tls(Box::new(stream))),
        Ok(Err(error)) => {
            tracing::debug!(%error, "no TLS with this client");
            None
        }
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_accepting_fails_is_said_once_in_a_while() {
        let (error, start) = (io::Error::other("none left"), Instant::now());
        let mut failing = None;
        for _ in 0..5 {
            say(&error, &mut failing, start);
        }
        assert_eq!(failing, Some((start, 4)));
        let later = start + SAID_EVERY;
        say(&error, &mut failing, later);
        assert_eq!(failing, Some((later, 0)));
    }
}
