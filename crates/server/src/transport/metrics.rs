//! What the transport counts: requests by method, and connections.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tonic::Code;

use super::table::{self, Known};
use crate::metrics::Bounded;

/// In which times requests are counted, in seconds: from a ruling on a map that is ready to a deadline.
const TIMES: [f64; 15] = [
    0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 10.0,
    30.0,
];

/// The service and the method of what calls nothing that there is.
const UNKNOWN: &str = "unknown";

/// The reason of what has none.
const NO_REASON: &str = "NONE";

/// The longest word that is taken for the name of a limit.
const LONGEST_WORD: usize = 40;
/// How many limits are told apart.
const MOST_LIMITS: usize = 32;

/// Counters of a server's transport. Clones are the same counters.
#[derive(Clone, Debug)]
pub struct TransportMetrics(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    started: Family<Called, Counter>,
    handled: Family<Ended, Counter>,
    in_flight: Family<Called, Gauge>,
    times: Family<Called, Histogram, fn() -> Histogram>,
    request_bytes: Family<Called, Counter>,
    response_bytes: Family<Called, Counter>,
    shed: Family<Limit, Counter>,
    limits: Bounded<String>,
    repeated: Counter,
    kept: Gauge,
    open: Gauge,
    accepted: Counter,
    refused: Family<Reason, Counter>,
    /// By their places, and at the end that of what there is not: nobody makes labels for each request.
    methods: Box<[OnceLock<Arc<MethodMetrics>>]>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Called {
    service: &'static str,
    method: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    service: &'static str,
    method: &'static str,
    code: &'static str,
    reason: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Limit {
    limit: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

impl Default for TransportMetrics {
    fn default() -> Self {
        Self(Arc::new(Counters {
            started: Family::default(),
            handled: Family::default(),
            in_flight: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(TIMES)),
            request_bytes: Family::default(),
            response_bytes: Family::default(),
            shed: Family::default(),
            limits: Bounded::new(MOST_LIMITS),
            repeated: Counter::default(),
            kept: Gauge::default(),
            open: Gauge::default(),
            accepted: Counter::default(),
            refused: Family::default(),
            methods: (0..=table::count()).map(|_| OnceLock::new()).collect(),
        }))
    }
}

impl TransportMetrics {
    /// Puts the counters into a registry.
    pub fn register(&self, registry: &mut Registry) {
        let of = &self.0;
        registry.register(
            "rpc_started",
            "Requests that came in, by method",
            of.started.clone(),
        );
        registry.register(
            "rpc_handled",
            "Requests that were answered or given up, by method, gRPC code and the reason of the error",
            of.handled.clone(),
        );
        registry.register(
            "rpc_in_flight",
            "Requests that are worked on, by method",
            of.in_flight.clone(),
        );
        registry.register_with_unit(
            "rpc_duration",
            "How long requests took, to the last byte of the answer, by method",
            Unit::Seconds,
            of.times.clone(),
        );
        registry.register_with_unit(
            "rpc_request",
            "What requests brought, as it came over the wire, by method",
            Unit::Bytes,
            of.request_bytes.clone(),
        );
        registry.register_with_unit(
            "rpc_response",
            "What answers took, as it went over the wire, by method",
            Unit::Bytes,
            of.response_bytes.clone(),
        );
        registry.register(
            "rpc_shed",
            "Requests that were turned away, by the limit that they met",
            of.shed.clone(),
        );
        registry.register(
            "answers_repeated",
            "Requests that were answered as others that asked the same before",
            of.repeated.clone(),
        );
        registry.register_with_unit(
            "answers_kept",
            "What answers take that are kept for who asks the same again",
            Unit::Bytes,
            of.kept.clone(),
        );
        registry.register(
            "connections_open",
            "Connections that are open",
            of.open.clone(),
        );
        registry.register(
            "connections_accepted",
            "Connections that were accepted",
            of.accepted.clone(),
        );
        registry.register(
            "connections_refused",
            "Connections that came to nothing, by reason",
            of.refused.clone(),
        );
    }

    /// The counters of a method, or those of what calls nothing that there is.
    pub(crate) fn method(&self, known: Option<&'static Known>) -> Arc<MethodMetrics> {
        let place = known.map_or(self.0.methods.len() - 1, |known| known.place);
        let made = || {
            let (service, method) = match known {
                Some(known) => (known.service.as_str(), known.method.as_str()),
                None => (UNKNOWN, UNKNOWN),
            };
            Arc::new(self.counters_of(Called { service, method }))
        };
        Arc::clone(self.0.methods[place].get_or_init(made))
    }

    fn counters_of(&self, called: Called) -> MethodMetrics {
        MethodMetrics {
            started: self.0.started.get_or_create_owned(&called),
            in_flight: self.0.in_flight.get_or_create_owned(&called),
            times: self.0.times.get_or_create_owned(&called),
            request_bytes: self.0.request_bytes.get_or_create_owned(&called),
            response_bytes: self.0.response_bytes.get_or_create_owned(&called),
            well: OnceLock::new(),
            called,
            of: self.clone(),
        }
    }

    /// Counts a request that was answered as another before.
    pub(crate) fn repeated(&self) {
        self.0.repeated.inc();
    }

    /// Tells how many bytes answers take that are kept.
    pub(crate) fn keeps(&self, bytes: usize) {
        self.0.kept.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Counts a connection for as long as what is given lives.
    pub(crate) fn connected(&self) -> Open {
        self.0.accepted.inc();
        self.0.open.inc();
        Open(self.clone())
    }

    /// Counts a connection that came to nothing: `accept_failed`, `silent`, `no_tls`.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.0.refused.get_or_create(&Reason { reason }).inc();
    }

    /// Counts a request that was turned away.
    fn shed(&self, limit: String) {
        let limit = self.0.limits.one_of(limit, || "other".to_owned());
        let limit = Limit { limit };
        self.0.shed.get_or_create(&limit).inc();
    }
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Open(TransportMetrics);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.0.open.dec();
    }
}

/// The counters of one method.
#[derive(Debug)]
pub(crate) struct MethodMetrics {
    called: Called,
    started: Counter,
    in_flight: Gauge,
    times: Histogram,
    /// Those that went well, which most do; there is no such line before the first.
    well: OnceLock<Counter>,
    pub(crate) request_bytes: Counter,
    pub(crate) response_bytes: Counter,
    of: TransportMetrics,
}

impl MethodMetrics {
    /// Counts a request that came in and was turned away at once.
    pub(crate) fn turned_away(&self, code: Code, reason: &'static str) {
        self.started.inc();
        self.times.observe(0.0);
        self.ended(code_name(code), reason);
        self.of.shed(reason.to_ascii_lowercase());
    }

    fn ended(&self, code: &'static str, reason: &'static str) {
        let Called { service, method } = self.called;
        let ended = Ended {
            service,
            method,
            code,
            reason,
        };
        let handled = || self.of.0.handled.get_or_create_owned(&ended);
        if ended.code == "OK" && ended.reason == NO_REASON {
            self.well.get_or_init(handled).inc();
        } else {
            handled().inc();
        }
    }

    /// Counts a request that came in.
    pub(crate) fn start(&self) {
        self.started.inc();
        self.in_flight.inc();
    }

    /// Counts its end: without a code, the client went away.
    pub(crate) fn end(&self, code: Option<Code>, error: &ErrorSeen, time: Duration) {
        self.in_flight.dec();
        self.times.observe(time.as_secs_f64());
        let (code_name, reason) = match code {
            None => ("CANCELLED", "CLIENT_GONE"),
            Some(code) => (code_name(code), error.reason),
        };
        self.ended(code_name, reason);
        if code == Some(Code::ResourceExhausted) {
            let word = error.limit.clone().filter(|word| is_word(word));
            self.of
                .shed(word.unwrap_or_else(|| reason.to_ascii_lowercase()));
        }
    }
}

/// What is known of an error that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorSeen {
    /// Its reason; `NONE` where it has none, `OTHER` where nobody knows it.
    pub(crate) reason: &'static str,
    /// The limit that it names.
    pub(crate) limit: Option<String>,
}

impl Default for ErrorSeen {
    fn default() -> Self {
        let reason = NO_REASON;
        Self {
            reason,
            limit: None,
        }
    }
}

/// The name of a reason, if it is one of those that there are.
pub(crate) fn known_reason(name: &str) -> &'static str {
    let found = ErrorReason::from_str_name(&format!("ERROR_REASON_{name}"));
    found.map_or("OTHER", crate::fault::reason_name)
}

fn is_word(word: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    (1..=LONGEST_WORD).contains(&word.len()) && word.bytes().all(fits)
}

/// The name of a code as gRPC's documents write it.
pub(crate) fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text;

    use super::*;

    fn told(metrics: &TransportMetrics) -> String {
        let (mut registry, mut told) = (Registry::default(), String::new());
        metrics.register(&mut registry);
        text::encode(&mut told, &registry).unwrap();
        told
    }

    #[test]
    fn what_is_called_by_another_name_makes_no_labels() {
        let metrics = TransportMetrics::default();
        for at in 0..100 {
            metrics
                .method(table::known(&format!("/alamein.v1.MapService/Guess{at}")))
                .start();
        }
        let lines = told(&metrics);
        let line = r#"rpc_started_total{service="unknown",method="unknown"} 100"#;
        assert!(lines.lines().any(|it| it == line), "{lines}");
        assert!(!lines.contains("Guess"), "{lines}");
    }

    #[test]
    fn limits_are_told_apart_up_to_a_number() {
        let metrics = TransportMetrics::default();
        let method = metrics.method(table::known("/alamein.v1.MapService/GetMap"));
        let shed = |limit: Option<String>| {
            method.start();
            let reason = "OVERLOADED";
            let error = ErrorSeen { reason, limit };
            method.end(Some(Code::ResourceExhausted), &error, Duration::ZERO);
        };
        shed(None);
        shed(Some("what a client wrote".into()));
        shed(Some("streams".into()));
        for at in 0..100_u32 {
            let letters = at.to_string().replace(|c: char| c.is_ascii_digit(), "x");
            shed(Some(format!(
                "limit_{letters}_{}",
                "y".repeat(at as usize % 30)
            )));
        }
        let lines = told(&metrics);
        for line in [
            r#"rpc_shed_total{limit="overloaded"} 2"#,
            r#"rpc_shed_total{limit="streams"} 1"#,
        ] {
            assert!(lines.lines().any(|it| it == line), "{lines}");
        }
        assert!(
            lines.contains(r#"rpc_shed_total{limit="other"}"#),
            "{lines}"
        );
        assert!(lines.matches("rpc_shed_total{").count() <= MOST_LIMITS + 1);
    }

    #[test]
    fn a_reason_is_one_of_those_that_there_are() {
        assert_eq!(known_reason("OVERLOADED"), "OVERLOADED");
        assert_eq!(known_reason("WHAT_A_CLIENT_WROTE"), "OTHER");
    }
}
