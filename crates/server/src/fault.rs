//! The errors of the API, in gRPC's richer model.

use std::collections::HashMap;
use std::time::Duration;

use alamein_proto::v1::ErrorReason;
use prost::Message as _;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// The domain of every `ErrorInfo` of this service.
pub const ERROR_DOMAIN: &str = "alamein";

// An error travels in HTTP/2 headers, and clients take no more than some thousand bytes of these:
// of a longer one they say that the headers were too long, and nothing of what they held. The
// message travels twice, and what is not ASCII thrice as long.

/// The longest message, in bytes.
const MESSAGE: usize = 600;
/// The longest text of a detail: a path, what is wrong with a field, a value of the metadata.
const DETAIL: usize = 240;
/// How many bytes all fields at fault may have together.
const FIELDS: usize = 1800;

/// An error in the making: a reason, words, and the details that go with them.
///
/// ```
/// use alamein_proto::v1::ErrorReason;
/// use alamein_server::fault::Fault;
/// use tonic::{Code, Status};
///
/// let status: Status = Fault::new(ErrorReason::UnknownHex, "7P is not the name of a hex")
///     .with("value", "7P")
///     .field("subject.position.counters[0].hex", "write the column first: P7")
///     .into();
/// assert_eq!(status.code(), Code::InvalidArgument);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Fault(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    reason: ErrorReason,
    message: String,
    metadata: HashMap<String, String>,
    violations: Vec<FieldViolation>,
    missing: Option<(String, String)>,
    quota: Option<(String, String)>,
    retry_after: Option<Duration>,
}

impl Fault {
    /// An error with its reason, and what happened in words.
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            reason,
            message: message.into(),
            metadata: HashMap::new(),
            violations: Vec::new(),
            missing: None,
            quota: None,
            retry_after: None,
        }))
    }

    /// Its reason.
    #[must_use]
    pub fn reason(&self) -> ErrorReason {
        self.0.reason
    }

    /// Adds to the metadata of the `ErrorInfo`. Which keys a reason has is told in `ErrorReason`.
    pub fn with(mut self, key: &str, value: impl ToString) -> Self {
        self.0.metadata.insert(key.to_owned(), value.to_string());
        self
    }

    /// Adds a field of the request that is at fault, and what is wrong with it.
    pub fn field(mut self, path: impl Into<String>, what: impl Into<String>) -> Self {
        self.0.violations.push(FieldViolation::new(path, what));
        self
    }

    /// Names what is not there: its kind, such as `position`, and its id.
    pub fn missing(mut self, kind: impl Into<String>, id: impl Into<String>) -> Self {
        self.0.missing = Some((kind.into(), id.into()));
        self
    }

    /// Says whose quota is used up, such as `token:3f2a91c4`, and what that is.
    pub fn quota(mut self, of: impl Into<String>, what: impl Into<String>) -> Self {
        self.0.quota = Some((of.into(), what.into()));
        self
    }

    /// Puts a prefix before the paths of the fields at fault: they are within that message.
    pub fn within(mut self, prefix: &str) -> Self {
        for violation in &mut self.0.violations {
            violation.field.insert_str(0, prefix);
        }
        self
    }

    /// The error as a message, for an answer that holds several.
    #[must_use]
    pub fn into_rpc_status(self) -> tonic_types::Status {
        let status = Status::from(self);
        let whole = tonic_types::Status::decode(status.details());
        whole.unwrap_or_else(|_| tonic_types::Status {
            code: status.code().into(),
            message: status.message().to_owned(),
            details: Vec::new(),
        })
    }

    /// Says when it may be tried again.
    pub fn retry_after(mut self, delay: Duration) -> Self {
        self.0.retry_after = Some(delay);
        self
    }
}

impl From<Fault> for Status {
    fn from(Fault(fault): Fault) -> Self {
        let metadata = fault.metadata.into_iter();
        let metadata: HashMap<String, String> = metadata
            .map(|(key, value)| (key, short(value, DETAIL)))
            .collect();
        let reason = reason_name(fault.reason);
        let mut details = ErrorDetails::with_error_info(reason, ERROR_DOMAIN, metadata);
        if !fault.violations.is_empty() {
            details.set_bad_request(few(fault.violations));
        }
        let message = short(fault.message, MESSAGE);
        if let Some((kind, id)) = fault.missing {
            let description = short(message.clone(), DETAIL);
            details.set_resource_info(kind, short(id, DETAIL), "", description);
        }
        if let Some((of, what)) = fault.quota {
            details.add_quota_failure_violation(short(of, DETAIL), short(what, DETAIL));
        }
        if let Some(delay) = fault.retry_after {
            details.set_retry_info(Some(delay));
        }
        Status::with_error_details(code(fault.reason), message, details)
    }
}

/// A text that is cut where it is too long, and then says so.
fn short(mut text: String, most: usize) -> String {
    const CUT: &str = "...";
    if text.len() > most {
        let mut end = most.saturating_sub(CUT.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(CUT);
    }
    text
}

/// As many of the fields at fault as there is room for, and how many more there are.
fn few(violations: Vec<FieldViolation>) -> Vec<FieldViolation> {
    let (all, mut room) = (violations.len(), FIELDS);
    let mut told = Vec::new();
    for violation in violations {
        let path = short(violation.field, DETAIL);
        let what = short(violation.description, DETAIL);
        let Some(left) = room.checked_sub(path.len() + what.len()) else {
            let more = format!("and {} more", all - told.len());
            told.push(FieldViolation::new(path, more));
            break;
        };
        room = left;
        told.push(FieldViolation::new(path, what));
    }
    told
}

/// The name of a reason as an `ErrorInfo` carries it: `UNKNOWN_HEX`.
#[must_use]
pub fn reason_name(reason: ErrorReason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

/// The status code that goes with a reason. `errors.proto` promises it.
#[must_use]
pub fn code(reason: ErrorReason) -> Code {
    use ErrorReason as R;
    match reason {
        R::MissingField
        | R::UnknownEnumValue
        | R::NotANumber
        | R::OutOfRange
        | R::TooLong
        | R::UnknownHex
        | R::HexOffMap
        | R::UnknownHexside
        | R::DuplicateHex
        | R::DuplicateHexside
        | R::UnknownCorner
        | R::UnknownCounter
        | R::DuplicateCounter
        | R::CounterInvalid
        | R::UnknownAttribute
        | R::AttributeInvalid
        | R::UnknownLayer
        | R::LayerInvalid
        | R::DuplicateLayer
        | R::LayerNotIgnorable
        | R::MapTooLarge
        | R::BatchTooLarge
        | R::NotAdjacent
        | R::CannotMove
        | R::MoverMismatch
        | R::PageTokenInvalid
        | R::InvalidName
        | R::PathBroken
        | R::MapFileInvalid
        | R::PictureTooLarge
        | R::RulesetInvalid
        | R::OptionInvalid
        | R::CaseFileInvalid
        | R::CannotSetUp
        | R::PathTooLong
        | R::MalformedMessage
        | R::ChangeInvalid
        | R::MapsDiffer
        | R::FacingInvalid => Code::InvalidArgument,
        R::PositionNotFound
        | R::MapNotFound
        | R::RulesetNotFound
        | R::PluginNotFound
        | R::GameNotFound
        | R::EntryNotFound => Code::NotFound,
        R::EtagStale => Code::Aborted,
        R::RulesetNotAvailable
        | R::PluginRefused
        | R::PluginNotAvailable
        | R::RulesetConflict
        | R::PluginInUse
        | R::StoreReadOnly
        | R::Hidden => Code::FailedPrecondition,
        R::PathNotAllowed | R::RulesetsFixed | R::ScopeMissing => Code::PermissionDenied,
        R::StoreDamaged => Code::DataLoss,
        R::TagTaken | R::GameExists => Code::AlreadyExists,
        R::TokenInvalid | R::CredentialsMissing | R::TokenExpired => Code::Unauthenticated,
        R::RulesetNotReady
        | R::ShuttingDown
        | R::ThreadsLost
        | R::StoreUnavailable
        | R::AuditFailed => Code::Unavailable,
        R::RuleNotImplemented | R::EncodingUnknown | R::UnknownMethod => Code::Unimplemented,
        R::Unspecified | R::PluginFailed | R::PluginsConflict | R::Internal => Code::Internal,
        R::Overloaded
        | R::StoreFull
        | R::MessageTooLarge
        | R::LibrariesFull
        | R::QuotaExceeded
        | R::ConnectionOverloaded
        | R::TooManyBytesInFlight
        | R::WaitedTooLong
        | R::StreamTooLong
        | R::TooManyWatches
        | R::ReaderTooSlow => Code::ResourceExhausted,
        R::Deadline => Code::DeadlineExceeded,
    }
}

#[cfg(test)]
mod tests {
    use alamein_proto::FILE_DESCRIPTOR_SET;
    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn the_codes_are_those_that_the_api_promises() {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        let file = set
            .file
            .iter()
            .find(|file| file.name().ends_with("errors.proto"))
            .unwrap();
        let values = &file.enum_type[0].value;
        let comments = file.source_code_info.as_ref().unwrap().location.iter();
        let mut checked = 0;
        for location in comments {
            let [5, 0, 2, at] = location.path[..] else {
                continue;
            };
            let reason = ErrorReason::from_str_name(values[at as usize].name()).unwrap();
            if reason == ErrorReason::Unspecified {
                continue;
            }
            let promised = location
                .leading_comments()
                .trim()
                .split([';', '.'])
                .next()
                .unwrap();
            let given = format!("{:?}", code(reason)).to_ascii_uppercase();
            assert_eq!(promised.replace('_', ""), given, "{reason:?}");
            checked += 1;
        }
        assert_eq!(checked, values.len() - 1);
    }

    #[test]
    fn the_longest_fault_fits_into_the_headers_that_clients_take() {
        let long = "\u{e4}".repeat(100_000);
        let fault = Fault::new(ErrorReason::LayerInvalid, &long)
            .with("layer", &long)
            .with("plugin", &long)
            .missing("map", &long);
        let fault = (0..1000).fold(fault, |fault, at| fault.field(format!("a[{at}]"), &long));
        let status = Status::from(fault);
        let mut headers = http::HeaderMap::new();
        status.add_header(&mut headers).unwrap();
        let length: usize = headers.values().map(http::HeaderValue::len).sum();
        assert!(length < 8 << 10, "{length}");
        let details = status.get_error_details();
        let told = &details.bad_request().unwrap().field_violations;
        let last = told.last().unwrap();
        assert_eq!(last.description, format!("and {} more", 1001 - told.len()));
    }

    #[test]
    fn a_fault_carries_its_details() {
        let status: Status = Fault::new(ErrorReason::PositionNotFound, "no such position")
            .with("position_id", "abc")
            .missing("position", "abc")
            .into();
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            ("POSITION_NOT_FOUND", "alamein")
        );
        assert_eq!(info.metadata["position_id"], "abc");
        assert_eq!(details.resource_info().unwrap().resource_type, "position");
    }
}
