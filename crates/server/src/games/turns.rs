//! What a game goes on with: checked, kept, told.

use std::sync::Arc;
use std::time::SystemTime;

use alamein_games::{Act, Begin, Entry, GameError, Said, Standing, Turn};
use alamein_proto::v1;
use alamein_proto::{decode, encode};
use alamein_store::Tenant;
use alamein_terrain::{Digest, Position, diff};

use super::faults::{maps_differ, of_game};
use crate::fault::Fault;
use crate::kept::of_store;
use crate::paths::Given;
use crate::refusal;
use crate::rules::{By, InForce};
use crate::service::{Service, missing, page_after};

/// A game that is to go on, and what the request that wants it has of its own.
struct Going<'a> {
    tenant: &'a Tenant,
    game: &'a str,
    etag: &'a str,
    said: Said,
}

impl Service {
    /// What a client says of what it does, not too long, and the time.
    pub(super) fn said(&self, by: &str, note: &str, request: &str) -> Result<Said, Fault> {
        self.short("by", by)?;
        self.short("note", note)?;
        self.short("request_id", request)?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let millis = since.unwrap_or_default().as_millis();
        Ok(Said {
            by: by.to_owned(),
            note: note.to_owned(),
            request: request.to_owned(),
            at: millis.try_into().unwrap_or(i64::MAX),
        })
    }

    pub(super) fn short(&self, field: &str, text: &str) -> Result<(), Fault> {
        refusal::short(field, text, self.limits.request.max_text)
    }

    /// The rules that a game pins, and what a position is by them.
    async fn pinned(
        &self,
        tenant: &Tenant,
        rules: Digest,
        position: &Arc<Position>,
        ignore_layers: &[String],
        given: Given<'_>,
    ) -> Result<InForce, Fault> {
        let fingerprint = rules.to_string();
        let by = By {
            ruleset: "",
            fingerprint: &fingerprint,
            field: "game_id",
        };
        let rules = self.rules_of(tenant, by).await?;
        self.check(&rules, Arc::clone(position), ignore_layers, given)
            .await?;
        Ok(rules)
    }

    /// The game of a request that wants it to go on; or what the same request made when it was sent
    /// before.
    async fn going(
        &self,
        going: &Going<'_>,
        does: impl Fn(&Entry) -> bool,
    ) -> Result<Result<Standing, Standing>, Fault> {
        if going.etag.is_empty() {
            return Err(missing(
                "etag",
                "the etag of the game as the client knows it",
            ));
        }
        let found = self.games.at(going.tenant, going.game, going.etag).await;
        let now = match found {
            Err(GameError::Stale(now)) => now,
            found => return found.map(Ok).map_err(of_game),
        };
        let request = &going.said.request;
        let before = self
            .games
            .made_before(going.tenant, &now, going.etag, request, does);
        match before.await.map_err(of_game)? {
            Some(made) => Ok(Err(made)),
            None => Err(of_game(GameError::Stale(now))),
        }
    }

    async fn go(&self, going: Going<'_>, from: &Standing, turn: Turn) -> Result<v1::Game, Fault> {
        let done = self
            .games
            .advance(going.tenant, from, turn, going.said)
            .await;
        let standing = done.map_err(of_game)?;
        self.watches.tell(going.tenant, &standing);
        Ok(encode::game(&standing))
    }

    /// The position of an entry of a game, which is kept as long as the game is.
    pub(super) async fn of_entry(
        &self,
        tenant: &Tenant,
        entry: &Entry,
    ) -> Result<Arc<Position>, Fault> {
        let position = self.keeper.position(tenant, entry.position).await;
        let position = position.map_err(|error| of_store(&error))?;
        position.ok_or_else(|| {
            let text = format!(
                "the position {} of entry {} is not there",
                entry.position, entry.number
            );
            Fault::new(v1::ErrorReason::StoreDamaged, text).with("at", entry.position)
        })
    }

    pub(super) async fn game_advanced(
        &self,
        tenant: &Tenant,
        asked: &v1::AdvanceGameRequest,
    ) -> Result<v1::Game, Fault> {
        use v1::advance_game_request::Next;
        let going = Going {
            tenant,
            game: &asked.game_id,
            etag: &asked.etag,
            said: said!(self, asked)?,
        };
        let wanted = match &asked.next {
            None => return Err(missing("next", "a position, the id of one, or changes")),
            Some(Next::Position(position)) => {
                let read = self.position(tenant, position, "position.").await?;
                Some((Arc::new(read), Given::Position(position, "position.")))
            }
            Some(Next::PositionId(id)) => {
                let kept = self.kept_position(tenant, id, "position_id").await?;
                Some((kept, Given::Id))
            }
            Some(Next::Changes(_)) => None,
        };
        let id = wanted.as_ref().map(|(position, _)| position.id());
        let does = |entry: &Entry| {
            let advanced = matches!(entry.act, Act::Advanced { .. });
            advanced && id.is_none_or(|id| entry.position == id)
        };
        let from = match self.going(&going, does).await? {
            Ok(from) => from,
            Err(made) => {
                if let Some(Next::Changes(list)) = &asked.next {
                    self.same_changes(tenant, &made, list).await?;
                }
                return Ok(encode::game(&made));
            }
        };
        let before = self.of_entry(tenant, from.head()).await?;
        let (position, given) = match (wanted, &asked.next) {
            (None, Some(Next::Changes(list))) => (self.changed(&before, list)?, Given::Id),
            (Some(wanted), _) => wanted,
            (None, _) => return Err(missing("next", "a position, the id of one, or changes")),
        };
        let changes = diff(&before, &position).map_err(|error| maps_differ(&error, "position"))?;
        let rules = from.head().rules;
        let _held = self
            .pinned(tenant, rules, &position, &asked.ignore_layers, given)
            .await?;
        if asked.validate_only {
            return Ok(encode::game(&from));
        }
        let turn = Turn {
            act: Act::Advanced { changes },
            position,
            rules,
        };
        self.go(going, &from, turn).await
    }

    /// That these changes are those that made an entry, which a request with the same id made: one that
    /// says something else is not that request sent again, and the game has moved on since.
    async fn same_changes(
        &self,
        tenant: &Tenant,
        made: &Standing,
        list: &v1::ChangeList,
    ) -> Result<(), Fault> {
        let parent = self.games.entry(tenant, made, made.number() - 1).await;
        let before = self.of_entry(tenant, &parent.map_err(of_game)?).await?;
        if self.changed(&before, list)?.id() == made.head().position {
            return Ok(());
        }
        let now = self.games.get(tenant, &made.id).await.map_err(of_game)?;
        Err(of_game(GameError::Stale(Box::new(now))))
    }

    /// What changes make of a position.
    fn changed(&self, before: &Position, list: &v1::ChangeList) -> Result<Arc<Position>, Fault> {
        let refused = |error| refusal::refused(error, "changes.");
        let grid = before.map().grid;
        let changes = decode::changes(&list.changes, &grid, &self.limits.request);
        let changes = changes.map_err(refused)?;
        let applied = before.apply(&changes);
        let (position, _) = applied.map_err(|error| refused(decode::applied(error, &grid)))?;
        Ok(Arc::new(position))
    }

    pub(super) async fn game_undone(
        &self,
        tenant: &Tenant,
        asked: &v1::UndoGameRequest,
    ) -> Result<v1::Game, Fault> {
        let going = Going {
            tenant,
            game: &asked.game_id,
            etag: &asked.etag,
            said: said!(self, asked)?,
        };
        let asked_to = asked.to_number;
        let does = |entry: &Entry| match entry.act {
            Act::Undone { to } => asked_to == to || asked_to == 0,
            _ => false,
        };
        let from = match self.going(&going, does).await? {
            Ok(from) => from,
            Err(made) => return Ok(encode::game(&made)),
        };
        let to = match asked_to {
            0 => from.number() - 1,
            to => to,
        };
        let entry = self.games.entry(tenant, &from, to).await.map_err(of_game)?;
        let turn = Turn {
            act: Act::Undone { to },
            position: self.of_entry(tenant, &entry).await?,
            rules: from.head().rules,
        };
        self.go(going, &from, turn).await
    }

    pub(super) async fn game_ruled(
        &self,
        tenant: &Tenant,
        asked: &v1::ChangeGameRulesetRequest,
    ) -> Result<v1::Game, Fault> {
        let going = Going {
            tenant,
            game: &asked.game_id,
            etag: &asked.etag,
            said: said!(self, asked)?,
        };
        let rules = self.rules_of(tenant, By::named(&asked.ruleset)).await?;
        let fingerprint = rules.ready().revision.fingerprint();
        let does =
            |entry: &Entry| matches!(entry.act, Act::Ruled { .. }) && entry.rules == fingerprint;
        let from = match self.going(&going, does).await? {
            Ok(from) => from,
            Err(made) => return Ok(encode::game(&made)),
        };
        let position = self.of_entry(tenant, from.head()).await?;
        self.check(
            &rules,
            Arc::clone(&position),
            &asked.ignore_layers,
            Given::Id,
        )
        .await?;
        if asked.validate_only {
            return Ok(encode::game(&from));
        }
        self.pin(tenant, &rules).await?;
        let turn = Turn {
            act: Act::Ruled {
                from: from.head().rules,
            },
            position,
            rules: fingerprint,
        };
        self.go(going, &from, turn).await
    }

    pub(super) async fn game_begun(
        &self,
        tenant: &Tenant,
        asked: &v1::CreateGameRequest,
    ) -> Result<(v1::Game, InForce), Fault> {
        use v1::create_game_request::Start;
        let said = said!(self, asked)?;
        self.short("owner", &asked.owner)?;
        self.short("title", &asked.title)?;
        let (position, given) = match &asked.start {
            None => return Err(missing("start", "a position or the id of one")),
            Some(Start::Position(position)) => {
                let read = self.position(tenant, position, "position.").await?;
                (Arc::new(read), Given::Position(position, "position."))
            }
            Some(Start::PositionId(id)) => {
                let kept = self.kept_position(tenant, id, "position_id").await?;
                (kept, Given::Id)
            }
        };
        let rules = self.rules_of(tenant, By::named(&asked.ruleset)).await?;
        self.check(&rules, Arc::clone(&position), &asked.ignore_layers, given)
            .await?;
        self.pin(tenant, &rules).await?;
        let fingerprint = rules.ready().revision.fingerprint();
        let begin = Begin {
            id: asked.game_id.clone(),
            owner: asked.owner.clone(),
            title: asked.title.clone(),
            position,
            rules: fingerprint,
        };
        let begun = self.games.begin(tenant, begin, said).await;
        let begun = begun.map_err(of_game)?;
        // A request that is sent again gives the game that it began, though its ruleset's name stands for
        // another revision by now. One that names its rules themselves wants these and no others.
        if begun.head().rules != fingerprint && asked.ruleset == fingerprint.to_string() {
            return Err(of_game(GameError::Exists(begun.id)));
        }
        Ok((encode::game(&begun), rules))
    }

    pub(super) async fn game_history(
        &self,
        tenant: &Tenant,
        asked: &v1::ListEntriesRequest,
    ) -> Result<v1::ListEntriesResponse, Fault> {
        let (size, token) = page_after::<u64>(asked.page_size, &asked.page_token)?;
        let game = self.games.get(tenant, &asked.game_id).await;
        let game = game.map_err(of_game)?;
        // The token is the number of the last entry that was given. Numbers have no gaps.
        let size_u64 = size as u64;
        let (after, most) = match (asked.newest_first, token) {
            (false, after) => (after.unwrap_or(0), size),
            (true, before) => {
                let last = before.map_or(game.number(), |number| number.saturating_sub(1));
                let last = last.min(game.number());
                let after = last.saturating_sub(size_u64);
                (after, usize::try_from(last - after).unwrap_or(size))
            }
        };
        let entries = match most {
            0 => Vec::new(),
            most => self
                .games
                .entries(tenant, &game, after, most)
                .await
                .map_err(of_game)?,
        };
        let mut told = Vec::with_capacity(entries.len());
        let mut before = None;
        for entry in &entries {
            let seen = self.entry_seen(tenant, &game, (entry, before), &asked.as_side);
            told.push(seen.await?);
            before = Some(entry);
        }
        let mut entries = told;
        if asked.newest_first {
            entries.reverse();
        }
        let last = entries.last().map(|entry| entry.number);
        let next = last.filter(|last| match asked.newest_first {
            true => *last > 1,
            false => *last < game.number(),
        });
        Ok(v1::ListEntriesResponse {
            entries,
            next_page_token: next.map(|last| last.to_string()).unwrap_or_default(),
        })
    }
}
