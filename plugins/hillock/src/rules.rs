//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // The hillock itself
    OBSTACLE = "F6/obstacle";
    ASCENT = "F6/ascent";
    SUMMIT = "F6/summit";
    // 6.4: LOS
    LOS = "F6.4/los";
    HALF_LEVEL = "F6.4/half-level";
    BOTH_ON_HILLOCKS = "F6.4/both-on-hillocks";
    SEES_OVER_ONE = "F6.4/sees-over-one";
    SEES_OVER_ADJACENT = "F6.4/sees-over-adjacent";
    DUG_IN = "F6.4/dug-in";
    BASE_LEVELS = "F6.4/base-levels";
    BUDGET = "F6.4/budget";
    VERTEX_TOUCH = "F6.4/vertex-touch";
    GRAZING_SIDES = "F6.4/grazing-sides";
    EMPLACED = "F6.4/emplaced";
    // 6.4: Hindrances
    OVER_GRAIN = "F6.4/over-grain";
    GRAIN_ONCE = "F6.4/grain-once";
    OVER_VEHICLES = "F6.4/over-vehicles";
    OVER_AFV = "F6.4/over-afv";
    OVER_AFV_CONTESTED = "F6.4/over-afv-contested";
    // 6.4: TEM and HD
    TEM = "F6.4/tem";
    HULL_DOWN = "F6.4/hull-down";
    NOT_OPEN_GROUND = "F6.4/not-open-ground";
    TARGET_ON_HILLOCK = "F6.4/target-on-hillock";
    NOT_ADJACENT = "F6.4/not-adjacent";
    INDIRECT = "F6.4/indirect";
    ELEVATION = "F6.4/elevation";
    PRC = "F6.4/prc";
    BOTH_ADJACENT = "F6.4/both-adjacent";
    PRC_CONTESTED = "F6.4/prc-contested";
    BOTH_ADJACENT_CONTESTED = "F6.4/both-adjacent-contested";
    CUMULATIVE = "F6.4/cumulative";
    UNARMORED_VEHICLE = "F6.4/unarmored-vehicle";
}

alamein_plugin_sdk::kinds! {
    // Half-level obstacles.
    HILLOCK = "hillock";
    WALL = "wall";
    HEDGE = "hedge";
    RUBBLE = "rubble";
    CRAG = "crag";
    HIGH_DUNE = "high_dune";
    DUNE_CREST = "dune_crest";
    CACTUS = "cactus";
    // Hindrances.
    GRAIN = "grain";
    BRUSH = "brush";
    AFV = "afv";
    WRECK = "wreck";
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // Unless a ruleset says that TEM of a hillock adds to it.
    BEHIND_HILLOCK = "behind_hillock";
}
