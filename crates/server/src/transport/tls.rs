//! TLS: a certificate and its key, from files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

/// A server's side of TLS, 1.2 or 1.3, over which it speaks HTTP/2.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

/// Why there is no TLS. It names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct TlsError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Tls {
    /// Reads a certificate, with those that vouch for it, and its private key. Both are PEM.
    ///
    /// # Errors
    /// A file that cannot be read or is not what it should be, or two that do not belong together.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let fault = |file: &Path, why: String| TlsError {
            file: file.to_owned(),
            why,
        };
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| fault(certificate, format!("no certificate in PEM: {error}")))?;
        if chain.is_empty() {
            return Err(fault(certificate, "there is no certificate in it".into()));
        }
        let secret = PrivateKeyDer::from_pem_file(key)
            .map_err(|error| fault(key, format!("no private key in PEM: {error}")))?;
        let unfit = |error: rustls::Error| fault(certificate, error.to_string());
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unfit)?
            .with_no_client_auth()
            .with_single_cert(chain, secret)
            .map_err(unfit)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    /// Shakes hands.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.0.accept(stream).await
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing of the key.
        f.write_str("Tls")
    }
}
