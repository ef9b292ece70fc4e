//! An answer's body with something that watches it, changes its end or cuts it short.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes};
use http::{HeaderMap, Response};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use tonic::Status;
use tonic::body::Body;

/// What is done with a body. It is dropped with the body: sent to the end, cut, or given up.
pub(crate) trait Hook: Send + 'static {
    /// Cuts the body short with a status once it is ready. Asked before every frame that has to be waited
    /// for, and before each but the first few: an answer of one message is not waited for, and is not cut.
    fn poll_cut(&mut self, _cx: &mut Context<'_>) -> Poll<Status> {
        Poll::Pending
    }

    /// Sees how many bytes of the body are sent.
    fn data(&mut self, _bytes: usize) {}

    /// Sees, and may change, the trailers with which the body ends.
    fn trailers(&mut self, _trailers: &mut HeaderMap) {}
}

/// In the extensions of an answer that went well and is there to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Complete;

/// Puts a hook on the body of an answer, unless there is nothing for it to do: it is for those that have to
/// be waited for, or that fail, and this is [`Complete`].
pub(crate) fn unless_complete<H: Hook + Unpin>(
    response: Response<Body>,
    hook: H,
) -> Response<Body> {
    if response.extensions().get::<Complete>().is_some() {
        return response;
    }
    response.map(|body| Hooked::wrap(body, hook))
}

/// How many frames an answer of one message has: the message, and the trailers.
const OF_ONE: u8 = 2;

/// A body with a hook.
pub(crate) struct Hooked<H> {
    // Nothing once it has ended.
    body: Option<Body>,
    hook: H,
    /// How many frames it has had, up to `OF_ONE`.
    frames: u8,
}

impl<H: Hook + Unpin> Hooked<H> {
    /// Puts a hook on a body.
    pub(crate) fn wrap(body: Body, hook: H) -> Body {
        Body::new(Self {
            body: Some(body),
            hook,
            frames: 0,
        })
    }
}

impl<H: Hook + Unpin> http_body::Body for Hooked<H> {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let Self {
            body: slot,
            hook,
            frames,
        } = &mut *self;
        let Some(body) = slot else {
            return Poll::Ready(None);
        };
        let early = *frames < OF_ONE;
        let there = match early {
            true => Pin::new(&mut *body).poll_frame(cx),
            false => Poll::Pending,
        };
        let mut frame = match there {
            Poll::Ready(frame) => frame,
            Poll::Pending => {
                if let Poll::Ready(status) = hook.poll_cut(cx) {
                    *slot = None;
                    let mut trailers = trailers_of(&status);
                    hook.trailers(&mut trailers);
                    return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
                }
                if early {
                    return Poll::Pending;
                }
                ready!(Pin::new(body).poll_frame(cx))
            }
        };
        *frames = frames.saturating_add(1).min(OF_ONE);
        match &mut frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    hook.data(data.remaining());
                }
                if let Some(trailers) = frame.trailers_mut() {
                    hook.trailers(trailers);
                }
            }
            Some(Err(_)) | None => *slot = None,
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body
            .as_ref()
            .is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        // A body that may be cut promises no size.
        SizeHint::default()
    }
}

/// A body that is there from the beginning: a message, and the trailers after it.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    pub(crate) message: Option<Bytes>,
    pub(crate) trailers: Option<HeaderMap>,
}

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = match self.message.take() {
            Some(message) => Some(Frame::data(message)),
            None => self.trailers.take().map(Frame::trailers),
        };
        Poll::Ready(frame.map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.message.is_none() && self.trailers.is_none()
    }
}

/// Waits for the whole of a body that is no longer than it should be. Of one that fails there is only what
/// it failed with.
pub(crate) async fn whole(body: Body) -> Whole {
    match body.collect().await {
        Ok(read) => Whole {
            trailers: read.trailers().cloned(),
            message: Some(read.to_bytes()).filter(|message| !message.is_empty()),
        },
        Err(status) => Whole {
            message: None,
            trailers: Some(trailers_of(&status)),
        },
    }
}

/// The trailers that end a body with this status.
pub(crate) fn trailers_of(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    if status.add_header(&mut trailers).is_err() {
        // Words or metadata that no header holds: the code alone must do.
        trailers.clear();
        let code = http::HeaderValue::from(status.code() as i32);
        trailers.insert(Status::GRPC_STATUS, code);
    }
    trailers
}
