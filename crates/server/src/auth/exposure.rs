//! What other machines can do with a service, told when it starts.

use crate::transport::Address;

/// Says in the log what a service leaves open to other machines. That it is meant so cannot be known: TLS
/// may end before it, and a network may be nobody else's.
pub(crate) fn tell(listen: &Address, tls: bool, asks: bool) {
    if let Some(warning) = warning(listen, tls, asks) {
        tracing::warn!(%listen, "{warning}");
    }
}

fn warning(listen: &Address, tls: bool, asks: bool) -> Option<&'static str> {
    if listen.is_local() {
        return None;
    }
    match (tls, asks) {
        (true, true) => None,
        (false, true) => Some(
            "tokens go over the network as they are, and whoever hears one can use it: give --tls-cert and \
             --tls-key, unless TLS ends before this service",
        ),
        (_, false) => Some(
            "other machines can call this service and are not asked who they are: give --tokens, unless \
             something before it asks",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_to_other_machines_is_told() {
        let of = |listen: &str, tls, asks| warning(&listen.parse().unwrap(), tls, asks);
        for local in ["127.0.0.1:1", "[::1]:1", "unix:/run/a.sock"] {
            assert_eq!(of(local, false, false), None);
        }
        let open = "0.0.0.0:50051";
        assert_eq!(of(open, true, true), None);
        assert!(of(open, false, true).unwrap().contains("--tls-cert"));
        assert!(of(open, true, false).unwrap().contains("--tokens"));
        assert!(of(open, false, false).unwrap().contains("--tokens"));
    }
}
