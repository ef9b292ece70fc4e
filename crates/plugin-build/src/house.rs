//! Building the plugins of a repository that holds several.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{
    BuildFolder, build_folder, cargo,
    layout::{BuiltPlugin, MANIFEST, Made, read_manifest},
    rust::Build,
    workspace::{Package, Workspace},
};

/// Which plugins to build, how, and where to put them.
#[derive(Debug, Clone, Default)]
pub struct BuildPlugins {
    /// Optimised, with the workspace's release profile.
    pub release: bool,
    /// The folder that gets one folder for each plugin; if `None`, [`Workspace::plugin_dir`] for those
    /// that come with Alamein and [`Workspace::built_house_rules_dir`] for house rules.
    pub out: Option<PathBuf>,
    /// Only these: by name or by package; house rules by the name of their folder. All if empty.
    pub only: Vec<String>,
}

/// Builds plugins and lays each in `<out>/<id>/`: the library, and its manifest with an added
/// `artifact` object that says what the library must be.
///
/// Each is built on its own, so that the features one plugin asks for never reach another, and in
/// a target folder of their own, so that an ordinary `cargo build` and this one do not undo each
/// other's work. Several processes may build at once: cargo queues them.
///
/// In the default folder, what belongs to no plugin of the workspace is removed.
///
/// # Errors
/// Where one does not build, or has no manifest that gives it an id of its own.
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

/// Builds house rules, in Rust and in C, and lays each out in the same way. They go to a folder of their
/// own: nobody plays by a house rule who has not put it among the plugins.
///
/// # Errors
/// Where one does not build, or none is called so.
pub fn build_house_rules(
    workspace: &Workspace,
    options: &BuildPlugins,
) -> Result<Vec<BuiltPlugin>> {
    let out = match &options.out {
        Some(out) => env::current_dir()?.join(out),
        None => workspace.built_house_rules_dir(),
    };
    let target = cargo::host()?;
    let mut built = Vec::new();
    for source in house_rules(workspace, &options.only)? {
        let plugin = match workspace.package_in(&source) {
            Some(package) => build_plugin(workspace, package, &out, &target, options.release),
            None => build_folder(&BuildFolder {
                source: source.clone(),
                release: options.release,
                out: Some(out.clone()),
                quiet: false,
                target: target.clone(),
            }),
        };
        built.push(plugin.with_context(|| source.display().to_string())?);
    }
    if options.out.is_none() && options.only.is_empty() {
        remove_strangers(&out, &built)?;
    }
    Ok(built)
}

/// The folders of the sources of house rules, in their order.
fn house_rules(workspace: &Workspace, only: &[String]) -> Result<Vec<PathBuf>> {
    let home = workspace.house_rules_dir();
    let mut found = Vec::new();
    for entry in fs::read_dir(&home).with_context(|| format!("cannot read {}", home.display()))? {
        let path = entry?.path();
        if path.join(MANIFEST).is_file() {
            found.push(path);
        }
    }
    found.sort();
    let is = |path: &PathBuf, name: &String| path.file_name() == Some(name.as_ref());
    if let Some(name) = only
        .iter()
        .find(|name| !found.iter().any(|path| is(path, name)))
    {
        bail!("there is no house rule {name} in {}", home.display());
    }
    found.retain(|path| only.is_empty() || only.iter().any(|name| is(path, name)));
    Ok(found)
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
    let manifest = read_manifest(package.folder())?;
    let build = Build {
        workspace,
        package,
        release,
        quiet: false,
    };
    let build_id = build.id()?;
    let made = Made {
        source: package.folder(),
        package: &package.name,
        manifest: &manifest,
        library: &build.compile(&build_id)?,
        target,
        build_id: &build_id,
    };
    made.lay(out)
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
