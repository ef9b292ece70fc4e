//! Files that are damaged, or made to do harm.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{COLUMNS, METADATA, ROWS, blocks, gzip, los_data, payload};
use crate::vasl::{self, LOS_DATA, VaslError, decode, members, read};

fn flat() -> Vec<u8> {
    payload(|_, _| (0, 0))
}

fn error_of(los_data: &[u8]) -> String {
    decode(los_data, METADATA.as_bytes())
        .unwrap_err()
        .to_string()
}

fn error_of_payload(payload: &[u8]) -> String {
    error_of(&gzip(&blocks(payload)))
}

fn error_of_metadata(metadata: &str) -> String {
    decode(&los_data(|_, _| (0, 0)), metadata.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn what_is_no_gzip_or_no_object_stream_is_refused() {
    assert!(error_of(b"").starts_with("LOSData is damaged: "));
    assert!(error_of(b"GIF89a").starts_with("LOSData is damaged: "));
    assert_eq!(error_of(&gzip(b"")), "LOSData is damaged: it breaks off");
    assert_eq!(
        error_of(&gzip(&flat())),
        "LOSData is damaged: it holds no Java object stream"
    );
}

#[test]
fn only_blocks_of_data_are_read() {
    let mut object = blocks(&flat());
    object[4] = 0x73;
    assert_eq!(
        error_of(&gzip(&object)),
        "LOSData is damaged: tag 0x73 where a block of data should begin"
    );
    let mut negative = blocks(&flat());
    negative[5] = 0x80;
    assert_eq!(
        error_of(&gzip(&negative)),
        "LOSData is damaged: a block of negative length"
    );
}

#[test]
fn blocks_of_any_size_are_joined() {
    let flat = flat();
    let mut bytes = vec![0xac, 0xed, 0x00, 0x05];
    for block in flat.chunks(7) {
        bytes.extend([0x77, u8::try_from(block.len()).unwrap()]);
        bytes.extend(block);
    }
    assert!(decode(&gzip(&bytes), METADATA.as_bytes()).is_ok());
}

#[test]
fn a_file_that_breaks_off_anywhere_is_an_error() {
    let whole = los_data(|x, y| (0, if (x * y) % 7 == 0 { 100 } else { 0 }));
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        assert!(
            decode(&whole[..length], METADATA.as_bytes()).is_err(),
            "{length}"
        );
    }
    let flat = flat();
    for length in [0, 3, 15, 16, 17, flat.len() - 8, flat.len() - 1] {
        assert_eq!(
            error_of_payload(&flat[..length]),
            "LOSData is damaged: it breaks off"
        );
    }
    let stream = blocks(&flat);
    assert_eq!(
        error_of(&gzip(&stream[..stream.len() - 1])),
        "LOSData is damaged: it breaks off"
    );
}

#[test]
fn a_file_that_goes_on_is_an_error() {
    let mut payload = flat();
    payload.push(0);
    assert_eq!(
        error_of_payload(&payload),
        "LOSData is damaged: it goes on after its last hex"
    );
    let mut twice = los_data(|_, _| (0, 0));
    twice.extend(twice.clone());
    assert_eq!(
        error_of(&twice),
        "LOSData is damaged: it goes on after its last hex"
    );
}

#[test]
fn a_damaged_byte_is_found_by_the_checksum() {
    let mut data = los_data(|x, _| (0, u8::from(x % 2 == 0)));
    let at = data.len() - 6;
    data[at] ^= 1;
    assert!(error_of(&data).starts_with("LOSData is damaged: "));
}

#[test]
fn absurd_sizes_are_refused_before_memory_is_asked_for() {
    let with = |at: usize, size: i32| {
        let mut payload = flat();
        payload[at..at + 4].copy_from_slice(&size.to_be_bytes());
        error_of_payload(&payload)
    };
    for size in [0, -1, i32::MIN, 257, i32::MAX] {
        assert!(
            with(0, size).contains("boards have 1 to 256 of each"),
            "{size}"
        );
        assert!(
            with(4, size).contains("boards have 1 to 256 of each"),
            "{size}"
        );
    }
    for size in [0, -1, i32::MIN, i32::MAX, 24 * 1024 * 1024] {
        assert!(
            with(8, size).contains("boards have 1 to 25165824"),
            "{size}"
        );
        assert!(
            with(12, size).contains("boards have 1 to 25165824"),
            "{size}"
        );
    }
    // Within the limits, but there are no such pixels.
    assert_eq!(with(8, 4096), "LOSData is damaged: it breaks off");
}

#[test]
fn a_gzip_bomb_goes_off_outside() {
    // Blocks without content, for ever.
    let mut bomb = vec![0xac, 0xed, 0x00, 0x05];
    bomb.extend([0x77, 0].repeat(10_000_000));
    assert_eq!(
        error_of(&gzip(&bomb)),
        "LOSData is damaged: a block of no bytes"
    );
    // Blocks of one byte, which swell what they hold.
    let mut bomb = vec![0xac, 0xed, 0x00, 0x05];
    bomb.extend(flat().iter().flat_map(|byte| [0x77, 1, *byte]));
    bomb.extend([0x77, 1, 0].repeat(100_000));
    let error = error_of(&gzip(&bomb));
    assert_eq!(error, "LOSData is damaged: it goes on after its last hex");
    let mut wide = flat();
    wide[8..12].copy_from_slice(&2000i32.to_be_bytes());
    wide.resize(2 * 2000 * 129 + 16, 0);
    let mut bomb = vec![0xac, 0xed, 0x00, 0x05];
    bomb.extend(wide.iter().flat_map(|byte| [0x77, 1, *byte]));
    let error = error_of(&gzip(&bomb));
    assert_eq!(
        error,
        "LOSData is damaged: it unpacks to more than its own sizes say"
    );
    // A block of two gigabytes, of which as many come as gzip can make of little.
    let mut bomb = vec![0xac, 0xed, 0x00, 0x05, 0x7a, 0x7f, 0xff, 0xff, 0xff];
    bomb.extend(flat());
    bomb.resize(50_000_000, 0);
    let bomb = gzip(&bomb);
    assert!(bomb.len() < 1_000_000);
    assert_eq!(
        error_of(&bomb),
        "LOSData is damaged: it goes on after its last hex"
    );
}

#[test]
fn an_unknown_code_is_refused_with_its_pixel() {
    let data = los_data(|x, y| (0, if (x, y) == (5, 7) { 200 } else { 0 }));
    assert_eq!(
        decode(&data, METADATA.as_bytes()),
        Err(VaslError::Terrain {
            code: 200,
            x: 5,
            y: 7
        })
    );
}

#[test]
fn levels_that_no_map_has_are_refused() {
    let data = los_data(|_, _| (-100, 0));
    let board = decode(&data, METADATA.as_bytes()).unwrap();
    assert!(
        board
            .to_map()
            .unwrap_err()
            .to_string()
            .contains("levels[A1]")
    );
}

#[test]
fn metadata_that_makes_no_sense_is_refused() {
    let cases = [
        ("", "BoardMetadata.xml: no XML: "),
        ("<boardMetadata", "BoardMetadata.xml: no XML: "),
        (
            "<board/>",
            "BoardMetadata.xml: the outermost element is no boardMetadata",
        ),
        (
            "<boardMetadata height='2'/>",
            "BoardMetadata.xml: width is missing",
        ),
        (
            "<boardMetadata width='3' height='9999'/>",
            "BoardMetadata.xml: height is no number of",
        ),
        (
            "<boardMetadata width='3' height='2' hexWidth='wide'/>",
            "BoardMetadata.xml: hexWidth is no number",
        ),
        (
            "<boardMetadata width='3' height='2' hexWidth='inf'/>",
            "BoardMetadata.xml: hexWidth is no number",
        ),
        (
            "<boardMetadata width='3' height='2' altHexGrain='TRUE'/>",
            "BoardMetadata.xml: altHexGrain is not false",
        ),
        (
            "<boardMetadata width='3' height='2'><slopes><slope hex='A1' hexsides='7'/></slopes></boardMetadata>",
            "BoardMetadata.xml: slope: hexsides are",
        ),
        (
            "<boardMetadata width='3' height='3' A1CenterX='0'/>",
            "the board's hexes cannot be told: LOSData has 3 columns of 2",
        ),
        (
            "<boardMetadata width='3' height='2'/>",
            "the board's hexes cannot be told: a board without a geometry of its own is 1800 x 645",
        ),
        (
            "<boardMetadata width='3' height='2' hexWidth='-999' A1CenterX='-999'/>",
            "the board's hexes cannot be told: a board without a geometry",
        ),
        (
            "<boardMetadata width='3' height='2' hexWidth='1e300'/>",
            "the board's hexes cannot be told: hexes are 8 to 1024",
        ),
        (
            "<boardMetadata width='3' height='2' hexWidth='100'/>",
            "the board's hexes cannot be told: the hex of column 2",
        ),
        (
            "<boardMetadata width='3' height='2' A1CenterX='1e300'/>",
            "the board's hexes cannot be told: the hex of column 0",
        ),
        (
            "<boardMetadata width='3' height='2' A1CenterX='-5'/>",
            "the board's hexes cannot be told: A1CenterX",
        ),
        (
            "<boardMetadata width='3' height='2' A1CenterY='-1e300'/>",
            "the board's hexes cannot be told: A1CenterY",
        ),
    ];
    for (metadata, start) in cases {
        let error = error_of_metadata(metadata);
        assert!(error.starts_with(start), "{metadata} says\n{error}");
    }
}

#[test]
fn an_xml_bomb_goes_off_outside() {
    let bomb = "<!DOCTYPE b [<!ENTITY a 'aaaaaaaaaa'><!ENTITY c '&a;&a;&a;'>]><boardMetadata>&c;</boardMetadata>";
    assert!(error_of_metadata(bomb).starts_with("BoardMetadata.xml: no XML: "));
    let many = format!("<boardMetadata>{}</boardMetadata>", "<a/>".repeat(100_000));
    assert!(error_of_metadata(&many).starts_with("BoardMetadata.xml: no XML: "));
    let deep = format!("{}{}", "<a>".repeat(40_000), "</a>".repeat(40_000));
    assert!(!error_of_metadata(&deep).is_empty());
}

#[test]
fn other_encodings_in_comments_do_no_harm() {
    let mut metadata = b"<!-- caf\xe9 -->".to_vec();
    metadata.extend(
        METADATA
            .trim_start_matches("<?xml version=\"1.0\"?>")
            .as_bytes(),
    );
    assert!(decode(&los_data(|_, _| (0, 0)), &metadata).is_ok());
}

// === Archives and folders ===

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn error_of_archive(bytes: &[u8]) -> String {
    members::of_bytes(bytes).err().unwrap().to_string()
}

#[test]
fn a_board_is_read_from_an_archive_and_from_a_folder() {
    let data = los_data(|x, _| (0, if x > 100 { 101 } else { 0 }));
    let folder = tempfile::tempdir().unwrap();
    let unpacked = folder.path().join("bdx1");
    std::fs::create_dir(&unpacked).unwrap();
    std::fs::write(unpacked.join("LOSData"), &data).unwrap();
    std::fs::write(unpacked.join("BoardMetadata.xml"), METADATA).unwrap();
    let packed = folder.path().join("bdx1.zip");
    let members = [
        ("bdx1.gif", &b"GIF"[..]),
        ("LOSData", &data),
        ("BoardMetadata.xml", METADATA.as_bytes()),
    ];
    std::fs::write(&packed, archive(&members)).unwrap();
    let board = read(&unpacked).unwrap();
    assert_eq!(read(&packed), Ok(board.clone()));
    assert!(board.to_map().unwrap().layers.contains_key("hammada"));
}

#[test]
fn what_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        read(folder.path()),
        Err(VaslError::NoMember { member: LOS_DATA })
    );
    let nowhere = read(&folder.path().join("bd99")).unwrap_err().to_string();
    assert!(
        nowhere.ends_with("cannot be read: there is no such file or folder"),
        "{nowhere}"
    );
    let bare = archive(&[("losdata", b"")]);
    assert_eq!(
        error_of_archive(&bare),
        "the board has no member LOSData; boards without it cannot be imported"
    );
    assert!(error_of_archive(b"GIF89a").starts_with("this is no board archive: "));
    let whole = archive(&[("LOSData", b"x"), ("BoardMetadata.xml", b"y")]);
    for length in 0..whole.len() {
        assert!(members::of_bytes(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_zip_bomb_goes_off_outside() {
    let zeros = vec![0; usize::try_from(vasl::MOST_LOS_DATA).unwrap() + 1];
    let bomb = archive(&[("LOSData", &zeros)]);
    assert!(bomb.len() < 100_000);
    assert_eq!(
        error_of_archive(&bomb),
        "LOSData is too large: at most 16777216 bytes are read"
    );
    let metadata = archive(&[("LOSData", b""), ("BoardMetadata.xml", &zeros[..2_000_000])]);
    assert_eq!(
        error_of_archive(&metadata),
        "BoardMetadata.xml is too large: at most 1048576 bytes are read"
    );
}

#[test]
fn an_archive_of_too_many_members_is_not_listed() {
    let bytes = b"PK\x01\x02".repeat(vasl::MOST_MEMBERS + 1);
    assert_eq!(
        error_of_archive(&bytes),
        "the archive's directory is too large: at most 4096 members are read"
    );
}

#[test]
fn bytes_changed_at_random_give_an_error_or_a_board() {
    let data = los_data(|x, y| (0, if (x + y) % 5 == 0 { 105 } else { 0 }));
    let raw = blocks(&payload(|x, y| (0, if (x + y) % 5 == 0 { 105 } else { 0 })));
    let zipped = archive(&[
        ("LOSData", &data),
        ("BoardMetadata.xml", METADATA.as_bytes()),
    ]);
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..60 {
        for bytes in [&data, &raw, &zipped] {
            let mut bytes = bytes.clone();
            for _ in 0..=random(3) {
                let at = random(bytes.len());
                bytes[at] = u8::try_from(random(256)).unwrap();
            }
            // Neither panics nor hangs; what comes out has all its hexes.
            for result in [
                decode(&bytes, METADATA.as_bytes()),
                decode(&gzip(&bytes), METADATA.as_bytes()),
                members::of_bytes(&bytes).and_then(|m| decode(&m.los_data, &m.metadata)),
            ] {
                let hexes = COLUMNS * ROWS + COLUMNS / 2;
                assert!(result.is_err() || result.is_ok_and(|b| b.hexes.len() == hexes as usize));
            }
        }
    }
}
