//! Boards of VASL: archives, and what is in them.

use std::io::Write as _;

use alamein_maps::vasl::{self, VaslBoard, VaslError};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::chosen;

/// Bytes become an archive; or, where the first is odd, what is inside its members, which no fuzzer
/// would find its way into: the length of the metadata in two bytes, the metadata, the terrain.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    let board = if which % 2 == 1 {
        let (length, rest) = match bytes {
            [high, low, rest @ ..] => (usize::from(*high) << 8 | usize::from(*low), rest),
            _ => (0, bytes),
        };
        let (metadata, payload) = rest.split_at(length.min(rest.len()));
        match packed(payload) {
            Ok(los_data) => vasl::decode(&los_data, metadata),
            Err(_) => return,
        }
    } else {
        vasl::read_bytes(bytes)
    };
    match board {
        Ok(board) => check(&board),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A payload as it is stored: in blocks of a Java object stream, packed.
pub(crate) fn packed(payload: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0xac, 0xed, 0x00, 0x05];
    for block in payload.chunks(1024) {
        bytes.push(0x7a);
        let length = u32::try_from(block.len()).unwrap_or_default();
        bytes.extend(length.to_be_bytes());
        bytes.extend(block);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&bytes)?;
    encoder.finish()
}

/// A board has a hex for each of its grid, and its map file makes its map.
fn check(board: &VaslBoard) {
    assert_eq!(board.hexes.len(), board.grid.len());
    assert!(
        board
            .unmodelled()
            .keys()
            .all(|hex| board.hex(*hex).is_some())
    );
    let map = match board.to_map() {
        Ok(map) => map,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    match board.to_file() {
        Ok(file) => {
            let again = file.to_map();
            assert_eq!(again.map(|map| map.id()), Ok(map.id()), "{file:?}");
        }
        Err(error) => told(&error),
    }
}

fn told(error: &VaslError) {
    assert!(!error.to_string().is_empty());
}
