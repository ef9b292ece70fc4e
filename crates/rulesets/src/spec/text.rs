//! Ruleset files as texts: TOML, and JSON of the same shape.

use std::collections::BTreeMap;

use alamein_engine::nearest;
use alamein_fields::{FieldError, Path, Tree, Value};
use alamein_terrain::GrazingPolicy;
use semver::VersionReq;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::{PluginSpec, RulesetSpec, name_trouble};

/// How many things that are wrong are told at once.
const MOST_WRONG: usize = 100;

const FIELDS: [&str; 6] = [
    "format",
    "name",
    "title",
    "description",
    "grazing_policy",
    "plugins",
];
const PLUGIN_FIELDS: [&str; 3] = ["version", "sha256", "options"];

impl RulesetSpec {
    /// The version of the format that this code reads and writes.
    pub const FORMAT: u32 = 1;
    /// How many plugins a ruleset may have.
    pub const MOST_PLUGINS: usize = 256;
    /// How long its title and its description may be, in bytes.
    pub const LONGEST_TEXT: usize = 4096;

    /// Reads a ruleset file in TOML.
    ///
    /// ```
    /// # use alamein_rulesets::RulesetSpec;
    /// let text = r#"
    /// name = "our-club"
    ///
    /// [plugins]
    /// dunes = "^0.1"
    /// deeper-dunes = { version = "=0.2.0", options = { by = 2 } }
    /// "#;
    /// let spec = RulesetSpec::from_toml(text).unwrap();
    /// assert_eq!(RulesetSpec::from_toml(&spec.to_toml().unwrap()), Ok(spec));
    /// ```
    ///
    /// # Errors
    /// All that is wrong, each with its field and line: at least one thing, and no more than 100.
    pub fn from_toml(text: &str) -> Result<Self, Vec<FieldError>> {
        read(&Tree::of_toml(text)?)
    }

    /// Reads a ruleset file in JSON.
    ///
    /// # Errors
    /// As for TOML; lines are told only where the text is no JSON.
    pub fn from_json(text: &str) -> Result<Self, Vec<FieldError>> {
        read(&Tree::of_json(text)?)
    }

    /// Writes it in TOML.
    ///
    /// # Errors
    /// An option that TOML cannot say: nothing, as against a value.
    pub fn to_toml(&self) -> Result<String, FieldError> {
        toml::to_string_pretty(&self.written()).map_err(|error| FieldError {
            path: "plugins".into(),
            line: None,
            what: format!("cannot be written in TOML: {error}; write it in JSON"),
        })
    }

    /// Writes it in JSON.
    ///
    /// # Errors
    /// None that a spec can bring about.
    pub fn to_json(&self) -> Result<String, FieldError> {
        let text = serde_json::to_string_pretty(&self.written());
        let text = text.map_err(|error| FieldError {
            path: String::new(),
            line: None,
            what: error.to_string(),
        })?;
        Ok(text + "\n")
    }

    /// What is written: what is usual is left out, but for versions and policy.
    fn written(&self) -> Written<'_> {
        let plugin = |(id, spec): (_, &'_ PluginSpec)| {
            let (sha256, options) = (spec.sha256.clone(), spec.options.clone());
            let version = spec.version.to_string();
            let plugin = WrittenPlugin {
                version,
                sha256,
                options,
            };
            (id, plugin)
        };
        Written {
            format: Self::FORMAT,
            name: &self.name,
            title: &self.title,
            description: &self.description,
            grazing_policy: self.grazing_policy.name(),
            plugins: self.plugins.iter().map(plugin).collect(),
        }
    }
}

/// A file in the order in which it is written.
#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    grazing_policy: &'a str,
    plugins: BTreeMap<&'a String, WrittenPlugin>,
}

#[derive(Serialize)]
struct WrittenPlugin {
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    options: Map<String, Json>,
}

fn read(tree: &Tree) -> Result<RulesetSpec, Vec<FieldError>> {
    let mut reader = Reader { wrong: Vec::new() };
    let spec = reader.file(tree);
    if reader.wrong.is_empty() {
        Ok(spec)
    } else {
        Err(reader.wrong)
    }
}

/// Reads on past what is wrong, and notes it.
struct Reader {
    wrong: Vec<FieldError>,
}

type Fields = [(String, Tree)];

impl Reader {
    fn file(&mut self, tree: &Tree) -> RulesetSpec {
        let mut spec = RulesetSpec::default();
        let Some(fields) = self.table(tree, &Path::default(), "the file") else {
            return spec;
        };
        self.only(fields, &FIELDS, &Path::default());
        for needed in ["name", "plugins"] {
            if !fields.iter().any(|(name, _)| name == needed) {
                self.note(&Path::of(needed), None, "is missing");
            }
        }
        for (name, tree) in fields {
            let path = Path::of(name);
            match name.as_str() {
                "format" => self.format(tree, &path),
                "name" => spec.name = self.name(tree, &path),
                "title" => spec.title = self.words(tree, &path),
                "description" => spec.description = self.words(tree, &path),
                "grazing_policy" => spec.grazing_policy = self.policy(tree, &path),
                "plugins" => self.plugins(tree, &path, &mut spec),
                _ => {}
            }
        }
        spec
    }

    fn format(&mut self, tree: &Tree, path: &Path) {
        let current = serde_json::Number::from(RulesetSpec::FORMAT);
        if tree.value != Value::Number(current) {
            let what = format!("is {}; this program reads format 1", tree.kind());
            let what = match &tree.value {
                Value::Number(other) => format!("is {other}; this program reads format 1"),
                _ => what,
            };
            self.note(path, tree.line, what);
        }
    }

    fn name(&mut self, tree: &Tree, path: &Path) -> String {
        let name = self.text(tree, path).unwrap_or_default();
        if let (Some(why), Value::Text(_)) = (name_trouble(&name), &tree.value) {
            self.note(path, tree.line, format!("{name:?} names no ruleset: {why}"));
        }
        name
    }

    /// A text for people.
    fn words(&mut self, tree: &Tree, path: &Path) -> String {
        let words = self.text(tree, path).unwrap_or_default();
        if words.len() > RulesetSpec::LONGEST_TEXT {
            let (length, most) = (words.len(), RulesetSpec::LONGEST_TEXT);
            let what = format!("has {length} bytes; it may have {most}");
            self.note(path, tree.line, what);
        }
        words
    }

    fn policy(&mut self, tree: &Tree, path: &Path) -> GrazingPolicy {
        let Some(word) = self.text(tree, path) else {
            return GrazingPolicy::default();
        };
        let known = GrazingPolicy::ALL.into_iter();
        let policy = known.clone().find(|policy| policy.name() == word);
        policy.unwrap_or_else(|| {
            let names: Vec<&str> = known.map(GrazingPolicy::name).collect();
            let what = format!("{word:?} is no grazing policy; write {}", names.join(", "));
            self.note(path, tree.line, what);
            GrazingPolicy::default()
        })
    }

    fn plugins(&mut self, tree: &Tree, path: &Path, spec: &mut RulesetSpec) {
        let Some(plugins) = self.table(tree, path, "the plugins") else {
            return;
        };
        if plugins.is_empty() {
            self.note(
                path,
                tree.line,
                "names no plugin; a ruleset needs at least one",
            );
        }
        if plugins.len() > RulesetSpec::MOST_PLUGINS {
            let (count, most) = (plugins.len(), RulesetSpec::MOST_PLUGINS);
            let what = format!("names {count} plugins; a ruleset may have {most}");
            return self.note(path, tree.line, what);
        }
        for (id, tree) in plugins {
            let path = path.key(id);
            if name_trouble(id).is_some() {
                let what = "is no plugin's id: lower-case letters, digits and hyphens";
                self.note(&path, tree.line, what);
            }
            let plugin = self.plugin(tree, &path);
            spec.plugins.insert(id.clone(), plugin);
        }
    }

    fn plugin(&mut self, tree: &Tree, path: &Path) -> PluginSpec {
        let mut spec = PluginSpec::default();
        // A version alone is the commonest thing to say.
        if let Value::Text(_) = tree.value {
            spec.version = self.version(tree, path);
            return spec;
        }
        let what = "a plugin: write its version, or a table of version, sha256 and options";
        let Some(fields) = self.table(tree, path, what) else {
            return spec;
        };
        self.only(fields, &PLUGIN_FIELDS, path);
        for (name, tree) in fields {
            let path = path.key(name);
            match name.as_str() {
                "version" => spec.version = self.version(tree, &path),
                "sha256" => spec.sha256 = self.sha256(tree, &path),
                "options" => spec.options = self.options(tree, &path),
                _ => {}
            }
        }
        spec
    }

    fn version(&mut self, tree: &Tree, path: &Path) -> VersionReq {
        let Some(text) = self.text(tree, path) else {
            return VersionReq::STAR;
        };
        VersionReq::parse(&text).unwrap_or_else(|error| {
            let what = format!("{text:?} is no version: {error}; write ^0.1, =0.1.2 or *");
            self.note(path, tree.line, what);
            VersionReq::STAR
        })
    }

    fn sha256(&mut self, tree: &Tree, path: &Path) -> Option<String> {
        let text = self.text(tree, path)?;
        if text.parse::<alamein_terrain::Digest>().is_err() {
            let what = "is no SHA-256: it has 64 lower-case hexadecimal digits";
            self.note(path, tree.line, what);
        }
        Some(text)
    }

    fn options(&mut self, tree: &Tree, path: &Path) -> Map<String, Json> {
        let mut options = Map::new();
        for (name, tree) in self.table(tree, path, "the options").unwrap_or_default() {
            match tree.to_json() {
                Ok(value) => {
                    options.insert(name.clone(), value);
                }
                Err((line, what)) => {
                    let what = format!("is {what}, which no option can be");
                    self.note(&path.key(name), line.or(tree.line), what);
                }
            }
        }
        options
    }

    fn table<'a>(&mut self, tree: &'a Tree, path: &Path, what: &str) -> Option<&'a Fields> {
        if let Value::Table(fields) = &tree.value {
            return Some(fields);
        }
        self.note(path, tree.line, format!("is {}, not {what}", tree.kind()));
        None
    }

    fn text(&mut self, tree: &Tree, path: &Path) -> Option<String> {
        if let Value::Text(text) = &tree.value {
            return Some(text.clone());
        }
        self.note(path, tree.line, format!("is {}, not a text", tree.kind()));
        None
    }

    /// Notes fields that are none.
    fn only(&mut self, fields: &Fields, known: &[&str], path: &Path) {
        for (name, tree) in fields
            .iter()
            .filter(|(name, _)| !known.contains(&name.as_str()))
        {
            let advice = match nearest(name, known.iter().copied()) {
                Some(other) => format!("did you mean {other}?"),
                None => format!("there are {}", known.join(", ")),
            };
            let what = format!("there is no such field; {advice}");
            self.note(&path.key(name), tree.line, what);
        }
    }

    fn note(&mut self, path: &Path, line: Option<usize>, what: impl Into<String>) {
        if self.wrong.len() < MOST_WRONG {
            self.wrong.push(FieldError {
                path: path.to_string(),
                line,
                what: what.into(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
