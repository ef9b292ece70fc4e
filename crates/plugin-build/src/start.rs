//! Starting a new plugin: sources that build, pass their own cases, and change a ruling.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use crate::sdk::Sdk;

/// The files of a new plugin. The template is itself a plugin, called `house-rule`.
const FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.txt")),
    ("plugin.json", include_str!("../template/plugin.json")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/rules.rs", include_str!("../template/src/rules.rs")),
    (
        "cases/house-rule.json",
        include_str!("../template/cases/house-rule.json"),
    ),
    ("README.md", include_str!("../template/README.md")),
    (".gitignore", include_str!("../template/gitignore.txt")),
];

/// The longest name.
const LONGEST: usize = 40;

/// What was written.
#[derive(Debug, Clone)]
pub struct Started {
    /// The folder.
    pub folder: PathBuf,
    /// Its files, as seen from it.
    pub files: Vec<String>,
    /// Where it finds the SDK.
    pub sdk: Sdk,
}

/// Writes the sources of a plugin of this name into a new folder. Nothing that is there is touched.
///
/// # Errors
/// A name that cannot be one, or a folder that is there already.
pub fn start(name: &str, folder: &Path, sdk: &Sdk) -> Result<Started> {
    check_name(name)?;
    if folder.symlink_metadata().is_ok() {
        bail!(
            "{} is there already; nothing is written over it. Choose another name, or another place \
             with --dir",
            folder.display()
        );
    }
    let mut files = Vec::new();
    for (file, text) in FILES {
        let file = named(file, name);
        let mut text = named(text, name);
        if file == "Cargo.toml" {
            text = text.replace("{sdk}", &sdk.dependency());
        }
        write(&folder.join(&file), text.as_bytes())?;
        files.push(file);
    }
    if let Some(lock) = sdk.lock() {
        let text = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
        write(&folder.join("Cargo.lock"), &text)?;
        files.push("Cargo.lock".to_owned());
    }
    Ok(Started {
        folder: folder.to_path_buf(),
        files,
        sdk: sdk.clone(),
    })
}

/// Checks that a plugin may be called so: its name becomes its id, the name of its crate, of its
/// layer, and part of a symbol.
///
/// # Errors
/// What is wrong with it, and a name that would do.
pub fn check_name(name: &str) -> Result<()> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(letters)
        && !name.ends_with('-')
        && !name.contains("--");
    if !fits {
        let better = better(name);
        let advice = if better.is_empty() {
            String::new()
        } else {
            format!(", such as {better}")
        };
        bail!(
            "NAME: {name:?} cannot be a plugin's name; use lower-case letters, digits and single \
             hyphens, beginning with a letter{advice}"
        );
    }
    ensure!(
        name.len() <= LONGEST,
        "NAME: {name:?} is longer than {LONGEST} letters"
    );
    ensure!(
        !RESERVED.contains(&name) && !name.starts_with("alamein-"),
        "NAME: {name:?} is taken: it is a word of Rust, or a crate that your plugin leans on"
    );
    Ok(())
}

/// Words that no crate may be called, or that would clash with what a plugin uses.
const RESERVED: [&str; 49] = [
    "abstract", "alamein", "as", "async", "await", "become", "box", "break", "const", "continue",
    "core", "crate", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "serde", "static", "std", "struct", "super", "test", "trait", "true",
    "try", "type", "use", "where",
];

/// The nearest name that would do, or nothing.
fn better(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            ' '
        }
    };
    let words: String = name.chars().map(plain).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let joined = words.join("-");
    joined
        .trim_start_matches(|c: char| !c.is_ascii_lowercase())
        .to_owned()
}

/// A text of the template, with the plugin's name in place of the template's in each of its forms.
fn named(text: &str, name: &str) -> String {
    let words: Vec<&str> = name.split('-').collect();
    let capital = |word: &&str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let camel: String = words.iter().map(capital).collect();
    let spoken = words.join(" ");
    text.replace("house-rule", name)
        .replace("house_rule", &words.join("_"))
        .replace("HouseRule", &camel)
        .replace("House rule", &capital(&spoken.as_str()))
        .replace("house rule", &spoken)
}

fn write(path: &Path, text: &[u8]) -> Result<()> {
    let shown = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(shown)?;
    }
    let mut file = fs::File::create_new(path).with_context(shown)?;
    file.write_all(text).with_context(shown)
}

#[cfg(test)]
mod tests {
    use super::{FILES, check_name, named};

    #[test]
    fn a_name_that_cannot_be_one_is_told_with_one_that_can() {
        for (name, advice) in [
            ("Deep Deirs", "deep-deirs"),
            ("deep_deirs", "deep-deirs"),
            ("-x", "such as x"),
            ("1st-rule", "st-rule"),
            ("a--b", "a-b"),
        ] {
            let error = check_name(name).unwrap_err().to_string();
            assert!(error.contains(advice), "{name}: {error}");
        }
        for name in ["", "..", "a/b", "self", "alamein-x", "x-"] {
            assert!(check_name(name).is_err(), "{name}");
        }
        for name in ["a", "stony-wadi", "deirs2"] {
            check_name(name).unwrap();
        }
    }

    #[test]
    fn nothing_of_the_templates_own_name_is_left() {
        for (file, text) in FILES {
            let text = named(text, "stony-wadi").to_lowercase();
            for own in ["house-rule", "house_rule", "houserule", "house rule"] {
                assert!(!text.contains(own), "{file} has {own}");
            }
        }
    }
}
