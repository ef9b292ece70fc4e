//! What there is of certificates and of files that are read again.

use std::fmt::{self, Error};
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::plugins::family;
use crate::reload::Renew;
use crate::transport::Tls;

/// Reads when certificates end, and which files could not be read again.
pub(crate) struct Credentials {
    /// The certificates, by the listener that shows them.
    pub(crate) tls: Vec<(&'static str, Tls)>,
    pub(crate) fresh: Vec<Arc<dyn Renew>>,
}

impl Collector for Credentials {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let ends = self.tls.iter();
        let ends =
            ends.map(|(listener, tls)| ((*listener).to_owned(), tls.not_after().unix_timestamp()));
        let help = "When the certificate that is shown ends, in seconds since 1970";
        family(
            &mut encoder,
            "tls_certificate_not_after_seconds",
            help,
            "listener",
            ends,
        )?;
        let stale = self.fresh.iter();
        let stale = stale.map(|it| (it.what().to_owned(), i64::from(it.is_stale())));
        let help = "Whether a file changed and could not be read again, so that its last good state is in force";
        family(&mut encoder, "stale", help, "file", stale)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}
