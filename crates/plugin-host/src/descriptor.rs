//! Checking a descriptor before anything of the plugin is called.

use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::ptr;

use alamein_plugin_abi::{
    ABI_MAJOR, ABI_MINOR, Bytes, Descriptor, MAGIC, PANIC_ABORT, PANIC_NONE, PANIC_UNWIND,
    REQUIRED_FUNCTIONS, Table,
};
use alamein_terrain::Manifest;
use serde_json::Value;

use crate::TARGET;
use crate::error::PluginError;
use crate::limits::{MANIFEST_BYTES, NAME_BYTES, NAMES};
use crate::sidecar::Sidecar;
use crate::text;

/// How many those of ABI 1.1 have: what came later may be null.
const FUNCTIONS_OF_1_1: usize = REQUIRED_FUNCTIONS + 3;
/// And of ABI 1.2.
const FUNCTIONS_OF_1_2: usize = FUNCTIONS_OF_1_1 + 2;
const _: () = assert!(size_of::<Table>() == (1 + FUNCTIONS_OF_1_2) * size_of::<usize>());
const _: () = assert!(align_of::<Table>() == align_of::<usize>());

/// What a descriptor says, in the host's own memory.
pub(crate) struct Checked {
    /// The manifest, without an artifact.
    pub(crate) manifest: Manifest,
    /// The text that tells builds apart.
    pub(crate) build_id: String,
    /// The ids of the rules, by their index.
    pub(crate) rules: Vec<String>,
    /// The names of the kinds, by their index.
    pub(crate) kinds: Vec<String>,
    /// The functions. Those that the plugin's ABI does not know are absent.
    pub(crate) table: Table,
}

/// Checks a descriptor; of a library, against the manifest beside it.
///
/// # Safety
/// `at` must point to a descriptor, or to something that at least stays where it is: its size and
/// all that it points to must be as its fields say. Nothing may ever change it.
pub(crate) unsafe fn check(
    at: *const Descriptor,
    sidecar: Option<&Sidecar>,
) -> Result<Checked, PluginError> {
    let called = sidecar.map_or("(linked)", |sidecar| &sidecar.manifest.id);
    // SAFETY: as the caller says.
    let descriptor = unsafe { head(at, called) }?;
    // SAFETY: as the caller says.
    let id = unsafe { text::name(descriptor.id, NAME_BYTES) }
        .map_err(|why| bad(called, format!("its id {why}")))?;
    let called = sidecar.map_or(id, |sidecar| &sidecar.manifest.id);
    match descriptor.panic_strategy {
        PANIC_UNWIND | PANIC_NONE => {}
        PANIC_ABORT => {
            return Err(PluginError::PanicAbort {
                plugin: called.into(),
            });
        }
        other => {
            return Err(bad(
                called,
                format!("its panic strategy {other} is unknown"),
            ));
        }
    }
    // SAFETY: as the caller says.
    let (manifest, build_id) = unsafe { identity(&descriptor, called, id, sidecar) }?;
    // SAFETY: as the caller says.
    unsafe {
        let names = |what: &str, at, count| {
            names(at, count).map_err(|why| bad(called, format!("{what}: {why}")))
        };
        let rules = names("its rules", descriptor.rules, descriptor.rule_count)?;
        same_rules(&rules, &manifest, called)?;
        let kinds = names("its kinds", descriptor.kinds, descriptor.kind_count)?;
        let table = table(descriptor.table, descriptor.abi_minor);
        let table = table.map_err(|why| bad(called, why))?;
        Ok(Checked {
            manifest,
            build_id,
            rules,
            kinds,
            table,
        })
    }
}

fn bad(plugin: &str, why: String) -> PluginError {
    PluginError::BadDescriptor {
        plugin: plugin.into(),
        why,
    }
}

/// Reads a descriptor: first what says that it is one, then the rest.
///
/// # Safety
/// As [`check`].
unsafe fn head(at: *const Descriptor, plugin: &str) -> Result<Descriptor, PluginError> {
    if !at.is_aligned() {
        return Err(bad(
            plugin,
            format!("it lies at {at:p}, where no descriptor may begin"),
        ));
    }
    // SAFETY: aligned, and there as the caller says.
    let (magic, major, minor, size) = unsafe {
        (
            (*at).magic,
            (*at).abi_major,
            (*at).abi_minor,
            (*at).struct_size,
        )
    };
    if magic != MAGIC {
        return Err(PluginError::NotAPlugin {
            plugin: plugin.into(),
            magic,
        });
    }
    if major != ABI_MAJOR || minor > ABI_MINOR {
        let newer = (major, minor) > (ABI_MAJOR, ABI_MINOR);
        let advice = if newer {
            "use a newer host"
        } else {
            "build it with a newer SDK"
        };
        return Err(PluginError::WrongAbi {
            plugin: plugin.into(),
            major,
            minor,
            advice,
        });
    }
    if size < size_of::<Descriptor>() {
        let least = size_of::<Descriptor>();
        return Err(bad(
            plugin,
            format!("it has {size} bytes, of at least {least}"),
        ));
    }
    // SAFETY: aligned, and as long as it must be. All its fields are numbers and pointers.
    let descriptor = unsafe { ptr::read(at) };
    if descriptor.reserved != 0 {
        return Err(bad(plugin, "its field `reserved` is not zero".into()));
    }
    Ok(descriptor)
}

/// Checks who the plugin says it is. Returns its manifest and its build id.
///
/// # Safety
/// As [`check`].
unsafe fn identity(
    descriptor: &Descriptor,
    called: &str,
    id: &str,
    sidecar: Option<&Sidecar>,
) -> Result<(Manifest, String), PluginError> {
    // SAFETY: as the caller says.
    let read = |what: &str, name| unsafe {
        text::name(name, NAME_BYTES).map_err(|why| bad(called, format!("its {what} {why}")))
    };
    let version = read("version", descriptor.version)?;
    let target = read("target", descriptor.target)?;
    let build_id = read("build id", descriptor.build_id)?;
    if target != TARGET {
        let (plugin, target) = (called.into(), target.into());
        return Err(PluginError::WrongTarget {
            plugin,
            target,
            host: TARGET,
        });
    }
    // SAFETY: as the caller says.
    let json = unsafe { text::name(descriptor.manifest, MANIFEST_BYTES as usize) };
    let json = json.map_err(|why| bad(called, format!("its manifest {why}")))?;
    let manifest = Manifest::parse(json)
        .map_err(|error| bad(called, format!("its manifest is none: {error}")))?;

    let expected = sidecar.map_or(&manifest, |sidecar| &sidecar.manifest);
    let mismatch = |what: &str, manifest: &str, library: &str| PluginError::Mismatch {
        plugin: called.into(),
        what: what.into(),
        manifest: manifest.into(),
        library: library.into(),
        advice: match what {
            "version" => PluginError::SAME_VERSION,
            _ => PluginError::SAME_BUILD,
        },
    };
    if id != expected.id {
        return Err(mismatch("id", &expected.id, id));
    }
    if version != expected.version {
        return Err(mismatch("version", &expected.version, version));
    }
    if let Some(sidecar) = sidecar.filter(|sidecar| sidecar.artifact.build_id != build_id) {
        return Err(mismatch("build id", &sidecar.artifact.build_id, build_id));
    }
    if manifest.artifact.is_some() {
        return Err(bad(called, "the manifest within it has an artifact".into()));
    }
    if let Some((what, one, other)) = difference(expected, &manifest) {
        return Err(mismatch(
            &format!("in its manifest {what:?}:"),
            &one,
            &other,
        ));
    }
    Ok((manifest, build_id.into()))
}

/// The first member in which two manifests differ, with both values.
fn difference(one: &Manifest, other: &Manifest) -> Option<(String, String, String)> {
    if one == other {
        return None;
    }
    let members = |manifest| match serde_json::to_value(manifest) {
        Ok(Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let (one, other) = (members(one), members(other));
    let differs = |name: &&String| one.get(*name) != other.get(*name);
    let name = one.keys().chain(other.keys()).find(differs)?;
    let shown = |members: &serde_json::Map<String, Value>| {
        members
            .get(name)
            .map(|value| cut(&value.to_string()))
            .unwrap_or_default()
    };
    Some((name.clone(), shown(&one), shown(&other)))
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

/// A table of names: each some UTF-8, none twice.
///
/// # Safety
/// If not null, `at` must point to as many names, whose memory stays.
unsafe fn names(at: *const Bytes, count: u32) -> Result<Vec<String>, String> {
    let count = count as usize;
    if count > NAMES {
        return Err(format!("there are {count}, of at most {NAMES}"));
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    if at.is_null() || !at.is_aligned() {
        return Err(format!("{count} names lie at {at:p}, where no name may"));
    }
    // SAFETY: not null, aligned, and as many as the caller says.
    let lent = unsafe { std::slice::from_raw_parts(at, count) };
    let mut seen = BTreeSet::new();
    let mut names = Vec::with_capacity(count);
    for (index, name) in lent.iter().enumerate() {
        // SAFETY: as the caller says.
        let name = unsafe { text::name(*name, NAME_BYTES) };
        let name = name.map_err(|why| format!("number {index} {why}"))?;
        if !seen.insert(name) {
            return Err(format!("{name:?} stands there twice"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Every rule of the table is in the manifest, and every one of the manifest in the table.
fn same_rules(table: &[String], manifest: &Manifest, plugin: &str) -> Result<(), PluginError> {
    let table: BTreeSet<&str> = table.iter().map(String::as_str).collect();
    let listed: BTreeSet<&str> = manifest.rules.iter().map(|rule| rule.id.as_str()).collect();
    let Some(rule) = table.symmetric_difference(&listed).next() else {
        return Ok(());
    };
    let says = |rules: &BTreeSet<&str>| {
        if rules.contains(rule) {
            "has it"
        } else {
            "has it not"
        }
    };
    Err(PluginError::Mismatch {
        plugin: plugin.into(),
        what: format!("another table of rules; of {rule:?}, the library"),
        manifest: says(&listed).into(),
        library: says(&table).into(),
        advice: PluginError::SAME_RULES,
    })
}

/// A table of functions. None of ABI 1.0 is null; what the plugin's own ABI does not know, or its table
/// is too short for, is absent.
///
/// # Safety
/// If not null, `at` must point to a table of the size that its first field says, whose functions
/// keep to the ABI.
unsafe fn table(at: *const Table, minor: u32) -> Result<Table, String> {
    const WORD: usize = size_of::<usize>();
    if at.is_null() || !at.is_aligned() {
        return Err(format!(
            "its functions lie at {at:p}, where no table may begin"
        ));
    }
    let known = match minor {
        0 => REQUIRED_FUNCTIONS,
        1 => FUNCTIONS_OF_1_1,
        _ => FUNCTIONS_OF_1_2,
    };
    // A function pointer that is null may not even be read as one: they are looked at as numbers.
    let words = at.cast::<usize>();
    // SAFETY: the first field of any table is its size.
    let size = unsafe { words.read() };
    let least = (1 + REQUIRED_FUNCTIONS) * WORD;
    if size < least {
        return Err(format!(
            "its table of functions has {size} bytes, of at least {least}"
        ));
    }
    for index in 1..=REQUIRED_FUNCTIONS {
        // SAFETY: within the table, which is as long as it must be.
        if unsafe { words.add(index).read() } == 0 {
            return Err(format!("function number {index} of its table is null"));
        }
    }
    let there = (size / WORD).min(1 + known);
    let mut table = MaybeUninit::<Table>::zeroed();
    // SAFETY: as many words as the table has at least, and no more than this one has, which is
    // nowhere else. Every function of ABI 1.0 is there and not null; of those after it, one that is
    // not there stays zero, which is `None`.
    unsafe {
        ptr::copy_nonoverlapping(words, table.as_mut_ptr().cast::<usize>(), there);
        Ok(table.assume_init())
    }
}
