//! What the layers hold of the part of a map that is drawn.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};

use crate::frame::Frame;

/// What is drawn of the layers.
#[derive(Debug)]
pub(crate) struct Content<'a> {
    /// The layers that hold hexes, by name.
    pub(crate) areas: Vec<Area<'a>>,
    /// The fields that hold hexsides, by layer and name.
    pub(crate) sides: Vec<Sides<'a>>,
}

/// The hexes of a layer.
#[derive(Debug)]
pub(crate) struct Area<'a> {
    pub(crate) layer: &'a str,
    /// How its manifest says that it looks; empty if nothing says so.
    pub(crate) look: &'a str,
    /// Which layer of the map it is.
    pub(crate) index: usize,
    /// All of its hexes that are drawn.
    pub(crate) hexes: BTreeSet<Hex>,
    /// The fields of hexes beside the first that holds them all.
    pub(crate) parts: Vec<(&'a str, BTreeSet<Hex>)>,
    /// The numbers of its hexes, if it holds nothing else.
    pub(crate) numbers: BTreeMap<Hex, i64>,
}

/// The hexsides of a field.
#[derive(Debug)]
pub(crate) struct Sides<'a> {
    pub(crate) layer: &'a str,
    pub(crate) field: &'a str,
    pub(crate) look: &'a str,
    pub(crate) index: usize,
    pub(crate) sides: Vec<Hexside>,
}

impl<'a> Content<'a> {
    /// What lies within the frame.
    pub(crate) fn of(map: &'a Map, looks: &'a BTreeMap<String, String>, frame: &Frame) -> Self {
        let mut content = Self {
            areas: Vec::new(),
            sides: Vec::new(),
        };
        for (index, (name, layer)) in map.layers.iter().enumerate() {
            let look = looks.get(name).map_or("", String::as_str);
            let area = Area {
                look,
                index,
                ..Area::of(name, layer, frame)
            };
            if !area.hexes.is_empty() {
                content.areas.push(area);
            }
            let sides = layer.fields.iter().filter_map(|(field, content)| {
                let sides = shown_sides(content, frame);
                (!sides.is_empty()).then_some(Sides {
                    layer: name,
                    field,
                    look,
                    index,
                    sides,
                })
            });
            content.sides.extend(sides);
        }
        content
    }
}

impl<'a> Area<'a> {
    /// The hexes that a layer holds; those to which it only gives numbers if it holds no others.
    fn of(name: &'a str, layer: &'a Layer, frame: &Frame) -> Self {
        let mut area = Self {
            layer: name,
            look: "",
            index: 0,
            hexes: BTreeSet::new(),
            parts: Vec::new(),
            numbers: BTreeMap::new(),
        };
        for (field, content) in &layer.fields {
            match content {
                Field::Hexes(hexes) => {
                    area.hexes.extend(hexes);
                    area.parts.push((field, hexes.clone()));
                }
                Field::HexValues(values) => area.numbers.extend(values),
                Field::Hexsides(_) | Field::HexsideValues(_) => {}
            }
        }
        if area.hexes.is_empty() {
            area.hexes = area.numbers.keys().copied().collect();
        } else {
            area.numbers.clear();
        }
        area.parts.retain(|(_, hexes)| *hexes != area.hexes);
        let shown = |hex: &Hex| frame.shows(*hex);
        area.hexes.retain(shown);
        area.numbers.retain(|hex, _| shown(hex));
        for (_, hexes) in &mut area.parts {
            hexes.retain(shown);
        }
        area.parts.retain(|(_, hexes)| !hexes.is_empty());
        area
    }
}

fn shown_sides(field: &Field, frame: &Frame) -> Vec<Hexside> {
    let sides: Vec<Hexside> = match field {
        Field::Hexsides(sides) => sides.iter().copied().collect(),
        Field::HexsideValues(values) => values.keys().copied().collect(),
        Field::Hexes(_) | Field::HexValues(_) => Vec::new(),
    };
    let shown = |side: &Hexside| side.hexes().into_iter().any(|hex| frame.shows(hex));
    sides.into_iter().filter(shown).collect()
}
