//! Plugins that have nothing wrong with them.

use alamein_plugin_build::{BuildPlugins, build_house_rules};

use crate::Checked;

#[test]
fn every_plugin_of_this_repository_passes() {
    let workspace = xtask::Workspace::read(&xtask::root()).unwrap();
    let plugins = xtask::build_plugins(&workspace, &BuildPlugins::default()).unwrap();
    assert!(plugins.len() >= 7, "{plugins:?}");
    for plugin in plugins {
        Checked::of(&plugin.folder, &[]).passes(&plugin.id);
    }
}

#[test]
fn every_house_rule_of_this_repository_passes() {
    let workspace = xtask::Workspace::read(&xtask::root()).unwrap();
    let plugins = build_house_rules(&workspace, &BuildPlugins::default()).unwrap();
    assert!(plugins.len() >= 4, "{plugins:?}");
    for plugin in plugins {
        Checked::of(&plugin.folder, &[]).passes(&plugin.id);
    }
}
