//! What a plugin answers of LOS in short must be what its rounds come to.
//!
//! Here it makes a ruleset of its own, so that the engine itself asks it both ways: for what somebody sees
//! of a whole map, and for the same with everybody asked about everything.

use std::sync::Arc;

use alamein_engine::{Engine, Ruleset, RulesetConfig, Wanted};
use alamein_hex::Hex;
use alamein_plugin_host::NativePlugin;
use alamein_terrain::{
    Counter, CounterClass, CounterFlags, End, Environment, FeatureError, FieldOfView,
    FieldQuestion, GrazingPolicy, Position,
};
use futures::executor::block_on;
use serde_json::{Map, Value};

use crate::chance::Chance;
use crate::check::Check;
use crate::exam::Scene;
use crate::maps::{Filling, STRANGER};
use crate::notes::Note;
use crate::trials::Tests;

/// From how many hexes of a map it is looked.
const VIEWERS: usize = 12;

impl Tests<'_> {
    /// Compares what it answers in short with its rounds.
    pub(crate) fn sight(&self) {
        if let Err(why) = self.try_sight() {
            self.notes.fault(Check::Sight, why);
        }
    }

    fn try_sight(&self) -> Result<(), String> {
        let says_nothing = |why: &str| {
            let note = Note::NotApplicable(Check::Sight, why.to_owned());
            self.notes.write(&note);
            Ok(())
        };
        for (at, set) in self.sets.iter().enumerate().take(3) {
            self.notes.doing("making a ruleset of it alone");
            let Some(engine) = alone(&self.plugin, &set.options) else {
                return says_nothing("it makes no ruleset by itself");
            };
            if at == 0 && !self.tells_of_sight(&engine)? {
                return says_nothing("it says nothing of LOS in short, and is asked in rounds");
            }
            for scene in &self.scenes {
                if scene.shown.filling != Filling::Wild {
                    self.look_around(&engine, scene, &set.name)?;
                }
            }
        }
        Ok(())
    }

    /// Whether it says on which lines of sight it speaks.
    fn tells_of_sight(&self, engine: &Engine) -> Result<bool, String> {
        let mut tells = false;
        for scene in &self.scenes {
            for member in engine.ruleset().members() {
                match block_on(member.feature.prepare(&scene.shown.map)) {
                    Ok(prepared) => tells |= prepared.outlook().is_some(),
                    Err(FeatureError::Rubbish { message, .. }) => {
                        let map = scene.shown.name;
                        return Err(format!("on the map `{map}` it answers rubbish: {message}"));
                    }
                    // What it refuses of a map, or fails in, other checks tell.
                    Err(_) => {}
                }
            }
        }
        Ok(tells)
    }

    /// Looks from some hexes of a map, and by some counters on it.
    fn look_around(&self, engine: &Engine, scene: &Scene, set: &str) -> Result<(), String> {
        let grid = scene.shown.map.grid;
        self.notes
            .doing(&format!("looking around on the map `{}`", scene.shown.name));
        let Some(position) = position(scene) else {
            return Ok(());
        };
        let hexes = grid.hexes().step_by(grid.len().div_ceil(VIEWERS));
        let hexes = hexes.map(|hex| End::Hex(hex.into()));
        let counter = |counter: &Counter| End::Counter {
            id: counter.id.clone(),
            corner: None,
        };
        let counters = position.counters().iter().map(counter).take(VIEWERS);
        for (viewer, policy) in hexes.chain(counters).zip(GrazingPolicy::ALL.iter().cycle()) {
            let question = FieldQuestion {
                policy: Some(*policy),
                ignore_layers: vec![STRANGER.to_owned()],
                ..FieldQuestion::new(viewer)
            };
            let look = |ask_everyone| {
                let wanted = Wanted {
                    ask_everyone,
                    ..Wanted::default()
                };
                let (ruleset, position) = (engine.ruleset(), Arc::clone(&position));
                engine.field_of_view_here(ruleset, position, &question, wanted)
            };
            let Ok(expected) = look(true) else {
                return Ok(());
            };
            // The second time what is kept of the map is told.
            for _ in 0..2 {
                let seen =
                    look(false).map_err(|error| format!("while answering in short: {error}"))?;
                if seen != expected {
                    let (name, what) = (scene.shown.name, difference(&seen, &expected));
                    return Err(format!(
                        "on the map `{name}` with {set}: {what}. Mend `survey_sight` or `answer_sight`, or \
                         leave both out: they only save time"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// An engine by whose rules only this plugin speaks.
fn alone(plugin: &NativePlugin, options: &Value) -> Option<Engine> {
    let given: Map<String, Value> = options.as_object().cloned().unwrap_or_default();
    let config = RulesetConfig {
        options: [(plugin.id().to_owned(), given)].into(),
        ..RulesetConfig::default()
    };
    let ruleset = Ruleset::build(std::slice::from_ref(plugin), &config).ok()?;
    Engine::new(ruleset).ok()
}

/// A scene's map with vehicles, wrecks and Infantry strewn over it, some of it entrenched.
fn position(scene: &Scene) -> Option<Arc<Position>> {
    const CLASSES: [CounterClass; 5] = [
        CounterClass::Tank,
        CounterClass::Squad,
        CounterClass::Wreck,
        CounterClass::Squad,
        CounterClass::Halftrack,
    ];
    let map = &scene.shown.map;
    let hexes: Vec<Hex> = map.grid.hexes().collect();
    let mut chance = Chance::new(hexes.len() as u64);
    let classes = CLASSES.into_iter().cycle().take(hexes.len() / 4);
    let counters = classes.enumerate().filter_map(|(at, class)| {
        let hex = *chance.pick(&hexes)?;
        let mut counter = Counter::new(format!("c{at}"), class, hex);
        if class == CounterClass::Squad && chance.once_in(2) {
            counter.flags = CounterFlags::ENTRENCHED;
        }
        Some(counter)
    });
    let environment = Environment { ec: scene.shown.ec };
    let position = Position::new(Arc::new(map.clone()), counters.collect(), environment);
    position.ok().map(Arc::new)
}

/// In what two views differ.
fn difference(short: &FieldOfView, rounds: &FieldOfView) -> String {
    let name = |hex: Hex| short.grid.label(hex);
    let mut pairs = short.sights.iter().zip(&rounds.sights);
    match pairs.find(|(one, other)| one != other) {
        Some(((hex, short_of), (_, rounds_of))) => format!(
            "the LOS from {} to {} is {short_of:?} by what it answers in short, and {rounds_of:?} by its rounds",
            name(short.viewer),
            name(*hex)
        ),
        None => format!(
            "of the LOS from {} to all hexes it keeps back in short what its rounds say of options, or of \
             rules that are not covered",
            name(short.viewer)
        ),
    }
}
