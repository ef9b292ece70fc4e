//! A token that every request must bear.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use alamein_proto::v1::ErrorReason;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use tonic::Status;
use tonic::body::Body;

use super::around::{Answers, Around, Next};
use crate::fault::Fault;

/// How short a token may be.
const SHORTEST: usize = 16;

/// A token: a secret that whoever calls must know.
///
/// Only its hash is kept. Hashes are compared in a time that tells nothing of where they differ.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// Why a file gives no token. It names the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct TokenError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Token {
    /// Reads a token: the text of a file, without white space around it.
    ///
    /// # Errors
    /// A file that cannot be read, that others than its owner may read, or with too short a token.
    pub fn read(file: &Path) -> Result<Self, TokenError> {
        let fault = |why: String| TokenError {
            file: file.to_owned(),
            why,
        };
        let unreadable = |error: std::io::Error| fault(format!("cannot be read: {error}"));
        let mode = std::fs::metadata(file).map_err(unreadable)?.mode();
        if mode & 0o077 != 0 {
            let why = format!(
                "others than its owner may use it (mode {:o}); run `chmod 600` on it",
                mode & 0o777
            );
            return Err(fault(why));
        }
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        Self::new(text.trim()).map_err(fault)
    }

    /// The token of this text.
    ///
    /// # Errors
    /// A text that anybody could guess, or that does not fit into a header.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() < SHORTEST {
            return Err(format!(
                "a token has at least {SHORTEST} characters; `openssl rand -hex 32` makes a good one"
            ));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("a token has letters, digits and signs of ASCII, and no spaces".into());
        }
        Ok(Self(Sha256::digest(text).into()))
    }

    fn is(&self, given: &[u8]) -> bool {
        let given: [u8; 32] = Sha256::digest(given).into();
        self.0.ct_eq(&given).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// The step that turns away who does not know the token, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Tokens(pub(crate) Option<Token>);

impl Around for Tokens {
    async fn around<S: Answers>(&self, request: Request<Body>, next: Next<S>) -> Response<Body> {
        match &self.0 {
            Some(token) if !bears(request.headers(), token) => refusal().into_http(),
            _ => next.run(request).await,
        }
    }
}

/// Whether a request bears a token, and that alone.
fn bears(headers: &HeaderMap, token: &Token) -> bool {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (Some(one), None) = (given.next(), given.next()) else {
        return false;
    };
    let Some((scheme, secret)) = split(one.as_bytes()) else {
        return false;
    };
    scheme.eq_ignore_ascii_case(b"bearer") && token.is(secret)
}

fn split(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = value.iter().position(|byte| *byte == b' ')?;
    Some((value.get(..space)?, value.get(space + 1..)?))
}

fn refusal() -> Status {
    let text = "this needs the token of the server: send `authorization: Bearer TOKEN`";
    Fault::new(ErrorReason::TokenInvalid, text).into()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn only_the_token_opens() {
        let token = Token::new(SECRET).unwrap();
        let opens = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, value.parse().unwrap());
            }
            bears(&headers, &token)
        };
        assert!(opens(&["Bearer 0123456789abcdef"]));
        assert!(opens(&["bearer 0123456789abcdef"]));
        for wrong in [
            &[][..],
            &["Bearer 0123456789abcdee"],
            &["Bearer 0123456789abcde"],
            &["Bearer  0123456789abcdef"],
            &["Bearer"],
            &["0123456789abcdef"],
            &["Basic 0123456789abcdef"],
            &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"],
        ] {
            assert!(!opens(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_token_that_others_may_read_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, format!("{SECRET}\n")).unwrap();
        let with = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            Token::read(&file)
        };
        assert!(with(0o600).unwrap().is(SECRET.as_bytes()));
        for mode in [0o640, 0o604, 0o622] {
            assert!(with(mode).unwrap_err().why.contains("chmod 600"));
        }
    }

    #[test]
    fn a_token_is_long_and_fits_into_a_header() {
        assert!(Token::new("short").is_err());
        assert!(Token::new("with a space in it, though long").is_err());
        assert!(!format!("{:?}", Token::new(SECRET)).contains(SECRET));
    }
}
