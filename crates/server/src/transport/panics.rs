//! Panics: an answer for this request, and no harm to the others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use alamein_proto::v1::ErrorReason;
use futures::FutureExt as _;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Complete, trailers_of};
use super::span::RequestSpan;
use crate::fault::Fault;

/// The step that catches panics of handlers and of the streams that they answer with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CatchPanics;

impl Around for CatchPanics {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let span = request.extensions().get::<RequestSpan>().cloned();
        // What a handler shares must keep its own order in a panic: a poisoned lock is an error,
        // never a half-made value.
        match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            // What is there to its end does nothing any more.
            Ok(response) if response.extensions().get::<Complete>().is_some() => response,
            Ok(response) => response.map(|body| {
                let body = Some(body);
                Body::new(CatchingBody { body, span })
            }),
            Err(payload) => RequestSpan::within(span.as_ref(), || caught(payload)).into_http(),
        }
    }
}

/// Logs a panic, and gives the status that tells the client no more than that there was one.
fn caught(payload: Box<dyn Any + Send>) -> Status {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(a panic without words)");
    tracing::error!(panic = text, "a handler panicked");
    // Dropping what a panic carries may panic in its turn.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    Fault::new(
        ErrorReason::Internal,
        "the server failed; its log says more",
    )
    .into()
}

/// A body whose panics end it with a status.
struct CatchingBody {
    // Nothing once it has ended.
    body: Option<Body>,
    span: Option<RequestSpan>,
}

impl http_body::Body for CatchingBody {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        match catch_unwind(AssertUnwindSafe(|| Pin::new(body).poll_frame(cx))) {
            Ok(frame) => frame,
            Err(payload) => {
                // Not to be polled again, nor trusted to be dropped in peace.
                let body = self.body.take();
                if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(body))) {
                    std::mem::forget(second);
                }
                let status = RequestSpan::within(self.span.as_ref(), || caught(payload));
                Poll::Ready(Some(Ok(Frame::trailers(trailers_of(&status)))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body
            .as_ref()
            .is_none_or(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use http_body::Body as _;

    use super::*;

    /// A stream that sends one message and then panics.
    struct Panicking(bool);

    impl http_body::Body for Panicking {
        type Data = <Body as http_body::Body>::Data;
        type Error = Status;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
            assert!(
                !std::mem::replace(&mut self.0, true),
                "in the midst of a stream"
            );
            Poll::Ready(Some(Ok(Frame::data(Self::Data::from_static(b"one")))))
        }
    }

    #[tokio::test]
    async fn a_stream_that_panics_ends_with_internal() {
        let mut body = CatchingBody {
            body: Some(Body::new(Panicking(false))),
            span: None,
        };
        let mut next = async || poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
        assert!(next().await.unwrap().unwrap().is_data());
        let trailers = next().await.unwrap().unwrap().into_trailers().unwrap();
        assert_eq!(trailers["grpc-status"], "13");
        assert!(!trailers["grpc-message"].to_str().unwrap().contains("midst"));
        assert!(next().await.is_none());
    }
}
