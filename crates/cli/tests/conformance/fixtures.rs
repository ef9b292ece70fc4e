//! Building plugins that misbehave.

use std::fs;
use std::path::{Path, PathBuf};

use alamein_plugin_build::{BuildFolder, build_folder};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A built plugin, gone once it is dropped.
pub(crate) struct Plugin {
    folder: PathBuf,
    _holder: TempDir,
}

impl Plugin {
    /// The plugin in C, compiled with these macros: `NAME=value`, or a name alone.
    pub(crate) fn raw(defines: &[&str]) -> Self {
        let holder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let sources = xtask::root().join("tests/rogue/raw");
        let define = |define: &&str| match define.split_once('=') {
            Some((name, value)) => format!("#define {name} {value}\n"),
            None => format!("#define {define} 1\n"),
        };
        let defines: String = defines.iter().map(define).collect();
        let code = fs::read_to_string(sources.join("raw.c")).unwrap();
        fs::write(holder.path().join("raw.c"), defines + &code).unwrap();
        fs::copy(
            sources.join("plugin.json"),
            holder.path().join("plugin.json"),
        )
        .unwrap();
        Self::built(holder)
    }

    /// The plugin in C, with another manifest.
    pub(crate) fn with_manifest(edit: impl FnOnce(&mut Value)) -> Self {
        let holder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let sources = xtask::root().join("tests/rogue/raw");
        fs::copy(sources.join("raw.c"), holder.path().join("raw.c")).unwrap();
        let text = fs::read_to_string(sources.join("plugin.json")).unwrap();
        let mut manifest = serde_json::from_str(&text).unwrap();
        edit(&mut manifest);
        fs::write(holder.path().join("plugin.json"), manifest.to_string()).unwrap();
        Self::built(holder)
    }

    fn built(holder: TempDir) -> Self {
        let built = build_folder(&BuildFolder {
            source: holder.path().to_path_buf(),
            target: alamein_plugin_host::TARGET.into(),
            ..BuildFolder::default()
        });
        Self {
            folder: built.unwrap().folder,
            _holder: holder,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.folder.join(
            self.manifest()["artifact"]["file"]
                .as_str()
                .unwrap_or_default(),
        )
    }

    fn manifest(&self) -> Value {
        let text = fs::read_to_string(self.folder.join("plugin.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Changes what stands beside the library.
    pub(crate) fn edit(self, edit: impl FnOnce(&mut Value)) -> Self {
        let mut manifest = self.manifest();
        edit(&mut manifest);
        fs::write(self.folder.join("plugin.json"), manifest.to_string()).unwrap();
        self
    }

    /// Changes the library's bytes; what stands beside it agrees.
    pub(crate) fn patch(self, patch: impl FnOnce(&mut Vec<u8>)) -> Self {
        let library = self.library();
        let mut bytes = fs::read(&library).unwrap();
        patch(&mut bytes);
        fs::write(&library, &bytes).unwrap();
        let digest: String = Sha256::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.edit(|manifest| {
            manifest["artifact"]["size"] = bytes.len().into();
            manifest["artifact"]["sha256"] = digest.into();
        })
    }
}

/// The plugin in Rust that misbehaves where and how its options say.
pub(crate) fn rogue() -> &'static Path {
    use std::sync::OnceLock;
    static ROGUE: OnceLock<PathBuf> = OnceLock::new();
    ROGUE.get_or_init(|| {
        let root = xtask::root();
        let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rogue-to-check");
        fs::create_dir_all(own.join("src")).unwrap();
        fs::create_dir_all(own.join(".cargo")).unwrap();
        let write = |file: &str, text: String| {
            let file = own.join(file);
            // What is the same stays: cargo then builds nothing.
            if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
                fs::write(file, text).unwrap();
            }
        };
        let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
        write("src/lib.rs", read("tests/rogue/lib.rs"));
        write("plugin.json", read("tests/rogue/plugin.json"));
        write("Cargo.lock", read("Cargo.lock"));
        let sdk = root.join("crates/plugin-sdk");
        write(
            "Cargo.toml",
            format!(
                "[package]\nname = \"rogue-to-check\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [lib]\ncrate-type = [\"cdylib\"]\n\
                 [dependencies]\nalamein-plugin-sdk = {{ path = {sdk:?} }}\n\
                 serde = {{ version = \"1\", features = [\"derive\"] }}\n\
                 [workspace]\n[profile.dev]\ndebug = false\n"
            ),
        );
        // What others have compiled already is not compiled again. The name is this copy's own: of two
        // packages of one name the one's library would lie where the other's does.
        let target = xtask::Workspace::read(&root).unwrap().target;
        write(
            ".cargo/config.toml",
            format!("[build]\ntarget-dir = {target:?}\n"),
        );
        build_folder(&BuildFolder {
            source: own,
            target: alamein_plugin_host::TARGET.into(),
            ..BuildFolder::default()
        })
        .unwrap()
        .folder
    })
}
