//! What a service tells of a plugin, as the manifest that it was.

use std::collections::BTreeMap;

use alamein_client::v1;
use alamein_terrain::{
    FieldKind, FieldSpec, LayerSpec, Manifest, Replaced, Report, ReportAs, RuleSpec, With,
};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Map, Value, json};

/// The manifest of a plugin, and its options as they are set.
pub(crate) fn of(plugin: &v1::Plugin) -> Result<(Manifest, Value)> {
    let (schema, set) = options(plugin)
        .with_context(|| format!("the options of its plugin {}", plugin.plugin_id))?;
    let layers = plugin.layers.iter().map(layer);
    let rules = plugin.rules.iter().map(rule);
    let manifest = Manifest {
        manifest_version: Manifest::VERSION,
        id: plugin.plugin_id.clone(),
        version: plugin.version.clone(),
        rules_revision: plugin.rules_revision,
        title: plugin.title.clone(),
        description: plugin.description.clone(),
        layers: layers.collect::<Result<_>>()?,
        attributes: Vec::new(),
        requires: BTreeMap::new(),
        rules: rules.collect::<Result<_>>()?,
        options: schema,
        artifact: None,
    };
    Ok((manifest, set))
}

/// The schema of a plugin's options, and how they are set.
fn options(plugin: &v1::Plugin) -> Result<(Value, Value)> {
    let (mut schemas, mut set) = (Map::new(), Map::new());
    for option in &plugin.options {
        let mut schema: Value = serde_json::from_str(&option.schema_json)?;
        if let Some(schema) = schema.as_object_mut() {
            schema.insert(
                "default".into(),
                serde_json::from_str(&option.default_json)?,
            );
        }
        schemas.insert(option.name.clone(), schema);
        set.insert(
            option.name.clone(),
            serde_json::from_str(&option.value_json)?,
        );
    }
    let schema = json!({"type": "object", "properties": schemas, "additionalProperties": false});
    Ok((schema, Value::Object(set)))
}

fn layer(layer: &v1::LayerSchema) -> Result<LayerSpec> {
    let field = |field: &v1::LayerFieldSchema| {
        let kind = match field.kind() {
            v1::LayerFieldKind::Hexes => FieldKind::Hexes,
            v1::LayerFieldKind::Hexsides => FieldKind::Hexsides,
            v1::LayerFieldKind::HexValues => FieldKind::HexValues,
            v1::LayerFieldKind::HexsideValues => FieldKind::HexsideValues,
            v1::LayerFieldKind::Unspecified => {
                bail!(
                    "its layer {} has a field of a kind unknown here",
                    layer.name
                )
            }
        };
        Ok(FieldSpec {
            name: field.name.clone(),
            kind,
            description: field.description.clone(),
        })
    };
    Ok(LayerSpec {
        name: layer.name.clone(),
        description: layer.description.clone(),
        fields: layer.fields.iter().map(field).collect::<Result<_>>()?,
        look: layer.look.clone(),
    })
}

fn rule(rule: &v1::Rule) -> Result<RuleSpec> {
    let report = |report: &v1::RuleReport| {
        let how = match report.value() {
            v1::ReportValue::Flag => ReportAs::Flag,
            v1::ReportValue::Best => ReportAs::Best,
            v1::ReportValue::Item => ReportAs::Item,
            v1::ReportValue::Check => ReportAs::Check,
            v1::ReportValue::Unknown => ReportAs::Unknown,
            v1::ReportValue::Unspecified => {
                bail!("its rule {} reports in a way unknown here", rule.rule_id)
            }
        };
        Ok(Report {
            key: report.key.clone(),
            how,
        })
    };
    let names = rule.replaces.iter();
    Ok(RuleSpec {
        id: rule.rule_id.clone(),
        title: rule.title.clone(),
        message: rule.message_template.clone(),
        reports: rule.reports.iter().map(report).collect::<Result<_>>()?,
        option: None,
        replaces: names.map(|name| replaced(name)).collect::<Result<_>>()?,
        with: rule.says.as_ref().map(with).transpose()?,
    })
}

fn replaced(name: &str) -> Result<Replaced> {
    Replaced::try_from(name.to_owned()).map_err(|error| anyhow!(error))
}

fn with(says: &v1::rule::Says) -> Result<With> {
    Ok(match says {
        v1::rule::Says::WithNumber(number) => With::Number(i16::try_from(*number)?),
        v1::rule::Says::WithOption(option) => With::Option {
            option: option.clone(),
        },
    })
}
