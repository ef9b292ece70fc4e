//! Where the plugins are, and a ruleset of them.

use std::path::{Path, PathBuf};

use alamein_cases::Settings;
use alamein_engine::{RulesetChoice, RulesetConfig};
use alamein_plugin_host::{Trust, TrustedKey};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;

use crate::args::{RuleArgs, TrustArgs};

/// The folder of plugins: the one given, or `plugins` beside the folder of this program.
pub(crate) fn folder(rules: &RuleArgs) -> Result<PathBuf> {
    if let Some(folder) = &rules.plugins {
        ensure!(
            folder.is_dir(),
            "--plugins: {} is no folder; {HOW}",
            folder.display()
        );
        return Ok(folder.clone());
    }
    let program = std::env::current_exe().context("this program cannot tell where it is")?;
    let beside = program
        .parent()
        .and_then(Path::parent)
        .unwrap_or(Path::new("."));
    // A binary of cargo's own lies a folder away from where the plugins are laid.
    let places = [beside.join("plugins"), beside.join("alamein/plugins")];
    match places.iter().find(|place| place.is_dir()) {
        Some(place) => Ok(place.clone()),
        None => bail!("there are no plugins in {}; {HOW}", places[0].display()),
    }
}

const HOW: &str = "build them with `cargo xtask plugins`, or name the folder that holds them with \
                   --plugins DIR or ALAMEIN_PLUGIN_DIR";

/// Which plugins the command line lets in.
pub(crate) fn trust(args: &TrustArgs) -> Result<Trust> {
    if let Some(lock) = args.lock.as_ref().filter(|lock| !lock.is_file()) {
        bail!(
            "--lock: {} is no file; alamein plugin lock writes one",
            lock.display()
        );
    }
    let keys = args.keys.iter().map(|given| key(given));
    Ok(Trust {
        own_files: false,
        lock: args.lock.clone(),
        keys: keys.collect::<Result<_>>()?,
        unsigned: args.unsigned,
    })
}

/// A key, or the key of a file.
fn key(given: &str) -> Result<TrustedKey> {
    let file = Path::new(given);
    let text = if file.is_file() {
        std::fs::read_to_string(file)
            .with_context(|| format!("--trusted-key: {given} cannot be read"))?
    } else {
        given.to_owned()
    };
    TrustedKey::parse(&text).map_err(|why| {
        anyhow!(
            "--trusted-key: {given}: {why}; give the second line of a minisign.pub, or the file"
        )
    })
}

/// What the command line sets, on top of what a case file asks for.
pub(crate) fn choice(rules: &RuleArgs, settings: &Settings) -> Result<RulesetChoice> {
    let mut config = RulesetConfig {
        policy: rules.policy.unwrap_or(settings.policy),
        options: settings.options.clone(),
    };
    for setting in &rules.options {
        let parts = setting
            .split_once('=')
            .and_then(|(name, value)| Some((name.split_once('.')?, value)));
        let Some(((plugin, option), value)) = parts else {
            bail!(
                "--set {setting}: write PLUGIN.OPTION=VALUE, as in --set deir.cavalry_target=prc"
            );
        };
        // What is no JSON is a word.
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        let options = config.options.entry(plugin.to_owned()).or_default();
        options.insert(option.to_owned(), value);
    }
    Ok(RulesetChoice {
        plugins: Vec::new(),
        config,
        trust: trust(&rules.trust)?,
    })
}
