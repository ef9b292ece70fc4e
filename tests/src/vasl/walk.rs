//! Which pixels VASL looks at along a line, and for which hexes it takes them.

use super::picture::{Picture, Pixel, Place, midpoints, neighbour};

/// An end of a line: a point of a hex.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The hex.
    pub hex: Place,
    /// The point.
    pub point: Pixel,
    /// It is the hex's centre.
    pub is_centre: bool,
}

/// A pixel that is looked at, for a hex.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The pixel.
    pub pixel: Pixel,
    /// The hex.
    pub hex: Place,
    /// The level of its ground.
    pub level: i16,
    /// It counts as hillock, by its colour or because the hex does.
    pub hillock: bool,
}

/// Whether a line is taken to run along hexsides: level, or about 60 degrees steep.
#[must_use]
pub fn is_along([from, to]: [Pixel; 2], range: i32) -> bool {
    let tolerance = match range {
        ..5 => 0.05,
        5..=15 => 0.03,
        _ => 0.015,
    };
    let [dx, dy] = [from.0 - to.0, from.1 - to.1].map(f64::from);
    let steep = (dy / dx).abs() - 60_f64.to_radians().tan();
    dy == 0.0 || dx != 0.0 && steep.abs() < tolerance
}

/// The hex distance.
#[must_use]
pub fn range(one: Place, other: Place) -> i32 {
    let axial = |(column, row): Place| (column, row - (column + 1).div_euclid(2));
    let ((q, r), (other_q, other_r)) = (axial(one), axial(other));
    let (dq, dr) = (q - other_q, r - other_r);
    dq.abs().max(dr.abs()).max((dq + dr).abs())
}

/// What a line meets, in order; `is_hillock` tells hillock hexes and `code` is that of their pixels.
#[must_use]
pub fn visits(
    picture: &Picture,
    [from, to]: [End; 2],
    code: u8,
    is_hillock: impl Fn(Place) -> bool,
) -> Vec<Visit> {
    let along = is_along([from.point, to.point], range(from.hex, to.hex));
    let is_end = |hex: Place| hex == from.hex || hex == to.hex;
    let mut visits = Vec::new();
    for pixel in pixels(from.point, to.point) {
        let Some((level, shown)) = picture.at(pixel) else {
            break;
        };
        let end = [from, to]
            .into_iter()
            .find(|end| picture.is_in_extended(end.hex, pixel));
        let Some(hex) = end.map(|end| end.hex).or_else(|| picture.hex_at(pixel)) else {
            break;
        };
        let mut visit = Visit {
            pixel,
            hex,
            level,
            hillock: shown == code,
        };
        let between_two = !from.is_centre || range(hex, from.hex) % 2 == 1;
        let partner = if along && end.is_none() && between_two {
            partner(picture, hex, pixel, &is_end)
        } else {
            None
        };
        let Some(partner) = partner else {
            visits.push(visit);
            continue;
        };
        for hex in [hex, partner] {
            if !is_end(hex) && picture.is_in_extended(hex, pixel) {
                // What fills one of the two counts for both.
                visit.hillock |= is_hillock(hex);
                visits.push(Visit { hex, ..visit });
            }
        }
    }
    visits
}

/// The hex on the other side of the hexside along which a line runs.
fn partner(
    picture: &Picture,
    hex: Place,
    pixel: Pixel,
    is_end: &impl Fn(Place) -> bool,
) -> Option<Place> {
    let beside = |side: u8| Some(neighbour(hex, side)).filter(|hex| picture.index(*hex).is_some());
    let mut near = (0..6).filter_map(beside);
    let sharing = near.find(|hex| !is_end(*hex) && picture.is_in_extended(*hex, pixel));
    sharing.or_else(|| {
        let far = |(_, (x, y)): &(u8, Pixel)| (x - pixel.0).pow(2) + (y - pixel.1).pow(2);
        let (side, _) = (0..6).zip(midpoints(hex)).min_by_key(far)?;
        beside(side).filter(|hex| !is_end(*hex))
    })
}

/// The pixels of a line, column by column. Each column is taken to be one pixel wide, so the line is a
/// little too flat, and does not run the same both ways.
fn pixels(from: Pixel, to: Pixel) -> Vec<Pixel> {
    let columns = (to.0 - from.0).abs() + 1;
    let (right, down) = (
        if to.0 < from.0 { -1 } else { 1 },
        if to.1 < from.1 { -1 } else { 1 },
    );
    let slope = f64::from(to.1 - from.1) / f64::from(columns);
    let mut pixels = Vec::new();
    let (mut enter, mut exit) = (f64::from(from.1), f64::from(from.1) + slope);
    for column in 0..columns {
        let (first, last) = (enter as i32, exit as i32);
        for row in 0..=(last - first).abs() {
            pixels.push((from.0 + right * column, first + down * row));
        }
        enter = exit;
        exit += slope;
    }
    pixels
}
