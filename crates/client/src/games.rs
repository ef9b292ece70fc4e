//! Games that a server keeps: begun, advanced, read and watched.

mod history;
mod watch;

use std::hash::{BuildHasher, RandomState};

use alamein_hex::Grid;
use alamein_proto::v1::{self, ErrorReason, advance_game_request, create_game_request};
use alamein_proto::{encode, v1::game_service_client::GameServiceClient};
use alamein_terrain::{Change, Digest};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::access::Bearer;
use crate::client::Client;
use crate::error::Error;
use crate::subject::Subject;

pub use history::History;
pub use watch::GameWatch;

type Stub = GameServiceClient<InterceptedService<Channel, Bearer>>;

/// Who does something to a game, and what is to be said of it in the game's history. All may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Who does it, in words of one's own.
    pub by: String,
    /// What to say of it.
    pub note: String,
    /// What the request is known by, if it is to be sent again from elsewhere: by this program after it
    /// was started anew, say. Where this is empty each call has an id of its own, so that trying again is
    /// safe within the call.
    pub request_id: String,
}

impl Said {
    fn request_id(&self) -> String {
        match self.request_id.is_empty() {
            true => new_id(),
            false => self.request_id.clone(),
        }
    }
}

/// A game that is to begin. All but its id may be empty, and where that is the server makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewGame {
    /// Its id: 1 to 64 lower-case letters, digits and hyphens.
    pub id: String,
    /// Whose it is, in words of one's own.
    pub owner: String,
    /// What it is called.
    pub title: String,
}

/// What a game is advanced to.
#[derive(Clone, Copy, Debug)]
pub enum Next<'a> {
    /// A position on the game's map.
    To(Subject<'a>),
    /// What these changes make of the game's position, on a map with these hexes.
    By(&'a [Change], Grid),
}

/// How far a game has come that has moved on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedOn {
    /// Its etag.
    pub etag: String,
    /// The number of its head.
    pub number: u64,
    /// Its position.
    pub position: Digest,
}

impl Error {
    /// How far the game has come, where it is the error that it has moved on meanwhile. Nothing was changed
    /// then: read what was done, and do it again on what there is.
    #[must_use]
    pub fn moved_on(&self) -> Option<MovedOn> {
        let remote = self.remote()?;
        if remote.reason != Some(ErrorReason::EtagStale) {
            return None;
        }
        let told = |key: &str| remote.metadata.get(key);
        Some(MovedOn {
            etag: told("etag")?.clone(),
            number: told("number")?.parse().ok()?,
            position: told("position_id")?.parse().ok()?,
        })
    }
}

/// A call of which the answer has a game.
macro_rules! for_game {
    ($client:expr, $method:ident, $request:expr) => {{
        let answer = $client.of_games(&$request, |mut stub, request| async move {
            stub.$method(request).await
        });
        answer.await?.game.ok_or_else(no_game)
    }};
}

impl Client {
    /// Begins a game, by the ruleset of this client, which the game pins.
    ///
    /// # Errors
    /// Where the id is taken (`GAME_EXISTS`), or as [`create_position`](Self::create_position).
    pub async fn create_game<'a>(
        &self,
        game: &NewGame,
        start: impl Into<Subject<'a>>,
        said: &Said,
    ) -> Result<v1::Game, Error> {
        use create_game_request::Start;
        let start = match start.into() {
            Subject::Carried(position) => Start::Position(encode::position(position, false)),
            Subject::Kept(kept) => Start::PositionId(kept.id.to_string()),
        };
        let request = v1::CreateGameRequest {
            game_id: game.id.clone(),
            owner: game.owner.clone(),
            title: game.title.clone(),
            start: Some(start),
            ruleset: self.ruleset_or_rules(),
            ignore_layers: Vec::new(),
            by: said.by.clone(),
            note: said.note.clone(),
            request_id: said.request_id(),
        };
        for_game!(self, create_game, request)
    }

    /// A game; as a side sees it, if one is named. It has no etag then.
    ///
    /// # Errors
    /// Where there is none of this id (`GAME_NOT_FOUND`).
    pub async fn game(&self, id: &str, as_side: Option<&str>) -> Result<v1::Game, Error> {
        let request = v1::GetGameRequest {
            game_id: id.to_owned(),
            as_side: as_side.unwrap_or_default().to_owned(),
        };
        for_game!(self, get_game, request)
    }

    /// All games of an owner, or of everybody where it is empty, in the order of their ids.
    ///
    /// # Errors
    /// Where a page of them cannot be had.
    pub async fn list_games(&self, owner: &str) -> Result<Vec<v1::Game>, Error> {
        let mut request = v1::ListGamesRequest {
            owner: owner.to_owned(),
            ..v1::ListGamesRequest::default()
        };
        let mut games = Vec::new();
        loop {
            let page = self.of_games(&request, |mut stub, request| async move {
                stub.list_games(request).await
            });
            let page = page.await?;
            games.extend(page.games);
            if page.next_page_token.is_empty() {
                return Ok(games);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Advances a game from where it was when this was read of it: `game` is how a call before this one
    /// gave it. Gives it as it is then.
    ///
    /// # Errors
    /// Where it has moved on meanwhile ([`Error::moved_on`]), or what it is advanced to makes no sense.
    pub async fn advance_game(
        &self,
        game: &v1::Game,
        next: Next<'_>,
        said: &Said,
    ) -> Result<v1::Game, Error> {
        let request = advancing(game, next, said, false);
        for_game!(self, advance_game, request)
    }

    /// Finds out whether a game could be advanced so, and does not.
    ///
    /// # Errors
    /// As [`advance_game`](Self::advance_game).
    pub async fn may_advance_game(&self, game: &v1::Game, next: Next<'_>) -> Result<(), Error> {
        let request = advancing(game, next, &Said::default(), true);
        for_game!(self, advance_game, request).map(|_| ())
    }

    /// Takes a game back to the position of an older entry, or of the one before its head, by a new entry.
    ///
    /// # Errors
    /// As [`advance_game`](Self::advance_game), and where there is no such entry (`ENTRY_NOT_FOUND`).
    pub async fn undo_game(
        &self,
        game: &v1::Game,
        to: Option<u64>,
        said: &Said,
    ) -> Result<v1::Game, Error> {
        let request = v1::UndoGameRequest {
            game_id: game.game_id.clone(),
            etag: game.etag.clone(),
            to_number: to.unwrap_or_default(),
            by: said.by.clone(),
            note: said.note.clone(),
            request_id: said.request_id(),
        };
        for_game!(self, undo_game, request)
    }

    /// Begins another game at an entry of one, or at its head. What is empty of the new one is as it was.
    ///
    /// # Errors
    /// Where there is no such game or entry, or the new id is taken.
    pub async fn fork_game(
        &self,
        id: &str,
        at: Option<u64>,
        new: &NewGame,
        said: &Said,
    ) -> Result<v1::Game, Error> {
        let request = v1::ForkGameRequest {
            game_id: id.to_owned(),
            number: at.unwrap_or_default(),
            new_game_id: new.id.clone(),
            owner: new.owner.clone(),
            title: new.title.clone(),
            by: said.by.clone(),
            note: said.note.clone(),
            request_id: said.request_id(),
        };
        for_game!(self, fork_game, request)
    }

    /// Has a game played by the ruleset of this client from here on.
    ///
    /// # Errors
    /// As [`advance_game`](Self::advance_game), and where there is no such ruleset or the position makes no
    /// sense by it.
    pub async fn change_game_ruleset(
        &self,
        game: &v1::Game,
        said: &Said,
    ) -> Result<v1::Game, Error> {
        let request = v1::ChangeGameRulesetRequest {
            game_id: game.game_id.clone(),
            etag: game.etag.clone(),
            ruleset: self.ruleset_or_rules(),
            ignore_layers: Vec::new(),
            by: said.by.clone(),
            note: said.note.clone(),
            request_id: said.request_id(),
            validate_only: false,
        };
        for_game!(self, change_game_ruleset, request)
    }

    /// Forgets a game and its history.
    ///
    /// # Errors
    /// Where it has moved on meanwhile, or is not there. After an answer that was lost it is not there.
    pub async fn delete_game(&self, game: &v1::Game) -> Result<(), Error> {
        let request = v1::DeleteGameRequest {
            game_id: game.game_id.clone(),
            etag: game.etag.clone(),
            allow_missing: false,
        };
        let answer = self.of_games(&request, |mut stub, request| async move {
            stub.delete_game(request).await
        });
        answer.await.map(|_| ())
    }

    /// The history of a game, page by page; as a side sees it, if one is named.
    #[must_use]
    pub fn history(&self, id: &str, newest_first: bool, as_side: Option<&str>) -> History {
        History::new(self.clone(), id, newest_first, as_side)
    }

    /// The entries of a game after a number (0 for all), and every further one as soon as it is there; as a
    /// side sees them, if one is named.
    #[must_use]
    pub fn watch_game(&self, id: &str, after: u64, as_side: Option<&str>) -> GameWatch {
        GameWatch::new(self.clone(), id, after, as_side)
    }

    async fn of_games<M: Clone, T, F>(
        &self,
        request: &M,
        send: impl Fn(Stub, Request<M>) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        self.call(request, |request| send(self.games(), request))
            .await
    }
}

fn advancing(
    game: &v1::Game,
    next: Next<'_>,
    said: &Said,
    validate_only: bool,
) -> v1::AdvanceGameRequest {
    use advance_game_request::Next as To;
    let next = match next {
        Next::To(Subject::Carried(position)) => To::Position(encode::position(position, false)),
        Next::To(Subject::Kept(kept)) => To::PositionId(kept.id.to_string()),
        Next::By(changes, grid) => To::Changes(v1::ChangeList {
            changes: changes.iter().map(|it| encode::change(it, &grid)).collect(),
        }),
    };
    v1::AdvanceGameRequest {
        game_id: game.game_id.clone(),
        etag: game.etag.clone(),
        next: Some(next),
        ignore_layers: Vec::new(),
        by: said.by.clone(),
        note: said.note.clone(),
        request_id: said.request_id(),
        validate_only,
    }
}

fn no_game() -> Error {
    Error::Answer("no game in it".into())
}

/// An id that no other request has. Hash maps are seeded at random, and that is random enough here.
fn new_id() -> String {
    let half = || RandomState::new().hash_one(());
    format!("{:016x}{:016x}", half(), half())
}
