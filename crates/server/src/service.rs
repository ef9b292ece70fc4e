//! What all handlers share: the rules, what is kept, and the limits of what is asked.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use alamein_proto::Limits;
use alamein_proto::decode::{self, IdOf};
use alamein_proto::v1::{self, ErrorReason};
use alamein_terrain::{Budget, Digest, Map, Position};

use crate::fault::Fault;
use crate::record::Record;
use crate::refusal;
use crate::rules::Rules;
use crate::store::Store;
use crate::transport::Deadline;

/// How much of a deadline is kept back to answer in time.
const MARGIN: Duration = Duration::from_millis(5);

/// The limits of what a request may ask, and of what is kept.
#[derive(Clone, Debug)]
pub struct ServiceLimits {
    /// Of one map, one position, one question.
    pub request: Limits,
    /// The most questions in a batch. Default 10,000.
    pub max_questions: usize,
    /// The most maps that are kept. Default 1,000.
    pub max_maps: usize,
    /// The most positions that are kept. Default 10,000.
    pub max_positions: usize,
    /// The most rulesets that have names. Default 1,000.
    pub max_rulesets: usize,
    /// Whether clients may make and tag no rulesets. Default false.
    pub fixed_rulesets: bool,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            request: Limits::default(),
            max_questions: 10_000,
            max_maps: 1_000,
            max_positions: 10_000,
            max_rulesets: 1_000,
            fixed_rulesets: false,
        }
    }
}

/// Answers all services of the API. Clones share everything.
#[derive(Clone, Debug)]
pub struct Service {
    pub(crate) rules: Rules,
    pub(crate) limits: Arc<ServiceLimits>,
    pub(crate) maps: Store<Map>,
    pub(crate) positions: Store<Position>,
    pub(crate) record: Option<Record>,
}

impl Service {
    /// A service that judges by these rules and keeps nothing yet.
    #[must_use]
    pub fn new(rules: Rules, limits: ServiceLimits) -> Self {
        Self {
            rules,
            maps: Store::new("map", limits.max_maps),
            positions: Store::new("position", limits.max_positions),
            record: None,
            limits: Arc::new(limits),
        }
    }

    /// The same, which writes down what it judges.
    #[must_use]
    pub fn recording(mut self, record: Option<Record>) -> Self {
        self.record = record;
        self
    }

    /// The position of a subject: carried in the request, or kept here.
    pub(crate) fn subject(&self, subject: Option<&v1::Subject>) -> Result<Arc<Position>, Fault> {
        use v1::subject::Subject;
        match subject.and_then(|subject| subject.subject.as_ref()) {
            None => Err(missing("subject", "a position or the id of one")),
            Some(Subject::Position(position)) => {
                self.position(position, "subject.position.").map(Arc::new)
            }
            Some(Subject::PositionId(id)) => self.kept_position(id, "subject.position_id"),
        }
    }

    pub(crate) fn kept_position(&self, id: &str, field: &str) -> Result<Arc<Position>, Fault> {
        kept(&self.positions, id, field, IdOf::Position)
    }

    /// The domain's form of a position, whose fields are at `prefix`.
    pub(crate) fn position(
        &self,
        position: &v1::Position,
        prefix: &str,
    ) -> Result<Position, Fault> {
        let known = |id: Digest| self.maps.get(id);
        decode::position(position, &self.limits.request, &known)
            .map_err(|error| refusal::refused(error, prefix))
    }
}

/// What is kept under an id.
pub(crate) fn kept<T>(store: &Store<T>, id: &str, field: &str, of: IdOf) -> Result<Arc<T>, Fault> {
    let found = decode::digest(id, field, of)
        .and_then(|digest| store.get(digest).ok_or_else(|| of.unknown(id, field)));
    found.map_err(|error| refusal::refused(error, ""))
}

/// A field that is missing.
pub(crate) fn missing(field: &str, what: &str) -> Fault {
    let text = format!("{field}: is missing: {what}");
    Fault::new(ErrorReason::MissingField, text)
        .with("field", field)
        .field(field, what)
}

/// The budget of a request: its deadline, less what it takes to answer.
pub(crate) fn budget(deadline: Option<Deadline>) -> Budget {
    Budget {
        deadline: deadline.map(|deadline| deadline.before(MARGIN)),
    }
}

/// A page of a list: how many, and after which id.
pub(crate) fn page(size: u32, token: &str) -> Result<(usize, Option<Digest>), Fault> {
    page_after(size, token)
}

/// The same of a list that goes by something else than ids.
pub(crate) fn page_after<T: FromStr>(size: u32, token: &str) -> Result<(usize, Option<T>), Fault> {
    let size = match size {
        0 => 100,
        size => size.min(1000) as usize,
    };
    if token.is_empty() {
        return Ok((size, None));
    }
    match token.parse() {
        Ok(after) => Ok((size, Some(after))),
        Err(_) => {
            let text = "page_token: is none that this server gave";
            Err(Fault::new(ErrorReason::PageTokenInvalid, text).field("page_token", text))
        }
    }
}
