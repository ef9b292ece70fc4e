//! The command line of who may call a service, and of tokens.

use std::path::PathBuf;

use alamein_server::Scope;
use clap::{Args, Subcommand};

use super::measures::{number, whole};

/// TLS, and who may call.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Security")]
pub(crate) struct Securing {
    /// The certificate with which to speak TLS, in PEM, those that vouch for it after it
    ///
    /// This file and the others of this section are read again when they change, and on SIGHUP. What does
    /// not make sense then is told in the log, and what was in force stays.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Its private key, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// The certificates that vouch for those of clients, in PEM
    ///
    /// Clients are then asked for a certificate. The file of tokens can say what one stands for.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_client_ca: Option<PathBuf>,
    /// Turn away clients without a certificate
    #[arg(long, requires = "tls_client_ca")]
    pub(crate) tls_client_required: bool,
    /// The file of tokens: every request must bear one; `alamein token new` makes them
    ///
    /// If it is not given, nobody is asked who they are, and everybody may do everything.
    #[arg(long, value_name = "FILE", env = "ALAMEIN_TOKENS")]
    pub(crate) tokens: Option<PathBuf>,
    /// The file of public keys, a JWKS, by which JWTs are verified that somebody else issues
    ///
    /// A request may bear one instead of a token of the file. The claims `tenant` and `scope` say what it
    /// opens.
    #[arg(long, value_name = "FILE", requires_all = ["jwt_issuer", "jwt_audience"])]
    pub(crate) jwks: Option<PathBuf>,
    /// Who must have issued them: the claim `iss`
    #[arg(long, value_name = "TEXT", requires = "jwks")]
    pub(crate) jwt_issuer: Option<String>,
    /// Whom they must be for: the claim `aud`
    #[arg(long, value_name = "TEXT", requires = "jwks")]
    pub(crate) jwt_audience: Option<String>,
    /// The claim of theirs that names the tenant
    #[arg(long, value_name = "CLAIM", default_value = "tenant")]
    pub(crate) jwt_tenant_claim: String,
    /// The claim of theirs that names the scopes: words with blanks between them, or a list
    #[arg(long, value_name = "CLAIM", default_value = "scope")]
    pub(crate) jwt_scope_claim: String,
    /// Write into this file who changes what, and who is turned away; `-` is standard output
    ///
    /// Each line is JSON. What cannot be written down is not done. To rotate it, move it away: it is opened
    /// anew within a second, and on SIGHUP. docs/security.md says what a line has.
    #[arg(long, value_name = "FILE")]
    pub(crate) audit: Option<PathBuf>,
    /// Reflection is open to who bears no token, as health always is
    #[arg(long)]
    pub(crate) open_reflection: bool,
    /// How many requests in a second a token may make that says nothing of its own
    #[arg(long, value_name = "N", value_parser = number(0.0001..=1e6, "a number"))]
    pub(crate) quota_requests_per_second: Option<f64>,
    /// How many of them may come at once after a while without any
    #[arg(long, value_name = "N", requires = "quota_requests_per_second", value_parser = whole::<u32>(1))]
    pub(crate) quota_burst: Option<u32>,
    /// How many requests such a token may have worked on at the same time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1))]
    pub(crate) quota_concurrent_requests: Option<u32>,
}

/// Tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token: show it once, and add its hash to the file
    New(TokenNew),
    /// List the tokens of the file
    List(TokenList),
    /// Take a token out of the file: the service refuses it within a second
    Revoke(TokenRevoke),
}

#[derive(Args, Clone, Debug)]
pub(crate) struct TokensFile {
    /// The file of tokens
    #[arg(
        long = "file",
        value_name = "FILE",
        default_value = "tokens.toml",
        env = "ALAMEIN_TOKENS"
    )]
    pub(crate) path: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct TokenNew {
    /// Whose it is: those of one tenant share maps, positions, games and rulesets
    #[arg(long, value_name = "NAME")]
    pub(crate) tenant: alamein_store::Tenant,
    /// What it may do; give several by commas or by giving this again
    ///
    /// adjudicate, positions:write, maps:write, games:write, rulesets:write, plugins:admin. None of them
    /// brings another.
    #[arg(
        long = "scope",
        value_name = "SCOPE",
        required = true,
        value_delimiter = ','
    )]
    pub(crate) scopes: Vec<Scope>,
    /// When it ends: after `90d` or `12h`, or at 2027-01-31T00:00:00Z; never if it is not given
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
    /// What to write beside it, such as who has it
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) note: String,
    /// How many requests in a second it may make
    #[arg(long, value_name = "N", value_parser = number(0.0001..=1e6, "a number"))]
    pub(crate) requests_per_second: Option<f64>,
    /// How many of them may come at once after a while without any
    #[arg(long, value_name = "N", requires = "requests_per_second", value_parser = whole::<u32>(1))]
    pub(crate) burst: Option<u32>,
    /// How many of its requests may be worked on at the same time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1))]
    pub(crate) concurrent_requests: Option<u32>,
    #[command(flatten)]
    pub(crate) file: TokensFile,
}

#[derive(Args, Debug)]
pub(crate) struct TokenList {
    #[command(flatten)]
    pub(crate) file: TokensFile,
    /// Write JSON for programs to read
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct TokenRevoke {
    /// The token's id, as `alamein token list` shows it: the part in the middle of the token
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) file: TokensFile,
}
