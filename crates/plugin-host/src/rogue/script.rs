//! What the rogue says, read off its script.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;

use alamein_plugin_abi::{
    Finding, HexCoord, NONE, Objection, Observation, PLACE_HEX, PLACE_HEXSIDE, PLACE_WHOLE,
    PlaceView,
};

use super::Array;

thread_local! {
    /// What there is still to say, the next byte last.
    static SCRIPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn tell(script: &[u8]) {
    SCRIPT.set(script.iter().rev().copied().collect());
}

/// The next byte; 0 where there is none.
pub(super) fn next() -> u8 {
    SCRIPT.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// A few bytes, which need be no text.
pub(super) fn bytes() -> Vec<u8> {
    (0..next() % 32).map(|_| next()).collect()
}

/// How often something is done that is mostly not.
pub(super) fn few() -> u8 {
    match next() {
        often @ 208.. => often % 4,
        _ => 0,
    }
}

/// An index, or one of so many tags: one that there may be, mostly.
fn one_of(count: u8) -> u32 {
    match next() {
        byte @ 0..=223 => u32::from(byte % count),
        _ => word(),
    }
}

/// Few flags, mostly.
pub(super) fn flags() -> u32 {
    one_of(4)
}

/// A number: a small one mostly, since only such mean anything; else what is at an edge, or any.
pub(super) fn word() -> u32 {
    match next() {
        small @ 0..=239 => small.into(),
        240 => NONE,
        241 => NONE - 1,
        242 => i32::MAX as u32,
        243 => i32::MIN as u32,
        // A little less than nothing.
        below @ 244..=251 => u32::from(below).wrapping_sub(252),
        252.. => u32::from_ne_bytes([next(), next(), next(), next()]),
    }
}

/// A number of few bits.
pub(super) fn short() -> i16 {
    word() as i16
}

/// A kind, or none.
fn kind() -> u32 {
    match one_of(4) {
        3 => NONE,
        kind => kind,
    }
}

/// A counter, or none.
fn subject() -> u32 {
    match one_of(6) {
        3.. => NONE,
        subject => subject,
    }
}

/// A hex of a small map, mostly.
fn coord() -> HexCoord {
    HexCoord {
        q: one_of(8) as i16,
        r: one_of(8) as i16,
    }
}

/// A place: one that makes sense needs no more than a hex of a small map, and one beside it.
fn place() -> PlaceView {
    match next() {
        0..=63 => PlaceView {
            tag: PLACE_WHOLE,
            a: HexCoord::default(),
            b: HexCoord::default(),
        },
        64..=127 => PlaceView {
            tag: PLACE_HEX,
            a: coord(),
            b: HexCoord::default(),
        },
        128..=191 => {
            let a = coord();
            let (q, r) = [(0, 1), (1, 0), (1, -1)][usize::from(next() % 3)];
            let b = HexCoord {
                q: a.q.wrapping_add(q),
                r: a.r.wrapping_add(r),
            };
            PlaceView {
                tag: PLACE_HEXSIDE,
                a,
                b,
            }
        }
        192.. => PlaceView {
            tag: word(),
            a: coord(),
            b: coord(),
        },
    }
}

/// Something that is said.
pub(super) trait Word: Copy {
    /// The next of the script; what it points to goes to `cited`.
    fn next(cited: &mut Vec<Vec<u32>>) -> Self;
}

impl Word for Observation {
    fn next(_: &mut Vec<Vec<u32>>) -> Self {
        Self {
            of: one_of(2),
            rule: one_of(3),
            fact: one_of(10),
            kind: kind(),
            value: word() as i32,
            flags: flags(),
            subject: subject(),
            place: place(),
            floor: word() as i32,
            times: word(),
            order: word(),
        }
    }
}

impl Word for Objection {
    fn next(_: &mut Vec<Vec<u32>>) -> Self {
        Self {
            of: one_of(2),
            rule: one_of(3),
            observation: one_of(4),
        }
    }
}

impl Word for Finding {
    fn next(cited: &mut Vec<Vec<u32>>) -> Self {
        let indices = (0..few()).map(|_| one_of(4)).collect();
        cited.push(indices);
        let indices = cited.last().map(Vec::as_slice).unwrap_or_default();
        Self {
            of: one_of(2),
            rule: one_of(3),
            effect: one_of(21),
            kind: kind(),
            value: word() as i32,
            subject: subject(),
            place: place(),
            cites: lend(indices.as_ptr().cast(), indices.len(), size_of::<u32>()),
        }
    }
}

/// An array of elements that lie so; or, now and then, one that is none. Whatever it says, the host
/// can read what it then takes for the elements.
fn lend(ptr: *const c_void, len: usize, stride: usize) -> Array {
    let absent = ptr::null();
    match next() {
        250 => Array {
            ptr: absent,
            len,
            stride,
        },
        251 => Array {
            ptr: absent,
            len: word() as usize,
            stride: word() as usize,
        },
        252 => Array {
            ptr: absent,
            len: usize::MAX / 2 - usize::from(next()),
            stride: usize::from(next()),
        },
        // Too near each other to be read.
        253 => Array {
            ptr,
            len,
            stride: usize::from(next()) % stride,
        },
        // The same one time and again.
        254 => Array {
            ptr,
            len: len.min(1),
            stride: word() as usize + stride,
        },
        _ => Array { ptr, len, stride },
    }
}

/// Elements to lend, and all that they point to.
pub(super) struct Lent<T> {
    bytes: Vec<u8>,
    count: usize,
    /// How far from one to the next: at least their size.
    stride: usize,
    /// How far into the bytes the first begins: it need not be aligned.
    start: usize,
    _cited: Vec<Vec<u32>>,
    _of: std::marker::PhantomData<T>,
}

impl<T: Word> Lent<T> {
    pub(super) fn next() -> Self {
        let count = usize::from(next() % 8);
        let (start, gap) = match next() {
            odd @ 240.. => (usize::from(odd % 4), usize::from(next() % 9)),
            _ => (0, 0),
        };
        let stride = size_of::<T>() + gap;
        let mut bytes = vec![0; start + count * stride];
        // Each vector in it stays where it is when there come to be more.
        let mut cited = Vec::new();
        for index in 0..count {
            let element = T::next(&mut cited);
            let at = bytes[start + index * stride..].as_mut_ptr().cast::<T>();
            // SAFETY: within the bytes, which have room for so many; aligned or not.
            unsafe { at.write_unaligned(element) };
        }
        Self {
            bytes,
            count,
            stride,
            start,
            _cited: cited,
            _of: std::marker::PhantomData,
        }
    }

    pub(super) fn array(&self) -> Array {
        let first = self.bytes.get(self.start..).unwrap_or_default();
        lend(first.as_ptr().cast(), self.count, self.stride)
    }
}
