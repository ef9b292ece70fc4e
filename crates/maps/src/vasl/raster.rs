//! The pixels of a board.

/// The level and terrain code of each pixel.
#[derive(Debug)]
pub(super) struct Raster {
    width: usize,
    height: usize,
    /// Column by column, from top to bottom: a level, a code.
    pixels: Vec<u8>,
}

impl Raster {
    pub(super) fn new(width: usize, height: usize, pixels: Vec<u8>) -> Self {
        Self {
            width,
            height,
            pixels,
        }
    }

    pub(super) fn width(&self) -> i32 {
        i32::try_from(self.width).unwrap_or(i32::MAX)
    }

    pub(super) fn height(&self) -> i32 {
        i32::try_from(self.height).unwrap_or(i32::MAX)
    }

    /// The level and terrain code at a pixel, if it is on the picture.
    pub(super) fn at(&self, x: i32, y: i32) -> Option<(i8, u8)> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 2 * (x * self.height + y);
        let (level, code) = (self.pixels.get(at)?, self.pixels.get(at + 1)?);
        Some((i8::from_be_bytes([*level]), *code))
    }

    /// The terrain code at a pixel, if it is on the picture.
    pub(super) fn code(&self, x: i32, y: i32) -> Option<u8> {
        self.at(x, y).map(|(_, code)| code)
    }

    /// The first pixel with such a code: the code, the column, the row.
    pub(super) fn find_code(&self, such: impl Fn(u8) -> bool) -> Option<(u8, usize, usize)> {
        let mut codes = self.pixels.iter().skip(1).step_by(2);
        let at = codes.position(|code| such(*code))?;
        let code = *self.pixels.get(2 * at + 1)?;
        Some((code, at / self.height, at % self.height))
    }
}
