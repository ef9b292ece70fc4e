//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // Costs of Terrain
    COT = "F1.1/cot";
    SCRUB_COT = "F2.21/cot";
    HAMMADA_COT = "F3/cot";
    PUSHING = "C10.3/pushing";
    // Fire
    OPEN_GROUND = "F1.1/open-ground";
    HINDERED = "A4.6/hindered";
    // 3.31: Immobilization in hammada
    IN_HAMMADA = "F3.31/in-hammada";
    BESIDE_HAMMADA = "F3.31/beside-hammada";
    HEAVY_TRUCK = "F3.31/heavy-truck";
    MOTORCYCLE = "F3.31/motorcycle";
    SINGLE_COST = "F3.31/single-cost";
    BESIDE_HAMMADA_DRM = "F3.31/open-ground";
    WEIGHT_UNKNOWN = "F3.31/weight-unknown";
    NOT_OPEN_GROUND = "F3.31/not-open-ground";
    // 3.4: HE on hammada
    HAMMADA_TEM = "F3.4/tem";
    HAMMADA_ARMORED = "F3.4/armored";
    STONES_CONTESTED = "F3.4/cumulative";
    // 9: Tracks
    TRACK = "F9.1/track";
    TRACK_NO_CHECK = "F9.2/no-check";
    MUD_BOG = "F9.2/mud";
    // Roads
    FOLLOWS_ROAD = "B3/follows";
    ROAD_COT = "B3/road";
    ROAD_RATE = "B3/rate";
    ROAD_NO_CHECK = "B3/no-check";
    ROAD_VEHICLES = "B3/vehicles";
    ROAD_SURCHARGES = "B3/surcharges";
    // Levels
    HILL_LOS = "B10/los";
    HEIGHT_ADVANTAGE = "B10.31/tem";
    HEIGHT_NOT_OPEN_GROUND = "B10.31/not-open-ground";
    HEIGHT_UNCOVERED = "B10.31/not-covered";
    HILL_MOVEMENT = "B10/movement";
    // Set-ups
    ALLOWED = "F1.1/set-up";
    CONCEALED_IN_SCRUB = "F.1A/scrub";
    IN_TRENCH = "F.1A/trench";
    DESERT_EMPLACEMENT = "F.1A/emplacement";
    EMPLACEMENT_VOID = "F.1A/void";
    NOT_CONCEALED = "F.1A/not-concealed";
    MAY_RECORD = "F.1A/recorded";
    PAVED = "C11.2/paved";
}

alamein_plugin_sdk::kinds! {
    // Ground that rises between two ends.
    HILL = "hill";
    // The Immobilization DR for hammada, and the Sand Bog DR.
    IMMOBILIZATION = "hammada_immobilization";
    SAND_BOG = "sand_bog";
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // That of hammada against HE adds to it.
    FLYING_STONES = "flying_stones";
    // A step that follows a road.
    ROAD = "road";
    // A Gun that sets up, and terrain in which it may be Emplaced.
    EMPLACEMENT = "emplacement";
    EMPLACING_TERRAIN = "emplacing_terrain";
}
