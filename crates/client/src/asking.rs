//! Questions over one stream, and their answers as they are judged.

use alamein_proto::v1::{self, AnswerOrder, View};
use alamein_terrain::{Adjudicated, Digest, Question};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Streaming};

use crate::client::{Client, adjudicated, messages};
use crate::error::Error;
use crate::subject::Subject;
use crate::trace;

/// How many requests wait to be sent: the server says how many it reads.
const WAITING: usize = 1;

/// Where questions are put: see [`Client::stream`].
#[derive(Debug)]
pub struct Asker {
    requests: mpsc::Sender<v1::AdjudicateRequest>,
    client: Client,
    view: View,
    order: AnswerOrder,
    about: Option<Digest>,
    asked: u64,
}

/// Where answers come from: see [`Client::stream`].
#[derive(Debug)]
pub struct Answers {
    answers: Streaming<v1::AdjudicateResponse>,
}

/// The answers to questions that were put together.
#[derive(Debug)]
pub struct Answered {
    /// Which of the questions put are answered: what [`Asker::ask`] gave.
    pub request: u64,
    /// The position that was judged.
    pub position: Digest,
    /// The fingerprint of the rules that judged.
    pub rules: Digest,
    /// The answers, in the order of the questions.
    pub answers: Vec<Result<Adjudicated, Error>>,
}

impl Client {
    /// Opens a stream to ask questions on, about one position after another, without waiting for the
    /// answers to those before. Of either half there is one; let different tasks have them. Whoever
    /// takes no answers is soon made to wait with more questions.
    ///
    /// A stream is not opened again by itself: what was asked on it and is not answered when it breaks
    /// off is to be asked anew.
    ///
    /// # Errors
    /// Where the server does not take it.
    pub async fn stream(&self, view: View, order: AnswerOrder) -> Result<(Asker, Answers), Error> {
        let (requests, sent) = mpsc::channel(WAITING);
        let mut request = Request::new(ReceiverStream::new(sent));
        trace::join(request.metadata_mut());
        let mut stub = self.adjudication();
        let deadline = self.settings().deadline;
        let opened = tokio::time::timeout(deadline, stub.adjudicate(request)).await;
        let answers = opened.map_err(|_| Error::Deadline(deadline))??.into_inner();
        let asker = Asker {
            requests,
            client: self.clone(),
            view,
            order,
            about: None,
            asked: 0,
        };
        Ok((asker, Answers { answers }))
    }
}

impl Asker {
    /// Puts questions about a position, and waits until they are on their way. Questions about the same
    /// position as those before are judged by the same rules as these. Gives the number under which
    /// they are answered.
    ///
    /// # Errors
    /// Where the stream has ended: the answers say why.
    pub async fn ask<'a>(
        &mut self,
        subject: impl Into<Subject<'a>>,
        questions: &[Question],
    ) -> Result<u64, Error> {
        let subject = subject.into();
        let request = v1::AdjudicateRequest {
            context: (self.about != Some(subject.id())).then(|| v1::AdjudicationContext {
                subject: Some(subject.message()),
                view: self.view.into(),
                rules_fingerprint: self.client.fingerprint(),
                ruleset: self.client.ruleset_name(),
                as_side: String::new(),
            }),
            questions: messages(&subject, questions),
            order: match self.asked {
                0 => self.order.into(),
                _ => 0,
            },
        };
        let sent = self.requests.send(request).await;
        sent.map_err(|_| Error::Answer("the stream has ended".into()))?;
        self.about = Some(subject.id());
        self.asked += 1;
        Ok(self.asked - 1)
    }
}

impl Answers {
    /// The next answers; nothing once the asker is gone and all is answered.
    ///
    /// # Errors
    /// What ends the stream early.
    pub async fn next(&mut self) -> Result<Option<Answered>, Error> {
        let Some(answer) = self.answers.message().await? else {
            return Ok(None);
        };
        let id = |text: &str| {
            let id = text.parse::<Digest>();
            id.map_err(|_| Error::Answer(format!("{text:?} is no id")))
        };
        let position = id(&answer.position_id)?;
        let read = |answer| adjudicated(answer, position);
        Ok(Some(Answered {
            request: answer.request,
            position,
            rules: id(&answer.rules_fingerprint)?,
            answers: answer.answers.into_iter().map(read).collect(),
        }))
    }
}
