//! What a ruleset is to be made of.

use alamein_rulesets::{PluginSpec, RulesetSpec};
use alamein_terrain::GrazingPolicy;
use semver::VersionReq;
use serde_json::{Map, Value};

use crate::refused::{Limits, Refused, cut};
use crate::v1::{self, ErrorReason};
use crate::words::Word;

const MOST_PLUGINS: usize = RulesetSpec::MOST_PLUGINS;
const LONGEST_TEXT: usize = RulesetSpec::LONGEST_TEXT;
/// The longest options of a plugin, in bytes.
const LONGEST_OPTIONS: usize = 65_536;

/// What a ruleset is to be made of.
///
/// # Errors
/// The first field that makes no sense.
pub fn ruleset_spec(spec: &v1::RulesetSpec, limits: &Limits) -> Result<RulesetSpec, Refused> {
    short("name", &spec.name, limits.max_text)?;
    short("title", &spec.title, LONGEST_TEXT)?;
    short("description", &spec.description, LONGEST_TEXT)?;
    if spec.name.is_empty() {
        return Err(Refused::missing("name"));
    }
    let count = spec.plugins.len();
    if count > MOST_PLUGINS {
        return Err(Refused::too_long("plugins", count, "plugins", MOST_PLUGINS));
    }
    let mut read = RulesetSpec {
        name: spec.name.clone(),
        title: spec.title.clone(),
        description: spec.description.clone(),
        grazing_policy: policy(spec.grazing_policy)?,
        ..RulesetSpec::default()
    };
    for (at, required) in spec.plugins.iter().enumerate() {
        let prefix = format!("plugins[{at}].");
        let plugin = plugin(required, limits).map_err(|refused| refused.at(&prefix))?;
        if read
            .plugins
            .insert(required.plugin_id.clone(), plugin)
            .is_some()
        {
            let what = format!("plugin {:?} is there twice", cut(&required.plugin_id));
            return Err(invalid("plugin_id", what).at(&prefix));
        }
    }
    Ok(read)
}

fn policy(number: i32) -> Result<GrazingPolicy, Refused> {
    if number == 0 {
        return Ok(GrazingPolicy::default());
    }
    GrazingPolicy::of_number(number).ok_or_else(|| {
        let what = format!("{number} is no GrazingPolicy");
        Refused::new(ErrorReason::UnknownEnumValue, "grazing_policy", what).with("value", number)
    })
}

fn plugin(required: &v1::PluginRequirement, limits: &Limits) -> Result<PluginSpec, Refused> {
    short("plugin_id", &required.plugin_id, limits.max_text)?;
    short("version", &required.version, limits.max_text)?;
    if required.plugin_id.is_empty() {
        return Err(Refused::missing("plugin_id"));
    }
    Ok(PluginSpec {
        version: version(&required.version)?,
        sha256: sha256(&required.build_sha256)?,
        options: options(&required.options_json)?,
    })
}

fn version(text: &str) -> Result<VersionReq, Refused> {
    if text.is_empty() {
        return Ok(VersionReq::STAR);
    }
    VersionReq::parse(text).map_err(|error| {
        let text = cut(text);
        invalid(
            "version",
            format!("{text:?} is no requirement: {error}; write `^1.2` or `=1.2.0`"),
        )
    })
}

fn sha256(text: &str) -> Result<Option<String>, Refused> {
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    match text {
        "" => Ok(None),
        text if text.len() == 64 && text.chars().all(is_hex) => Ok(Some(text.to_owned())),
        _ => Err(invalid(
            "build_sha256",
            "write 64 lower-case hexadecimal digits",
        )),
    }
}

fn options(text: &str) -> Result<Map<String, Value>, Refused> {
    let field = "options_json";
    if text.is_empty() {
        return Ok(Map::new());
    }
    short(field, text, LONGEST_OPTIONS)?;
    serde_json::from_str(text)
        .map_err(|error| invalid(field, format!("is no JSON object: {error}")))
}

fn short(field: &str, text: &str, most: usize) -> Result<(), Refused> {
    match text.len() {
        length if length > most => Err(Refused::too_long(field, length, "bytes", most)),
        _ => Ok(()),
    }
}

fn invalid(field: &str, what: impl Into<String>) -> Refused {
    Refused::new(ErrorReason::RulesetInvalid, field, what).with("path", field)
}
