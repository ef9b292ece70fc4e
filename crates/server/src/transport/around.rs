//! A step around every call, without the ceremony of a tower layer for each.

use std::convert::Infallible;
use std::future::Future;
use std::mem;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::body::Body;
use tower::{Layer, Service};

/// A service as the steps see it: it answers every request, and errors are answers too.
pub(crate) trait Answers:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static
{
}

impl<S> Answers for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Something done around every call.
pub(crate) trait Around: Clone + Send + Sync + 'static {
    /// Answers the request, as a rule by way of `next`.
    fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<S>,
    ) -> impl Future<Output = Response<Body>> + Send;
}

/// What comes after a step.
#[derive(Debug)]
pub(crate) struct Next<S>(S);

impl<S: Answers> Next<S> {
    /// Goes on with the request.
    pub(crate) async fn run(mut self, request: Request<Body>) -> Response<Body> {
        match self.0.call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

/// The layer of a step.
#[derive(Clone, Debug)]
pub(crate) struct Step<A>(pub(crate) A);

impl<A: Clone, S> Layer<S> for Step<A> {
    type Service = Stepped<A, S>;

    fn layer(&self, next: S) -> Stepped<A, S> {
        Stepped {
            step: self.0.clone(),
            next,
        }
    }
}

/// A service with a step around it.
#[derive(Clone, Debug)]
pub(crate) struct Stepped<A, S> {
    step: A,
    next: S,
}

impl<A: Around, S: Answers> Service<Request<Body>> for Stepped<A, S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.next.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The one that was polled ready must take the call; its clone takes the next.
        let spare = self.next.clone();
        let ready = mem::replace(&mut self.next, spare);
        let step = self.step.clone();
        Box::pin(async move { Ok(step.around(request, Next(ready)).await) })
    }
}
