//! Answers on their way. Who reads slowly gets them in small pieces; of whom who does not read at all,
//! nothing is kept for long.
//!
//! HTTP/2 asks for the next piece of an answer only when its client makes room. So a body whose client
//! takes nothing is never asked, and cannot notice: whoever serves the connection does.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use alamein_proto::v1::ErrorReason;
use bytes::Bytes;
use http_body::Frame;
use tonic::Status;
use tonic::body::Body;

use super::connection::{Busy, Connection};
use crate::fault::Fault;
use crate::transport::body::trailers_of;

/// The longest piece that is handed to a connection at once. What it cannot send it keeps, so that a
/// long answer must not go to it whole.
const PIECE: usize = 16 << 10;

/// Something that may stall.
pub(super) trait Stall: Send + Sync + fmt::Debug {
    /// Gives it up if nothing of it was taken for so long. Whether it was given up before, as long ago.
    fn give_up(&self, now: Instant, time: Duration) -> bool;
}

/// An answer on its way.
pub(super) struct Sending {
    state: Arc<Mutex<State>>,
    connection: Connection,
    number: u64,
    busy: Busy,
}

struct State {
    /// Nothing once it has ended or was given up.
    body: Option<Body>,
    /// What of its last piece is not taken yet.
    rest: Bytes,
    /// Since when it waits for its reader; nothing if it is the reader that waits.
    waits: Option<Instant>,
    /// That it was given up, and whether that was told.
    given_up: Option<Told>,
    time: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    No,
    Yes,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("rest", &self.rest.len())
            .field("waits", &self.waits)
            .finish_non_exhaustive()
    }
}

impl Sending {
    /// Sends an answer, which `watch` makes known.
    pub(super) fn wrap(
        body: Body,
        mut busy: Busy,
        connection: Connection,
        time: Duration,
        watch: impl FnOnce(Weak<dyn Stall>) -> u64,
    ) -> Body {
        if http_body::Body::is_end_stream(&body) {
            // There is nothing of it to be taken but its head.
            busy.answered();
        }
        let state = Arc::new(Mutex::new(State {
            body: Some(body),
            rest: Bytes::new(),
            waits: Some(Instant::now()),
            given_up: None,
            time,
        }));
        let known: Weak<Mutex<State>> = Arc::downgrade(&state);
        Body::new(Self {
            number: watch(known),
            state,
            connection,
            busy,
        })
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.connection.sent(self.number);
    }
}

impl Stall for Mutex<State> {
    fn give_up(&self, now: Instant, time: Duration) -> bool {
        let mut state = lock(self);
        let stalled = state.waits.is_some_and(|since| now >= since + time);
        if !stalled {
            return false;
        }
        if state.given_up.is_some() {
            return true;
        }
        state.given_up = Some(Told::No);
        state.waits = Some(now);
        let gone = (state.body.take(), std::mem::take(&mut state.rest));
        drop(state);
        // What it holds may do anything when it is dropped.
        drop(gone);
        tracing::info!("a client takes nothing of an answer: it is given up");
        false
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl http_body::Body for Sending {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.get_mut();
        let mut state = lock(&this.state);
        let frame = state.poll(cx);
        state.waits = frame.is_ready().then(Instant::now);
        drop(state);
        if let Poll::Ready(Some(Ok(_))) = &frame {
            this.busy.answered();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        let state = lock(&self.state);
        let ended = state.body.as_ref();
        let ended = ended.is_none_or(http_body::Body::is_end_stream);
        ended && state.rest.is_empty() && state.given_up != Some(Told::No)
    }
}

impl State {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.given_up == Some(Told::No) {
            self.given_up = Some(Told::Yes);
            let trailers = trailers_of(&too_slow(self.time));
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(self.piece()))));
        }
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = std::task::ready!(http_body::Body::poll_frame(Pin::new(body), cx));
        Poll::Ready(match frame {
            Some(Ok(frame)) => Some(Ok(match frame.into_data() {
                Ok(data) if data.len() > PIECE => {
                    self.rest = data;
                    Frame::data(self.piece())
                }
                Ok(data) => Frame::data(data),
                Err(other) => other,
            })),
            ended => {
                self.body = None;
                ended
            }
        })
    }

    /// The next piece of what is left. It is a copy: a piece that waits must not keep all of it.
    fn piece(&mut self) -> Bytes {
        let length = PIECE.min(self.rest.len());
        Bytes::copy_from_slice(&self.rest.split_to(length))
    }
}

fn too_slow(time: Duration) -> Status {
    let text = format!("nothing of the answer was taken for {time:?}: it was given up");
    Fault::new(ErrorReason::ReaderTooSlow, text)
        .with("limit_ms", time.as_millis())
        .into()
}

#[cfg(test)]
mod tests {
    use http_body::Body as _;

    use super::*;

    const TIME: Duration = Duration::from_secs(20);

    /// The answer as the connection knows it.
    type Known = Arc<Mutex<Option<Weak<dyn Stall>>>>;

    fn sending(bytes: usize) -> (Body, Known) {
        let seen = Known::default();
        let (to, connection) = (Arc::clone(&seen), Connection::default());
        let busy = connection.begin();
        let body = Body::new(Once(Some(vec![7; bytes].into())));
        let body = Sending::wrap(body, busy, connection, TIME, move |stall| {
            *to.lock().unwrap() = Some(stall);
            0
        });
        (body, seen)
    }

    struct Once(Option<Bytes>);

    impl http_body::Body for Once {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
        }
    }

    fn next(body: &mut Body) -> Option<Frame<Bytes>> {
        let mut cx = Context::from_waker(std::task::Waker::noop());
        match Pin::new(body).poll_frame(&mut cx) {
            Poll::Ready(frame) => frame.map(Result::unwrap),
            Poll::Pending => panic!("it waits"),
        }
    }

    #[test]
    fn a_long_answer_comes_in_pieces_and_whole() {
        let (mut body, _) = sending(100_000);
        let mut length = 0;
        while let Some(frame) = next(&mut body) {
            let data = frame.into_data().unwrap();
            assert!(data.len() <= PIECE);
            length += data.len();
        }
        assert_eq!(length, 100_000);
        assert!(body.is_end_stream());
    }

    #[test]
    fn an_answer_that_nobody_takes_is_given_up_and_told_to_who_comes_late() {
        let (mut body, seen) = sending(100_000);
        next(&mut body);
        let stall = seen.lock().unwrap().clone().unwrap().upgrade().unwrap();
        let now = Instant::now();
        assert!(!stall.give_up(now + TIME / 2, TIME));
        assert!(!body.is_end_stream());
        assert!(
            !stall.give_up(now + TIME * 2, TIME),
            "it is given up only now"
        );
        assert!(
            stall.give_up(now + TIME * 4, TIME),
            "and its connection after as long again"
        );
        let trailers = next(&mut body).unwrap().into_trailers().unwrap();
        assert_eq!(trailers[Status::GRPC_STATUS], "8");
        assert!(next(&mut body).is_none());
    }
}
