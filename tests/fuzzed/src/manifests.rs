//! Plugins' manifests, and lock files.

use alamein_cases::Known;
use alamein_plugin_host::Lock;
use alamein_terrain::Manifest;

use crate::chosen;

/// Bytes become the text of a manifest, or where the first is odd of a lock file.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if which % 2 == 1 {
        lock(text);
    } else {
        manifest(text);
    }
}

fn manifest(text: &str) {
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_eq!(manifest.semver().to_string(), manifest.version);
    let set = serde_json::Map::new();
    assert!(manifest.options_with(&set).is_object());
    for rule in &manifest.rules {
        assert_eq!(manifest.rule(&rule.id), Some(rule));
        assert!(rule.id.starts_with(rule.number()));
    }
    let known = Known::of([&manifest]);
    assert!(
        manifest
            .layers
            .iter()
            .all(|layer| known.layer(&layer.name).is_some())
    );
    let written = match serde_json::to_string(&manifest) {
        Ok(written) => written,
        Err(error) => panic!("{error}: {manifest:?} cannot be written"),
    };
    match Manifest::parse(&written) {
        Ok(again) => assert_eq!(again, manifest, "{written}"),
        Err(error) => panic!("{error}: {written}"),
    }
}

fn lock(text: &str) {
    let lock = match Lock::parse(text) {
        Ok(lock) => lock,
        Err(why) => return assert!(!why.is_empty()),
    };
    let written = lock.to_string();
    match Lock::parse(&written) {
        Ok(again) => {
            assert_eq!(again.to_string(), written);
            assert_eq!(again.plugins().len(), lock.plugins().len());
        }
        Err(why) => panic!("{why}: {written}"),
    }
}
