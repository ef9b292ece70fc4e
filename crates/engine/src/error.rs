//! What can be wrong with a question, a position or a ruleset.

use std::time::Duration;

use crate::conflict::Conflict;
use alamein_plugin_host::PluginError;
use alamein_terrain::{FeatureError, MissingRule, PlaceName, PositionError, Problem};

/// Why there is no ruling on a question. A "no" is a ruling, never an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// A counter that is not there.
    #[error("{field}: there is no counter {id:?} in the position")]
    UnknownCounter {
        /// The field's path.
        field: String,
        /// The id given.
        id: String,
    },
    /// A hex off the map.
    #[error("{field}: hex {hex} is not on the map")]
    OffMap {
        /// The field's path.
        field: String,
        /// The hex, as it would be called.
        hex: String,
    },
    /// A vertex that a hex does not have.
    #[error("{field}: a hex has vertices 0 to 5, not {corner}")]
    BadCorner {
        /// The field's path.
        field: String,
        /// The vertex given.
        corner: u8,
    },
    /// A step between hexes that do not touch.
    #[error("{field}: {from} and {to} are not adjacent")]
    NotAdjacent {
        /// The field's path.
        field: String,
        /// The hex left.
        from: String,
        /// The hex entered.
        to: String,
    },
    /// A change of VCA by no, or too many, hexsides.
    #[error("{field}: a VCA changes by 1 to 5 hexsides at once, not by {hexsides}")]
    BadTurn {
        /// The field's path.
        field: String,
        /// The hexsides given.
        hexsides: u8,
    },
    /// A counter that does not move so.
    #[error("{field}: a {class} does not move so")]
    NoMover {
        /// The field's path.
        field: String,
        /// What was to move.
        class: &'static str,
    },
    /// What does not set up, or not so.
    #[error("{field}: nothing sets up so: {what}")]
    NoSetUp {
        /// The field's path.
        field: String,
        /// What was to set up, or beneath what.
        what: &'static str,
    },
    /// A probe that could not be on the map.
    #[error("probes: {0}")]
    BadProbe(PositionError),
    /// A probe's attribute that is unknown or out of its bounds.
    #[error("probes: {0}")]
    ProbeAttribute(AttributeError),
    /// A layer that no plugin owns.
    #[error(
        "map.layers[{layer}]: no plugin of the ruleset owns this layer; load one, or list it in \
         ignore_layers"
    )]
    UnknownLayer {
        /// The layer.
        layer: String,
    },
    /// A layer to be ignored that a plugin owns.
    #[error("ignore_layers: plugin {plugin} owns the layer {layer:?}, so it cannot be ignored")]
    NotIgnorable {
        /// The layer.
        layer: String,
        /// The plugin that owns it.
        plugin: String,
    },
    /// The rule that decides is not implemented.
    #[error("plugin {plugin}: rule {rule} is not implemented: {text}")]
    NotImplemented {
        /// The plugin that says so.
        plugin: String,
        /// The rule.
        rule: String,
        /// Where.
        place: PlaceName,
        /// What to tell people.
        text: String,
    },
    /// A plugin failed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// Time was up.
    #[error("time was up before the ruling")]
    OutOfTime,
}

impl QuestionError {
    /// What a plugin did wrong, if that is why.
    #[must_use]
    pub fn feature(&self) -> Option<&FeatureError> {
        match self {
            Self::Feature(error) => Some(error),
            _ => None,
        }
    }
}

/// What is wrong with a counter's attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttributeError {
    /// No plugin declares it.
    #[error("counters[{counter}].attributes[{name}]: no plugin of the ruleset declares it")]
    Unknown {
        /// The counter's id.
        counter: String,
        /// The attribute's full name.
        name: String,
    },
    /// Its value is out of its bounds.
    #[error("counters[{counter}].attributes[{name}]: {why}")]
    Invalid {
        /// The counter's id.
        counter: String,
        /// The attribute's full name.
        name: String,
        /// What is wrong.
        why: String,
    },
}

impl AttributeError {
    /// The counter's id.
    #[must_use]
    pub fn counter(&self) -> &str {
        let (Self::Unknown { counter, .. } | Self::Invalid { counter, .. }) = self;
        counter
    }

    /// The attribute's full name.
    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::Unknown { name, .. } | Self::Invalid { name, .. }) = self;
        name
    }
}

impl From<MissingRule> for QuestionError {
    fn from(MissingRule { by, place, text }: MissingRule) -> Self {
        Self::NotImplemented {
            plugin: by.plugin.to_string(),
            rule: by.rule.to_string(),
            place,
            text,
        }
    }
}

/// Why a path has no price, or why there is no telling how far a unit may go.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// A path without steps.
    #[error("steps: a path needs at least one step")]
    NoSteps,
    /// A step that does not begin where the one before it ended.
    #[error("steps[{step}]: it begins in {given}, and the path has come to {expected}")]
    Elsewhere {
        /// The step.
        step: usize,
        /// The hex to which the path has come.
        expected: String,
        /// The hex in which the step begins.
        given: String,
    },
    /// A change of VCA that says that its hex was entered from another than it was.
    #[error("steps[{step}]: entered_from: the path entered from {expected}, not from {given}")]
    EnteredElsewhere {
        /// The step.
        step: usize,
        /// The hex from which the path entered the one in which it turns.
        expected: String,
        /// The hex from which it says that it came.
        given: String,
    },
    /// A step that cannot be asked about.
    #[error("steps[{step}]: {error}")]
    Step {
        /// The step.
        step: usize,
        /// What is wrong with it.
        error: QuestionError,
    },
    /// What is wrong with the question, whatever the step.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// The position cannot be ruled on at all.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
}

/// Why there is no telling what somebody sees.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SightError {
    /// What is wrong with the question, whatever the hex.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// The position cannot be ruled on at all.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
}

impl SightError {
    /// What a plugin did wrong, if that is why.
    #[must_use]
    pub fn feature(&self) -> Option<&FeatureError> {
        match self {
            Self::Question(error) => error.feature(),
            Self::Prepare(error) => error.feature(),
        }
    }
}

/// Why a position cannot be ruled on at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// Plugins object to the map.
    #[error("{}", problems.iter().map(|p| format!("plugin {}: {}", p.plugin, p.message))
        .collect::<Vec<_>>().join("; "))]
    Map {
        /// What they object to.
        problems: Vec<Problem>,
        /// What they find odd beside that.
        warnings: Vec<Problem>,
    },
    /// A layer that no plugin owns.
    #[error(
        "map.layers[{layer}]: no plugin of the ruleset owns this layer; load one, or list it in \
         ignore_layers"
    )]
    UnknownLayer {
        /// The layer.
        layer: String,
    },
    /// A field of a layer that its plugin does not declare so.
    #[error("map.layers[{layer}].{field}: plugin {plugin}: {why}")]
    Layer {
        /// The layer.
        layer: String,
        /// The field.
        field: String,
        /// The plugin that owns the layer.
        plugin: String,
        /// What is wrong.
        why: String,
    },
    /// A layer to be ignored that a plugin owns.
    #[error("ignore_layers: plugin {plugin} owns the layer {layer:?}, so it cannot be ignored")]
    NotIgnorable {
        /// The layer.
        layer: String,
        /// The plugin that owns it.
        plugin: String,
    },
    /// A counter's attribute that is unknown or out of its bounds.
    #[error(transparent)]
    Attribute(#[from] AttributeError),
    /// A plugin failed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// So many threads are lost in calls that did not come back that nothing is judged any more.
    #[error(
        "too many threads are lost in calls that did not come back, of {}; take that out and \
         restart",
        plugins.join(", ")
    )]
    NoThreads {
        /// The plugins that keep them.
        plugins: Vec<String>,
    },
    /// It waited for a thread until its time was up.
    #[error("time was up before it was judged")]
    OutOfTime,
    /// It waited longer for a thread than it may: there is more to judge than can be.
    #[error(
        "it waited {} ms for a thread, and may wait {} ms: there is more to judge than can be",
        waited.as_millis(),
        longest.as_millis()
    )]
    Waited {
        /// How long it waited.
        waited: Duration,
        /// How long it may.
        longest: Duration,
    },
    /// The service is going down.
    #[error("the engine has stopped")]
    Stopped,
}

impl PrepareError {
    /// What a plugin did wrong, if that is why.
    #[must_use]
    pub fn feature(&self) -> Option<&FeatureError> {
        match self {
            Self::Feature(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a ruleset cannot be.
#[derive(Debug, thiserror::Error)]
pub enum RulesetError {
    /// No plugin at all.
    #[error("a ruleset needs at least one plugin")]
    Empty,
    /// What keeps the plugins from making one together: all of it, at least one thing.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Conflicts(Vec<Conflict>),
    /// A plugin that cannot be made, or that was refused. A ruleset is not made with one left out
    /// unless it is left out by name.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// A plugin did not come back from making an instance, or there are no threads to build on.
    #[error(transparent)]
    NotBuilt(PrepareError),
    /// A plugin that was asked for by name and is not there.
    #[error("there is no plugin {plugin:?} in {folder}; there are: {there}")]
    NotThere {
        /// The id given.
        plugin: String,
        /// The folder.
        folder: String,
        /// The ids of those that are.
        there: String,
    },
    /// A folder without plugins.
    #[error("there are no plugins in {folder}; build them there, or name another folder")]
    NoPlugins {
        /// The folder.
        folder: String,
    },
}
