//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // SB2: shelter
    TEM = "SB2/tem";
    NOT_OPEN_GROUND = "SB2/not-open-ground";
    INDIRECT = "SB2/indirect";
    HIGHER = "SB2/higher";
    NO_BANK = "SB2/no-bank";
    GRAZING = "SB2/grazing";
    VEHICLE = "SB2/vehicle";
    // SB3: piled stones
    PILED = "SB3/piled";
    // SB4: what the bank hides
    BELOW_THE_BANK = "SB4/below-the-bank";
    // SB5: going over
    CLIMB = "SB5/climb";
    WHEELS = "SB5/wheels";
    NO_WHEELS = "SB5/no-wheels";
    // SB6: roads
    ROAD_CUT = "SB6/road";
}

alamein_plugin_sdk::kinds! {
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // A bank that a step goes over.
    BANK = "stony_bank";
    // What others observe, and this plugin has something to say to.
    AFV = "afv";
    WRECK = "wreck";
    ROAD = "road";
}
