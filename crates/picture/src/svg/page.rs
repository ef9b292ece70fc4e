//! The picture as a whole.

use std::collections::BTreeSet;

use alamein_terrain::Counter;

use super::edges::{self, Drawing};
use super::legend::Legend;
use super::look::{self, Look};
use super::point::{Layout, Point, Tenths};
use super::xml::Xml;
use super::{counters, ground, line, words};
use crate::content::Area;
use crate::frame::TooLarge;
use crate::scene::{Drawn, Scene};

/// The edge around all.
const PADDING: i32 = 160;
/// The room for a title.
const TITLE: i32 = 260;
/// What parts the map from its legend.
const BETWEEN: i32 = 130;
/// The least room for a legend.
const LEAST: i32 = 3600;

/// Draws a scene in SVG, on a ground of its own, so that it can lie on any page.
///
/// Each hex is an element with its name in `data-hex`, each layer a group with its name in
/// `data-layer`, and each counter a group with its id in `data-counter`. Nothing in the picture
/// comes from elsewhere, and it holds no script.
///
/// # Errors
/// More hexes than anybody could look at.
pub fn svg(scene: &Scene<'_>) -> Result<String, TooLarge> {
    let drawn = Drawn::of(scene)?;
    let looks = look::of_areas(&drawn.content);
    let sides = scene.position.counters().iter();
    let sides = sides.filter_map(|counter| counter.side.as_deref());
    let top = PADDING + if scene.title.is_empty() { 0 } else { TITLE };
    let mut picture = Picture {
        layout: Layout::new(&drawn.frame, Point::new(PADDING, top)),
        drawings: edges::of_sides(&drawn.content, &looks),
        sides: sides.collect(),
        looks,
        drawn: &drawn,
    };
    let (map, height) = picture.layout.size();
    let legend = Legend::of(&picture, map.max(LEAST));
    let width = map.max(legend.width);
    picture.layout = Layout::new(&drawn.frame, Point::new(PADDING + (width - map) / 2, top));
    let under = match legend.height {
        0 => PADDING,
        legend => BETWEEN + legend + PADDING / 2,
    };
    let page = Page {
        width: width + 2 * PADDING,
        height: top + height + under,
        legend_at: Point::new(PADDING, top + height + BETWEEN),
    };
    Ok(page.write(&picture, &legend))
}

/// What is drawn, where and how.
pub(super) struct Picture<'a> {
    pub(super) drawn: &'a Drawn<'a>,
    pub(super) layout: Layout<'a>,
    pub(super) drawings: Vec<Drawing<'a>>,
    looks: Vec<Look>,
    sides: BTreeSet<&'a str>,
}

impl<'a> Picture<'a> {
    /// The layers in the order in which they are laid: ground, then what covers it.
    pub(super) fn areas(&self) -> impl Iterator<Item = (&'a Area<'a>, &Look)> {
        let of = |cover: bool| {
            let areas = self.drawn.content.areas.iter().zip(&self.looks);
            areas.filter(move |(_, look)| look.cover == cover)
        };
        of(false).chain(of(true))
    }

    /// The fields of layers that single out some hexes.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'a Area<'a>, &'a str, &Look)> {
        self.areas().flat_map(|(area, look)| {
            let fields = area.parts.iter();
            fields.map(move |(field, _)| (area, *field, look))
        })
    }

    /// The counters that are seen.
    pub(super) fn counters(&self) -> impl Iterator<Item = &'a Counter> {
        let counters = self.drawn.scene.position.counters().iter();
        counters.filter(|counter| self.drawn.frame.shows(counter.hex))
    }

    /// The place of a counter's side in the order of names.
    pub(super) fn side_of(&self, counter: &Counter) -> Option<usize> {
        let side = counter.side.as_deref()?;
        self.sides.iter().position(|name| *name == side)
    }
}

/// A picture's measures.
struct Page {
    width: i32,
    height: i32,
    legend_at: Point,
}

impl Page {
    fn write(&self, picture: &Picture<'_>, legend: &Legend) -> String {
        let mut xml = Xml::default();
        let (width, height) = (Tenths(self.width), Tenths(self.height));
        let title = words::title(picture.drawn.scene);
        xml.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &width),
                ("height", &height),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("role", &"img"),
                ("aria-label", &title),
                ("fill", &"none"),
                ("stroke-linecap", &"round"),
                ("stroke-linejoin", &"round"),
                (
                    "font-family",
                    &"system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
                ),
            ],
        );
        xml.say("title", &[], &title);
        xml.say("desc", &[], &words::description(picture));
        self.paper(&mut xml);
        textures(picture, &mut xml);
        heading(picture, &mut xml);
        ground::draw(picture, &mut xml);
        edges(picture, &mut xml);
        line::draw(picture, &mut xml);
        ground::write(picture, &mut xml);
        counters::draw(picture, &mut xml);
        legend.draw(self.legend_at, &mut xml);
        xml.finish()
    }

    /// A sheet of paper under all.
    fn paper(&self, xml: &mut Xml) {
        let (width, height) = (Tenths(self.width - 10), Tenths(self.height - 10));
        xml.put(
            "rect",
            &[
                ("x", &".5"),
                ("y", &".5"),
                ("width", &width),
                ("height", &height),
                ("rx", &"10"),
                ("fill", &"#fffaf0"),
                ("stroke", &"#c8b995"),
            ],
        );
    }
}

fn textures(picture: &Picture<'_>, xml: &mut Xml) {
    if picture.looks.is_empty() {
        return;
    }
    xml.open("defs", &[]);
    for (_, look) in picture.areas() {
        look.texture.define(look.ink, xml);
    }
    xml.close();
}

fn heading(picture: &Picture<'_>, xml: &mut Xml) {
    let title = &picture.drawn.scene.title;
    if title.is_empty() {
        return;
    }
    let at = Point::new(PADDING, PADDING + 120);
    xml.open(
        "g",
        &[
            ("font-size", &"15"),
            ("font-weight", &"700"),
            ("fill", &ground::WRITING),
        ],
    );
    ground::say(title, at, xml);
    xml.close();
}

/// Draws the hexsides of layers, ways first: what runs along a hexside is seen above a road.
fn edges(picture: &Picture<'_>, xml: &mut Xml) {
    for ways in [true, false] {
        let drawings = picture.drawings.iter();
        for drawing in drawings.filter(|drawing| drawing.is_way() == ways) {
            xml.open(
                "g",
                &[
                    ("data-layer", &drawing.field.layer),
                    ("data-field", &drawing.field.field),
                ],
            );
            drawing.draw(&picture.layout, xml);
            xml.close();
        }
    }
}
