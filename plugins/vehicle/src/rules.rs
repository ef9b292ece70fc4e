//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // D9.3
    TEM = "D9.3/tem";
    NOT_OPEN_GROUND = "D9.3/not-open-ground";
    SAME_HEX = "D9.3/same-hex";
    BURNING = "D9.3/burning";
    DUG_IN = "D9.3/dug-in";
    IN_MOTION = "D9.3/in-motion";
    INDIRECT = "D9.3/indirect";
    // D9.4
    HINDRANCE = "D9.4/hindrance";
    VERTEX = "D9.4/vertex";
    PER_HEX = "D9.4/per-hex";
}

alamein_plugin_sdk::kinds! {
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    AFV = "afv";
    WRECK = "wreck";
}
