//! Opening a library so that what runs is what was read.
//!
//! The system's loader looks for a library that it has open already, by name first and then by
//! file. So each load writes the bytes to a new file under a name that this process never used,
//! opens that, and asks for the library never to be unloaded: a plugin may have left threads or
//! thread-local values behind, and code that is gone cannot clean up after them.
//!
//! On Linux that file is in memory. Its name is the number under which this process has it open, so
//! it stays open as long as the library does. Where there can be none, it is a temporary file.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, Permissions};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::OwnedFd;
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
    /// Where its bytes can be read as long as this process lives, if they can be.
    pub(crate) kept: Option<PathBuf>,
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
    let staged = Staged::new(&name, bytes).map_err(|error| PluginError::NotStaged {
        plugin: plugin.clone(),
        folder: std::env::temp_dir(),
        why: error.to_string(),
    })?;

    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: this runs whatever the library does when it is loaded. Its bytes are those that its
    // manifest vouches for, from a folder that the operator configured: it is trusted.
    let library = unsafe { Library::open(Some(&staged.path), flags) };
    let library =
        library.map_err(|error| not_loadable(chain(&error, &staged.path, &sidecar.library())))?;
    // Never closed, whatever comes of it.
    let library = ManuallyDrop::new(library);
    let kept = staged.keep();
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
        kept,
    })
}

/// Bytes that can be opened by a name.
struct Staged {
    path: PathBuf,
    held: Held,
}

/// What keeps staged bytes where they are.
enum Held {
    /// A file in memory, and no other. As long as it is open, no other has its number for a name.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    InMemory(OwnedFd),
    /// A folder that goes when this is dropped.
    OnDisk(TempDir),
}

impl Staged {
    /// Stages bytes in memory, or where that cannot be, on disk.
    fn new(name: &str, bytes: &[u8]) -> std::io::Result<Self> {
        in_memory(name, bytes).or_else(|_| on_disk(name, bytes))
    }

    /// The library is open for good. What is in memory keeps its name, which this gives; what is on disk
    /// has served.
    fn keep(self) -> Option<PathBuf> {
        match self.held {
            Held::InMemory(file) => {
                std::mem::forget(file);
                Some(self.path)
            }
            Held::OnDisk(folder) => {
                drop(folder);
                None
            }
        }
    }
}

/// Writes bytes to a file in memory that nothing can change any more. However this process ends,
/// nothing of it is left.
#[cfg(target_os = "linux")]
fn in_memory(name: &str, bytes: &[u8]) -> std::io::Result<Staged> {
    use std::os::fd::{AsRawFd, FromRawFd};

    // The system takes names of 249 bytes.
    let name = name.get(..200).unwrap_or(name);
    let name = std::ffi::CString::new(name)?;
    // Some systems want no such file to be a program, older ones know nothing of that.
    let flags = [libc::MFD_NOEXEC_SEAL, libc::MFD_ALLOW_SEALING];
    let create = |flags| {
        // SAFETY: the name is a text that ends, for the length of the call.
        let file = unsafe { libc::memfd_create(name.as_ptr(), flags | libc::MFD_CLOEXEC) };
        // SAFETY: it is new, and nobody else has it.
        (file >= 0).then(|| unsafe { OwnedFd::from_raw_fd(file) })
    };
    let file = flags.into_iter().find_map(create);
    let mut file = File::from(file.ok_or_else(std::io::Error::last_os_error)?);
    file.write_all(bytes)?;
    let seals = libc::F_SEAL_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: it is an open file, and seals are a number.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    // There may be no such file system.
    path.metadata()?;
    let held = Held::InMemory(file.into());
    Ok(Staged { path, held })
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_: &str, _: &[u8]) -> std::io::Result<Staged> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Writes bytes to a new file, in a new folder that only this user may enter.
fn on_disk(name: &str, bytes: &[u8]) -> std::io::Result<Staged> {
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
    let held = Held::OnDisk(folder);
    Ok(Staged { path, held })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_in_memory_can_be_changed_by_nobody() {
        let staged = in_memory("one", b"bytes").unwrap();
        assert_eq!(std::fs::read(&staged.path).unwrap(), b"bytes");
        let written = OpenOptions::new().write(true).open(&staged.path);
        let written = written.and_then(|mut file| file.write_all(b"other"));
        assert!(written.is_err());
        assert!(std::fs::write(&staged.path, "").is_err());
        assert_eq!(std::fs::read(&staged.path).unwrap(), b"bytes");
    }

    #[test]
    fn what_is_on_disk_is_gone_once_it_has_served() {
        let staged = on_disk("one", b"bytes").unwrap();
        let path = staged.path.clone();
        assert_eq!(std::fs::read(&path).unwrap(), b"bytes");
        staged.keep();
        assert!(!path.exists() && !path.parent().unwrap().exists());
    }
}
