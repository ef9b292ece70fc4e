//! A service that answers as it is told, and remembers what it was asked.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use alamein_client::{Client, ErrorReason, Settings};
use alamein_hex::{Aim, Grid};
use alamein_proto::encode::RuleBook;
use alamein_proto::v1::adjudication_service_server::{
    AdjudicationService, AdjudicationServiceServer,
};
use alamein_proto::v1::position_service_server::{PositionService, PositionServiceServer};
use alamein_proto::v1::ruleset_service_server::{RulesetService, RulesetServiceServer};
use alamein_proto::v1::{self, View};
use alamein_proto::{Limits, decode, encode};
use alamein_terrain::{
    Adjudicated, Ask, Cited, Cites, Counter, CounterClass, Digest, End, Environment, FoundEffect,
    GrazingPolicy, LosResult, LosVerdict, Map, PlaceName, Position, Question, RuledFinding, Ruling,
    Verdict,
};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// A call that the service got.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) timeout: String,
    pub(crate) batch: v1::BatchAdjudicateRequest,
}

#[derive(Debug, Default)]
struct Inner {
    /// What goes wrong with the next calls, first to last.
    troubles: Mutex<VecDeque<Trouble>>,
    seen: Mutex<Vec<Seen>>,
    positions: Mutex<BTreeMap<Digest, Position>>,
}

/// What goes wrong with a call.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It is answered with this.
    Status(Status),
    /// It is answered too late.
    Slow,
    /// It is judged about another position.
    Stray,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Stub(Arc<Inner>);

impl Stub {
    pub(crate) fn trouble(&self, troubles: impl IntoIterator<Item = Trouble>) {
        self.0.troubles.lock().unwrap().extend(troubles);
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.0.seen.lock().unwrap())
    }

    fn next_trouble(&self) -> Option<Trouble> {
        self.0.troubles.lock().unwrap().pop_front()
    }

    fn position(&self, subject: Option<&v1::Subject>) -> Position {
        match subject.unwrap().subject.as_ref().unwrap() {
            v1::subject::Subject::Position(position) => {
                decode::position(position, &Limits::default(), &|_| None).unwrap()
            }
            v1::subject::Subject::PositionId(id) => {
                let positions = self.0.positions.lock().unwrap();
                positions[&id.parse().unwrap()].clone()
            }
        }
    }
}

/// The answer to a question, as the stub gives it.
pub(crate) fn answer(question: &Question, position: Digest) -> Adjudicated {
    let found = |effect| RuledFinding {
        by: Cited {
            plugin: "fog".into(),
            rule: "X9.1/haze".into(),
        },
        effect,
        place: PlaceName::Hex("P6".into()),
        subject: Some("tank".into()),
        standing: true,
        replaced_by: None,
        cites: Cites::new(),
        text: "haze".into(),
    };
    let los = LosVerdict {
        result: LosResult::Clear,
        hindrance: Some(0),
        hindering: vec![].into(),
        blocked_by: vec![].into(),
        grazing: false,
        range: 3,
    };
    let ruling = Ruling {
        id: Digest::of(b"ruling"),
        rules: Digest::of(b"rules"),
        position,
        policy: question.policy.unwrap_or_default(),
        verdict: Verdict::LineOfSight(los),
        observations: vec![].into(),
        findings: vec![found(FoundEffect::NotCovered)].into(),
        considered: vec![found(FoundEffect::Considered)].into(),
        contested: vec![],
        grazing: alamein_terrain::Grazing::default(),
        ignored: vec![],
    };
    let other = Ruling {
        policy: GrazingPolicy::Both,
        ..ruling.clone()
    };
    Adjudicated {
        ruling,
        other_policies: vec![(GrazingPolicy::Both, other)],
    }
}

/// A status with the details that the service gives.
pub(crate) fn refusal(code: Code, reason: ErrorReason, retry_after: Option<Duration>) -> Status {
    let name = reason.as_str_name().strip_prefix("ERROR_REASON_").unwrap();
    let metadata = [("counter".to_owned(), "ghost".to_owned())];
    let mut details = ErrorDetails::with_error_info(name, "alamein", metadata);
    details.add_bad_request_violation("line_of_sight.from.counter_id", "no such counter");
    if retry_after.is_some() {
        details.set_retry_info(retry_after);
    }
    Status::with_error_details(code, "refused", details)
}

fn judge(asked: &v1::Question, position: &Position, view: View, id: Digest) -> v1::Answer {
    let answer_of = match decode::question(asked, position, &Limits::default()) {
        Ok(question) => {
            let (grid, book) = (position.map().grid, RuleBook::default());
            let adjudicated = answer(&question, id);
            let ruling = encode::ruling(&adjudicated, &question, &grid, &book, view);
            v1::answer::Answer::Ruling(ruling)
        }
        Err(refused) => {
            let status = refusal(Code::InvalidArgument, refused.reason, None);
            v1::answer::Answer::Error(tonic_types::Status {
                code: status.code().into(),
                message: refused.message,
                details: decoded_details(&status),
            })
        }
    };
    v1::Answer {
        tag: asked.tag.clone(),
        answer: Some(answer_of),
    }
}

fn decoded_details(status: &Status) -> Vec<prost_types::Any> {
    use prost::Message as _;
    tonic_types::Status::decode(status.details())
        .unwrap()
        .details
}

#[tonic::async_trait]
impl AdjudicationService for Stub {
    async fn batch_adjudicate(
        &self,
        request: Request<v1::BatchAdjudicateRequest>,
    ) -> Result<Response<v1::BatchAdjudicateResponse>, Status> {
        let timeout = request.metadata().get("grpc-timeout").unwrap();
        let timeout = timeout.to_str().unwrap().to_owned();
        let batch = request.into_inner();
        let at = Instant::now();
        let position = self.position(batch.subject.as_ref());
        let asked = (batch.questions.clone(), batch.view());
        self.0
            .seen
            .lock()
            .unwrap()
            .push(Seen { at, timeout, batch });
        let mut id = position.id();
        match self.next_trouble() {
            None => {}
            Some(Trouble::Status(status)) => return Err(status),
            Some(Trouble::Slow) => tokio::time::sleep(Duration::from_secs(60)).await,
            Some(Trouble::Stray) => id = Digest::of(b"another"),
        }
        let (questions, view) = asked;
        let answers = questions
            .iter()
            .map(|asked| judge(asked, &position, view, id));
        Ok(Response::new(v1::BatchAdjudicateResponse {
            position_id: id.to_string(),
            rules_fingerprint: Digest::of(b"rules").to_string(),
            answers: answers.collect(),
        }))
    }

    async fn export_case(
        &self,
        request: Request<v1::ExportCaseRequest>,
    ) -> Result<Response<v1::ExportCaseResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(v1::ExportCaseResponse {
            case_file: format!("{} questions", asked.questions.len()).into_bytes(),
            file_name: format!("{}.json", asked.case_id),
        }))
    }

    async fn line_of_sight(
        &self,
        _: Request<v1::LineOfSightRequest>,
    ) -> Result<Response<v1::LineOfSightResponse>, Status> {
        Ok(Response::new(v1::LineOfSightResponse::default()))
    }

    async fn line_of_fire(
        &self,
        _: Request<v1::LineOfFireRequest>,
    ) -> Result<Response<v1::LineOfFireResponse>, Status> {
        Ok(Response::new(v1::LineOfFireResponse::default()))
    }

    async fn fire_lane(
        &self,
        _: Request<v1::FireLaneRequest>,
    ) -> Result<Response<v1::FireLaneResponse>, Status> {
        Ok(Response::new(v1::FireLaneResponse::default()))
    }

    async fn set_up(
        &self,
        _: Request<v1::SetUpRequest>,
    ) -> Result<Response<v1::SetUpResponse>, Status> {
        Ok(Response::new(v1::SetUpResponse::default()))
    }

    async fn movement(
        &self,
        _: Request<v1::MovementRequest>,
    ) -> Result<Response<v1::MovementResponse>, Status> {
        Ok(Response::new(v1::MovementResponse::default()))
    }

    async fn price_path(
        &self,
        _: Request<v1::PricePathRequest>,
    ) -> Result<Response<v1::PricePathResponse>, Status> {
        Ok(Response::new(v1::PricePathResponse::default()))
    }

    type AdjudicateStream = tokio_stream::Empty<Result<v1::AdjudicateResponse, Status>>;

    async fn adjudicate(
        &self,
        _: Request<tonic::Streaming<v1::AdjudicateRequest>>,
    ) -> Result<Response<Self::AdjudicateStream>, Status> {
        Ok(Response::new(tokio_stream::empty()))
    }

    type FieldOfViewStream = tokio_stream::Empty<Result<v1::FieldOfViewResponse, Status>>;

    async fn field_of_view(
        &self,
        _: Request<v1::FieldOfViewRequest>,
    ) -> Result<Response<Self::FieldOfViewStream>, Status> {
        Ok(Response::new(tokio_stream::empty()))
    }

    async fn packed_field_of_view(
        &self,
        _: Request<v1::PackedFieldOfViewRequest>,
    ) -> Result<Response<v1::PackedFieldOfViewResponse>, Status> {
        Ok(Response::new(v1::PackedFieldOfViewResponse::default()))
    }

    async fn reachable(
        &self,
        _: Request<v1::ReachableRequest>,
    ) -> Result<Response<v1::ReachableResponse>, Status> {
        Ok(Response::new(v1::ReachableResponse::default()))
    }
}

#[tonic::async_trait]
impl PositionService for Stub {
    async fn create_position(
        &self,
        request: Request<v1::CreatePositionRequest>,
    ) -> Result<Response<v1::CreatePositionResponse>, Status> {
        let position = request.into_inner().position.unwrap();
        let position = decode::position(&position, &Limits::default(), &|_| None).unwrap();
        let (position_id, map_id) = (position.id().to_string(), position.map().id().to_string());
        self.0
            .positions
            .lock()
            .unwrap()
            .insert(position.id(), position);
        Ok(Response::new(v1::CreatePositionResponse {
            position_id,
            map_id,
            created: true,
            ..Default::default()
        }))
    }

    async fn get_position(
        &self,
        _: Request<v1::GetPositionRequest>,
    ) -> Result<Response<v1::GetPositionResponse>, Status> {
        Ok(Response::new(v1::GetPositionResponse::default()))
    }

    async fn apply_changes(
        &self,
        _: Request<v1::ApplyChangesRequest>,
    ) -> Result<Response<v1::ApplyChangesResponse>, Status> {
        Ok(Response::new(v1::ApplyChangesResponse::default()))
    }

    async fn diff_positions(
        &self,
        _: Request<v1::DiffPositionsRequest>,
    ) -> Result<Response<v1::DiffPositionsResponse>, Status> {
        Ok(Response::new(v1::DiffPositionsResponse::default()))
    }
}

#[tonic::async_trait]
impl RulesetService for Stub {
    async fn get_ruleset(
        &self,
        _: Request<v1::GetRulesetRequest>,
    ) -> Result<Response<v1::GetRulesetResponse>, Status> {
        let ruleset = v1::Ruleset {
            ruleset_id: "default".into(),
            ..v1::Ruleset::default()
        };
        Ok(Response::new(v1::GetRulesetResponse {
            ruleset: Some(ruleset),
        }))
    }

    async fn list_rulesets(
        &self,
        _: Request<v1::ListRulesetsRequest>,
    ) -> Result<Response<v1::ListRulesetsResponse>, Status> {
        Ok(Response::new(v1::ListRulesetsResponse::default()))
    }

    async fn create_ruleset(
        &self,
        _: Request<v1::CreateRulesetRequest>,
    ) -> Result<Response<v1::CreateRulesetResponse>, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    async fn tag_ruleset(
        &self,
        _: Request<v1::TagRulesetRequest>,
    ) -> Result<Response<v1::TagRulesetResponse>, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    async fn diff_rulesets(
        &self,
        _: Request<v1::DiffRulesetsRequest>,
    ) -> Result<Response<v1::DiffRulesetsResponse>, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    async fn list_conflicts(
        &self,
        _: Request<v1::ListConflictsRequest>,
    ) -> Result<Response<v1::ListConflictsResponse>, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }

    type CompareRulesetsStream = tokio_stream::Empty<Result<v1::CompareRulesetsResponse, Status>>;

    async fn compare_rulesets(
        &self,
        _: Request<tonic::Streaming<v1::CompareRulesetsRequest>>,
    ) -> Result<Response<Self::CompareRulesetsStream>, Status> {
        Err(Status::unimplemented("no test asks for it"))
    }
}

/// Settings with which a test need not wait long.
pub(crate) fn quick() -> Settings {
    Settings {
        first_wait: Duration::from_millis(4),
        longest_wait: Duration::from_millis(10),
        ..Settings::default()
    }
}

/// A stub that serves, and a client of it.
pub(crate) async fn served(settings: Settings) -> (Stub, Client) {
    let stub = Stub::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = Server::builder()
        .add_service(AdjudicationServiceServer::new(stub.clone()))
        .add_service(PositionServiceServer::new(stub.clone()))
        .add_service(RulesetServiceServer::new(stub.clone()))
        .serve_with_incoming(TcpListenerStream::new(listener));
    tokio::spawn(server);
    let client = Client::connect_with(&url, settings).await.unwrap();
    (stub, client)
}

/// A board with one tank on it.
pub(crate) fn position() -> Position {
    let grid = Grid::geomorphic();
    let tank = Counter::new("tank", CounterClass::Tank, grid.hex("P6").unwrap());
    let map = Arc::new(Map::flat(grid));
    Position::new(map, vec![tank], Environment::default()).unwrap()
}

/// Whether a counter is seen from a hex.
pub(crate) fn sight(counter: &str) -> Question {
    let from = End::Counter {
        id: counter.into(),
        corner: None,
    };
    let to = End::Hex(Aim::centre(Grid::geomorphic().hex("S8").unwrap()));
    Question::new(Ask::LineOfSight { from, to })
}
