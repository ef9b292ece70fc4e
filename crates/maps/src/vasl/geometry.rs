//! Where the hexes of a board lie on its picture, to the pixel as VASL has it.
//!
//! This is arithmetic on a drawing, in floating point and with VASL's own rounding, so that hexes
//! come out as they do there. Nothing of it reaches a ruling but the hexes that it finds.

use super::VaslError;
use super::metadata::Metadata;
use super::payload::Payload;

/// The size of a standard board's picture.
const STANDARD: (i32, i32) = (1800, 645);

/// The least and greatest distance between hexes, in pixels.
const PITCH: std::ops::RangeInclusive<f64> = 8.0..=1024.0;

/// The cosine of 30 degrees.
const COS_30: f64 = 0.866_025_403_784_438_7;

/// Where hexes lie.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) columns: i32,
    pub(super) rows: i32,
    /// The size of the picture.
    width: i32,
    height: i32,
    /// The centre of the first hex.
    x: f64,
    y: f64,
    hex_width: f64,
    hex_height: f64,
    /// The number of the column and row that come before the first, by their names.
    pub(super) first_column: &'static str,
    pub(super) rows_before: u16,
    /// The outlines of all hexes, column by column.
    borders: Vec<[(i32, i32); 6]>,
}

/// A hex by its column and row, both from 0.
pub(super) type Place = (i32, i32);

impl Geometry {
    /// Where the hexes of a board lie; an error if they do not lie on its picture.
    pub(super) fn new(metadata: &Metadata, payload: &Payload) -> Result<Self, VaslError> {
        let (columns, rows) = (payload.columns, payload.rows);
        let (width, height) = (payload.raster.width(), payload.raster.height());
        if (metadata.columns, metadata.rows) != (columns, rows) {
            return Err(VaslError::geometry(format!(
                "LOSData has {columns} columns of {rows} hexes, BoardMetadata.xml {} of {}",
                metadata.columns, metadata.rows
            )));
        }
        let given = [
            metadata.a1_x,
            metadata.a1_y,
            metadata.hex_width,
            metadata.hex_height,
        ];
        let is_standard = given.iter().all(Option::is_none);
        if is_standard && (width, height) != STANDARD {
            return Err(VaslError::geometry(format!(
                "a board without a geometry of its own is {} x {} pixels, and this one is {width} \
                 x {height}",
                STANDARD.0, STANDARD.1
            )));
        }
        let hex_width = metadata.hex_width.unwrap_or(56.25);
        let hex_height = metadata.hex_height.unwrap_or(64.5);
        if !PITCH.contains(&hex_width) || !PITCH.contains(&hex_height) {
            return Err(VaslError::geometry("hexes are 8 to 1024 pixels apart"));
        }
        let a1_x = metadata.a1_x.unwrap_or(0.0);
        let a1_y = metadata.a1_y.unwrap_or(32.25);
        let mut geometry = Self {
            columns,
            rows,
            width,
            height,
            x: a1_x.max(0.0),
            y: if a1_y < 0.0 { hex_height / 2.0 } else { a1_y },
            hex_width,
            hex_height,
            first_column: first_column(a1_x)?,
            rows_before: rows_before(a1_y, hex_height)?,
            borders: Vec::new(),
        };
        geometry.check_on_picture()?;
        geometry.borders = geometry
            .places()
            .map(|place| geometry.border_of(place))
            .collect();
        Ok(geometry)
    }

    /// Each centre lies on the picture, which also bounds how large the hexes are together.
    fn check_on_picture(&self) -> Result<(), VaslError> {
        let off = |place: &Place| {
            let (x, y) = self.centre(*place);
            !(0..self.width).contains(&x) || !(0..self.height).contains(&y)
        };
        match self.places().find(off) {
            None => Ok(()),
            Some((column, row)) => Err(VaslError::geometry(format!(
                "the hex of column {column}, row {row} (from 0) would lie off the picture"
            ))),
        }
    }

    /// All hexes, column by column, from top to bottom.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        (0..columns).flat_map(move |column| (0..rows + column % 2).map(move |row| (column, row)))
    }

    pub(super) fn contains(&self, (column, row): Place) -> bool {
        (0..self.columns).contains(&column) && (0..self.rows + column % 2).contains(&row)
    }

    /// The number of a hex in the order of [`Geometry::places`].
    pub(super) fn index(&self, (column, row): Place) -> Option<usize> {
        let at = column * self.rows + column / 2 + row;
        usize::try_from(at)
            .ok()
            .filter(|_| self.contains((column, row)))
    }

    /// The exact centre.
    fn middle(&self, (column, row): Place) -> (f64, f64) {
        let shift = if column % 2 == 0 {
            0.0
        } else {
            self.hex_height / 2.0
        };
        (
            self.x + self.hex_width * f64::from(column),
            self.y + self.hex_height * f64::from(row) - shift,
        )
    }

    /// The pixel of the centre.
    pub(super) fn centre(&self, place: Place) -> (i32, i32) {
        let (x, y) = self.middle(place);
        (whole(clamp(x, self.width)), whole(clamp(y, self.height)))
    }

    /// The pixels just inside the middle of each hexside, from the top one clockwise.
    pub(super) fn midpoints(&self, place: Place) -> [(i32, i32); 6] {
        let (x, y) = self.middle(place);
        let v = self.hex_height / 2.0;
        let h = COS_30 * v;
        let points = [
            (x, -v + y + 1.0),
            (h + x - 1.0, -v / 2.0 + y + 1.0),
            (h + x - 1.0, v / 2.0 + y - 1.0),
            (x, v + y - 1.0),
            (-h + x + 1.0, v / 2.0 + y - 1.0),
            (-h + x + 1.0, -v / 2.0 + y + 1.0),
        ];
        points.map(|(x, y)| {
            let pixel = |v: f64, size: i32| whole(clamp(v.trunc(), size));
            (pixel(x, self.width), pixel(y, self.height))
        })
    }

    /// The outline: the vertices from the left end of the top side clockwise.
    pub(super) fn border(&self, place: Place) -> Option<&[(i32, i32); 6]> {
        self.borders.get(self.index(place)?)
    }

    fn border_of(&self, place: Place) -> [(i32, i32); 6] {
        let (x, y) = self.middle(place);
        let a = self.hex_width * 2.0 / 3.0;
        let v = self.hex_height / 2.0;
        let vertices = [
            (x - a / 2.0, y - v),
            (x + a / 2.0, y - v),
            (x + a, y),
            (x + a / 2.0, y + v),
            (x - a / 2.0, y + v),
            (x - a, y),
        ];
        vertices.map(|(x, y)| {
            let pixel = |v: f64, size: i32| whole((clamp(v, size) + 0.5).floor());
            (pixel(x, self.width), pixel(y, self.height))
        })
    }

    /// The hex that a pixel is in; nothing for a few pixels at the edge of some boards.
    pub(super) fn hex_at(&self, x: i32, y: i32) -> Option<Place> {
        let z = whole((f64::from(x) - self.x) / (self.hex_width / 3.0));
        let between = (z - 1) % 3 == 0;
        let counted = if between { z - 1 } else { z };
        let column = (counted + 2).div_euclid(3);
        let shift = if column % 2 == 0 {
            0.0
        } else {
            self.hex_height / 2.0
        };
        let row = whole((f64::from(y) + shift) / self.hex_height);
        let here = Some((column, row)).filter(|place| self.contains(*place));
        if !between {
            return here;
        }
        let (column, row) = here?;
        let near = [column, column + 1, column - 1]
            .into_iter()
            .flat_map(|column| [row, row - 1, row + 1].map(|row| (column, row)));
        let holds = |place: &Place| {
            self.border(*place)
                .is_some_and(|border| inside(border, x, y))
        };
        let found = near.into_iter().find(holds);
        found.or_else(|| {
            let corner = column % 2 == 1 && row == self.rows;
            Some((column + 1, row - 1)).filter(|place| corner && self.contains(*place))
        })
    }

    /// Whether a hexside is on the board: the others are cut off by its edge.
    pub(super) fn is_on_board(&self, (column, row): Place, side: u8) -> bool {
        let odd = column % 2 == 1;
        match side {
            4 | 5 if column == 0 => false,
            1 | 2 if column == self.columns - 1 => false,
            0 | 1 | 5 if odd && row == 0 => false,
            2..=4 if odd && row == self.rows => false,
            _ => true,
        }
    }
}

/// What the first column is called: half boards say by where A1 would lie that they begin with Q.
fn first_column(a1_x: f64) -> Result<&'static str, VaslError> {
    const SECOND_HALF: f64 = -901.0;
    if a1_x >= 0.0 {
        Ok("A")
    } else if a1_x == SECOND_HALF {
        Ok("Q")
    } else {
        Err(VaslError::geometry(
            "A1CenterX says that the board begins in an unknown column",
        ))
    }
}

/// How many rows come before the first, by their names.
fn rows_before(a1_y: f64, hex_height: f64) -> Result<u16, VaslError> {
    if a1_y >= 0.0 {
        return Ok(0);
    }
    let rows = (-a1_y / hex_height).trunc() + 1.0;
    if rows > 512.0 {
        return Err(VaslError::geometry(
            "A1CenterY says that the board begins in an unknown row",
        ));
    }
    Ok(rows as u16)
}

/// A coordinate just beyond the picture's edge, moved onto it.
fn clamp(v: f64, size: i32) -> f64 {
    let size = f64::from(size);
    if v == -1.0 {
        0.0
    } else if v.trunc() == size || v.trunc() == size + 1.0 {
        size - 1.0
    } else {
        v
    }
}

/// A number without its fraction. All that are met here are far inside of `i32`; others saturate.
fn whole(v: f64) -> i32 {
    v as i32
}

/// Whether a pixel is in a polygon, as `java.awt.Polygon` has it.
fn inside(polygon: &[(i32, i32); 6], x: i32, y: i32) -> bool {
    let (xs, ys) = (polygon.map(|(x, _)| x), polygon.map(|(_, y)| y));
    let within = |all: [i32; 6], v: i32| {
        all.iter().min().is_some_and(|least| *least <= v) && all.iter().any(|other| *other > v)
    };
    if !within(xs, x) || !within(ys, y) {
        return false;
    }
    let mut odd = false;
    let [.., mut last] = *polygon;
    for corner in *polygon {
        odd ^= crosses(last, corner, x, y);
        last = corner;
    }
    odd
}

/// Whether an edge crosses the ray that goes right from a pixel.
fn crosses(last: (i32, i32), corner: (i32, i32), x: i32, y: i32) -> bool {
    let ((lx, ly), (cx, cy)) = (last, corner);
    if cy == ly || x >= lx.max(cx) || y < ly.min(cy) || y >= ly.max(cy) {
        return false;
    }
    if x < lx.min(cx) {
        return true;
    }
    let (ux, uy) = if cy < ly { corner } else { last };
    let slope = f64::from(lx - cx) / f64::from(ly - cy);
    f64::from(x - ux) < f64::from(y - uy) * slope
}
