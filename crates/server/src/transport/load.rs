//! A limit on what is worked on at once. What is beyond it is turned away at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Hook, Hooked};
use super::connections::Connection;
use super::method::Method;
use super::share::{Short, Stock, Taken};
use crate::fault::Fault;

/// How many questions of a batch weigh as much as a request of one.
const QUESTIONS_A_PLACE: u64 = 64;

/// The step that counts requests, over all connections and on each.
///
/// A queue would only turn overload into deadlines: clients with patience are told when to come
/// back, and load balancers go elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    places: Stock,
    retry_after: Duration,
}

impl Load {
    /// At most `max` at once.
    pub(crate) fn new(max: usize, retry_after: Duration) -> Self {
        Self {
            places: Stock::new(max as u64),
            retry_after,
        }
    }

    fn refusal(&self, short: Short) -> Fault {
        let max = self.places.max();
        let fault = match short {
            Short::Empty => Fault::new(
                ErrorReason::Overloaded,
                "the server is at its limit; try again shortly",
            )
            .with("given", max),
            Short::Share { held } => Fault::new(
                ErrorReason::ConnectionOverloaded,
                "this connection has its share of what the server works on; try again shortly",
            )
            .with("given", held),
        };
        fault.with("max", max).retry_after(self.retry_after)
    }
}

impl Around for Load {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<S>,
    ) -> Response<Body> {
        if Method::of(request.uri()).is_about_service() {
            return next.run(request).await;
        }
        let connection = Connection::of(request.extensions());
        let taken = match self.places.take(1, &connection.places) {
            Ok(taken) => taken,
            Err(short) => return Status::from(self.refusal(short)).into_http(),
        };
        let place = Place {
            taken: Arc::new(Mutex::new(taken)),
            load: self.clone(),
        };
        request.extensions_mut().insert(place.clone());
        let response = next.run(request).await;
        response.map(|body| Hooked::wrap(body, place))
    }
}

/// The step before a request is read: where there is no place for it, it need not be.
#[derive(Clone, Debug)]
pub(crate) struct Turnstile(pub(crate) Load);

impl Around for Turnstile {
    async fn around<S: Answers>(&self, request: Request<Body>, next: Next<S>) -> Response<Body> {
        let Self(load) = self;
        if load.places.free() > 0 || Method::of(request.uri()).is_about_service() {
            return next.run(request).await;
        }
        Status::from(load.refusal(Short::Empty)).into_http()
    }
}

/// The place of a request among those that are worked on, in its extensions. It is given up when the
/// answer is sent to the end.
#[derive(Clone, Debug)]
pub struct Place {
    taken: Arc<Mutex<Taken>>,
    load: Load,
}

impl Place {
    /// The place of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().cloned()
    }

    /// Counts the request as one of so many questions: as many places as that is worth, but never
    /// more than half of all.
    ///
    /// # Errors
    /// There are not so many places: the request must be turned away.
    pub fn weigh(&self, questions: usize) -> Result<(), Fault> {
        let most = self.load.places.max() / 2;
        let more = (questions as u64 / QUESTIONS_A_PLACE).min(most);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.grow(more).map_err(|short| self.load.refusal(short))
    }
}

impl Place {
    /// Gives the place up although the request goes on: it only waits for something to happen.
    pub fn give_up(&self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.shrink(u64::MAX);
    }
}

impl Hook for Place {}
