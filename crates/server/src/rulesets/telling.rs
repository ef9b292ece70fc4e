//! Rulesets as the API tells them.

use std::sync::Arc;

use alamein_engine::Member;
use alamein_fields::FieldError;
use alamein_proto::encode;
use alamein_proto::v1::{self, ErrorReason};
use alamein_rulesets::{
    PluginState, PluginStatus, Registry, Revision, RulesetSpec, Snapshot, name_trouble,
};
use alamein_terrain::Digest;

use crate::fault::Fault;
use crate::rules::Refused;

/// What a revision is made of: what the name says that was asked for, or the first that stands for
/// it; or else each plugin in its very version and build.
pub(super) fn spec(snapshot: &Snapshot, revision: &Revision, asked: &str) -> RulesetSpec {
    let names = names(snapshot, revision);
    let name = names.iter().find(|name| **name == asked).or(names.first());
    let named = name.and_then(|name| snapshot.names().get(name));
    match named {
        Some(named) => (*named.spec).clone(),
        None => revision.pinned(""),
    }
}

/// The names that stand for a revision.
fn names(snapshot: &Snapshot, revision: &Revision) -> Vec<String> {
    let fingerprint = revision.fingerprint();
    let names = snapshot.names().iter();
    let names = names.filter(|(_, named)| named.fingerprint == fingerprint);
    names.map(|(name, _)| name.clone()).collect()
}

/// The tags that stand for a revision.
fn tags_of(snapshot: &Snapshot, revision: &Revision) -> Vec<String> {
    let fingerprint = revision.fingerprint();
    let tags = snapshot.tags().iter().filter(|(_, of)| **of == fingerprint);
    tags.map(|(tag, _)| tag.clone()).collect()
}

/// A revision, as it was asked for.
pub(super) fn ruleset(registry: &Registry, revision: &Revision, asked: &str) -> v1::Ruleset {
    let snapshot = registry.snapshot();
    let spec = spec(&snapshot, revision, asked);
    let ruleset = revision.ruleset();
    v1::Ruleset {
        ruleset_id: spec.name.clone(),
        fingerprint: revision.fingerprint().to_string(),
        grazing_policy: ruleset.policy() as i32,
        plugins: ruleset.members().iter().map(active).collect(),
        revision: revision.number(),
        names: names(&snapshot, revision),
        tags: tags_of(&snapshot, revision),
        spec: Some(encode::ruleset_spec(&spec)),
    }
}

/// A revision in short.
pub(super) fn summary(snapshot: &Snapshot, revision: &Arc<Revision>) -> v1::RulesetSummary {
    let names = names(snapshot, revision);
    let named = names.first().and_then(|name| snapshot.names().get(name));
    let plugins = revision.generations().iter();
    let plugins = plugins.map(|generation| {
        let plugin = generation.plugin();
        format!("{} {}", plugin.id(), plugin.version())
    });
    v1::RulesetSummary {
        ruleset_id: names.first().cloned().unwrap_or_default(),
        fingerprint: revision.fingerprint().to_string(),
        plugins: plugins.collect(),
        revision: revision.number(),
        tags: tags_of(snapshot, revision),
        title: named
            .map(|named| named.spec.title.clone())
            .unwrap_or_default(),
        names,
    }
}

fn active(member: &Member) -> v1::Plugin {
    let linkage = match member.digest {
        Some(_) => v1::PluginLinkage::Loaded,
        None => v1::PluginLinkage::Static,
    };
    let failure = member.feature.failure();
    let state = match failure {
        None => v1::PluginState::Active,
        Some(_) => v1::PluginState::Failed,
    };
    v1::Plugin {
        build_sha256: member.digest.clone().unwrap_or_default(),
        build_id: member.build_id.clone(),
        trust: member.trust.clone(),
        linkage: linkage.into(),
        state: state.into(),
        state_reason: failure.unwrap_or_default(),
        ..encode::plugin(member.manifest(), &member.options)
    }
}

/// A ruleset that could not be made: what became of each plugin.
pub(super) fn refused(registry: &Registry, name: &str, refused: &Refused) -> v1::Ruleset {
    let plugins = registry.list().plugins.into_iter();
    let is_it = |plugin: &PluginStatus| refused.plugin.as_deref() == Some(&*plugin.id);
    let mut plugins: Vec<v1::Plugin> = plugins
        // The folder of all plugins is none of them.
        .filter(|plugin| {
            plugin.generation.is_some()
                || refused.folder.is_none()
                || refused.folder != plugin.folder
                || is_it(plugin)
        })
        .map(|plugin| left_out(plugin, refused))
        .collect();
    plugins.sort_by(|a, b| a.plugin_id.cmp(&b.plugin_id));
    v1::Ruleset {
        ruleset_id: name.to_owned(),
        grazing_policy: alamein_terrain::GrazingPolicy::default() as i32,
        plugins,
        ..v1::Ruleset::default()
    }
}

fn left_out(plugin: PluginStatus, refused: &Refused) -> v1::Plugin {
    let state_reason = match plugin.state {
        PluginState::Refused { reason, why } => format!("{reason}: {why}"),
        // It is fit, but takes no part while another is refused; unless it is the one.
        _ => {
            let is_it = refused.plugin.as_deref() == Some(&*plugin.id);
            match refused.reason.filter(|_| is_it) {
                Some(reason) => format!("{reason}: {}", refused.why),
                None => refused.why.clone(),
            }
        }
    };
    let told = match (&plugin.manifest, plugin.generation) {
        (Some(manifest), Some(_)) => v1::Plugin {
            build_sha256: plugin.sha256.unwrap_or_default(),
            build_id: plugin.build_id,
            trust: plugin.trust,
            linkage: v1::PluginLinkage::Loaded.into(),
            ..encode::plugin(manifest, &serde_json::Value::Null)
        },
        _ => v1::Plugin::default(),
    };
    v1::Plugin {
        plugin_id: plugin.id,
        state: v1::PluginState::Refused.into(),
        state_reason,
        ..told
    }
}

/// Checks that tags which a request gives are well formed, and no names of rulesets.
pub(super) fn check_tags(registry: &Registry, tags: &[String], field: &str) -> Result<(), Fault> {
    const MOST: usize = 32;
    if tags.len() > MOST {
        let what = format!("has {} tags; a request may have {MOST}", tags.len());
        return Err(Fault::new(ErrorReason::TooLong, format!("{field}: {what}"))
            .with("field", field)
            .with("max", MOST)
            .field(field, what));
    }
    let snapshot = registry.snapshot();
    for tag in tags {
        if let Some(why) = name_trouble(tag) {
            let text = format!("{tag:?} cannot be a tag: {why}");
            return Err(Fault::new(ErrorReason::InvalidName, &*text)
                .with("field", field)
                .with("value", tag)
                .field(field, text));
        }
        if let Some(named) = snapshot.names().get(tag) {
            let text = format!("{tag:?} is the name of a ruleset; choose another tag");
            return Err(Fault::new(ErrorReason::TagTaken, &*text)
                .with("tag", tag)
                .with("rules_fingerprint", named.fingerprint)
                .field(field, text));
        }
    }
    Ok(())
}

/// A tag that does not stand for what it was to be moved from.
pub(super) fn elsewhere(tag: &str, now: Option<Digest>, moved_from: &str) -> Fault {
    let text = match now {
        Some(now) => format!("tag {tag:?} stands for {now}, not {moved_from}"),
        None => format!("there is no tag {tag:?} to move"),
    };
    let now = now.map(|now| now.to_string()).unwrap_or_default();
    Fault::new(ErrorReason::TagTaken, &*text)
        .with("tag", tag)
        .with("rules_fingerprint", now)
        .field("moved_from", text)
}

/// A ruleset file that makes no sense. `field` is the one that holds it.
pub(super) fn unreadable(errors: &[FieldError], field: &str) -> Fault {
    let first = errors.first();
    let path = first.map(|error| error.path.as_str()).unwrap_or_default();
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let fault = Fault::new(ErrorReason::RulesetInvalid, told.join("; ")).with("path", path);
    errors.iter().fold(fault, |fault, error| {
        let path = match error.path.as_str() {
            "" => field.to_owned(),
            path => format!("{field}.{path}"),
        };
        fault.field(path, error.to_string())
    })
}
