//! Plugins that have nothing wrong with them.

use std::fs;

use crate::Checked;

#[test]
fn every_plugin_of_this_repository_passes() {
    let workspace = xtask::Workspace::read(&xtask::root()).unwrap();
    xtask::build_plugins(&workspace, &xtask::BuildPlugins::default()).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(workspace.plugin_dir()).unwrap() {
        let plugin = entry.unwrap().path();
        if plugin.join("plugin.json").is_file() {
            Checked::of(&plugin, &[]).passes(&plugin.display().to_string());
            count += 1;
        }
    }
    assert!(count >= 7, "{count}");
}
