//! By which mark and colour each layer is known.

use alamein_hex::{Hex, Hexside};

use crate::content::{Area, Content, Sides};

/// The marks of hexes, in turn.
const HEX_MARKS: [char; 8] = ['.', '^', ':', '"', '~', '%', 'o', '&'];

/// The marks of hexsides, in turn.
const SIDE_MARKS: [char; 5] = ['#', '=', '+', '$', '@'];

/// The colours of words that manifests use for how a layer looks.
const LOOKS: [(&str, u8); 10] = [
    ("golden", 221),
    ("mound", 180),
    ("sandy", 229),
    ("stony", 250),
    ("green", 151),
    ("brush", 186),
    ("brown", 137),
    ("blue", 153),
    ("grey", 252),
    ("red", 217),
];

/// The colours of other layers, in turn.
const OTHERS: [u8; 6] = [151, 153, 186, 217, 183, 250];

/// How what is drawn of the layers is marked.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    /// The layers whose hexes are drawn.
    pub(super) areas: Vec<Marked<'a, Area<'a>>>,
    /// The fields whose hexsides are drawn.
    pub(super) sides: Vec<Marked<'a, Sides<'a>>>,
}

/// Something with its mark and colour.
#[derive(Debug)]
pub(super) struct Marked<'a, T> {
    pub(super) what: &'a T,
    pub(super) mark: char,
    colour: u8,
}

impl<'a> Marks<'a> {
    /// The marks of what is drawn.
    pub(super) fn of(content: &'a Content<'_>) -> Self {
        let areas = content.areas.iter().zip(HEX_MARKS.into_iter().cycle());
        let sides = content.sides.iter().zip(SIDE_MARKS.into_iter().cycle());
        let area = |(what, mark): (&'a Area<'_>, char)| Marked {
            what,
            mark,
            colour: colour(what.look, what.index),
        };
        let side = |(what, mark): (&'a Sides<'_>, char)| Marked {
            what,
            mark,
            colour: colour(what.look, what.index),
        };
        Self {
            areas: areas.map(area).collect(),
            sides: sides.map(side).collect(),
        }
    }

    /// The marks of the layers that hold a hex.
    pub(super) fn of_hex(&self, hex: Hex) -> Vec<char> {
        let areas = self.areas.iter();
        let here = areas.filter(|area| area.what.hexes.contains(&hex));
        here.map(|area| area.mark).collect()
    }

    /// The colour of the ground of a hex: that of its last layer.
    pub(super) fn colour_of(&self, hex: Hex) -> Option<u8> {
        let mut areas = self.areas.iter().rev();
        let area = areas.find(|area| area.what.hexes.contains(&hex))?;
        Some(area.colour)
    }

    /// The hexsides to draw, each with its mark and colour.
    pub(super) fn hexsides(&self) -> impl Iterator<Item = (Hexside, char, u8)> + '_ {
        self.sides.iter().flat_map(|field| {
            let (mark, colour) = (field.mark, field.colour);
            let sides = field.what.sides.iter();
            sides.map(move |side| (*side, mark, colour))
        })
    }
}

/// The colour of a layer that looks so, or in turn.
fn colour(look: &str, index: usize) -> u8 {
    let known = LOOKS.iter().find(|(word, _)| *word == look);
    known.map_or(OTHERS[index % OTHERS.len()], |(_, colour)| *colour)
}
