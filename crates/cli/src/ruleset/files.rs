//! Ruleset files.

use std::path::{Path, PathBuf};

use alamein_rulesets::RulesetSpec;
use anyhow::{Context, Result, bail};

/// How a ruleset file may end.
const ENDINGS: [&str; 2] = ["toml", "json"];

/// Whether a word means a file and no ruleset that has that name.
pub(crate) fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    has_ending(path) || word.contains('/')
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The files that are meant: those named, and of a folder all that are ruleset files by their names.
pub(crate) fn all(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = || format!("{} cannot be read", path.display());
        let mut found = Vec::new();
        for entry in path.read_dir().with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            if path.is_file() && has_ending(&path) {
                found.push(path);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// What a ruleset file says, or all that is wrong with it, a line each.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn survey(file: &Path) -> Result<Result<RulesetSpec, Vec<String>>> {
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("{} cannot be read", file.display()))?;
    let spec = match file.extension().and_then(|ending| ending.to_str()) {
        Some("json") => RulesetSpec::from_json(&text),
        _ => RulesetSpec::from_toml(&text),
    };
    let told = |error: &alamein_fields::FieldError| format!("{}: {error}", file.display());
    Ok(spec.map_err(|errors| errors.iter().map(told).collect()))
}

/// What a ruleset file says.
pub(crate) fn read(file: &Path) -> Result<RulesetSpec> {
    match survey(file)? {
        Ok(spec) => Ok(spec),
        Err(wrong) => bail!("{}", wrong.join("\n")),
    }
}
