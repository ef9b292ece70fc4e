//! Answers that were given before. Rulings are named by what they are of, and never change: whoever asks
//! the same again, of the same position by the same rules, is told the same, and nobody works for it.
//!
//! A page that follows a mouse and a computer's opponent that weighs its moves ask little else. Only the
//! handler knows whether an answer holds for good: it puts a [`Repeatable`] into the extensions of one that
//! does. All that is done around a call, from who may ask to what is counted, is done as for any other.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alamein_store::Tenant;
use bytes::Bytes;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Request, Response};
use lru::LruCache;
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Complete, Whole, whole};
use super::config::ServerConfig;
use super::metrics::TransportMetrics;
use super::span::RequestSpan;
use super::table;
use crate::auth::Caller;

/// The longest request and the longest answer that are kept: those of one question are far shorter.
const LONGEST: usize = 16 << 10;

/// What an answer takes beside its bytes and those of its request: its place, its headers, and what it
/// needs to be given again.
const BESIDE: usize = 3 << 9;

/// Knows whether an answer that was given holds still.
pub(crate) trait Again: Send + Sync {
    /// Whether the answer may be given to a request with these extensions. If so, counts it as one that is
    /// given.
    fn holds(&self, request: &Extensions) -> bool;
}

/// In the extensions of an answer that may be given again.
#[derive(Clone)]
pub(crate) struct Repeatable(pub(crate) Arc<dyn Again>);

/// In the extensions of a request that has but one message: that, as it is framed.
#[derive(Clone, Debug)]
pub(crate) struct Message(Bytes);

impl Message {
    /// The message of a request, unless it is so long that its answer is never kept.
    pub(crate) fn of(framed: &Bytes) -> Option<Self> {
        (framed.len() <= LONGEST).then(|| Self(framed.clone()))
    }
}

/// The step that gives answers again.
#[derive(Clone, Debug)]
pub(crate) struct Repeats {
    /// Nothing where none are kept.
    kept: Option<Arc<Kept>>,
    /// Whether answers are packed for who takes them so.
    gzip: bool,
    metrics: TransportMetrics,
}

impl Repeats {
    /// Keeps answers up to as many bytes as the configuration says; with 0, none.
    pub(crate) fn new(config: &ServerConfig, metrics: TransportMetrics) -> Self {
        let bytes = config.answer_cache_bytes;
        Self {
            kept: (bytes > 0).then(|| Arc::new(Kept::new(bytes))),
            gzip: config.gzip_responses,
            metrics,
        }
    }
}

impl Around for Repeats {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let asked = self.kept.as_ref().zip(Asked::of(&request, self.gzip));
        let Some((kept, asked)) = asked else {
            return next.run(request).await;
        };
        if let Some(answer) = kept.get(&asked)
            && answer.again.0.holds(request.extensions())
        {
            self.metrics.repeated();
            return answer.response();
        }
        let response = next.run(request).await;
        let Some(again) = response.extensions().get::<Repeatable>().cloned() else {
            return response;
        };
        let (mut head, body) = response.into_parts();
        let Whole { message, trailers } = whole(body).await;
        let told = message.as_ref().filter(|it| it.len() <= LONGEST);
        if let Some((message, trailers)) = told.zip(trailers.as_ref().filter(|it| is_ok(it))) {
            let answer = Answer {
                headers: Lines::of(&head.headers),
                message: Bytes::copy_from_slice(message),
                trailers: Lines::of(trailers),
                again,
            };
            kept.put(asked, answer, &self.metrics);
            head.extensions.insert(Complete);
        }
        Response::from_parts(head, Body::new(Whole { message, trailers }))
    }
}

/// Whether an answer that ends like this went well.
fn is_ok(trailers: &HeaderMap) -> bool {
    let code = trailers.get(Status::GRPC_STATUS);
    code.is_some_and(|code| code.as_bytes() == b"0")
}

/// What was asked, and by whose things it is answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    path: &'static str,
    tenant: Tenant,
    /// Whether the answer may be packed.
    gzip: bool,
    message: Bytes,
}

impl Asked {
    /// What a request asks, if its answer might be kept.
    fn of(request: &Request<Body>, gzip: bool) -> Option<Self> {
        let Message(message) = request.extensions().get()?;
        let known = match request.extensions().get::<RequestSpan>() {
            Some(of) => of.known(),
            None => table::known(request.uri().path()),
        };
        let taken = request.headers().get("grpc-accept-encoding");
        let taken = taken.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let caller = request.extensions().get::<Caller>();
        Some(Self {
            path: &known?.path,
            tenant: caller.map_or_else(Tenant::main, |caller| caller.tenant.clone()),
            gzip: gzip && taken.split(',').any(|it| it.trim() == "gzip"),
            message: message.clone(),
        })
    }

    /// The same, which keeps nothing alive of what was read with it.
    fn alone(self) -> Self {
        Self {
            message: Bytes::copy_from_slice(&self.message),
            ..self
        }
    }
}

/// An answer that may be given again.
struct Answer {
    headers: Lines,
    message: Bytes,
    trailers: Lines,
    again: Repeatable,
}

/// How many headers an answer is given besides: its id, and the date.
const MORE: usize = 2;

/// Headers without the room for more that a map of them has.
struct Lines(Box<[(HeaderName, HeaderValue)]>);

impl Lines {
    fn of(map: &HeaderMap) -> Self {
        let lines = map.iter();
        Self(
            lines
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    }

    fn map(&self) -> HeaderMap {
        let mut map = HeaderMap::with_capacity(self.0.len() + MORE);
        for (name, value) in &self.0 {
            map.append(name.clone(), value.clone());
        }
        map
    }
}

impl Answer {
    fn response(&self) -> Response<Body> {
        let body = Whole {
            message: Some(self.message.clone()),
            trailers: Some(self.trailers.map()),
        };
        let mut response = Response::new(Body::new(body));
        *response.headers_mut() = self.headers.map();
        response.extensions_mut().insert(Complete);
        response
    }
}

/// The answers that are kept: those that were asked for last.
struct Kept {
    answers: Mutex<Room>,
    most: usize,
}

struct Room {
    answers: LruCache<Asked, Arc<Answer>>,
    bytes: usize,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept")
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

impl Kept {
    fn new(most: usize) -> Self {
        let room = Room {
            answers: LruCache::unbounded(),
            bytes: 0,
        };
        Self {
            answers: Mutex::new(room),
            most,
        }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, asked: &Asked) -> Option<Arc<Answer>> {
        self.room().answers.get(asked).cloned()
    }

    /// Keeps an answer, and tells how many bytes all take.
    fn put(&self, asked: Asked, answer: Answer, metrics: &TransportMetrics) {
        let asked = asked.alone();
        let bytes = size(&asked, &answer);
        if bytes > self.most {
            return;
        }
        let mut room = self.room();
        room.bytes += bytes;
        let before = room.answers.push(asked, Arc::new(answer));
        room.forget(before);
        while room.bytes > self.most {
            let oldest = room.answers.pop_lru();
            room.forget(oldest);
        }
        metrics.keeps(room.bytes);
    }
}

impl Room {
    fn forget(&mut self, gone: Option<(Asked, Arc<Answer>)>) {
        let bytes = gone.map_or(0, |(asked, answer)| size(&asked, &answer));
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// How many bytes an answer takes that is kept.
fn size(asked: &Asked, answer: &Answer) -> usize {
    asked.message.len() + answer.message.len() + BESIDE
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

    use super::*;

    /// How often it was asked, and whether it says that the answer holds.
    #[derive(Default)]
    struct Rules {
        changed: AtomicBool,
        again: AtomicUsize,
    }

    impl Again for Rules {
        fn holds(&self, _: &Extensions) -> bool {
            self.again.fetch_add(1, Relaxed);
            !self.changed.load(Relaxed)
        }
    }

    /// Answers with how often it was asked.
    struct Handler {
        rules: Option<Arc<Rules>>,
        asked: AtomicUsize,
        code: &'static str,
    }

    impl Answers for Handler {
        async fn answer(&self, _: Request<Body>) -> Response<Body> {
            let number = self.asked.fetch_add(1, Relaxed);
            let mut trailers = HeaderMap::new();
            trailers.insert(Status::GRPC_STATUS, self.code.parse().unwrap());
            let body = Whole {
                message: Some(Bytes::from(vec![number as u8; 100])),
                trailers: Some(trailers),
            };
            let mut response = Response::new(Body::new(body));
            if let Some(rules) = &self.rules {
                let again = Repeatable(Arc::clone(rules) as Arc<dyn Again>);
                response.extensions_mut().insert(again);
            }
            response
        }
    }

    fn handler(code: &'static str) -> (Arc<Rules>, Arc<Handler>) {
        let rules = Arc::<Rules>::default();
        let handler = Handler {
            rules: Some(Arc::clone(&rules)),
            asked: AtomicUsize::new(0),
            code,
        };
        (rules, Arc::new(handler))
    }

    fn request(tenant: &str, message: &str, taken: Option<&str>) -> Request<Body> {
        let uri = "http://host/alamein.v1.AdjudicationService/LineOfSight";
        let mut request = Request::post(uri).body(Body::empty()).unwrap();
        if let Some(message) = Message::of(&Bytes::copy_from_slice(message.as_bytes())) {
            request.extensions_mut().insert(message);
        }
        request.extensions_mut().insert(Caller {
            tenant: tenant.parse().unwrap(),
            ..Caller::anybody()
        });
        if let Some(taken) = taken {
            let headers = request.headers_mut();
            headers.insert("grpc-accept-encoding", taken.parse().unwrap());
        }
        request
    }

    /// The number that answers a request.
    async fn ask(stepped: &impl Answers, request: Request<Body>) -> u8 {
        let told = whole(stepped.answer(request).await.into_body()).await;
        assert!(told.trailers.is_some());
        told.message.unwrap()[0]
    }

    fn step(bytes: usize, handler: &Arc<Handler>) -> impl Answers + use<> {
        let config = ServerConfig {
            answer_cache_bytes: bytes,
            gzip_responses: true,
            ..ServerConfig::default()
        };
        let repeats = Repeats::new(&config, TransportMetrics::default());
        super::super::around::Stepped::new(repeats, Arc::clone(handler))
    }

    #[tokio::test]
    async fn the_same_of_the_same_tenant_is_answered_as_before_while_that_holds() {
        let (rules, handler) = handler("0");
        let it = step(1 << 20, &handler);
        assert_eq!(ask(&it, request("club", "a", None)).await, 0);
        assert_eq!(ask(&it, request("club", "a", None)).await, 0);
        assert_eq!(ask(&it, request("club", "b", None)).await, 1);
        assert_eq!(ask(&it, request("other", "a", None)).await, 2);
        assert_eq!(ask(&it, request("club", "a", Some("gzip"))).await, 3);
        let both = Some("identity, gzip");
        assert_eq!(ask(&it, request("club", "a", both)).await, 3);
        assert_eq!(ask(&it, request("club", "a", Some("identity"))).await, 0);
        assert_eq!(rules.again.load(Relaxed), 3);
        rules.changed.store(true, Relaxed);
        assert_eq!(ask(&it, request("club", "a", None)).await, 4);
        rules.changed.store(false, Relaxed);
        assert_eq!(ask(&it, request("club", "a", None)).await, 4);
    }

    #[tokio::test]
    async fn an_error_is_told_once() {
        let (rules, handler) = handler("13");
        let it = step(1 << 20, &handler);
        for number in 0..3 {
            assert_eq!(ask(&it, request("club", "a", None)).await, number);
        }
        assert_eq!(rules.again.load(Relaxed), 0);
    }

    #[tokio::test]
    async fn those_asked_for_longest_ago_make_room() {
        let (_, handler) = handler("0");
        let it = step(2 * (BESIDE + 101), &handler);
        for (asked, number) in [("a", 0), ("b", 1), ("a", 0), ("c", 2), ("a", 0), ("b", 3)] {
            assert_eq!(
                ask(&it, request("club", asked, None)).await,
                number,
                "{asked}"
            );
        }
    }

    #[tokio::test]
    async fn what_is_too_long_is_judged_each_time() {
        let (_, handler) = handler("0");
        let long = "x".repeat(LONGEST);
        let room = step(1 << 20, &handler);
        for (asked, number) in [(&*long, 0), (&long, 0), (&format!("{long}x"), 1)] {
            assert_eq!(ask(&room, request("club", asked, None)).await, number);
        }
        let none = step(2 * BESIDE, &handler);
        for number in [2, 3] {
            assert_eq!(ask(&none, request("club", &long, None)).await, number);
        }
    }

    #[tokio::test]
    async fn nothing_is_kept_that_does_not_say_so() {
        let handler = Arc::new(Handler {
            rules: None,
            asked: AtomicUsize::new(0),
            code: "0",
        });
        let it = step(1 << 20, &handler);
        assert_eq!(ask(&it, request("club", "a", None)).await, 0);
        assert_eq!(ask(&it, request("club", "a", None)).await, 1);
    }
}
