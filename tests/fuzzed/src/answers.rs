//! Answers as bytes: what a client makes of what calls itself a server.

use alamein_hex::Grid;
use alamein_proto::decode;
use alamein_proto::v1;

use crate::chosen;
use crate::requests::message;

/// Bytes become an answer, which the first of them chooses.
pub(crate) fn run(bytes: &[u8]) {
    let (which, bytes) = chosen(bytes);
    match which % 4 {
        0 => {
            let Some(given) = message::<v1::Ruling>(bytes) else {
                return;
            };
            match decode::adjudicated(&given) {
                Ok(read) => {
                    assert_eq!(read.ruling.canonical(), read.clone().ruling.canonical());
                    assert_eq!(decode::ruling(&given).as_ref(), Ok(&read.ruling));
                }
                Err(error) => named(&error),
            }
        }
        1 => {
            let given = message::<v1::PricedPath>(bytes);
            if let Some(Err(error)) = given.map(|given| decode::priced_path(&given)) {
                named(&error);
            }
        }
        2 => {
            let given = message::<v1::Reach>(bytes);
            if let Some(Err(error)) = given.map(|given| decode::reach(&given, &Grid::geomorphic()))
            {
                named(&error);
            }
        }
        _ => {
            let given = message::<v1::PackedFieldOfView>(bytes);
            match given.map(|given| decode::packed_field(&given)) {
                Some(Ok(field)) => assert_eq!(field.packed().len(), field.grid.len()),
                Some(Err(error)) => named(&error),
                None => {}
            }
        }
    }
}

/// What makes no sense is named.
fn named(error: &decode::DecodeError) {
    assert!(!error.field.is_empty(), "{error:?}");
    assert!(!error.to_string().is_empty());
}
