//! A limit on what is worked on at once. What is beyond it is turned away at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alamein_proto::v1::ErrorReason;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Hook, Hooked};
use super::connections::Connection;
use super::method::is_about_service;
use super::share::{Short, Stock, Taken};
use super::standing::{Lack, Standing};
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
    standing: Standing,
    retry_after: Duration,
}

impl Load {
    /// At most `max` at once, and `standing` all the time.
    pub(crate) fn new(max: usize, standing: usize, retry_after: Duration) -> Self {
        Self {
            places: Stock::new(max as u64),
            standing: Standing::new(standing as u64, Instant::now()),
            retry_after,
        }
    }

    /// Takes a place for a request of a connection.
    pub(crate) fn take(&self, connection: &Connection) -> Result<Taken, Short> {
        self.places.take(1, &connection.places)
    }

    /// Why there is no place for a request of a connection, if there is none.
    pub(crate) fn lacks(&self, connection: &Connection) -> Option<Lack> {
        let lacks = self.places.lacks(&connection.places);
        let lacks = lacks.map(Lack::Place);
        lacks.or_else(|| self.standing.lacks(&connection.waiting, Instant::now()))
    }

    /// What answers a request for which there is no place.
    pub(crate) fn refusal(&self, lack: Lack) -> Fault {
        let max = match lack {
            Lack::Place(_) => self.places.max(),
            Lack::Crowd => self.standing.most(),
        };
        let fault = match lack {
            Lack::Place(Short::Empty) => Fault::new(
                ErrorReason::Overloaded,
                "the server is at its limit; try again shortly",
            )
            .with("given", max),
            Lack::Crowd => Fault::new(
                ErrorReason::Overloaded,
                "more is asked of the server than it can do; try again shortly",
            )
            .with("given", max),
            Lack::Place(Short::Share { held }) => Fault::new(
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
        next: Next<'_, S>,
    ) -> Response<Body> {
        if is_about_service(request.uri().path()) {
            return next.run(request).await;
        }
        let connection = Connection::of(request.extensions());
        let taken = match self.take(&connection) {
            Ok(taken) => taken,
            Err(short) => return Status::from(self.refusal(Lack::Place(short))).into_http(),
        };
        let place = Place {
            taken: Arc::new(Mutex::new(taken)),
            load: self.clone(),
        };
        let waiting = self.standing.enter(&connection.waiting);
        request.extensions_mut().insert(place.clone());
        let response = next.run(request).await;
        drop(waiting);
        response.map(|body| Hooked::wrap(body, place))
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
        self.grow(questions).map(|_| ())
    }

    fn grow(&self, questions: usize) -> Result<u64, Fault> {
        let most = self.load.places.max() / 2;
        let more = (questions as u64 / QUESTIONS_A_PLACE).min(most);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let grown = taken.grow(more);
        grown.map_err(|short| self.load.refusal(Lack::Place(short)))?;
        Ok(more)
    }
}

/// What part of a stream's work takes beside the stream's own place. It goes back when this is dropped.
#[derive(Debug)]
pub struct Work {
    place: Place,
    more: u64,
}

impl Drop for Work {
    fn drop(&mut self) {
        let taken = self.place.taken.lock();
        let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
        taken.shrink(self.more);
    }
}

impl Place {
    /// Counts so many questions of a stream, for as long as they are worked on.
    ///
    /// # Errors
    /// As [`weigh`](Self::weigh).
    pub fn work(self, questions: usize) -> Result<Work, Fault> {
        let more = self.grow(questions)?;
        Ok(Work { place: self, more })
    }

    /// Gives the place up although the request goes on: it only waits for something to happen.
    pub fn give_up(&self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.shrink(u64::MAX);
    }
}

impl Hook for Place {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::share::Held;

    #[test]
    fn what_a_streams_work_takes_goes_back_when_it_is_done() {
        let load = Load::new(100, 100, Duration::from_secs(1));
        let taken = load.places.take(1, &Held::default()).unwrap();
        let place = Place {
            taken: Arc::new(Mutex::new(taken)),
            load: load.clone(),
        };
        let few = place.clone().work(10).unwrap();
        assert_eq!(
            load.places.free(),
            99,
            "a few are no more than the stream's own place"
        );
        let many = place.clone().work(640).unwrap();
        assert_eq!(load.places.free(), 89);
        let most = place.clone().work(1_000_000).unwrap();
        assert_eq!(load.places.free(), 39, "never more than half of all");
        assert!(
            place.clone().work(1_000_000).is_err(),
            "nor more than a share"
        );
        assert_eq!(load.places.free(), 39);
        drop((few, many, most));
        assert_eq!(load.places.free(), 99);
        drop(place);
        assert_eq!(load.places.free(), 100);
    }
}
