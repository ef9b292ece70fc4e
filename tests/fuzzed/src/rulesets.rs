//! Ruleset files, in TOML and in JSON.

use alamein_rulesets::RulesetSpec;

use crate::chosen;

/// Bytes become the text of a ruleset file: of JSON where the first is odd.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let read = if which % 2 == 1 {
        RulesetSpec::from_json(text)
    } else {
        RulesetSpec::from_toml(text)
    };
    let spec = match read {
        Ok(spec) => spec,
        Err(wrongs) => {
            assert!((1..=100).contains(&wrongs.len()), "{wrongs:?}");
            assert!(wrongs.iter().all(|wrong| !wrong.what.is_empty()));
            return;
        }
    };
    match spec.to_json() {
        Ok(json) => assert_eq!(RulesetSpec::from_json(&json).as_ref(), Ok(&spec), "{json}"),
        Err(error) => panic!("{error}: of {spec:?}"),
    }
    // TOML has no word for nothing.
    if let Ok(toml) = spec.to_toml() {
        assert_eq!(RulesetSpec::from_toml(&toml).as_ref(), Ok(&spec), "{toml}");
    }
}
