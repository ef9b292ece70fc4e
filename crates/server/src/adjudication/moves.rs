//! Moves: the price of a path, and how far an allowance reaches.

use std::sync::Arc;

use alamein_engine::Wanted;
use alamein_proto::v1;
use alamein_proto::{decode, encode};
use alamein_terrain::{Adjudicated, PathQuestion, PricedPath};
use tonic::{Request, Response};

use super::side::{Side, hidden};
use super::{Heard, Hearing, view_of};
use crate::fault::Fault;
use crate::refusal;
use crate::rules::By;
use crate::service::{Service, budget, weigh};

impl Service {
    /// Prices a path. How long it may be and how large the map, the limits of a request say.
    pub(super) async fn price(
        &self,
        request: &Request<v1::PricePathRequest>,
    ) -> Result<Response<v1::PricePathResponse>, Fault> {
        let asked = request.get_ref();
        let view = view_of(asked.view)?;
        let steps = asked.question.as_ref().map_or(0, |path| path.steps.len());
        weigh(request, steps)?;
        let subject = asked.subject.as_ref();
        let hearing = self.hear(request, subject, by!(asked), &asked.as_side);
        let hearing = hearing.await?;
        let (path, options) = (asked.question.as_ref(), asked.options.as_ref());
        let limits = &self.limits.request;
        let question = decode::path_question(path, options, &hearing.position, limits)
            .map_err(|error| refusal::refused(error, ""))?;
        let ready = hearing.rules.ready();
        let (ruleset, position) = (Arc::clone(&hearing.ruleset), Arc::clone(&hearing.position));
        let priced = ready
            .engine
            .price_path(ruleset, position, question.clone(), hearing.wanted())
            .await
            .map_err(|error| hearing.context().moves(error, &question.moving))
            .inspect_err(|fault| self.ruled.refused(&hearing.counted, fault.reason(), 1))?;
        let (priced, hidden_matters) = match &hearing.side {
            None => {
                self.note_path(&hearing, &question, &priced);
                (priced, false)
            }
            Some(side) => self.told_path(&hearing, side, &question, priced).await?,
        };
        self.tell_path(&hearing, &priced);
        let grid = &hearing.position.map().grid;
        let path = v1::PricedPath {
            hidden_matters,
            ..encode::priced_path(&priced, &question, grid, &ready.book, view)
        };
        Ok(hearing
            .rules
            .answer(v1::PricePathResponse { path: Some(path) }))
    }

    /// What a side is told of a path that has a price by what it knows, and whether what is hidden makes a
    /// difference.
    async fn told_path(
        &self,
        hearing: &Hearing<'_>,
        side: &Side,
        question: &PathQuestion,
        seen: PricedPath,
    ) -> Result<(PricedPath, bool), Fault> {
        let position = side.to_move_on(&question.moving.probes);
        let renamed = !Arc::ptr_eq(&position, side.truth());
        let engine = &hearing.rules.ready().engine;
        let ruleset = Arc::clone(&hearing.ruleset);
        let truth = engine.price_path(ruleset, position, question.clone(), hearing.wanted());
        let truth = truth.await.map_err(|error| hearing.hidden_move(&error))?;
        if !renamed {
            self.note_path(hearing, question, &truth);
        }
        seen.told(&truth).ok_or_else(hidden)
    }

    /// Counts the rulings on the steps of a path.
    fn tell_path(&self, hearing: &Hearing<'_>, priced: &PricedPath) {
        let rulings = priced.steps.iter();
        let rulings = rulings.filter_map(|step| step.ruling.as_ref().ok());
        self.ruled
            .given(&hearing.counted, rulings.clone().count() as u64);
        if let Some(span) = &hearing.span {
            span.rulings(rulings.map(|ruling| ruling.id));
        }
    }

    /// Writes down the steps of a path, each a question with its ruling, if that is wanted.
    fn note_path(&self, hearing: &Hearing<'_>, question: &PathQuestion, priced: &PricedPath) {
        // It has been priced, so that its steps join.
        let (Some(_), Ok(steps)) = (&self.record, question.joined()) else {
            return;
        };
        let heard = steps.into_iter().zip(&priced.steps);
        let heard = heard.filter_map(|(step, priced)| {
            let ruling = priced.ruling.as_ref().ok()?.clone();
            let adjudicated = Adjudicated {
                ruling,
                other_policies: Vec::new(),
            };
            Some(Heard {
                question: question.moving.question(step),
                record: Some(adjudicated.clone()),
                adjudicated,
                hidden_matters: false,
            })
        });
        self.note(hearing, heard.collect());
    }

    /// Finds what an allowance reaches. It ends with the map or with the time that there is.
    pub(super) async fn reach(
        &self,
        request: &Request<v1::ReachableRequest>,
    ) -> Result<Response<v1::ReachableResponse>, Fault> {
        let asked = request.get_ref();
        let subject = asked.subject.as_ref();
        let hearing = self.hear(request, subject, by!(asked), &asked.as_side);
        let hearing = hearing.await?;
        let (from, options) = (asked.question.as_ref(), asked.options.as_ref());
        let limits = &self.limits.request;
        let question = decode::reach_question(from, options, &hearing.position, limits)
            .map_err(|error| refusal::refused(error, ""))?;
        let ready = hearing.rules.ready();
        let (ruleset, position) = (Arc::clone(&hearing.ruleset), Arc::clone(&hearing.position));
        let reach = ready
            .engine
            .reachable(ruleset, position, question.clone(), hearing.wanted())
            .await
            .map_err(|error| hearing.context().moves(error, &question.moving))
            .inspect_err(|fault| self.ruled.refused(&hearing.counted, fault.reason(), 1))?;
        let (reach, hidden_matters) = match &hearing.side {
            None => (reach, false),
            Some(side) => {
                let position = side.to_move_on(&question.moving.probes);
                let ruleset = Arc::clone(&hearing.ruleset);
                let engine = &ready.engine;
                let truth = engine.reachable(ruleset, position, question, hearing.wanted());
                reach.told(&truth.await.map_err(|error| hearing.hidden_move(&error))?)
            }
        };
        self.ruled.given(&hearing.counted, 1);
        let grid = &hearing.position.map().grid;
        let reach = Some(v1::Reach {
            hidden_matters,
            ..encode::reach(&reach, grid, &ready.book)
        });
        Ok(hearing.rules.answer(v1::ReachableResponse { reach }))
    }
}

impl Hearing<'_> {
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            sheds: true,
            budget: budget(self.deadline),
            traced: self.is_followed(),
            ..Wanted::default()
        }
    }
}
