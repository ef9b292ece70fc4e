//! The file of tokens, and of the certificates of clients that stand for one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alamein_store::Tenant;
use serde::Deserialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::caller::Caller;
use super::quota::Quota;
use super::scope::{Scope, Scopes};
use super::secret::unhex;

/// How long the id of a token may be.
const LONGEST_ID: usize = 64;

/// Why a file gives no tokens. It names the file, and what of it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct TokensError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// What a credential stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// Whose it is, and what it may do.
    pub caller: Caller,
    /// When it ends. Nothing if never.
    pub expires: Option<OffsetDateTime>,
    /// How much may be asked with it.
    pub quota: Quota,
    /// Whatever its owner wrote beside it.
    pub note: String,
}

impl Grant {
    /// Whether its time is past.
    #[must_use]
    pub fn is_past(&self, now: OffsetDateTime) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Whether its time is past by this machine's clock.
    #[must_use]
    pub fn is_past_now(&self) -> bool {
        self.is_past(OffsetDateTime::now_utc())
    }

    /// When it ends, as the file has it.
    #[must_use]
    pub fn expires_text(&self) -> Option<String> {
        self.expires?.format(&Rfc3339).ok()
    }
}

/// The tokens and certificates of a file, checked.
#[derive(Debug, Default)]
pub struct Book {
    tokens: HashMap<String, ([u8; 32], Grant)>,
    certificates: Vec<(Bearer, Grant)>,
}

/// Whose certificate it must be.
#[derive(Debug, PartialEq)]
enum Bearer {
    /// One of its names: `dns:`, `uri:`, `email:`, `ip:` or `cn:` and what follows.
    Name(String),
    /// This very certificate, by its hash.
    Sha256([u8; 32]),
}

impl Book {
    /// Reads a file of tokens.
    ///
    /// # Errors
    /// A file that cannot be read, that others may write, or that does not make sense.
    pub fn read(file: &Path) -> Result<Self, TokensError> {
        let fault = |why: String| TokensError {
            file: file.to_owned(),
            why,
        };
        let unreadable = |error: std::io::Error| fault(format!("cannot be read: {error}"));
        check_owner(file).map_err(fault)?;
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        Self::parse(&text).map_err(fault)
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// What does not make sense in it. Nothing of a hash, or of what stands in its place, is repeated.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| at_line(text, &error))?;
        let (mut book, mut ids) = (Self::default(), HashSet::new());
        for (at, entry) in file.token.into_iter().enumerate() {
            let of = format!("token[{at}] ({})", entry.id);
            let sha256 = entry.sha256.as_deref().and_then(unhex);
            let sha256 = sha256.ok_or_else(|| {
                format!("{of}.sha256: must be the 64 hexadecimal digits of the token's hash; `alamein token new` writes it")
            })?;
            if entry.name.is_some() {
                return Err(format!("{of}.name: only a certificate has one"));
            }
            let grant = entry.grant(&of, &mut ids)?;
            let id = grant.caller.token.to_string();
            book.tokens.insert(id, (sha256, grant));
        }
        for (at, entry) in file.certificate.into_iter().enumerate() {
            let of = format!("certificate[{at}] ({})", entry.id);
            let bearer = entry.bearer().map_err(|why| format!("{of}{why}"))?;
            if book.certificates.iter().any(|(other, _)| *other == bearer) {
                return Err(format!("{of}: another entry has the same certificate"));
            }
            book.certificates
                .push((bearer, entry.grant(&of, &mut ids)?));
        }
        Ok(book)
    }

    /// What a token stands for, and its hash, by its id.
    pub(crate) fn token(&self, id: &str) -> Option<&([u8; 32], Grant)> {
        self.tokens.get(id)
    }

    /// What a certificate stands for: by its hash, or else by the first entry that has one of its names.
    pub(crate) fn certificate(&self, sha256: &[u8; 32], names: &[String]) -> Option<&Grant> {
        let is = |bearer: &Bearer| match bearer {
            Bearer::Sha256(hash) => hash == sha256,
            Bearer::Name(_) => false,
        };
        let has = |bearer: &Bearer| match bearer {
            Bearer::Sha256(_) => false,
            Bearer::Name(name) => names.contains(name),
        };
        let by = |test: &dyn Fn(&Bearer) -> bool| {
            self.certificates.iter().find(|(bearer, _)| test(bearer))
        };
        by(&is).or_else(|| by(&has)).map(|(_, grant)| grant)
    }

    /// All tokens, by their ids.
    #[must_use]
    pub fn tokens(&self) -> BTreeMap<&str, &Grant> {
        let each = self.tokens.iter();
        each.map(|(id, (_, grant))| (&**id, grant)).collect()
    }

    /// All that certificates stand for, by their ids.
    #[must_use]
    pub fn certificates(&self) -> BTreeMap<&str, &Grant> {
        let each = self.certificates.iter();
        each.map(|(_, grant)| (&*grant.caller.token, grant))
            .collect()
    }
}

/// Whether nobody but its owner may write a file that says who is let in.
pub(super) fn check_owner(file: &Path) -> Result<(), String> {
    let known = std::fs::metadata(file).map_err(|error| format!("cannot be read: {error}"))?;
    let mode = known.mode() & 0o777;
    if mode & 0o022 == 0 {
        return Ok(());
    }
    Err(format!(
        "others than its owner may write it (mode {mode:o}), and so let in whom they like; run `chmod go-w` on it"
    ))
}

/// An error of the TOML with its line, and without the line's text: what stands there may be a secret.
fn at_line(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("line {line}: {}", error.message())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
    #[serde(default)]
    certificate: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    tenant: String,
    scopes: Vec<String>,
    sha256: Option<String>,
    name: Option<String>,
    expires: Option<toml::value::Datetime>,
    #[serde(default)]
    note: String,
    requests_per_second: Option<f64>,
    burst: Option<u32>,
    concurrent_requests: Option<u32>,
}

impl Entry {
    fn bearer(&self) -> Result<Bearer, String> {
        const KINDS: [&str; 5] = ["dns:", "uri:", "email:", "ip:", "cn:"];
        match (&self.name, &self.sha256) {
            (Some(name), None) if KINDS.iter().any(|kind| name.starts_with(kind)) => {
                Ok(Bearer::Name(name.clone()))
            }
            (Some(_), None) => Err(format!(".name: must begin with one of {}", KINDS.join(" "))),
            (None, Some(hash)) => {
                let hash = unhex(&hash.replace(':', "").to_ascii_lowercase());
                hash.map(Bearer::Sha256)
                    .ok_or_else(|| ".sha256: must be the 64 hexadecimal digits of the certificate's hash".into())
            }
            _ => Err(": has either a `name` of the certificate, such as dns:club.example.org, or its `sha256`".into()),
        }
    }

    fn grant(self, of: &str, ids: &mut HashSet<String>) -> Result<Grant, String> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if self.id.is_empty() || self.id.len() > LONGEST_ID || !self.id.bytes().all(fits) {
            return Err(format!(
                "{of}.id: takes 1 to {LONGEST_ID} letters, digits and -_."
            ));
        }
        if !ids.insert(self.id.clone()) {
            return Err(format!("{of}.id: another entry has it"));
        }
        let tenant: Tenant = self
            .tenant
            .parse()
            .map_err(|error| format!("{of}.tenant: {error}"))?;
        let scopes = self.scopes.iter().map(|name| name.parse::<Scope>());
        let scopes: Scopes = scopes
            .collect::<Result<_, _>>()
            .map_err(|error| format!("{of}.scopes: {error}"))?;
        if scopes.is_empty() {
            return Err(format!(
                "{of}.scopes: a token without any opens nothing; there are {}",
                Scopes::all()
            ));
        }
        let expires = self.expires.map(|it| when(&it.to_string())).transpose();
        let expires = expires.map_err(|why| format!("{of}.expires: {why}"))?;
        let quota = Quota {
            requests_per_second: self.requests_per_second,
            burst: self.burst,
            concurrent_requests: self.concurrent_requests,
        };
        quota
            .check()
            .map_err(|(field, why)| format!("{of}.{field}: {why}"))?;
        Ok(Grant {
            caller: Caller {
                tenant,
                token: Arc::from(self.id),
                scopes,
            },
            expires,
            quota,
            note: self.note,
        })
    }
}

fn when(text: &str) -> Result<OffsetDateTime, String> {
    let time = OffsetDateTime::parse(text, &Rfc3339);
    time.map_err(|_| format!("{text} is no moment; write 2027-01-31T00:00:00Z, without quotes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn token(more: &str) -> String {
        format!(
            "[[token]]\nid = \"a\"\ntenant = \"club\"\nscopes = [\"adjudicate\"]\nsha256 = \"{HASH}\"\n{more}\n"
        )
    }

    fn refused(text: &str) -> String {
        Book::parse(text).unwrap_err()
    }

    #[test]
    fn a_file_has_tokens_and_certificates() {
        let text = token(
            "expires = 2027-01-31T12:00:00+01:00\nnote = \"the club\"\nrequests_per_second = 5",
        ) + "[[certificate]]\nid = \"gateway\"\nname = \"dns:gw.example.org\"\ntenant = \"other\"\nscopes = [\"maps:write\"]\n";
        let book = Book::parse(&text).unwrap();
        let (hash, grant) = book.token("a").unwrap();
        assert_eq!((Some(*hash), &*grant.note), (unhex(HASH), "the club"));
        assert_eq!(grant.caller.tenant.as_str(), "club");
        assert_eq!(grant.quota.requests_per_second, Some(5.0));
        let noon = when("2027-01-31T11:00:00Z").unwrap();
        assert!(grant.is_past(noon) && !grant.is_past(noon - time::Duration::SECOND));
        let names = ["cn:x".to_owned(), "dns:gw.example.org".to_owned()];
        let found = book.certificate(&[0; 32], &names).unwrap();
        assert!(found.caller.scopes.have(Scope::MapsWrite));
        assert!(book.certificate(&[0; 32], &names[..1]).is_none());
        assert!(Book::parse("").unwrap().tokens().is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_told_with_its_place() {
        for (text, told) in [
            (token("").replace("club", "The Club"), "token[0] (a).tenant"),
            (
                token("").replace("[\"adj", "[\"adj\", \"adj"),
                "token[0] (a).scopes: \"adj\" is no scope",
            ),
            (token("").replace("[\"adjudicate\"]", "[]"), "opens nothing"),
            (token("expires = 2027-01-31"), "write 2027-01-31T00:00:00Z"),
            (
                token("burst = 0\nrequests_per_second = 1"),
                "token[0] (a).burst",
            ),
            (token("") + &token(""), "token[1] (a).id: another"),
            (token("tenent = 1"), "line 6: unknown field `tenent`"),
            (
                "[[certificate]]\nid=\"a\"\ntenant=\"b\"\nscopes=[\"adjudicate\"]".into(),
                "certificate[0] (a): has either",
            ),
        ] {
            let refused = refused(&text);
            assert!(refused.contains(told), "{refused}");
        }
    }

    #[test]
    fn a_secret_in_the_wrong_place_is_not_repeated() {
        let secret =
            "alm_12345678_0000000000000000000000000000000000000000000000000000000000000001";
        for text in [
            token("").replace(HASH, secret),
            token("").replace(&format!("\"{HASH}\""), secret),
        ] {
            let refused = refused(&text);
            assert!(!refused.contains("0001"), "{refused}");
        }
    }

    #[test]
    fn who_may_write_the_file_lets_in_whom_he_likes() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        std::fs::write(&file, token("")).unwrap();
        let with = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            Book::read(&file)
        };
        assert!(with(0o600).is_ok() && with(0o644).is_ok());
        assert!(with(0o664).unwrap_err().why.contains("chmod go-w"));
    }
}
