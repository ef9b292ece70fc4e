//! Reading the ABI's arrays and texts, in one place.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use alamein_hex::Hex;
use alamein_plugin_abi::{Array, Bytes, HexCoord, element};

/// An array of the host's, lent for the length of a call.
pub(crate) struct List<'a, T> {
    array: Array,
    of: PhantomData<&'a T>,
}

impl<T> Clone for List<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<'a, T> List<'a, T> {
    /// # Safety
    /// The array is valid for `'a` and its elements begin with a `T`.
    pub(crate) unsafe fn new(array: Array) -> Self {
        Self {
            array,
            of: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        if self.array.ptr.is_null() {
            0
        } else {
            self.array.len
        }
    }

    #[inline]
    pub(crate) fn get(self, index: usize) -> Option<&'a T> {
        // SAFETY: whoever made this list promised that the array is valid.
        unsafe { element(&self.array, index) }
    }

    #[inline]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = &'a T> + 'a {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

/// A text of the host's. What is no UTF-8 reads as an empty text.
///
/// # Safety
/// The bytes are valid for `'a`.
pub(crate) unsafe fn text<'a>(bytes: Bytes) -> &'a str {
    if bytes.ptr.is_null() {
        return "";
    }
    // SAFETY: the caller says that they are valid.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.ptr, bytes.len) };
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// A hex from the ABI.
#[inline]
pub(crate) fn hex(hex: HexCoord) -> Hex {
    Hex::new(hex.q, hex.r)
}

/// A hex for the ABI.
#[inline]
pub(crate) fn coord(hex: Hex) -> HexCoord {
    HexCoord { q: hex.q, r: hex.r }
}
