//! Counters as small squares with a drawing of what they are.

use std::collections::BTreeMap;
use std::fmt::Display;

use alamein_hex::Hex;
use alamein_terrain::{Counter, CounterClass};

use super::page::Picture;
use super::point::{Point, Tenths};
use super::symbols;
use super::xml::Xml;
use crate::told;

/// How many letters of a counter's id are shown.
const LETTERS: usize = 5;

/// How a side's counters look: their colours, and a shape that tells them apart without these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Livery {
    fill: &'static str,
    ink: &'static str,
    shape: &'static str,
}

/// The outline of a square counter, 25 wide and 23 high.
const SQUARE: &str = "M-12.5-11.5h25v23h-25z";

/// The looks of sides, in the order of their names.
const SIDES: [Livery; 4] = [
    Livery {
        fill: "#e3ecf7",
        ink: "#173f6b",
        shape: SQUARE,
    },
    Livery {
        fill: "#fde8d4",
        ink: "#86310a",
        shape: "M-12.5-6.5l5-5h15l5 5v13l-5 5h-15l-5-5z",
    },
    Livery {
        fill: "#e8f3e2",
        ink: "#25561f",
        shape: "M-3-11.5h6q9.5 0 9.5 9.5v4q0 9.5-9.5 9.5h-6q-9.5 0-9.5-9.5v-4q0-9.5 9.5-9.5z",
    },
    Livery {
        fill: "#f0e6f7",
        ink: "#562574",
        shape: "M-12.5-8.5l12.5-3 12.5 3v17l-12.5 3-12.5-3z",
    },
];

/// The look of what is nobody's.
const NOBODY: Livery = Livery {
    fill: "#efeeea",
    ink: "#454340",
    shape: SQUARE,
};

/// The look of a side, by its place in the order of names.
pub(super) fn livery(side: Option<usize>) -> Livery {
    side.map_or(NOBODY, |side| SIDES[side % SIDES.len()])
}

/// Draws all counters and labels.
pub(super) fn draw(picture: &Picture<'_>, xml: &mut Xml) {
    let scene = picture.drawn.scene;
    let mut stacks: BTreeMap<Hex, Vec<&Counter>> = BTreeMap::new();
    for counter in picture.counters() {
        stacks.entry(counter.hex).or_default().push(counter);
    }
    xml.open("g", &[("text-anchor", &"middle")]);
    for (hex, stack) in &stacks {
        let centre = picture.layout.centre(*hex).by(0, -5);
        let (size, places) = places(stack.len());
        for (at, counter) in places.iter().zip(stack) {
            let place = Place {
                at: centre.by(at.0, at.1),
                size,
            };
            xml.open("g", &[("data-counter", &counter.id), ("transform", &place)]);
            xml.say("title", &[], &told::counter(counter, scene));
            let livery = livery(picture.side_of(counter));
            body(counter.class, livery, xml);
            under(&shortened(&counter.id, LETTERS), livery, xml);
            pill(&badges(counter), livery, xml);
            xml.close();
        }
        if stack.len() > places.len() {
            let more = format!("+{}", stack.len() - places.len());
            xml.open(
                "g",
                &[
                    ("font-size", &"9"),
                    ("font-weight", &"700"),
                    ("fill", &NOBODY.ink),
                ],
            );
            super::ground::say(&more, centre.by(85, 105), xml);
            xml.close();
        }
    }
    for label in &scene.labels {
        let below = if stacks.contains_key(&label.hex) {
            190
        } else {
            45
        };
        let at = picture.layout.centre(label.hex).by(0, below);
        tag(&shortened(&label.word, LETTERS + 4), at, xml);
    }
    xml.close();
}

/// Where a counter is, and how large in hundredths.
struct Place {
    at: Point,
    size: i32,
}

impl Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "translate({})", self.at)?;
        match self.size {
            100 => Ok(()),
            size => write!(f, " scale(.{size})"),
        }
    }
}

/// How large so many counters in a hex are, and where. Where there are too many the last place is
/// left for their number.
fn places(counters: usize) -> (i32, &'static [(i32, i32)]) {
    const FOUR: [(i32, i32); 4] = [(-85, -40), (85, -40), (-85, 115), (85, 115)];
    match counters {
        0 | 1 => (100, &[(0, 0)]),
        2 => (88, &[(-115, 0), (115, 0)]),
        3 | 4 => (62, &FOUR),
        _ => (62, &FOUR[..3]),
    }
}

/// The counter itself and what it shows.
pub(super) fn body(class: CounterClass, livery: Livery, xml: &mut Xml) {
    frame(livery, xml);
    let drawing = symbols::of_class(class);
    let up: &dyn Display = &"translate(0 -3)";
    xml.put(
        "path",
        &[
            ("d", &drawing.shapes),
            ("fill", &livery.ink),
            ("transform", up),
        ],
    );
    if !drawing.lines.is_empty() {
        xml.put(
            "path",
            &[
                ("d", &drawing.lines),
                ("stroke", &livery.ink),
                ("stroke-width", &"1.6"),
                ("transform", up),
            ],
        );
    }
}

/// A counter that shows nothing.
pub(super) fn frame(livery: Livery, xml: &mut Xml) {
    xml.put(
        "path",
        &[
            ("d", &livery.shape),
            ("fill", &livery.fill),
            ("stroke", &livery.ink),
            ("stroke-width", &"1.4"),
        ],
    );
}

/// What is written under the drawing.
fn under(words: &str, livery: Livery, xml: &mut Xml) {
    xml.say(
        "text",
        &[
            ("y", &"10"),
            ("font-size", &"7.5"),
            ("font-weight", &"700"),
            ("fill", &livery.ink),
        ],
        words,
    );
}

/// What is written over the lower edge.
fn pill(words: &str, livery: Livery, xml: &mut Xml) {
    if words.is_empty() {
        return;
    }
    let width = 35 * length(words) + 40;
    let (left, width) = (Tenths(-width / 2), Tenths(width));
    xml.put(
        "rect",
        &[
            ("x", &left),
            ("y", &"11"),
            ("width", &width),
            ("height", &"7"),
            ("rx", &"3.5"),
            ("fill", &livery.ink),
        ],
    );
    xml.say(
        "text",
        &[("y", &"16.4"), ("font-size", &"5.6"), ("fill", &"#fff")],
        words,
    );
}

/// A word in a hex.
fn tag(words: &str, at: Point, xml: &mut Xml) {
    let width = 45 * length(words) + 80;
    let (left, top) = (Tenths(at.x - width / 2), Tenths(at.y - 75));
    let (x, y, width) = (Tenths(at.x), Tenths(at.y), Tenths(width));
    xml.put(
        "rect",
        &[
            ("x", &left),
            ("y", &top),
            ("width", &width),
            ("height", &"10.5"),
            ("rx", &"5.2"),
            ("fill", &"#fffaf0"),
            ("stroke", &super::line::INK),
            ("stroke-width", &"1.2"),
        ],
    );
    let ink = super::line::INK;
    xml.say(
        "text",
        &[("x", &x), ("y", &y), ("font-size", &"8"), ("fill", &ink)],
        words,
    );
}

/// What there is to a counter beside its class, in a few letters.
fn badges(counter: &Counter) -> String {
    let mut badges: Vec<String> = counter.flags.names().map(abbreviation).collect();
    if counter.height != 0 {
        badges.push(format!("{:+}h", counter.height));
    }
    if let Some(carrier) = &counter.aboard {
        badges.push(format!("@{}", shortened(carrier, LETTERS)));
    }
    badges.join(" ")
}

/// The first letters of some words, or the first two of one.
pub(super) fn abbreviation(name: &str) -> String {
    let words: Vec<&str> = name.split('_').collect();
    match words.as_slice() {
        [word] => {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters.take(1)).collect()
        }
        words => {
            let firsts = words.iter().filter_map(|word| word.chars().next());
            firsts.map(|letter| letter.to_ascii_uppercase()).collect()
        }
    }
}

fn length(words: &str) -> i32 {
    i32::try_from(words.chars().count()).unwrap_or_default()
}

/// A word, cut to so many letters.
fn shortened(word: &str, letters: usize) -> String {
    if word.chars().count() <= letters {
        return word.to_owned();
    }
    word.chars().take(letters - 1).chain(['\u{2026}']).collect()
}
