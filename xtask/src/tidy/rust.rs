//! Laws on Rust code, which is read as tokens, so that code, comments and tests are told apart.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Breach, Source, text::is_word};

/// The crates that meet plugins, and the only ones that may be `unsafe`.
const BORDER: [&str; 3] = [
    "crates/plugin-abi/",
    "crates/plugin-host/",
    "crates/plugin-sdk/",
];

/// The chapters' numbers that stand nowhere in the core, not even in a comment.
const CHAPTERS: [&str; 3] = ["F4", "F6", "F7"];

/// Names of modules that say nothing of what they hold.
const DRAWERS: [&str; 2] = ["utils", "util"];

pub(super) fn breaches(source: &Source, found: &mut Vec<Breach>) {
    let code = match Code::read(&source.text) {
        Ok(code) => code,
        Err(error) => {
            let line = error.span().start().line;
            return found.push(source.breach(line, format!("not Rust: {error}")));
        }
    };
    drawers(source, &code, found);
    if !source.is_under(&BORDER) {
        for (line, _) in code.words.iter().filter(|(_, word)| word == "unsafe") {
            found.push(source.breach(*line, "`unsafe` belongs to the plugins' border only"));
        }
    }
    if source.is_under(&["crates/"]) && !is_test(&source.path) {
        rule_numbers(source, &code, found);
    }
}

fn drawers(source: &Source, code: &Code, found: &mut Vec<Breach>) {
    let file = source
        .path
        .trim_end_matches("/mod.rs")
        .trim_end_matches(".rs");
    let file = file.rsplit('/').next().unwrap_or(file);
    let inline = code
        .modules
        .iter()
        .map(|(line, name)| (*line, name.as_str()));
    for (line, name) in inline.chain([(0, file)]) {
        if DRAWERS.contains(&name) {
            found.push(source.breach(line, format!("`{name}` says nothing of what is in it")));
        }
    }
}

/// The core knows geometry, rounds and merging, and no rule.
fn rule_numbers(source: &Source, code: &Code, found: &mut Vec<Breach>) {
    let in_tests = |line: usize| code.tests.iter().any(|test| test.contains(&line));
    for (number, line) in (1..).zip(source.text.lines()) {
        if let Some(chapter) = chapter_in(line).filter(|_| !in_tests(number)) {
            let what = format!("{chapter}..: a rule's number; rules live in plugins");
            found.push(source.breach(number, what));
        }
    }
    for (line, text) in code.strings.iter().filter(|(line, _)| !in_tests(*line)) {
        if let Some(rule) = rule_in(text) {
            found.push(source.breach(
                *line,
                format!("{rule}: a rule's number; rules live in plugins"),
            ));
        }
    }
}

/// Whether a whole file is a test.
fn is_test(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "tests" | "benches" | "tests.rs"))
}

fn chapter_in(line: &str) -> Option<&'static str> {
    let starts = |at: usize| line.get(..at).is_none_or(|left| !left.ends_with(is_word));
    CHAPTERS.into_iter().find(|chapter| {
        line.match_indices(chapter).any(|(at, _)| {
            // `F64` is a float.
            starts(at) && !line.get(at..).is_some_and(|rest| rest.starts_with("F64"))
        })
    })
}

/// A rule's number in a string: `D9.4`, `A6.11`.
fn rule_in(text: &str) -> Option<&str> {
    let starts = text.char_indices().filter(|(at, c)| {
        ('A'..='F').contains(c) && !text.get(..*at).is_some_and(|left| left.ends_with(is_word))
    });
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    starts
        .filter_map(|(at, _)| text.get(at..))
        .find_map(|rule| {
            let chapter = 1 + digits(rule.get(1..)?);
            let section = rule.get(chapter..)?.strip_prefix('.').map(digits)?;
            if chapter > 1 && section > 0 {
                rule.get(..chapter + 1 + section)
            } else {
                None
            }
        })
}

/// What the laws look for in a file, each with its line.
#[derive(Default)]
struct Code {
    words: Vec<(usize, String)>,
    modules: Vec<(usize, String)>,
    /// String literals; documentation is none.
    strings: Vec<(usize, String)>,
    /// The lines of items that are compiled for tests only.
    tests: Vec<RangeInclusive<usize>>,
}

impl Code {
    fn read(text: &str) -> Result<Self, proc_macro2::LexError> {
        let mut code = Code::default();
        code.walk(text.parse()?);
        Ok(code)
    }

    fn walk(&mut self, tokens: TokenStream) {
        // Where an item for tests began, until its braces or its semicolon.
        let mut test_since = None;
        let mut before = String::new();
        for token in tokens {
            let start = token.span().start().line;
            let end = token.span().end().line;
            let mut closes = false;
            match token {
                TokenTree::Group(group) => {
                    let is_attribute = group.delimiter() == Delimiter::Bracket
                        && matches!(before.as_str(), "#" | "!");
                    if is_attribute && is_for_tests(&group) {
                        test_since = test_since.or(Some(start));
                    }
                    closes = group.delimiter() == Delimiter::Brace;
                    if !(is_attribute && first_word(&group) == "doc") {
                        self.walk(group.stream());
                    }
                    before.clear();
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    if before == "mod" {
                        self.modules.push((start, word.clone()));
                    }
                    self.words.push((start, word.clone()));
                    before = word;
                }
                TokenTree::Literal(literal) => {
                    let literal = literal.to_string();
                    if literal.contains('"') {
                        self.strings.push((start, literal));
                    }
                    before.clear();
                }
                TokenTree::Punct(punct) => {
                    closes = punct.as_char() == ';';
                    before = punct.as_char().to_string();
                }
            }
            if closes && let Some(since) = test_since.take() {
                self.tests.push(since..=end);
            }
        }
    }
}

/// Whether an attribute keeps its item for tests: `#[cfg(test)]`, `#[test]`, `#[tokio::test]`.
fn is_for_tests(attribute: &Group) -> bool {
    let mut words = Vec::new();
    idents(attribute.stream(), &mut words);
    let has = |word: &str| words.iter().any(|w| w == word);
    match words.first().map(String::as_str) {
        Some("cfg") => has("test") && !has("not"),
        Some("test") => true,
        Some(_) => words.get(1).is_some_and(|second| second == "test"),
        None => false,
    }
}

fn first_word(attribute: &Group) -> String {
    attribute
        .stream()
        .into_iter()
        .next()
        .map(|first| first.to_string())
        .unwrap_or_default()
}

fn idents(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => idents(group.stream(), words),
            _ => {}
        }
    }
}
