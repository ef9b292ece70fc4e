//! How a built plugin lies in its folder.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::files;

/// The manifest's name, in a plugin's sources and beside its library.
pub const MANIFEST: &str = "plugin.json";

/// The folder of case files, in a plugin's sources and beside its library.
pub const CASES: &str = "cases";

/// A plugin that is ready to be loaded.
#[derive(Debug, Clone)]
pub struct BuiltPlugin {
    /// The id that its manifest gives.
    pub id: String,
    /// The package that it was built from.
    pub package: String,
    /// The folder that holds the library and its manifest.
    pub folder: PathBuf,
    /// The library.
    pub library: PathBuf,
    /// How many bytes the library has.
    pub size: u64,
    /// The SHA-256 of the library.
    pub sha256: String,
    /// The SHA-256 of the sources, which the library carries too.
    pub build_id: String,
    /// How many case files lie beside it.
    pub cases: usize,
}

/// What a manifest says of the library beside it.
#[derive(Serialize)]
struct Artifact<'a> {
    file: &'a str,
    size: u64,
    sha256: &'a str,
    target: &'a str,
    build_id: &'a str,
}

/// A library that was just made, and where it is to lie.
pub(crate) struct Made<'a> {
    /// The folder of the sources.
    pub(crate) source: &'a Path,
    /// What the package is called.
    pub(crate) package: &'a str,
    /// The manifest as its author wrote it.
    pub(crate) manifest: &'a str,
    /// Where the compiler left the library.
    pub(crate) library: &'a Path,
    /// The target triple.
    pub(crate) target: &'a str,
    /// A text that tells builds apart.
    pub(crate) build_id: &'a str,
}

impl Made<'_> {
    /// Lays the plugin out in a folder of its own within `out`.
    pub(crate) fn lay(&self, out: &Path) -> Result<BuiltPlugin> {
        let id = id_of(self.manifest)?;
        let name = self.library.file_name().unwrap_or_default();
        let file = name.to_string_lossy().into_owned();
        let library = fs::read(self.library)
            .with_context(|| format!("cannot read {}", self.library.display()))?;
        let sha256 = hex(&Sha256::digest(&library));
        let artifact = Artifact {
            file: &file,
            size: library.len() as u64,
            sha256: &sha256,
            target: self.target,
            build_id: self.build_id,
        };
        let beside = with_artifact(self.manifest, &artifact)?;
        let folder = out.join(&id);
        files::make_folder(&folder)?;
        files::place(&folder.join(&file), &library, false)?;
        files::place(&folder.join(MANIFEST), beside.as_bytes(), false)?;
        let cases = lay_cases(&self.source.join(CASES), &folder.join(CASES))?;
        Ok(BuiltPlugin {
            id,
            package: self.package.to_owned(),
            library: folder.join(&file),
            folder,
            size: library.len() as u64,
            sha256,
            build_id: self.build_id.to_owned(),
            cases,
        })
    }
}

/// Copies the case files, and takes away what is no case file any more. How many there are.
fn lay_cases(from: &Path, to: &Path) -> Result<usize> {
    let cases = files::under(from)?;
    let mut kept = Vec::new();
    for case in &cases {
        let place = to.join(case.strip_prefix(from).unwrap_or(case));
        files::make_folder(place.parent().unwrap_or(to))?;
        let text = fs::read(case).with_context(|| format!("cannot read {}", case.display()))?;
        files::place(&place, &text, false)?;
        kept.push(place);
    }
    for old in files::under(to)? {
        if !kept.contains(&old) {
            fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }
    Ok(cases.len())
}

/// The manifest of a plugin's sources, read but not yet understood.
pub(crate) fn read_manifest(source: &Path) -> Result<String> {
    let file = source.join(MANIFEST);
    let manifest = fs::read_to_string(&file)
        .with_context(|| format!("each plugin needs a manifest: {}", file.display()))?;
    id_of(&manifest).with_context(|| file.display().to_string())?;
    Ok(manifest)
}

/// The id in a manifest of sources, which becomes the name of a folder.
///
/// # Errors
/// Where it has none that can be such a name, or is not that of sources.
pub fn id_of(manifest: &str) -> Result<String> {
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
fn with_artifact(manifest: &str, artifact: &Artifact<'_>) -> Result<String> {
    let open = manifest
        .trim_end()
        .strip_suffix('}')
        .context("a manifest is a JSON object")?;
    let artifact = serde_json::to_string_pretty(artifact)?.replace('\n', "\n  ");
    let beside = format!("{},\n  \"artifact\": {artifact}\n}}\n", open.trim_end());
    serde_json::from_str::<Value>(&beside).context("the manifest took no artifact")?;
    Ok(beside)
}

/// A digest of files, each by what it is called and what it holds.
pub(crate) fn digest_of(sources: &[PathBuf], root: &Path) -> Result<String> {
    let mut digest = Sha256::new();
    for source in sources {
        let name = files::relative(root, source);
        let contents =
            fs::read(source).with_context(|| format!("cannot read {}", source.display()))?;
        for part in [name.as_bytes(), &contents] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    }
    Ok(hex(&digest.finalize()))
}

/// Whether a file's name is that of a library of this system.
pub(crate) fn is_library(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == env::consts::DLL_EXTENSION)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
