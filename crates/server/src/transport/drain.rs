//! The end of streams that have no end of their own.

use std::pin::Pin;
use std::task::{Context, Poll};

use alamein_proto::v1::ErrorReason;
use http::{Request, Response};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Hook, unless_complete};
use super::method::is_about_service;
use crate::fault::Fault;

/// Tells a handler that the server drains: finish, and begin nothing long. The transport puts it
/// into every request's extensions. Handlers of streams that wait for something should end them
/// when it does, or they are cut off at the drain's limit.
#[derive(Clone, Debug)]
pub struct Drain(CancellationToken);

impl Drain {
    /// The drain of the server that took this request, if it came through the transport.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().cloned()
    }

    /// Waits until the server drains.
    pub async fn begun(&self) {
        self.0.cancelled().await;
    }

    /// Whether the server drains.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The step that tells handlers of a drain, ends the streams of health and reflection itself, and
/// answers for whoever has not come to an end when the drain has.
#[derive(Clone, Debug)]
pub(crate) struct Drains {
    /// The drain has begun.
    pub(crate) drain: CancellationToken,
    /// It is over.
    pub(crate) over: CancellationToken,
}

impl Around for Drains {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let endless = is_about_service(request.uri().path());
        request.extensions_mut().insert(Drain(self.drain.clone()));
        let response = tokio::select! {
            biased;
            response = next.run(request) => response,
            () = self.over.cancelled() => return shutting_down().into_http(),
        };
        let end = match endless {
            true => &self.drain,
            false => &self.over,
        };
        let until = UntilDrain {
            end: end.clone(),
            drained: None,
        };
        unless_complete(response, until)
    }
}

fn shutting_down() -> Status {
    Fault::new(ErrorReason::ShuttingDown, "the server is shutting down").into()
}

/// Ends a stream when the server drains.
struct UntilDrain {
    end: CancellationToken,
    /// Nothing as long as nobody has to wait for the body: most answers are there at once.
    drained: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl Hook for UntilDrain {
    fn poll_cut(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        let end = || Box::pin(self.end.clone().cancelled_owned());
        let drained = self.drained.get_or_insert_with(end);
        drained.as_mut().poll(cx).map(|()| shutting_down())
    }
}
