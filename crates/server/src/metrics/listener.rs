//! The listener on which metrics are read: plain HTTP, and nothing but that.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use prometheus_client::encoding::{prometheus_text, text};
use prometheus_client::registry::Registry;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// How many may read at once.
const READERS: usize = 16;
/// How long a connection may last: it is asked once or twice.
const LONGEST: Duration = Duration::from_secs(30);

const OPEN: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static(prometheus_text::CONTENT_TYPE);

/// A socket that is bound.
pub(crate) struct MetricsListener {
    listener: TcpListener,
    registry: Arc<Registry>,
}

impl MetricsListener {
    pub(crate) async fn bind(address: SocketAddr, registry: Registry) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        tracing::info!(metrics = %listener.local_addr()?, "metrics at /metrics");
        let registry = Arc::new(registry);
        Ok(Self { listener, registry })
    }

    /// Answers until it is dropped.
    pub(crate) async fn serve(self) {
        let readers = Arc::new(Semaphore::new(READERS));
        loop {
            let Ok(place) = Arc::clone(&readers).acquire_owned().await else {
                return;
            };
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let registry = Arc::clone(&self.registry);
                    tokio::spawn(async move {
                        let _ = tokio::time::timeout(LONGEST, read(stream, registry)).await;
                        drop(place);
                    });
                }
                // Too many files are open, perhaps: not for ever.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }
}

async fn read(stream: TcpStream, registry: Arc<Registry>) {
    let mut http = auto::Builder::new(TokioExecutor::new()).http1_only();
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(5));
    let answer = move |request: Request<_>| {
        let answered = answer(&request, &registry);
        async move { Ok::<_, Infallible>(answered) }
    };
    let service = TowerToHyperService::new(tower::service_fn(answer));
    if let Err(error) = http.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!(error = &*error, "a reader of metrics broke off");
    }
}

fn answer<B>(request: &Request<B>, registry: &Registry) -> Response<String> {
    let with = |status, body: &str| {
        let mut response = Response::new(body.to_owned());
        *response.status_mut() = status;
        response
    };
    if request.uri().path() != "/metrics" {
        return with(StatusCode::NOT_FOUND, "metrics are at /metrics\n");
    }
    if request.method() != Method::GET {
        return with(StatusCode::METHOD_NOT_ALLOWED, "ask with GET\n");
    }
    let mut told = String::new();
    let (encoded, kind) = if takes_open(request) {
        (text::encode(&mut told, registry), OPEN)
    } else {
        (prometheus_text::encode(&mut told, registry), PLAIN)
    };
    if encoded.is_err() {
        return with(StatusCode::INTERNAL_SERVER_ERROR, "they cannot be told\n");
    }
    let mut response = with(StatusCode::OK, &told);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Whether OpenMetrics is asked for; otherwise it is the older form, which every tool reads.
fn takes_open<B>(request: &Request<B>) -> bool {
    let accepts = request.headers().get_all(ACCEPT).iter();
    let mut accepts = accepts.filter_map(|value| value.to_str().ok());
    accepts.any(|value| value.contains("application/openmetrics-text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_but_metrics() {
        let asked = |method: &str, path: &str| {
            let request = Request::builder()
                .method(method)
                .uri(path)
                .body(())
                .unwrap();
            answer(&request, &Registry::default()).status().as_u16()
        };
        assert_eq!(asked("GET", "/metrics"), 200);
        assert_eq!(asked("POST", "/metrics"), 405);
        assert_eq!(asked("GET", "/"), 404);
        assert_eq!(asked("GET", "/metrics/more"), 404);
    }
}
