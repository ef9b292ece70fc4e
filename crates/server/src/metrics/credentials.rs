//! What there is of certificates and of files that are read again.

use std::fmt::{self, Error};
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;

use super::plugins::family;
use crate::audit::Audit;
use crate::reload::Renew;
use crate::transport::Tls;

/// Reads when certificates end, and which files could not be read again.
pub(crate) struct Credentials {
    /// The certificates, by the listener that shows them.
    pub(crate) tls: Vec<(&'static str, Tls)>,
    pub(crate) fresh: Vec<Arc<dyn Renew>>,
    pub(crate) audit: Option<Audit>,
}

fn counter(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    count: u64,
) -> Result<(), Error> {
    let count = ConstCounter::new(count);
    let kind = count.metric_type();
    count.encode(encoder.encode_descriptor(name, help, None, kind)?)
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
        family(&mut encoder, "stale", help, "file", stale)?;
        let Some(audit) = &self.audit else {
            return Ok(());
        };
        let help =
            "Lines of the audit log that are lost: it could not be written, or did not keep up";
        counter(&mut encoder, "audit_lost", help, audit.counts().lost())?;
        let help = "Refusals that were left out of the audit log, because there were too many";
        let left_out = audit.counts().left_out();
        counter(&mut encoder, "audit_left_out", help, left_out)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}
