//! What lies underfoot: desert Open Ground (F1), scrub (F2), hammada (F3), tracks (F9), roads (B3).
//!
//! | module            | rule      | what it says |
//! |-------------------|-----------|--------------|
//! | [`terrain`]       |           | which hexes are scrub or hammada, which hexsides tracks and roads cross |
//! | [`cot`]           | F1, F2, F3 | what entering a hex costs |
//! | [`immobilization`] | F3.31    | which vehicles owe an Immobilization DR for hammada |
//! | [`shrapnel`]      | F3.4      | TEM of -1 against HE on hammada |
//! | [`ways`]          | F9, B3    | what following a track or a road changes |
//! | [`levels`]        | B10       | hills as obstacles, and Height Advantage |
//! | [`setup`]         | F.1A      | what may set up, and where a Gun may be Emplaced |
//!
//! All of it is Open Ground to fire, unless something says otherwise for an attack.

pub mod cot;
pub mod immobilization;
pub mod levels;
pub mod options;
pub mod rules;
pub mod setup;
pub mod shrapnel;
pub mod terrain;
pub mod ways;

use alamein_plugin_sdk::{export_plugin, prelude::*};

use options::Options;
use rules::{HINDERED, OPEN_GROUND};
use terrain::Ground;

/// The plugin.
#[derive(Debug)]
pub struct GroundPlugin {
    options: Options,
}

impl TerrainPlugin for GroundPlugin {
    type Options = Options;
    type Map = Ground;

    fn create(options: Options, _log: Log) -> Result<Self, String> {
        Ok(Self { options })
    }

    fn prepare(&self, map: &MapView<'_>, _problems: &mut Problems) -> Ground {
        terrain::read(map)
    }

    fn survey(&self, _ground: &Ground, survey: &mut Survey<'_>) {
        survey.everything();
    }

    const SURVEYS_SIGHT: bool = true;

    fn survey_sight(&self, ground: &Ground, survey: &mut SightSurvey<'_>) {
        for hex in levels::above_the_lowest(&ground.levels) {
            survey.between(hex);
        }
    }

    fn observe(&self, ground: &Ground, line: &Line<'_>, say: &mut Observations) {
        levels::observe(&ground.levels, line, say);
    }

    fn judge(&self, ground: &Ground, line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
        levels::judge(&ground.levels, line, say);
        if line.attack().is_some() {
            judge_open_ground(line, seen, say);
            shrapnel::judge(self.options, ground, line, say);
        }
    }

    fn observe_step(&self, ground: &Ground, step: &Step<'_>, say: &mut Observations) {
        cot::observe(ground, step, say);
        ways::observe(ground, step, say);
        immobilization::observe(ground, step, say);
    }

    fn object_to_step(
        &self,
        ground: &Ground,
        step: &Step<'_>,
        seen: &Seen<'_>,
        say: &mut Objections,
    ) {
        ways::object(self.options, ground, step, seen, say);
    }

    fn judge_step(&self, ground: &Ground, step: &Step<'_>, seen: &Seen<'_>, say: &mut Findings) {
        levels::judge_step(&ground.levels, step, say);
        cot::judge(step, say);
        ways::judge(self.options, ground, step, seen, say);
        immobilization::judge(ground, step, seen, say);
    }

    fn observe_setup(&self, ground: &Ground, setup: &SetUp<'_>, say: &mut Observations) {
        setup::observe(ground, setup, say);
    }

    fn object_to_setup(
        &self,
        _ground: &Ground,
        _setup: &SetUp<'_>,
        seen: &Seen<'_>,
        say: &mut Objections,
    ) {
        setup::object(self.options, seen, say);
    }

    fn judge_setup(&self, ground: &Ground, setup: &SetUp<'_>, seen: &Seen<'_>, say: &mut Findings) {
        setup::judge(self.options, ground, setup, seen, say);
    }
}

/// Whether the target's hex is Open Ground for an attack (A4.6): it is, unless a Hindrance lies on
/// the LOF; TEM that applies is for its own terrain to tell.
fn judge_open_ground(line: &Line<'_>, seen: &Seen<'_>, say: &mut Findings) {
    let target = line.to().hex();
    say.open_ground(OPEN_GROUND).at(target);
    let hindrances: Few<_> = seen.hindrances().collect();
    if !hindrances.is_empty() {
        let mut found = say.not_open_ground(HINDERED).at(target);
        for hindrance in &hindrances {
            found = found.citing(hindrance);
        }
    }
}

export_plugin! {
    id: "ground",
    symbol: alamein_plugin_ground,
    plugin: GroundPlugin,
    manifest: include_str!("../plugin.json"),
    rules: rules::RULES,
    kinds: rules::KINDS,
}

#[cfg(test)]
mod tests {
    use alamein_plugin_sdk::testkit;

    #[test]
    fn the_manifest_and_the_code_agree() {
        testkit::check_manifest(&crate::alamein_plugin_ground).unwrap();
    }
}
