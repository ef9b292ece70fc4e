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
    /// Says on which lines of sight the plugin speaks, where nothing but LOS is wanted (since 1.2; may be
    /// null, as `sight_lines` then is: the plugin is asked as `survey` says). It holds of lines between
    /// centres of hexes whose ends are not below their hexes' Base Level, with no counter that is only
    /// asked about; of others the plugin is asked as `survey` says. `hexes` has an element for
    /// each hex of the grid and comes filled with zeros; it takes a sum of `SIGHT_…`. Answers through
    /// `counters` with a sum of `1 << CLASS_…`, the classes of counters between the ends on which it
    /// speaks, and through `flags` with a sum of `SIGHT_JUDGES_…`,
    /// `SIGHT_EVERYTHING`, `SIGHT_HINDRANCES_ONLY`, `SIGHT_TELLS_ASIDE` and `SIGHT_HINDERS_ONLY`, and
    /// `SIGHT_LIMIT` times a number.
    pub survey_sight: Option<
        unsafe extern "C" fn(
            prepared: Prepared,
            hexes: *mut u8,
            len: usize,
            counters: *mut u32,
            flags: *mut u32,
            error: TextSink,
        ) -> Status,
    >,
    /// Answers lines of sight on which the plugin speaks by `survey_sight`: for each line of the batch
    /// an answer into `answers` (since 1.2; may be null: the plugin is asked in rounds). What it answers
    /// by the marks of hexes, or says of such lines in rounds, must not depend on counters between the ends of
    /// other classes than it speaks on.
    pub sight_lines: Option<
        unsafe extern "C" fn(
            prepared: Prepared,
            lines: *const LineBatch,
            answers: *mut SightAnswer,
            error: TextSink,
        ) -> Status,
    >,
}

/// The plugin speaks on a line that has this hex between its ends: of such a line it may observe an
/// obstacle or a Hindrance, or find something on which the LOS turns. An element of `hexes`.
pub const SIGHT_BETWEEN: u8 = 1;
/// It does so on a line that starts or ends in this hex.
pub const SIGHT_END: u8 = 2;
/// It does so on a line that starts or ends in this hex at a counter.
pub const SIGHT_UNIT_END: u8 = 4;
/// Of a line that has this hex between its ends, it may set aside or judge what other plugins observe.
pub const SIGHT_OTHERS_BETWEEN: u8 = 8;
/// Of a line that starts or ends in this hex, it may do so.
pub const SIGHT_OTHERS_END: u8 = 16;

/// It judges what anyone observes in a hex, of any line. A flag of `survey_sight`.
pub const SIGHT_JUDGES_HEXES: u32 = 1;
/// It judges what anyone observes on a hexside, of any line.
pub const SIGHT_JUDGES_HEXSIDES: u32 = 2;
/// It speaks on every line.
pub const SIGHT_EVERYTHING: u32 = 4;
/// All that it may set aside or judge of what other plugins observe by its marks are Hindrances.
pub const SIGHT_HINDRANCES_ONLY: u32 = 8;
/// By those marks it judges no Hindrance that is told by [`SightAnswer::hinders`]; which of them it sets
/// aside it tells by [`SightAnswer::sets_aside`].
pub const SIGHT_TELLS_ASIDE: u32 = 16;
/// All that it observes on lines of sight are Hindrances that it tells by [`SightAnswer::hinders`], and such as it
/// sets aside itself.
pub const SIGHT_HINDERS_ONLY: u32 = 32;
/// Times a number of 1 to 255: of Hindrances that are told by [`SightAnswer::hinders`] it says, judging hexes,
/// no more than that so many block the LOS.
pub const SIGHT_LIMIT: u32 = 256;

/// What a plugin answers of a line of sight in short.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightAnswer {
    /// [`SIGHT_CLEAR`], [`SIGHT_BLOCKED`], [`SIGHT_ASK`] or [`SIGHT_HINDERS`]; with
    /// [`SIGHT_LEAVES_HEXSIDES`] where that is so.
    pub verdict: u32,
    /// The rule of `contested`; zero where that is none.
    pub contested_by: u32,
    /// With [`SIGHT_HINDERS`], the bit `1 << n` for the `n`th of the line's counters: as an AFV or a wreck it
    /// Hinders by 1, if both ends see it. No other that Hinders is in its hex, nor beside it where the line runs
    /// along a hexside. Zero: which Hinder is to be asked in rounds.
    pub hinders: u64,
    /// Where the plugin tells that (`SIGHT_TELLS_ASIDE`), in the same way: the counters that do not Hinder as
    /// an AFV or a wreck, whoever says that they do, and whatever the verdict is.
    pub sets_aside: u64,
    /// In the same way: the counters that an option decided about, by one rule, unless another plugin sets them
    /// aside: a finding is contested of each of them, in its hex. Of those that are among `sets_aside` too it
    /// is so if they would Hinder otherwise. Not with [`SIGHT_ASK`].
    pub contested: u64,
}

/// Where nobody else sets aside what the plugin observes of the line, and nobody judges it but as the
/// answer says, the LOS is clear as far as it goes: nothing turned on a contested option, and on no rule
/// that is not covered or not implemented. A [`SightAnswer::verdict`]; so are the others.
pub const SIGHT_CLEAR: u32 = 0;
/// Under the same conditions, it is blocked.
pub const SIGHT_BLOCKED: u32 = 1;
/// What the plugin has to say is to be asked in rounds.
pub const SIGHT_ASK: u32 = 2;
/// Under the same conditions, all that comes of it are Hindrances, which do not matter if another plugin
/// blocks.
pub const SIGHT_HINDERS: u32 = 3;
/// Added to any verdict: an obstacle that the plugin observes on a hexside stands, for others to judge. Nothing
/// that it observes in a hex stands but what Hinders, unless the answer is to ask.
pub const SIGHT_LEAVES_HEXSIDES: u32 = 4;

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
