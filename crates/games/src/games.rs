//! What is done with games.

use std::sync::Arc;

use alamein_store::{
    Keeper, Kind, Logged, Move, Moved, Object, RefKind, RefName, StoreError, Tenant,
};
use alamein_terrain::{Digest, Position};

use crate::entry::{Act, Entry};
use crate::error::GameError;
use crate::named::{Named, fits};
use crate::standing::{Game, Standing, number_of};

/// How many entries are looked through for one that a request made that is sent again.
const AGAIN: usize = 256;

/// What clients say with whatever they do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Who does it.
    pub by: String,
    /// What to say of it.
    pub note: String,
    /// The id of the request; empty if it has none.
    pub request: String,
    /// When it is done, in milliseconds since 1970.
    pub at: i64,
}

/// How a game begins.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The id that it is to have; if it is empty, one that comes of the request's, or a random one.
    pub id: String,
    /// Whose it is.
    pub owner: String,
    /// What it is called.
    pub title: String,
    /// Where it begins.
    pub position: Arc<Position>,
    /// The fingerprint of the rules.
    pub rules: Digest,
}

/// What a game goes on with.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What is done.
    pub act: Act,
    /// The position that it comes to.
    pub position: Arc<Position>,
    /// The fingerprint of the rules from here on.
    pub rules: Digest,
}

/// How a game is forked.
#[derive(Clone, Debug, Default)]
pub struct Fork {
    /// The number of the entry to fork it at; its head if it is 0.
    pub number: u64,
    /// The id that the new game is to have; if it is empty, one that comes of the request's, or a random one.
    pub id: String,
    /// Whose the new game is; whose the old one is if it is empty.
    pub owner: String,
    /// What the new game is called; as the old one if it is empty.
    pub title: String,
}

/// The games of a store. Clones share them.
#[derive(Clone, Debug)]
pub struct Games {
    keeper: Keeper,
}

impl Games {
    /// The games of the store behind a keeper.
    #[must_use]
    pub fn new(keeper: Keeper) -> Self {
        Self { keeper }
    }

    /// Begins a game. The same request again gives the game as it was begun, whatever the rules are by now
    /// and however it went on.
    ///
    /// # Errors
    /// Where the id is taken or cannot be one, or the store fails.
    pub async fn begin(
        &self,
        tenant: &Tenant,
        begin: Begin,
        said: Said,
    ) -> Result<Standing, GameError> {
        let id = Named::of(begin.id, "begin", &said.request)?;
        let (position, owner, title) = (
            begin.position.id(),
            begin.owner.clone(),
            begin.title.clone(),
        );
        let does = move |there: &Game, first: &Entry| {
            let same = first.act == Act::Begun && first.position == position;
            same && there.owner == owner && there.title == title
        };
        let head = Entry {
            number: 1,
            parent: None,
            position,
            rules: begin.rules,
            act: Act::Begun,
            by: said.by,
            note: said.note,
            request: said.request,
            at: said.at,
        };
        let game = Game {
            owner: begin.owner,
            title: begin.title,
            begun: said.at,
            forked_from: None,
            grid: begin.position.map().grid,
            head,
        };
        self.keeper.keep_position(tenant, begin.position).await?;
        self.make(tenant, &id, game, does).await
    }

    /// Begins a game at an entry of another one, with the rules of that entry. The same request again gives
    /// the game as it was begun, however either of the two went on.
    ///
    /// # Errors
    /// Where there is no such game or entry, the id is taken or cannot be one, or the store fails.
    pub async fn fork(
        &self,
        tenant: &Tenant,
        game: &str,
        fork: Fork,
        said: Said,
    ) -> Result<Standing, GameError> {
        let id = Named::of(fork.id, "fork", &said.request)?;
        let asked = (game, fork.number, fork.owner.clone(), fork.title.clone());
        let does = |there: &Game, first: &Entry| {
            let (of, at, owner, title) = &asked;
            let is = |asked: &str, there: &str| asked.is_empty() || asked == there;
            match &first.act {
                Act::Forked { game, number } => {
                    let same = game == of && (*at == 0 || number == at);
                    same && is(owner, &there.owner) && is(title, &there.title)
                }
                _ => false,
            }
        };
        // The other game may have gone on since, or be gone.
        if !said.request.is_empty() {
            match self.get(tenant, &id.name).await {
                Ok(there) => return self.again(tenant, &id, there, &said.request, does).await,
                Err(GameError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let of = self.get(tenant, game).await?;
        let number = match fork.number {
            0 => of.number(),
            number => number,
        };
        let entry = self.entry(tenant, &of, number).await?;
        let from = (game.to_owned(), number);
        let or = |new: String, old: String| if new.is_empty() { old } else { new };
        let head = Entry {
            number: 1,
            parent: Some(entry.id()),
            position: entry.position,
            rules: entry.rules,
            act: Act::Forked {
                game: from.0.clone(),
                number,
            },
            by: said.by,
            note: said.note,
            request: said.request,
            at: said.at,
        };
        let game = Game {
            owner: or(fork.owner, of.game.owner),
            title: or(fork.title, of.game.title),
            begun: said.at,
            forked_from: Some(from),
            grid: of.game.grid,
            head,
        };
        self.make(tenant, &id, game, does).await
    }

    async fn make(
        &self,
        tenant: &Tenant,
        id: &Named,
        game: Game,
        does: impl Fn(&Game, &Entry) -> bool,
    ) -> Result<Standing, GameError> {
        let new = Standing {
            id: id.name.clone(),
            game,
        };
        let Err(there) = self.swap(tenant, &new, 0).await? else {
            return Ok(new);
        };
        let there = there.ok_or_else(|| GameError::NotFound(new.id.clone()))?;
        let request = &new.head().request;
        self.again(tenant, id, there, request, does).await
    }

    /// A game that is there already, as it was begun: if this very request did, which is sent again.
    async fn again(
        &self,
        tenant: &Tenant,
        id: &Named,
        there: Standing,
        request: &str,
        does: impl Fn(&Game, &Entry) -> bool,
    ) -> Result<Standing, GameError> {
        let first = self.entry(tenant, &there, 1).await?;
        let same = !request.is_empty() && first.request == request;
        if same && does(&there.game, &first) {
            return Ok(there.with_head(first));
        }
        Err(match id.of_request {
            true => GameError::RequestUsed(there.id),
            false => GameError::Exists(there.id),
        })
    }

    /// A game as it stands.
    ///
    /// # Errors
    /// Where there is none of this id, or the store fails.
    pub async fn get(&self, tenant: &Tenant, id: &str) -> Result<Standing, GameError> {
        let not_found = || GameError::NotFound(id.to_owned());
        if !fits(id) {
            return Err(not_found());
        }
        let state = self.keeper.store().read(tenant, &RefName::game(id)).await?;
        Ok(Standing::of(id, &state.ok_or_else(not_found)?)?)
    }

    /// So many games in the order of their ids, those after `after`, and whether there are more.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn list(
        &self,
        tenant: &Tenant,
        after: Option<&str>,
        size: usize,
    ) -> Result<(Vec<Standing>, bool), GameError> {
        let store = self.keeper.store();
        let mut refs = store.refs(tenant, RefKind::Game, after, size + 1).await?;
        let more = refs.len() > size;
        refs.truncate(size);
        let games = refs.iter().map(|(id, state)| Standing::of(id, state));
        Ok((games.collect::<Result<_, _>>()?, more))
    }

    /// The game of this id, if it still stands where it had this etag, so that it can go on.
    ///
    /// # Errors
    /// Where there is none, or it has moved on, or the store fails.
    pub async fn at(&self, tenant: &Tenant, id: &str, etag: &str) -> Result<Standing, GameError> {
        let standing = self.get(tenant, id).await?;
        if standing.etag() == etag {
            return Ok(standing);
        }
        Err(GameError::Stale(Box::new(standing)))
    }

    /// Goes on with a game from where it stood. The same request at the same time, such as one that is sent
    /// again while a replica that was killed still had it kept, gives what the first of them made.
    ///
    /// # Errors
    /// Where it has moved on since, or the store fails.
    pub async fn advance(
        &self,
        tenant: &Tenant,
        from: &Standing,
        turn: Turn,
        said: Said,
    ) -> Result<Standing, GameError> {
        let next = from.with_head(Entry {
            number: from.number() + 1,
            parent: Some(from.head().id()),
            position: turn.position.id(),
            rules: turn.rules,
            act: turn.act,
            by: said.by,
            note: said.note,
            request: said.request,
            at: said.at,
        });
        self.keeper.keep_position(tenant, turn.position).await?;
        match self.swap(tenant, &next, from.number()).await? {
            Ok(()) => Ok(next),
            Err(None) => Err(GameError::NotFound(from.id.clone())),
            Err(Some(now)) => {
                let wanted = next.head();
                // Sent again it has another time.
                let does = |entry: &Entry| {
                    *entry
                        == Entry {
                            at: entry.at,
                            ..wanted.clone()
                        }
                };
                let etag = from.etag();
                let made = self.made_before(tenant, &now, &etag, &wanted.request, does);
                made.await?.ok_or_else(|| GameError::Stale(Box::new(now)))
            }
        }
    }

    /// What a request made that is sent again: an entry since the game had this etag that has the
    /// request's id and does the same. A request without an id is never one that is sent again.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn made_before(
        &self,
        tenant: &Tenant,
        now: &Standing,
        etag: &str,
        request: &str,
        does: impl Fn(&Entry) -> bool,
    ) -> Result<Option<Standing>, GameError> {
        let Some(number) = number_of(etag).filter(|_| !request.is_empty()) else {
            return Ok(None);
        };
        // The etag must have been one of this game.
        let known = match number {
            number if number >= now.number() => return Ok(None),
            number => self.entry(tenant, now, number).await?,
        };
        if now.with_head(known).etag() != etag {
            return Ok(None);
        }
        for entry in self.entries(tenant, now, number, AGAIN).await? {
            if entry.request == request && does(&entry) {
                return Ok(Some(now.with_head(entry)));
            }
        }
        Ok(None)
    }

    /// Forgets a game that stands here.
    ///
    /// # Errors
    /// Where it has moved on since, or the store fails.
    pub async fn end(&self, tenant: &Tenant, standing: &Standing) -> Result<(), GameError> {
        let (at, version) = (standing.at(), standing.number());
        if self.keeper.store().forget(tenant, &at, version).await? {
            return Ok(());
        }
        let now = self.get(tenant, &standing.id).await?;
        Err(GameError::Stale(Box::new(now)))
    }

    /// So many entries of a game in order, those after a number.
    ///
    /// # Errors
    /// Where the store fails or has not what it should.
    pub async fn entries(
        &self,
        tenant: &Tenant,
        game: &Standing,
        after: u64,
        most: usize,
    ) -> Result<Vec<Entry>, GameError> {
        let at = game.at();
        let log = self.keeper.store().log(tenant, &at, after, most).await?;
        let ids: Vec<Digest> = log.iter().map(|line| line.id).collect();
        let found = self.keeper.objects(tenant, Kind::Entry, &ids).await?;
        let lines = log.into_iter().zip(found);
        lines.map(|(line, it)| logged(game, line, it)).collect()
    }

    /// The entry of a number.
    ///
    /// # Errors
    /// Where there is none, or the store fails or has not what it should.
    pub async fn entry(
        &self,
        tenant: &Tenant,
        game: &Standing,
        number: u64,
    ) -> Result<Entry, GameError> {
        if number == game.number() {
            return Ok(game.head().clone());
        }
        let none = || GameError::NoEntry {
            game: game.id.clone(),
            number,
            head: game.number(),
        };
        let before = number.checked_sub(1).ok_or_else(none)?;
        let log = self
            .keeper
            .store()
            .log(tenant, &game.at(), before, 1)
            .await?;
        match log.first() {
            Some(line) if line.version == number => {
                let found = self.keeper.object(tenant, Kind::Entry, line.id).await?;
                logged(game, *line, found)
            }
            _ => Err(none()),
        }
    }

    /// Has a game stand so, if it stands at the entry before; tells how it stands if it does not.
    async fn swap(
        &self,
        tenant: &Tenant,
        next: &Standing,
        from: u64,
    ) -> Result<Result<(), Option<Standing>>, GameError> {
        let entry = Object::new(Kind::Entry, next.head().canonical());
        let change = Move {
            at: next.at(),
            from,
            value: next.game.canonical().into(),
            log: Some(entry.id()),
            objects: vec![entry],
        };
        match self.keeper.store().advance(tenant, change).await? {
            Moved::Done(_) => Ok(Ok(())),
            Moved::Stale(None) => Ok(Err(None)),
            Moved::Stale(Some(state)) => Ok(Err(Some(Standing::of(&next.id, &state)?))),
        }
    }
}

/// The entry of a line of a game's log, of which the store has this.
fn logged(game: &Standing, line: Logged, found: Option<Object>) -> Result<Entry, GameError> {
    let damaged = |what: String| StoreError::Damaged {
        at: format!("entry {} of game {}", line.version, game.id),
        what,
    };
    let object = found.ok_or_else(|| damaged("it is not there".into()))?;
    let entry = Entry::from_canonical(object.bytes());
    let entry = entry.map_err(|error| damaged(error.to_string()))?;
    if entry.number == line.version {
        return Ok(entry);
    }
    Err(damaged(format!("it says that it is entry {}", entry.number)).into())
}
