//! The services by their names, at the end of all steps.

use std::collections::HashMap;
use std::fmt;

use futures::future::BoxFuture;
use http::{Request, Response};
use tonic::Status;
use tonic::body::Body;

use super::around::Answers;
use super::limited::Limited;
use super::method::Method;

/// Services, each by its name with its package.
#[derive(Default)]
pub(crate) struct Services(HashMap<&'static str, Call>);

type Call = Box<dyn Fn(Request<Body>) -> Answer + Send + Sync>;
type Answer = BoxFuture<'static, Result<Response<Body>, std::convert::Infallible>>;

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Services {
    /// Adds a service.
    pub(crate) fn add<S: Limited>(&mut self, service: S) {
        // A clone of a generated service shares everything.
        let call = move |request| service.clone().call(request);
        self.0.insert(S::NAME, Box::new(call));
    }
}

impl Answers for Services {
    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        let service = Method::of(request.uri().path()).service;
        let Some(call) = self.0.get(service) else {
            return Status::unimplemented("").into_http();
        };
        match call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}
