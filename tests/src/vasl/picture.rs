//! The pixels of a board of the usual size, and which hex each is in.
//!
//! All of this is as VASL does it, in floating point and with its slips, and written apart from the
//! importer of boards: neither can lend the other a mistake.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The size of the picture.
const SIZE: [i32; 2] = [1800, 645];
/// How far apart columns and rows of hexes are.
const PITCH: [f64; 2] = [56.25, 64.5];

/// A hex by its column and row, both from 0.
pub type Place = (i32, i32);
/// A point of the picture.
pub type Pixel = (i32, i32);
type Polygon = [Pixel; 6];

/// A board's pixels.
pub struct Picture {
    columns: i32,
    rows: i32,
    /// Column by column, from top to bottom: a level, a code.
    pixels: Vec<u8>,
    borders: Vec<Polygon>,
    extended: Vec<Polygon>,
}

impl Picture {
    /// Reads a board's `LOSData`.
    ///
    /// # Errors
    /// A file that is not there, or no board of the usual size.
    pub fn read(file: &Path) -> Result<Self> {
        let stored = std::fs::read(file).with_context(|| format!("{}", file.display()))?;
        let mut stream = Vec::new();
        flate2::read::GzDecoder::new(stored.as_slice()).read_to_end(&mut stream)?;
        let payload = payload(&stream).context("no stream of blocks")?;
        let number = |at: usize| -> Option<i32> {
            let bytes = payload.get(4 * at..4 * at + 4)?;
            Some(i32::from_be_bytes(bytes.try_into().ok()?))
        };
        let head = [0, 1, 2, 3].map(number);
        let [Some(columns), Some(rows), Some(width), Some(height)] = head else {
            anyhow::bail!("the header is cut off");
        };
        ensure!([width, height] == SIZE, "{width} x {height} is not usual");
        let pixels = payload.get(16..16 + 2 * (width * height) as usize);
        let mut picture = Self {
            columns,
            rows,
            pixels: pixels.context("pixels are missing")?.to_vec(),
            borders: Vec::new(),
            extended: Vec::new(),
        };
        let places: Vec<Place> = picture.places().collect();
        picture.borders = places.iter().map(|place| border(*place)).collect();
        picture.extended = places.iter().map(|place| extended(*place)).collect();
        Ok(picture)
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        (0..columns).flat_map(move |column| (0..rows + column % 2).map(move |row| (column, row)))
    }

    /// The number of a hex, column by column from top to bottom, if the board has it.
    #[must_use]
    pub fn index(&self, (column, row): Place) -> Option<usize> {
        let there =
            (0..self.columns).contains(&column) && (0..self.rows + column % 2).contains(&row);
        let index = column * self.rows + column / 2 + row;
        there.then_some(index as usize)
    }

    /// The hex of that number.
    #[must_use]
    pub fn place(&self, index: usize) -> Option<Place> {
        self.places().nth(index)
    }

    /// The level and the terrain code of a pixel, if it is on the picture.
    #[must_use]
    pub fn at(&self, (x, y): Pixel) -> Option<(i16, u8)> {
        if !(0..SIZE[0]).contains(&x) || !(0..SIZE[1]).contains(&y) {
            return None;
        }
        let at = 2 * (x * SIZE[1] + y) as usize;
        let pair = self.pixels.get(at..at + 2)?;
        Some((i16::from(pair[0] as i8), pair[1]))
    }

    /// Whether a pixel is in a hex as VASL widens it for the ends of a line.
    #[must_use]
    pub fn is_in_extended(&self, place: Place, pixel: Pixel) -> bool {
        let border = self.index(place).and_then(|index| self.extended.get(index));
        border.is_some_and(|border| contains(border, pixel))
    }

    /// The hex that a pixel is in.
    #[must_use]
    pub fn hex_at(&self, (x, y): Pixel) -> Option<Place> {
        let third = (f64::from(x) / (PITCH[0] / 3.0)) as i32;
        let between = (third - 1) % 3 == 0;
        let column = (if between { third + 1 } else { third + 2 }).div_euclid(3);
        let shift = f64::from(column % 2) * PITCH[1] / 2.0;
        let row = ((f64::from(y) + shift) / PITCH[1]) as i32;
        self.index((column, row))?;
        if !between {
            return Some((column, row));
        }
        let near = [0, 1, -1].into_iter().flat_map(|right| {
            let down = [0, -1, 1].into_iter();
            down.map(move |down| (column + right, row + down))
        });
        let holds = |place: &Place| {
            let border = self.index(*place).and_then(|index| self.borders.get(index));
            border.is_some_and(|border| contains(border, (x, y)))
        };
        let corner = column % 2 == 1 && row == self.rows;
        let found = near.into_iter().find(holds);
        found.or_else(|| corner.then_some((column + 1, row - 1)))
    }

    /// The hexsides of a hex, widened, that a line between two pixels meets.
    #[must_use]
    pub fn hexsides_met(&self, place: Place, line: [Pixel; 2]) -> Vec<u8> {
        let border = extended(place);
        let meets = |side: &u8| {
            let corner = |at: u8| border[usize::from(at % 6)];
            meet([corner(*side), corner(side + 1)], line)
        };
        (0..6).filter(meets).collect()
    }
}

/// The payload of a Java stream of blocks.
fn payload(stream: &[u8]) -> Option<Vec<u8>> {
    let mut rest = stream.strip_prefix(b"\xac\xed\x00\x05")?;
    let mut payload = Vec::new();
    while let Some((tag, after)) = rest.split_first() {
        let (length, after) = match tag {
            0x77 => (usize::from(*after.first()?), after.get(1..)?),
            0x7a => {
                let length = u32::from_be_bytes(after.get(..4)?.try_into().ok()?);
                (length as usize, after.get(4..)?)
            }
            _ => return None,
        };
        payload.extend_from_slice(after.get(..length)?);
        rest = after.get(length..)?;
    }
    Some(payload)
}

/// The neighbour of a hex across a hexside.
#[must_use]
pub fn neighbour((column, row): Place, side: u8) -> Place {
    let up = column % 2;
    match side % 6 {
        0 => (column, row - 1),
        1 => (column + 1, row - up),
        2 => (column + 1, row + 1 - up),
        3 => (column, row + 1),
        4 => (column - 1, row + 1 - up),
        _ => (column - 1, row - up),
    }
}

fn middle((column, row): Place) -> (f64, f64) {
    let up = f64::from(column % 2) * PITCH[1] / 2.0;
    let y = PITCH[1] / 2.0 + PITCH[1] * f64::from(row) - up;
    (PITCH[0] * f64::from(column), y)
}

/// A coordinate just beyond the edge is moved onto the picture.
fn clamp(v: f64, size: i32) -> f64 {
    let whole = v as i32;
    match () {
        () if v == -1.0 => 0.0,
        () if whole == size || whole == size + 1 => f64::from(size - 1),
        () => v,
    }
}

/// The pixel of a hex's centre.
#[must_use]
pub fn centre(place: Place) -> Pixel {
    let (x, y) = middle(place);
    (clamp(x, SIZE[0]) as i32, clamp(y, SIZE[1]) as i32)
}

fn corners(place: Place) -> [(f64, f64); 6] {
    let (x, y) = middle(place);
    let (side, up) = (PITCH[0] * 2.0 / 3.0, PITCH[1] / 2.0);
    let half = side / 2.0;
    let around = [
        (-half, -up),
        (half, -up),
        (side, 0.0),
        (half, up),
        (-half, up),
        (-side, 0.0),
    ];
    around.map(|(dx, dy)| (clamp(x + dx, SIZE[0]), clamp(y + dy, SIZE[1])))
}

/// The pixel of a vertex: number 0 is the left end of the top side, and so on clockwise.
#[must_use]
pub fn vertex(place: Place, number: u8) -> Pixel {
    let (x, y) = corners(place)[usize::from(number % 6)];
    (x as i32, y as i32)
}

fn border(place: Place) -> Polygon {
    let round = |v: f64| (v + 0.5).floor() as i32;
    corners(place).map(|(x, y)| (round(x), round(y)))
}

/// The second corner is moved the wrong way; VASL's answers depend on it.
fn extended(place: Place) -> Polygon {
    let moved = [(-1, -1), (-1, 1), (1, 0), (1, 1), (-1, 1), (-1, 0)];
    let mut polygon = corners(place).map(|(x, y)| (x as i32, y as i32));
    for (corner, (dx, dy)) in polygon.iter_mut().zip(moved) {
        *corner = (corner.0 + dx, corner.1 + dy);
    }
    polygon
}

/// The pixels just inside the middles of the hexsides.
#[must_use]
pub fn midpoints(place: Place) -> [Pixel; 6] {
    let (x, y) = middle(place);
    let up = PITCH[1] / 2.0;
    let right = up * 30_f64.to_radians().cos();
    let around = [
        (0.0, 1.0 - up),
        (right - 1.0, 1.0 - up / 2.0),
        (right - 1.0, up / 2.0 - 1.0),
        (0.0, up - 1.0),
        (1.0 - right, up / 2.0 - 1.0),
        (1.0 - right, 1.0 - up / 2.0),
    ];
    let pixel = |v: f64, size: i32| clamp(v.trunc(), size) as i32;
    around.map(|(dx, dy)| (pixel(x + dx, SIZE[0]), pixel(y + dy, SIZE[1])))
}

/// `java.awt.Polygon.contains`.
fn contains(polygon: &Polygon, (x, y): Pixel) -> bool {
    let spans = |v: i32, of: fn(&Pixel) -> i32| {
        polygon.iter().any(|corner| of(corner) <= v) && polygon.iter().any(|corner| of(corner) > v)
    };
    if !spans(x, |corner| corner.0) || !spans(y, |corner| corner.1) {
        return false;
    }
    let crossed = (0..6).filter(|at| {
        let ((lx, ly), (cx, cy)) = (polygon[(at + 5) % 6], polygon[*at]);
        if y < ly.min(cy) || y >= ly.max(cy) || x >= lx.max(cx) {
            return false;
        }
        let (ux, uy) = if cy < ly { (cx, cy) } else { (lx, ly) };
        let slope = f64::from(lx - cx) / f64::from(ly - cy);
        x < lx.min(cx) || f64::from(x - ux) < f64::from(y - uy) * slope
    });
    crossed.count() % 2 == 1
}

/// Whether two stretches of line meet, their ends included: `java.awt.geom.Line2D.intersectsLine`.
fn meet(one: [Pixel; 2], other: [Pixel; 2]) -> bool {
    let apart = |line: [Pixel; 2], of: [Pixel; 2]| turn(line, of[0]) * turn(line, of[1]) > 0;
    !apart(one, other) && !apart(other, one)
}

/// On which side of a line a pixel is. One that is on it is on a side if it is beyond its ends.
fn turn([from, to]: [Pixel; 2], pixel: Pixel) -> i64 {
    let less = |a: Pixel, b: Pixel| {
        [
            i64::from(a.0) - i64::from(b.0),
            i64::from(a.1) - i64::from(b.1),
        ]
    };
    let dot = |a: [i64; 2], b: [i64; 2]| a[0] * b[0] + a[1] * b[1];
    let (along, there) = (less(to, from), less(pixel, from));
    let cross = there[0] * along[1] - there[1] * along[0];
    if cross != 0 {
        return cross.signum();
    }
    match dot(there, along) {
        ahead if ahead > 0 => dot(less(pixel, to), along).max(0).signum(),
        behind => behind.signum(),
    }
}
