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
mod failure;
mod feature;
pub mod fold;
mod hidden;
mod kept;
mod manifest;
mod map;
mod moves;
mod outlook;
mod position;
mod question;
mod replacing;
mod ruling;
mod saying;
mod setup;
mod shared;
mod sight;

pub use canon::{Canon, CanonError, CanonReader, Canonical, Digest, FromCanonical};
pub use changes::{Change, ChangeError, ChangeFault, Changed, OtherMap, changed, diff};
pub use counter::{Counter, CounterClass, CounterFlags, MovementUnit};
pub use failure::{Budget, FeatureError};
pub use feature::{
    Again, AttributeFact, CounterFacts, EndFacts, Interest, LaneFacts, Line, LineBatch, MoveStep,
    PreparedFeature, Problem, Purpose, Seen, SeenBatch, SetUpBatch, Severity, Spoken, StepBatch,
    TerrainFeature, TurnFacts,
};
pub use kept::Kept;
pub use manifest::{
    Artifact, AttributeSpec, FieldKind, FieldSpec, LayerSpec, Manifest, ManifestError, OptionSpec,
    Report, ReportAs, RuleSpec,
};
pub use map::{Environment, EnvironmentCondition, Field, Layer, Map};
pub use moves::{
    Gap, MissingRule, Moving, OwedCheck, PathQuestion, PricedPath, PricedStep, ProhibitedStep,
    Reach, ReachQuestion, Reached, Spent, StepRuling, UnknownStep, Unpriced,
};
pub use outlook::{CounterSet, InShort, Outlook, SightAnswer, class_bit, counter_at, mark};
pub use position::{FireLane, Position, PositionError, aboard_in_a_ring};
pub use question::{
    Ask, Attack, End, GrazingPolicy, GroundPressure, LaneMover, Mover, Munition, Question, Step,
    Way,
};
pub use replacing::{Replaced, Replacements, RuleAt, With};
pub use ruling::{
    Adjudicated, Cited, ContestedOption, Crossed, Emplacement, FoundEffect, FoundFact, Grazing,
    IgnoredLayer, LaneVerdict, LosResult, LosVerdict, MovementCheck, MovementItem, MovementVerdict,
    PlaceName, RuledFinding, RuledObservation, Ruling, RulingIds, SetUpVerdict, TemVerdict,
    Verdict,
};
pub use saying::{CostPart, Effect, Fact, Finding, Objection, Observation, Place};
pub use setup::{Concealment, Fortification, SetUp, SetUpPiece};
pub use shared::{Cites, Name, Part, Text};
pub use sight::{FieldOfView, FieldQuestion, PairsQuestion, Sight};
