//! `alamein plugin test`.

use std::process::ExitCode;

use alamein_plugin_build::CASES;
use alamein_plugin_host::{NativePlugin, load_folder};
use anyhow::{Result, bail, ensure};

use super::built;
use crate::args::{PluginTest, RuleArgs};
use crate::bench::Bench;
use crate::check::{Replaying, replay};
use crate::local::Loaded;
use crate::plugins;

pub(crate) fn run(test: &PluginTest) -> Result<ExitCode> {
    let rules = RuleArgs {
        options: test.options.clone(),
        policy: test.policy,
        ..RuleArgs::of_folder(test.plugins.clone())
    };
    let folder = built(&test.plugin)?;
    let plugin = NativePlugin::load(&folder)?;
    let mut others = Vec::new();
    for with in &test.with {
        others.push(NativePlugin::load(&built(with)?)?);
    }
    let cases = match &test.cases[..] {
        [] => vec![folder.join(CASES)],
        named => named.to_vec(),
    };
    if test.cases.is_empty() {
        ensure!(
            cases[0].is_dir(),
            "{} has no case files: write one into the folder {CASES} of its sources (a ruling that \
             `alamein fire ... --save FILE` saves is one), or name some with --case",
            folder.display()
        );
    }
    let bench = Bench::Here(Loaded::of(together(&rules, plugin, others)?));
    replay(Replaying {
        files: &cases,
        bench,
        rules: &rules,
        contested: test.contested,
        json: test.json,
    })
}

/// The plugin, those named with it, and those of the folder that bear other ids.
fn together(
    rules: &RuleArgs,
    plugin: NativePlugin,
    others: Vec<NativePlugin>,
) -> Result<Vec<NativePlugin>> {
    let mut plugins = vec![plugin];
    for other in others {
        if plugins.iter().any(|known| known.id() == other.id()) {
            bail!("--with: there are two plugins with the id {}", other.id());
        }
        plugins.push(other);
    }
    let report = load_folder(&plugins::folder(rules)?);
    if let Some((_, error)) = report.refused().next() {
        bail!("a plugin that comes with this program cannot be used: {error}");
    }
    for bundled in report.loaded() {
        if !plugins.iter().any(|known| known.id() == bundled.id()) {
            plugins.push(bundled.clone());
        }
    }
    Ok(plugins)
}
