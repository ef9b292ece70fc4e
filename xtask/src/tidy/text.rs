//! Laws on any file, which is read as lines.

use super::{Breach, Source};

const LONGEST: usize = 500;

/// Files that tools write.
const LOCKS: [&str; 4] = ["Cargo.lock", "package-lock.json", "go.sum", "uv.lock"];

/// One file, one idea.
pub(super) fn length(source: &Source, found: &mut Vec<Breach>) {
    let lines = source.text.lines().count();
    let is_generated = source
        .text
        .lines()
        .take(3)
        .any(|line| line.contains("@generated"));
    if lines > LONGEST && !is_generated {
        let what = format!("{lines} lines; over {LONGEST}, a file holds more than one idea");
        found.push(source.breach(0, what));
    }
}

/// No word that marks work as undone, and no path of the machine that it was written on.
pub(super) fn words(source: &Source, found: &mut Vec<Breach>) {
    if LOCKS.iter().any(|lock| source.path.ends_with(lock)) {
        return;
    }
    // In two halves, so that this file keeps its own law.
    let undone = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let paths = [concat!("../", "shared"), concat!("/wo", "rk/")];
    for (number, line) in (1..).zip(source.text.lines()) {
        for word in undone {
            if has(line, word, |c| !is_word(c), |c| !is_word(c)) {
                found.push(source.breach(number, format!("{word}: do it, or open an issue")));
            }
        }
        for path in paths {
            if has(line, path, |c| !is_word(c) && !".-/".contains(c), |_| true) {
                found.push(source.breach(number, format!("{path} is a path of one machine")));
            }
        }
    }
}

/// A plugin's crate and where it lives.
pub(super) struct Plugin {
    pub(super) name: String,
    /// Seen from the root, with a `/` at its end.
    pub(super) folder: String,
}

/// A plugin's sources and manifest name no other plugin's crate.
pub(super) fn other_plugins(source: &Source, plugins: &[Plugin], found: &mut Vec<Breach>) {
    let is_code = source.path.ends_with(".rs") || source.path.ends_with("Cargo.toml");
    if !is_code
        || !plugins
            .iter()
            .any(|plugin| source.is_under(&[&plugin.folder]))
    {
        return;
    }
    let ends = |c: char| !is_word(c) && c != '-';
    for Plugin { name, .. } in plugins.iter().filter(|p| !source.is_under(&[&p.folder])) {
        let in_code = name.replace('-', "_");
        for (number, line) in (1..).zip(source.text.lines()) {
            if has(line, name, ends, ends) || has(line, &in_code, ends, ends) {
                let what = format!("names the plugin {name}; plugins meet in the rounds only");
                found.push(source.breach(number, what));
            }
        }
    }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a line has a word whose neighbours, where there are any, are as asked.
fn has(
    line: &str,
    word: &str,
    before: impl Fn(char) -> bool,
    after: impl Fn(char) -> bool,
) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let left = line.get(..at).and_then(|left| left.chars().next_back());
        let right = line
            .get(at + word.len()..)
            .and_then(|right| right.chars().next());
        left.is_none_or(&before) && right.is_none_or(&after)
    })
}
