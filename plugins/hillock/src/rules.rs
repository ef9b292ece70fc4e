//! The rules of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    ASCENT = "F6/ascent";
    NOT_IMPLEMENTED = "F6.4/not-implemented";
}

alamein_plugin_sdk::kinds! {}
