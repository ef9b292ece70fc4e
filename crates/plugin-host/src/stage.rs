//! Opening a library so that what runs is what was read.
//!
//! The system's loader looks for a library that it has open already, by name first and then by
//! file. So each load writes the bytes to a new file under a name that this process never used,
//! opens that, and asks for the library never to be unloaded: a plugin may have left threads or
//! thread-local values behind, and code that is gone cannot clean up after them.

use std::collections::BTreeSet;
use std::fs::{OpenOptions, Permissions};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use alamein_plugin_abi::Descriptor;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use tempfile::TempDir;

use crate::elf;
use crate::error::PluginError;
use crate::sidecar::Sidecar;

/// How many libraries this process has staged, so that each has a name of its own.
static STAGED: AtomicU64 = AtomicU64::new(0);
/// How many libraries this process has opened.
static OPENED: AtomicU64 = AtomicU64::new(0);
/// The addresses of all descriptors seen.
static SEEN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// How many libraries this process has opened. None is ever unloaded, so that it is also how many
/// it holds.
#[must_use]
pub fn libraries_held() -> u64 {
    OPENED.load(Ordering::Relaxed)
}

/// Notes that a descriptor at this address is in use. Whether it is new.
pub(crate) fn note(descriptor: *const Descriptor) -> bool {
    SEEN.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(descriptor.addr())
}

/// An open library.
pub(crate) struct Opened {
    /// Its descriptor, of which nothing has been read yet.
    pub(crate) descriptor: *const Descriptor,
    /// Which of all libraries that this process opened it is, counted from 1.
    pub(crate) generation: u64,
}

/// Opens a library that is made of these bytes.
pub(crate) fn open(sidecar: &Sidecar, bytes: &[u8]) -> Result<Opened, PluginError> {
    let plugin = &sidecar.manifest.id;
    let not_loadable = |why| PluginError::NotLoadable {
        plugin: plugin.clone(),
        file: sidecar.library(),
        why,
    };
    elf::check(bytes).map_err(not_loadable)?;
    let turn = STAGED.fetch_add(1, Ordering::Relaxed);
    let name = format!("{turn}-{}.so", sidecar.artifact.sha256);
    // Once it is open, the file's name has served: the folder goes when this function returns.
    let (_folder, staged) = write(&name, bytes).map_err(|error| PluginError::NotStaged {
        plugin: plugin.clone(),
        folder: std::env::temp_dir(),
        why: error.to_string(),
    })?;

    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: this runs whatever the library does when it is loaded. Its bytes are those that its
    // manifest vouches for, from a folder that the operator configured: it is trusted.
    let library = unsafe { Library::open(Some(&staged), flags) };
    let library =
        library.map_err(|error| not_loadable(chain(&error, &staged, &sidecar.library())))?;
    // Never closed, whatever comes of it.
    let library = ManuallyDrop::new(library);
    let generation = OPENED.fetch_add(1, Ordering::Relaxed) + 1;

    let symbol = format!("alamein_plugin_{}", plugin.replace('-', "_"));
    // SAFETY: the symbol is taken for an address only; nothing is read through it yet.
    let found = unsafe { library.get::<*const Descriptor>(symbol.as_bytes()) };
    let address = found.map_or(std::ptr::null(), |symbol| *symbol);
    let (plugin, file) = (plugin.clone(), sidecar.library());
    if address.is_null() {
        return Err(PluginError::NoDescriptor {
            plugin,
            file,
            symbol,
        });
    }
    if !note(address) {
        return Err(PluginError::StaleCode { plugin, file });
    }
    Ok(Opened {
        descriptor: address,
        generation,
    })
}

/// Writes bytes to a new file, in a new folder that only this user may enter.
fn write(name: &str, bytes: &[u8]) -> std::io::Result<(TempDir, PathBuf)> {
    let folder = tempfile::Builder::new()
        .prefix("alamein-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()?;
    let path = folder.path().join(name);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o500)
        .open(&path)?;
    file.write_all(bytes)?;
    // A disk that is full must say so here, not by a bus error when a page is touched.
    file.sync_all()?;
    Ok((folder, path))
}

/// An error with all that caused it. The file is called by the name that its operator knows.
fn chain(error: &dyn std::error::Error, staged: &Path, file: &Path) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text.replace(&*staged.to_string_lossy(), &file.to_string_lossy())
}
