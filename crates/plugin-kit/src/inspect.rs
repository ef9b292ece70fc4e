//! All that a host would learn of a plugin without calling it.

use std::path::{Path, PathBuf};

use alamein_plugin_abi::{
    ABI_MAJOR, ABI_MINOR, Descriptor, PANIC_ABORT, PANIC_NONE, PANIC_UNWIND, REQUIRED_FUNCTIONS,
};
use alamein_plugin_host::{PluginError, TARGET, Unopened};
use alamein_terrain::{Artifact, Manifest};
use std::collections::BTreeSet;

use crate::describe::{Described, NotDescribed, describe};

/// A plugin, looked at from outside.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The manifest beside the library.
    pub manifest: Manifest,
    /// What it says of the library.
    pub artifact: Artifact,
    /// The library.
    pub library: PathBuf,
    /// What the library says of itself, or why that cannot be read.
    pub described: Result<Described, NotDescribed>,
    /// Why a host would refuse it, as far as that can be told; nothing if it would not.
    pub refusal: Option<PluginError>,
}

/// Looks at the plugin of a folder. Nothing of it runs.
///
/// # Errors
/// Where there is not even a manifest and a library that belong together.
pub fn inspect(folder: &Path) -> Result<Inspection, PluginError> {
    let unopened = Unopened::read(folder)?;
    let manifest = unopened.manifest().clone();
    let artifact = unopened.artifact().clone();
    let library = unopened.library();
    let described = describe(unopened.bytes(), &manifest.id);
    let refusal = unopened
        .check()
        .and_then(|()| match &described {
            Ok(described) => accepted(described, &manifest, &artifact),
            Err(why) => Err(refused(why, &manifest.id, &library)),
        })
        .err();
    Ok(Inspection {
        manifest,
        artifact,
        library,
        described,
        refusal,
    })
}

/// What a host says of a descriptor that cannot be read.
fn refused(why: &NotDescribed, id: &str, library: &Path) -> PluginError {
    let plugin = id.to_owned();
    match why {
        NotDescribed::NoSymbol(symbol) => PluginError::NoDescriptor {
            plugin,
            file: library.to_path_buf(),
            symbol: symbol.clone(),
        },
        NotDescribed::NoDescriptor(magic) => PluginError::NotAPlugin {
            plugin,
            magic: *magic,
        },
        NotDescribed::OtherAbi(major, minor) => wrong_abi(plugin, *major, *minor),
        NotDescribed::Unreadable(why) => PluginError::BadDescriptor {
            plugin,
            why: why.clone(),
        },
    }
}

fn wrong_abi(plugin: String, major: u32, minor: u32) -> PluginError {
    let newer = (major, minor) > (ABI_MAJOR, ABI_MINOR);
    PluginError::WrongAbi {
        plugin,
        major,
        minor,
        advice: if newer {
            "use a newer host"
        } else {
            "build it with a newer SDK"
        },
    }
}

/// What a host asks of a descriptor before it calls anything.
fn accepted(
    described: &Described,
    manifest: &Manifest,
    artifact: &Artifact,
) -> Result<(), PluginError> {
    let plugin = || manifest.id.clone();
    let bad = |why: String| {
        let plugin = plugin();
        Err(PluginError::BadDescriptor { plugin, why })
    };
    if described.abi_minor > ABI_MINOR {
        return Err(wrong_abi(
            plugin(),
            described.abi_major,
            described.abi_minor,
        ));
    }
    let least = size_of::<Descriptor>() as u64;
    if described.struct_size < least {
        return bad(format!(
            "it has {} bytes, of at least {least}",
            described.struct_size
        ));
    }
    if described.reserved != 0 {
        return bad("its field `reserved` is not zero".into());
    }
    match described.panic_strategy {
        PANIC_UNWIND | PANIC_NONE => {}
        PANIC_ABORT => return Err(PluginError::PanicAbort { plugin: plugin() }),
        other => return bad(format!("its panic strategy {other} is unknown")),
    }
    if described.target != TARGET {
        return Err(PluginError::WrongTarget {
            plugin: plugin(),
            target: described.target.clone(),
            host: TARGET,
        });
    }
    same(described, manifest, artifact)?;
    let least = ((1 + REQUIRED_FUNCTIONS) * size_of::<usize>()) as u64;
    if described.table_size < least {
        let size = described.table_size;
        return bad(format!(
            "its table of functions has {size} bytes, of at least {least}"
        ));
    }
    match described.null_functions.first() {
        Some(index) => bad(format!("function number {index} of its table is null")),
        None => Ok(()),
    }
}

/// What stands in the library and beside it is the same.
fn same(
    described: &Described,
    manifest: &Manifest,
    artifact: &Artifact,
) -> Result<(), PluginError> {
    let plugin = || manifest.id.clone();
    let differs = |what: &str, beside: &str, within: &str| {
        Err(PluginError::Mismatch {
            plugin: plugin(),
            what: what.into(),
            manifest: beside.into(),
            library: within.into(),
            advice: match what {
                "version" => PluginError::SAME_VERSION,
                _ => PluginError::SAME_BUILD,
            },
        })
    };
    let texts = [
        ("id", &manifest.id, &described.id),
        ("version", &manifest.version, &described.version),
        ("build id", &artifact.build_id, &described.build_id),
    ];
    for (what, beside, within) in texts {
        if beside != within {
            return differs(what, beside, within);
        }
    }
    let within = match Manifest::parse(&described.manifest) {
        Ok(within) => within,
        Err(error) => {
            let why = format!("its manifest is none: {error}");
            let plugin = plugin();
            return Err(PluginError::BadDescriptor { plugin, why });
        }
    };
    if within != *manifest {
        return differs("a manifest within it", "is another", "is older or newer");
    }
    let table: BTreeSet<&String> = described.rules.iter().collect();
    let listed: BTreeSet<&String> = manifest.rules.iter().map(|rule| &rule.id).collect();
    if table.len() != described.rules.len() {
        let plugin = plugin();
        let why = "its rules: a rule stands there twice".into();
        return Err(PluginError::BadDescriptor { plugin, why });
    }
    match table.symmetric_difference(&listed).next() {
        None => Ok(()),
        Some(rule) => {
            let says = |rules: &BTreeSet<&String>| {
                if rules.contains(rule) {
                    "has it"
                } else {
                    "has it not"
                }
            };
            let what = format!("another table of rules; of {rule:?}, the library");
            differs(&what, says(&listed), says(&table))
        }
    }
}
