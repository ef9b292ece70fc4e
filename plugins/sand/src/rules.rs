//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // 7.3
    SURCHARGE = "F7.3/sand";
    ROAD_RATE = "F7.3/road";
    // 7.31: Sand Bog
    IN_SAND = "F7.31/in-sand";
    BESIDE_SAND = "F7.31/beside-sand";
    GROUND_PRESSURE = "F7.31/ground-pressure";
    NOT_FULLY_TRACKED = "F7.31/not-fully-tracked";
    HEAVY_TRUCK = "F7.31/heavy-truck";
    VIA_CREST = "F7.31/via-dune-crest";
    BESIDE_SAND_DRM = "F7.31/open-ground";
    WET_OR_MUD = "F7.31/wet-or-mud";
    WAGON = "F7.31/wagon";
    PRESSURE_UNKNOWN = "F7.31/pressure-unknown";
    WEIGHT_UNKNOWN = "F7.31/weight-unknown";
    ENTRY_UNKNOWN = "F7.31/entry-unknown";
    MOTORCYCLE = "F7.31/motorcycle";
    HAMMADA = "F7.31/hammada";
    // 7.5: Sand Dunes
    CROSSING = "F7.5/crossing";
}

alamein_plugin_sdk::kinds! {
    // The Sand Bog DR.
    BOG = "sand_bog";
    // A step that follows a road.
    ROAD = "road";
}
