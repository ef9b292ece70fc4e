//! Folders of plugins that a test puts together.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use alamein_tests::plugin_folder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use xtask::{BuildPlugins, Workspace};

/// A folder of plugins, gone once it is dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// A folder without plugins.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// A folder with all of them.
    pub(crate) fn of_all() -> Self {
        let folder = Self::empty();
        for entry in fs::read_dir(plugin_folder().unwrap()).unwrap() {
            let plugin = entry.unwrap().path();
            folder.add(&plugin, plugin.file_name().unwrap().to_str().unwrap());
        }
        folder
    }

    /// All and the rogue.
    pub(crate) fn with_the_rogue() -> Self {
        let folder = Self::of_all();
        folder.add(rogue(), "rogue");
        folder
    }

    /// Adds a copy of a plugin. The library is the same file where that can be.
    pub(crate) fn add(&self, plugin: &Path, name: &str) {
        let to = self.path().join(name);
        fs::create_dir(&to).unwrap();
        for entry in fs::read_dir(plugin).unwrap() {
            let from = entry.unwrap().path();
            let file = to.join(from.file_name().unwrap());
            if file.extension().is_some_and(|ending| ending == "json")
                || fs::hard_link(&from, &file).is_err()
            {
                fs::copy(&from, &file).unwrap();
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A plugin of the folder.
    pub(crate) fn plugin(&self, name: &str) -> Plugin {
        Plugin::of(self.path().join(name))
    }
}

/// A plugin of a folder.
pub(crate) struct Plugin(PathBuf);

impl Plugin {
    pub(crate) fn of(folder: PathBuf) -> Self {
        Self(folder)
    }

    pub(crate) fn sidecar(&self) -> PathBuf {
        self.0.join("plugin.json")
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    fn manifest(&self) -> Value {
        serde_json::from_slice(&fs::read(self.sidecar()).unwrap()).unwrap()
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.0
            .join(self.manifest()["artifact"]["file"].as_str().unwrap())
    }

    /// Changes what the sidecar says.
    pub(crate) fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let mut manifest = self.manifest();
        edit(&mut manifest);
        fs::write(self.sidecar(), manifest.to_string()).unwrap();
    }

    /// Puts other bytes in the library's place. The sidecar is left as it is.
    pub(crate) fn replace(&self, bytes: &[u8]) {
        let library = self.library();
        // It may be the same file as in another folder.
        fs::remove_file(&library).unwrap();
        fs::write(library, bytes).unwrap();
    }

    /// The same, and the sidecar agrees.
    pub(crate) fn replace_and_agree(&self, bytes: &[u8]) {
        self.replace(bytes);
        self.edit(|manifest| {
            manifest["artifact"]["size"] = bytes.len().into();
            manifest["artifact"]["sha256"] = digest(bytes).into();
        });
    }
}

/// Writes a sidecar beside a library.
pub(crate) fn write_sidecar(folder: &Path, file: &str, mut manifest: Value) {
    let bytes = fs::read(folder.join(file)).unwrap();
    manifest["artifact"] = json!({
        "file": file, "size": bytes.len(), "sha256": digest(&bytes),
        "target": alamein_plugin_host::TARGET, "build_id": "build",
    });
    fs::write(folder.join("plugin.json"), manifest.to_string()).unwrap();
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The rogue, built as somebody would build it who has a repository of their own.
fn rogue() -> &'static Path {
    static ROGUE: OnceLock<PathBuf> = OnceLock::new();
    ROGUE.get_or_init(|| {
        let (root, own) = (
            xtask::root(),
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("rogue"),
        );
        let package = own.join("plugins/rogue");
        fs::create_dir_all(package.join("src")).unwrap();
        fs::create_dir_all(own.join(".cargo")).unwrap();
        let write = |file: PathBuf, text: String| {
            // What is the same stays: cargo then builds nothing.
            if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
                fs::write(file, text).unwrap();
            }
        };
        let copy =
            |from: &str, to: PathBuf| write(to, fs::read_to_string(root.join(from)).unwrap());
        copy("tests/rogue/lib.rs", package.join("src/lib.rs"));
        copy("tests/rogue/plugin.json", package.join("plugin.json"));
        // The versions of everything are those of this repository.
        copy("Cargo.lock", own.join("Cargo.lock"));
        let sdk = root.join("crates/plugin-sdk");
        write(
            package.join("Cargo.toml"),
            format!(
                "[package]\nname = \"rogue\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [lib]\ncrate-type = [\"cdylib\"]\n\
                 [dependencies]\nalamein-plugin-sdk = {{ path = {sdk:?} }}\n\
                 serde = {{ version = \"1\", features = [\"derive\"] }}\n"
            ),
        );
        let profile = "[profile.dev]\ndebug = false\n";
        write(
            own.join("Cargo.toml"),
            format!("[workspace]\nresolver = \"3\"\nmembers = [\"plugins/*\"]\n{profile}"),
        );
        let target = Workspace::read(&root).unwrap().target;
        write(
            own.join(".cargo/config.toml"),
            format!("[build]\ntarget-dir = {target:?}\n"),
        );
        let workspace = Workspace::read(&own).unwrap();
        let out = Some(own.join("built"));
        let options = BuildPlugins {
            out,
            ..BuildPlugins::default()
        };
        let built = xtask::build_plugins(&workspace, &options).unwrap();
        built.into_iter().next().unwrap().folder
    })
}
