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
    // 7.4: attacks
    HALVED = "F7.4/halved";
    ARMORED = "F7.4/armored";
    FIRM_CONTESTED = "F7.4/firm-sand";
    BOMBARDMENT_MC = "F7.4/bombardment";
    // 7.41, 7.42: Emplacement and foxholes
    EMPLACED = "F7.41/emplaced";
    EMPLACED_TEM = "F7.41/tem";
    EMPLACED_NOT_OPEN_GROUND = "F7.41/not-open-ground";
    FOXHOLE = "F7.42/foxhole";
    FOXHOLE_HALF_TEM = "F7.42/tem";
    FOXHOLE_NOT_OPEN_GROUND = "F7.42/not-open-ground";
    // 7.41, 7.42, 8.2: what sets up
    EMPLACING_SAND = "F7.41/set-up";
    NO_TRENCH = "F7.42/trench";
    NO_PILLBOX = "F7.42/pillbox";
    NO_SANGAR = "F8.2/sand";
    NO_WIRE = "F7.42/wire-and-mines";
    WIRE_CONTESTED = "F7.42/wire-and-mines-contested";
    // 7.5: Sand Dunes
    CROSSING = "F7.5/crossing";
    // 7.5: LOS
    CREST = "F7.5/dune-crest";
    HIGH_DUNE_OBSTACLE = "F7.5/high-dune";
    LOS = "F7.5/los";
    AT_END = "F7.5/at-end";
    OTHER_LEVEL = "F7.5/other-level";
    LOS_GRAZING = "F7.5/los-grazing";
    ENTRENCHED = "F7.5/entrenched";
    ENTRENCHED_CONTESTED = "F7.5/entrenched-contested";
    ON_HIGH_DUNE = "F7.5/on-high-dune";
    // 7.5: TEM
    TEM = "F7.5/tem";
    HULL_DOWN = "F7.5/hull-down";
    NOT_OPEN_GROUND = "F7.5/not-open-ground";
    NOT_OF_TARGET = "F7.5/not-of-target";
    INDIRECT = "F7.5/indirect";
    ELEVATION = "F7.5/elevation";
    PRC = "F7.5/prc";
    GRAZING = "F7.5/grazing";
    SHARED = "F7.5/shared";
    SHARED_CONTESTED = "F7.5/shared-contested";
    VEHICLE = "F7.5/vehicle";
    VEHICLE_CONTESTED = "F7.5/vehicle-contested";
}

alamein_plugin_sdk::kinds! {
    // The Sand Bog DR.
    BOG = "sand_bog";
    // Half-level obstacles.
    DUNE_CREST = "dune_crest";
    HIGH_DUNE = "high_dune";
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // A target's posture, with the TEM that it gives elsewhere.
    FOXHOLE_TEM = "foxhole_tem";
    EMPLACEMENT_TEM = "emplacement_tem";
    // A step that follows a road.
    ROAD = "road";
    // Terrain in which a Gun that sets up may be Emplaced.
    EMPLACING_TERRAIN = "emplacing_terrain";
}
