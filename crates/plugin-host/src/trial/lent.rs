//! Memory that is lent for the length of a call, and not a moment longer.
//!
//! What a plugin is to see is copied, with all that it points to, into pages of their own. When the
//! call is over these pages can be neither read nor written.

use std::ptr;

use alamein_plugin_abi::{
    Array, AttributeView, Bytes, CounterView, FieldView, LayerView, LineBatch, LineView, MapView,
    SeenView, StepBatch,
};

/// How much is asked of the system at a time.
const CHUNK: usize = 1 << 20;
/// Wherever something begins is a multiple of this.
const ALIGN: usize = 16;

/// Pages to lend.
#[derive(Debug, Default)]
pub(crate) struct Lent {
    chunks: Vec<Chunk>,
}

#[derive(Debug)]
struct Chunk {
    start: *mut u8,
    len: usize,
    used: usize,
}

// SAFETY: pages of its own that nobody else knows of once they are taken back.
unsafe impl Send for Chunk {}

impl Chunk {
    fn new(least: usize) -> Self {
        let len = least.max(CHUNK).next_multiple_of(CHUNK);
        // SAFETY: it asks for new pages, and touches nothing that is there.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANON,
                -1,
                0,
            )
        };
        assert!(start != libc::MAP_FAILED, "the system gives no memory");
        Self {
            start: start.cast(),
            len,
            used: 0,
        }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: these pages are its own.
        unsafe { libc::munmap(self.start.cast(), self.len) };
    }
}

impl Lent {
    /// Puts all that was lent out of everybody's reach.
    pub(crate) fn take_back(&mut self) {
        for chunk in &self.chunks {
            // SAFETY: these pages are its own.
            let taken = unsafe { libc::mprotect(chunk.start.cast(), chunk.len, libc::PROT_NONE) };
            assert_eq!(taken, 0, "the system does not take memory back");
        }
    }

    fn room(&mut self, len: usize) -> *mut u8 {
        let fits = |chunk: &Chunk| chunk.len - chunk.used >= len;
        if !self.chunks.last().is_some_and(fits) {
            self.chunks.push(Chunk::new(len));
        }
        let Some(chunk) = self.chunks.last_mut() else {
            return ptr::null_mut();
        };
        // SAFETY: within the chunk, which has room for it.
        let at = unsafe { chunk.start.add(chunk.used) };
        chunk.used = (chunk.used + len).next_multiple_of(ALIGN).min(chunk.len);
        at
    }

    /// Copies one thing.
    pub(crate) fn one<T: Copy>(&mut self, thing: &T) -> *mut T {
        let at = self.room(size_of::<T>()).cast::<T>();
        // SAFETY: there is room for it, which nobody else knows of, at an address that suits it.
        unsafe { at.write(*thing) };
        at
    }

    /// Copies things that lie together.
    pub(crate) fn all<T: Copy>(&mut self, things: &[T]) -> *mut T {
        let at = self.room(size_of_val(things)).cast::<T>();
        // SAFETY: as above.
        unsafe { ptr::copy_nonoverlapping(things.as_ptr(), at, things.len()) };
        at
    }

    fn array<T: Copy>(&mut self, things: &[T]) -> Array {
        Array {
            ptr: self.all(things).cast_const().cast(),
            len: things.len(),
            stride: size_of::<T>(),
        }
    }

    /// Copies an array that this host lends, whatever is in it.
    fn copy(&mut self, array: Array) -> Array {
        // SAFETY: this host's arrays are as they say, and have no gaps.
        let bytes = unsafe { slice::<u8>(array.ptr.cast(), array.len * array.stride) };
        Array {
            ptr: self.all(bytes).cast_const().cast(),
            ..array
        }
    }

    /// Copies a text that this host lends.
    pub(crate) fn text(&mut self, text: Bytes) -> Bytes {
        // SAFETY: this host's texts are as they say.
        let bytes = unsafe { slice::<u8>(text.ptr, text.len) };
        Bytes {
            ptr: self.all(bytes),
            ..text
        }
    }

    /// Copies an array of this host's, each element by itself.
    fn each<T: Copy>(&mut self, array: Array, one: impl Fn(&mut Self, T) -> T) -> Array {
        // SAFETY: this host's arrays are as they say; the callers name what is in them.
        let things = unsafe { slice::<T>(array.ptr.cast(), array.len) };
        let copies: Vec<T> = things.iter().map(|thing| one(self, *thing)).collect();
        self.array(&copies)
    }

    /// Copies a map.
    pub(crate) fn map(&mut self, view: &MapView) -> *const MapView {
        let field = |lent: &mut Self, field: FieldView| FieldView {
            name: lent.text(field.name),
            hexes: lent.copy(field.hexes),
            values: lent.copy(field.values),
            ..field
        };
        let layer = |lent: &mut Self, layer: LayerView| LayerView {
            name: lent.text(layer.name),
            fields: lent.each(layer.fields, field),
        };
        let copy = MapView {
            hexes: self.copy(view.hexes),
            base_levels: self.copy(view.base_levels),
            names: self.each(view.names, Self::text),
            layers: self.each(view.layers, layer),
            ..*view
        };
        self.one(&copy)
    }

    /// Copies lines.
    pub(crate) fn lines(&mut self, view: &LineBatch) -> *const LineBatch {
        let line = |lent: &mut Self, line: LineView| LineView {
            touched: lent.copy(line.touched),
            left: lent.copy(line.left),
            right: lent.copy(line.right),
            counters: lent.copy(line.counters),
            ..line
        };
        let copy = LineBatch {
            lines: self.each(view.lines, line),
            counters: self.each::<CounterView>(view.counters, |_, counter| counter),
            levels: self.copy(view.levels),
            attributes: self.each::<AttributeView>(view.attributes, |_, attribute| attribute),
            attribute_names: self.each(view.attribute_names, Self::text),
            ..*view
        };
        self.one(&copy)
    }

    /// Copies steps.
    pub(crate) fn steps(&mut self, view: &StepBatch) -> *const StepBatch {
        let copy = StepBatch {
            steps: self.copy(view.steps),
            counters: self.copy(view.counters),
            levels: self.copy(view.levels),
            attributes: self.copy(view.attributes),
            attribute_names: self.each(view.attribute_names, Self::text),
            ..*view
        };
        self.one(&copy)
    }

    /// Copies what was seen of so many lines or steps.
    pub(crate) fn seen(&mut self, views: *const SeenView, count: usize) -> *const SeenView {
        // SAFETY: this host shows a view for each line or step.
        let views = unsafe { slice(views, count) };
        let copies: Vec<SeenView> = views
            .iter()
            .map(|view| SeenView {
                observations: self.copy(view.observations),
                objections: self.copy(view.objections),
            })
            .collect();
        self.all(&copies)
    }
}

/// A slice of what this host lends, whose pointer may be null if there is nothing.
///
/// # Safety
/// There must be as many elements, which live as long as the slice is used.
unsafe fn slice<'a, T>(at: *const T, len: usize) -> &'a [T] {
    if len == 0 || at.is_null() {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(at, len) }
}
