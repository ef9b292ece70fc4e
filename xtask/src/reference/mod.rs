//! The reference of the API in the book, written from the comments of the protos.
//!
//! Each proto file makes a page, in [`PAGES`]: its service with its methods, its messages with their fields,
//! its enums with their values. What a comment names in backticks is linked where the API has it. What the
//! comments must say is in `laws.rs`.

mod api;
mod laws;
mod page;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, ensure};

use alamein_plugin_build::files;

use api::Api;

/// Where the pages lie, seen from the root.
pub const PAGES: &str = "docs/book/src/api";

const SUMMARY: &str = "docs/book/src/SUMMARY.md";

/// Writes the pages, and takes away those that no file makes any more.
///
/// # Errors
/// Where the protos cannot be read, or the pages not written.
pub fn write(root: &Path) -> Result<()> {
    let made = pages(root)?;
    let folder = root.join(PAGES);
    files::make_folder(&folder)?;
    for (name, text) in &made {
        files::place(&folder.join(name), text.as_bytes(), false)?;
    }
    for old in files::under(&folder)? {
        if !made.contains_key(&files::relative(&folder, &old)) {
            fs::remove_file(&old).with_context(|| old.display().to_string())?;
        }
    }
    println!("{PAGES}: {} pages", made.len());
    Ok(())
}

/// Checks that the comments say what they must, that the pages are what they say, and that the book has
/// each of them.
///
/// # Errors
/// All that a comment lacks; or the first page that is not current.
pub fn check(root: &Path) -> Result<()> {
    let api = Api::read(root)?;
    let breaches = laws::breaches(&api);
    ensure!(
        breaches.is_empty(),
        "the API's comments lack something:\n{}",
        breaches.join("\n")
    );
    let made = pages_of(&api);
    let folder = root.join(PAGES);
    let mut held = BTreeMap::new();
    for path in files::under(&folder)? {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        held.insert(files::relative(&folder, &path), text);
    }
    let hint = "`cargo xtask reference` mends this";
    for (name, text) in &made {
        let same = held.remove(name).is_some_and(|held| held == *text);
        ensure!(same, "{PAGES}/{name} is not what the protos say; {hint}");
    }
    let old: Vec<_> = held.into_keys().collect();
    ensure!(
        old.is_empty(),
        "no proto makes these any more: {}; {hint}",
        old.join(", ")
    );
    let summary = fs::read_to_string(root.join(SUMMARY)).context(SUMMARY)?;
    for name in made.keys() {
        ensure!(
            summary.contains(&format!("(api/{name})")),
            "{SUMMARY} does not have api/{name}"
        );
    }
    println!("{PAGES} is what the protos say.");
    Ok(())
}

/// The pages that the protos make, by their files' names.
fn pages(root: &Path) -> Result<BTreeMap<String, String>> {
    Ok(pages_of(&Api::read(root)?))
}

fn pages_of(api: &Api) -> BTreeMap<String, String> {
    let files = api.files();
    files
        .map(|file| (api::page_of(&file), page::page(api, &file)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_current_and_the_comments_say_what_they_must() {
        if let Err(error) = check(&crate::root()) {
            panic!("{error:#}");
        }
    }
}
