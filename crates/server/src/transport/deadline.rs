//! Deadlines: the client's, capped by the server's, and told as gRPC asks.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use alamein_proto::v1::ErrorReason;
use http::{HeaderMap, Request, Response};
use tokio::time::Sleep;
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use super::body::{Hook, unless_complete};
use crate::fault::Fault;

/// When a request must be answered: the client's deadline or the server's limit, whichever is
/// earlier. The transport puts it into every request's extensions.
///
/// When it passes, the client is answered and the handler's future is dropped. What runs elsewhere
/// on its behalf does not notice: give it the deadline, less what it takes to answer.
///
/// ```
/// # use std::time::Duration;
/// # use alamein_server::transport::Deadline;
/// fn handler(request: &tonic::Request<()>) -> Option<std::time::Instant> {
///     Deadline::of(request).map(|deadline| deadline.before(Duration::from_millis(5)))
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    at: Instant,
    limit: Limit,
}

impl Deadline {
    /// The deadline of a request. A request that did not come through the transport has none.
    #[must_use]
    pub fn of<T>(request: &tonic::Request<T>) -> Option<Self> {
        request.extensions().get().copied()
    }

    /// Whether whoever asks set it, and not the server.
    #[must_use]
    pub fn is_clients(self) -> bool {
        self.limit.set_by == "client"
    }

    /// The moment itself.
    #[must_use]
    pub fn at(self) -> Instant {
        self.at
    }

    /// The moment less a margin: by when work must be done to be told in time.
    #[must_use]
    pub fn before(self, margin: Duration) -> Instant {
        self.at.checked_sub(margin).unwrap_or(self.at)
    }

    /// The same, but no later than so long from now: the server's own limit for a part of the work.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        match Instant::now().checked_add(time) {
            Some(at) if at < self.at => Self {
                at,
                limit: Limit {
                    time,
                    set_by: "server",
                },
            },
            _ => self,
        }
    }

    /// The time left; none once it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// What answers a request that was not done with in time.
    pub fn passed(self) -> Fault {
        self.limit.passed()
    }
}

/// The step that keeps deadlines.
#[derive(Clone, Debug)]
pub(crate) struct Deadlines {
    /// The server's own limit.
    pub(crate) max: Duration,
}

impl Around for Deadlines {
    async fn around<S: Answers>(
        &self,
        mut request: Request<Body>,
        next: Next<'_, S>,
    ) -> Response<Body> {
        let start = Instant::now();
        let client = match grpc_timeout(request.headers()) {
            Ok(client) => client,
            Err(fault) => return Status::from(fault).into_http(),
        };
        let limit = Limit::shorter(client, self.max);
        let Some(at) = start.checked_add(limit.time) else {
            return next.run(request).await;
        };
        request.extensions_mut().insert(Deadline { at, limit });
        let answer = tokio::time::timeout_at(at.into(), next.run(request)).await;
        let Ok(response) = answer else {
            return Status::from(limit.passed()).into_http();
        };
        // The head is in time. A stream after it is held to what the client asked, and no less.
        let Some(time) = client else { return response };
        let Some(end) = start.checked_add(time) else {
            return response;
        };
        let limit = Limit {
            time,
            set_by: "client",
        };
        let until = Until {
            end,
            sleep: None,
            limit,
        };
        unless_complete(response, until)
    }
}

/// A time that a request may take, and whose wish it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit {
    time: Duration,
    set_by: &'static str,
}

impl Limit {
    fn shorter(client: Option<Duration>, server: Duration) -> Self {
        match client {
            Some(time) if time < server => Self {
                time,
                set_by: "client",
            },
            _ => Self {
                time: server,
                set_by: "server",
            },
        }
    }

    fn passed(self) -> Fault {
        let Self { time, set_by } = self;
        Fault::new(
            ErrorReason::Deadline,
            format!("not answered within the {set_by}'s {time:?}"),
        )
        .with("limit_ms", time.as_millis())
        .with("set_by", set_by)
    }
}

/// Cuts a body when its time is over.
struct Until {
    end: Instant,
    /// Nothing as long as nobody has to wait for the body.
    sleep: Option<Pin<Box<Sleep>>>,
    limit: Limit,
}

impl Hook for Until {
    fn poll_cut(&mut self, cx: &mut Context<'_>) -> Poll<Status> {
        let sleep = || Box::pin(tokio::time::sleep_until(self.end.into()));
        let passed = self.sleep.get_or_insert_with(sleep).as_mut().poll(cx);
        passed.map(|()| self.limit.passed().into())
    }
}

/// Reads the `grpc-timeout` header: up to eight digits and a unit.
fn grpc_timeout(headers: &HeaderMap) -> Result<Option<Duration>, Fault> {
    let Some(value) = headers.get("grpc-timeout") else {
        return Ok(None);
    };
    let parse = |text: &str| {
        let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        if digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let count: u64 = digits.parse().ok()?;
        match unit {
            "H" => Some(Duration::from_secs(count * 3600)),
            "M" => Some(Duration::from_secs(count * 60)),
            "S" => Some(Duration::from_secs(count)),
            "m" => Some(Duration::from_millis(count)),
            "u" => Some(Duration::from_micros(count)),
            "n" => Some(Duration::from_nanos(count)),
            _ => None,
        }
    };
    let time = value.to_str().ok().and_then(parse).ok_or_else(|| {
        Fault::new(
            ErrorReason::OutOfRange,
            "the grpc-timeout header is malformed",
        )
        .with("field", "grpc-timeout")
    })?;
    Ok(Some(time))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(value: &'static str) -> Result<Option<Duration>, ()> {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", HeaderValue::from_static(value));
        grpc_timeout(&headers).map_err(|_| ())
    }

    #[test]
    fn timeouts_are_read_in_every_unit() {
        let rows = [
            ("2H", Duration::from_secs(7200)),
            ("3M", Duration::from_secs(180)),
            ("4S", Duration::from_secs(4)),
            ("50m", Duration::from_millis(50)),
            ("60u", Duration::from_micros(60)),
            ("99999999n", Duration::from_nanos(99_999_999)),
            ("99999999H", Duration::from_secs(99_999_999 * 3600)),
        ];
        for (text, time) in rows {
            assert_eq!(read(text), Ok(Some(time)), "{text}");
        }
        assert!(grpc_timeout(&HeaderMap::new()).is_ok_and(|none| none.is_none()));
    }

    #[test]
    fn other_timeouts_are_refused() {
        for text in [
            "",
            "S",
            "5",
            "5s",
            "-5S",
            "+5S",
            "5.0S",
            "123456789n",
            "5 S",
        ] {
            assert_eq!(read(text), Err(()), "{text:?}");
        }
    }

    #[test]
    fn the_shorter_limit_counts() {
        let server = Duration::from_secs(2);
        assert_eq!(Limit::shorter(None, server).set_by, "server");
        assert_eq!(
            Limit::shorter(Some(Duration::from_secs(9)), server).set_by,
            "server"
        );
        assert_eq!(
            Limit::shorter(Some(Duration::from_secs(1)), server).set_by,
            "client"
        );
    }
}
