//! Comparing two rulesets over questions that are streamed in.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use alamein_cases::{Asked, Case, Known};
use alamein_engine::{PrepareError, QuestionError, Wanted};
use alamein_proto::encode;
use alamein_proto::v1::compare_rulesets_response::Result as Told;
use alamein_proto::v1::{self, ErrorReason, View};
use alamein_rulesets::{Changed, Unruled, compare};
use alamein_terrain::{Adjudicated, FeatureError, Position, Question, Ruling};
use futures::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tonic::{Request, Status, Streaming};

use super::content::Content;
use crate::auth::Caller;
use crate::fault::Fault;
use crate::paths::Given;
use crate::refusal::Context;
use crate::rules::{By, InForce, Ready};
use crate::service::Service;

/// How many questions are put at once: few enough that time does not get short.
const BATCH: usize = 256;
/// How many answers may wait.
const WAITING: usize = 16;
/// How many pieces may: each may be as long as a request.
const PIECES: usize = 2;

/// How long whoever asked may neither send nor read: meanwhile the comparison has a thread.
const PATIENCE: Duration = Duration::from_secs(60);

type Answers = Pin<Box<dyn Stream<Item = Result<v1::CompareRulesetsResponse, Status>> + Send>>;

impl Service {
    /// Compares the rulesets that the first request names. A long record takes its time: it ends when the
    /// client's own deadline passes, or when nobody listens any more.
    pub(super) async fn compare(
        &self,
        request: Request<Streaming<v1::CompareRulesetsRequest>>,
    ) -> Result<Answers, Status> {
        let tenant = Caller::of(&request).tenant;
        let mut requests = request.into_inner();
        let first = requests.message().await?.unwrap_or_default();
        let before = self
            .rules_of(&tenant, By::field(&first.before, "before"))
            .await?;
        let after = self
            .rules_of(&tenant, By::field(&first.after, "after"))
            .await?;
        let (told, answers) = channel(WAITING);
        let (pieces, content) = channel(PIECES);
        let teller = told.clone();
        tokio::spawn(async move {
            if let Err(status) = forward(first.content, requests, &pieces).await {
                // Whoever asked may be gone.
                let _ = teller.send(Err(status)).await;
            }
        });
        let comparison = Comparison {
            known: known(&before, &after),
            max_hexes: self.limits.request.max_hexes,
            sides: [before, after],
            summary: v1::ComparisonSummary::default(),
            told,
            runtime: Handle::current(),
        };
        tokio::task::spawn_blocking(move || comparison.run(content));
        Ok(Box::pin(futures::stream::unfold(answers, next)))
    }
}

/// Waits for whoever asked, but not for ever.
async fn patiently<T>(time: Duration, until: impl Future<Output = T>) -> Result<T, Fault> {
    let waited = tokio::time::timeout(time, until).await;
    waited.map_err(|_| {
        let text = format!("nothing was sent or read for {time:?}; compare again without a pause");
        Fault::new(ErrorReason::Deadline, text)
            .with("limit_ms", time.as_millis())
            .with("set_by", "server")
    })
}

async fn next<T>(mut of: Receiver<T>) -> Option<(T, Receiver<T>)> {
    let item = of.recv().await?;
    Some((item, of))
}

/// Hands on what comes in, and nothing at its end: what breaks off comes to no such end.
async fn forward(
    first: Vec<u8>,
    mut requests: Streaming<v1::CompareRulesetsRequest>,
    pieces: &Sender<Option<Vec<u8>>>,
) -> Result<(), Status> {
    let mut piece = Some(first);
    while let Some(content) = piece {
        if pieces.send(Some(content)).await.is_err() {
            return Ok(());
        }
        piece = tokio::select! {
            // The comparison has ended, by its deadline or an error of its own.
            () = pieces.closed() => return Ok(()),
            message = requests.message() => message?.map(|request| request.content),
        };
    }
    // The comparison may have ended by an error of its own.
    let _ = pieces.send(None).await;
    Ok(())
}

/// What the plugins of either say of case files.
fn known(before: &InForce, after: &InForce) -> Known {
    let (one, other) = (before.ruleset(), after.ruleset());
    let members = one.members().iter().chain(other.members());
    Known::of(members.map(|member| member.manifest()))
}

/// A comparison on its way.
struct Comparison {
    sides: [InForce; 2],
    max_hexes: usize,
    known: Known,
    summary: v1::ComparisonSummary,
    told: Sender<Result<v1::CompareRulesetsResponse, Status>>,
    runtime: Handle,
}

/// What ends a comparison early.
enum Stop {
    /// Nobody listens any more, or what comes in broke off.
    Gone,
    /// Something is wrong.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Comparison {
    fn run(mut self, mut pieces: Receiver<Option<Vec<u8>>>) {
        match self.all(&mut pieces) {
            Ok(()) | Err(Stop::Gone) => {}
            Err(Stop::Fault(fault)) => {
                // Whoever asked may not be reading: no thread waits for that.
                self.runtime.spawn(async move {
                    let _ = self.told.send(Err(fault.into())).await;
                });
            }
        }
    }

    fn all(&mut self, pieces: &mut Receiver<Option<Vec<u8>>>) -> Result<(), Stop> {
        let known = std::mem::take(&mut self.known);
        let mut content = Content::new(&known, self.max_hexes);
        loop {
            let piece = self.wait(pieces.recv())?.ok_or(Stop::Gone)?;
            let Some(piece) = piece else { break };
            content.take(&piece)?;
            loop {
                if self.told.is_closed() {
                    return Err(Stop::Gone);
                }
                let Some(case) = content.next() else { break };
                self.case(&case)?;
            }
        }
        let (last, unreadable) = content.end()?;
        if let Some(case) = last {
            self.case(&case)?;
        }
        let [before, after] = &self.sides;
        self.summary.unreadable = unreadable;
        self.summary.before_fingerprint = before.fingerprint();
        self.summary.after_fingerprint = after.fingerprint();
        let summary = std::mem::take(&mut self.summary);
        self.tell(Told::Summary(summary))
    }

    fn tell(&self, what: Told) -> Result<(), Stop> {
        let answer = v1::CompareRulesetsResponse { result: Some(what) };
        let sent = self.wait(self.told.send(Ok(answer)))?;
        sent.map_err(|_| Stop::Gone)
    }

    fn wait<T>(&self, until: impl Future<Output = T>) -> Result<T, Stop> {
        Ok(self.runtime.block_on(patiently(PATIENCE, until))?)
    }

    /// Puts the questions of a case to both.
    fn case(&mut self, case: &Case) -> Result<(), Stop> {
        self.summary.cases += 1;
        let asked = case.questions.iter();
        let asked = asked.filter_map(|question| match &question.asked {
            Asked::Question(asked) => Some((question.id.as_str(), (**asked).clone())),
            Asked::Unanswered | Asked::Unreadable(_) => None,
        });
        let asked: Vec<(&str, Question)> = asked.collect();
        self.summary.skipped += (case.questions.len() - asked.len()) as u64;
        for batch in asked.chunks(BATCH) {
            self.batch(case, batch)?;
        }
        Ok(())
    }

    fn batch(&mut self, case: &Case, batch: &[(&str, Question)]) -> Result<(), Stop> {
        let questions = batch.iter().map(|(_, question)| question.clone()).collect();
        let [before, after] = self.sides.each_ref().map(|side| Arc::clone(side.ready()));
        let threads = before.engine.threads();
        let asked = [(Arc::clone(&case.position), questions)];
        let wanted = Wanted::default();
        for compared in compare(&threads, &before.revision, &after.revision, wanted, asked) {
            self.summary.questions += compared.asked as u64;
            self.summary.changed += compared.changed.len() as u64;
            for changed in &compared.changed {
                let limit = threads.config().budget;
                unjudged(&changed.before, limit)?;
                unjudged(&changed.after, limit)?;
                let (id, _) = batch.get(changed.question).ok_or(Stop::Gone)?;
                let change = change([&before, &after], case, id, changed);
                self.tell(Told::Change(change))?;
            }
        }
        Ok(())
    }
}

/// Ends the comparison where a question could not be judged for a reason that has nothing to do with
/// the rules: that is no ruling which changes.
fn unjudged(answer: &Result<Box<Ruling>, Unruled>, limit: Duration) -> Result<(), Fault> {
    let late = |text: String| {
        let fault = Fault::new(ErrorReason::Deadline, text).with("set_by", "server");
        Err(fault.with("limit_ms", limit.as_millis()))
    };
    match answer {
        Err(Unruled::Question(error @ QuestionError::OutOfTime)) => late(error.to_string()),
        Err(Unruled::Position(error @ PrepareError::OutOfTime)) => late(error.to_string()),
        Err(
            Unruled::Question(QuestionError::Feature(error @ FeatureError::OutOfTime { .. }))
            | Unruled::Position(PrepareError::Feature(error @ FeatureError::OutOfTime { .. })),
        ) => late(error.to_string()),
        Err(Unruled::Position(error @ PrepareError::NoThreads { plugins })) => {
            let fault = Fault::new(ErrorReason::ThreadsLost, error.to_string());
            Err(fault.with("plugins", plugins.join(",")))
        }
        Err(Unruled::Position(error @ PrepareError::Stopped)) => {
            Err(Fault::new(ErrorReason::Internal, error.to_string()))
        }
        _ => Ok(()),
    }
}

fn change(sides: [&Ready; 2], case: &Case, id: &str, changed: &Changed) -> v1::RulingChange {
    let told = |ready: &Ready, answer: &Result<Box<Ruling>, Unruled>| {
        compared(ready, &case.position, &changed.asked, answer)
    };
    let [before, after] = sides;
    v1::RulingChange {
        case_id: case.id.clone(),
        question_id: id.to_owned(),
        before: Some(told(before, &changed.before)),
        after: Some(told(after, &changed.after)),
        verdict_changes: changed.verdict,
    }
}

/// What one of them says.
fn compared(
    ready: &Ready,
    position: &Position,
    question: &Question,
    answer: &Result<Box<Ruling>, Unruled>,
) -> v1::ComparedAnswer {
    use v1::compared_answer::Answer;
    let map = position.map();
    let answer = match answer {
        Ok(ruling) => {
            let adjudicated = Adjudicated {
                ruling: (**ruling).clone(),
                other_policies: Vec::new(),
            };
            let (grid, book) = (&map.grid, &ready.book);
            let told = encode::ruling(&adjudicated, question, grid, book, View::Explain);
            Answer::Ruling(told)
        }
        Err(error) => {
            let ruleset = ready.revision.ruleset();
            let context = Context {
                given: Given::Id,
                map,
                ruleset: &ruleset,
                deadline: None,
            };
            let fault = match error.clone() {
                Unruled::Position(error) => context.position(error, &[]),
                Unruled::Question(error) => context.question(error, question, false),
            };
            Answer::Error(fault.into_rpc_status())
        }
    };
    v1::ComparedAnswer {
        answer: Some(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_stalls_is_not_waited_for_for_ever() {
        let time = Duration::from_millis(10);
        let fault = patiently(time, std::future::pending::<()>()).await;
        let status = Status::from(fault.unwrap_err());
        assert_eq!(status.code(), tonic::Code::DeadlineExceeded);
        assert_eq!(patiently(time, async { 7 }).await.ok(), Some(7));
    }
}
