//! The rules and kinds of this plugin: the names that the code uses, and those of `plugin.json`.
//!
//! Each rule here has its entry in `plugin.json`, with the words that players read.

alamein_plugin_sdk::rules! {
    TEM = "H1/tem";
    NOT_OPEN_GROUND = "H1/not-open-ground";
    NO_TEM = "H1/no-tem";
}

alamein_plugin_sdk::kinds! {
    // Of several TEM of this one kind only the best counts, whichever plugins give them.
    LOCATION = "location";
}
