//! Questions as they come in, and their answers.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_proto::v1::{self, AnswerOrder, ErrorReason, View};
use alamein_proto::{decode, v1::AdjudicateResponse as Answer};
use alamein_terrain::Position;
use futures::stream::{self, FuturesOrdered, FuturesUnordered, Stream, StreamExt as _};
use tonic::{Request, Status, Streaming};

use super::side::Side;
use super::{Hearing, given, view_of};
use crate::fault::Fault;
use crate::refusal;
use crate::ruled::Counted;
use crate::rules::{By, InForce};
use crate::service::{Service, missing};
use crate::transport::{Deadline, Drain, Place};

/// How many requests of a stream are judged at once.
const AT_ONCE: usize = 8;

/// How long a stream may ask nothing: meanwhile it has a place, its position and its rules.
const PATIENCE: Duration = Duration::from_secs(60);

/// The answers of a stream.
pub(super) type Answers = Pin<Box<dyn Stream<Item = Result<Answer, Status>> + Send>>;

/// What questions are about, from one request on.
struct Ground {
    message: v1::AdjudicationContext,
    view: View,
    rules: Arc<InForce>,
    position: Arc<Position>,
    side: Option<Arc<Side>>,
    counted: Arc<Counted>,
}

type Judging = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// The requests that are being judged.
enum InHand {
    AsAsked(FuturesOrdered<Judging>),
    AsJudged(FuturesUnordered<Judging>),
}

impl InHand {
    fn of(order: i32) -> Result<Self, Fault> {
        match AnswerOrder::try_from(order) {
            Ok(AnswerOrder::Unspecified | AnswerOrder::AsAsked) => {
                Ok(Self::AsAsked(FuturesOrdered::new()))
            }
            Ok(AnswerOrder::AsJudged) => Ok(Self::AsJudged(FuturesUnordered::new())),
            Err(_) => Err(refusal::refused(decode::unknown_word(order, "order"), "")),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::AsAsked(them) => them.len(),
            Self::AsJudged(them) => them.len(),
        }
    }

    fn add(&mut self, judging: Judging) {
        match self {
            Self::AsAsked(them) => them.push_back(judging),
            Self::AsJudged(them) => them.push(judging),
        }
    }

    async fn next(&mut self) -> Option<Answer> {
        match self {
            Self::AsAsked(them) => them.next().await,
            Self::AsJudged(them) => them.next().await,
        }
    }
}

/// A stream on its way.
struct Asking {
    service: Service,
    requests: Streaming<v1::AdjudicateRequest>,
    /// What holds for all requests of the stream: who calls, and what it takes.
    call: Request<()>,
    /// Until when, where whoever asks says so. The server's own limit is for each request.
    deadline: Option<Deadline>,
    ground: Option<Arc<Ground>>,
    in_hand: InHand,
    /// How many requests came.
    came: u64,
    /// How it ends, once what is in hand is answered.
    end: Option<Result<(), Status>>,
}

impl Service {
    /// Answers requests as they come in. Nothing is read or judged while nobody takes the answers.
    pub(super) fn answer_stream(
        &self,
        request: Request<Streaming<v1::AdjudicateRequest>>,
    ) -> Answers {
        let deadline = Deadline::of(&request).filter(|deadline| deadline.is_clients());
        let (metadata, extensions, requests) = request.into_parts();
        let asking = Asking {
            service: self.clone(),
            requests,
            call: Request::from_parts(metadata, extensions, ()),
            deadline,
            ground: None,
            in_hand: InHand::AsAsked(FuturesOrdered::new()),
            came: 0,
            end: None,
        };
        Box::pin(stream::unfold(asking, |mut asking| async move {
            let answer = asking.next().await?;
            Some((answer, asking))
        }))
    }

    /// Takes rules and position, once for all requests until others are named.
    async fn ground(
        &self,
        call: &Request<()>,
        message: v1::AdjudicationContext,
    ) -> Result<Ground, Fault> {
        let view = view_of(message.view)?;
        let hearing = self.hear(
            call,
            message.subject.as_ref(),
            by!(message),
            &message.as_side,
        );
        let Hearing {
            rules,
            position,
            side,
            counted,
            ..
        } = hearing.await?;
        Ok(Ground {
            message,
            view,
            rules,
            position,
            side,
            counted,
        })
    }

    /// Judges the questions of one request.
    async fn answer_request(
        self,
        ground: Arc<Ground>,
        request: u64,
        questions: Vec<v1::Question>,
        place: Option<Place>,
        deadline: Option<Deadline>,
    ) -> Answer {
        let hearing = ground.hearing(deadline);
        let judged = async {
            let count = questions.len();
            let work = place.map(|place| place.work(count)).transpose()?;
            if count == 0 {
                return Ok(Vec::new());
            }
            let asked = self.questions(&questions, &hearing.position)?;
            let full = ground.view != View::Verdict;
            let judged = self.judge(&hearing, asked, full, false).await;
            drop(work);
            judged
        };
        let answers = match judged.await {
            Ok(heard) => self.answers(&hearing, &questions, heard, ground.view),
            Err(fault) => {
                let heard = questions.iter().map(|_| Err(fault.clone())).collect();
                self.answers(&hearing, &questions, heard, ground.view)
            }
        };
        Answer {
            request,
            position_id: hearing.position.id().to_string(),
            rules_fingerprint: hearing.ruleset.fingerprint().to_string(),
            answers,
        }
    }
}

impl Ground {
    fn hearing(&self, deadline: Option<Deadline>) -> Hearing<'_> {
        let ready = self.rules.ready();
        let longest = ready.engine.threads().config().budget;
        Hearing {
            rules: Arc::clone(&self.rules),
            ruleset: self.rules.ruleset(),
            given: given(self.message.subject.as_ref(), self.side.is_some()),
            position: Arc::clone(&self.position),
            side: self.side.clone(),
            deadline: deadline.map(|deadline| deadline.within(longest)),
            span: None,
            counted: self.counted.clone(),
            start: Instant::now(),
        }
    }
}

impl Asking {
    /// The next answer, or how the stream ends.
    async fn next(&mut self) -> Option<Result<Answer, Status>> {
        loop {
            let reads = self.end.is_none() && self.in_hand.len() < AT_ONCE;
            let works = self.in_hand.len() > 0;
            if !reads && !works {
                let end = self.end.replace(Ok(()));
                return end.and_then(Result::err).map(Err);
            }
            let idle = async {
                match works {
                    true => std::future::pending().await,
                    false => tokio::time::sleep(PATIENCE).await,
                }
            };
            tokio::select! {
                biased;
                Some(answer) = self.in_hand.next(), if works => return Some(Ok(answer)),
                came = self.requests.message(), if reads => {
                    let end = match came {
                        Ok(Some(request)) => match self.take(request).await {
                            Ok(()) => continue,
                            Err(fault) => Err(fault.into()),
                        },
                        Ok(None) => Ok(()),
                        Err(status) => Err(status),
                    };
                    self.end = Some(end);
                }
                () = drained(&self.call), if reads => {
                    let text = "the server is shutting down; ask on another stream";
                    let fault = Fault::new(ErrorReason::ShuttingDown, text);
                    self.end = Some(Err(fault.into()));
                }
                () = idle, if reads => self.end = Some(Err(idle_for(PATIENCE).into())),
            }
        }
    }

    /// Takes a request in hand.
    async fn take(&mut self, request: v1::AdjudicateRequest) -> Result<(), Fault> {
        if self.came == 0 {
            self.in_hand = InHand::of(request.order)?;
        } else if request.order != 0 {
            let text = "order: is for the first request of a stream";
            let fault = Fault::new(ErrorReason::OutOfRange, text);
            return Err(fault.with("field", "order").field("order", text));
        }
        if let Some(context) = request.context {
            let ground = self.service.ground(&self.call, context).await;
            let ground = ground.map_err(|fault| fault.within("context."))?;
            self.ground = Some(Arc::new(ground));
        }
        let ground = self.ground.clone();
        let ground = ground.ok_or_else(|| missing("context", "what the questions are about"))?;
        self.service.check_count(request.questions.len())?;
        let place = Place::of(&self.call);
        let judging = self.service.clone().answer_request(
            ground,
            self.came,
            request.questions,
            place,
            self.deadline,
        );
        self.in_hand.add(Box::pin(judging));
        self.came += 1;
        Ok(())
    }
}

/// Waits until the server drains.
async fn drained(call: &Request<()>) {
    match Drain::of(call) {
        Some(drain) => drain.begun().await,
        None => std::future::pending().await,
    }
}

fn idle_for(time: Duration) -> Fault {
    let text = format!("nothing was asked for {time:?}; ask on another stream");
    Fault::new(ErrorReason::Deadline, text)
        .with("limit_ms", time.as_millis())
        .with("set_by", "server")
}
