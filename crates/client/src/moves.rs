//! Moves: the price of a path, and how far an allowance reaches.

use alamein_proto::{decode, encode, v1};
use alamein_terrain::{PathQuestion, PricedPath, Reach, ReachQuestion};

use crate::client::{Client, other_position};
use crate::error::Error;
use crate::subject::Subject;

impl Client {
    /// Asks what a move of several steps costs. The rulings on its steps are whole in the EXPLAIN
    /// view; below it they lack what the view leaves out.
    ///
    /// # Errors
    /// Where it is no path, or a step of it cannot be asked about.
    pub async fn price_path<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        question: &PathQuestion,
        view: v1::View,
    ) -> Result<PricedPath, Error> {
        let subject = subject.into();
        let grid = subject.grid();
        let request = v1::PricePathRequest {
            subject: Some(subject.message()),
            question: Some(encode::path_question(question, &grid)),
            options: encode::move_options(&question.moving, &grid),
            view: view.into(),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset_name(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.price_path(request).await }
        });
        let path = answer.await?.path;
        let path = path.ok_or_else(|| Error::Answer("no price in it".into()))?;
        let priced = decode::priced_path(&path)?;
        if priced.position != subject.id() {
            return Err(other_position(&priced.position.to_string(), subject.id()));
        }
        if priced.steps.len() != question.steps.len() {
            let (asked, given) = (question.steps.len(), priced.steps.len());
            let what = format!("{given} steps for a path of {asked}");
            return Err(Error::Answer(what));
        }
        Ok(priced)
    }

    /// Asks for every hex that an allowance reaches.
    ///
    /// # Errors
    /// Where the mover or the hex cannot be asked about.
    pub async fn reachable<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        question: &ReachQuestion,
    ) -> Result<Reach, Error> {
        let subject = subject.into();
        let grid = subject.grid();
        let request = v1::ReachableRequest {
            subject: Some(subject.message()),
            question: Some(encode::reach_question(question, &grid)),
            options: encode::move_options(&question.moving, &grid),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset_name(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.reachable(request).await }
        });
        let reach = answer.await?.reach;
        let reach = reach.ok_or_else(|| Error::Answer("no hexes in it".into()))?;
        let reach = decode::reach(&reach, &grid)?;
        if reach.position != subject.id() {
            return Err(other_position(&reach.position.to_string(), subject.id()));
        }
        Ok(reach)
    }
}
