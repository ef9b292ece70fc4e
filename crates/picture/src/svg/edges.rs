//! What runs along hexsides, and over them.

use std::collections::BTreeSet;
use std::fmt::Write;

use alamein_hex::Hex;

use super::look::{self, Look};
use super::point::{HALF_HEIGHT, Layout, Point, Tenths};
use super::xml::Xml;
use crate::content::{Content, Sides};

/// How the hexsides of a field are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// A line with teeth towards the hexes of the layer, or to both sides.
    Teeth,
    /// A row of peaks.
    Peaks,
    /// A line of dashes.
    Dashes,
    /// A row of beads.
    Beads,
    /// Two lines.
    Double,
    /// A line with ties across.
    Ties,
    /// A road: from centre to centre over the hexside.
    Road,
    /// A track: the same in dashes.
    Track,
}

impl Edge {
    /// The edges of fields that say nothing of how they look, in turn: where a layer has hexes
    /// beside its hexsides, and where it has none.
    const IN_TURN: [[Self; 6]; 2] = [
        [
            Self::Teeth,
            Self::Dashes,
            Self::Beads,
            Self::Double,
            Self::Ties,
            Self::Peaks,
        ],
        [
            Self::Ties,
            Self::Beads,
            Self::Dashes,
            Self::Double,
            Self::Peaks,
            Self::Teeth,
        ],
    ];

    /// The edge of a field by the name of its layer, or else by the word of its manifest.
    fn known(field: &Sides<'_>) -> Option<(Self, &'static str)> {
        let of = |word: &str| match word {
            "road" => Some((Self::Road, "#7d5a3a")),
            "track" | "path" => Some((Self::Track, "#6b4423")),
            "crest" | "dune_crest" => Some((Self::Peaks, "#8a4b00")),
            "wall" => Some((Self::Double, "#4a4a4a")),
            "hedge" | "cactus" => Some((Self::Beads, "#2f5d2b")),
            _ => None,
        };
        of(field.layer).or_else(|| of(field.look))
    }
}

/// The inks of fields of layers that say nothing of how they look, in turn.
const INKS: [&str; 4] = ["#7a1f5c", "#1b4f7d", "#4a4a00", "#5c1f10"];

/// A field of hexsides and how it is drawn.
#[derive(Debug)]
pub(super) struct Drawing<'a> {
    pub(super) field: &'a Sides<'a>,
    pub(super) edge: Edge,
    pub(super) ink: &'static str,
    /// The hexes of its layer, to which its teeth point.
    inside: Option<&'a BTreeSet<Hex>>,
}

/// How each field of hexsides is drawn: no two alike as long as there are enough ways.
pub(super) fn of_sides<'a>(content: &'a Content<'a>, looks: &[Look]) -> Vec<Drawing<'a>> {
    let known: Vec<Option<(Edge, &str)>> = content.sides.iter().map(Edge::known).collect();
    let mut drawings: Vec<Drawing<'a>> = Vec::new();
    for (index, (field, known_so)) in content.sides.iter().zip(&known).enumerate() {
        let mut areas = content.areas.iter().zip(looks);
        let area = areas.find(|(area, _)| area.layer == field.layer);
        let taken = |edge: Edge| drawings.iter().any(|drawing| drawing.edge == edge);
        // A stranger does not take an edge from those that are known.
        let kept = |edge: Edge| known.iter().flatten().any(|(known, _)| *known == edge);
        let own = known_so.map(|(edge, _)| edge).filter(|edge| !taken(*edge));
        let in_turn = Edge::IN_TURN[usize::from(area.is_none())];
        let free = |edge: &Edge| !taken(*edge) && !kept(*edge);
        let edge = own.or_else(|| in_turn.into_iter().find(free));
        let ink = known_so
            .map(|(_, ink)| ink)
            .or(area.map(|(_, look)| look.ink))
            .or(look::known(field.layer, field.look).map(|look| look.ink));
        drawings.push(Drawing {
            field,
            edge: edge.unwrap_or(in_turn[index % in_turn.len()]),
            ink: ink.unwrap_or(INKS[index % INKS.len()]),
            inside: area.map(|(area, _)| &area.hexes),
        });
    }
    drawings
}

impl Drawing<'_> {
    /// Whether it runs over hexsides rather than along them.
    pub(super) fn is_way(&self) -> bool {
        matches!(self.edge, Edge::Road | Edge::Track)
    }

    /// Draws its hexsides.
    pub(super) fn draw(&self, layout: &Layout<'_>, xml: &mut Xml) {
        let runs = self.field.sides.iter().map(|side| {
            let ends = layout.ends(*side);
            let [one, other] = side.hexes().map(|hex| self.is_inside(hex));
            Run {
                ends,
                centres: side.hexes().map(|hex| match layout.shows(hex) {
                    // A way that leaves the picture ends at its edge.
                    false if self.is_way() => ends[0].towards(ends[1], 1, 2),
                    _ => layout.centre(hex),
                }),
                // Teeth point to the one side that is of the layer, or else to both.
                teeth: [one || !other, other || !one],
            }
        });
        let runs: Vec<Run> = runs.collect();
        draw(self.edge, self.ink, &runs, xml);
    }

    /// Whether its layer has hexes to which it belongs.
    pub(super) fn has_inside(&self) -> bool {
        self.inside.is_some()
    }

    fn is_inside(&self, hex: Hex) -> bool {
        self.inside.is_some_and(|hexes| hexes.contains(&hex))
    }
}

/// A hexside on the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) ends: [Point; 2],
    /// The centres of the hexes on either side.
    pub(super) centres: [Point; 2],
    /// To which of these teeth point.
    pub(super) teeth: [bool; 2],
}

impl Run {
    fn line(&self) -> String {
        format!("M{}L{}", self.ends[0], self.ends[1])
    }

    /// The point that lies so many thirtieths of the way along, and so many tenths off towards the
    /// hex on that side.
    fn beside(&self, thirtieths: i32, off: i32, side: usize) -> Point {
        let on = self.ends[0].towards(self.ends[1], thirtieths, 30);
        let middle = self.ends[0].towards(self.ends[1], 1, 2);
        let centre = self.centres[side.min(1)];
        on.by(
            (centre.x - middle.x) * off / HALF_HEIGHT,
            (centre.y - middle.y) * off / HALF_HEIGHT,
        )
    }

    fn teeth(&self) -> String {
        let mut path = String::new();
        for side in [0, 1] {
            if !self.teeth[side] {
                continue;
            }
            for at in [3, 9, 15, 21, 27] {
                let (foot, tip) = (self.beside(at, 0, side), self.beside(at, 55, side));
                let _ = write!(path, "M{foot}L{tip}");
            }
        }
        path
    }

    fn ties(&self) -> String {
        let mut path = String::new();
        for at in [5, 15, 25] {
            let (one, other) = (self.beside(at, 35, 0), self.beside(at, 35, 1));
            let _ = write!(path, "M{one}L{other}");
        }
        path
    }

    fn peaks(&self) -> String {
        let mut path = format!("M{}", self.beside(0, 15, 1));
        for at in [5, 15, 25] {
            let (tip, foot) = (self.beside(at, 40, 0), self.beside(at + 5, 15, 1));
            let _ = write!(path, "L{tip}L{foot}");
        }
        path
    }

    fn double(&self) -> String {
        let line = |side| {
            format!(
                "M{}L{}",
                self.beside(0, 17, side),
                self.beside(30, 17, side)
            )
        };
        line(0) + &line(1)
    }

    fn way(&self) -> String {
        let [one, other] = self.centres;
        format!("M{one}L{other}")
    }
}

/// Draws an edge along, or over, some hexsides.
pub(super) fn draw(edge: Edge, ink: &str, runs: &[Run], xml: &mut Xml) {
    let path = |of: fn(&Run) -> String| runs.iter().map(of).collect::<String>();
    let mut stroke = |d: &str, colour: &str, width: i32, dashes: &str| {
        let width = Tenths(width);
        let mut attributes: Vec<(&str, &dyn std::fmt::Display)> =
            vec![("d", &d), ("stroke", &colour), ("stroke-width", &width)];
        if !dashes.is_empty() {
            attributes.push(("stroke-dasharray", &dashes));
        }
        xml.put("path", &attributes);
    };
    match edge {
        Edge::Teeth => {
            stroke(&path(Run::line), ink, 28, "");
            stroke(&path(Run::teeth), ink, 13, "");
        }
        Edge::Peaks => {
            stroke(&path(Run::peaks), PALE, 42, "");
            stroke(&path(Run::peaks), ink, 20, "");
        }
        Edge::Dashes => {
            stroke(&path(Run::line), PALE, 50, "");
            stroke(&path(Run::line), ink, 34, "6 5");
        }
        Edge::Beads => {
            stroke(&path(Run::line), PALE, 60, "0 6");
            stroke(&path(Run::line), ink, 42, "0 6");
        }
        Edge::Double => stroke(&path(Run::double), ink, 16, ""),
        Edge::Ties => {
            stroke(&path(Run::line), ink, 16, "");
            stroke(&path(Run::ties), ink, 16, "");
        }
        Edge::Road => {
            stroke(&path(Run::way), ink, 70, "");
            stroke(&path(Run::way), "#f4e6cf", 46, "");
        }
        Edge::Track => {
            stroke(&path(Run::way), PALE, 34, "");
            stroke(&path(Run::way), ink, 22, "7 5");
        }
    }
}

/// What parts an edge from the ground.
const PALE: &str = "#fffaf0";
