//! What the author of a terrain plugin uses: a safe trait, words of the game, one macro line.
//!
//! A plugin is asked about lines (of sight, of fire, of a Fire Lane), steps (of a move) and set-ups
//! in three rounds. It *observes* facts, *objects* to facts that others observed, and *judges* what
//! stands. It is pure: the same map, options and question give the same answer, always. It has no
//! clock, files, threads or random numbers.
//!
//! ```
//! use alamein_plugin_sdk::{prelude::*, export_plugin, kinds, rules};
//!
//! rules! { TEM = "X1.2/tem"; }
//! kinds! { LOCATION = "location"; }
//!
//! /// Everybody has +1 TEM everywhere.
//! struct Cosy;
//!
//! impl TerrainPlugin for Cosy {
//!     type Options = NoOptions;
//!     type Map = ();
//!     fn create(_: NoOptions, _: Log) -> Result<Self, String> { Ok(Self) }
//!     fn prepare(&self, _: &MapView<'_>, _: &mut Problems) {}
//!     fn survey(&self, _: &(), survey: &mut Survey<'_>) { survey.everything(); }
//!     fn judge(&self, _: &(), line: &Line<'_>, _: &Seen<'_>, say: &mut Findings) {
//!         if line.attack().is_some() {
//!             say.tem(TEM, LOCATION, 1).at(line.to().hex());
//!         }
//!     }
//! }
//!
//! export_plugin! {
//!     id: "cosy", symbol: alamein_plugin_cosy, plugin: Cosy,
//!     manifest: r#"{"manifest_version": 1, "id": "cosy", "version": "0.1.0",
//!         "rules_revision": 1, "title": "Cosy", "rules": [
//!         {"id": "X1.2/tem", "title": "Cosy", "message": "It is cosy in {place}."}]}"#,
//!     rules: RULES, kinds: KINDS,
//! }
//! ```

mod export;
mod few;
mod grid_map;
mod line;
mod map;
mod names;
mod plugin;
mod say;
mod seen;
mod setup;
#[doc(hidden)]
pub mod shim;
mod step;
pub mod testkit;
mod units;
mod view;

pub use alamein_hex as hex;
#[doc(hidden)]
pub use alamein_plugin_abi as abi;
pub use alamein_terrain::{
    Attack, Concealment, CounterClass, CounterSet, EnvironmentCondition, Fortification,
    GrazingPolicy, GroundPressure, InShort, LaneMover, MovementUnit, Munition, SightAnswer, Way,
    counter_at,
};
pub use few::{Few, note};
pub use grid_map::{HexMap, HexsideSet};
pub use line::{Line, Reading, Touched};
pub use map::{LayerView, MapView, Problems, SightSurvey, Survey};
pub use names::{Kind, Rule};
pub use plugin::{Log, NoOptions, TerrainPlugin};
pub use say::{CheckOrder, Findings, Objections, Observations};
pub use seen::{Fact, Seen, SeenFact};
pub use setup::SetUp;
pub use step::Step;
pub use units::{Counter, End, Lane};

/// The target triple for which this SDK was built.
#[doc(hidden)]
pub const TARGET: &str = env!("ALAMEIN_TARGET");

/// Everything that a plugin's source usually wants.
pub mod prelude {
    pub use crate::{
        Attack, CheckOrder, Concealment, Counter, CounterClass, CounterSet, End,
        EnvironmentCondition, Fact, Few, Findings, Fortification, GrazingPolicy, GroundPressure,
        HexMap, HexsideSet, InShort, Kind, Lane, LaneMover, LayerView, Line, Log, MapView,
        MovementUnit, Munition, NoOptions, Objections, Observations, Problems, Reading, Rule, Seen,
        SeenFact, SetUp, SightAnswer, SightSurvey, Step, Survey, TerrainPlugin, Touched, Way,
        counter_at, note,
    };
    pub use alamein_hex::{Contact, Crossing, Direction, Grid, Hex, Hexside, Side};
}

/// The Rust of the plugin author's book compiles.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/book/src/first-rule.md")]
    struct FirstRule;
    #[doc = include_str!("../../../docs/book/src/saying.md")]
    struct Saying;
    #[doc = include_str!("../../../docs/book/src/terrain.md")]
    struct Terrain;
}
