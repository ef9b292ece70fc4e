//! Building the plugin of one folder, wherever it is.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use anyhow::{Context, Result, bail};

use crate::{
    c, cargo,
    layout::{BuiltPlugin, MANIFEST, Made, read_manifest},
    rust::Build,
    workspace::Workspace,
};

/// Which folder to build, how, and where to put what comes of it.
#[derive(Debug, Clone, Default)]
pub struct BuildFolder {
    /// The folder of the sources: a `plugin.json`, and a `Cargo.toml` or C files.
    pub source: PathBuf,
    /// Optimised. A plugin in C always is.
    pub release: bool,
    /// The folder that gets a folder named by the plugin's id; `target/plugins` in the sources if
    /// `None`.
    pub out: Option<PathBuf>,
    /// Cargo tells what it does only if that fails; else it shows its progress.
    pub quiet: bool,
    /// The target triple of whoever will load it, for a plugin in C. One in Rust knows by itself.
    pub target: String,
}

/// Builds a plugin and lays it out in a folder that is named by its id.
///
/// # Errors
/// Where the folder holds no sources of a plugin, or they do not build: then with all that the
/// compiler said.
pub fn build_folder(options: &BuildFolder) -> Result<BuiltPlugin> {
    let shown = options.source.display();
    let source = options
        .source
        .canonicalize()
        .with_context(|| format!("{shown} cannot be read"))?;
    if !source.join(MANIFEST).is_file() {
        bail!(
            "{shown} is no plugin's folder: it has no {MANIFEST}; `alamein plugin new NAME` starts \
             a plugin"
        );
    }
    let manifest = read_manifest(&source)?;
    let out = match &options.out {
        Some(out) => env::current_dir()?.join(out),
        None => source.join("target").join("plugins"),
    };
    if source.join("Cargo.toml").is_file() {
        return in_rust(&source, &manifest, options, &out);
    }
    let files = c::files(&source)?;
    if files.is_empty() {
        bail!("{shown} has neither a Cargo.toml nor a file that ends in .c: nothing to build");
    }
    in_c(&source, &manifest, &files, &options.target, &out)
}

fn in_rust(
    source: &Path,
    manifest: &str,
    options: &BuildFolder,
    out: &Path,
) -> Result<BuiltPlugin> {
    let workspace = Workspace::read_with_dependencies(source)?;
    let package = workspace.package_in(source).with_context(|| {
        format!(
            "{} is the Cargo.toml of a workspace, not of a plugin; name a plugin's folder in it",
            source.join("Cargo.toml").display()
        )
    })?;
    let build = Build {
        workspace: &workspace,
        package,
        release: options.release,
        quiet: options.quiet,
    };
    let build_id = build.id()?;
    let made = Made {
        source,
        package: &package.name,
        manifest,
        library: &build.compile(&build_id)?,
        target: &cargo::host()?,
        build_id: &build_id,
    };
    made.lay(out)
}

fn in_c(
    source: &Path,
    manifest: &str,
    files: &[PathBuf],
    target: &str,
    out: &Path,
) -> Result<BuiltPlugin> {
    let build_id = c::build_id(source)?;
    let work = Work::beside(source)?;
    let build = c::Build {
        source,
        files,
        manifest,
        target,
        build_id: &build_id,
        work: &work.0,
    };
    let made = Made {
        source,
        package: "C",
        manifest,
        library: &build.compile()?,
        target,
        build_id: &build_id,
    };
    made.lay(out)
}

/// A folder for what is made on the way, of its own for each build: two that run at once do not write
/// to the same file. It is gone with this.
struct Work(PathBuf);

impl Work {
    fn beside(source: &Path) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{count}", process::id());
        let work = source.join("target").join("alamein").join(name);
        fs::create_dir_all(&work).with_context(|| format!("cannot make {}", work.display()))?;
        Ok(Self(work))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_dir_all(&self.0);
    }
}
