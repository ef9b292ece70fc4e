//! The rules and kinds of this plugin, as `plugin.json` names them.

alamein_plugin_sdk::rules! {
    // B27
    IN_FOXHOLE = "B27/in-foxhole";
    FOXHOLE = "B27/foxhole";
    FOXHOLE_NOT_OPEN_GROUND = "B27/not-open-ground";
    FOXHOLE_NOT_COVERED = "B27/not-covered";
    // C11.2
    IN_PLACE = "C11.2/in-place";
    EMPLACED = "C11.2/emplaced";
    EMPLACED_NOT_OPEN_GROUND = "C11.2/not-open-ground";
    EMPLACED_NOT_COVERED = "C11.2/not-covered";
    SET_UP = "C11.2/set-up";
    SET_UP_EMPLACED = "C11.2/emplaced-at-start";
}

alamein_plugin_sdk::kinds! {
    // TEM of one Location is exclusive: the best for the target counts.
    LOCATION = "location";
    // A target's posture, with the TEM that it gives.
    FOXHOLE_TEM = "foxhole_tem";
    EMPLACEMENT_TEM = "emplacement_tem";
    // A Gun that sets up, and terrain in which it may be Emplaced.
    EMPLACEMENT = "emplacement";
    EMPLACING_TERRAIN = "emplacing_terrain";
}
