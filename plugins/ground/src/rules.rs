//! The rules of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    COT = "F1.1/cot";
    OPEN_GROUND = "F1.1/open-ground";
    HINDERED = "A4.6/hindered";
    HILL_LOS = "B10/los";
    HEIGHT_ADVANTAGE = "B10/height-advantage";
    HILL_MOVEMENT = "B10/movement";
}

alamein_plugin_sdk::kinds! {}
