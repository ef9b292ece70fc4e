//! A request's body whose bytes are counted.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Buf as _;
use http_body::{Frame, SizeHint};
use prometheus_client::metrics::counter::Counter;
use tonic::Status;
use tonic::body::Body;

/// A body whose bytes are counted as they come.
pub(crate) struct Counted {
    body: Body,
    bytes: Counter,
}

impl Counted {
    /// Counts the bytes of a body.
    pub(crate) fn wrap(body: Body, bytes: Counter) -> Body {
        Body::new(Self { body, bytes })
    }
}

impl http_body::Body for Counted {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.bytes.inc_by(data.remaining() as u64);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
