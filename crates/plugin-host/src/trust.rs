//! Which plugins are let in: by who may write to their files, by a lock file, by signatures.

mod lock;

use std::fmt;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign_verify::{PublicKey, Signature};

use crate::error::PluginError;
use crate::files::{Folder, Refusal};
use crate::sidecar::{self, Sidecar};

pub use lock::{LOCK_FILE, Lock, LockError, Locked};

/// The longest signature, in bytes.
const SIGNATURE_BYTES: u64 = 1 << 14;

/// Which plugins are let in.
///
/// By default those are whose files not everyone may write to, and that are as the `plugins.lock`
/// beside their folders says, if there is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trust {
    /// Nobody else may have a hand in the files: they, their folder, and the folder above that
    /// belong to whoever runs this process or to root, and no group may write to them but the
    /// owner's own (the one of the same number).
    pub own_files: bool,
    /// The lock file. If none is given, the `plugins.lock` in the folder of all plugins holds, where
    /// there is one.
    pub lock: Option<PathBuf>,
    /// Whose signatures count. If there are any, a plugin must have one.
    pub keys: Vec<TrustedKey>,
    /// All the same let in what is not signed, and warn of it. A bad signature is still refused.
    pub unsigned: bool,
}

/// A public key of minisign's, by which plugins may be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    id: String,
    key: PublicKey,
}

impl TrustedKey {
    /// Reads a key: what a `minisign.pub` file holds, or its second line.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines().find(|line| !line.starts_with("untrusted comment:"));
        let line = line.ok_or("it is empty")?;
        if lines()
            .filter(|it| !it.starts_with("untrusted comment:"))
            .count()
            > 1
        {
            return Err("it holds more than one key".into());
        }
        let key = PublicKey::from_base64(line)
            .map_err(|error| format!("it is no public key of minisign's: {error}"))?;
        let bytes = STANDARD.decode(line).map_err(|error| error.to_string())?;
        let id = bytes.get(2..10).unwrap_or_default().iter().rev();
        let id = id.map(|byte| format!("{byte:02X}")).collect();
        Ok(Self { id, key })
    }

    /// The key's id, as minisign shows it: 16 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Why a plugin was let in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    /// A lock file lists it, as it is.
    pub locked: bool,
    /// The id of the key that signed it.
    pub signed_by: Option<String>,
}

impl fmt::Display for Vouched {
    /// `locked`, `signed by 0123456789ABCDEF`, both, or `unsigned`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.locked, &self.signed_by) {
            (true, None) => f.write_str("locked"),
            (true, Some(key)) => write!(f, "locked, signed by {key}"),
            (false, Some(key)) => write!(f, "signed by {key}"),
            (false, None) => f.write_str("unsigned"),
        }
    }
}

/// What speaks for a plugin besides its manifest.
pub(crate) struct Papers {
    /// Its signature, if it has one.
    pub(crate) signature: Option<Vec<u8>>,
    /// Where its signature lies, or would.
    pub(crate) file: PathBuf,
    /// The lock files that hold for it.
    pub(crate) locks: Vec<(PathBuf, Lock)>,
}

impl Trust {
    /// Checks a plugin's manifest by what speaks for it.
    pub(crate) fn vouch(&self, sidecar: &Sidecar, papers: &Papers) -> Result<Vouched, PluginError> {
        let signed_by = self.signature(sidecar, papers)?;
        let check = |(file, lock): &(PathBuf, Lock)| {
            lock.check(file, &sidecar.manifest, &sidecar.artifact, &sidecar.sha256)
        };
        let mut checked = papers.locks.iter().map(check);
        let locked = match checked.next() {
            None => false,
            // One that lists it is enough; of those that do not, the first is told of.
            Some(Err(error)) if !checked.any(|other| other.is_ok()) => return Err(error),
            Some(_) => true,
        };
        let vouched = Vouched { locked, signed_by };
        if self.unsigned && vouched.signed_by.is_none() {
            let plugin = &sidecar.manifest.id;
            tracing::warn!(
                plugin,
                "is not signed, and is let in all the same: --unsigned"
            );
        }
        Ok(vouched)
    }

    /// What speaks for a plugin that lies in a folder.
    pub(crate) fn papers_in(
        &self,
        sidecar: &Sidecar,
        folder: &Folder,
    ) -> Result<Papers, PluginError> {
        let name = format!("{}.minisig", sidecar::FILE);
        let file = folder.path().join(&name);
        let there = file.symlink_metadata().is_ok();
        let read = there.then(|| folder.read(&name, SIGNATURE_BYTES));
        let signature = match read.transpose() {
            Ok(signature) => signature,
            // Nobody asks for it: it is as good as none.
            Err(_) if self.keys.is_empty() => None,
            Err(Refusal::Unsafe(file, why)) => return Err(PluginError::UnsafePath { file, why }),
            Err(Refusal::Unreadable(file, why)) => {
                let plugin = sidecar.manifest.id.clone();
                return Err(PluginError::BadSignature { plugin, file, why });
            }
        };
        let locks = self.lock_of(folder.path().parent())?;
        Ok(Papers {
            signature,
            file,
            locks: locks.into_iter().collect(),
        })
    }

    /// The lock files that hold for what lies in none of these folders of plugins, and comes into the
    /// process beside what does.
    pub(crate) fn locks_beside(
        &self,
        folders: &[PathBuf],
    ) -> Result<Vec<(PathBuf, Lock)>, PluginError> {
        if self.lock.is_some() {
            return Ok(self.lock_of(None)?.into_iter().collect());
        }
        let locks = folders.iter().map(|folder| self.lock_of(Some(folder)));
        let locks: Vec<_> = locks.collect::<Result<_, _>>()?;
        Ok(locks.into_iter().flatten().collect())
    }

    /// The lock file that holds for the plugins of a folder, if one does.
    pub(crate) fn lock_of(
        &self,
        plugins: Option<&Path>,
    ) -> Result<Option<(PathBuf, Lock)>, PluginError> {
        let file = match (&self.lock, plugins) {
            (Some(file), _) => file.clone(),
            (None, Some(plugins)) => {
                let beside = plugins.join(LOCK_FILE);
                // One that is a broken link is one: it is refused, not passed over.
                if beside.symlink_metadata().is_err() {
                    return Ok(None);
                }
                beside
            }
            (None, None) => return Ok(None),
        };
        let lock = Lock::read(&file, self).map_err(|why| PluginError::LockInvalid {
            file: file.clone(),
            why,
        })?;
        Ok(Some((file, lock)))
    }

    /// The id of the key that signed a manifest; nothing if it need not be signed and is not.
    fn signature(&self, sidecar: &Sidecar, papers: &Papers) -> Result<Option<String>, PluginError> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        let (plugin, file) = (sidecar.manifest.id.clone(), papers.file.clone());
        match &papers.signature {
            None if self.unsigned => Ok(None),
            None => Err(PluginError::Unsigned { plugin, file }),
            Some(text) => {
                let signed_by = self.signed_by(text, sidecar.text.as_bytes());
                signed_by
                    .map(Some)
                    .map_err(|why| PluginError::BadSignature { plugin, file, why })
            }
        }
    }

    fn signed_by(&self, signature: &[u8], bytes: &[u8]) -> Result<String, String> {
        let text = std::str::from_utf8(signature).map_err(|_| "it is not UTF-8".to_owned())?;
        let signature =
            Signature::decode(text).map_err(|error| format!("it is no signature: {error}"))?;
        let mut why = String::new();
        for key in &self.keys {
            match key.key.verify(bytes, &signature, false) {
                Ok(()) => return Ok(key.id.clone()),
                Err(minisign_verify::Error::UnexpectedKeyId) => {}
                Err(error) => why = format!("key {}: {error}", key.id),
            }
        }
        if why.is_empty() {
            let keys: Vec<&str> = self.keys.iter().map(TrustedKey::id).collect();
            why = format!("it is by none of the trusted keys, {}", keys.join(", "));
        }
        Err(why)
    }
}
