//! Rulesets as the API tells them.

use alamein_engine::Member;
use alamein_fields::FieldError;
use alamein_proto::encode;
use alamein_proto::v1::{self, ErrorReason, RulesetOrigin};
use alamein_rulesets::{PluginState, PluginStatus, Registry, Revision, RulesetSpec, name_trouble};
use alamein_terrain::Digest;

use crate::fault::Fault;
use crate::pins::{Kept, Labels};
use crate::rules::Refused;

/// The name that stands for a revision: the one that was asked for, or the first.
pub(super) fn name_of(labels: &Labels, fingerprint: Digest, asked: &str) -> Option<String> {
    let names = labels.names_of(fingerprint);
    let name = names.iter().find(|name| **name == asked);
    name.or(names.first()).cloned()
}

/// A revision, as its spec is asked for.
pub(super) fn ruleset(
    labels: &Labels,
    revision: &Revision,
    spec: &RulesetSpec,
    origin: RulesetOrigin,
) -> v1::Ruleset {
    let (ruleset, fingerprint) = (revision.ruleset(), revision.fingerprint());
    v1::Ruleset {
        ruleset_id: spec.name.clone(),
        fingerprint: fingerprint.to_string(),
        grazing_policy: ruleset.policy() as i32,
        plugins: ruleset.members().iter().map(active).collect(),
        revision: number(labels, fingerprint),
        names: labels.names_of(fingerprint),
        tags: labels.tags_of(fingerprint),
        spec: Some(encode::ruleset_spec(spec)),
        origin: origin.into(),
    }
}

/// Which of the service's own revisions it is; 0 if it is none of them. Of others there is no number: it would
/// tell how many others there are, whosever they be.
fn number(labels: &Labels, fingerprint: Digest) -> u64 {
    let number = labels.snapshot.named_number(fingerprint);
    number.unwrap_or_default()
}

/// A revision that is held, in short.
pub(super) fn summary(
    labels: &Labels,
    revision: &Revision,
    title: String,
    origin: RulesetOrigin,
) -> v1::RulesetSummary {
    let plugins = revision.generations().iter();
    let plugins = plugins.map(|generation| {
        let plugin = generation.plugin();
        format!("{} {}", plugin.id(), plugin.version())
    });
    v1::RulesetSummary {
        plugins: plugins.collect(),
        revision: number(labels, revision.fingerprint()),
        ..labelled(labels, revision.fingerprint(), title, origin)
    }
}

/// A revision that is kept and not held, in short.
pub(super) fn summary_of_kept(labels: &Labels, kept: &Kept, title: String) -> v1::RulesetSummary {
    let plugins = kept.record.iter().flat_map(|record| &record.plugins);
    let plugins = plugins.map(|plugin| format!("{} {}", plugin.id, plugin.version));
    v1::RulesetSummary {
        plugins: plugins.collect(),
        ..labelled(labels, kept.fingerprint, title, RulesetOrigin::Stored)
    }
}

fn labelled(
    labels: &Labels,
    fingerprint: Digest,
    title: String,
    origin: RulesetOrigin,
) -> v1::RulesetSummary {
    let names = labels.names_of(fingerprint);
    v1::RulesetSummary {
        ruleset_id: names.first().cloned().unwrap_or_default(),
        fingerprint: fingerprint.to_string(),
        tags: labels.tags_of(fingerprint),
        title,
        names,
        origin: origin.into(),
        ..v1::RulesetSummary::default()
    }
}

/// How a revision that is held came here.
pub(super) fn origin(revision: &Revision) -> RulesetOrigin {
    match revision.is_made_again() {
        true => RulesetOrigin::Loaded,
        false => RulesetOrigin::Made,
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

/// Checks that tags which a request gives are well formed.
pub(super) fn check_tags(tags: &[String], field: &str) -> Result<(), Fault> {
    const MOST: usize = 32;
    if tags.len() > MOST {
        let what = format!("has {} tags; a request may have {MOST}", tags.len());
        return Err(Fault::new(ErrorReason::TooLong, format!("{field}: {what}"))
            .with("field", field)
            .with("max", MOST)
            .field(field, what));
    }
    for tag in tags {
        if let Some(why) = name_trouble(tag) {
            let text = format!("{tag:?} cannot be a tag: {why}");
            return Err(Fault::new(ErrorReason::InvalidName, &*text)
                .with("field", field)
                .with("value", tag)
                .field(field, text));
        }
    }
    Ok(())
}

/// A tag that is the name of a ruleset.
pub(super) fn is_name(tag: &str, named: Option<Digest>, field: &str) -> Fault {
    let text = format!("{tag:?} is the name of a ruleset; choose another tag");
    let named = named.map(|it| it.to_string()).unwrap_or_default();
    Fault::new(ErrorReason::TagTaken, &*text)
        .with("tag", tag)
        .with("rules_fingerprint", named)
        .field(field, text)
}

/// A name that a tenant cannot have.
pub(super) fn name_taken(name: &str, why: &str, field: &str) -> Fault {
    let text = format!("{name:?} is {why} already; take another name");
    Fault::new(ErrorReason::TagTaken, &*text)
        .with("tag", name)
        .with("field", field)
        .field(field, text)
}

/// A tag that stands for something else.
pub(super) fn taken(tag: &str, now: Digest) -> Fault {
    let text = format!("tag {tag:?} stands for {now}; TagRuleset can move it");
    Fault::new(ErrorReason::TagTaken, text)
        .with("tag", tag)
        .with("rules_fingerprint", now)
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
