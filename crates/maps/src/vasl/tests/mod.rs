//! Tests of the import: boards made here, and real ones where they are at hand.

mod hostile;
mod painted;
mod real;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A board of three columns and two rows, on a picture as small as can be.
pub(super) const COLUMNS: i32 = 3;
pub(super) const ROWS: i32 = 2;
pub(super) const WIDTH: i32 = 113;
pub(super) const HEIGHT: i32 = 129;
pub(super) const HEXES: usize = 7;

pub(super) const METADATA: &str = r#"<?xml version="1.0"?>
<!-- <slope hex="A1" hexsides="012345"/> is how a slope is written -->
<boardMetadata name="x1" width="3" height="2" A1CenterX = "0" A1CenterY="32.25"
    hexWidth="56.25" hexHeight=" 64.5 "/>"#;

/// What `LOSData` holds if each pixel is as the painter says: its level and code.
pub(super) fn payload(paint: impl Fn(i32, i32) -> (i8, u8)) -> Vec<u8> {
    let mut bytes = Vec::new();
    for size in [COLUMNS, ROWS, WIDTH, HEIGHT] {
        bytes.extend(size.to_be_bytes());
    }
    for x in 0..WIDTH {
        for y in 0..HEIGHT {
            let (level, code) = paint(x, y);
            bytes.extend(level.to_be_bytes());
            bytes.push(code);
        }
    }
    bytes.extend([0; HEXES]);
    bytes
}

/// A payload in blocks of a Java object stream, as Java writes them.
pub(super) fn blocks(payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xac, 0xed, 0x00, 0x05];
    for block in payload.chunks(1024) {
        if let Ok(length) = u8::try_from(block.len()) {
            bytes.extend([0x77, length]);
        } else {
            bytes.push(0x7a);
            bytes.extend(u32::try_from(block.len()).unwrap().to_be_bytes());
        }
        bytes.extend(block);
    }
    bytes
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A whole `LOSData`.
pub(super) fn los_data(paint: impl Fn(i32, i32) -> (i8, u8)) -> Vec<u8> {
    gzip(&blocks(&payload(paint)))
}
