//! Textures: what tells grounds apart without their colours.

use super::xml::Xml;

/// A texture that repeats over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texture {
    /// Lines that rise to the right.
    Hatch,
    /// Lines that fall to the right.
    Backhatch,
    /// Lines both ways.
    Lattice,
    /// Bows open below.
    Arcs,
    /// Grains.
    Dots,
    /// Grains between long low waves.
    Ripples,
    /// Small stones.
    Stones,
    /// Small tufts.
    Tufts,
    /// Waves.
    Waves,
    /// A wall of bricks.
    Bricks,
    /// Small rings.
    Rings,
    /// Small crosses.
    Crosses,
    /// Peaks.
    Chevrons,
    /// Squares.
    Grid,
    /// Short level lines.
    Dashes,
    /// Small diamonds.
    Diamonds,
    /// Small triangles.
    Triangles,
}

impl Texture {
    fn name(self) -> &'static str {
        match self {
            Self::Hatch => "hatch",
            Self::Backhatch => "backhatch",
            Self::Lattice => "lattice",
            Self::Arcs => "arcs",
            Self::Dots => "dots",
            Self::Ripples => "ripples",
            Self::Stones => "stones",
            Self::Tufts => "tufts",
            Self::Waves => "waves",
            Self::Bricks => "bricks",
            Self::Rings => "rings",
            Self::Crosses => "crosses",
            Self::Chevrons => "chevrons",
            Self::Grid => "grid",
            Self::Dashes => "dashes",
            Self::Diamonds => "diamonds",
            Self::Triangles => "triangles",
        }
    }

    /// What its pattern is called. The name tells all that the pattern is, so that several pictures
    /// on one page do not disturb each other.
    pub(super) fn id(self, ink: &str) -> String {
        format!("alamein-{}-{}", self.name(), ink.trim_start_matches('#'))
    }

    /// The width and height of its tile, the lines on it, and the filled shapes on it.
    fn tile(self) -> (u32, u32, &'static str, &'static str) {
        match self {
            Self::Hatch => (8, 8, "M-2 2l4-4M0 8l8-8M6 10l4-4", ""),
            Self::Backhatch => (8, 8, "M-2 6l4 4M0 0l8 8M6-2l4 4", ""),
            Self::Lattice => (10, 10, "M0 10l10-10M0 0l10 10", ""),
            Self::Arcs => (16, 12, "M1 5q3-4.5 6 0M9 11q3-4.5 6 0", ""),
            Self::Dots => (
                10,
                10,
                "",
                "M2 2.2h1.3v1.3h-1.3zM7 4.6h1.3v1.3h-1.3zM4 8h1.3v1.3h-1.3z",
            ),
            Self::Ripples => (
                20,
                10,
                "M0 3q5-3.6 10 0t10 0",
                "M4 7h1.3v1.3h-1.3zM14 6.4h1.3v1.3h-1.3z",
            ),
            Self::Stones => (
                14,
                12,
                "",
                "M2 4.4l1.6-2 2.2.4.6 1.8-2 1zM9 9.6l1-2.2 2.2.2 1 1.8-1.8 1zM8.4 2.6l1-1 1.2.6-.4 1.2zM3 9.4l1-1 1.2.6-.6 1.2z",
            ),
            Self::Tufts => (
                16,
                14,
                "M4 6.5v-4.5M4 6.5l-2.6-3M4 6.5l2.6-3M12 13v-4.5M12 13l-2.6-3M12 13l2.6-3",
                "",
            ),
            Self::Waves => (12, 8, "M0 4q3-4 6 0t6 0", ""),
            Self::Bricks => (14, 10, "M0 .5h14M0 5.5h14M3.5 .5v5M10.5 5.5v5", ""),
            Self::Rings => (
                12,
                12,
                "M1.4 3a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0M7.4 9a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0",
                "",
            ),
            Self::Crosses => (12, 12, "M3 1v4M1 3h4M9 7v4M7 9h4", ""),
            Self::Chevrons => (10, 8, "M0 6l5-4 5 4", ""),
            Self::Grid => (10, 10, "M5 0v10M0 5h10", ""),
            Self::Dashes => (12, 10, "M1 2.5h4M7 7.5h4", ""),
            Self::Diamonds => (
                14,
                14,
                "",
                "M4 1.4l2 2.6-2 2.6-2-2.6zM11 8.4l2 2.6-2 2.6-2-2.6z",
            ),
            Self::Triangles => (14, 14, "", "M4 1.6l2.4 4h-4.8zM11 8.6l2.4 4h-4.8z"),
        }
    }

    /// Writes the pattern.
    pub(super) fn define(self, ink: &str, xml: &mut Xml) {
        let (width, height, lines, shapes) = self.tile();
        xml.open(
            "pattern",
            &[
                ("id", &self.id(ink)),
                ("width", &width),
                ("height", &height),
                ("patternUnits", &"userSpaceOnUse"),
            ],
        );
        if !lines.is_empty() {
            xml.put(
                "path",
                &[
                    ("d", &lines),
                    ("fill", &"none"),
                    ("stroke", &ink),
                    ("stroke-width", &"1"),
                ],
            );
        }
        if !shapes.is_empty() {
            xml.put("path", &[("d", &shapes), ("fill", &ink)]);
        }
        xml.close();
    }
}
