//! `alamein plugin build`.

use alamein_plugin_build::BuiltPlugin;
use anyhow::Result;

use super::{build_now, shown};
use crate::args::PluginBuild;
use crate::output;
use crate::paint::Paint;

pub(crate) fn run(build: &PluginBuild) -> Result<()> {
    let built = build_now(&build.source, build.release, build.out.clone())?;
    output::put(&told(&built))
}

fn told(built: &BuiltPlugin) -> String {
    let paint = Paint::of_terminal();
    let folder = shown(&built.folder);
    let files = match built.cases {
        0 => "no case file".to_owned(),
        1 => "1 case file".to_owned(),
        count => format!("{count} case files"),
    };
    format!(
        "{} in {folder}: the library ({} KiB), its plugin.json, {files}\n  \
         sha256   {}\n  build id {}\n\
         Next:\n  alamein plugin check {folder}\n  alamein plugin test {folder}\n",
        paint.bold(&built.id),
        built.size.div_ceil(1024),
        built.sha256,
        built.build_id,
    )
}
