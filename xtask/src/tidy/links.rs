//! A law on Markdown: what a page links to or includes is there.

use std::{collections::BTreeSet, fs, path::Path};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Breach, Source};

/// Every link of a page to a file of this repository, or to a heading of a page, leads somewhere, and
/// so does every `{{#include …}}` of the book.
pub(super) fn breaches(root: &Path, source: &Source, found: &mut Vec<Breach>) {
    let here = root.join(&source.path);
    let folder = here.parent().unwrap_or(root);
    for (at, link) in links(&source.text) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let line = line_of(&source.text, at);
        let (path, heading) = link.split_once('#').unwrap_or((&link, ""));
        let file = match path {
            "" => here.clone(),
            path => folder.join(path),
        };
        if !file.exists() {
            found.push(source.breach(line, format!("links to {path}, which is not there")));
        } else if !heading.is_empty() && !has_heading(&file, heading) {
            found.push(source.breach(line, format!("{link}: the page has no such heading")));
        }
    }
    for (at, path) in includes(&source.text) {
        if !folder.join(path).is_file() {
            let line = line_of(&source.text, at);
            found.push(source.breach(line, format!("includes {path}, which is not there")));
        }
    }
}

fn links(text: &str) -> impl Iterator<Item = (usize, String)> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some((range.start, dest_url.into_string()))
        }
        _ => None,
    })
}

/// The paths that a page of the book includes, without the parts of files that they may name.
fn includes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("{{#include ").filter_map(|(at, open)| {
        let path = text.get(at + open.len()..)?.split("}}").next()?;
        Some((at, path.split(':').next().unwrap_or(path).trim()))
    })
}

fn has_heading(file: &Path, heading: &str) -> bool {
    // What is no page, such as a line of a source, has no headings to be checked.
    let is_page = file.extension().is_some_and(|extension| extension == "md");
    !is_page || fs::read_to_string(file).is_ok_and(|text| headings(&text).contains(heading))
}

/// The anchors of a page: its headings as GitHub and mdBook write them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut open: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(open) = &mut open {
                    open.push_str(&words);
                }
            }
            Event::End(TagEnd::Heading(_)) => anchors.extend(open.take().map(|it| anchor(&it))),
            _ => {}
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || "-_".contains(c) => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    heading.chars().filter_map(kept).collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("other.md"),
            "# A `heading`, with words\n",
        )
        .unwrap();
        let source = Source {
            path: "page.md".into(),
            text: text.into(),
        };
        fs::write(folder.path().join("page.md"), text).unwrap();
        let mut found = Vec::new();
        breaches(folder.path(), &source, &mut found);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_link_that_leads_somewhere_is_right() {
        let text = "# Here\n[a](other.md) [b](other.md#a-heading-with-words) [c](#here) \
                    [d](https://example.org/x) {{#include other.md:2:3}}";
        assert_eq!(told(text), Vec::<String>::new());
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told_with_its_line() {
        assert_eq!(
            told("x\n\n[a](gone.md)"),
            ["page.md:3: links to gone.md, which is not there"]
        );
        assert_eq!(
            told("[b](other.md#gone)"),
            ["page.md:1: other.md#gone: the page has no such heading"]
        );
        assert_eq!(
            told("{{#include gone.rs}}"),
            ["page.md:1: includes gone.rs, which is not there"]
        );
    }
}
