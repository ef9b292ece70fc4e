//! What a plugin's manifest says of it.

use alamein_terrain::{
    AttributeSpec, FieldSpec, LayerSpec, Manifest, OptionSpec, Report, RuleSpec, With,
};
use serde_json::Value;

use crate::v1;
use crate::words::Word;

/// The message of a plugin, with what its manifest says and its options as a ruleset has them.
/// How it came in, its build and its state are not known here and left empty.
#[must_use]
pub fn plugin(manifest: &Manifest, options: &Value) -> v1::Plugin {
    let attribute = |spec: &AttributeSpec| attribute(&manifest.id, spec);
    let mut rules: Vec<v1::Rule> = manifest.rules.iter().map(rule).collect();
    let mut layers: Vec<v1::LayerSchema> = manifest.layers.iter().map(layer).collect();
    let mut attributes: Vec<_> = manifest.attributes.iter().map(attribute).collect();
    let of_manifest = manifest.options();
    let mut set: Vec<_> = of_manifest
        .iter()
        .map(|spec| option(manifest, spec, options))
        .collect();
    rules.sort_by(|a, b| a.rule_id.cmp(&b.rule_id));
    layers.sort_by(|a, b| a.name.cmp(&b.name));
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    set.sort_by(|a, b| a.name.cmp(&b.name));
    v1::Plugin {
        plugin_id: manifest.id.clone(),
        version: manifest.version.clone(),
        title: manifest.title.clone(),
        description: manifest.description.clone(),
        rules,
        layers,
        counter_attributes: attributes,
        options: set,
        rules_revision: manifest.rules_revision,
        requires: manifest.requires.iter().map(requirement).collect(),
        ..v1::Plugin::default()
    }
}

fn requirement((plugin, versions): (&String, &semver::VersionReq)) -> String {
    format!("{plugin} {versions}")
}

fn rule(rule: &RuleSpec) -> v1::Rule {
    let report = |report: &Report| v1::RuleReport {
        key: report.key.clone(),
        value: report.how.number(),
    };
    v1::Rule {
        rule_id: rule.id.clone(),
        number: rule.number().to_owned(),
        title: rule.title.clone(),
        message_template: rule.message.clone(),
        reports: rule.reports.iter().map(report).collect(),
        replaces: rule.replaces.iter().map(ToString::to_string).collect(),
        says: rule.with.as_ref().map(|with| match with {
            With::Number(number) => v1::rule::Says::WithNumber((*number).into()),
            With::Option { option } => v1::rule::Says::WithOption(option.clone()),
        }),
    }
}

fn layer(layer: &LayerSpec) -> v1::LayerSchema {
    let field = |field: &FieldSpec| v1::LayerFieldSchema {
        name: field.name.clone(),
        kind: field.kind.number(),
        description: field.description.clone(),
    };
    v1::LayerSchema {
        name: layer.name.clone(),
        description: layer.description.clone(),
        fields: layer.fields.iter().map(field).collect(),
        look: layer.look.clone(),
    }
}

fn attribute(plugin: &str, spec: &AttributeSpec) -> v1::CounterAttributeSchema {
    let kind = if (spec.minimum, spec.maximum) == (0, 1) {
        v1::AttributeType::Bool
    } else {
        v1::AttributeType::Int
    };
    v1::CounterAttributeSchema {
        name: format!("{plugin}.{}", spec.name),
        r#type: kind.into(),
        description: spec.description.clone(),
        minimum: spec.minimum,
        maximum: spec.maximum,
    }
}

fn option(manifest: &Manifest, spec: &OptionSpec, options: &Value) -> v1::PluginOption {
    let cites = |rule: &&RuleSpec| rule.option.as_ref() == Some(&spec.name);
    let citing = manifest.rules.iter().filter(cites);
    let mut rule_ids: Vec<String> = citing.map(|rule| rule.id.clone()).collect();
    rule_ids.sort();
    v1::PluginOption {
        name: spec.name.clone(),
        description: spec.description.clone(),
        schema_json: spec.schema.to_string(),
        default_json: spec.default.to_string(),
        value_json: options.get(&spec.name).unwrap_or(&spec.default).to_string(),
        contested: spec.contested.is_some(),
        contested_why: spec.contested.clone().unwrap_or_default(),
        rule_ids,
    }
}
