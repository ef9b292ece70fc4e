//! Where plugins are administered, and who may.

use std::time::Duration;

use crate::auth::Token;
use crate::transport::{Address, ConfigError, ServerConfig, Tls};

/// Where plugins are administered, and who may.
#[derive(Clone, Debug)]
pub struct AdminConfig {
    /// Where to listen.
    pub listen: Address,
    /// TLS, if it is to be spoken.
    pub tls: Option<Tls>,
    /// A token that opens everything there, beside those that the service knows anyway.
    pub token: Option<Token>,
}

impl AdminConfig {
    /// Checks that nobody from another machine can call unless there is TLS and every caller is asked who
    /// it is, here or (`asks`) by the service: whoever can call has code run in this process.
    ///
    /// # Errors
    /// Where that is not so, or a setting means nothing.
    pub fn check(&self, asks: bool) -> Result<(), ConfigError> {
        let wrong = |what: String| {
            Err(ConfigError {
                name: "admin",
                what,
            })
        };
        let guarded = self.tls.is_some() && (asks || self.token.is_some());
        if !self.listen.is_local() && !guarded {
            return wrong(format!(
                "{} can be reached from other machines, so it needs both TLS and a token; or listen on \
                 127.0.0.1 or on a Unix socket",
                self.listen
            ));
        }
        if self.tls.is_some() && matches!(self.listen, Address::Unix(_)) {
            return wrong("a Unix socket speaks no TLS; leave the certificate out".into());
        }
        Ok(())
    }

    /// The transport's settings: those of the service itself, but for what differs.
    pub(crate) fn transport(&self, of: &ServerConfig) -> ServerConfig {
        ServerConfig {
            listen: self.listen.clone(),
            // To load a plugin takes longer than to judge a question: its own cases are checked.
            max_deadline: of.max_deadline.max(Duration::from_secs(120)),
            max_concurrent_requests: 16,
            max_connections: 64,
            web: false,
            web_origins: Vec::new(),
            ..of.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(listen: &str, token: bool) -> AdminConfig {
        AdminConfig {
            listen: listen.parse().unwrap(),
            tls: None,
            token: token.then(|| Token::new("0123456789abcdef").unwrap()),
        }
    }

    #[test]
    fn other_machines_need_tls_and_a_token() {
        for local in ["127.0.0.1:1", "[::1]:1", "unix:/run/a.sock"] {
            assert!(config(local, false).check(false).is_ok(), "{local}");
        }
        for open in ["0.0.0.0:1", "[::]:1", "192.168.0.7:1"] {
            for token in [false, true] {
                let refused = config(open, token).check(false).unwrap_err();
                assert_eq!(refused.name, "admin");
                assert!(refused.what.contains("both TLS and a token"), "{refused}");
            }
        }
    }
}
