//! What a registry holds, for people to look at.

use std::path::PathBuf;
use std::sync::Arc;

use alamein_plugin_host::libraries_held;
use alamein_terrain::{Digest, Manifest};

use crate::generation::Generation;
use crate::revision::RevisionFailure;
use crate::snapshot::{Snapshot, Standing};

/// What a registry holds.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Every plugin that was loaded, in that order, and then those that were refused.
    pub plugins: Vec<PluginStatus>,
    /// The rulesets that have names.
    pub rulesets: Vec<RulesetStatus>,
    /// The tags, and which revision each means.
    pub tags: Vec<(String, Digest)>,
    /// How many revisions are held.
    pub revisions: usize,
    /// How many libraries this process holds; it never lets one go.
    pub libraries_held: u64,
    /// How many it may hold.
    pub most_libraries: u64,
}

/// A plugin, and what became of it.
#[derive(Clone, Debug)]
pub struct PluginStatus {
    /// Its id; the name of its folder, where its manifest does not tell.
    pub id: String,
    /// Its version; empty if its manifest does not tell.
    pub version: String,
    /// The SHA-256 of its library; nothing if it is linked, or was not read so far.
    pub sha256: Option<String>,
    /// The text that tells its builds apart.
    pub build_id: String,
    /// Why it was let in: see [`NativePlugin::trust`](alamein_plugin_host::NativePlugin::trust).
    /// Empty if it was not.
    pub trust: String,
    /// Which of all that the registry took in it is; nothing if it was refused.
    pub generation: Option<u64>,
    /// The folder that it was loaded from.
    pub folder: Option<PathBuf>,
    /// Whether it came in a package, out of no folder.
    pub packed: bool,
    /// What became of it.
    pub state: PluginState,
    /// How many calls it is in.
    pub calls_in_flight: u64,
    /// The rulesets whose newest revision has it, by name.
    pub rulesets: Vec<String>,
    /// How many revisions have it.
    pub revisions: usize,
    /// What it says of itself, where that is known.
    pub manifest: Option<Manifest>,
}

/// What became of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginState {
    /// New revisions are made of it.
    Active,
    /// Revisions that have it go on, but no new one is made of it.
    Retired,
    /// It came in a package for revisions that have it, and no other is made of it.
    Packed,
    /// It is out of use in a revision that has it.
    Failed {
        /// What it did.
        why: String,
    },
    /// It was not taken in.
    Refused {
        /// A word for the reason, which stays the same from version to version.
        reason: String,
        /// Why.
        why: String,
    },
}

/// A ruleset that has a name.
#[derive(Clone, Debug)]
pub struct RulesetStatus {
    /// Its name.
    pub name: String,
    /// A few words of its file.
    pub title: String,
    /// The fingerprint of its newest revision.
    pub fingerprint: Digest,
    /// The plugin that put that out of use, if one did.
    pub failure: Option<RevisionFailure>,
    /// The tags of that revision.
    pub tags: Vec<String>,
}

/// A plugin that was not taken in.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Option<Manifest>,
    pub(crate) reason: &'static str,
    pub(crate) why: String,
}

impl Listing {
    pub(crate) fn of(snapshot: &Snapshot, most_libraries: u64) -> Self {
        let loaded = snapshot.generations.iter();
        let loaded =
            loaded.map(|(generation, standing)| loaded_status(snapshot, generation, *standing));
        let refused = snapshot
            .refused
            .iter()
            .map(|refused| refused_status(refused));
        Self {
            plugins: loaded.chain(refused).collect(),
            rulesets: rulesets(snapshot),
            tags: snapshot.tags.clone().into_iter().collect(),
            revisions: snapshot.revisions.len(),
            libraries_held: libraries_held(),
            most_libraries,
        }
    }
}

fn loaded_status(
    snapshot: &Snapshot,
    generation: &Arc<Generation>,
    standing: Standing,
) -> PluginStatus {
    let plugin = generation.plugin();
    let has = |fingerprint: &Digest| {
        let revision = snapshot.revisions.get(fingerprint)?;
        let mut its = revision.generations().iter();
        its.any(|its| its.number() == generation.number())
            .then_some(revision)
    };
    let failure = snapshot
        .revisions
        .keys()
        .filter_map(has)
        .find_map(|revision| {
            revision
                .failure()
                .filter(|failure| failure.plugin == plugin.id())
        });
    let state = match (failure, standing) {
        (Some(RevisionFailure { why, .. }), _) => PluginState::Failed { why },
        (None, Standing::Retired) => PluginState::Retired,
        (None, Standing::Packed) => PluginState::Packed,
        (None, Standing::Superseded | Standing::Current) => PluginState::Active,
    };
    let names = snapshot.names.iter();
    let names = names.filter(|(_, named)| has(&named.fingerprint).is_some());
    PluginStatus {
        id: plugin.id().to_owned(),
        version: plugin.version().to_owned(),
        sha256: plugin.digest().map(str::to_owned),
        build_id: plugin.build_id().to_owned(),
        trust: plugin.trust().to_owned(),
        generation: Some(generation.number()),
        folder: generation.folder().map(Into::into),
        packed: generation.is_packed(),
        state,
        calls_in_flight: generation.calls_in_flight(),
        rulesets: names.map(|(name, _)| name.clone()).collect(),
        revisions: snapshot.revisions.keys().filter_map(has).count(),
        manifest: Some(plugin.manifest().clone()),
    }
}

fn refused_status(refused: &Refused) -> PluginStatus {
    let Refused {
        folder,
        manifest,
        reason,
        why,
    } = refused;
    let artifact = manifest
        .as_ref()
        .and_then(|manifest| manifest.artifact.as_ref());
    let folder_name = || {
        folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    PluginStatus {
        id: manifest
            .as_ref()
            .map_or_else(folder_name, |manifest| manifest.id.clone()),
        version: manifest
            .as_ref()
            .map(|m| m.version.clone())
            .unwrap_or_default(),
        sha256: artifact.map(|artifact| artifact.sha256.clone()),
        build_id: artifact
            .map(|artifact| artifact.build_id.clone())
            .unwrap_or_default(),
        trust: String::new(),
        generation: None,
        folder: Some(folder.clone()),
        packed: false,
        state: PluginState::Refused {
            reason: (*reason).to_owned(),
            why: why.clone(),
        },
        calls_in_flight: 0,
        rulesets: Vec::new(),
        revisions: 0,
        manifest: manifest.clone(),
    }
}

fn rulesets(snapshot: &Snapshot) -> Vec<RulesetStatus> {
    let status = |(name, named): (&String, &crate::snapshot::Named)| {
        let fingerprint = named.fingerprint;
        let tags = snapshot.tags.iter().filter(|(_, of)| **of == fingerprint);
        let revision = snapshot.revisions.get(&fingerprint);
        RulesetStatus {
            name: name.clone(),
            title: named.spec.title.clone(),
            fingerprint,
            failure: revision.and_then(|revision| revision.failure()),
            tags: tags.map(|(tag, _)| tag.clone()).collect(),
        }
    };
    snapshot.names.iter().map(status).collect()
}
