//! The adjudication service.

/// By which rules a request wants to be judged. All of them have the same two fields.
macro_rules! by {
    ($asked:expr) => {
        By {
            ruleset: &$asked.ruleset,
            fingerprint: &$asked.rules_fingerprint,
            field: "ruleset",
        }
    };
}

mod again;
mod export;
mod field;
mod moves;
mod side;
mod stream;

use std::sync::Arc;
use std::time::Instant;

use alamein_engine::{Ruleset, Wanted};
use alamein_proto::v1::adjudication_service_server::AdjudicationService;
use alamein_proto::v1::{self, ErrorReason, View};
use alamein_proto::{Refused, decode, encode};
use alamein_terrain::{Adjudicated, Position, Question};
use tonic::{Request, Response, Status, Streaming};

use crate::auth::Caller;
use crate::fault::Fault;
use crate::paths::Given;
use crate::record::Judged;
use crate::refusal::{self, Context};
use crate::ruled::{Counted, Told};
use crate::rules::{By, InForce, Ready};
use crate::service::{Service, budget, missing, weigh};
use crate::transport::{Deadline, Repeatable, RequestSpan};

use side::Side;
pub(crate) use side::{check_side, hidden};

/// A request in hand: the rules that it is judged by, and the position.
struct Hearing<'a> {
    rules: Arc<InForce>,
    ruleset: Arc<Ruleset>,
    given: Given<'a>,
    /// The position, as far as whoever asks may know it.
    position: Arc<Position>,
    /// The side that asks, if one does.
    side: Option<Arc<Side>>,
    deadline: Option<Deadline>,
    span: Option<RequestSpan>,
    /// By which rules rulings are counted.
    counted: Arc<Counted>,
    start: Instant,
}

/// What was asked, and what came of it.
struct Heard {
    question: Question,
    /// What is told.
    adjudicated: Adjudicated,
    /// What of it a side that asks could not know makes a difference.
    hidden_matters: bool,
    /// What is written down: the true ruling; nothing where it cannot be.
    record: Option<Adjudicated>,
}

impl Service {
    /// Takes the rules, once, and the position.
    async fn hear<'a, T>(
        &self,
        request: &Request<T>,
        subject: Option<&'a v1::Subject>,
        by: By<'_>,
        as_side: &str,
    ) -> Result<Hearing<'a>, Fault> {
        let asked = by.ruleset;
        let tenant = Caller::of(request).tenant;
        let rules = self.rules_of(&tenant, by).await?;
        let ruleset = rules.ruleset();
        let longest = rules.ready().engine.threads().config().budget;
        let position = self.subject(&tenant, subject).await?;
        let (side, position) = Side::of(as_side, position, self.limits.request.max_text)?;
        let side = side.map(Arc::new);
        let span = RequestSpan::of(request);
        if let Some(span) = &span {
            span.rules(ruleset.fingerprint());
        }
        let counted = self.ruled.rules(asked, ruleset.fingerprint());
        Ok(Hearing {
            rules: Arc::new(rules),
            ruleset,
            given: given(subject, side.is_some()),
            position,
            side,
            deadline: Deadline::of(request).map(|deadline| deadline.within(longest)),
            span,
            counted,
            start: Instant::now(),
        })
    }

    /// Rules on questions, or on one that is asked alone. Those that are malformed take no part;
    /// each answer is in its place.
    async fn judge(
        &self,
        hearing: &Hearing<'_>,
        questions: Vec<Result<Question, Fault>>,
        full: bool,
        alone: bool,
    ) -> Result<Vec<Result<Heard, Fault>>, Fault> {
        let asked: Vec<Question> = questions
            .iter()
            .filter_map(|question| question.as_ref().ok())
            .cloned()
            .collect();
        let wanted = Wanted {
            sheds: true,
            other_policies: full,
            // What a side may be told of a verdict turns on its grounds, and a record has all of a ruling.
            verdicts_only: !full && hearing.side.is_none() && self.record.is_none(),
            budget: budget(hearing.deadline),
            traced: hearing.is_followed(),
            ..Wanted::default()
        };
        let engine = &hearing.rules.ready().engine;
        let (ruleset, position) = (Arc::clone(&hearing.ruleset), Arc::clone(&hearing.position));
        let again = hearing.side.as_ref().map(|side| (side, asked.clone()));
        let rulings = engine
            .adjudicate(ruleset, position, asked, wanted)
            .await
            .map_err(|error| hearing.context().position(error, &[]))
            .inspect_err(|fault| {
                let count = questions.len() as u64;
                self.ruled.refused(&hearing.counted, fault.reason(), count);
            })?;
        let mut truth = match again {
            Some((side, asked)) => Some(self.truth(hearing, side, asked, wanted).await?),
            None => None,
        };
        let mut rulings = rulings.into_iter();
        let answer = |question: Result<Question, Fault>| {
            let question = question?;
            let ruling = rulings.next().ok_or_else(|| {
                Fault::new(
                    ErrorReason::Internal,
                    "a question was left without a ruling",
                )
            })?;
            let refused = |error| hearing.context().question(error, &question, alone);
            let adjudicated = match (ruling.map_err(refused), &mut truth) {
                (Ok(seen), Some(truth)) => {
                    let told = truth.tell(hearing, seen)?;
                    return Ok(Heard {
                        question,
                        adjudicated: told.adjudicated,
                        hidden_matters: told.matters,
                        record: (!truth.renamed).then_some(told.truth),
                    });
                }
                (Err(fault), truth) => {
                    if let Some(truth) = truth {
                        truth.skip();
                    }
                    return Err(fault);
                }
                (Ok(adjudicated), None) => adjudicated,
            };
            Ok(Heard {
                question,
                record: self.record.is_some().then(|| adjudicated.clone()),
                adjudicated,
                hidden_matters: false,
            })
        };
        let heard: Vec<Result<Heard, Fault>> = questions.into_iter().map(answer).collect();
        self.tell(hearing, &heard);
        Ok(heard)
    }

    /// Counts what was ruled, and writes some of it into the log.
    fn tell(&self, hearing: &Hearing<'_>, heard: &[Result<Heard, Fault>]) {
        let time = hearing.start.elapsed();
        let mut given = 0;
        for heard in heard {
            match heard {
                Ok(heard) => {
                    given += 1;
                    let ruling = &heard.adjudicated.ruling;
                    self.ruled.log(&Told::of(&heard.question, ruling), time);
                }
                Err(fault) => self.ruled.refused(&hearing.counted, fault.reason(), 1),
            }
        }
        self.ruled.given(&hearing.counted, given);
        if let Some(span) = &hearing.span {
            let rulings = heard.iter().filter_map(|heard| heard.as_ref().ok());
            span.rulings(rulings.map(|heard| heard.adjudicated.ruling.id));
        }
    }

    /// Rules on the one question of a unary request, by rules that were asked for by this name.
    async fn judge_one(
        &self,
        hearing: &Hearing<'_>,
        asked: &str,
        question: Result<Question, Refused>,
        view: i32,
    ) -> Result<(v1::Ruling, Option<Repeatable>), Fault> {
        let view = view_of(view)?;
        let question = question.map_err(|error| refusal::refused(error, ""));
        let mut heard = self
            .judge(hearing, vec![question], view != View::Verdict, true)
            .await?;
        let heard = heard
            .pop()
            .ok_or_else(|| missing("question", "what is asked"))??;
        if let Some(span) = &hearing.span {
            span.ruling(heard.adjudicated.ruling.id);
        }
        let told = hearing.tell(hearing.rules.ready(), &heard, view);
        let again = self.repeatable(hearing, asked, &heard);
        self.note(hearing, vec![heard]);
        Ok((told, again))
    }

    /// Writes down what was judged, if that is wanted.
    fn note(&self, hearing: &Hearing<'_>, heard: Vec<Heard>) {
        let Some(record) = &self.record else { return };
        let answers = heard.into_iter();
        let answers = answers.filter_map(|it| Some((it.question, it.record?)));
        record.note(Judged {
            ready: Arc::clone(hearing.rules.ready()),
            position: Arc::clone(hearing.truth()),
            answers: answers.collect(),
        });
    }

    /// That there are no more questions than a batch may have.
    fn check_count(&self, asked: usize) -> Result<(), Fault> {
        let most = self.limits.max_questions;
        if asked <= most {
            return Ok(());
        }
        let text = format!("{asked} questions; a batch may have {most}");
        Err(Fault::new(ErrorReason::BatchTooLarge, &*text)
            .with("questions", asked)
            .with("max", most)
            .field("questions", text))
    }

    /// The answers to questions, each in its place.
    fn answers(
        &self,
        hearing: &Hearing<'_>,
        asked: &[v1::Question],
        heard: Vec<Result<Heard, Fault>>,
        view: View,
    ) -> Vec<v1::Answer> {
        let ready = hearing.rules.ready();
        let mut judged = Vec::new();
        let answer = |(question, heard): (&v1::Question, Result<Heard, Fault>)| v1::Answer {
            tag: question.tag.clone(),
            answer: Some(match heard {
                Ok(heard) => {
                    let told = hearing.tell(ready, &heard, view);
                    if self.record.is_some() {
                        judged.push(heard);
                    }
                    v1::answer::Answer::Ruling(told)
                }
                Err(fault) => v1::answer::Answer::Error(fault.into_rpc_status()),
            }),
        };
        let answers = asked.iter().zip(heard).map(answer).collect();
        self.note(hearing, judged);
        answers
    }

    /// The questions of a batch in the domain's form, each refused in its place.
    fn questions(
        &self,
        asked: &[v1::Question],
        position: &Position,
    ) -> Result<Vec<Result<Question, Fault>>, Fault> {
        if asked.is_empty() {
            return Err(missing("questions", "at least one question"));
        }
        self.check_count(asked.len())?;
        let decode = |question| {
            decode::question(question, position, &self.limits.request)
                .map_err(|error| refusal::refused(error, ""))
        };
        Ok(asked.iter().map(decode).collect())
    }
}

impl Hearing<'_> {
    /// Whether somebody follows the trace of the request.
    fn is_followed(&self) -> bool {
        self.span.as_ref().is_some_and(RequestSpan::is_followed)
    }

    /// The position as it is.
    fn truth(&self) -> &Arc<Position> {
        self.side
            .as_ref()
            .map_or(&self.position, |side| side.truth())
    }

    fn context(&self) -> Context<'_> {
        Context {
            given: self.given,
            map: self.position.map(),
            ruleset: &self.ruleset,
            deadline: self.deadline,
        }
    }

    /// A ruling as the API tells it.
    fn tell(&self, ready: &Ready, heard: &Heard, view: View) -> v1::Ruling {
        let grid = &self.position.map().grid;
        let told = encode::ruling(&heard.adjudicated, &heard.question, grid, &ready.book, view);
        v1::Ruling {
            hidden_matters: heard.hidden_matters,
            ..told
        }
    }
}

/// What of a request gives the position.
fn given(subject: Option<&v1::Subject>, for_side: bool) -> Given<'_> {
    match for_side {
        false => Given::of(subject),
        // Where a counter stands in a list tells how many are before it.
        true => Given::Known,
    }
}

fn view_of(view: i32) -> Result<View, Fault> {
    match View::try_from(view) {
        Ok(View::Unspecified) => Ok(View::Full),
        Ok(view) => Ok(view),
        Err(_) => {
            let text = format!("view: {view} is no View");
            Err(Fault::new(ErrorReason::UnknownEnumValue, &*text)
                .with("field", "view")
                .with("value", view)
                .field("view", text))
        }
    }
}

/// The unary methods differ in the types of their messages alone.
macro_rules! answer_one {
    ($service:ident, $request:ident, $kind:ident -> $response:ident) => {{
        let asked = $request.get_ref();
        let subject = asked.subject.as_ref();
        let hearing = $service.hear(&$request, subject, by!(asked), &asked.as_side);
        let hearing = hearing.await?;
        let (question, options) = (asked.question.as_ref(), asked.options.as_ref());
        let limits = &$service.limits.request;
        let question = decode::$kind(question, options, &hearing.position, limits);
        let judged = $service.judge_one(&hearing, &asked.ruleset, question, asked.view);
        let (ruling, again) = judged.await?;
        let mut response = hearing.rules.answer(v1::$response {
            ruling: Some(ruling),
        });
        if let Some(again) = again {
            response.extensions_mut().insert(again);
        }
        Ok(response)
    }};
}

#[tonic::async_trait]
impl AdjudicationService for Service {
    async fn line_of_sight(
        &self,
        request: Request<v1::LineOfSightRequest>,
    ) -> Result<Response<v1::LineOfSightResponse>, Status> {
        answer_one!(self, request, line_of_sight -> LineOfSightResponse)
    }

    async fn line_of_fire(
        &self,
        request: Request<v1::LineOfFireRequest>,
    ) -> Result<Response<v1::LineOfFireResponse>, Status> {
        answer_one!(self, request, line_of_fire -> LineOfFireResponse)
    }

    async fn fire_lane(
        &self,
        request: Request<v1::FireLaneRequest>,
    ) -> Result<Response<v1::FireLaneResponse>, Status> {
        answer_one!(self, request, fire_lane -> FireLaneResponse)
    }

    async fn movement(
        &self,
        request: Request<v1::MovementRequest>,
    ) -> Result<Response<v1::MovementResponse>, Status> {
        answer_one!(self, request, movement -> MovementResponse)
    }

    async fn set_up(
        &self,
        request: Request<v1::SetUpRequest>,
    ) -> Result<Response<v1::SetUpResponse>, Status> {
        answer_one!(self, request, set_up -> SetUpResponse)
    }

    async fn price_path(
        &self,
        request: Request<v1::PricePathRequest>,
    ) -> Result<Response<v1::PricePathResponse>, Status> {
        Ok(self.price(&request).await?)
    }

    async fn reachable(
        &self,
        request: Request<v1::ReachableRequest>,
    ) -> Result<Response<v1::ReachableResponse>, Status> {
        Ok(self.reach(&request).await?)
    }

    async fn batch_adjudicate(
        &self,
        request: Request<v1::BatchAdjudicateRequest>,
    ) -> Result<Response<v1::BatchAdjudicateResponse>, Status> {
        let asked = request.get_ref();
        let view = view_of(asked.view)?;
        weigh(&request, asked.questions.len())?;
        let subject = asked.subject.as_ref();
        let hearing = self.hear(&request, subject, by!(asked), &asked.as_side);
        let hearing = hearing.await?;
        let questions = self.questions(&asked.questions, &hearing.position)?;
        let heard = self
            .judge(&hearing, questions, view != View::Verdict, false)
            .await?;
        let answers = self.answers(&hearing, &asked.questions, heard, view);
        Ok(hearing.rules.answer(v1::BatchAdjudicateResponse {
            position_id: hearing.position.id().to_string(),
            rules_fingerprint: hearing.ruleset.fingerprint().to_string(),
            answers,
        }))
    }

    type AdjudicateStream = stream::Answers;

    async fn adjudicate(
        &self,
        request: Request<Streaming<v1::AdjudicateRequest>>,
    ) -> Result<Response<Self::AdjudicateStream>, Status> {
        Ok(Response::new(self.answer_stream(request)))
    }

    type FieldOfViewStream = field::Parts;

    async fn field_of_view(
        &self,
        request: Request<v1::FieldOfViewRequest>,
    ) -> Result<Response<Self::FieldOfViewStream>, Status> {
        Ok(self.field_in_parts(&request).await?)
    }

    async fn packed_field_of_view(
        &self,
        request: Request<v1::PackedFieldOfViewRequest>,
    ) -> Result<Response<v1::PackedFieldOfViewResponse>, Status> {
        Ok(self.packed_field(&request).await?)
    }

    async fn export_case(
        &self,
        request: Request<v1::ExportCaseRequest>,
    ) -> Result<Response<v1::ExportCaseResponse>, Status> {
        Ok(self.export(&request).await?)
    }
}
