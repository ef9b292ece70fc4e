//! `alamein store`, and which store is meant.

mod tending;

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use alamein_store::{EmbeddedConfig, PostgresConfig, StoreConfig};
use anyhow::{Context as _, Result, bail, ensure};

use crate::args::StoreArgs;

pub(crate) use tending::run;

/// The store that the command line means.
pub(crate) fn config(args: &StoreArgs) -> Result<StoreConfig> {
    let place = match args.store.as_deref() {
        Some("memory") => return Ok(StoreConfig::Memory),
        Some("") => bail!("--store: is empty; {OTHERS}"),
        Some(url) if PostgresConfig::is_url(url) => return postgres(url, args),
        Some(url) if url.contains("://") => {
            let scheme = url.split("://").next().unwrap_or_default();
            bail!("--store: there is no store of the kind {scheme}://; {OTHERS}")
        }
        Some(folder) => PathBuf::from(folder),
        None => usual(&|name| std::env::var_os(name))?,
    };
    let config = EmbeddedConfig::new(place);
    let check = args.store_check;
    Ok(StoreConfig::Embedded(EmbeddedConfig { check, ..config }))
}

/// What `--store` takes.
const OTHERS: &str = "name a folder, `postgres://user@host/database`, or `memory`";

fn postgres(url: &str, args: &StoreArgs) -> Result<StoreConfig> {
    let password = match &args.store_password_file {
        None => None,
        Some(file) => Some(password(file).context("--store-password-file")?),
    };
    Ok(StoreConfig::Postgres(PostgresConfig {
        password,
        most_connections: args.store_connections,
        statement_timeout: args.store_timeout,
        patience: args.store_patience,
        opening: args.store_wait,
        migrate: args.store_migrate,
        ..PostgresConfig::new(url)
    }))
}

fn password(file: &Path) -> Result<String> {
    let shown = file.display();
    let about = file.metadata().with_context(|| shown.to_string())?;
    ensure!(
        about.mode() & 0o077 == 0,
        "{shown}: others than its owner may read it; `chmod 600` it"
    );
    let text = std::fs::read_to_string(file).with_context(|| shown.to_string())?;
    let password = text.trim_end_matches(['\r', '\n']);
    ensure!(!password.is_empty(), "{shown}: is empty");
    Ok(password.to_owned())
}

/// The folder where nobody names one.
fn usual(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if let Some(folders) = set("STATE_DIRECTORY") {
        // Several have colons between them.
        let first = std::env::split_paths(&folders).next();
        return Ok(first.unwrap_or_default());
    }
    let absolute = |name| set(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| Some(absolute("HOME")?.join(".local/state")));
    ensure!(
        state.is_some(),
        "there is no home to keep things in: name a folder with --store, or `--store memory`"
    );
    Ok(state.unwrap_or_default().join("alamein"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)]) -> Option<PathBuf> {
        let variable = |name: &str| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| OsString::from(value))
        };
        usual(&variable).ok()
    }

    #[test]
    fn the_usual_folder_is_the_users_own() {
        let home = ("HOME", "/home/rommel");
        let folder = |path: &str| Some(PathBuf::from(path));
        assert_eq!(with(&[home]), folder("/home/rommel/.local/state/alamein"));
        let state = ("XDG_STATE_HOME", "/state");
        assert_eq!(with(&[home, state]), folder("/state/alamein"));
        assert_eq!(with(&[home, ("XDG_STATE_HOME", "state")]), with(&[home]));
        let systemd = ("STATE_DIRECTORY", "/var/lib/alamein:/var/lib/more");
        assert_eq!(with(&[home, state, systemd]), folder("/var/lib/alamein"));
        assert_eq!(with(&[]), None);
    }
}
