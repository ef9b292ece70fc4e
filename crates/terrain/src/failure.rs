//! How long a feature may take, and how it fails.

use std::time::Instant;

/// Until when the adjudication of a request may take. It decides nothing about a ruling but
/// whether there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The deadline, if any.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// Whether time is up.
    #[must_use]
    pub fn exhausted(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A feature that failed. No ruling is given with its part left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// The plugin panicked; its instance is not used again.
    #[error("plugin {plugin}: panicked: {message}")]
    Panicked {
        /// The plugin's id.
        plugin: String,
        /// What it said.
        message: String,
    },
    /// The plugin had panicked before.
    #[error("plugin {plugin}: is out of use since it panicked: {message}")]
    Poisoned {
        /// The plugin's id.
        plugin: String,
        /// What it said then.
        message: String,
    },
    /// The plugin did not come back from a call, now or before; its instance is not used again.
    #[error("plugin {plugin}: did not come back while {doing}; it is out of use")]
    Overran {
        /// The plugin's id.
        plugin: String,
        /// What it was doing: `judging lines`.
        doing: String,
    },
    /// The plugin answered something that makes no sense.
    #[error("plugin {plugin}: answered rubbish: {message}")]
    Rubbish {
        /// The plugin's id.
        plugin: String,
        /// What is wrong with it.
        message: String,
    },
    /// The plugin says that it failed.
    #[error("plugin {plugin}: {message}")]
    Failed {
        /// The plugin's id.
        plugin: String,
        /// What it says.
        message: String,
    },
    /// Time was up.
    #[error("plugin {plugin}: time was up")]
    OutOfTime {
        /// The plugin's id.
        plugin: String,
    },
}

impl FeatureError {
    /// The plugin that failed.
    #[must_use]
    pub fn plugin(&self) -> &str {
        match self {
            Self::Panicked { plugin, .. }
            | Self::Poisoned { plugin, .. }
            | Self::Overran { plugin, .. }
            | Self::Rubbish { plugin, .. }
            | Self::Failed { plugin, .. }
            | Self::OutOfTime { plugin } => plugin,
        }
    }
}
