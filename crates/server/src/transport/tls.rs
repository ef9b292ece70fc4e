//! TLS: a certificate and its key, from files, and who may vouch for clients.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::ring::digest::{SHA256, digest};
use time::OffsetDateTime;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::ClientCertVerifier;
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};
use tokio_rustls::server::TlsStream;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::{FromDer as _, X509Certificate};

use crate::reload::{Reloaded, Renew};

/// How long before a certificate ends it is told of in the log.
const SOON: time::Duration = time::Duration::days(14);

/// Where a server's side of TLS comes from. All files are PEM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those that vouch for it after it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The certificates that vouch for those of clients. Without them no client is asked for one.
    pub client_ca: Option<PathBuf>,
    /// Whether a client without a certificate is turned away.
    pub client_required: bool,
}

/// A server's side of TLS, 1.2 or 1.3, over which it speaks HTTP/2, and HTTP/1.1 with who speaks nothing
/// else. Clones share it.
///
/// Its files are read again when they change: new connections then have the new certificate, and those that
/// are open stay. Where they do not make sense together, as between the writing of one and the other, the old
/// ones stay in force.
#[derive(Clone)]
pub struct Tls(Arc<Reloaded<State>>);

/// What was read.
struct State {
    config: Arc<ServerConfig>,
    not_after: OffsetDateTime,
}

/// Why there is no TLS. It names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct TlsError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// The certificate that a client showed, which was vouched for. It is in the extensions of its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// The hash of all of it.
    pub(crate) sha256: [u8; 32],
    /// What it names, each with its kind: `dns:club.example.org`, `uri:spiffe://club/server`, `cn:club`.
    pub(crate) names: Arc<[String]>,
    /// When it ends.
    pub(crate) not_after: OffsetDateTime,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// A file that cannot be read or is not what it should be, or two that do not belong together.
    pub fn read(files: TlsFiles) -> Result<Self, TlsError> {
        let TlsFiles {
            certificate,
            key,
            client_ca,
            ..
        } = &files;
        let all = [Some(certificate), Some(key), client_ca.as_ref()];
        let all = all.into_iter().flatten().cloned().collect();
        Reloaded::open("tls", all, move || state(&files)).map(|it| Self(Arc::new(it)))
    }

    /// Shakes hands.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let config = Arc::clone(&self.0.now().config);
        TlsAcceptor::from(config).accept(stream).await
    }

    /// When the certificate ends.
    pub(crate) fn not_after(&self) -> OffsetDateTime {
        self.0.now().not_after
    }

    /// What reads the files again.
    pub(crate) fn renew(&self) -> Arc<dyn Renew> {
        self.0.clone()
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing of the key.
        f.write_str("Tls")
    }
}

fn state(files: &TlsFiles) -> Result<State, TlsError> {
    let TlsFiles {
        certificate,
        key,
        client_ca,
        client_required,
    } = files;
    let chain = certificates(certificate)?;
    let secret = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| fault(key, format!("no private key in PEM: {error}")))?;
    let leaf = chain.first().and_then(|leaf| read(leaf));
    let leaf =
        leaf.ok_or_else(|| fault(certificate, "its first certificate cannot be read".into()))?;
    let provider = Arc::new(ring::default_provider());
    let unfit = |error: rustls::Error| fault(certificate, error.to_string());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unfit)?;
    let builder = match client_ca {
        None => builder.with_no_client_auth(),
        Some(file) => {
            builder.with_client_cert_verifier(verifier(file, *client_required, provider)?)
        }
    };
    let mut config = builder.with_single_cert(chain, secret).map_err(unfit)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    tell(certificate, leaf.not_after);
    Ok(State {
        config: Arc::new(config),
        not_after: leaf.not_after,
    })
}

fn verifier(
    file: &Path,
    required: bool,
    provider: Arc<rustls::crypto::CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(file)? {
        roots
            .add(certificate)
            .map_err(|error| fault(file, error.to_string()))?;
    }
    let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let builder = if required {
        builder
    } else {
        builder.allow_unauthenticated()
    };
    builder
        .build()
        .map_err(|error| fault(file, error.to_string()))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let all = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.map_err(|error| fault(file, format!("no certificate in PEM: {error}")))?;
    if all.is_empty() {
        return Err(fault(file, "there is no certificate in it".into()));
    }
    Ok(all)
}

fn fault(file: &Path, why: String) -> TlsError {
    TlsError {
        file: file.to_owned(),
        why,
    }
}

/// Says in the log how long a certificate goes on.
fn tell(file: &Path, not_after: OffsetDateTime) {
    let left = not_after - OffsetDateTime::now_utc();
    let (file, days) = (file.display(), left.whole_days());
    if left <= time::Duration::ZERO {
        tracing::error!(%file, days, "this certificate is past its time, and clients refuse it; put another in its place");
    } else if left < SOON {
        tracing::warn!(%file, days, "this certificate ends soon; put another in its place");
    } else {
        tracing::info!(%file, days, "speaking TLS with a certificate that is good for so many days");
    }
}

/// The certificate that the client of a connection showed.
pub(crate) fn shown(stream: &TlsStream<TcpStream>) -> Option<Certificate> {
    let (_, session) = stream.get_ref();
    session
        .peer_certificates()?
        .first()
        .and_then(|leaf| read(leaf))
}

/// Reads what is asked of a certificate.
fn read(der: &CertificateDer<'_>) -> Option<Certificate> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let common = certificate.subject().iter_common_name();
    let common = common
        .filter_map(|name| name.as_str().ok())
        .map(|name| format!("cn:{name}"));
    let alternatives = certificate.subject_alternative_name().ok().flatten();
    let alternatives = alternatives
        .map(|it| &*it.value.general_names)
        .unwrap_or_default();
    let names = alternatives.iter().filter_map(name).chain(common).collect();
    let not_after = certificate.validity().not_after.to_datetime();
    let sha256 = digest(&SHA256, der).as_ref().try_into().ok()?;
    Some(Certificate {
        sha256,
        names,
        not_after,
    })
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    Some(match name {
        GeneralName::DNSName(name) => format!("dns:{name}"),
        GeneralName::URI(name) => format!("uri:{name}"),
        GeneralName::RFC822Name(name) => format!("email:{name}"),
        GeneralName::IPAddress(bytes) => {
            let address = <[u8; 4]>::try_from(*bytes).map(std::net::IpAddr::from);
            let address =
                address.or_else(|_| <[u8; 16]>::try_from(*bytes).map(std::net::IpAddr::from));
            format!("ip:{}", address.ok()?)
        }
        _ => return None,
    })
}
