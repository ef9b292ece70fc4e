//! The command line of who one is to a service.

use std::path::{Path, PathBuf};

use alamein_client::Access;
use anyhow::{Context, Result};
use clap::Args;

/// Who one is to a service that asks, and whom one takes for it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Service")]
pub(crate) struct AccessArgs {
    /// The file with the token, if the service wants one; it may as well be in ALAMEIN_TOKEN itself
    #[arg(long, value_name = "FILE", env = "ALAMEIN_TOKEN_FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// The certificates that vouch for the service's own, in PEM; without them, those of this machine
    #[arg(long, value_name = "FILE", env = "ALAMEIN_TLS_CA")]
    pub(crate) tls_ca: Option<PathBuf>,
    /// A certificate of one's own, in PEM, if the service asks for one
    #[arg(long, value_name = "FILE", requires = "client_key")]
    pub(crate) client_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(long, value_name = "FILE", requires = "client_cert")]
    pub(crate) client_key: Option<PathBuf>,
}

impl AccessArgs {
    /// What they say, read.
    pub(crate) fn read(&self) -> Result<Access> {
        let token = match &self.token_file {
            Some(file) => {
                Some(std::fs::read_to_string(file).with_context(|| told("token-file", file))?)
            }
            // Not an option of its own: whoever lists processes would read it.
            None => std::env::var("ALAMEIN_TOKEN")
                .ok()
                .filter(|it| !it.is_empty()),
        };
        let read = |flag: &str, file: &Option<PathBuf>| -> Result<Option<Vec<u8>>> {
            let Some(file) = file else { return Ok(None) };
            std::fs::read(file)
                .with_context(|| told(flag, file))
                .map(Some)
        };
        let certificate = read("client-cert", &self.client_cert)?;
        let key = read("client-key", &self.client_key)?;
        Ok(Access {
            token,
            trusted: read("tls-ca", &self.tls_ca)?,
            identity: certificate.zip(key),
        })
    }
}

fn told(flag: &str, file: &Path) -> String {
    format!("--{flag} {}", file.display())
}
