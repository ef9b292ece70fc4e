//! Browsers: gRPC-Web, over HTTP/1.1 too, and pages of other origins.

use std::sync::Arc;
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderName, ORIGIN};
use http::{Request, Response, Version};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::util::BoxCloneSyncService;
use tower::{ServiceBuilder, ServiceExt as _};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::around::{Answers, Shared};
use super::config::ServerConfig;

/// How long a browser may remember what it was told of an origin.
const CORS_MAX_AGE: Duration = Duration::from_secs(3600);

/// Answers browsers by gRPC-Web, where that is wanted, and all others as they are.
pub(crate) struct Web<S> {
    plain: Arc<S>,
    browsers: Option<Browsers>,
}

type Browsers = BoxCloneSyncService<Request<Body>, Response<Body>, std::convert::Infallible>;

impl<S: Answers> Web<S> {
    /// Puts what the configuration says of browsers around what answers.
    pub(crate) fn new(config: &ServerConfig, answers: S) -> Self {
        let plain = Arc::new(answers);
        let browsers = config.web.then(|| {
            let stack = ServiceBuilder::new()
                .option_layer(cors(config))
                .layer(GrpcWebLayer::new())
                .service(Shared::new(Arc::clone(&plain)));
            BoxCloneSyncService::new(stack)
        });
        Self { plain, browsers }
    }
}

impl<S: Answers> Answers for Web<S> {
    fn at_once(&self, request: &Request<Body>) -> Option<Response<Body>> {
        // A browser is answered in its own form.
        let plain = self.browsers.is_none() || is_plain(request);
        plain.then(|| self.plain.at_once(request)).flatten()
    }

    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        match &self.browsers {
            Some(browsers) if !is_plain(&request) => {
                match Box::pin(browsers.clone().oneshot(request)).await {
                    Ok(response) => response,
                    Err(never) => match never {},
                }
            }
            _ => self.plain.answer(request).await,
        }
    }
}

/// Whether a request is gRPC as no browser speaks it.
fn is_plain(request: &Request<Body>) -> bool {
    let headers = request.headers();
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
    request.version() == Version::HTTP_2
        && kind.is_some_and(|kind| {
            kind.starts_with(b"application/grpc") && !kind.starts_with(b"application/grpc-web")
        })
        && !headers.contains_key(ORIGIN)
}

/// What pages of other origins may do, if there are any such.
fn cors(config: &ServerConfig) -> Option<CorsLayer> {
    if config.web_origins.is_empty() {
        return None;
    }
    let origins = if config.web_origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(
            config
                .web_origins
                .iter()
                .filter_map(|origin| origin.parse().ok()),
        )
    };
    let exposed = [
        "grpc-status",
        "grpc-message",
        "grpc-status-details-bin",
        "alamein-request-id",
    ];
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([http::Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(exposed.map(HeaderName::from_static))
        .max_age(CORS_MAX_AGE);
    Some(layer)
}
