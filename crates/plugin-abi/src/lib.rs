//! The C ABI between Alamein and a terrain plugin.
//!
//! This crate holds `#[repr(C)]` items and constants, nothing else: no Rust type with a layout of
//! its own, no `bool`, no enum, no allocator and no unwinding crosses the line. What one side
//! allocates it frees itself: inputs are borrowed for the length of a call, outputs are pushed
//! through a [`Sink`] of the host's.
//!
//! # How it grows
//!
//! The number is [`ABI_MAJOR`].[`ABI_MINOR`]; it has nothing to do with the versions of crates.
//! Tables and structs only ever get longer, at their end. Every struct that may grow is passed
//! with its size: a table carries `struct_size`, an array a *stride*. A host accepts a plugin of
//! the same major and the same or a lower minor.
//!
#![doc = include_str!("../HISTORY.md")]
//!
//! # What a plugin exports
//!
//! One data symbol, `alamein_plugin_<id>` (hyphens as underscores), of type [`Descriptor`]. The
//! host reads it before it calls anything.
//!
//! # Hexes
//!
//! A hex is a pair of axial coordinates: `q` is its column, eastward from 0; `r + 1` is one hex
//! south; row *n* of column *c* has `r = n - c / 2` (rounded down). A line's hexes are relative to
//! its `origin`: add that to each.
#![no_std]

use core::ffi::c_void;

mod question;
mod saying;
mod table;
mod words;

pub use question::*;
pub use saying::*;
pub use table::*;
pub use words::*;

/// The first field of every descriptor: "ALAMEIN" and a zero.
pub const MAGIC: u64 = 0x414c_414d_4549_4e00;
const _: () = assert!(MAGIC == u64::from_be_bytes(*b"ALAMEIN\0"));
/// A plugin of another major number cannot be used.
pub const ABI_MAJOR: u32 = 1;
/// A plugin of a higher minor number cannot be used.
pub const ABI_MINOR: u32 = 2;
/// Stands where an index is absent.
pub const NONE: u32 = 0xffff_ffff;

/// What a call came to. Any other number is refused.
pub type Status = u32;
/// All went well.
pub const OK: Status = 0;
/// The plugin says no, and has written why to its error sink.
pub const FAILED: Status = 1;
/// The plugin panicked, and has written the message to its error sink.
pub const PANICKED: Status = 2;
/// The host's budget was exhausted.
pub const OUT_OF_TIME: Status = 3;
/// The host's sink takes no more: stop.
pub const FULL: Status = 4;

/// Bytes that someone else owns. Text is UTF-8.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    /// Where they begin; may be null if there are none.
    pub ptr: *const u8,
    /// How many.
    pub len: usize,
}

impl Bytes {
    /// Borrows a text for as long as its owner lives.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        Self {
            ptr: text.as_ptr(),
            len: text.len(),
        }
    }
}

/// An array that someone else owns, whose elements are `stride` bytes apart. A reader that knows a
/// shorter element reads its beginning.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Array {
    /// Where it begins; may be null if it is empty.
    pub ptr: *const c_void,
    /// How many elements.
    pub len: usize,
    /// How many bytes from one to the next.
    pub stride: usize,
}

/// A hex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HexCoord {
    /// Its column.
    pub q: i16,
    /// Its place down the column's axis.
    pub r: i16,
}

/// Takes text from the plugin: an error, or a problem with a map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TextSink {
    /// Given back in each call.
    pub ctx: *mut c_void,
    /// Takes a text. `tag` says what it is.
    pub write: unsafe extern "C" fn(ctx: *mut c_void, tag: u32, text: Bytes),
}

/// A text that says what failed.
pub const TEXT_ERROR: u32 = 1;
/// A text that says what is wrong with a map, so that it cannot be used.
pub const TEXT_MAP_ERROR: u32 = 2;
/// A text that says what is odd about a map.
pub const TEXT_MAP_WARNING: u32 = 3;

/// Takes what the plugin says, in elements of the plugin's size.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sink {
    /// Given back in each call.
    pub ctx: *mut c_void,
    /// Takes elements: [`OK`], or [`FULL`] when the plugin should return at once.
    pub push: unsafe extern "C" fn(ctx: *mut c_void, said: Array) -> Status,
    /// Takes an error text.
    pub error: TextSink,
}

/// What the host does for a plugin. It lives as long as the instance.
#[repr(C)]
pub struct Host {
    /// The size of this struct.
    pub struct_size: usize,
    /// Given back in each call.
    pub ctx: *mut c_void,
    /// Writes a line to the host's log, at a level `LOG_…`.
    pub log: unsafe extern "C" fn(ctx: *mut c_void, level: u32, text: Bytes),
    /// Not 0 when the time for this call is up: return [`OUT_OF_TIME`].
    pub budget_exhausted: unsafe extern "C" fn(ctx: *mut c_void) -> u32,
}
