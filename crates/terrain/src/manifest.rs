//! Manifests: what a plugin says of itself before any of its code runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use semver::{Version, VersionReq};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::replacing::{Replaced, With};

/// What a plugin says of itself, in a file beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format: 1.
    pub manifest_version: u32,
    /// The plugin's id: lower-case letters, digits and hyphens.
    pub id: String,
    /// The plugin's version, as semver has it.
    pub version: String,
    /// Raised whenever the same question may be ruled on differently than before.
    pub rules_revision: u32,
    /// A few words.
    pub title: String,
    /// A few sentences.
    #[serde(default)]
    pub description: String,
    /// The layers of a map that it owns.
    #[serde(default)]
    pub layers: Vec<LayerSpec>,
    /// The attributes that a counter may carry in its namespace.
    #[serde(default)]
    pub attributes: Vec<AttributeSpec>,
    /// The plugins that it needs beside it in a ruleset, each with the versions that will do, as
    /// Cargo has them: `{"dunes": "^0.1"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub requires: BTreeMap<String, VersionReq>,
    /// Its rules.
    pub rules: Vec<RuleSpec>,
    /// A JSON Schema of its options: an object whose properties each have a default.
    #[serde(default = "no_options")]
    pub options: Value,
    /// The built library beside the manifest; absent from a plugin's source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
}

/// A built library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Its file name, beside the manifest.
    pub file: String,
    /// Its length in bytes.
    pub size: u64,
    /// Its SHA-256.
    pub sha256: String,
    /// The target triple that it was built for.
    pub target: String,
    /// A text that tells builds apart; the library carries the same.
    pub build_id: String,
}

/// A layer that a plugin owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerSpec {
    /// Its name.
    pub name: String,
    /// A sentence.
    #[serde(default)]
    pub description: String,
    /// Its fields. A layer given as a plain list fills the first.
    pub fields: Vec<FieldSpec>,
    /// How a picture shows its hexes: a word such as `golden`.
    #[serde(default)]
    pub look: String,
}

/// A field of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSpec {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// A sentence.
    #[serde(default)]
    pub description: String,
}

/// What a field of a layer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A set of hexes.
    Hexes,
    /// A set of hexsides.
    Hexsides,
    /// A number for each of some hexes.
    HexValues,
    /// A number for each of some hexsides.
    HexsideValues,
}

impl fmt::Display for FieldKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hexes => "hexes",
            Self::Hexsides => "hexsides",
            Self::HexValues => "a number for each hex",
            Self::HexsideValues => "a number for each hexside",
        })
    }
}

/// An attribute that a counter may carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeSpec {
    /// Its name; counters carry it as `plugin.name`.
    pub name: String,
    /// A sentence.
    #[serde(default)]
    pub description: String,
    /// The least value.
    pub minimum: i64,
    /// The greatest value.
    pub maximum: i64,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    /// Its id: a rule number and, where effects separate, a name: `X9.1/name`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// What to tell people. `{place}`, `{subject}` and `{value}` are filled in.
    pub message: String,
    /// By which keys cases compare what comes of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<Report>,
    /// The option on which a ruling turned when this rule was said to be contested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The rules that it replaces, wherever its plugin is in a ruleset: what is said by them does
    /// not count. See [`Replaced`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<Replaced>,
    /// The number that it says instead: where a rule that it replaces says one, this rule says the
    /// same with this number. Left out: the plugin itself says what holds, if anything does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<With>,
}

/// Whether a text may be a plugin's id.
pub(crate) fn is_id(text: &str) -> bool {
    let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(fit)
}

impl RuleSpec {
    /// The rule's number: its id up to the slash.
    ///
    /// ```
    /// # use alamein_terrain::RuleSpec;
    /// let rule: RuleSpec = serde_json::from_str(
    ///     r#"{"id": "X9.1/name", "title": "", "message": ""}"#).unwrap();
    /// assert_eq!(rule.number(), "X9.1");
    /// ```
    #[must_use]
    pub fn number(&self) -> &str {
        self.id.split('/').next().unwrap_or(&self.id)
    }

    /// A template with a placeholder that nothing fills would be shown to people as it stands.
    fn check_message(&self) -> Result<(), ManifestError> {
        let placeholders = self.message.split('{').skip(1);
        // Braces around anything but a word are braces.
        let is_word = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let names = placeholders.filter_map(|part| Some(part.split_once('}')?.0));
        let mut names = names.filter(is_word);
        let Some(unknown) = names.find(|name| !PLACEHOLDERS.contains(name)) else {
            return Ok(());
        };
        let likeness = |name: &&str| strsim::jaro_winkler(unknown, name);
        let like = PLACEHOLDERS
            .into_iter()
            .filter(|name| likeness(name) >= 0.8);
        let advice = match like.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
            Some(name) => format!("did you mean {{{name}}}?"),
            None => "there are {place}, {subject} and {value}".into(),
        };
        Err(ManifestError(format!(
            "rule {}: message: {{{unknown}}} is no placeholder; {advice}",
            self.id
        )))
    }

    fn check_number(&self) -> Result<(), ManifestError> {
        match self.with {
            Some(With::Number(number)) if !With::RANGE.contains(&number) => {
                let (least, most) = (With::RANGE.start(), With::RANGE.end());
                Err(ManifestError(format!(
                    "rule {}: with: {number} is out of range: {least} to {most}",
                    self.id
                )))
            }
            _ => Ok(()),
        }
    }
}

/// What stands in braces in a rule's message and is filled in.
const PLACEHOLDERS: [&str; 3] = ["place", "subject", "value"];

/// A key by which cases compare what came of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The key.
    pub key: String,
    /// How a value comes from findings.
    #[serde(rename = "as")]
    pub how: ReportAs,
}

/// How the value of a report key comes from what stands of its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportAs {
    /// Whether there is any.
    Flag,
    /// The highest number, 0 if there is none.
    Best,
    /// The name of an item of cost, or of a DRM to a check.
    Item,
    /// A check that a step owes: the key holds what it is.
    Check,
    /// No number: what the rules known here do not cover makes the key unknown.
    Unknown,
}

/// An option of a plugin, read out of its JSON Schema.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionSpec {
    /// Its name.
    pub name: String,
    /// What it decides.
    pub description: String,
    /// What it is unless a ruleset says otherwise.
    pub default: Value,
    /// What makes it contested, if it is.
    pub contested: Option<String>,
    /// Its own part of the schema.
    pub schema: Value,
}

fn no_options() -> Value {
    serde_json::json!({"type": "object", "properties": {}, "additionalProperties": false})
}

impl Manifest {
    /// The version of the format that this code reads.
    pub const VERSION: u32 = 1;

    /// Reads a manifest and checks that it makes sense.
    ///
    /// # Errors
    /// Where it is no JSON of this form, or names something twice, or something badly.
    pub fn parse(json: &str) -> Result<Self, ManifestError> {
        let manifest: Self =
            serde_json::from_str(json).map_err(|error| ManifestError(error.to_string()))?;
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), ManifestError> {
        let wrong = |what: String| Err(ManifestError(what));
        if self.manifest_version != Self::VERSION {
            let version = self.manifest_version;
            return wrong(format!("manifest_version is {version}; this host reads 1"));
        }
        if !is_id(&self.id) {
            return wrong(format!(
                "id {:?}: use lower-case letters, digits and hyphens",
                self.id
            ));
        }
        if let Err(error) = Version::parse(&self.version) {
            let version = &self.version;
            return wrong(format!("version {version:?}: {error}; write it as 0.1.0"));
        }
        let rules = self.rules.iter().map(|rule| rule.id.as_str());
        unique("rules", rules)?;
        unique(
            "layers",
            self.layers.iter().map(|layer| layer.name.as_str()),
        )?;
        unique(
            "attributes",
            self.attributes
                .iter()
                .map(|attribute| attribute.name.as_str()),
        )?;
        for layer in &self.layers {
            if layer.fields.is_empty() {
                return wrong(format!("layer {:?} has no fields", layer.name));
            }
            unique(
                "fields",
                layer.fields.iter().map(|field| field.name.as_str()),
            )?;
        }
        for rule in &self.rules {
            rule.check_message()?;
            rule.check_number()?;
        }
        let options = self.options();
        if let Some(option) = options.iter().find(|option| option.default.is_null()) {
            return wrong(format!(
                "options.properties.{}: an option needs a default",
                option.name
            ));
        }
        for rule in &self.rules {
            let named = rule.with.as_ref().and_then(With::option);
            for option in rule.option.as_ref().into_iter().chain(named) {
                if !options.iter().any(|known| known.name == *option) {
                    return wrong(format!(
                        "rule {:?} names the unknown option {option:?}",
                        rule.id
                    ));
                }
            }
            if rule.with.is_some() && rule.replaces.is_empty() {
                return wrong(format!(
                    "rule {:?}: `with` says a number in place of a rule's, so name that rule in \
                     `replaces`",
                    rule.id
                ));
            }
        }
        Ok(())
    }

    /// The rule of this id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&RuleSpec> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The layer of this name, if the plugin owns one.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&LayerSpec> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// The version, in an order; the least of all where the text is none.
    #[must_use]
    pub fn semver(&self) -> Version {
        Version::parse(&self.version).unwrap_or_else(|_| Version::new(0, 0, 0))
    }

    /// The options, read out of the schema.
    #[must_use]
    pub fn options(&self) -> Vec<OptionSpec> {
        let text = |schema: &Value, key: &str| schema.get(key)?.as_str().map(str::to_owned);
        let Some(properties) = self.options.get("properties").and_then(Value::as_object) else {
            return Vec::new();
        };
        let spec = |(name, schema): (&String, &Value)| OptionSpec {
            name: name.clone(),
            description: text(schema, "description").unwrap_or_default(),
            default: schema.get("default").cloned().unwrap_or_default(),
            contested: text(schema, "x-contested"),
            schema: schema.clone(),
        };
        properties.iter().map(spec).collect()
    }

    /// The options with their defaults, and what a ruleset sets instead.
    #[must_use]
    pub fn options_with(&self, set: &serde_json::Map<String, Value>) -> Value {
        let mut options: serde_json::Map<String, Value> = self
            .options()
            .into_iter()
            .map(|option| (option.name, option.default))
            .collect();
        options.extend(set.clone());
        Value::Object(options)
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), ManifestError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(ManifestError(format!("{what}: an empty name")));
        }
        if !seen.insert(name) {
            return Err(ManifestError(format!(
                "{what}: {name:?} stands there twice"
            )));
        }
    }
    Ok(())
}

/// What is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ManifestError(pub String);

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What is wrong with a manifest whose rule has this member.
    fn wrong(member: &str, value: &Value) -> Option<String> {
        let mut rule = json!({"id": "X9/tem", "title": "", "message": "", "replaces": ["X1"]});
        rule[member] = value.clone();
        let manifest = json!({
            "manifest_version": 1, "id": "fog", "version": "0.1.0", "rules_revision": 1,
            "title": "Fog", "rules": [rule],
        });
        let read = Manifest::parse(&manifest.to_string());
        read.err().map(|error| error.to_string())
    }

    #[test]
    fn a_message_has_only_placeholders_that_are_filled() {
        let message = |text: &str| wrong("message", &json!(text));
        assert_eq!(message("{subject} in {place}: {value}, { and }"), None);
        let said = message("{place}: {subjct}").unwrap();
        assert_eq!(
            said,
            "rule X9/tem: message: {subjct} is no placeholder; did you mean {subject}?"
        );
        let said = message("{0}").unwrap();
        assert!(said.contains("{0} is no placeholder; there are {place}, {subject} and"));
    }

    #[test]
    fn a_fixed_number_is_within_range() {
        for number in [-100, 0, 100] {
            assert_eq!(wrong("with", &json!(number)), None, "{number}");
        }
        for number in [-101, 200] {
            let said = wrong("with", &json!(number)).unwrap();
            let wanted = format!("rule X9/tem: with: {number} is out of range: -100 to 100");
            assert_eq!(said, wanted);
        }
    }
}
