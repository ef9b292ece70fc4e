//! Certificates: for how long, and for whom.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use x509_parser::extensions::GeneralName;
use x509_parser::pem::Pem;
use x509_parser::prelude::X509Certificate;

use super::Findings;

/// How many days before it ends a certificate is told of.
const SOON: i64 = 21;

/// Looks at a certificate in PEM, and at those that vouch for it in the same file.
pub(super) fn look(file: &Path, found: &mut Findings) {
    let shown = file.display();
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => return found.fail("certificate", format!("{shown}: {error}")),
    };
    let mut any = false;
    for (at, pem) in Pem::iter_from_buffer(&bytes).enumerate() {
        let told = pem.map_err(|error| error.to_string());
        let told = told.and_then(|pem| match pem.parse_x509() {
            Ok(certificate) => Ok(about(&certificate, at == 0)),
            Err(error) => Err(error.to_string()),
        });
        any = true;
        match told {
            Ok((days, what)) if days < 0 => found.fail(
                "certificate",
                format!("{shown}: {what} is not valid today; get a new one"),
            ),
            Ok((days, what)) if days < SOON => found.warn(
                "certificate",
                format!("{shown}: {what} ends in {days} days; get a new one"),
            ),
            Ok((days, what)) => {
                found.ok(
                    "certificate",
                    format!("{shown}: {what}, for {days} more days"),
                );
            }
            Err(why) => found.fail(
                "certificate",
                format!("{shown}: no certificate in PEM: {why}"),
            ),
        }
    }
    if !any {
        found.fail(
            "certificate",
            format!("{shown}: there is no certificate in it"),
        );
    }
}

/// For how many days it is valid yet, below 0 if it is not, and for whom it is.
fn about(certificate: &X509Certificate<'_>, first: bool) -> (i64, String) {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    let validity = certificate.validity();
    let days = match now < validity.not_before.timestamp() {
        true => -1,
        false => (validity.not_after.timestamp() - now).div_euclid(24 * 60 * 60),
    };
    let names = certificate.subject_alternative_name().ok().flatten();
    let names = names.iter().flat_map(|it| &it.value.general_names);
    let names: Vec<String> = names.filter_map(name).collect();
    let whom = match (first, names.is_empty()) {
        (true, false) => names.join(", "),
        (true, true) => format!(
            "{} (without a name by which clients know it)",
            certificate.subject()
        ),
        (false, _) => format!("{}, which vouches for it", certificate.subject()),
    };
    (days, whom)
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress([a, b, c, d]) => Some(format!("{a}.{b}.{c}.{d}")),
        GeneralName::IPAddress(bytes) => {
            let bytes: [u8; 16] = (*bytes).try_into().ok()?;
            Some(std::net::Ipv6Addr::from(bytes).to_string())
        }
        _ => None,
    }
}
