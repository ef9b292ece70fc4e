//! A step around every call, without the ceremony of a tower layer for each.
//!
//! Whoever answers is asked by reference, and is one for all requests: a step costs no copy of all that
//! comes after it, and no box of its own.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::body::Body;
use tower::Service;

/// What answers every request; errors are answers too.
pub(crate) trait Answers: Send + Sync + 'static {
    /// Answers the request.
    fn answer(&self, request: Request<Body>) -> impl Future<Output = Response<Body>> + Send;

    /// Answers it at once, if nothing is to be done for it.
    fn at_once(&self, _request: &Request<Body>) -> Option<Response<Body>> {
        None
    }
}

impl<S: Answers> Answers for Arc<S> {
    fn at_once(&self, request: &Request<Body>) -> Option<Response<Body>> {
        S::at_once(self, request)
    }

    fn answer(&self, request: Request<Body>) -> impl Future<Output = Response<Body>> + Send {
        S::answer(self, request)
    }
}

/// Something done around every call.
pub(crate) trait Around: Send + Sync + 'static {
    /// Answers the request, as a rule by way of `next`.
    fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> impl Future<Output = Response<Body>> + Send;

    /// Answers it at once, if nothing is to be done for it: neither by this step nor by those around it.
    fn at_once(&self, _request: &Request<Body>) -> Option<Response<Body>> {
        None
    }
}

/// A step that may not be there.
impl<A: Around> Around for Option<A> {
    async fn around<S: Answers>(
        &self,
        request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        match self {
            Some(step) => step.around(request, next).await,
            None => next.run(request).await,
        }
    }
}

/// What comes after a step.
#[derive(Debug)]
pub(crate) struct Next<'a, S>(&'a S);

impl<'a, S: Answers> Next<'a, S> {
    /// Goes on with the request.
    pub(crate) fn run(
        self,
        request: Request<Body>,
    ) -> impl Future<Output = Response<Body>> + Send + use<'a, S> {
        self.0.answer(request)
    }
}

/// What answers with a step around it.
#[derive(Debug)]
pub(crate) struct Stepped<A, S> {
    step: A,
    next: S,
}

impl<A: Around, S: Answers> Stepped<A, S> {
    /// Puts a step around what answers.
    pub(crate) fn new(step: A, next: S) -> Self {
        Self { step, next }
    }
}

impl<A: Around, S: Answers> Answers for Stepped<A, S> {
    fn at_once(&self, request: &Request<Body>) -> Option<Response<Body>> {
        let Self { step, next } = self;
        step.at_once(request).or_else(|| next.at_once(request))
    }

    fn answer(&self, request: Request<Body>) -> impl Future<Output = Response<Body>> + Send {
        self.step.around(request, Next(&self.next))
    }
}

/// What answers apart from the steps before it.
///
/// The future of a step holds those of all that come after it, and moves with them from one step to the
/// next: with this somewhere between, it holds no more than where the rest is.
#[derive(Debug)]
pub(crate) struct Apart<S>(pub(crate) S);

impl<S: Answers> Answers for Apart<S> {
    fn at_once(&self, request: &Request<Body>) -> Option<Response<Body>> {
        self.0.at_once(request)
    }

    fn answer(&self, request: Request<Body>) -> impl Future<Output = Response<Body>> + Send {
        Box::pin(self.0.answer(request))
    }
}

/// What answers, as those know it who speak tower. Clones share it.
#[derive(Debug)]
pub(crate) struct Shared<S>(Arc<S>);

impl<S> Shared<S> {
    pub(crate) fn new(answers: Arc<S>) -> Self {
        Self(answers)
    }
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Answers> Service<Request<Body>> for Shared<S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answering {
        if let Some(response) = self.0.at_once(&request) {
            return Answering::AtOnce(Some(response));
        }
        let answers = Arc::clone(&self.0);
        Answering::Later(Box::pin(async move { answers.answer(request).await }))
    }
}

/// An answer that is there, or on its way.
pub(crate) enum Answering {
    AtOnce(Option<Response<Body>>),
    Later(BoxFuture<'static, Response<Body>>),
}

impl Future for Answering {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::AtOnce(response) => response
                .take()
                .map_or(Poll::Pending, |it| Poll::Ready(Ok(it))),
            Self::Later(answer) => answer.as_mut().poll(cx).map(Ok),
        }
    }
}
