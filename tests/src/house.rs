//! A small plugin of house rules for tests, linked, whose manifest is what a test wants.

use std::time::Duration;

use alamein_plugin_abi::{ABI_MAJOR, ABI_MINOR, Bytes, Descriptor, MAGIC, PANIC_UNWIND};
use alamein_plugin_host::{NativePlugin, PluginError};
use alamein_plugin_sdk::prelude::*;
use alamein_plugin_sdk::{TARGET, shim};
use serde::Deserialize;
use serde_json::{Value, json};

/// What a house's manifest says.
#[derive(Clone, Debug)]
pub struct House {
    manifest: Value,
    build_id: String,
}

impl House {
    /// A house of this id, without rules, that does nothing.
    #[must_use]
    pub fn new(id: &str) -> Self {
        let option = |default: Value| json!({"default": default});
        Self {
            manifest: json!({
                "manifest_version": 1, "id": id, "version": "0.1.0", "rules_revision": 1,
                "title": "", "rules": [], "layers": [], "requires": {},
                "options": {"type": "object", "additionalProperties": false, "properties": {
                    "does": option(json!("nothing")),
                    "by": {"default": 0, "type": "integer", "maximum": 9},
                }},
            }),
            build_id: "linked".into(),
        }
    }

    /// Of this version.
    #[must_use]
    pub fn version(mut self, version: &str) -> Self {
        self.manifest["version"] = json!(version);
        self
    }

    /// Of this build.
    #[must_use]
    pub fn build(mut self, build_id: &str) -> Self {
        self.build_id = build_id.into();
        self
    }

    /// With one rule more, that replaces these.
    #[must_use]
    pub fn rule(mut self, id: &str, replaces: &[&str]) -> Self {
        if let Some(rules) = self.manifest["rules"].as_array_mut() {
            let message = format!("{id} at {{place}}");
            rules.push(json!({"id": id, "title": "", "message": message, "replaces": replaces}));
        }
        self
    }

    /// With its last rule saying this number, or this option's, in place of those it replaces.
    #[must_use]
    pub fn with(mut self, with: Value) -> Self {
        let rules = self.manifest["rules"].as_array_mut();
        if let Some(rule) = rules.and_then(|rules| rules.last_mut()) {
            rule["with"] = with;
        }
        self
    }

    /// That needs another plugin.
    #[must_use]
    pub fn requires(mut self, id: &str, versions: &str) -> Self {
        self.manifest["requires"][id] = json!(versions);
        self
    }

    /// That owns one layer more.
    #[must_use]
    pub fn layer(mut self, name: &str) -> Self {
        if let Some(layers) = self.manifest["layers"].as_array_mut() {
            layers.push(json!({"name": name, "fields": [{"name": "hexes", "kind": "hexes"}]}));
        }
        self
    }

    /// That does this unless a ruleset says otherwise, by its first rule: `tem` (gives every target
    /// so much TEM), `objects` (sets every Hindrance aside that stands), `missing` (is not
    /// implemented), `panic`, `refuse` (to be made), `hang` (where it
    /// is to be made), `nothing`.
    #[must_use]
    pub fn does(mut self, what: &str, by: i16) -> Self {
        self.manifest["options"]["properties"]["does"]["default"] = json!(what);
        self.manifest["options"]["properties"]["by"]["default"] = json!(by);
        self
    }

    /// The plugin. What it points to is never freed, as a library never is.
    ///
    /// # Errors
    /// Where the host refuses it.
    pub fn plugin(&self) -> Result<NativePlugin, PluginError> {
        let text = |text: &str| Bytes::of(Box::leak(text.to_owned().into_boxed_str()));
        let of = |field: &str| text(self.manifest[field].as_str().unwrap_or_default());
        let rules: Vec<Bytes> = self.manifest["rules"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|rule| text(rule["id"].as_str().unwrap_or_default()))
            .collect();
        let rules: &'static [Bytes] = rules.leak();
        let kinds: &'static [Bytes] = vec![Bytes::of("location")].leak();
        NativePlugin::linked(Box::leak(Box::new(Descriptor {
            magic: MAGIC,
            abi_major: ABI_MAJOR,
            abi_minor: ABI_MINOR,
            struct_size: size_of::<Descriptor>(),
            panic_strategy: PANIC_UNWIND,
            rule_count: u32::try_from(rules.len()).unwrap_or_default(),
            kind_count: 1,
            reserved: 0,
            id: of("id"),
            version: of("version"),
            target: Bytes::of(TARGET),
            build_id: text(&self.build_id),
            manifest: text(&self.manifest.to_string()),
            rules: rules.as_ptr(),
            kinds: kinds.as_ptr(),
            table: Box::leak(Box::new(shim::table::<Rules>())),
        })))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    does: String,
    by: i16,
}

#[derive(Debug)]
struct Rules(Options);

const FIRST: Rule = Rule::from_index(0);
const LOCATION: Kind = Kind::from_index(0);

impl TerrainPlugin for Rules {
    type Options = Options;
    type Map = ();

    fn create(options: Options, _: Log) -> Result<Self, String> {
        if options.does == "refuse" {
            return Err("it refuses to be made".into());
        }
        if options.does == "hang" {
            loop {
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        Ok(Self(options))
    }

    fn prepare(&self, _: &MapView<'_>, _: &mut Problems) {}

    fn survey(&self, (): &(), survey: &mut Survey<'_>) {
        survey.everything();
    }

    fn object(&self, (): &(), _: &Line<'_>, seen: &Seen<'_>, say: &mut Objections) {
        if self.0.does == "objects" {
            let is_hindrance = |seen: &SeenFact<'_>| matches!(seen.fact(), Fact::Hindrance { .. });
            let hindrances = seen.facts().filter(is_hindrance);
            for hindrance in hindrances.filter(SeenFact::stands) {
                say.set_aside(&hindrance, FIRST);
            }
        }
    }

    fn judge(&self, (): &(), line: &Line<'_>, _: &Seen<'_>, say: &mut Findings) {
        match self.0.does.as_str() {
            "tem" => {
                let to = line.to();
                say.tem(FIRST, LOCATION, self.0.by).at(to.hex());
            }
            "missing" => {
                say.not_implemented(FIRST);
            }
            "panic" => panic!("the house falls"),
            _ => {}
        }
    }
}
