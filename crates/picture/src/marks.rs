//! By which mark and colour each layer is known.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};

use crate::frame::Frame;

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

/// What is drawn of the layers.
#[derive(Debug)]
pub(crate) struct Marks<'a> {
    /// The layers whose hexes are drawn.
    pub(crate) layers: Vec<LayerMark<'a>>,
    /// The fields whose hexsides are drawn.
    pub(crate) sides: Vec<SideMark<'a>>,
}

/// How a layer's hexes are drawn.
#[derive(Debug)]
pub(crate) struct LayerMark<'a> {
    pub(crate) name: &'a str,
    pub(crate) mark: char,
    pub(crate) colour: u8,
    hexes: BTreeSet<Hex>,
}

/// How the hexsides of a field are drawn.
#[derive(Debug)]
pub(crate) struct SideMark<'a> {
    pub(crate) layer: &'a str,
    pub(crate) field: &'a str,
    pub(crate) mark: char,
    pub(crate) colour: u8,
    sides: Vec<Hexside>,
}

impl<'a> Marks<'a> {
    /// The marks of what lies within the frame.
    pub(crate) fn of(map: &'a Map, looks: &BTreeMap<String, String>, frame: &Frame) -> Self {
        let mut marks = Self {
            layers: Vec::new(),
            sides: Vec::new(),
        };
        for (at, (name, layer)) in map.layers.iter().enumerate() {
            let look = looks.get(name).map_or("", String::as_str);
            let colour = LOOKS
                .iter()
                .find(|(word, _)| *word == look)
                .map_or(OTHERS[at % OTHERS.len()], |(_, colour)| *colour);
            let hexes: BTreeSet<Hex> = hexes_of(layer)
                .into_iter()
                .filter(|hex| frame.shows(*hex))
                .collect();
            if !hexes.is_empty() {
                marks.layers.push(LayerMark {
                    name,
                    mark: HEX_MARKS[marks.layers.len() % HEX_MARKS.len()],
                    colour,
                    hexes,
                });
            }
            marks.add_sides(name, layer, colour, frame);
        }
        marks
    }

    fn add_sides(&mut self, layer: &'a str, fields: &'a Layer, colour: u8, frame: &Frame) {
        for (field, content) in &fields.fields {
            let sides: Vec<Hexside> = match content {
                Field::Hexsides(sides) => sides.iter().copied().collect(),
                Field::HexsideValues(values) => values.keys().copied().collect(),
                Field::Hexes(_) | Field::HexValues(_) => continue,
            };
            let shown = |side: &Hexside| side.hexes().into_iter().any(|hex| frame.shows(hex));
            let sides: Vec<Hexside> = sides.into_iter().filter(shown).collect();
            if !sides.is_empty() {
                self.sides.push(SideMark {
                    layer,
                    field,
                    mark: SIDE_MARKS[self.sides.len() % SIDE_MARKS.len()],
                    colour,
                    sides,
                });
            }
        }
    }

    /// The marks of the layers that hold a hex.
    pub(crate) fn of_hex(&self, hex: Hex) -> Vec<char> {
        let layers = self
            .layers
            .iter()
            .filter(|layer| layer.hexes.contains(&hex));
        layers.map(|layer| layer.mark).collect()
    }

    /// The colour of the ground of a hex: that of its last layer.
    pub(crate) fn colour_of(&self, hex: Hex) -> Option<u8> {
        let mut layers = self.layers.iter().rev();
        let layer = layers.find(|layer| layer.hexes.contains(&hex))?;
        Some(layer.colour)
    }

    /// The hexsides to draw, each with its mark and colour.
    pub(crate) fn hexsides(&self) -> impl Iterator<Item = (Hexside, char, u8)> + '_ {
        self.sides.iter().flat_map(|field| {
            let (mark, colour) = (field.mark, field.colour);
            field.sides.iter().map(move |side| (*side, mark, colour))
        })
    }
}

/// The hexes that a layer holds; those to which it only gives numbers if it holds no others.
fn hexes_of(layer: &Layer) -> BTreeSet<Hex> {
    let fields = || layer.fields.values();
    let plain = fields().filter_map(|field| match field {
        Field::Hexes(hexes) => Some(hexes.iter().copied()),
        _ => None,
    });
    let hexes: BTreeSet<Hex> = plain.flatten().collect();
    if !hexes.is_empty() {
        return hexes;
    }
    let numbered = fields().filter_map(|field| match field {
        Field::HexValues(values) => Some(values.keys().copied()),
        _ => None,
    });
    numbered.flatten().collect()
}
