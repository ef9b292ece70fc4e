//! How layers look: a colour and a texture for each, so that either alone tells them apart.

use super::texture::Texture;
use crate::content::Content;

/// How a layer's hexes look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// The colour of the ground.
    pub(super) ground: &'static str,
    /// The colour of the texture, of edges and of what else is drawn of the layer.
    pub(super) ink: &'static str,
    pub(super) texture: Texture,
    /// Whether it grows or lies on other ground: then it is drawn within that.
    pub(super) cover: bool,
}

const fn ground(ground: &'static str, ink: &'static str, texture: Texture) -> Look {
    Look {
        ground,
        ink,
        texture,
        cover: false,
    }
}

const fn cover(ground: &'static str, ink: &'static str, texture: Texture) -> Look {
    Look {
        ground,
        ink,
        texture,
        cover: true,
    }
}

/// How layers look whose names, or else whose manifests, say one of these words.
pub(super) const KNOWN: [(&[&str], Look); 11] = [
    (
        &["golden", "deir"],
        ground("#e0a93a", "#6e4a00", Texture::Hatch),
    ),
    (
        &["mound", "hillock"],
        ground("#b98658", "#5c3615", Texture::Arcs),
    ),
    (
        &["sandy", "sand"],
        ground("#f8e59a", "#8f6f1a", Texture::Dots),
    ),
    (
        &["dune", "high_dune"],
        ground("#f3cd72", "#7d5200", Texture::Ripples),
    ),
    (
        &["stony", "hammada"],
        cover("#aeb0b5", "#4f4a45", Texture::Stones),
    ),
    (&["green"], ground("#8fbf9f", "#1d5a37", Texture::Rings)),
    (
        &["brush", "scrub"],
        cover("#b9cf96", "#3d5417", Texture::Tufts),
    ),
    (&["brown"], ground("#b8926e", "#40240c", Texture::Backhatch)),
    (
        &["blue", "water"],
        ground("#9cc4e4", "#1b4f7d", Texture::Waves),
    ),
    (&["grey"], ground("#d6d6d6", "#505050", Texture::Grid)),
    (&["red"], ground("#eba994", "#8a2b10", Texture::Crosses)),
];

/// How other layers look, in turn.
pub(super) const OTHERS: [Look; 6] = [
    ground("#d3c1e5", "#4b2a75", Texture::Diamonds),
    ground("#a8d5d1", "#0f5a55", Texture::Chevrons),
    ground("#f0bcd0", "#8a1f4f", Texture::Bricks),
    ground("#9fb3d9", "#22376e", Texture::Dashes),
    ground("#d5dd9a", "#56600a", Texture::Lattice),
    ground("#cfc3b4", "#4c3d2b", Texture::Triangles),
];

/// How a layer looks by its name, or else by the word of its manifest. The name comes first, so that
/// the layers that everyone knows look the same whether or not their plugins are there.
pub(super) fn known(layer: &str, look: &str) -> Option<Look> {
    let of = |word: &str| {
        let known = KNOWN.iter().find(|(words, _)| words.contains(&word));
        known.map(|(_, look)| *look)
    };
    of(layer).or_else(|| of(look))
}

/// How each layer that holds hexes looks: no two alike as long as there are enough looks.
pub(super) fn of_areas(content: &Content<'_>) -> Vec<Look> {
    let mut looks: Vec<Look> = Vec::new();
    // Known ones first: a stranger does not take a look from them.
    let known: Vec<Option<Look>> = content
        .areas
        .iter()
        .map(|area| known(area.layer, area.look))
        .collect();
    for (index, wanted) in known.iter().enumerate() {
        let own = wanted.filter(|look| !looks.contains(look));
        let free = |look: &Look| !looks.contains(look) && !known.contains(&Some(*look));
        let others = OTHERS.into_iter().chain(KNOWN.map(|(_, look)| look));
        let look = own.or_else(|| others.clone().find(free));
        let look = look.unwrap_or(OTHERS[index % OTHERS.len()]);
        looks.push(look);
    }
    looks
}

#[cfg(test)]
mod tests {
    //! Whether looks can be told apart by everyone. Colours are turned into what they look like to
    //! people without one of the three kinds of cones (Machado, Oliveira and Fernandes, 2009).

    use super::*;
    use crate::svg::ground::{self, WRITING};
    use crate::svg::line;

    type Colour = [f64; 3];

    /// Usual sight, and sight without the long, middle or short cones.
    const SIGHTS: [(&str, [Colour; 3]); 4] = [
        ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    fn linear(colour: &str) -> Colour {
        let part = |at: usize| {
            let byte = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let part = f64::from(byte) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        [part(1), part(3), part(5)]
    }

    fn times(matrix: &[Colour; 3], [r, g, b]: Colour) -> Colour {
        matrix.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0))
    }

    /// How far apart two colours look: the distance in CIE Lab.
    fn apart(sight: &[Colour; 3], one: &str, other: &str) -> f64 {
        let lab = |colour: &str| {
            const XYZ: [Colour; 3] = [
                [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
                [0.2126, 0.7152, 0.0722],
                [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
            ];
            let [x, y, z] = times(&XYZ, times(sight, linear(colour))).map(|part| {
                if part > 0.008_856 {
                    part.cbrt()
                } else {
                    7.787 * part + 16.0 / 116.0
                }
            });
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        let (one, other) = (lab(one), lab(other));
        let parts = one.into_iter().zip(other);
        parts.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    /// The contrast of two colours as WCAG counts it, 1 to 21.
    fn contrast(one: &str, other: &str) -> f64 {
        let light = |colour: &str| {
            let [r, g, b] = linear(colour);
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    fn looks() -> Vec<Look> {
        let known = KNOWN.into_iter().map(|(_, look)| look);
        known.chain(OTHERS).collect()
    }

    #[test]
    fn each_look_has_a_texture_of_its_own() {
        let looks = looks();
        for (at, one) in looks.iter().enumerate() {
            for other in &looks[at + 1..] {
                assert_ne!(one.texture, other.texture);
            }
        }
    }

    #[test]
    fn the_desert_is_told_apart_by_colour_too() {
        let words = ["golden", "mound", "sandy", "high_dune", "stony", "brush"];
        let mut grounds: Vec<&str> = words
            .iter()
            .map(|word| known("", word).unwrap().ground)
            .collect();
        grounds.push(ground::of_level(0));
        for (at, one) in grounds.iter().enumerate() {
            for other in &grounds[at + 1..] {
                for (name, sight) in &SIGHTS {
                    let apart = apart(sight, one, other);
                    assert!(apart >= 10.0, "{name}: {one} {other} {apart:.1}");
                }
            }
        }
    }

    #[test]
    fn what_is_written_and_drawn_stands_out_from_every_ground() {
        let levels = (-3..=6).map(ground::of_level);
        let grounds: Vec<&str> = looks()
            .iter()
            .map(|look| look.ground)
            .chain(levels)
            .collect();
        for ground in &grounds {
            let (words, line) = (contrast(WRITING, ground), contrast(line::INK, ground));
            assert!(words >= 4.5, "words on {ground}: {words:.1}");
            // The line has a pale edge besides.
            assert!(line >= 2.2, "the line on {ground}: {line:.1}");
        }
        assert!(contrast(line::INK, line::PALE) >= 4.5);
        for look in looks() {
            let ink = contrast(look.ink, look.ground);
            assert!(ink >= 3.0, "{look:?}: {ink:.1}");
        }
    }
}
