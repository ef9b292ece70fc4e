//! The descriptor and the table of functions.

use core::ffi::c_void;

use crate::{
    Array, Bytes, Host, LineBatch, MapView, SeenView, SetUpBatch, Sink, Status, StepBatch, TextSink,
};

/// The plugin unwinds when it panics, and catches that itself.
pub const PANIC_UNWIND: u32 = 1;
/// The plugin would end the process when it panics: it is refused.
pub const PANIC_ABORT: u32 = 2;
/// The plugin is not written in a language that panics.
pub const PANIC_NONE: u32 = 3;

/// What a plugin exports.
#[repr(C)]
pub struct Descriptor {
    /// [`crate::MAGIC`].
    pub magic: u64,
    /// [`crate::ABI_MAJOR`] as the plugin knew it.
    pub abi_major: u32,
    /// [`crate::ABI_MINOR`] as the plugin knew it.
    pub abi_minor: u32,
    /// The size of this struct as the plugin knew it.
    pub struct_size: usize,
    /// [`PANIC_UNWIND`], [`PANIC_ABORT`] or [`PANIC_NONE`].
    pub panic_strategy: u32,
    /// How many rules there are.
    pub rule_count: u32,
    /// How many kinds there are.
    pub kind_count: u32,
    /// How many options the plugin reads; unused by ABI 1.0, zero.
    pub reserved: u32,
    /// The plugin's id, as its manifest has it.
    pub id: Bytes,
    /// The plugin's version, as its manifest has it.
    pub version: Bytes,
    /// The target triple, such as `x86_64-unknown-linux-gnu`.
    pub target: Bytes,
    /// A text that tells builds apart.
    pub build_id: Bytes,
    /// The manifest, as JSON, without its artifact.
    pub manifest: Bytes,
    /// The ids of its rules: sayings name them by their index here.
    pub rules: *const Bytes,
    /// The kinds that it says or knows (of Hindrances, obstacles, marks and TEM groups).
    pub kinds: *const Bytes,
    /// The functions.
    pub table: *const Table,
}

// SAFETY: a descriptor is a constant. What it points to is constant and lives as long as the
// library, which is never unloaded.
unsafe impl Sync for Descriptor {}

/// How many functions every table has, after its size: those of ABI 1.0. One that came later may be null,
/// and a table may end before it.
pub const REQUIRED_FUNCTIONS: usize = 11;

/// What `create` made. Only the plugin knows what it is.
pub type Instance = *mut c_void;
/// What `prepare` made of a map. Only the plugin knows what it is.
pub type Prepared = *mut c_void;

/// The functions of a plugin. All may be called from any thread, and from several at once, but
/// `destroy` and `release`, which are the last call for what they are given. None unwinds.
#[repr(C)]
pub struct Table {
    /// The size of this struct as the plugin knew it.
    pub struct_size: usize,
    /// Makes an instance. `options` is a JSON object with every option set.
    pub create: unsafe extern "C" fn(
        host: *const Host,
        options: Bytes,
        made: *mut Instance,
        error: TextSink,
    ) -> Status,
    /// Ends an instance.
    pub destroy: unsafe extern "C" fn(instance: Instance) -> Status,
    /// Looks at a map and keeps what it wants of it. Problems with the map go to `text` and are no
    /// failure.
    pub prepare: unsafe extern "C" fn(
        instance: Instance,
        map: *const MapView,
        made: *mut Prepared,
        text: TextSink,
    ) -> Status,
    /// Lets go of what `prepare` kept.
    pub release: unsafe extern "C" fn(prepared: Prepared) -> Status,
    /// Fills in what concerns the plugin, and its part of each hex's level. Both arrays have an
    /// element for each hex of the grid and come filled with zeros: `interest` bytes (not 0 where a
    /// line, step or set-up that touches the hex concerns it), `levels` in half levels. Answers through
    /// `flags` with a sum of `INTEREST_…`.
    pub survey: unsafe extern "C" fn(
        prepared: Prepared,
        interest: *mut u8,
        levels: *mut i16,
        len: usize,
        flags: *mut u32,
        error: TextSink,
    ) -> Status,
    /// Round 1 of lines: pushes [`crate::Observation`]s.
    pub observe_lines: unsafe extern "C" fn(Prepared, *const LineBatch, Sink) -> Status,
    /// Round 2 of lines: pushes [`crate::Objection`]s. A view for each line of the batch.
    pub object_to_lines:
        unsafe extern "C" fn(Prepared, *const LineBatch, *const SeenView, Sink) -> Status,
    /// Round 3 of lines: pushes [`crate::Finding`]s. A view for each line of the batch.
    pub judge_lines:
        unsafe extern "C" fn(Prepared, *const LineBatch, *const SeenView, Sink) -> Status,
    /// Round 1 of steps.
    pub observe_steps: unsafe extern "C" fn(Prepared, *const StepBatch, Sink) -> Status,
    /// Round 2 of steps.
    pub object_to_steps:
        unsafe extern "C" fn(Prepared, *const StepBatch, *const SeenView, Sink) -> Status,
    /// Round 3 of steps.
    pub judge_steps:
        unsafe extern "C" fn(Prepared, *const StepBatch, *const SeenView, Sink) -> Status,
    /// Round 1 of set-ups (since 1.1; null where the plugin has nothing to say there).
    pub observe_setups: Option<unsafe extern "C" fn(Prepared, *const SetUpBatch, Sink) -> Status>,
    /// Round 2 of set-ups (since 1.1; may be null).
    pub object_to_setups:
        Option<unsafe extern "C" fn(Prepared, *const SetUpBatch, *const SeenView, Sink) -> Status>,
    /// Round 3 of set-ups (since 1.1; may be null).
    pub judge_setups:
        Option<unsafe extern "C" fn(Prepared, *const SetUpBatch, *const SeenView, Sink) -> Status>,
}

/// Every line that has a counter on it concerns the plugin, and every set-up.
pub const INTEREST_COUNTERS: u32 = 1;
/// Every line, step and set-up concerns the plugin.
pub const INTEREST_EVERYTHING: u32 = 2;

/// An element of an array, if there is one at this index.
///
/// # Safety
/// `array` must describe memory that is valid for reads of `len` elements at its stride, each of
/// them at least a whole and aligned `T`.
#[must_use]
pub unsafe fn element<'a, T>(array: &Array, index: usize) -> Option<&'a T> {
    if index >= array.len || array.ptr.is_null() || array.stride < size_of::<T>() {
        return None;
    }
    // SAFETY: the index is within the array, which the caller says is valid.
    Some(unsafe { &*array.ptr.cast::<u8>().add(index * array.stride).cast::<T>() })
}
