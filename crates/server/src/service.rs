//! What all handlers share: the rules, what is kept, and the limits of what is asked.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use alamein_games::Games;
use alamein_proto::Limits;
use alamein_proto::v1::ErrorReason;
use alamein_store::{Keeper, Kind, Room, Tenant};
use alamein_terrain::{Budget, Digest};

use crate::carried::Carried;
use crate::fault::Fault;
use crate::games::Watches;
use crate::pins::{PinCounts, Pins};
use crate::record::Record;
use crate::ruled::Ruled;
use crate::rules::{By, InForce, Rules};
use crate::transport::{Deadline, Place};

/// How much of a deadline is kept back to answer in time.
const MARGIN: Duration = Duration::from_millis(5);

/// The limits of what a request may ask, and of what is kept.
#[derive(Clone, Debug)]
pub struct ServiceLimits {
    /// Of one map, one position, one question.
    pub request: Limits,
    /// The most questions in a batch. Default 10,000.
    pub max_questions: usize,
    /// The most maps that a tenant keeps. Default 1,000.
    pub max_maps: usize,
    /// The most positions that a tenant keeps. Default 10,000.
    pub max_positions: usize,
    /// The most rulesets that have names, of one tenant. Default 1,000.
    pub max_rulesets: usize,
    /// How many may watch games at once. Default 10,000.
    pub max_watches: usize,
    /// The most tags of rulesets, of one tenant. Default 1,000.
    pub max_tags: usize,
    /// The most revisions of rulesets and ruleset files, of one tenant. Default 10,000.
    pub max_revisions: usize,
    /// Whether builds of plugins are kept in the store. Default true.
    pub store_builds: bool,
    /// The longest build that is kept there, in bytes. Default 64 MiB.
    pub max_build_bytes: u64,
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
            max_watches: 10_000,
            max_tags: 1_000,
            max_revisions: 10_000,
            store_builds: true,
            max_build_bytes: 64 << 20,
            fixed_rulesets: false,
        }
    }
}

impl ServiceLimits {
    /// How many things of each kind a tenant may keep.
    #[must_use]
    pub fn room(&self) -> Room {
        let most = [
            (Kind::Map, self.max_maps),
            (Kind::Position, self.max_positions),
            (Kind::Ruleset, self.max_revisions),
        ];
        Room(most.map(|(kind, most)| (kind, most as u64)).into())
    }
}

/// Answers all services of the API. Clones share everything.
#[derive(Clone, Debug)]
pub struct Service {
    pub(crate) rules: Rules,
    pub(crate) limits: Arc<ServiceLimits>,
    pub(crate) keeper: Keeper,
    pub(crate) games: Games,
    pub(crate) watches: Watches,
    pub(crate) record: Option<Record>,
    pub(crate) ruled: Ruled,
    pub(crate) pins: Pins,
    pub(crate) carried: Carried,
}

impl Service {
    /// A service that judges by these rules, and keeps things here.
    #[must_use]
    pub fn new(rules: Rules, limits: ServiceLimits, keeper: Keeper) -> Self {
        let limits = Arc::new(limits);
        let pins = Pins::new(
            rules.clone(),
            keeper.clone(),
            Arc::clone(&limits),
            PinCounts::default(),
        );
        Self {
            rules,
            games: Games::new(keeper.clone()),
            watches: Watches::default(),
            keeper,
            record: None,
            ruled: Ruled::default(),
            limits,
            pins,
            carried: Carried::default(),
        }
    }

    /// The same, which counts its rulings here.
    #[must_use]
    pub fn counting(mut self, ruled: Ruled) -> Self {
        self.ruled = ruled;
        self
    }

    /// The same, which counts here what comes from the store.
    #[must_use]
    pub(crate) fn pinning(mut self, counts: PinCounts) -> Self {
        let (rules, keeper) = (self.rules.clone(), self.keeper.clone());
        self.pins = Pins::new(rules, keeper, Arc::clone(&self.limits), counts);
        self
    }

    /// Keeps the service's own rulesets in the store and follows what other processes do to names. It has
    /// no end: to be spawned beside the service.
    pub async fn tend(self) {
        self.pins.tend().await;
    }

    /// The rules that a request of a tenant's wants to be judged by. It takes them once and keeps them to
    /// its end.
    pub(crate) async fn rules_of(&self, tenant: &Tenant, by: By<'_>) -> Result<InForce, Fault> {
        self.pins.find(tenant, by).await
    }

    /// Keeps the rules that a request is judged by for its tenant, builds included, so that any process
    /// that shares the store answers by their fingerprint: to be done before anything is pinned to them.
    pub(crate) async fn pin(&self, tenant: &Tenant, rules: &InForce) -> Result<(), Fault> {
        self.pins.keep(tenant, &rules.ready().revision).await
    }

    /// The same, which writes down what it judges.
    #[must_use]
    pub fn recording(mut self, record: Option<Record>) -> Self {
        self.record = record;
        self
    }
}

/// Counts a request as one of so many questions.
pub(crate) fn weigh<T>(request: &tonic::Request<T>, questions: usize) -> Result<(), Fault> {
    Place::of(request).map_or(Ok(()), |place| place.weigh(questions))
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
