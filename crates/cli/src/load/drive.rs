//! Making calls when they are due.

use std::time::{Duration, Instant};

use alamein_client::{Client, RemoteError, v1};
use alamein_figures::memory::resident;
use tokio::sync::mpsc::unbounded_channel;
use tonic::{Code, Request, Status};

use super::telling::Run;
use crate::args::Load;

/// How often the memory of the service is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Whom to ask, and what.
pub(super) struct Target {
    pub(super) clients: Vec<Client>,
    pub(super) request: v1::BatchAdjudicateRequest,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was answered, so long after it was due.
    Good(Duration),
    /// It was turned away, with a time to come back.
    Shed,
    /// It was not answered within its deadline.
    Late,
    /// It failed otherwise.
    Failed(String),
}

/// Makes calls at a rate for a while, and waits for the last answer.
pub(super) async fn drive(target: &Target, rate: f64, command: &Load) -> Run {
    let mut run = Run::new(rate, command.time());
    let memory = command.pid.map(|pid| tokio::spawn(watch(pid)));
    let (tell, mut told) = unbounded_channel();
    let calls = (rate * run.time.as_secs_f64()).ceil() as u64;
    let deadline = Duration::from_millis(command.deadline);
    let start = Instant::now();
    let clients = target.clients.iter().cycle();
    for (at, client) in (0..calls).zip(clients) {
        let due = start + Duration::from_secs_f64(at as f64 / rate);
        if due > Instant::now() {
            tokio::time::sleep_until(due.into()).await;
        }
        let (tell, client) = (tell.clone(), client.clone());
        let request = target.request.clone();
        tokio::spawn(async move {
            let outcome = call(&client, request, due, deadline).await;
            // Who counts waits for all.
            let _ = tell.send(outcome);
        });
    }
    drop(tell);
    while let Some(outcome) = told.recv().await {
        run.count(outcome);
    }
    if let Some(memory) = memory {
        memory.abort();
    }
    // Nothing was seen of a process that has ended.
    let peak = PEAK.swap(0, std::sync::atomic::Ordering::Relaxed);
    run.memory = Some(peak).filter(|peak| *peak > 0);
    run.ended()
}

async fn call(
    client: &Client,
    request: v1::BatchAdjudicateRequest,
    due: Instant,
    deadline: Duration,
) -> Outcome {
    let asked = request.questions.len();
    let mut request = Request::new(request);
    // What is left of it: it may be begun late.
    let left = deadline.saturating_sub(due.elapsed());
    request.set_timeout(left);
    let mut stub = client.adjudication();
    let answer = tokio::time::timeout(left, stub.batch_adjudicate(request)).await;
    match answer {
        Err(_) => Outcome::Late,
        Ok(Err(status)) => failed(status),
        Ok(Ok(answer)) => {
            let answers = answer.into_inner().answers;
            let ruled = |it: &v1::Answer| matches!(it.answer, Some(v1::answer::Answer::Ruling(_)));
            match answers.len() == asked && answers.iter().all(ruled) {
                true => Outcome::Good(due.elapsed()),
                false => Outcome::Failed("a question without a ruling".into()),
            }
        }
    }
}

fn failed(status: Status) -> Outcome {
    let error = RemoteError::from(status);
    match error.code {
        Code::ResourceExhausted if error.retry_after.is_some() => Outcome::Shed,
        Code::DeadlineExceeded | Code::Cancelled => Outcome::Late,
        _ => Outcome::Failed(error.to_string()),
    }
}

/// The most memory that was seen, in bytes.
static PEAK: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Looks at the memory of a process until it is told to stop.
async fn watch(pid: u32) {
    loop {
        if let Some(bytes) = resident(pid) {
            PEAK.fetch_max(bytes, std::sync::atomic::Ordering::Relaxed);
        }
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_this_process_is_known() {
        let bytes = resident(std::process::id()).unwrap();
        assert!(bytes > 1 << 20, "{bytes}");
        assert_eq!(resident(u32::MAX), None);
    }

    #[test]
    fn who_is_turned_away_without_a_time_to_come_back_has_failed() {
        let bare = Status::resource_exhausted("full");
        assert!(matches!(failed(bare), Outcome::Failed(_)));
        assert_eq!(failed(Status::deadline_exceeded("late")), Outcome::Late);
    }
}
