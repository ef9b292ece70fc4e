//! The settings of the transport, each with its default.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::address::Address;

/// The smallest window that HTTP/2 takes, and the greatest.
const LEAST_WINDOW: u32 = 65_535;
const MOST_WINDOW: u32 = (1 << 31) - 1;

/// How many requests keep a core at work, and no longer than some milliseconds each.
const STANDING_A_CORE: usize = 16;

/// The settings of the transport.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerConfig {
    /// Where to listen. Port 0 takes a free one. Default `127.0.0.1:50051`.
    pub listen: Address,
    /// How long a request may take at most. A client's own deadline counts where it is shorter.
    /// Answers that stream are held to it until they begin, and to the client's to their end.
    /// Default 30 s.
    pub max_deadline: Duration,
    /// How many requests are worked on at once, all connections together. More are answered
    /// RESOURCE_EXHAUSTED at once. Health and reflection do not count. Default 256.
    pub max_concurrent_requests: usize,
    /// How many of them may wait for an answer all the time: a crowd that goes again is let in whole. Where
    /// more stand, others are answered RESOURCE_EXHAUSTED until the crowd is gone. Default 16 for each core.
    pub max_standing_requests: usize,
    /// When a client that was turned away may come back. Default 200 ms.
    pub retry_after: Duration,
    /// How many bytes the requests that are read and worked on may take together, unpacked and with
    /// what is made of them. More are answered RESOURCE_EXHAUSTED at once. Default 256 MiB.
    pub max_bytes_in_flight: usize,
    /// How many connections are open at once. More wait to be accepted. Default 1024.
    pub max_connections: usize,
    /// How many streams a connection may have open at once. Default 128.
    pub max_streams_per_connection: u32,
    /// How many messages a client may send in one stream. Default 100,000.
    pub max_stream_messages: u64,
    /// The greatest message that is read, decompressed, in bytes. Default 4 MiB.
    pub max_request_bytes: usize,
    /// The greatest message that is written, as it is sent, in bytes. Default 4 MiB.
    pub max_response_bytes: usize,
    /// Whether to answer in gzip where the client takes it. Requests may always come in gzip.
    /// Default false: most answers are small, and most clients near.
    pub gzip_responses: bool,
    /// How many bytes of answers are kept, to be given again to whoever asks the same. Default 8 MiB; 0 keeps
    /// none.
    pub answer_cache_bytes: usize,
    /// How long the server goes on accepting after health says NOT_SERVING, so that load
    /// balancers see it before connections are refused. Default 3 s.
    pub lame_duck: Duration,
    /// How long open requests may then take to finish before they are cut off. Default 20 s: with
    /// `lame_duck` it stays within the 30 s that Kubernetes grants.
    pub drain_limit: Duration,
    /// How long a client may take nothing of an answer before it is given up. When as long has passed
    /// again, so is its connection. Default 20 s.
    pub reader_timeout: Duration,
    /// How long a new connection may take to say anything, to shake hands over TLS, and to begin to
    /// speak HTTP; and how long the head of an HTTP/1 request may take. Default 10 s.
    pub handshake_timeout: Duration,
    /// How long a connection may be open without a request. Default 10 min.
    pub idle_timeout: Duration,
    /// The longest head of a request, in bytes. Default 16 KiB.
    pub max_header_bytes: u32,
    /// How many bytes of one request a client may send before any are read. Default 256 KiB.
    pub stream_window: u32,
    /// The same of all requests of a connection. Default 1 MiB.
    pub connection_window: u32,
    /// How many bytes of one answer are kept for a client that reads slowly. Default 64 KiB.
    pub send_buffer: usize,
    /// How often an idle connection is asked whether it lives. Default 30 s.
    pub keepalive_interval: Duration,
    /// How long it may take to answer that. Default 10 s.
    pub keepalive_timeout: Duration,
    /// How old a connection may become before its client is asked to open another, so that load
    /// spreads over new replicas. Each becomes up to a tenth older or less, so that they do not all
    /// end at once. Default: any age.
    pub max_connection_age: Option<Duration>,
    /// How long what is open on it may then go on before it is cut. Default 30 s.
    pub max_connection_grace: Duration,
    /// Whether browsers may call by gRPC-Web, over HTTP/1.1 too. Default true.
    pub web: bool,
    /// The origins whose pages may call by gRPC-Web, such as `https://example.org`; `*` is any.
    /// Default none: only pages of the service's own origin.
    pub web_origins: Vec<String>,
    /// Whether clients may ask for the API's definition. Default true.
    pub reflection: bool,
    /// Whether somebody follows traces, and so has a span of every request. Where nobody does, only requests
    /// have one whose headers name a trace, that are worked on, or that are told in the log. Default true.
    pub traces: bool,
    /// From when on a request that was answered is told in the log as slow; streams never are. Default
    /// 1 s.
    pub slow: Duration,
    /// How many requests that went well are told in the log in a second; the others are counted. 0 sets no
    /// limit. Default 100.
    pub log_requests: u32,
}

impl Default for ServerConfig {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            listen: ([127, 0, 0, 1], 50051).into(),
            max_deadline: Duration::from_secs(30),
            max_concurrent_requests: 256,
            max_standing_requests: STANDING_A_CORE * cores,
            retry_after: Duration::from_millis(200),
            max_bytes_in_flight: 256 << 20,
            max_connections: 1024,
            max_streams_per_connection: 128,
            max_stream_messages: 100_000,
            max_request_bytes: 4 << 20,
            max_response_bytes: 4 << 20,
            gzip_responses: false,
            answer_cache_bytes: 8 << 20,
            lame_duck: Duration::from_secs(3),
            drain_limit: Duration::from_secs(20),
            reader_timeout: Duration::from_secs(20),
            handshake_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(600),
            max_header_bytes: 16 << 10,
            stream_window: 256 << 10,
            connection_window: 1 << 20,
            send_buffer: 64 << 10,
            keepalive_interval: Duration::from_secs(30),
            keepalive_timeout: Duration::from_secs(10),
            max_connection_age: None,
            max_connection_grace: Duration::from_secs(30),
            web: true,
            web_origins: Vec::new(),
            reflection: true,
            traces: true,
            slow: Duration::from_secs(1),
            log_requests: 100,
        }
    }
}

impl ServerConfig {
    /// Checks the settings.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn check(&self) -> Result<(), ConfigError> {
        let positive = [
            ("max_deadline", !self.max_deadline.is_zero()),
            ("max_concurrent_requests", self.max_concurrent_requests > 0),
            ("max_standing_requests", self.max_standing_requests > 0),
            ("max_connections", self.max_connections > 0),
            (
                "max_streams_per_connection",
                self.max_streams_per_connection > 0,
            ),
            ("max_request_bytes", self.max_request_bytes > 0),
            ("max_response_bytes", self.max_response_bytes > 0),
            ("keepalive_interval", !self.keepalive_interval.is_zero()),
            ("keepalive_timeout", !self.keepalive_timeout.is_zero()),
            ("max_bytes_in_flight", self.max_bytes_in_flight > 0),
            ("max_stream_messages", self.max_stream_messages > 0),
            ("reader_timeout", !self.reader_timeout.is_zero()),
            ("handshake_timeout", !self.handshake_timeout.is_zero()),
            ("idle_timeout", !self.idle_timeout.is_zero()),
            ("max_header_bytes", self.max_header_bytes > 0),
            ("send_buffer", self.send_buffer > 0),
        ];
        if let Some((name, _)) = positive.into_iter().find(|(_, fine)| !fine) {
            return Err(ConfigError {
                name,
                what: "must be more than 0".into(),
            });
        }
        if self.max_bytes_in_flight < self.max_request_bytes {
            return Err(ConfigError {
                name: "max_bytes_in_flight",
                what: "must be at least max_request_bytes: no such request could be read".into(),
            });
        }
        let windows = [
            ("stream_window", self.stream_window),
            ("connection_window", self.connection_window),
        ];
        let fits = |window: &u32| (LEAST_WINDOW..=MOST_WINDOW).contains(window);
        if let Some((name, _)) = windows.into_iter().find(|(_, window)| !fits(window)) {
            let what = format!("must be {LEAST_WINDOW} to {MOST_WINDOW} bytes, as HTTP/2 has it");
            return Err(ConfigError { name, what });
        }
        let most = tokio::sync::Semaphore::MAX_PERMITS;
        let counts = [
            ("max_concurrent_requests", self.max_concurrent_requests),
            ("max_connections", self.max_connections),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count > most) {
            return Err(ConfigError {
                name,
                what: format!("must be at most {most}"),
            });
        }
        for origin in &self.web_origins {
            if origin != "*" && http::HeaderValue::from_str(origin).is_err() {
                let what = format!("{origin:?} is no origin; write https://example.org");
                return Err(ConfigError {
                    name: "web_origins",
                    what,
                });
            }
        }
        Ok(())
    }
}

/// A setting that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {what}")]
pub struct ConfigError {
    /// The setting's name.
    pub name: &'static str,
    /// What is wrong with it.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_make_sense() {
        assert_eq!(ServerConfig::default().check(), Ok(()));
    }

    #[test]
    fn a_limit_of_nothing_is_refused_by_name() {
        let config = ServerConfig {
            max_concurrent_requests: 0,
            ..ServerConfig::default()
        };
        assert_eq!(config.check().unwrap_err().name, "max_concurrent_requests");
    }

    #[test]
    fn a_limit_beyond_what_can_be_counted_is_refused() {
        let config = ServerConfig {
            max_connections: usize::MAX,
            ..ServerConfig::default()
        };
        assert_eq!(config.check().unwrap_err().name, "max_connections");
    }

    #[test]
    fn an_origin_must_fit_in_a_header() {
        let web_origins = vec!["https://exa\nmple.org".to_owned()];
        let config = ServerConfig {
            web_origins,
            ..ServerConfig::default()
        };
        assert_eq!(config.check().unwrap_err().name, "web_origins");
    }
}
