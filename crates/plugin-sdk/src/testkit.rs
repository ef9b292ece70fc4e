//! What a plugin's own tests want.
#![allow(unsafe_code)]

use std::collections::BTreeSet;

use alamein_plugin_abi as abi;
use alamein_terrain::Manifest;

use crate::view::text;

/// Checks that a plugin says of itself what its manifest says: its id and version, and the same
/// rules.
///
/// ```
/// # use alamein_plugin_sdk::{prelude::*, export_plugin, kinds, rules, testkit};
/// # rules! { TEM = "X1.2/tem"; }
/// # kinds! {}
/// # struct Cosy;
/// # impl TerrainPlugin for Cosy {
/// #     type Options = NoOptions;
/// #     type Map = ();
/// #     fn create(_: NoOptions, _: Log) -> Result<Self, String> { Ok(Self) }
/// #     fn prepare(&self, _: &MapView<'_>, _: &mut Problems) {}
/// #     fn survey(&self, _: &(), survey: &mut Survey<'_>) {}
/// # }
/// export_plugin! {
///     id: "cosy", symbol: alamein_plugin_cosy, plugin: Cosy,
///     manifest: r#"{"manifest_version": 1, "id": "cosy", "version": "9.9.9",
///         "rules_revision": 1, "title": "Cosy", "rules": []}"#,
///     rules: RULES, kinds: KINDS,
/// }
///
/// let wrong = testkit::check_manifest(&alamein_plugin_cosy).unwrap_err();
/// assert!(wrong.contains("the manifest has version 9.9.9"));
/// assert!(wrong.contains("X1.2/tem is not in the manifest"));
/// ```
///
/// # Errors
/// What differs, a line for each thing; or why the manifest cannot be read.
pub fn check_manifest(plugin: &abi::Descriptor) -> Result<Manifest, String> {
    // SAFETY: a descriptor is a constant that the export macro made of texts.
    let read = |bytes: abi::Bytes| unsafe { text(bytes) }.to_owned();
    let manifest = Manifest::parse(&read(plugin.manifest)).map_err(|error| error.to_string())?;
    let rules = abi::Array {
        ptr: plugin.rules.cast(),
        len: plugin.rule_count as usize,
        stride: size_of::<abi::Bytes>(),
    };
    // SAFETY: as above; the macro counts the rules of the table that it points to.
    let rules: BTreeSet<String> = unsafe { crate::view::List::<abi::Bytes>::new(rules) }
        .iter()
        .map(|rule| read(*rule))
        .collect();
    let listed: BTreeSet<String> = manifest.rules.iter().map(|rule| rule.id.clone()).collect();

    let mut wrong = Vec::new();
    for (what, said, coded) in [
        ("id", &manifest.id, read(plugin.id)),
        ("version", &manifest.version, read(plugin.version)),
    ] {
        if *said != coded {
            wrong.push(format!("the manifest has {what} {said}, the code {coded}"));
        }
    }
    wrong.extend(
        rules
            .difference(&listed)
            .map(|id| format!("{id} is not in the manifest")),
    );
    wrong.extend(
        listed
            .difference(&rules)
            .map(|id| format!("{id} is not in the code's table")),
    );
    if wrong.is_empty() {
        Ok(manifest)
    } else {
        Err(wrong.join("\n"))
    }
}
