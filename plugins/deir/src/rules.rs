//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // 4.3
    EXIT = "F4.3/exit";
    // 4.4
    LOS = "F4.4/los";
    LOS_LIP_HEX = "F4.4/lip-hex";
    LOS_HIGHER = "F4.4/higher";
    LOS_JUST_OUTSIDE = "F4.4/just-outside";
    LOS_GRAZING = "F4.4/grazing";
    LOS_SET_UP = "F4.4/set-up";
    // 4.5
    BEHIND_LIP = "F4.5/behind-lip";
    TEM = "F4.5/tem";
    HULL_DOWN = "F4.5/hull-down";
    NOT_OPEN_GROUND = "F4.5/not-open-ground";
    NOT_IN_DEIR = "F4.5/not-in-deir";
    SAME_HEX = "F4.5/same-hex";
    INDIRECT = "F4.5/indirect";
    PRC = "F4.5/prc";
    ELEVATION = "F4.5/elevation";
    NO_LIP = "F4.5/no-lip";
    OWN_LIP = "F4.5/own-lip";
    GRAZING = "F4.5/grazing";
    UNARMORED_VEHICLE = "F4.5/unarmored-vehicle";
    CAVALRY = "F4.5/cavalry";
    // 4.51
    HALF_LEVEL = "F4.51/half-level";
    // 4.52
    LANE_INFANTRY = "F4.52/infantry";
    LANE_VEHICLE = "F4.52/vehicle";
    LANE_COUNTER_HEX = "F4.52/counter-hex";
    LANE_NO_LIP = "F4.52/no-lip";
    LANE_GRAZING = "F4.52/grazing";
    LANE_WRECK_HINDERS = "F4.52/wreck-hinders";
}

alamein_plugin_sdk::kinds! {
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // What a target behind a Lip Hexside gets.
    DEIR_TEM = "deir_tem";
    DEIR_HULL_DOWN = "deir_hull_down";
    // The "half-level" Hindrances of 4.51.
    AFV = "afv";
    WRECK = "wreck";
    BRUSH = "brush";
    BRIDGE = "bridge";
    GRAIN = "grain";
    MARSH = "marsh";
    CRAG = "crag";
    // A unit that will have limited LOS.
    LIMITED_LOS = "limited_los";
}
