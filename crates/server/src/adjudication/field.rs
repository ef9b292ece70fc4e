//! Fields of view: in parts as they are judged, or packed in one message.

use std::pin::Pin;
use std::sync::Arc;

use alamein_engine::{Looking, QuestionError, SightError};
use alamein_hex::Hex;
use alamein_proto::v1;
use alamein_proto::v1::field_of_view_response::Part;
use alamein_proto::{decode, encode};
use alamein_terrain::{FieldOfView, FieldQuestion, Position, Sight};
use futures::{Stream, stream};
use tonic::{Request, Response, Status};

use super::side::hidden;
use super::{Given, Hearing};
use crate::fault::Fault;
use crate::refusal;
use crate::rules::By;
use crate::service::{Service, weigh};

/// How many hexes weigh as much as a question: a sight has no grounds to be told.
const HEXES_A_QUESTION: usize = 16;

/// A field of view, in parts.
pub(super) type Parts = Pin<Box<dyn Stream<Item = Result<v1::FieldOfViewResponse, Status>> + Send>>;

/// What is asked. Both methods ask the same.
struct Asked<'a> {
    subject: Option<&'a v1::Subject>,
    question: Option<&'a v1::FieldOfViewQuestion>,
    options: Option<&'a v1::QuestionOptions>,
    by: By<'a>,
    as_side: &'a str,
}

macro_rules! asked {
    ($request:ident) => {{
        let asked = $request.get_ref();
        Asked {
            subject: asked.subject.as_ref(),
            question: asked.question.as_ref(),
            options: asked.options.as_ref(),
            by: by!(asked),
            as_side: &asked.as_side,
        }
    }};
}

/// A field of view on its way.
struct Viewing<'a> {
    service: Service,
    hearing: Hearing<'a>,
    /// By what the side knows, where one asks.
    seen: Looking,
    /// By what is, where a side asks.
    truth: Option<Looking>,
    question: FieldQuestion,
    /// Whether what is hidden makes a difference.
    matters: bool,
}

impl Service {
    /// Gives a field of view in parts.
    pub(super) async fn field_in_parts(
        &self,
        request: &Request<v1::FieldOfViewRequest>,
    ) -> Result<Response<Parts>, Fault> {
        let viewing = self.begin_viewing(request, asked!(request)).await?;
        let rules = Arc::clone(&viewing.hearing.rules);
        let parts = stream::try_unfold(Next::Head(viewing.apart()), |next| async move {
            Ok::<_, Status>(next.part().await?)
        });
        Ok(rules.answer(Box::pin(parts)))
    }

    /// Gives a field of view in one message.
    pub(super) async fn packed_field(
        &self,
        request: &Request<v1::PackedFieldOfViewRequest>,
    ) -> Result<Response<v1::PackedFieldOfViewResponse>, Fault> {
        let mut viewing = self.begin_viewing(request, asked!(request)).await?;
        let mut sights = Vec::new();
        while let Some(more) = viewing.judged().await? {
            sights.extend(more);
        }
        let rules = Arc::clone(&viewing.hearing.rules);
        let (field, hidden_matters) = viewing.end();
        let field = FieldOfView { sights, ..field };
        let mut packed = encode::packed_field(&field, &rules.ready().book);
        if let Some(summary) = &mut packed.summary {
            summary.hidden_matters = hidden_matters;
        }
        Ok(rules.answer(v1::PackedFieldOfViewResponse {
            field: Some(packed),
        }))
    }

    async fn begin_viewing<'a, T>(
        &self,
        request: &Request<T>,
        asked: Asked<'a>,
    ) -> Result<Viewing<'a>, Fault> {
        let hearing = self.hear(request, asked.subject, asked.by, asked.as_side);
        let hearing = hearing.await?;
        let limits = &self.limits.request;
        let question =
            decode::field_question(asked.question, asked.options, &hearing.position, limits)
                .map_err(|error| refusal::refused(error, ""))?;
        let hexes = most_hexes(&question, &hearing.position);
        weigh(request, hexes / HEXES_A_QUESTION)?;
        let engine = &hearing.rules.ready().engine;
        let look = |position| {
            let (ruleset, question) = (Arc::clone(&hearing.ruleset), question.clone());
            engine.look(ruleset, position, question, hearing.wanted())
        };
        let seen = look(Arc::clone(&hearing.position)).await;
        let seen = seen
            .map_err(|error| hearing.no_field(error, &question))
            .inspect_err(|fault| self.ruled.refused(&hearing.counted, fault.reason(), 1))?;
        let truth = match &hearing.side {
            None => None,
            Some(side) => {
                let truth = look(side.to_move_on(&question.probes)).await;
                Some(truth.map_err(|error| hearing.hidden_field(&error))?)
            }
        };
        Ok(Viewing {
            service: self.clone(),
            hearing,
            seen,
            truth,
            question,
            matters: false,
        })
    }
}

/// How many hexes may be in range.
fn most_hexes(question: &FieldQuestion, position: &Position) -> usize {
    let all = position.map().grid.len();
    let range = question.range.map(usize::from);
    let around = range.and_then(|range| (range + 1).checked_mul(3 * range));
    around.map_or(all, |around| all.min(around + 1))
}

impl<'a> Viewing<'a> {
    /// The next hexes, as far as whoever asks may know of them.
    async fn judged(&mut self) -> Result<Option<Vec<(Hex, Sight)>>, Fault> {
        let judged = self.judged_of_both().await;
        if let Err(fault) = &judged {
            let ruled = &self.service.ruled;
            ruled.refused(&self.hearing.counted, fault.reason(), 1);
        }
        judged
    }

    async fn judged_of_both(&mut self) -> Result<Option<Vec<(Hex, Sight)>>, Fault> {
        let seen = self.seen.judged().await;
        let seen = seen.map_err(|error| self.hearing.no_field(error, &self.question))?;
        let Some(mut seen) = seen else {
            return Ok(None);
        };
        let Some(truth) = &mut self.truth else {
            return Ok(Some(seen));
        };
        let truth = truth.judged().await;
        let truth = truth.map_err(|error| self.hearing.hidden_field(&error))?;
        // Both are of the same hexes.
        for ((_, seen), (_, truth)) in seen.iter_mut().zip(truth.into_iter().flatten()) {
            let told = seen.told(truth);
            self.matters |= told != *seen;
            *seen = told;
        }
        Ok(Some(seen))
    }

    /// What came of all, but for the sights, and whether what is hidden makes a difference.
    fn end(self) -> (FieldOfView, bool) {
        self.service.ruled.given(&self.hearing.counted, 1);
        (self.seen.rest(), self.matters)
    }

    /// The same without the request, which is answered before its stream has come to an end.
    fn apart(self) -> Viewing<'static> {
        let Hearing {
            rules,
            ruleset,
            given: _,
            position,
            side,
            deadline,
            span,
            counted,
            start,
        } = self.hearing;
        Viewing {
            hearing: Hearing {
                rules,
                ruleset,
                // What is wrong with the position has been told.
                given: Given::Known,
                position,
                side,
                deadline,
                span,
                counted,
                start,
            },
            service: self.service,
            seen: self.seen,
            truth: self.truth,
            question: self.question,
            matters: self.matters,
        }
    }
}

/// Which part comes next.
enum Next {
    Head(Viewing<'static>),
    Hexes(Viewing<'static>),
    Nothing,
}

impl Next {
    /// The part that comes next, and which does after it.
    async fn part(self) -> Result<Option<(v1::FieldOfViewResponse, Self)>, Fault> {
        let (part, next) = match self {
            Self::Nothing => return Ok(None),
            Self::Head(viewing) => {
                let (head, hexes) = (viewing.seen.head(), viewing.seen.hexes());
                let head = encode::field_head(&head, hexes);
                (Part::Head(head), Self::Hexes(viewing))
            }
            Self::Hexes(mut viewing) => match viewing.judged().await? {
                Some(sights) => {
                    let grid = &viewing.hearing.position.map().grid;
                    let hexes = encode::sighted(&sights, grid);
                    (Part::Hexes(hexes), Self::Hexes(viewing))
                }
                None => {
                    let rules = Arc::clone(&viewing.hearing.rules);
                    let (field, hidden_matters) = viewing.end();
                    let summary = v1::FieldOfViewSummary {
                        hidden_matters,
                        ..encode::field_summary(&field, &rules.ready().book)
                    };
                    (Part::Summary(summary), Self::Nothing)
                }
            },
        };
        let part = v1::FieldOfViewResponse { part: Some(part) };
        Ok(Some((part, next)))
    }
}

impl Hearing<'_> {
    /// Why there is no telling what somebody sees.
    fn no_field(&self, error: SightError, question: &FieldQuestion) -> Fault {
        match error {
            SightError::Prepare(error) => self.context().position(error, &[]),
            SightError::Question(error) => {
                // What is wrong with the question about any hex.
                let question = question.question(Hex::default());
                self.context().question(error, &question, true)
            }
        }
    }

    /// Why a side is told nothing of it.
    fn hidden_field(&self, error: &SightError) -> Fault {
        match error {
            SightError::Question(QuestionError::OutOfTime) => self.context().late(),
            _ => hidden(),
        }
    }
}
