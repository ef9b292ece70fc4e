//! Changing a file of tokens: what people wrote in it stays.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::book::{Book, TokensError};
use super::quota::Quota;
use super::scope::Scopes;
use super::secret::NewToken;
use alamein_store::Tenant;

/// What begins a new file.
const HEAD: &str = "\
# The tokens of an Alamein service: `alamein serve --tokens` reads them, and again when they change.
# `alamein token new` adds one and `alamein token revoke` takes one out. Only hashes are here: a token that
# was lost cannot be had again, but another made.

";

/// What a new token is to be.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whose it is.
    pub tenant: Tenant,
    /// What it may do.
    pub scopes: Scopes,
    /// When it ends.
    pub expires: Option<OffsetDateTime>,
    /// How much may be asked with it.
    pub quota: Quota,
    /// What to write beside it.
    pub note: String,
}

/// Makes a token and adds its hash to a file, which is made if there is none.
///
/// # Errors
/// A file that does not make sense, before or after, or cannot be written.
pub fn add(file: &Path, wanted: &Wanted) -> Result<NewToken, TokensError> {
    let token = NewToken::make().map_err(|error| fault(file, error.to_string()))?;
    change(file, true, |document| {
        let all = document
            .entry("token")
            .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let all = all
            .as_array_of_tables_mut()
            .ok_or("`token` must be written as [[token]]")?;
        all.push(entry(&token, wanted));
        Ok(())
    })?;
    Ok(token)
}

/// Takes the token, or the certificate, of an id out of a file.
///
/// # Errors
/// Where there is none, or the file cannot be written.
pub fn revoke(file: &Path, id: &str) -> Result<(), TokensError> {
    change(file, false, |document| {
        for kind in ["token", "certificate"] {
            let Some(all) = document
                .get_mut(kind)
                .and_then(Item::as_array_of_tables_mut)
            else {
                continue;
            };
            let before = all.len();
            all.retain(|entry| entry.get("id").and_then(Item::as_str) != Some(id));
            if all.len() < before {
                return Ok(());
            }
        }
        Err(format!(
            "there is no token of the id {id:?}; `alamein token list` shows which there are"
        ))
    })
}

fn entry(token: &NewToken, wanted: &Wanted) -> Table {
    let mut table = Table::new();
    let scopes: Array = wanted.scopes.iter().map(|scope| scope.name()).collect();
    table.insert("id", value(&token.id));
    table.insert("tenant", value(wanted.tenant.as_str()));
    table.insert("scopes", value(scopes));
    table.insert("sha256", value(token.sha256()));
    let expires = wanted.expires.and_then(|it| it.format(&Rfc3339).ok());
    if let Some(expires) = expires.and_then(|it| it.parse::<toml_edit::Datetime>().ok()) {
        table.insert("expires", value(expires));
    }
    if !wanted.note.is_empty() {
        table.insert("note", value(&wanted.note));
    }
    if let Some(rate) = wanted.quota.requests_per_second {
        table.insert("requests_per_second", value(rate));
    }
    let counts = [
        ("burst", wanted.quota.burst),
        ("concurrent_requests", wanted.quota.concurrent_requests),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            table.insert(name, value(i64::from(count)));
        }
    }
    table
}

/// Changes a file as a whole or not at all. Whoever changes it at the same time waits in turn.
fn change(
    file: &Path,
    make: bool,
    edit: impl FnOnce(&mut DocumentMut) -> Result<(), String>,
) -> Result<(), TokensError> {
    let unwritable = |error: std::io::Error| fault(file, format!("cannot be written: {error}"));
    // Through a symbolic link: it is the file that changes, and the link stays.
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = real
        .parent()
        .filter(|it| !it.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let turn = File::open(folder).map_err(unwritable)?;
    turn.lock().map_err(unwritable)?;
    let (head, text, mode) = match std::fs::read_to_string(&real) {
        Ok(text) => {
            Book::read(file)?;
            (
                "",
                text,
                std::fs::metadata(&real)
                    .map_err(unwritable)?
                    .permissions()
                    .mode(),
            )
        }
        Err(error) if make && error.kind() == std::io::ErrorKind::NotFound => {
            (HEAD, String::new(), 0o600)
        }
        Err(error) => return Err(fault(file, format!("cannot be read: {error}"))),
    };
    let document = text.parse::<DocumentMut>();
    let mut document = document.map_err(|_| fault(file, "is no TOML".into()))?;
    edit(&mut document).map_err(|why| fault(file, why))?;
    let text = format!("{head}{document}");
    Book::parse(&text).map_err(|why| fault(file, why))?;
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(unwritable)?;
    new.write_all(text.as_bytes()).map_err(unwritable)?;
    let permissions = std::fs::Permissions::from_mode(mode & 0o777);
    new.as_file()
        .set_permissions(permissions)
        .map_err(unwritable)?;
    new.as_file().sync_all().map_err(unwritable)?;
    new.persist(&real)
        .map_err(|error| unwritable(error.error))?;
    turn.sync_all().map_err(unwritable)
}

fn fault(file: &Path, why: String) -> TokensError {
    TokensError {
        file: file.to_owned(),
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scope::Scope;
    use super::*;

    fn wanted(note: &str) -> Wanted {
        Wanted {
            tenant: "club".parse().unwrap(),
            scopes: [Scope::Adjudicate, Scope::MapsWrite].into_iter().collect(),
            expires: OffsetDateTime::parse("2030-01-31T00:00:00Z", &Rfc3339).ok(),
            quota: Quota {
                requests_per_second: Some(2.5),
                burst: Some(7),
                concurrent_requests: Some(3),
            },
            note: note.into(),
        }
    }

    #[test]
    fn what_is_added_is_read_and_what_is_revoked_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        let first = add(&file, &wanted("first \"one\"")).unwrap();
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains(&first.text) && text.starts_with(HEAD));
        std::fs::write(&file, format!("{text}# By hand.\n")).unwrap();
        let second = add(&file, &wanted("")).unwrap();
        let book = Book::read(&file).unwrap();
        let (hash, grant) = book.token(&first.id).unwrap();
        assert_eq!(super::super::secret::hex(hash), first.sha256());
        let asked = wanted("first \"one\"");
        assert_eq!(
            (grant.quota, grant.expires, &grant.note),
            (asked.quota, asked.expires, &asked.note)
        );
        assert_eq!(
            (&grant.caller.tenant, &grant.caller.scopes),
            (&asked.tenant, &asked.scopes)
        );
        revoke(&file, &first.id).unwrap();
        let book = Book::read(&file).unwrap();
        assert_eq!(book.tokens().into_keys().collect::<Vec<_>>(), [second.id]);
        let missing = revoke(&file, &first.id).unwrap_err();
        assert!(missing.why.contains("alamein token list"), "{missing}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("# By hand."), "{text}");
    }

    #[test]
    fn a_file_that_makes_no_sense_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        std::fs::write(&file, "token = 7\n").unwrap();
        assert!(add(&file, &wanted("")).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "token = 7\n");
    }

    #[test]
    fn those_who_add_at_once_do_not_lose_each_others() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| add(&file, &wanted("")).unwrap());
            }
        });
        assert_eq!(Book::read(&file).unwrap().tokens().len(), 8);
    }
}
