//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // A6.2, A6.4
    OBSTACLE = "A6.2/obstacle";
    BLIND_HEXES = "A6.4/blind-hexes";
    SEEN_PAST = "A6.4/seen-past";
    HALF_LEVELS = "A6.4/half-levels";
    // A6.7
    LIMIT = "A6.7/limit";
    HEXSIDE_PAIR = "A6.7/hexside-pair";
    VEHICLES_ALONG_HEXSIDE = "A6.7/vehicles-along-hexside";
    VEHICLES_CONTESTED = "A6.7/vehicles-contested";
    // A9.22
    LANE = "A9.22/lane";
    LANE_VERTEX = "A9.22/vertex";
    LANE_MG_HEX = "A9.22/mg-hex";
    LANE_OFF = "A9.22/off-lane";
}

alamein_plugin_sdk::kinds! {
    AFV = "afv";
    WRECK = "wreck";
    BRUSH = "brush";
    BRIDGE = "bridge";
    CRAG = "crag";
    DEBRIS = "debris";
    GRAIN = "grain";
    GRAVEYARD = "graveyard";
    MARSH = "marsh";
    ORCHARD = "orchard";
    VINEYARD = "vineyard";
}
