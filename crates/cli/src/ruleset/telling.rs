//! Rulesets in words, and as JSON.

use alamein_client::v1::{self, ConflictKind, RuleDiffKind};
use serde_json::{Value, json};

use super::Place;
use crate::paint::Paint;

/// As much of a fingerprint as tells it from others.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

/// Revisions, a line each.
pub(super) fn summaries(rulesets: &[v1::RulesetSummary], paint: Paint) -> String {
    let mut text = String::new();
    for ruleset in rulesets {
        let names = match ruleset.names.is_empty() {
            true => paint.faint("(no name stands for it any more)"),
            false => paint.bold(&ruleset.names.join(", ")),
        };
        let number = match ruleset.revision {
            0 => "-".to_owned(),
            number => number.to_string(),
        };
        text.push_str(&format!("{number:>4}  {names}"));
        if !ruleset.tags.is_empty() {
            text.push_str(&format!("  tagged {}", ruleset.tags.join(", ")));
        }
        if !ruleset.title.is_empty() {
            text.push_str(&format!("  {}", ruleset.title));
        }
        text.push_str(&format!("\n      {}\n", ruleset.fingerprint));
        text.push_str(&format!("      {}\n", ruleset.plugins.join(", ")));
        if let Some(from) = from(ruleset.origin()) {
            text.push_str(&format!("      {}\n", paint.faint(from)));
        }
    }
    text
}

/// Where a revision comes from, if that is worth a word.
fn from(origin: v1::RulesetOrigin) -> Option<&'static str> {
    match origin {
        v1::RulesetOrigin::Unspecified | v1::RulesetOrigin::Made => None,
        v1::RulesetOrigin::Loaded => Some("loaded from the store"),
        v1::RulesetOrigin::Stored => Some("in the store, loaded when it is asked for"),
    }
}

/// The same as a word.
fn origin(origin: v1::RulesetOrigin) -> String {
    let name = origin.as_str_name();
    let name = name.strip_prefix("RULESET_ORIGIN_").unwrap_or(name);
    name.to_ascii_lowercase()
}

pub(super) fn summary_json(ruleset: &v1::RulesetSummary) -> Value {
    json!({
        "revision": ruleset.revision,
        "fingerprint": ruleset.fingerprint,
        "names": ruleset.names,
        "tags": ruleset.tags,
        "title": ruleset.title,
        "plugins": ruleset.plugins,
        "origin": origin(ruleset.origin()),
    })
}

/// A ruleset: what it is called, its plugins, what it sets.
pub(super) fn ruleset(ruleset: &v1::Ruleset, paint: Paint) -> String {
    let spec = ruleset.spec.clone().unwrap_or_default();
    let name = match ruleset.ruleset_id.as_str() {
        "" => "(no name stands for it any more)",
        name => name,
    };
    let mut text = format!("{}  {}\n", paint.bold(name), spec.title);
    if !spec.description.is_empty() {
        text.push_str(&format!("  {}\n", spec.description));
    }
    text.push_str(&format!("  fingerprint {}\n", ruleset.fingerprint));
    if !ruleset.tags.is_empty() {
        text.push_str(&format!("  tags {}\n", ruleset.tags.join(", ")));
    }
    if let Some(from) = from(ruleset.origin()) {
        text.push_str(&format!("  {from}\n"));
    }
    text.push_str(&format!(
        "  grazing policy {}\n",
        policy(ruleset.grazing_policy)
    ));
    for plugin in &ruleset.plugins {
        let required = spec
            .plugins
            .iter()
            .find(|it| it.plugin_id == plugin.plugin_id);
        text.push_str(&format!(
            "  {} {}  {}\n",
            paint.bold(&plugin.plugin_id),
            plugin.version,
            plugin.title
        ));
        if let Some(required) = required.filter(|it| !it.version.is_empty() && it.version != "*") {
            text.push_str(&format!("    required {}\n", required.version));
        }
        let set = plugin
            .options
            .iter()
            .filter(|it| it.value_json != it.default_json);
        for option in set {
            let (name, value, usual) = (&option.name, &option.value_json, &option.default_json);
            text.push_str(&format!("    {name} = {value} (default {usual})\n"));
        }
        if !plugin.state_reason.is_empty() {
            text.push_str(&format!("    {}\n", paint.bad(&plugin.state_reason)));
        }
    }
    text
}

fn policy(number: i32) -> String {
    let policy = v1::GrazingPolicy::try_from(number).unwrap_or_default();
    let name = policy.as_str_name();
    name.strip_prefix("GRAZING_POLICY_")
        .unwrap_or(name)
        .to_owned()
}

/// Whether nothing differs.
pub(super) fn is_same(diff: &v1::RulesetDiff) -> bool {
    *diff
        == v1::RulesetDiff {
            before_fingerprint: diff.before_fingerprint.clone(),
            after_fingerprint: diff.after_fingerprint.clone(),
            ..v1::RulesetDiff::default()
        }
}

/// In what rulesets differ, a line each.
pub(super) fn diff(diff: &v1::RulesetDiff, paint: Paint) -> String {
    let (before, after) = (
        short(&diff.before_fingerprint),
        short(&diff.after_fingerprint),
    );
    let mut text = format!("{}\n", paint.faint(&format!("{before} -> {after}")));
    let or_none = |text: &str| match text {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    };
    if let Some(policies) = &diff.grazing_policy {
        let (before, after) = (policy(policies.before), policy(policies.after));
        text.push_str(&format!("grazing policy: {before} -> {after}\n"));
    }
    for plugin in &diff.plugins {
        let told = |version: &str, build: &str| match version {
            "" => "not there".to_owned(),
            version => format!("{version} (build {})", short(build)),
        };
        let before = told(&plugin.before_version, &plugin.before_build);
        let after = told(&plugin.after_version, &plugin.after_build);
        let id = paint.bold(&plugin.plugin_id);
        text.push_str(&format!("plugin {id}: {before} -> {after}\n"));
    }
    for option in &diff.options {
        let (plugin, name) = (&option.plugin_id, &option.name);
        let (before, after) = (or_none(&option.before_json), or_none(&option.after_json));
        text.push_str(&format!("option {plugin}.{name}: {before} -> {after}\n"));
    }
    for rule in &diff.rules {
        let kind = match rule.kind() {
            RuleDiffKind::Added => "comes in",
            RuleDiffKind::Removed => "goes",
            RuleDiffKind::Changed | RuleDiffKind::Unspecified => "changes",
        };
        let title = match rule.after_title.as_str() {
            "" => &rule.before_title,
            title => title,
        };
        let name = rule_name(rule.rule.as_ref());
        text.push_str(&format!("rule {} {kind}: {title}\n", paint.rule(&name)));
    }
    for replaced in &diff.replacements {
        let by = |rule: &Option<v1::RuleName>| or_none(&rule_name(rule.as_ref()));
        text.push_str(&format!(
            "rule {} is replaced by: {} -> {}\n",
            paint.rule(&rule_name(replaced.replaced.as_ref())),
            by(&replaced.before),
            by(&replaced.after)
        ));
    }
    if is_same(diff) {
        text.push_str("Nothing differs.\n");
    }
    text
}

fn rule_name(rule: Option<&v1::RuleName>) -> String {
    rule.map(|rule| format!("{}:{}", rule.plugin_id, rule.rule_id))
        .unwrap_or_default()
}

pub(super) fn diff_json(diff: &v1::RulesetDiff) -> Value {
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap_or_default();
    let text = |text: &str| match text {
        "" => Value::Null,
        text => json!(text),
    };
    let name = |rule: &Option<v1::RuleName>| text(&rule_name(rule.as_ref()));
    json!({
        "before": diff.before_fingerprint,
        "after": diff.after_fingerprint,
        "grazing_policy": diff.grazing_policy.as_ref().map(|it| {
            json!({"before": policy(it.before), "after": policy(it.after)})
        }),
        "plugins": diff.plugins.iter().map(|it| json!({
            "plugin": it.plugin_id,
            "before": text(&it.before_version), "after": text(&it.after_version),
            "before_build": text(&it.before_build), "after_build": text(&it.after_build),
        })).collect::<Value>(),
        "options": diff.options.iter().map(|it| json!({
            "plugin": it.plugin_id, "option": it.name,
            "before": value(&it.before_json), "after": value(&it.after_json),
        })).collect::<Value>(),
        "rules": diff.rules.iter().map(|it| json!({
            "rule": rule_name(it.rule.as_ref()),
            "before": text(&it.before_title), "after": text(&it.after_title),
        })).collect::<Value>(),
        "replacements": diff.replacements.iter().map(|it| json!({
            "rule": name(&it.replaced), "before": name(&it.before), "after": name(&it.after),
        })).collect::<Value>(),
    })
}

/// A conflict, on a line.
pub(super) fn conflict(conflict: &v1::RulesetConflict, place: &Place) -> String {
    let kind = ConflictKind::try_from(conflict.kind).unwrap_or_default();
    let name = kind.as_str_name();
    let name = name.strip_prefix("CONFLICT_KIND_").unwrap_or(name);
    let more = match kind {
        ConflictKind::MissingPlugin => place.where_missing(),
        _ => "",
    };
    format!("{name}: {}{more}", conflict.text)
}
