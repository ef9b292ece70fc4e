//! The laws of this repository that no compiler knows.
//!
//! | law | why |
//! |---|---|
//! | a source file has at most 500 lines | one file, one idea |
//! | `unsafe` only where plugins are met | the rest can be read without fear |
//! | no rule number in the core | every rule lives in a plugin and can be replaced |
//! | a plugin names no other plugin | any of them can be left out or swapped |
//! | arrows between crates point down only | a change reaches only what stands above it
//! | no drawer for odds and ends | a function belongs where its idea lives |
//! | nothing marked as undone | what is owed is an issue, not a comment |
//! | a page's links lead somewhere | readers follow them |

mod arrows;
mod links;
mod rust;
mod text;

#[cfg(test)]
mod tests;

use std::{fmt, fs, path::Path};

use anyhow::{Result, ensure};

use alamein_plugin_build::files;

use crate::Workspace;

/// A place where a law is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    /// The file, seen from the root.
    pub path: String,
    /// The line, counted from 1; 0 is the file as a whole.
    pub line: usize,
    /// What is wrong and what would be right.
    pub what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

/// A file of the repository, as the laws read it.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn breach(&self, line: usize, what: impl Into<String>) -> Breach {
        Breach {
            path: self.path.clone(),
            line,
            what: what.into(),
        }
    }

    fn is_under(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

/// Checks all laws on the repository at `root`, prints each breach and fails if there is one.
pub fn check(root: &Path) -> Result<()> {
    let breaches = breaches(root)?;
    for breach in &breaches {
        println!("{breach}");
    }
    ensure!(
        breaches.is_empty(),
        "laws are broken in {} places",
        breaches.len()
    );
    println!("All laws hold.");
    Ok(())
}

/// Every breach of a law in the repository at `root`.
pub fn breaches(root: &Path) -> Result<Vec<Breach>> {
    let workspace = Workspace::read(root)?;
    let plugins: Vec<_> = workspace
        .plugins()
        .iter()
        .chain(&workspace.house_rules())
        .map(|plugin| text::Plugin {
            name: plugin.name.clone(),
            folder: files::relative(&workspace.root, plugin.folder()) + "/",
        })
        .collect();
    let mut found = arrows::breaches(&workspace);
    for source in sources(root)? {
        text::words(&source, &mut found);
        text::other_plugins(&source, &plugins, &mut found);
        if source.path.ends_with(".rs") {
            text::length(&source, &mut found);
            rust::breaches(&source, &mut found);
        }
        if source.path.ends_with(".md") {
            links::breaches(root, &source, &mut found);
        }
    }
    found.sort();
    Ok(found)
}

/// Every text file of the repository. Hidden folders are left out, but for the two that are ours.
fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut paths = files::under(root)?;
    for ours in [".ci", ".cargo"] {
        paths.extend(files::under(&root.join(ours))?);
    }
    let mut sources = Vec::new();
    for path in paths {
        let Ok(text) = String::from_utf8(fs::read(&path)?) else {
            continue;
        };
        sources.push(Source {
            path: files::relative(root, &path),
            text,
        });
    }
    Ok(sources)
}
