//! What `LOSData` holds: the level and terrain of each pixel, and a byte for each hex.

use super::kinds::TerrainKind;
use super::raster::Raster;
use super::stream::Blocks;
use super::{MOST_HEXES, MOST_PIXELS, VaslError};

/// What `LOSData` holds.
#[derive(Debug)]
pub(super) struct Payload {
    pub(super) columns: i32,
    /// Rows of the first column; the second, fourth.. have one more.
    pub(super) rows: i32,
    pub(super) raster: Raster,
    /// Whether a hex has a stairway, column by column.
    pub(super) stairways: Vec<bool>,
}

/// Reads a `LOSData`.
pub(super) fn read(los_data: &[u8]) -> Result<Payload, VaslError> {
    let mut blocks = Blocks::new(los_data)?;
    let mut size = || {
        let mut bytes = [0; 4];
        blocks.fill(&mut bytes)?;
        Ok(i32::from_be_bytes(bytes))
    };
    let (columns, rows) = (size()?, size()?);
    let (width, height) = (size()?, size()?);
    let hexes = count_hexes(columns, rows)?;
    let (width, height) = count_pixels(width, height)?;
    blocks.expect(2 * width * height + hexes);
    // Both numbers are bounded now, so this asks for no more memory than the limits allow; and it
    // asks only as the stream delivers.
    let mut pixels = Vec::new();
    let mut column = vec![0; 2 * height];
    for _ in 0..width {
        blocks.fill(&mut column)?;
        pixels.extend_from_slice(&column);
    }
    let mut stairways = vec![0; hexes];
    blocks.fill(&mut stairways)?;
    blocks.finish()?;
    let raster = Raster::new(width, height, pixels);
    if let Some((code, x, y)) = raster.find_code(|code| TerrainKind::of_code(code).is_none()) {
        return Err(VaslError::Terrain { code, x, y });
    }
    Ok(Payload {
        columns,
        rows,
        raster,
        stairways: stairways.into_iter().map(|byte| byte == 1).collect(),
    })
}

fn count_hexes(columns: i32, rows: i32) -> Result<usize, VaslError> {
    let size = 1..=MOST_HEXES;
    if !size.contains(&columns) || !size.contains(&rows) {
        return Err(VaslError::los_data(format!(
            "it says that the board has {columns} columns of {rows} hexes; boards have 1 to \
             {MOST_HEXES} of each"
        )));
    }
    let hexes = columns * rows + columns / 2;
    usize::try_from(hexes).map_err(|_| VaslError::los_data("it has no hexes"))
}

fn count_pixels(width: i32, height: i32) -> Result<(usize, usize), VaslError> {
    let count = |side: i32| usize::try_from(side).ok().filter(|side| *side > 0);
    let sides = count(width).zip(count(height));
    let fits = |(width, height): &(usize, usize)| {
        width
            .checked_mul(*height)
            .is_some_and(|pixels| pixels <= MOST_PIXELS)
    };
    sides.filter(fits).ok_or_else(|| {
        VaslError::los_data(format!(
            "it says that the board is {width} x {height} pixels; boards have 1 to {MOST_PIXELS}"
        ))
    })
}
