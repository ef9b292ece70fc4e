//! The client.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use alamein_proto::v1::adjudication_service_client::AdjudicationServiceClient;
use alamein_proto::v1::game_service_client::GameServiceClient;
use alamein_proto::v1::map_service_client::MapServiceClient;
use alamein_proto::v1::position_service_client::PositionServiceClient;
use alamein_proto::v1::ruleset_service_client::RulesetServiceClient;
use alamein_proto::{decode, encode, v1};
use alamein_terrain::{Adjudicated, Digest, Position, Question};
use tonic::codec::CompressionEncoding;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};

use crate::access::{Access, Bearer};
use crate::admin::over_unix;
use crate::budget::RetryBudget;
use crate::error::{Error, RemoteError};
use crate::settings::Settings;
use crate::subject::{Kept, Subject};
use crate::trace;

/// How much longer the server is told to go on than this side waits.
const MARGIN: Duration = Duration::from_millis(5);
/// How often it is asked whether the other side is there while something is open, and how long its answer
/// may take.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// A connection to a rules service. Clones share it.
#[derive(Clone, Debug)]
pub struct Client {
    channel: Channel,
    bearer: Bearer,
    settings: Settings,
    budget: Arc<RetryBudget>,
    rules: Option<Digest>,
    ruleset: String,
}

/// A case file: a position, questions and the answers to them, which `alamein check` replays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// A file name that suits it.
    pub name: String,
    /// What to write into the file.
    pub content: Vec<u8>,
}

macro_rules! stubs {
    ($($(#[$doc:meta])* $name:ident: $stub:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self) -> $stub<InterceptedService<Channel, Bearer>> {
            let bearer = self.bearer.clone();
            $stub::new(InterceptedService::new(self.channel.clone(), bearer))
                .accept_compressed(CompressionEncoding::Gzip)
                .max_decoding_message_size(self.settings.longest_answer)
        }
    )*};
}

impl Client {
    /// Connects to a server, such as `http://localhost:50051`, with the usual settings.
    ///
    /// # Errors
    /// Where that is no URL, or nobody answers there.
    pub async fn connect(url: &str) -> Result<Self, Error> {
        Self::connect_with(url, Settings::default()).await
    }

    /// Connects to a server with settings of one's own.
    ///
    /// # Errors
    /// Where that is no URL, or nobody answers there.
    pub async fn connect_with(url: &str, settings: Settings) -> Result<Self, Error> {
        Self::connect_as(url, settings, &Access::default()).await
    }

    /// Connects to a server that asks who calls. Its URL begins with `https:`, unless it is on this machine.
    ///
    /// # Errors
    /// Where that is no URL, what one is known by makes no sense or would go out in plain text, or nobody
    /// answers there.
    pub async fn connect_as(url: &str, settings: Settings, access: &Access) -> Result<Self, Error> {
        let bearer = access.bearer()?;
        let endpoint = access.endpoint(url)?;
        // Who only waits, as for the entries of a game, finds out all the same that nobody is there.
        let endpoint = endpoint
            .connect_timeout(settings.connect_timeout)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE);
        let channel = endpoint.connect().await.map_err(|source| Error::Connect {
            url: url.to_owned(),
            source,
        })?;
        let client = Self::over(channel, settings);
        Ok(Self { bearer, ..client })
    }

    /// Connects to a server at a Unix socket.
    ///
    /// # Errors
    /// Where nobody listens there.
    pub async fn connect_unix(path: &Path, settings: Settings) -> Result<Self, Error> {
        let channel = over_unix(path.to_owned()).await;
        let channel = channel.map_err(|source| Error::Connect {
            url: format!("unix:{}", path.display()),
            source,
        })?;
        Ok(Self::over(channel, settings))
    }

    /// A client over a channel that is there already: one with TLS, or one that connects when it
    /// is first used.
    #[must_use]
    pub fn over(channel: Channel, settings: Settings) -> Self {
        Self {
            channel,
            budget: Arc::new(RetryBudget::new(&settings)),
            bearer: Bearer::default(),
            settings,
            rules: None,
            ruleset: String::new(),
        }
    }

    /// The same client, which bears this token. Over a channel of one's own it is one's own affair who can
    /// hear it.
    ///
    /// # Errors
    /// A token that fits into no header.
    pub fn with_token(self, token: &str) -> Result<Self, Error> {
        let access = Access {
            token: Some(token.to_owned()),
            ..Access::default()
        };
        let bearer = access.bearer()?;
        Ok(Self { bearer, ..self })
    }

    /// The same client, which asks to be judged by these rules and no others: those with which a
    /// game began. Rules that the server does not have are `RULESET_NOT_AVAILABLE`.
    #[must_use]
    pub fn with_rules(self, fingerprint: Digest) -> Self {
        Self {
            rules: Some(fingerprint),
            ..self
        }
    }

    /// The same client, which asks to be judged by the ruleset of this name or tag; empty for the
    /// server's `default`. Its rules may become others when plugins are replaced: see
    /// [`with_rules`](Self::with_rules).
    #[must_use]
    pub fn with_ruleset(self, name: impl Into<String>) -> Self {
        let ruleset = name.into();
        Self { ruleset, ..self }
    }

    /// Asks questions about a position. The answers come in their order; an error in one question
    /// is that question's answer. The rulings are whole in the EXPLAIN view; below it they lack
    /// what the view leaves out.
    ///
    /// # Errors
    /// Where no question could be answered.
    pub async fn adjudicate<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        questions: &[Question],
        view: v1::View,
    ) -> Result<Vec<Result<Adjudicated, Error>>, Error> {
        let subject = subject.into();
        let request = v1::BatchAdjudicateRequest {
            subject: Some(subject.message()),
            questions: messages(&subject, questions),
            view: view.into(),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset.clone(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.batch_adjudicate(request).await }
        });
        let answers = answer.await?.answers;
        if answers.len() != questions.len() {
            let (asked, given) = (questions.len(), answers.len());
            let what = format!("{given} answers to {asked} questions");
            return Err(Error::Answer(what));
        }
        let read = |answer| adjudicated(answer, subject.id());
        Ok(answers.into_iter().map(read).collect())
    }

    /// Lets the server keep a position, so that questions about it need not carry it. A server
    /// that forgot it answers `POSITION_NOT_FOUND`: create it again then. Layers that no plugin
    /// owns are not accepted; the stub of [`positions`](Self::positions) can ask that they be.
    ///
    /// # Errors
    /// Where the server does not accept it, or has no room.
    pub async fn create_position(&self, position: &Position) -> Result<Kept, Error> {
        let request = v1::CreatePositionRequest {
            position: Some(encode::position(position, false)),
            ruleset: self.ruleset_or_rules(),
            ..v1::CreatePositionRequest::default()
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.positions();
            async move { stub.create_position(request).await }
        });
        let (id, theirs) = (position.id(), answer.await?.position_id);
        if theirs != id.to_string() {
            return Err(other_position(&theirs, id));
        }
        let grid = position.map().grid;
        Ok(Kept { id, grid })
    }

    /// The rules by which this client asks to be judged, with their plugins.
    ///
    /// # Errors
    /// Where they are not loaded yet, or not there.
    pub async fn ruleset(&self) -> Result<v1::Ruleset, Error> {
        let request = v1::GetRulesetRequest {
            ruleset_id: self.ruleset_or_rules(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.rulesets();
            async move { stub.get_ruleset(request).await }
        });
        let missing = || Error::Answer("no ruleset in it".into());
        answer.await?.ruleset.ok_or_else(missing)
    }

    /// Whether the server says that it serves (`grpc.health.v1`). One that loads its rules, stops, or
    /// lacks what it should judge by says that it does not.
    ///
    /// # Errors
    /// Where it says nothing.
    pub async fn is_serving(&self) -> Result<bool, Error> {
        use tonic_health::pb::health_check_response::ServingStatus;
        use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
        let request = HealthCheckRequest::default();
        let answer = self.call(&request, |request| {
            let mut stub = HealthClient::new(self.channel.clone());
            async move { stub.check(request).await }
        });
        Ok(answer.await?.status() == ServingStatus::Serving)
    }

    /// Asks questions, and gets them with their answers as a case file. Without an id the server
    /// makes one.
    ///
    /// # Errors
    /// Where a question cannot be answered.
    pub async fn export_case<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        questions: &[Question],
        case_id: Option<&str>,
    ) -> Result<CaseFile, Error> {
        let subject = subject.into();
        let request = v1::ExportCaseRequest {
            subject: Some(subject.message()),
            questions: messages(&subject, questions),
            case_id: case_id.unwrap_or_default().to_owned(),
            rules_fingerprint: self.fingerprint(),
            ruleset: self.ruleset.clone(),
            as_side: String::new(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.adjudication();
            async move { stub.export_case(request).await }
        });
        let answer = answer.await?;
        Ok(CaseFile {
            name: answer.file_name,
            content: answer.case_file,
        })
    }

    stubs! {
        /// The generated stub of the adjudication service, without deadlines and retries.
        adjudication: AdjudicationServiceClient;
        /// The generated stub of the game service, without deadlines and retries.
        games: GameServiceClient;
        /// The generated stub of the map service, without deadlines and retries.
        maps: MapServiceClient;
        /// The generated stub of the position service, without deadlines and retries.
        positions: PositionServiceClient;
        /// The generated stub of the ruleset service, without deadlines and retries.
        rulesets: RulesetServiceClient;
    }

    /// Makes a call of a stub, with the deadline and the retries of this client.
    ///
    /// Only for calls that may be made twice; all of this API may.
    ///
    /// # Errors
    /// The last try's error, or that time was up.
    pub async fn call<M, T, F>(
        &self,
        message: &M,
        send: impl Fn(Request<M>) -> F,
    ) -> Result<T, Error>
    where
        M: Clone,
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let deadline = self.settings.deadline;
        let started = Instant::now();
        self.budget.add();
        for tries in 1.. {
            let left = deadline.saturating_sub(started.elapsed());
            let mut request = Request::new(message.clone());
            // A little longer there than here, so that this side is the one that gives up.
            request.set_timeout(left + MARGIN);
            trace::join(request.metadata_mut());
            let error = match tokio::time::timeout(left, send(request)).await {
                Ok(Ok(response)) => return Ok(response.into_inner()),
                // The channel's own clock, or the server's.
                Ok(Err(status)) if is_late(&status) && started.elapsed() >= deadline => break,
                Ok(Err(status)) => RemoteError::from(status),
                Err(_) => break,
            };
            let wait = self.settings.wait(tries, error.retry_after);
            let wait = wait.filter(|wait| started.elapsed() + *wait < deadline);
            let wait = wait.filter(|_| error.is_transient() && self.budget.take());
            match wait {
                None => return Err(error.into()),
                Some(wait) => tokio::time::sleep(wait).await,
            }
        }
        Err(Error::Deadline(deadline))
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The ruleset that is asked for, in a field that takes either.
    pub(crate) fn ruleset_or_rules(&self) -> String {
        match self.ruleset.is_empty() {
            true => self.fingerprint(),
            false => self.ruleset.clone(),
        }
    }

    /// The name or tag of the ruleset that is asked for.
    pub(crate) fn ruleset_name(&self) -> String {
        self.ruleset.clone()
    }

    pub(crate) fn fingerprint(&self) -> String {
        self.rules
            .map(|rules| rules.to_string())
            .unwrap_or_default()
    }
}

/// Whether a call broke off because time was up, as tonic says it.
fn is_late(status: &Status) -> bool {
    status.code() == Code::Cancelled
}

pub(crate) fn messages(subject: &Subject<'_>, questions: &[Question]) -> Vec<v1::Question> {
    let grid = subject.grid();
    let message = |question| encode::question(question, &grid);
    questions.iter().map(message).collect()
}

pub(crate) fn adjudicated(answer: v1::Answer, position: Digest) -> Result<Adjudicated, Error> {
    match answer.answer {
        None => Err(Error::Answer("neither ruling nor error in it".into())),
        Some(v1::answer::Answer::Error(status)) => Err(RemoteError::from(&status).into()),
        Some(v1::answer::Answer::Ruling(ruling)) => {
            let adjudicated = decode::adjudicated(&ruling)?;
            let theirs = adjudicated.ruling.position;
            if theirs != position {
                return Err(other_position(&theirs.to_string(), position));
            }
            Ok(adjudicated)
        }
    }
}

pub(crate) fn other_position(theirs: &str, ours: Digest) -> Error {
    Error::Answer(format!("it is about the position {theirs}, not {ours}"))
}
