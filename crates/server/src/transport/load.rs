//! A limit on what is worked on at once. What is beyond it is turned away at once.

use std::sync::Arc;
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use http::{Request, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Hook, Hooked};
use super::method::Method;
use crate::fault::Fault;

/// The step that counts requests, over all connections.
///
/// A queue would only turn overload into deadlines: clients with patience are told when to come
/// back, and load balancers go elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    places: Arc<Semaphore>,
    max: usize,
    retry_after: Duration,
}

impl Load {
    /// At most `max` at once.
    pub(crate) fn new(max: usize, retry_after: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(max)),
            max,
            retry_after,
        }
    }

    fn full(&self) -> Status {
        Fault::new(
            ErrorReason::Overloaded,
            "the server is at its limit; try again shortly",
        )
        .with("max", self.max)
        .retry_after(self.retry_after)
        .into()
    }
}

impl Around for Load {
    async fn around<S: Answers>(&self, request: Request<Body>, next: Next<S>) -> Response<Body> {
        if Method::of(request.uri()).is_about_service() {
            return next.run(request).await;
        }
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            return self.full().into_http();
        };
        let response = next.run(request).await;
        response.map(|body| Hooked::wrap(body, Place { _permit: place }))
    }
}

/// The place of a request, given up when its answer is sent to the end.
struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Hook for Place {}
