//! Sets of lines that several tests go through.

use alamein_hex::{Aim, Hex};

/// Every offset within that range, (0, 0) included.
pub(crate) fn offsets(range: i16) -> impl Iterator<Item = Hex> {
    (-range..=range).flat_map(move |q| {
        let first = (-range).max(-range - q);
        let last = range.min(range - q);
        (first..=last).map(move |r| Hex::new(q, r))
    })
}

/// The centre of a hex and its six corners.
pub(crate) fn aims_of(hex: Hex) -> impl Iterator<Item = Aim> {
    let corners = (0..6).filter_map(move |corner| Aim::corner(hex, corner));
    std::iter::once(Aim::centre(hex)).chain(corners)
}
