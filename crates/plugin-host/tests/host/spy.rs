//! A plugin within this program that writes down what it is shown, and says what it is told to.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use alamein_plugin_abi::{
    ABI_MAJOR, ABI_MINOR, Array, AttributeView, Bytes, CounterView, CrossingView, Descriptor,
    EndView, FieldView, Finding, HexCoord, Host, Instance, LayerView, LineBatch, LineView, MAGIC,
    MapView, OK, Observation, PANIC_UNWIND, Prepared, SeenObjection, SeenObservation, SeenView,
    SetUpBatch, SetUpView, Sink, Status, StepBatch, StepView, Table, TextSink, TouchView, element,
};
use alamein_plugin_host::TARGET;

thread_local! {
    static NOTES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What the spy made and was given back, in that order.
static GONE: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static MADE: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    static MADE_HERE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Something that the spy makes; by its number it can be told when it is given back.
fn make() -> *mut c_void {
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    MADE_HERE.with_borrow_mut(|made| made.push(number));
    ptr::without_provenance_mut(number)
}

/// Of all that the spy made in this thread, what it was given back, in that order: the places in
/// which they were made.
pub(crate) fn given_back() -> Vec<usize> {
    let gone = GONE.lock().expect("no test panics here");
    let place = |number| MADE_HERE.with_borrow(|made| made.iter().position(|it| it == number));
    gone.iter().filter_map(place).collect()
}

thread_local! {
    static OBSERVATIONS: RefCell<Vec<Observation>> = const { RefCell::new(Vec::new()) };
    static FINDINGS: RefCell<Vec<Finding>> = const { RefCell::new(Vec::new()) };
}

/// Tells the spy what to observe when it is next asked in this thread.
pub(crate) fn observe(said: Vec<Observation>) {
    OBSERVATIONS.set(said);
}

/// Tells the spy what to find when it is next asked in this thread. What they cite must stay.
pub(crate) fn find(said: Vec<Finding>) {
    FINDINGS.set(said);
}

/// Pushes what the spy was told to say.
fn say<T>(said: &[T], sink: Sink) -> Status {
    let (ptr, len, stride) = (said.as_ptr().cast(), said.len(), size_of::<T>());
    // SAFETY: the sink is the host's, and the slice lives as long as the call.
    unsafe { (sink.push)(sink.ctx, Array { ptr, len, stride }) };
    // Whatever the sink says: the host must know for itself.
    OK
}

/// What the spy has written down in this thread since it was last asked.
pub(crate) fn notes() -> Vec<String> {
    NOTES.take()
}

fn note(text: String) {
    NOTES.with_borrow_mut(|notes| notes.push(text));
}

const MANIFEST: &str = r#"{"manifest_version": 1, "id": "spy", "version": "0.0.1",
    "rules_revision": 1, "title": "", "rules": [{"id": "S1", "title": "", "message": ""}]}"#;

static RULES: Rows<1> = Rows([Bytes::of("S1")]);
static KINDS: Rows<2> = Rows([Bytes::of("smoke"), Bytes::of("fog")]);

/// Names, as the descriptor points to them.
struct Rows<const COUNT: usize>([Bytes; COUNT]);

// SAFETY: what they point to is constant.
unsafe impl<const COUNT: usize> Sync for Rows<COUNT> {}

static TABLE: Table = Table {
    struct_size: size_of::<Table>(),
    create,
    destroy,
    prepare,
    release: destroy,
    survey,
    observe_lines,
    object_to_lines: see_lines,
    judge_lines: see_lines,
    observe_steps,
    object_to_steps: see_steps,
    judge_steps: see_steps,
    observe_setups: Some(observe_setups),
    object_to_setups: Some(see_setups),
    judge_setups: Some(see_setups),
    survey_sight: None,
    sight_lines: None,
};

/// The spy.
pub(crate) static SPY: Descriptor = spy(PANIC_UNWIND);
/// A spy that would end the process if it panicked.
pub(crate) static BRITTLE_SPY: Descriptor = spy(alamein_plugin_abi::PANIC_ABORT);

const fn spy(panic_strategy: u32) -> Descriptor {
    Descriptor {
        magic: MAGIC,
        abi_major: ABI_MAJOR,
        abi_minor: ABI_MINOR,
        struct_size: size_of::<Descriptor>(),
        panic_strategy,
        rule_count: 1,
        kind_count: 2,
        reserved: 0,
        id: Bytes::of("spy"),
        version: Bytes::of("0.0.1"),
        target: Bytes::of(TARGET),
        build_id: Bytes::of("linked"),
        manifest: Bytes::of(MANIFEST),
        rules: &raw const RULES.0[0],
        kinds: &raw const KINDS.0[0],
        table: &raw const TABLE,
    }
}

/// The elements of an array, each shown by a function.
fn show<T: Copy + 'static>(array: &Array, show: impl Fn(T) -> String) -> String {
    assert!(array.ptr.cast::<T>().is_aligned());
    assert_eq!(array.stride, size_of::<T>());
    // SAFETY: the host lends arrays that are as they say.
    let at = |index| unsafe { element::<T>(array, index) }.copied();
    (0..array.len)
        .filter_map(at)
        .map(show)
        .collect::<Vec<_>>()
        .join(" ")
}

fn text(bytes: Bytes) -> String {
    // SAFETY: the host lends texts that are as they say.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.ptr, bytes.len) };
    String::from_utf8(bytes.to_vec()).expect("the host's texts are UTF-8")
}

fn hex(hex: HexCoord) -> String {
    format!("{},{}", hex.q, hex.r)
}

/// A number, or a dash where there is none.
fn number(number: u32) -> String {
    if number == alamein_plugin_abi::NONE {
        "-".into()
    } else {
        number.to_string()
    }
}

unsafe extern "C" fn create(_: *const Host, o: Bytes, m: *mut Instance, _: TextSink) -> Status {
    note(format!("options {}", text(o)));
    // SAFETY: the host lends the place for the instance.
    unsafe { m.write(make()) };
    OK
}

unsafe extern "C" fn destroy(made: *mut c_void) -> Status {
    GONE.lock().expect("no test panics here").push(made.addr());
    OK
}

unsafe extern "C" fn prepare(
    _: Instance,
    map: *const MapView,
    made: *mut Prepared,
    _: TextSink,
) -> Status {
    // SAFETY: the host lends the place for what is made of the map.
    unsafe { made.write(make()) };
    // SAFETY: the host lends the map.
    let map = unsafe { &*map };
    assert_eq!((map.struct_size, map.reserved), (size_of::<MapView>(), 0));
    note(format!("map {} by {}", map.columns, map.rows));
    note(format!("hexes {}", show(&map.hexes, hex)));
    note(format!(
        "levels {}",
        show(&map.base_levels, |level: i16| level.to_string())
    ));
    note(format!("names {}", show(&map.names, text)));
    show(&map.layers, |layer: LayerView| {
        note(format!("layer {}", text(layer.name)));
        show(&layer.fields, |field: FieldView| {
            let (hexes, values) = (
                show(&field.hexes, hex),
                show(&field.values, |v: i64| v.to_string()),
            );
            note(format!(
                "  {} {}: {hexes} = {values}",
                text(field.name),
                field.kind
            ));
            String::new()
        })
    });
    OK
}

unsafe extern "C" fn survey(
    _: Prepared,
    _: *mut u8,
    _: *mut i16,
    len: usize,
    _: *mut u32,
    _: TextSink,
) -> Status {
    note(format!("survey of {len}"));
    OK
}

fn show_position(counters: &Array, levels: &Array, attributes: &Array, names: &Array, ec: u32) {
    let counter = |c: CounterView| {
        let (class, aboard) = (c.class, number(c.aboard));
        format!(
            "({} {class} {} {} {aboard} {} {})",
            hex(c.hex),
            c.flags,
            c.side,
            c.level,
            c.probe
        )
    };
    note(format!("counters {}", show(counters, counter)));
    note(format!(
        "levels {}",
        show(levels, |level: i16| level.to_string())
    ));
    let attribute = |a: AttributeView| format!("{}.{}={}", a.counter, a.name, a.value);
    note(format!(
        "attributes {} of {}",
        show(attributes, attribute),
        show(names, text)
    ));
    note(format!("ec {ec}"));
}

fn end(end: EndView) -> String {
    let (corner, counter) = (number(end.corner), number(end.counter));
    let EndView {
        class,
        flags,
        side,
        level,
        aboard,
        ..
    } = end;
    format!(
        "({} {corner} {counter} {class} {flags} {side} {level} {aboard})",
        hex(end.hex)
    )
}

fn show_line(line: LineView) -> String {
    let LineView {
        flags,
        purpose,
        attack,
        policy,
        range,
        ..
    } = line;
    note(format!("line from {} to {}", end(line.from), end(line.to)));
    note(format!(
        "  flags {flags} purpose {purpose} attack {attack} policy {policy} range {range}"
    ));
    let touch = |t: TouchView| format!("{}:{}:{}", hex(t.hex), t.contact, t.readings);
    note(format!(
        "  touched {} from {}",
        show(&line.touched, touch),
        hex(line.origin)
    ));
    let crossing = |c: CrossingView| format!("{}>{}", hex(c.from), hex(c.to));
    note(format!("  left {}", show(&line.left, crossing)));
    note(format!("  right {}", show(&line.right, crossing)));
    note(format!(
        "  counters {}",
        show(&line.counters, |counter: u32| counter.to_string())
    ));
    let (lane, probe) = (hex(line.lane_hex), number(line.lane_probe));
    note(format!("  lane {lane} {} {probe}", line.lane_mover));
    String::new()
}

unsafe extern "C" fn observe_lines(_: Prepared, batch: *const LineBatch, sink: Sink) -> Status {
    // SAFETY: the host lends the batch.
    let batch = unsafe { &*batch };
    assert_eq!(
        (batch.struct_size, batch.reserved),
        (size_of::<LineBatch>(), 0)
    );
    let LineBatch {
        counters,
        levels,
        attributes,
        attribute_names,
        ec,
        ..
    } = batch;
    show_position(counters, levels, attributes, attribute_names, *ec);
    show(&batch.lines, show_line);
    say(&OBSERVATIONS.take(), sink)
}

unsafe extern "C" fn observe_steps(_: Prepared, batch: *const StepBatch, sink: Sink) -> Status {
    // SAFETY: the host lends the batch.
    let batch = unsafe { &*batch };
    assert_eq!(
        (batch.struct_size, batch.reserved),
        (size_of::<StepBatch>(), 0)
    );
    let StepBatch {
        counters,
        levels,
        attributes,
        attribute_names,
        ec,
        ..
    } = batch;
    show_position(counters, levels, attributes, attribute_names, *ec);
    show(&batch.steps, |step: StepView| {
        let StepView {
            class,
            ground_pressure,
            weight_kg,
            british_built,
            ec,
            kind,
            way,
            hexsides,
            entered_known,
            ..
        } = step;
        let (from, to) = (hex(step.from), hex(step.to));
        let mover = format!("{class} {ground_pressure} {weight_kg} {british_built}");
        let turn = format!("{hexsides} {entered_known} {}", hex(step.entered_from));
        note(format!(
            "step {from} to {to} by {mover} ec {ec} kind {kind} way {way} turn {turn}"
        ));
        String::new()
    });
    say(&OBSERVATIONS.take(), sink)
}

unsafe extern "C" fn observe_setups(_: Prepared, batch: *const SetUpBatch, sink: Sink) -> Status {
    // SAFETY: the host lends the batch.
    let batch = unsafe { &*batch };
    assert_eq!(
        (batch.struct_size, batch.reserved),
        (size_of::<SetUpBatch>(), 0)
    );
    let SetUpBatch {
        counters,
        levels,
        attributes,
        attribute_names,
        ec,
        ..
    } = batch;
    show_position(counters, levels, attributes, attribute_names, *ec);
    show(&batch.setups, |setup: SetUpView| {
        let SetUpView {
            class,
            fortification,
            beneath,
            concealment,
            ..
        } = setup;
        let at = hex(setup.hex);
        note(format!(
            "setup {class} {fortification} in {at} beneath {beneath} concealment {concealment}"
        ));
        String::new()
    });
    say(&OBSERVATIONS.take(), sink)
}

/// Writes down what has been seen of each of so many lines, steps or set-ups.
fn see(seen: *const SeenView, count: usize, sink: Sink) -> Status {
    for index in 0..count {
        // SAFETY: the host lends a view for each line or step.
        let seen = unsafe { &*seen.add(index) };
        note(format!("seen of {index}"));
        show(&seen.observations, |o: SeenObservation| {
            let (kind, subject, rule) = (number(o.kind), number(o.subject), number(o.rule));
            let place = format!("{}:{}:{}", o.place.tag, hex(o.place.a), hex(o.place.b));
            let (fact, value, flags) = (o.fact, o.value, o.flags);
            note(format!(
                "  {fact} {kind} {value} {flags} {subject} {place} by {rule}"
            ));
            String::new()
        });
        show(&seen.objections, |o: SeenObjection| {
            note(format!(
                "  objection to {} by {}",
                o.observation,
                number(o.rule)
            ));
            String::new()
        });
    }
    say(&FINDINGS.take(), sink)
}

unsafe extern "C" fn see_lines(
    _: Prepared,
    batch: *const LineBatch,
    seen: *const SeenView,
    sink: Sink,
) -> Status {
    // SAFETY: the host lends the batch.
    see(seen, unsafe { (*batch).lines.len }, sink)
}

unsafe extern "C" fn see_steps(
    _: Prepared,
    batch: *const StepBatch,
    seen: *const SeenView,
    sink: Sink,
) -> Status {
    // SAFETY: the host lends the batch.
    see(seen, unsafe { (*batch).steps.len }, sink)
}

unsafe extern "C" fn see_setups(
    _: Prepared,
    batch: *const SetUpBatch,
    seen: *const SeenView,
    sink: Sink,
) -> Status {
    // SAFETY: the host lends the batch.
    see(seen, unsafe { (*batch).setups.len }, sink)
}
