//! Rulesets: what they are made of, in what they differ, what keeps them from being made.

use alamein_engine::Conflict;
use alamein_rulesets::{
    Diff, OptionChange, PluginChange, PluginSpec, ReplacementChange, RuleChange, RulesetSpec,
};
use alamein_terrain::{Cited, Digest, GrazingPolicy};
use serde_json::Value;

use crate::v1;
use crate::words::Word;

/// What a ruleset is made of.
#[must_use]
pub fn ruleset_spec(spec: &RulesetSpec) -> v1::RulesetSpec {
    let plugin = |(id, plugin): (&String, &PluginSpec)| v1::PluginRequirement {
        plugin_id: id.clone(),
        version: plugin.version.to_string(),
        build_sha256: plugin.sha256.clone().unwrap_or_default(),
        options_json: match plugin.options.is_empty() {
            true => String::new(),
            false => Value::Object(plugin.options.clone()).to_string(),
        },
    };
    v1::RulesetSpec {
        name: spec.name.clone(),
        title: spec.title.clone(),
        description: spec.description.clone(),
        grazing_policy: spec.grazing_policy.number(),
        plugins: spec.plugins.iter().map(plugin).collect(),
    }
}

/// In what two rulesets of these fingerprints differ.
#[must_use]
pub fn ruleset_diff(diff: &Diff, before: Digest, after: Digest) -> v1::RulesetDiff {
    let policies = |(before, after): (GrazingPolicy, GrazingPolicy)| v1::GrazingPolicyDiff {
        before: before.number(),
        after: after.number(),
    };
    v1::RulesetDiff {
        before_fingerprint: before.to_string(),
        after_fingerprint: after.to_string(),
        plugins: diff.plugins.iter().map(plugin).collect(),
        options: diff.options.iter().map(option).collect(),
        rules: diff.rules.iter().map(rule).collect(),
        replacements: diff.replacements.iter().map(replacement).collect(),
        grazing_policy: diff.grazing_policy.map(policies),
    }
}

fn plugin(change: &PluginChange) -> v1::PluginDiff {
    let (before_version, before_build) = change.before.clone().unwrap_or_default();
    let (after_version, after_build) = change.after.clone().unwrap_or_default();
    v1::PluginDiff {
        plugin_id: change.plugin.clone(),
        before_version,
        after_version,
        before_build,
        after_build,
    }
}

fn option(change: &OptionChange) -> v1::OptionDiff {
    let json = |value: &Option<Value>| value.as_ref().map(Value::to_string).unwrap_or_default();
    v1::OptionDiff {
        plugin_id: change.plugin.clone(),
        name: change.option.clone(),
        before_json: json(&change.before),
        after_json: json(&change.after),
    }
}

fn rule(change: &RuleChange) -> v1::RuleDiff {
    let kind = match (&change.before, &change.after) {
        (None, _) => v1::RuleDiffKind::Added,
        (_, None) => v1::RuleDiffKind::Removed,
        (Some(_), Some(_)) => v1::RuleDiffKind::Changed,
    };
    let title = |spec: &Option<alamein_terrain::RuleSpec>| {
        let spec = spec.as_ref();
        spec.map(|spec| spec.title.clone()).unwrap_or_default()
    };
    v1::RuleDiff {
        kind: kind.into(),
        rule: Some(name(&change.rule)),
        before_title: title(&change.before),
        after_title: title(&change.after),
    }
}

fn replacement(change: &ReplacementChange) -> v1::ReplacementDiff {
    v1::ReplacementDiff {
        replaced: Some(name(&change.replaced)),
        before: change.before.as_ref().map(name),
        after: change.after.as_ref().map(name),
    }
}

fn name(rule: &Cited) -> v1::RuleName {
    v1::RuleName {
        plugin_id: rule.plugin.to_string(),
        rule_id: rule.rule.to_string(),
    }
}

/// What keeps plugins from making a ruleset. `path` is that of the option at fault, if one is.
#[must_use]
pub fn conflict(conflict: &Conflict, path: String) -> v1::RulesetConflict {
    let kind = format!("CONFLICT_KIND_{}", conflict.reason());
    let kind = v1::ConflictKind::from_str_name(&kind).unwrap_or_default();
    let plugins = conflict.plugins().into_iter();
    v1::RulesetConflict {
        kind: kind.into(),
        plugin_ids: plugins.map(str::to_owned).collect(),
        rules: conflict.rules().into_iter().map(name).collect(),
        path,
        text: conflict.to_string(),
    }
}
