//! What can go wrong with a call.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use alamein_proto::decode::DecodeError;
use alamein_proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, RpcStatusExt, StatusExt};

/// The domain of the service's own errors.
const DOMAIN: &str = "alamein";

/// Why a call gave no answer, or a question no ruling.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no connection to be had.
    #[error("no connection to {url}: {source}")]
    Connect {
        /// Where to.
        url: String,
        /// Why not.
        source: tonic::transport::Error,
    },
    /// What was given to connect by makes no sense.
    #[error("{what}: {why}")]
    Setting {
        /// The setting.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The server refused or failed, or the way to it did.
    #[error(transparent)]
    Remote(Box<RemoteError>),
    /// The deadline passed on this side, before the server said anything.
    #[error("no answer within {0:?}")]
    Deadline(Duration),
    /// The answer makes no sense: the server is of another version, or broken.
    #[error("the server's answer makes no sense: {0}")]
    Answer(String),
}

impl Error {
    /// The reason that the server gave, where it gave one that is known here.
    #[must_use]
    pub fn reason(&self) -> Option<ErrorReason> {
        self.remote()?.reason
    }

    /// What the server said of the error.
    #[must_use]
    pub fn remote(&self) -> Option<&RemoteError> {
        match self {
            Self::Remote(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RemoteError> for Error {
    fn from(error: RemoteError) -> Self {
        Self::Remote(Box::new(error))
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        RemoteError::from(status).into()
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::Answer(error.to_string())
    }
}

/// An error as the server tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteError {
    /// The status code.
    pub code: Code,
    /// Why, if the server said so and the reason is known here. Programs branch on it.
    pub reason: Option<ErrorReason>,
    /// What happened, in words.
    pub message: String,
    /// The fields of the request that are at fault.
    pub fields: Vec<FieldFault>,
    /// What goes with the reason: see [`ErrorReason`].
    pub metadata: BTreeMap<String, String>,
    /// When to try again, if the server said so.
    pub retry_after: Option<Duration>,
    /// Whether the service itself said it, by a reason that is known here or not: else something on the way
    /// to it did.
    pub of_service: bool,
}

/// A field of the request that is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// Its path, such as `subject.position.counters[3].hex`. Of one question of several, it begins
    /// at the question.
    pub field: String,
    /// What is wrong with it.
    pub what: String,
}

impl RemoteError {
    fn new(code: Code, message: &str, details: ErrorDetails) -> Self {
        let info = details.error_info().filter(|info| info.domain == DOMAIN);
        let reason = |reason: &str| ErrorReason::from_str_name(&format!("ERROR_REASON_{reason}"));
        let metadata = info.map(|info| info.metadata.clone().into_iter().collect());
        let bad = details
            .bad_request()
            .map(|bad| bad.field_violations.as_slice());
        let fault = |violation: &tonic_types::FieldViolation| FieldFault {
            field: violation.field.clone(),
            what: violation.description.clone(),
        };
        Self {
            code,
            reason: info.and_then(|info| reason(&info.reason)),
            message: message.to_owned(),
            fields: bad.unwrap_or_default().iter().map(fault).collect(),
            metadata: metadata.unwrap_or_default(),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
            of_service: info.is_some(),
        }
    }

    /// Whether the same call may succeed a little later: the server is not there, the answer broke off on
    /// its way, or the server is at its limits and says when to come back. Limits of which it does not say
    /// that stay.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.code {
            Code::Unavailable => true,
            Code::ResourceExhausted => self.retry_after.is_some(),
            // The service says its reason. Without one, something on the way lost the service behind it.
            Code::Internal | Code::Unknown => !self.of_service,
            _ => false,
        }
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Some(reason) => {
                let name = reason.as_str_name();
                f.write_str(name.strip_prefix("ERROR_REASON_").unwrap_or(name))?;
            }
            None => write!(f, "{:?}", self.code)?,
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for RemoteError {}

impl From<Status> for RemoteError {
    fn from(status: Status) -> Self {
        Self::new(status.code(), status.message(), status.get_error_details())
    }
}

/// The error that is the answer to one question of several.
impl From<&tonic_types::Status> for RemoteError {
    fn from(status: &tonic_types::Status) -> Self {
        let code = Code::from_i32(status.code);
        Self::new(code, &status.message, status.get_error_details())
    }
}
