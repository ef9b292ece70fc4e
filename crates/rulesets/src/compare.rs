//! Ruling on the same questions under two rulesets.

use std::sync::Arc;

use alamein_engine::{PrepareError, QuestionError, Threads, Wanted};
use alamein_terrain::{Canon, Digest, GrazingPolicy, Position, Question, Ruling};
use futures::executor::block_on;

use crate::revision::Revision;

/// A question whose ruling differs.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Where among the positions its position was.
    pub position: usize,
    /// Where among the questions of that position it was.
    pub question: usize,
    /// What was asked.
    pub asked: Question,
    /// The ruling under the first ruleset, or why there is none.
    pub before: Result<Box<Ruling>, Unruled>,
    /// The ruling under the second.
    pub after: Result<Box<Ruling>, Unruled>,
    /// The verdicts differ too, and not only what they rest on.
    pub verdict: bool,
}

/// Why there is no ruling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unruled {
    /// The position cannot be ruled on.
    #[error(transparent)]
    Position(#[from] PrepareError),
    /// The question cannot.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// What came of the questions of one position.
#[derive(Clone, Debug)]
pub struct Compared {
    /// How many questions were asked.
    pub asked: usize,
    /// Those whose ruling differs.
    pub changed: Vec<Changed>,
}

/// Puts the same questions to two revisions, position by position as they are taken, and gives those
/// whose rulings differ in verdict, observations or findings. That the fingerprints differ is no
/// difference; nor is what the rules are called in words.
///
/// Ruling takes place on the threads; who takes from the iterator waits.
pub fn compare(
    threads: &Threads,
    before: &Arc<Revision>,
    after: &Arc<Revision>,
    wanted: Wanted,
    positions: impl IntoIterator<Item = (Arc<Position>, Vec<Question>)>,
) -> impl Iterator<Item = Compared> {
    let (threads, before, after) = (threads.clone(), Arc::clone(before), Arc::clone(after));
    let positions = positions.into_iter().enumerate();
    positions.map(move |(at, (position, questions))| {
        let rule = |revision: &Arc<Revision>| {
            let _in_flight = revision.enter();
            rule(&threads, revision, &position, &questions, wanted)
        };
        let both = rule(&before).into_iter().zip(rule(&after));
        let differ = both.zip(&questions).enumerate();
        let changed = differ.filter_map(|(question, ((before, after), asked))| {
            let (one, other) = (content(&before), content(&after));
            (one != other).then(|| Changed {
                position: at,
                question,
                asked: asked.clone(),
                verdict: match (&before, &after) {
                    (Ok(before), Ok(after)) => before.verdict != after.verdict,
                    _ => true,
                },
                before,
                after,
            })
        });
        Compared {
            changed: changed.collect(),
            asked: questions.len(),
        }
    })
}

type Answer = Result<Box<Ruling>, Unruled>;

fn rule(
    threads: &Threads,
    revision: &Revision,
    position: &Arc<Position>,
    questions: &[Question],
    wanted: Wanted,
) -> Vec<Answer> {
    let ruleset = revision.ruleset();
    let engine = threads.engine(Arc::clone(&ruleset));
    let asked = engine.adjudicate(ruleset, Arc::clone(position), questions.to_vec(), wanted);
    match block_on(asked) {
        Ok(rulings) => {
            let answer = |ruling: Result<alamein_terrain::Adjudicated, QuestionError>| {
                let ruling = ruling.map(|adjudicated| Box::new(adjudicated.ruling));
                ruling.map_err(Unruled::from)
            };
            rulings.into_iter().map(answer).collect()
        }
        Err(error) => vec![Err(error.into()); questions.len()],
    }
}

/// What of an answer counts: a ruling's canonical form without what names the rules.
fn content(answer: &Answer) -> Result<Vec<u8>, &Unruled> {
    let ruling = answer.as_ref()?;
    let nothing = Digest::of(&[]);
    let bare = Ruling {
        id: nothing,
        rules: nothing,
        // By which a line was read is no difference where both readings say the same.
        policy: GrazingPolicy::default(),
        ..(**ruling).clone()
    };
    let mut canon = Canon::new("alamein/compared/1");
    canon.put(&bare);
    Ok(canon.into_bytes())
}
