//! What of this house's own types is lent to plugins as it stands, and that it may be.

use std::mem::offset_of;

use alamein_hex::{Crossing, Hex, Touch};
use alamein_plugin_abi::{Array, Bytes, CrossingView, HexCoord, TouchView};

const _: () = assert!(size_of::<Hex>() == size_of::<HexCoord>());
const _: () = assert!(align_of::<Hex>() == align_of::<HexCoord>());
const _: () = assert!(offset_of!(Hex, q) == offset_of!(HexCoord, q));
const _: () = assert!(offset_of!(Hex, r) == offset_of!(HexCoord, r));

const _: () = assert!(size_of::<Touch>() == size_of::<TouchView>());
const _: () = assert!(align_of::<Touch>() == align_of::<TouchView>());
const _: () = assert!(offset_of!(Touch, hex) == offset_of!(TouchView, hex));
const _: () = assert!(offset_of!(Touch, contact) == offset_of!(TouchView, contact));
const _: () = assert!(offset_of!(Touch, readings) == offset_of!(TouchView, readings));

const _: () = assert!(size_of::<Crossing>() == size_of::<CrossingView>());
const _: () = assert!(align_of::<Crossing>() == align_of::<CrossingView>());
const _: () = assert!(offset_of!(Crossing, from) == offset_of!(CrossingView, from));
const _: () = assert!(offset_of!(Crossing, to) == offset_of!(CrossingView, to));

/// Lends a slice. What comes back must not be used longer than the slice lives.
pub(crate) fn lend<T>(slice: &[T]) -> Array {
    Array {
        ptr: slice.as_ptr().cast(),
        len: slice.len(),
        stride: size_of::<T>(),
    }
}

/// Lends a text, as [`lend`] does.
pub(crate) fn lend_text(text: &str) -> Bytes {
    Bytes {
        ptr: text.as_ptr(),
        len: text.len(),
    }
}

/// A hex, as plugins see it.
pub(crate) fn coord(hex: Hex) -> HexCoord {
    HexCoord { q: hex.q, r: hex.r }
}

/// The elements, or none if all are the same as that one.
pub(crate) fn unless_all<T: PartialEq>(one: &T, elements: Vec<T>) -> Vec<T> {
    if elements.iter().all(|element| element == one) {
        Vec::new()
    } else {
        elements
    }
}
