//! The plugin author's book shows files that are what it says they are. (Its Rust is compiled by the
//! SDK's doctests, its C is a plugin that other tests build.)
#![allow(clippy::unwrap_used)] // A test may.

use std::fs;
use std::path::PathBuf;

use alamein_rulesets::RulesetSpec;
use alamein_terrain::Manifest;
use alamein_tests::{engine, known, linked_plugins, root};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A block of code: the page, the words after the fence, the text.
struct Block {
    page: PathBuf,
    words: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for entry in fs::read_dir(root().join("docs/book/src")).unwrap() {
        let page = entry.unwrap().path();
        if page.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let mut open: Option<Block> = None;
        for event in Parser::new(&fs::read_to_string(&page).unwrap()) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(words))) => {
                    open = Some(Block {
                        page: page.clone(),
                        words: words.to_string(),
                        text: String::new(),
                    });
                }
                Event::Text(text) => {
                    if let Some(open) = &mut open {
                        open.text.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
    }
    blocks
}

fn blocks_of(words: &str) -> Vec<Block> {
    let blocks: Vec<Block> = blocks()
        .into_iter()
        .filter(|it| it.words == words)
        .collect();
    assert!(!blocks.is_empty(), "the book shows no {words}");
    blocks
}

#[test]
fn every_block_says_what_it_is() {
    const KNOWN: [&str; 10] = [
        "rust",
        "sh",
        "text",
        "c",
        "json",
        "json,manifest",
        "json,case",
        "toml,ruleset",
        "console",
        "diff",
    ];
    for Block { page, words, .. } in blocks() {
        assert!(
            KNOWN.contains(&words.as_str()),
            "{}: {words:?}",
            page.display()
        );
    }
}

#[test]
fn manifests_are_manifests() {
    for Block { page, text, .. } in blocks_of("json,manifest") {
        let manifest = Manifest::parse(&text);
        assert!(manifest.is_ok(), "{}: {:?}", page.display(), manifest.err());
    }
}

#[test]
fn cases_are_cases() {
    let known = known(&engine(&linked_plugins().unwrap()).unwrap());
    for Block { page, text, .. } in blocks_of("json,case") {
        let case = alamein_cases::parse(&page.display().to_string(), &text, &known).unwrap();
        assert!(!case.questions.is_empty());
    }
}

#[test]
fn rulesets_are_rulesets() {
    for Block { page, text, .. } in blocks_of("toml,ruleset") {
        let spec = RulesetSpec::from_toml(&text);
        assert!(spec.is_ok(), "{}: {:?}", page.display(), spec.err());
    }
}

#[test]
fn what_else_is_json_is_json() {
    for Block { page, text, .. } in blocks_of("json") {
        let value = serde_json::from_str::<serde_json::Value>(&text);
        assert!(value.is_ok(), "{}: {:?}", page.display(), value.err());
    }
}

#[test]
fn every_kind_of_the_bundled_plugins_is_listed() {
    let page = fs::read_to_string(root().join("docs/book/src/kinds.md")).unwrap();
    for plugin in linked_plugins().unwrap() {
        for kind in plugin.kinds() {
            assert!(
                page.contains(&format!("`{kind}`")),
                "{}: {kind}",
                plugin.id()
            );
        }
    }
}
