//! The step before anything is done for a request: where there is no place for it, nothing need be.
//!
//! A service that is asked for more than it can do says no most of the time. So a no must cost next to
//! nothing: no span, no line in the log, no look at who asks. It is counted, and told to its client as
//! every other error is.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use alamein_proto::v1::ErrorReason;
use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http::{Request, Response};
use http_body::Body as _;
use tonic::body::Body;
use tonic::{Code, Status};

use super::around::{Answers, Around, Next};
use super::connections::Connection;
use super::load::Load;
use super::method::is_about_service;
use super::metrics::TransportMetrics;
use super::outcome::request_info;
use super::request_id::RequestId;
use super::share::Short;
use super::standing::Lack;
use super::table;
use crate::fault::reason_name;

/// Of how many shares a connection can have it is kept how it is told of them.
const SHARES: usize = 1024;

/// How much of a request that is turned away is taken in, and for how long: a stream that ends before its
/// client has said all would have to be reset.
const TAKEN_IN: usize = 64 << 10;
const TIME: Duration = Duration::from_secs(1);

/// How often it is said in the log that requests are turned away.
const SAID_EVERY: Duration = Duration::from_secs(10);

/// The step that turns away what there is no place for.
#[derive(Debug)]
pub(crate) struct Turnstile {
    load: Load,
    metrics: TransportMetrics,
    empty: OnceLock<Told>,
    standing: OnceLock<Told>,
    shares: Box<[OnceLock<Told>]>,
    /// When it was last said that requests are turned away.
    said: Mutex<Option<Instant>>,
    /// How many were, since.
    unsaid: AtomicU64,
}

/// How it is told that there is no place, but for the id of the request.
#[derive(Clone, Debug)]
struct Told {
    code: Code,
    reason: &'static str,
    message: String,
    details: Bytes,
}

impl Turnstile {
    pub(crate) fn new(load: Load, metrics: TransportMetrics) -> Self {
        let mut shares = Vec::new();
        shares.resize_with(SHARES, OnceLock::new);
        Self {
            load,
            metrics,
            empty: OnceLock::new(),
            standing: OnceLock::new(),
            shares: shares.into(),
            said: Mutex::default(),
            unsaid: AtomicU64::new(0),
        }
    }

    /// Why there is no place for a request, if there is none.
    fn lacks(&self, request: &Request<Body>) -> Option<Lack> {
        let connection = request.extensions().get::<Connection>()?;
        let lack = self.load.lacks(connection)?;
        (!is_about_service(request.uri().path())).then_some(lack)
    }

    fn refuse(&self, request: &Request<Body>, lack: Lack) -> Response<Body> {
        let make = || Told::of(Status::from(self.load.refusal(lack)), reason_of(lack));
        let kept = match lack {
            Lack::Place(Short::Empty) => Some(&self.empty),
            Lack::Crowd => Some(&self.standing),
            Lack::Place(Short::Share { held }) => usize::try_from(held)
                .ok()
                .and_then(|at| self.shares.get(at)),
        };
        let made;
        let told = match kept {
            Some(kept) => kept.get_or_init(make),
            None => {
                made = make();
                &made
            }
        };
        let method = self.metrics.method(table::known(request.uri().path()));
        method.turned_away(told.code, told.reason);
        self.say(Instant::now());
        told.answer(&RequestId::given(request.headers()))
    }

    /// Says that requests are turned away, once in a while.
    fn say(&self, now: Instant) {
        let requests = self.unsaid.fetch_add(1, Relaxed) + 1;
        // Whoever does not get it leaves it to the next.
        let Ok(mut said) = self.said.try_lock() else {
            return;
        };
        if said.is_none_or(|said| now >= said + SAID_EVERY) {
            *said = Some(now);
            drop(said);
            self.unsaid.fetch_sub(requests, Relaxed);
            tracing::warn!(
                requests,
                "the server is at its limit: requests are turned away"
            );
        }
    }
}

fn reason_of(lack: Lack) -> &'static str {
    reason_name(match lack {
        Lack::Place(Short::Empty) | Lack::Crowd => ErrorReason::Overloaded,
        Lack::Place(Short::Share { .. }) => ErrorReason::ConnectionOverloaded,
    })
}

impl Told {
    fn of(status: Status, reason: &'static str) -> Self {
        Self {
            code: status.code(),
            reason,
            message: status.message().to_owned(),
            details: Bytes::copy_from_slice(status.details()),
        }
    }

    fn answer(&self, id: &RequestId) -> Response<Body> {
        // A message that comes after another is read as more of it.
        let more = request_info(id);
        let mut details = BytesMut::with_capacity(self.details.len() + more.len());
        details.put_slice(&self.details);
        details.put_slice(&more);
        let status = Status::with_details(self.code, &*self.message, details.freeze());
        let mut response = status.into_http();
        id.put(response.headers_mut());
        response
    }
}

impl Around for Turnstile {
    fn at_once(&self, request: &Request<Body>) -> Option<Response<Body>> {
        let lack = self.lacks(request)?;
        let whole = request.body().is_end_stream();
        whole.then(|| self.refuse(request, lack))
    }

    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let Some(lack) = self.lacks(&request) else {
            return next.run(request).await;
        };
        let response = self.refuse(&request, lack);
        // Whoever has not said all by then is not listened to.
        let _ = tokio::time::timeout(TIME, take_in(request.into_body())).await;
        response
    }
}

/// Takes in a body, unless it is long.
async fn take_in(mut body: Body) {
    let mut left = TAKEN_IN;
    loop {
        let frame = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
        let Some(Ok(frame)) = frame else { return };
        let length = frame.data_ref().map_or(0, |data| data.remaining());
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use alamein_proto::v1::ErrorReason;
    use prometheus_client::encoding::text;
    use prometheus_client::registry::Registry;
    use tonic_types::StatusExt as _;

    use super::*;

    const RETRY: Duration = Duration::from_millis(200);

    fn request(connection: &Connection) -> Request<Body> {
        let uri = "http://host/alamein.v1.MapService/GetMap";
        let mut request = Request::post(uri).body(Body::empty()).unwrap();
        request.extensions_mut().insert(connection.clone());
        request
    }

    #[test]
    fn a_refusal_says_why_when_to_come_back_and_whose_it_is() {
        let load = Load::new(2, 100, RETRY);
        let turnstile = Turnstile::new(load.clone(), TransportMetrics::default());
        let (one, other) = (Connection::default(), Connection::default());
        assert!(turnstile.at_once(&request(&one)).is_none());
        let first = load.take(&one).unwrap();
        let second = load.take(&other).unwrap();
        let mut asked = request(&one);
        asked
            .headers_mut()
            .insert("alamein-request-id", "turn-7".parse().unwrap());
        let answer = turnstile.at_once(&asked).unwrap();
        assert_eq!(answer.headers()["alamein-request-id"], "turn-7");
        let status = Status::from_header_map(answer.headers()).unwrap();
        assert_eq!(status.code(), Code::ResourceExhausted);
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!((&*info.reason, &*info.metadata["max"]), ("OVERLOADED", "2"));
        assert_eq!(details.retry_info().unwrap().retry_delay, Some(RETRY));
        assert_eq!(details.request_info().unwrap().request_id, "turn-7");
        drop(second);
        let answer = turnstile.at_once(&request(&one));
        assert!(answer.is_none(), "one of two, and one is free");
        drop(first);
    }

    #[test]
    fn who_has_a_share_is_told_that_it_is_a_share() {
        let load = Load::new(8, 100, RETRY);
        let metrics = TransportMetrics::default();
        let turnstile = Turnstile::new(load.clone(), metrics.clone());
        let connection = Connection::default();
        let held: Vec<_> = std::iter::from_fn(|| load.take(&connection).ok()).collect();
        for _ in 0..3 {
            let answer = turnstile.at_once(&request(&connection)).unwrap();
            let status = Status::from_header_map(answer.headers()).unwrap();
            let details = status.get_error_details();
            let info = details.error_info().unwrap();
            let reason = reason_name(ErrorReason::ConnectionOverloaded);
            assert_eq!(info.reason, reason);
            assert_eq!(info.metadata["given"], held.len().to_string());
        }
        assert!(
            turnstile
                .at_once(&request(&Connection::default()))
                .is_none()
        );
        let (mut registry, mut told) = (Registry::default(), String::new());
        metrics.register(&mut registry);
        text::encode(&mut told, &registry).unwrap();
        let shed = r#"rpc_shed_total{limit="connection_overloaded"} 3"#;
        assert!(told.lines().any(|line| line == shed), "{told}");
        assert!(
            told.contains("rpc_started_total{service=\"MapService\",method=\"GetMap\"} 3"),
            "{told}"
        );
    }

    #[test]
    fn health_is_never_turned_away() {
        let load = Load::new(1, 100, RETRY);
        let turnstile = Turnstile::new(load.clone(), TransportMetrics::default());
        let connection = Connection::default();
        let _held = load.take(&connection).unwrap();
        let mut asked = request(&connection);
        *asked.uri_mut() = "http://host/grpc.health.v1.Health/Check".parse().unwrap();
        assert!(turnstile.at_once(&asked).is_none());
    }
}
