//! Building plugins, and laying each in a folder as a host loads it.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    BUILD_ID,
    cargo::{self, Artifact},
    files,
    workspace::{Package, Workspace},
};

/// The sidecar's name, in a plugin's sources and beside its library.
const MANIFEST: &str = "plugin.json";

/// Which plugins to build, how, and where to put them.
#[derive(Debug, Clone, Default)]
pub struct BuildPlugins {
    /// Optimised, with the workspace's release profile.
    pub release: bool,
    /// The folder that gets one folder for each plugin; [`Workspace::plugin_dir`] if `None`.
    pub out: Option<PathBuf>,
    /// Only these, by name or by package; all if empty.
    pub only: Vec<String>,
}

/// A plugin that is ready to be loaded.
#[derive(Debug, Clone)]
pub struct BuiltPlugin {
    /// The id that its manifest gives.
    pub id: String,
    /// The package that it was built from.
    pub package: String,
    /// The folder that holds the library and its sidecar.
    pub folder: PathBuf,
    /// The library.
    pub library: PathBuf,
    /// How many bytes the library has.
    pub size: u64,
    /// The SHA-256 of the library.
    pub sha256: String,
    /// The SHA-256 of the sources, which the library carries too.
    pub build_id: String,
}

/// What a sidecar says of the library beside it.
#[derive(Serialize)]
struct Built<'a> {
    file: &'a str,
    size: u64,
    sha256: &'a str,
    target: &'a str,
    build_id: &'a str,
}

/// Builds plugins and lays each in `<out>/<id>/`: the library, and its manifest with an added
/// `artifact` object that says what the library must be.
///
/// Each is built on its own, so that the features one plugin asks for never reach another, and in
/// a target folder of their own, so that an ordinary `cargo build` and this one do not undo each
/// other's work. Several processes may build at once: cargo queues them.
///
/// In the default folder, what belongs to no plugin of the workspace is removed.
pub fn build_plugins(workspace: &Workspace, options: &BuildPlugins) -> Result<Vec<BuiltPlugin>> {
    let out = match &options.out {
        Some(out) => env::current_dir()?.join(out),
        None => workspace.plugin_dir(),
    };
    let target = cargo::host()?;
    let mut built: Vec<BuiltPlugin> = Vec::new();
    for package in chosen(workspace, &options.only)? {
        let plugin = build_plugin(workspace, package, &out, &target, options.release)
            .with_context(|| format!("plugin {}", package.name))?;
        if let Some(twin) = built.iter().find(|other| other.id == plugin.id) {
            bail!(
                "{} and {} both have the id {}",
                twin.package,
                plugin.package,
                plugin.id
            );
        }
        built.push(plugin);
    }
    if options.out.is_none() && options.only.is_empty() {
        remove_strangers(&out, &built)?;
    }
    Ok(built)
}

fn chosen<'a>(workspace: &'a Workspace, only: &[String]) -> Result<Vec<&'a Package>> {
    let mut plugins = workspace.plugins();
    if only.is_empty() {
        return Ok(plugins);
    }
    let is = |package: &Package, name: &str| {
        package.name == name || package.name.strip_prefix("alamein-") == Some(name)
    };
    for name in only {
        if !plugins.iter().any(|package| is(package, name)) {
            let known: Vec<_> = plugins
                .iter()
                .map(|package| package.name.as_str())
                .collect();
            bail!("there is no plugin {name}; there are {}", known.join(", "));
        }
    }
    plugins.retain(|package| only.iter().any(|name| is(package, name)));
    Ok(plugins)
}

fn build_plugin(
    workspace: &Workspace,
    package: &Package,
    out: &Path,
    target: &str,
    release: bool,
) -> Result<BuiltPlugin> {
    let source = package.folder().join(MANIFEST);
    let manifest = fs::read_to_string(&source)
        .with_context(|| format!("each plugin needs a manifest: {}", source.display()))?;
    let id = id_of(&manifest).with_context(|| source.display().to_string())?;

    let build_id = build_id(workspace, package)?;
    let made = compile(workspace, package, release, &build_id)?;
    let file = made
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let library = fs::read(&made)?;
    let size = library.len() as u64;
    let sha256 = hex(&Sha256::digest(&library));

    let folder = out.join(&id);
    files::make_folder(&folder)?;
    let built = Built {
        file: &file,
        size,
        sha256: &sha256,
        target,
        build_id: &build_id,
    };
    files::place(&folder.join(&file), &library, false)?;
    let sidecar = with_artifact(&manifest, &built)?;
    files::place(&folder.join(MANIFEST), sidecar.as_bytes(), false)?;

    let library = folder.join(&file);
    Ok(BuiltPlugin {
        id,
        package: package.name.clone(),
        folder,
        library,
        size,
        sha256,
        build_id,
    })
}

/// Builds a plugin's library and returns where cargo left it.
fn compile(ws: &Workspace, package: &Package, release: bool, build_id: &str) -> Result<PathBuf> {
    let mut command = cargo::command(&ws.root);
    command.args(["build", "--package", &package.name, "--lib"]);
    command
        .arg("--target-dir")
        .arg(ws.target.join("alamein").join("build"));
    if release {
        command.arg("--release");
    }
    command.env(BUILD_ID, build_id);
    let artifacts = cargo::build(&mut command)?;
    let is_library = |a: &&Artifact| {
        a.manifest_path == package.manifest_path
            && a.target.crate_types.iter().any(|kind| kind == "cdylib")
    };
    artifacts
        .iter()
        .find(is_library)
        .and_then(|a| a.filenames.iter().find(|f| is_dynamic(f)))
        .cloned()
        .with_context(|| {
            let manifest = package.manifest_path.display();
            format!("no cdylib; {manifest} needs\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]")
        })
}

fn is_dynamic(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == env::consts::DLL_EXTENSION)
}

/// A digest of all that a plugin is built from: its own files, those of each crate of this house
/// that it leans on, and the manifests and locked versions of the whole workspace.
fn build_id(workspace: &Workspace, package: &Package) -> Result<String> {
    let mut sources = vec![
        workspace.root.join("Cargo.toml"),
        workspace.root.join("Cargo.lock"),
    ];
    for folder in workspace.sources_of(package) {
        sources.extend(files::under(folder)?);
    }
    sources.sort();
    sources.dedup();
    let mut digest = Sha256::new();
    for source in sources {
        let name = files::relative(&workspace.root, &source);
        let contents =
            fs::read(&source).with_context(|| format!("cannot read {}", source.display()))?;
        for part in [name.as_bytes(), &contents] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    }
    Ok(hex(&digest.finalize()))
}

/// The id in a manifest, which becomes the name of a folder.
fn id_of(manifest: &str) -> Result<String> {
    let manifest: Value = serde_json::from_str(manifest)?;
    let id = manifest["id"]
        .as_str()
        .context("the manifest has no \"id\"")?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    ensure!(
        !id.is_empty() && id.chars().all(plain),
        "the id {id:?} is not made of lower-case letters, digits and hyphens"
    );
    ensure!(
        manifest.get("artifact").is_none(),
        "a source manifest has no \"artifact\""
    );
    Ok(id.to_owned())
}

/// The manifest as its author wrote it, with the artifact as its last member.
fn with_artifact(manifest: &str, artifact: &Built<'_>) -> Result<String> {
    let open = manifest
        .trim_end()
        .strip_suffix('}')
        .context("a manifest is a JSON object")?;
    let artifact = serde_json::to_string_pretty(artifact)?.replace('\n', "\n  ");
    let sidecar = format!("{},\n  \"artifact\": {artifact}\n}}\n", open.trim_end());
    serde_json::from_str::<Value>(&sidecar).context("the manifest took no artifact")?;
    Ok(sidecar)
}

/// Removes the folders of plugins that the workspace no longer has.
fn remove_strangers(out: &Path, built: &[BuiltPlugin]) -> Result<()> {
    if !out.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(out)? {
        let path = entry?.path();
        if path.join(MANIFEST).is_file() && !built.iter().any(|plugin| plugin.folder == path) {
            fs::remove_dir_all(&path)
                .with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
