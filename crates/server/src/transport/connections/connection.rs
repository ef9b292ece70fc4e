//! One connection, from its first byte to its last: how long each part of it may take.

use std::collections::HashMap;
use std::future::poll_fn;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{Extensions, Request, Response};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tower::ServiceExt as _;

use super::Http;
use super::sending::{Sending, Stall};
use crate::transport::around::{Answers, Around, Next, Shared, Stepped};
use crate::transport::config::ServerConfig;
use crate::transport::share::Held;
use crate::transport::sockets::Stream;

/// With how many bytes any client of HTTP/2 begins: the preface and an empty SETTINGS frame. The head
/// of a gRPC-Web request is longer.
const GREETING: u64 = 24 + 9;

/// How much sooner or later than it should a connection grows old, so that those that were opened
/// together do not end together.
const JITTER: f64 = 0.1;

/// How much is read before what came in is looked at: while nobody looks, requests pile up, and so do
/// those that their client has given up already.
const AT_ONCE: usize = 16 << 10;

/// How many requests a client may give up without waiting for an answer to any. One answer makes up for
/// some.
const GIVEN_UP: u32 = 5000;
const MADE_UP: u32 = 100;

/// How long each part of a connection may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) greeting: Duration,
    idle: Duration,
    reader: Duration,
    age: Option<Duration>,
    grace: Duration,
}

impl From<&ServerConfig> for Times {
    fn from(config: &ServerConfig) -> Self {
        Self {
            greeting: config.handshake_timeout,
            idle: config.idle_timeout,
            reader: config.reader_timeout,
            age: config.max_connection_age,
            grace: config.max_connection_grace,
        }
    }
}

impl Times {
    /// How often to look at a connection: often enough that a time is kept to about a quarter.
    fn tick(&self) -> Duration {
        let shortest = self
            .greeting
            .min(self.idle)
            .min(self.reader)
            .min(self.grace);
        (shortest / 4).clamp(Duration::from_millis(20), Duration::from_secs(5))
    }
}

/// A connection as its requests see it, in their extensions. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connection(Arc<OfConnection>);

/// What the requests of a connection have in common.
#[derive(Debug, Default)]
pub(crate) struct OfConnection {
    /// From where they come.
    peer: Option<Arc<str>>,
    /// The places that they hold.
    pub(crate) places: Held,
    /// Those of its requests whose answers have not begun.
    pub(crate) waiting: Held,
    /// The bytes that they hold.
    pub(crate) bytes: Held,
    open: Mutex<Open>,
    /// Tells that its client gives up all that it asks for.
    vain: Notify,
}

impl Deref for Connection {
    type Target = OfConnection;

    fn deref(&self) -> &OfConnection {
        &self.0
    }
}

/// What goes on on a connection.
#[derive(Debug)]
struct Open {
    /// How many requests there are.
    requests: usize,
    /// Since when there is none.
    idle: Instant,
    /// The answers that are being sent.
    answers: HashMap<u64, Weak<dyn Stall>>,
    next: u64,
    /// How many requests were given up, less those that are made up for.
    given_up: u32,
}

impl Default for Open {
    fn default() -> Self {
        Self {
            requests: 0,
            idle: Instant::now(),
            answers: HashMap::new(),
            next: 0,
            given_up: 0,
        }
    }
}

/// A request that is not over.
#[derive(Debug)]
pub(super) struct Busy {
    of: Connection,
    answered: bool,
}

impl Busy {
    /// Its client has taken the answer.
    pub(super) fn answered(&mut self) {
        if self.answered {
            return;
        }
        self.answered = true;
        let mut open = self.of.open();
        open.given_up = open.given_up.saturating_sub(MADE_UP);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut open = self.of.open();
        open.requests -= 1;
        open.idle = Instant::now();
        if !self.answered {
            open.given_up += 1;
            if open.given_up > GIVEN_UP {
                self.of.vain.notify_one();
            }
        }
    }
}

impl From<Arc<str>> for Connection {
    /// One from there.
    fn from(peer: Arc<str>) -> Self {
        Self(Arc::new(OfConnection {
            peer: Some(peer),
            ..OfConnection::default()
        }))
    }
}

impl Connection {
    /// From where a request with these extensions comes.
    pub(crate) fn peer(extensions: &Extensions) -> Option<Arc<str>> {
        extensions.get::<Self>()?.peer.clone()
    }

    /// The connection of a request. One that came through none is alone on its own.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        extensions.get().cloned().unwrap_or_default()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self) -> Busy {
        self.open().requests += 1;
        Busy {
            of: self.clone(),
            answered: false,
        }
    }

    /// Since when there is no request.
    fn idle(&self) -> Option<Instant> {
        let open = self.open();
        (open.requests == 0).then_some(open.idle)
    }

    /// Keeps an eye on an answer until it is sent. Gives the number under which it is known.
    fn watch(&self, answer: Weak<dyn Stall>) -> u64 {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.answers.insert(number, answer);
        number
    }

    /// An answer is sent, or given up.
    pub(super) fn sent(&self, number: u64) {
        self.open().answers.remove(&number);
    }

    /// Gives up answers of which nothing was taken for so long. Whether one of them was given up
    /// before, and still nobody takes its end.
    fn give_up(&self, now: Instant, time: Duration) -> bool {
        let answers: Vec<_> = self.open().answers.values().cloned().collect();
        let answers = answers.iter().filter_map(Weak::upgrade);
        answers.fold(false, |dead, answer| answer.give_up(now, time) | dead)
    }
}

/// The step that is outside of all others: it knows the connection.
#[derive(Debug)]
struct On {
    connection: Connection,
    reader: Duration,
}

impl Around for On {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let Self { connection, .. } = self;
        let busy = connection.begin();
        let response = next.run(request).await;
        let watch = |answer| connection.watch(answer);
        response.map(|body| Sending::wrap(body, busy, connection.clone(), self.reader, watch))
    }
}

/// Serves one connection to its end.
pub(super) async fn serve<S: Answers>(
    stream: Stream,
    peer: Arc<str>,
    http: Http,
    times: Times,
    answers: Arc<S>,
    drain: CancellationToken,
) {
    let connection = Connection::from(peer);
    let on = On {
        connection: connection.clone(),
        reader: times.reader,
    };
    let (of, certificate) = (connection.clone(), stream.certificate());
    let service = Shared::new(Arc::new(Stepped::new(on, answers)));
    let service = service.map_request(move |mut request: Request<_>| {
        let extensions = request.extensions_mut();
        extensions.insert(of.clone());
        if let Some(certificate) = &certificate {
            extensions.insert(certificate.clone());
        }
        request.map(Body::new)
    });
    let reading = Arc::new(Reading::default());
    let io = TokioIo::new(Counted {
        stream,
        reading: Arc::clone(&reading),
    });
    let mut served = pin!(http.serve_connection(io, TowerToHyperService::new(service)));
    let begun = Instant::now();
    let old = times.age.map(|age| begun + jittered(age));
    let mut tick = tokio::time::interval(times.tick());
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Until when it may finish what is open, once it was asked to.
    let mut finish: Option<Option<Instant>> = None;
    loop {
        let now = tokio::select! {
            ended = poll_fn(|cx| reading.round(cx, served.as_mut())) => {
                if let Err(error) = ended {
                    tracing::debug!(error = &*error, "a connection broke");
                }
                return;
            }
            () = drain.cancelled(), if finish.is_none() => {
                // The drain has a limit of its own.
                served.as_mut().graceful_shutdown();
                finish = Some(None);
                continue;
            }
            () = connection.vain.notified() => {
                tracing::info!("a client gives up all that it asks for: its connection is cut");
                return;
            }
            at = tick.tick() => at.into_std(),
        };
        if reading.bytes.load(Relaxed) < GREETING && now >= begun + times.greeting {
            tracing::debug!("a client did not say what it wants in time");
            return;
        }
        if connection.give_up(now, times.reader) {
            tracing::info!("a client takes nothing of its answers: its connection is cut");
            return;
        }
        let until = match finish {
            Some(until) => until,
            None if old.is_some_and(|old| now >= old)
                || connection
                    .idle()
                    .is_some_and(|since| now >= since + times.idle) =>
            {
                served.as_mut().graceful_shutdown();
                let until = Some(now + times.grace);
                finish = Some(until);
                until
            }
            None => None,
        };
        if until.is_some_and(|until| now >= until) {
            tracing::debug!("a connection that was to end did not in time: it is cut");
            return;
        }
    }
}

/// A time that is a little shorter or longer each time.
fn jittered(time: Duration) -> Duration {
    // Hash maps are seeded at random, and that is random enough here.
    let random = RandomState::new().hash_one(()) as u32;
    let chance = f64::from(random) / f64::from(u32::MAX);
    time.mul_f64(1.0 - JITTER + 2.0 * JITTER * chance)
}

/// What is read of a connection.
#[derive(Debug, Default)]
struct Reading {
    /// All that was.
    bytes: AtomicU64,
    /// What was in this round.
    round: AtomicUsize,
}

impl Reading {
    /// Lets a connection go on: it reads no more than so much before it looks at that.
    fn round<F: Future>(&self, cx: &mut Context<'_>, connection: Pin<&mut F>) -> Poll<F::Output> {
        self.round.store(0, Relaxed);
        let polled = connection.poll(cx);
        if polled.is_pending() && self.is_over() {
            cx.waker().wake_by_ref();
        }
        polled
    }

    fn is_over(&self) -> bool {
        self.round.load(Relaxed) >= AT_ONCE
    }

    fn count(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Relaxed);
        self.round.fetch_add(bytes, Relaxed);
    }
}

/// A stream of which it is known how much was read, and that is read in rounds.
struct Counted {
    stream: Stream,
    reading: Arc<Reading>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.reading.is_over() {
            // Whoever began the round begins another.
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.reading.count(buffer.filled().len() - before);
        polled
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_were_opened_together_do_not_grow_old_together() {
        let age = Duration::from_secs(1000);
        let ages: Vec<Duration> = (0..100).map(|_| jittered(age)).collect();
        assert!(ages.iter().all(|it| (900..=1100).contains(&it.as_secs())));
        let (least, most) = (ages.iter().min().unwrap(), ages.iter().max().unwrap());
        assert!(
            *most - *least > Duration::from_secs(50),
            "{least:?} to {most:?}"
        );
    }

    #[test]
    fn a_connection_is_idle_when_its_last_request_is_over() {
        let connection = Connection::default();
        let first = connection.idle().unwrap();
        let (one, other) = (connection.begin(), connection.begin());
        assert_eq!(connection.idle(), None);
        drop(one);
        assert_eq!(connection.idle(), None);
        drop(other);
        assert!(connection.idle().unwrap() >= first);
    }
}
