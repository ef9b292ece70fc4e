//! What rulings are made of.
//!
//! A [`Position`] is a [`Map`] and the [`Counter`]s on it. A [`Question`] about it (is there a
//! line of sight? what does this step cost?) is put to every [`TerrainFeature`] of a ruleset in
//! rounds: they *observe* facts, *object* to facts that others observed, and *judge* what stands.
//! [`fold`] then merges all that was said into a [`Ruling`].
//!
//! This crate holds the words and the algebra. It has no input or output, no clock and no rule of
//! the game: every rule lives in a plugin that implements [`TerrainFeature`].

mod canon;
mod changes;
mod counter;
mod feature;
pub mod fold;
mod hidden;
mod manifest;
mod map;
mod moves;
mod position;
mod question;
mod replacing;
mod ruling;
mod saying;
mod setup;

pub use canon::{Canon, CanonError, CanonReader, Canonical, Digest, FromCanonical};
pub use changes::{Change, ChangeError, ChangeFault, Changed, OtherMap, changed, diff};
pub use counter::{Counter, CounterClass, CounterFlags, MovementUnit};
pub use feature::{
    Again, AttributeFact, Budget, CounterFacts, EndFacts, FeatureError, Interest, LaneFacts, Line,
    LineBatch, MoveStep, PreparedFeature, Problem, Purpose, Seen, SeenBatch, SetUpBatch, Severity,
    Spoken, StepBatch, TerrainFeature, TurnFacts,
};
pub use manifest::{
    Artifact, AttributeSpec, FieldKind, FieldSpec, LayerSpec, Manifest, ManifestError, OptionSpec,
    Report, ReportAs, RuleSpec,
};
pub use map::{Environment, EnvironmentCondition, Field, Layer, Map};
pub use moves::{
    Gap, MissingRule, Moving, OwedCheck, PathQuestion, PricedPath, PricedStep, ProhibitedStep,
    Reach, ReachQuestion, Reached, Spent, StepRuling, UnknownStep, Unpriced,
};
pub use position::{FireLane, Position, PositionError, aboard_in_a_ring};
pub use question::{
    Ask, Attack, End, GrazingPolicy, GroundPressure, LaneMover, Mover, Munition, Question, Step,
    Way,
};
pub use replacing::{Replaced, Replacements, RuleAt, With};
pub use ruling::{
    Adjudicated, Cited, ContestedOption, Crossed, Emplacement, FoundEffect, FoundFact, Grazing,
    IgnoredLayer, LaneVerdict, LosResult, LosVerdict, MovementCheck, MovementItem, MovementVerdict,
    PlaceName, RuledFinding, RuledObservation, Ruling, SetUpVerdict, TemVerdict, Verdict,
};
pub use saying::{CostPart, Effect, Fact, Finding, Objection, Observation, Place};
pub use setup::{Concealment, Fortification, SetUp, SetUpPiece};
