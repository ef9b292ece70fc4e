//! Who one is to a server, and whom one takes for it.

use std::fmt;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

use crate::error::Error;

/// Who one is to a server, and whom one takes for it.
#[derive(Clone, Default)]
pub struct Access {
    /// The token that the server knows one by.
    pub token: Option<String>,
    /// The certificates that vouch for the server's own, in PEM. Without them those of this machine do.
    pub trusted: Option<Vec<u8>>,
    /// A certificate of one's own and its private key, in PEM, where the server asks for one.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing of what is secret.
        let has = |it: bool| if it { "given" } else { "none" };
        f.debug_struct("Access")
            .field("token", &has(self.token.is_some()))
            .field("trusted", &has(self.trusted.is_some()))
            .field("identity", &has(self.identity.is_some()))
            .finish()
    }
}

impl Access {
    /// The way to a URL, with TLS where it says `https:`. A token does not leave this machine in plain text.
    pub(crate) fn endpoint(&self, url: &str) -> Result<Endpoint, Error> {
        let failed = |source| Error::Connect {
            url: url.to_owned(),
            source,
        };
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(failed)?;
        let secure = endpoint.uri().scheme_str() == Some("https");
        if !secure {
            let here = endpoint.uri().host().is_some_and(is_here);
            return match (&self.token, here) {
                (Some(_), false) => Err(Error::Setting {
                    what: "token",
                    why: format!(
                        "{url}: everybody on the way could read it and use it; write https://"
                    ),
                }),
                _ => Ok(endpoint),
            };
        }
        let mut tls = match &self.trusted {
            Some(pem) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)),
            None => ClientTlsConfig::new().with_enabled_roots(),
        };
        if let Some((certificate, key)) = &self.identity {
            tls = tls.identity(Identity::from_pem(certificate, key));
        }
        endpoint.tls_config(tls).map_err(failed)
    }

    /// What puts the token into requests.
    pub(crate) fn bearer(&self) -> Result<Bearer, Error> {
        let Some(token) = &self.token else {
            return Ok(Bearer(None));
        };
        let header = format!("Bearer {}", token.trim()).parse();
        let mut header: MetadataValue<Ascii> = header.map_err(|_| Error::Setting {
            what: "token",
            why: "it has signs that fit into no header".into(),
        })?;
        header.set_sensitive(true);
        Ok(Bearer(Some(header)))
    }
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|it| it.is_loopback())
}

/// Puts a token into every request, if there is one.
#[derive(Clone, Debug, Default)]
pub struct Bearer(pub(crate) Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(header) = &self.0 {
            let headers = request.metadata_mut();
            headers.insert("authorization", header.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_to_other_machines_over_tls_alone() {
        let access = Access {
            token: Some("secret".into()),
            ..Access::default()
        };
        for fine in ["http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"] {
            assert!(access.endpoint(fine).is_ok(), "{fine}");
        }
        for refused in [
            "http://rules.example.org:1",
            "http://10.0.0.1:1",
            "http://localhost.example.org",
        ] {
            let error = access.endpoint(refused).unwrap_err();
            assert!(
                matches!(error, Error::Setting { what: "token", .. }),
                "{refused}"
            );
            assert!(Access::default().endpoint(refused).is_ok());
        }
    }

    #[test]
    fn what_is_secret_is_not_shown() {
        let access = Access {
            token: Some("secret".into()),
            trusted: None,
            identity: Some((Vec::new(), b"private".to_vec())),
        };
        let shown = format!("{access:?} {:?}", access.bearer().unwrap());
        assert!(
            !shown.contains("secret") && !shown.contains("private"),
            "{shown}"
        );
    }
}
