//! Why a plugin cannot be used.

use std::path::PathBuf;

/// Why a plugin cannot be used. Each names the plugin or the file, and says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// The folder of plugins cannot be read.
    #[error("{}: cannot be read as a folder: {why}; give the folder that holds the plugins' folders", folder.display())]
    FolderUnreadable {
        /// The folder.
        folder: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The manifest cannot be read.
    #[error("{}: cannot be read: {why}; each plugin has its folder, with a plugin.json in it", file.display())]
    ManifestUnreadable {
        /// The manifest.
        file: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The manifest makes no sense.
    #[error("{}: is no manifest: {why}; mend it, or build the plugin again", file.display())]
    ManifestInvalid {
        /// The manifest.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A file leads out of its folder, or others may write to it.
    #[error("{}: is not safe to load: {why}", file.display())]
    UnsafePath {
        /// The file or folder.
        file: PathBuf,
        /// What is wrong, and what to do.
        why: String,
    },
    /// The library cannot be read.
    #[error("plugin {plugin}: {} cannot be read: {why}; build the plugin again", file.display())]
    LibraryUnreadable {
        /// The plugin's id.
        plugin: String,
        /// The library.
        file: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The library is not the one of which the manifest speaks.
    #[error("plugin {plugin}: {} has {what} {found}, and its plugin.json says {expected}; the two belong to different builds: copy both again", file.display())]
    DigestMismatch {
        /// The plugin's id.
        plugin: String,
        /// The library.
        file: PathBuf,
        /// What differs: the size or the SHA-256.
        what: &'static str,
        /// What the manifest says.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The lock file makes no sense.
    #[error("{}: is no lock file: {why}; write it anew with alamein plugin lock", file.display())]
    LockInvalid {
        /// The lock file.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The lock file does not list the plugin.
    #[error("plugin {plugin}: is not in {}; take it out, or run alamein plugin lock if it is to be there", lock.display())]
    NotLocked {
        /// The plugin's id.
        plugin: String,
        /// The lock file.
        lock: PathBuf,
    },
    /// The plugin is not as the lock file lists it.
    #[error("plugin {plugin}: its {what} is {found}, and {} says {expected}; put the old one back, or run alamein plugin lock if it was changed on purpose", lock.display())]
    LockMismatch {
        /// The plugin's id.
        plugin: String,
        /// The lock file.
        lock: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the lock file says.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The lock file lists a plugin that is not there.
    #[error("plugin {plugin}: is in {}, and not there; put it back, or run alamein plugin lock if it was taken out on purpose", lock.display())]
    LockedMissing {
        /// The plugin's id.
        plugin: String,
        /// The lock file.
        lock: PathBuf,
    },
    /// The plugin is not signed.
    #[error("plugin {plugin}: is not signed: there is no {}; sign its plugin.json with minisign, or allow it with --unsigned", file.display())]
    Unsigned {
        /// The plugin's id.
        plugin: String,
        /// Where the signature should be.
        file: PathBuf,
    },
    /// The signature does not fit.
    #[error("plugin {plugin}: {} does not fit its plugin.json: {why}; sign it again, or get it again from its author", file.display())]
    BadSignature {
        /// The plugin's id.
        plugin: String,
        /// The signature.
        file: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The library is for another machine.
    #[error(
        "plugin {plugin}: is built for {target:?}, and this host for {host:?}; build it for {host:?}"
    )]
    WrongTarget {
        /// The plugin's id.
        plugin: String,
        /// What it is built for.
        target: String,
        /// What this host is built for.
        host: &'static str,
    },
    /// There is no place to open the library from.
    #[error("plugin {plugin}: cannot be staged in {}: {why}; this process may have too many files open; or set TMPDIR to a folder that may be written to", folder.display())]
    NotStaged {
        /// The plugin's id.
        plugin: String,
        /// The folder for temporary files.
        folder: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The system does not open the library.
    #[error("plugin {plugin}: {} cannot be loaded: {why}; build it again, for this system (if it says that an operation is not permitted, set TMPDIR to a folder that is not mounted noexec)", file.display())]
    NotLoadable {
        /// The plugin's id.
        plugin: String,
        /// The library.
        file: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The library exports no descriptor of this plugin.
    #[error("plugin {plugin}: {} exports no {symbol}; is it a library of another plugin, or without its export_plugin! line?", file.display())]
    NoDescriptor {
        /// The plugin's id.
        plugin: String,
        /// The library.
        file: PathBuf,
        /// The symbol that is missing.
        symbol: String,
    },
    /// The descriptor does not begin as one.
    #[error(
        "plugin {plugin}: its descriptor begins with {magic:#018x}, which is no descriptor; build it with export_plugin!, or against the C header"
    )]
    NotAPlugin {
        /// The plugin's id.
        plugin: String,
        /// What stands where the magic number should.
        magic: u64,
    },
    /// The plugin speaks another ABI.
    #[error(
        "plugin {plugin}: speaks ABI {major}.{minor}, and this host 1.0 to {}.{}; {advice}",
        alamein_plugin_abi::ABI_MAJOR,
        alamein_plugin_abi::ABI_MINOR
    )]
    WrongAbi {
        /// The plugin's id.
        plugin: String,
        /// The major number of its ABI.
        major: u32,
        /// The minor number of its ABI.
        minor: u32,
        /// What to do.
        advice: &'static str,
    },
    /// A panic of the plugin would end this process.
    #[error(
        "plugin {plugin}: is built with panic = \"abort\", so that its panic would end this process; build it with panic = \"unwind\""
    )]
    PanicAbort {
        /// The plugin's id.
        plugin: String,
    },
    /// The system gave code that it had loaded before.
    #[error("plugin {plugin}: for {} the system gave code that was loaded before; restart this process to load it", file.display())]
    StaleCode {
        /// The plugin's id.
        plugin: String,
        /// The library.
        file: PathBuf,
    },
    /// The library says of itself something else than the manifest beside it.
    #[error(
        "plugin {plugin}: its library has {what} {library}, and its plugin.json {manifest}; {advice}"
    )]
    Mismatch {
        /// The plugin's id.
        plugin: String,
        /// What differs.
        what: String,
        /// What the manifest beside it says.
        manifest: String,
        /// What the library says.
        library: String,
        /// What to do.
        advice: &'static str,
    },
    /// The descriptor is malformed.
    #[error(
        "plugin {plugin}: its descriptor is malformed: {why}; build it with export_plugin!, or against the C header"
    )]
    BadDescriptor {
        /// The plugin's id.
        plugin: String,
        /// What is wrong.
        why: String,
    },
    /// The vocabulary was made without this plugin.
    #[error(
        "plugin {plugin}: its kind {kind:?} is not in the vocabulary; make the vocabulary of all plugins of the ruleset"
    )]
    UnknownKind {
        /// The plugin's id.
        plugin: String,
        /// The kind that is missing.
        kind: String,
    },
    /// The plugin made no instance.
    #[error("plugin {plugin}: refuses its options: {why}")]
    NotCreated {
        /// The plugin's id.
        plugin: String,
        /// What it says.
        why: String,
    },
    /// The plugin panicked where it should make an instance, or answered rubbish.
    #[error(
        "plugin {plugin}: failed where it should make an instance: {why}; report it to its author"
    )]
    CreateFailed {
        /// The plugin's id.
        plugin: String,
        /// What happened.
        why: String,
    },
}

impl PluginError {
    /// What to do where a plugin's library and its plugin.json say different versions.
    pub const SAME_VERSION: &str = "say the same version in its Cargo.toml (in C: in its descriptor) \
                                    and in its plugin.json, and build it again";
    /// What to do where they have different rules.
    pub const SAME_RULES: &str = "name the same rules in its code (in the table of `rules!`) and in its \
                                  plugin.json, and build it again";
    /// What to do where they are not of the same build.
    pub const SAME_BUILD: &str = "build it again";

    /// A word for the reason, which stays the same from version to version.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::FolderUnreadable { .. } => "FOLDER_UNREADABLE",
            Self::ManifestUnreadable { .. } => "MANIFEST_UNREADABLE",
            Self::ManifestInvalid { .. } => "MANIFEST_INVALID",
            Self::UnsafePath { .. } => "UNSAFE_PATH",
            Self::LibraryUnreadable { .. } => "LIBRARY_UNREADABLE",
            Self::DigestMismatch { .. } => "DIGEST_MISMATCH",
            Self::LockInvalid { .. } => "LOCK_INVALID",
            Self::NotLocked { .. } => "NOT_LOCKED",
            Self::LockMismatch { .. } => "LOCK_MISMATCH",
            Self::LockedMissing { .. } => "LOCKED_MISSING",
            Self::Unsigned { .. } => "UNSIGNED",
            Self::BadSignature { .. } => "BAD_SIGNATURE",
            Self::WrongTarget { .. } => "WRONG_TARGET",
            Self::NotStaged { .. } => "NOT_STAGED",
            Self::NotLoadable { .. } => "NOT_LOADABLE",
            Self::NoDescriptor { .. } => "NO_DESCRIPTOR",
            Self::NotAPlugin { .. } => "NOT_A_PLUGIN",
            Self::WrongAbi { .. } => "WRONG_ABI",
            Self::PanicAbort { .. } => "PANIC_ABORT",
            Self::StaleCode { .. } => "STALE_CODE",
            Self::Mismatch { .. } => "MISMATCH",
            Self::BadDescriptor { .. } => "BAD_DESCRIPTOR",
            Self::UnknownKind { .. } => "UNKNOWN_KIND",
            Self::NotCreated { .. } => "NOT_CREATED",
            Self::CreateFailed { .. } => "CREATE_FAILED",
        }
    }

    /// The plugin's id, where it is known.
    #[must_use]
    pub fn plugin(&self) -> Option<&str> {
        match self {
            Self::FolderUnreadable { .. }
            | Self::ManifestUnreadable { .. }
            | Self::ManifestInvalid { .. }
            | Self::LockInvalid { .. }
            | Self::UnsafePath { .. } => None,
            Self::LibraryUnreadable { plugin, .. }
            | Self::DigestMismatch { plugin, .. }
            | Self::NotLocked { plugin, .. }
            | Self::LockMismatch { plugin, .. }
            | Self::LockedMissing { plugin, .. }
            | Self::Unsigned { plugin, .. }
            | Self::BadSignature { plugin, .. }
            | Self::WrongTarget { plugin, .. }
            | Self::NotStaged { plugin, .. }
            | Self::NotLoadable { plugin, .. }
            | Self::NoDescriptor { plugin, .. }
            | Self::NotAPlugin { plugin, .. }
            | Self::WrongAbi { plugin, .. }
            | Self::PanicAbort { plugin }
            | Self::StaleCode { plugin, .. }
            | Self::Mismatch { plugin, .. }
            | Self::BadDescriptor { plugin, .. }
            | Self::UnknownKind { plugin, .. }
            | Self::NotCreated { plugin, .. }
            | Self::CreateFailed { plugin, .. } => Some(plugin),
        }
    }
}
