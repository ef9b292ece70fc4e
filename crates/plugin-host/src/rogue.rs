//! A plugin within this program that says whatever it is told to: for fuzzing what the host makes of
//! it. The feature `rogue` brings it.
//!
//! It keeps to the one thing that no host can check: what it lends is memory that can be read. All
//! else is as its script has it, byte by byte: statuses, tags, indices, places, counts, strides,
//! pointers that are null or not aligned, texts that are no texts. Where the script has come to its
//! end, it says nothing more and all is well.
//!
//! ```
//! use alamein_plugin_host::rogue;
//!
//! let plugin = rogue::plugin()?;
//! assert_eq!(plugin.id(), "rogue");
//! rogue::tell(b"whatever");
//! # Ok::<(), alamein_plugin_host::PluginError>(())
//! ```

mod script;

use std::ffi::c_void;
use std::ptr;

use alamein_plugin_abi::{
    ABI_MAJOR, ABI_MINOR, Array, Bytes, Descriptor, Host, Instance, LineBatch, MAGIC, MapView,
    PANIC_UNWIND, Prepared, SeenView, SetUpBatch, Sink, Status, StepBatch, Table, TextSink,
};

use crate::TARGET;
use crate::error::PluginError;
use crate::plugin::NativePlugin;
use script::{Lent, Word, next};

/// What the rogue says is named by these: the second turns on an option.
const MANIFEST: &str = r#"{"manifest_version": 1, "id": "rogue", "version": "0.0.1",
    "rules_revision": 1, "title": "", "rules": [
        {"id": "R1", "title": "", "message": "", "reports": [{"key": "rogue", "as": "item"}]},
        {"id": "R2", "title": "", "message": "", "option": "odd"},
        {"id": "R3", "title": "", "message": ""}],
    "layers": [{"name": "murk", "fields": [{"name": "hexes", "kind": "hexes"}]}],
    "options": {"type": "object", "properties": {"odd": {"type": "boolean", "default": false}}}}"#;

static RULES: Rows<3> = Rows([Bytes::of("R1"), Bytes::of("R2"), Bytes::of("R3")]);
static KINDS: Rows<3> = Rows([Bytes::of("smoke"), Bytes::of("wreck"), Bytes::of("murk")]);

/// Names, as the descriptor points to them.
struct Rows<const COUNT: usize>([Bytes; COUNT]);

// SAFETY: what they point to is constant.
unsafe impl<const COUNT: usize> Sync for Rows<COUNT> {}

static TABLE: Table = Table {
    struct_size: size_of::<Table>(),
    create,
    destroy: done,
    prepare,
    release: done,
    survey,
    observe_lines,
    object_to_lines,
    judge_lines,
    observe_steps,
    object_to_steps,
    judge_steps,
    observe_setups: Some(observe_setups),
    object_to_setups: Some(object_to_setups),
    judge_setups: Some(judge_setups),
    survey_sight: None,
    sight_lines: None,
};

static ROGUE: Descriptor = Descriptor {
    magic: MAGIC,
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    struct_size: size_of::<Descriptor>(),
    panic_strategy: PANIC_UNWIND,
    rule_count: 3,
    kind_count: 3,
    reserved: 0,
    id: Bytes::of("rogue"),
    version: Bytes::of("0.0.1"),
    target: Bytes::of(TARGET),
    build_id: Bytes::of("linked"),
    manifest: Bytes::of(MANIFEST),
    rules: &raw const RULES.0[0],
    kinds: &raw const KINDS.0[0],
    table: &raw const TABLE,
};

/// The plugin.
///
/// # Errors
/// None: its descriptor is in order.
pub fn plugin() -> Result<NativePlugin, PluginError> {
    NativePlugin::linked(&ROGUE)
}

/// What it will say in this thread from now on.
pub fn tell(script: &[u8]) {
    script::tell(script);
}

/// What a call comes to: all is well more often than not, so that calls come that are later.
fn status() -> Status {
    match next() {
        byte @ 248.. => Status::from(byte - 247),
        _ => alamein_plugin_abi::OK,
    }
}

/// Says a few texts, such as they are.
fn texts(sink: TextSink) {
    for _ in 0..script::few() {
        let tag = u32::from(next() % 8);
        let text = script::bytes();
        let lent = match next() {
            255 => Bytes {
                ptr: ptr::null(),
                len: text.len(),
            },
            _ => Bytes {
                ptr: text.as_ptr(),
                len: text.len(),
            },
        };
        // SAFETY: the sink is the host's, and the text lives as long as the call.
        unsafe { (sink.write)(sink.ctx, tag, lent) };
    }
}

/// Says a few things, such as they are, and how it all went.
fn say<T: Word>(sink: Sink) -> Status {
    for _ in 0..next() % 4 {
        // What the elements point to lives in `lent`.
        let lent = Lent::<T>::next();
        // SAFETY: the sink is the host's; what is lent lives as long as the call.
        unsafe { (sink.push)(sink.ctx, lent.array()) };
    }
    texts(sink.error);
    status()
}

unsafe extern "C" fn create(
    _: *const Host,
    _: Bytes,
    made: *mut Instance,
    error: TextSink,
) -> Status {
    texts(error);
    // SAFETY: the host lends the place for the instance.
    unsafe { made.write(ptr::without_provenance_mut(1)) };
    status()
}

unsafe extern "C" fn done(_: *mut c_void) -> Status {
    // Called from a thread of the host's, where there is no script.
    status()
}

unsafe extern "C" fn prepare(
    _: Instance,
    _: *const MapView,
    made: *mut Prepared,
    text: TextSink,
) -> Status {
    texts(text);
    // SAFETY: the host lends the place for what is made of the map.
    unsafe { made.write(ptr::without_provenance_mut(1)) };
    status()
}

unsafe extern "C" fn survey(
    _: Prepared,
    interest: *mut u8,
    levels: *mut i16,
    len: usize,
    flags: *mut u32,
    error: TextSink,
) -> Status {
    // SAFETY: the host lends the place for the answer.
    unsafe { flags.write(script::flags() ^ alamein_plugin_abi::INTEREST_EVERYTHING) };
    for _ in 0..next() % 16 {
        let at = usize::from(next());
        if at < len {
            // SAFETY: both arrays have `len` elements, which the host lends.
            unsafe {
                interest.add(at).write(next());
                levels.add(at).write(script::short());
            }
        }
    }
    texts(error);
    status()
}

macro_rules! rounds {
    ($($batch:ty: $observe:ident $object:ident $judge:ident;)*) => {$(
        unsafe extern "C" fn $observe(_: Prepared, _: *const $batch, sink: Sink) -> Status {
            say::<alamein_plugin_abi::Observation>(sink)
        }

        unsafe extern "C" fn $object(
            _: Prepared,
            _: *const $batch,
            _: *const SeenView,
            sink: Sink,
        ) -> Status {
            say::<alamein_plugin_abi::Objection>(sink)
        }

        unsafe extern "C" fn $judge(
            _: Prepared,
            _: *const $batch,
            _: *const SeenView,
            sink: Sink,
        ) -> Status {
            say::<alamein_plugin_abi::Finding>(sink)
        }
    )*};
}

rounds! {
    LineBatch: observe_lines object_to_lines judge_lines;
    StepBatch: observe_steps object_to_steps judge_steps;
    SetUpBatch: observe_setups object_to_setups judge_setups;
}
