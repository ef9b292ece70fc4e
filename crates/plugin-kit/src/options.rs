//! Sets of options to try a plugin with, made from its schema.

use alamein_terrain::{Manifest, OptionSpec};
use serde_json::{Map, Value, json};

/// The most sets beside the first.
const MOST: usize = 12;

/// A set of options, and how to call it.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) options: Value,
}

/// What is wrong with a plugin's options as its own schema has them.
pub(crate) fn faults(manifest: &Manifest) -> Vec<String> {
    let validator = match jsonschema::validator_for(&manifest.options) {
        Ok(validator) => validator,
        Err(error) => {
            return vec![format!(
                "`options` in plugin.json is no JSON Schema: {error}; mend it there"
            )];
        }
    };
    let defaults = manifest.options_with(&Map::new());
    let fault = |error: jsonschema::ValidationError<'_>| {
        let path = error.instance_path().to_string().replace('/', ".");
        format!(
            "the defaults do not fit their own schema: options{path}: {error}; change the default or \
             the schema in plugin.json"
        )
    };
    validator.iter_errors(&defaults).map(fault).collect()
}

/// The options given with all defaults, and each option set to each value that its schema suggests.
pub(crate) fn sets(manifest: &Manifest, given: &Map<String, Value>) -> Vec<Set> {
    let usual = manifest.options_with(given);
    let name = if given.is_empty() {
        "its defaults".to_owned()
    } else {
        usual.to_string()
    };
    let mut sets = vec![Set {
        name,
        options: usual.clone(),
    }];
    let Ok(validator) = jsonschema::validator_for(&manifest.options) else {
        return sets;
    };
    for option in manifest.options() {
        for value in values(&option) {
            let mut options = usual.clone();
            options[&option.name] = value.clone();
            let is_new = sets.iter().all(|set| set.options != options);
            if is_new && sets.len() <= MOST && validator.is_valid(&options) {
                let name = format!("{} = {value}", option.name);
                sets.push(Set { name, options });
            }
        }
    }
    sets
}

/// Values that an option's schema suggests.
fn values(option: &OptionSpec) -> Vec<Value> {
    let schema = &option.schema;
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.clone();
    }
    if option.default.is_boolean() {
        return vec![json!(true), json!(false)];
    }
    ["minimum", "maximum"]
        .iter()
        .filter_map(|bound| schema.get(*bound).cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use alamein_terrain::Manifest;
    use serde_json::{Map, json};

    use super::{faults, sets};

    fn manifest(options: serde_json::Value) -> Manifest {
        let manifest = json!({
            "manifest_version": 1, "id": "x", "version": "1.0.0", "rules_revision": 1,
            "title": "X", "rules": [],
            "options": {"type": "object", "properties": options},
        });
        Manifest::parse(&manifest.to_string()).unwrap()
    }

    #[test]
    fn every_word_and_bound_is_tried_once() {
        let manifest = manifest(json!({
            "word": {"enum": ["a", "b"], "default": "a"},
            "flag": {"type": "boolean", "default": true},
            "number": {"type": "integer", "minimum": 1, "maximum": 3, "default": 1},
            "text": {"type": "string", "default": "anything"},
        }));
        assert_eq!(faults(&manifest), Vec::<String>::new());
        let names: Vec<String> = sets(&manifest, &Map::new())
            .into_iter()
            .map(|set| set.name)
            .collect();
        assert_eq!(
            names,
            ["its defaults", "flag = false", "number = 3", "word = \"b\""]
        );
    }

    #[test]
    fn a_default_that_its_schema_refuses_is_a_fault() {
        let manifest = manifest(json!({"n": {"type": "integer", "maximum": 3, "default": 4}}));
        let faults = faults(&manifest);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("options.n"), "{faults:?}");
    }
}
