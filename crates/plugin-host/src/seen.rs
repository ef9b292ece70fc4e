//! Showing a plugin what all have said.

use alamein_hex::Hex;
use alamein_plugin_abi::{
    FACT_CHECK, FACT_CHECK_DRM, FACT_COT, FACT_HINDRANCE, FACT_MARK, FACT_OBSTACLE, FACT_REDUCTION,
    FACT_SURCHARGE, NONE, PLACE_HEX, PLACE_HEXSIDE, PLACE_WHOLE, PlaceView, SAID_INHERENT,
    SAID_NEEDS_LOS, SEEN_HYPOTHETICAL, SEEN_OWN, SEEN_SET_ASIDE, SeenObjection, SeenObservation,
    SeenView,
};
use alamein_terrain::{Again, CostPart, Fact, Objection, Place, Seen, SeenBatch};

use crate::feature::Instance;
use crate::layout::{coord, lend};

/// What was said of the lines or steps that a plugin is asked about, as that plugin sees it.
pub(crate) struct SeenViews {
    views: Vec<SeenView>,
    // The views point into these, which do not change any more.
    _observations: Vec<SeenObservation>,
    _objections: Vec<SeenObjection>,
}

impl SeenViews {
    pub(crate) fn new(seen: &SeenBatch, ask: &[u32], instance: &Instance) -> Self {
        let asked = || ask.iter().map(|of| *of as usize);
        let observations: Vec<SeenObservation> = asked()
            .flat_map(|of| seen.of(of))
            .map(|seen| observation(seen, instance))
            .collect();
        let mut counts = Vec::with_capacity(ask.len());
        let mut objections: Vec<SeenObjection> = Vec::new();
        for of in asked() {
            let before = objections.len();
            for (_, feature, objection) in seen.objections_of(of) {
                objection_seen(seen, of, (*feature, *objection), instance, &mut objections);
            }
            counts.push(objections.len() - before);
        }

        let (mut observed, mut objected) = (&observations[..], &objections[..]);
        let mut views = Vec::with_capacity(ask.len());
        for (of, count) in asked().zip(counts) {
            let (mine, rest) = observed.split_at(seen.of(of).len());
            let (mine_too, rest_too) = objected.split_at(count);
            views.push(SeenView {
                observations: lend(mine),
                objections: lend(mine_too),
            });
            (observed, objected) = (rest, rest_too);
        }
        Self {
            views,
            _observations: observations,
            _objections: objections,
        }
    }

    /// A view for each line or step asked about.
    pub(crate) fn as_ptr(&self) -> *const SeenView {
        self.views.as_ptr()
    }
}

/// Shows an objection, once for each rule of the plugin's own that it is by: the very rule, and those
/// that it replaces. That what replaces a rule sets aside what was observed by it is no objection by
/// that rule.
fn objection_seen(
    seen: &SeenBatch,
    of: usize,
    (feature, objection): (u16, Objection),
    instance: &Instance,
    shown: &mut Vec<SeenObjection>,
) {
    let by = (feature, objection.rule);
    let show = |rule| SeenObjection {
        observation: objection.observation,
        rule,
    };
    let before = shown.len();
    if feature == instance.index {
        shown.push(show(objection.rule.into()));
    }
    let of_replaced = seen
        .of(of)
        .get(objection.observation as usize)
        .is_some_and(|seen_one| {
            let rule = (seen_one.feature, seen_one.observation.rule);
            seen.replacements.of(rule) == Some(by)
        });
    if !of_replaced {
        let own = seen.replacements.stood_for(by, instance.index);
        shown.extend(own.map(|rule| show(rule.into())));
    }
    if shown.len() == before {
        shown.push(show(NONE));
    }
}

/// The plugin's own rule by which something was observed. What is said again with another number takes
/// the place of what the plugin itself said.
fn own_rule(seen: &Seen, instance: &Instance) -> Option<u16> {
    match seen.again {
        Again::Of((feature, rule)) if feature == instance.index => Some(rule),
        Again::Said => None,
        _ => (seen.feature == instance.index).then_some(seen.observation.rule),
    }
}

fn observation(seen: &Seen, instance: &Instance) -> SeenObservation {
    let observation = &seen.observation;
    let own = |kind| instance.kinds.own(kind);
    let (fact, kind, value, inherent) = match observation.fact {
        Fact::Obstacle {
            kind,
            height,
            inherent,
        } => (FACT_OBSTACLE, own(kind), height.into(), inherent),
        Fact::Hindrance { kind, drm } => (FACT_HINDRANCE, own(kind), drm.into(), false),
        Fact::Mark { kind, value } => (FACT_MARK, own(kind), value, false),
        Fact::Cost { part, amount } => (cost(part), NONE, amount.into(), false),
        Fact::Check { kind, fails_at, .. } => (FACT_CHECK, own(kind), fails_at.into(), false),
        Fact::CheckDrm { kind, drm } => (FACT_CHECK_DRM, own(kind), drm.into(), false),
    };
    let flag = |set: bool, flag| if set { flag } else { 0 };
    let own_rule = own_rule(seen, instance);
    SeenObservation {
        fact,
        kind,
        value,
        flags: flag(inherent, SAID_INHERENT)
            | flag(observation.needs_los, SAID_NEEDS_LOS)
            | flag(seen.hypothetical, SEEN_HYPOTHETICAL)
            | flag(!seen.standing, SEEN_SET_ASIDE)
            | flag(own_rule.is_some(), SEEN_OWN),
        subject: observation.subject.unwrap_or(NONE),
        place: place(observation.place),
        rule: own_rule.map_or(NONE, u32::from),
    }
}

fn cost(part: CostPart) -> u32 {
    match part {
        CostPart::Cot => FACT_COT,
        CostPart::Surcharge => FACT_SURCHARGE,
        CostPart::Reduction { .. } => FACT_REDUCTION,
    }
}

fn place(place: Place) -> PlaceView {
    let (tag, [a, b]) = match place {
        Place::Whole => (PLACE_WHOLE, [Hex::default(); 2]),
        Place::Hex(hex) => (PLACE_HEX, [hex, Hex::default()]),
        Place::Hexside(side) => (PLACE_HEXSIDE, side.hexes()),
    };
    PlaceView {
        tag,
        a: coord(a),
        b: coord(b),
    }
}
