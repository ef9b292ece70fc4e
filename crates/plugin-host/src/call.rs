//! What comes of a call.

use alamein_plugin_abi::{FAILED, FULL, OK, OUT_OF_TIME, PANICKED, Status};
use alamein_terrain::{Budget, FeatureError};

use crate::texts::Taken;

/// Why a call came to nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The plugin panicked.
    Panicked(String),
    /// It answered something that makes no sense.
    Rubbish(String),
    /// It says that it failed.
    Failed(String),
    /// Time was up.
    OutOfTime,
}

impl Failure {
    /// Whether a call failed, by its status and what was said meanwhile. `rubbish` is the first
    /// thing said that made no sense.
    pub(crate) fn of(
        status: Status,
        said: &mut Taken,
        rubbish: Option<String>,
        budget: Budget,
    ) -> Result<(), Self> {
        let error = said.error.take().filter(|error| !error.trim().is_empty());
        let message = || {
            error
                .clone()
                .unwrap_or_else(|| "it does not say why".to_owned())
        };
        if status == PANICKED {
            return Err(Self::Panicked(message()));
        }
        if let Some(rubbish) = rubbish.or(said.rubbish.take()) {
            return Err(Self::Rubbish(rubbish));
        }
        match status {
            OK => Ok(()),
            FAILED => Err(Self::Failed(message())),
            OUT_OF_TIME if budget.exhausted() => Err(Self::OutOfTime),
            OUT_OF_TIME => Err(Self::Rubbish(
                "it says that time was up, and it was not".into(),
            )),
            FULL => Err(Self::Rubbish(
                "it says that its sink was full, and it was not".into(),
            )),
            other => Err(Self::Rubbish(format!("the unknown status {other}"))),
        }
    }

    /// The same, as a feature reports it.
    pub(crate) fn of_feature(self, plugin: &str) -> FeatureError {
        let plugin = plugin.to_owned();
        match self {
            Self::Panicked(message) => FeatureError::Panicked { plugin, message },
            Self::Rubbish(message) => FeatureError::Rubbish { plugin, message },
            Self::Failed(message) => FeatureError::Failed { plugin, message },
            Self::OutOfTime => FeatureError::OutOfTime { plugin },
        }
    }
}
