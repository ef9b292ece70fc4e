//! Where a server listens.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a server listens: an address of the network, or a socket in the file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An address and a port. Port 0 takes a free one.
    Tcp(SocketAddr),
    /// A Unix socket of this name. Only the user that the server runs as may connect to it.
    Unix(PathBuf),
}

impl Address {
    /// Whether nobody can connect from another machine.
    ///
    /// ```
    /// use alamein_server::transport::Address;
    ///
    /// let local = |text: &str| text.parse::<Address>().map(|address| address.is_local());
    /// assert_eq!(local("[::1]:50052"), Ok(true));
    /// assert_eq!(local("unix:/run/alamein.sock"), Ok(true));
    /// assert_eq!(local("0.0.0.0:50052"), Ok(false));
    /// ```
    #[must_use]
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().to_canonical().is_loopback(),
            Self::Unix(_) => true,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            // Some write a URL.
            let path = path.strip_prefix("//").unwrap_or(path);
            if !path.starts_with('/') {
                return Err(format!(
                    "{text:?}: write the whole path: unix:/run/alamein.sock"
                ));
            }
            return Ok(Self::Unix(path.into()));
        }
        text.parse().map(Self::Tcp).map_err(|_| {
            format!("{text:?} is neither an address with a port (127.0.0.1:50052) nor unix:/PATH")
        })
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

impl From<([u8; 4], u16)> for Address {
    fn from(address: ([u8; 4], u16)) -> Self {
        Self::Tcp(address.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["127.0.0.1:50052", "[::1]:1", "unix:/run/alamein.sock"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        let url = "unix:///run/a.sock".parse::<Address>().unwrap();
        assert_eq!(url, Address::Unix("/run/a.sock".into()));
        for text in ["localhost", "unix:a.sock", "50052", ""] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        for (text, local) in [
            ("127.9.9.9:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("[::]:1", false),
            ("192.168.0.1:1", false),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().is_local(), local, "{text}");
        }
    }
}
