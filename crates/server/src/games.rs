//! The game service.

/// What a client says of what it does, as messages have it. All of them have the same three fields.
macro_rules! said {
    ($service:expr, $asked:expr) => {
        $service.said(&$asked.by, &$asked.note, &$asked.request_id)
    };
}

mod faults;
mod seen;
mod turns;
mod watch;

use std::pin::Pin;

use alamein_games::{Fork, GameError};
use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::game_service_server::GameService;
use futures::Stream;
use tonic::{Request, Response, Status};

use crate::audit::Deed;
use crate::auth::Caller;
use crate::service::{Service, missing, page_after};
use crate::transport::{Drain, Place};

use faults::of_game;

use watch::Watched;

pub(crate) use watch::Watches;

#[tonic::async_trait]
impl GameService for Service {
    async fn create_game(
        &self,
        request: Request<v1::CreateGameRequest>,
    ) -> Result<Response<v1::CreateGameResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        deed.note("game_id", &request.get_ref().game_id);
        let (game, rules) = self.game_begun(&tenant, request.get_ref()).await?;
        deed.game(&game);
        let game = Some(game);
        Ok(rules.answer(v1::CreateGameResponse { game }))
    }

    async fn get_game(
        &self,
        request: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let asked = request.get_ref();
        let game = self.games.get(&tenant, &asked.game_id).await;
        let game = game.map_err(of_game)?;
        let game = Some(self.game_seen(&tenant, &game, &asked.as_side).await?);
        Ok(Response::new(v1::GetGameResponse { game }))
    }

    async fn list_games(
        &self,
        request: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let asked = request.get_ref();
        let (size, after) = page_after::<String>(asked.page_size, &asked.page_token)?;
        let listed = self.games.list(&tenant, after.as_deref(), size).await;
        let (games, more) = listed.map_err(of_game)?;
        let next = games.last().filter(|_| more).map(|game| game.id.clone());
        let mut told = Vec::new();
        for game in &games {
            if asked.owner.is_empty() || game.game.owner == asked.owner {
                told.push(self.game_seen(&tenant, game, &asked.as_side).await?);
            }
        }
        Ok(Response::new(v1::ListGamesResponse {
            games: told,
            next_page_token: next.unwrap_or_default(),
        }))
    }

    async fn advance_game(
        &self,
        request: Request<v1::AdvanceGameRequest>,
    ) -> Result<Response<v1::AdvanceGameResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        deed.note("game_id", &request.get_ref().game_id);
        deed.only_checks(request.get_ref().validate_only);
        let game = self.game_advanced(&tenant, request.get_ref()).await?;
        deed.game(&game);
        let game = Some(game);
        Ok(Response::new(v1::AdvanceGameResponse { game }))
    }

    async fn undo_game(
        &self,
        request: Request<v1::UndoGameRequest>,
    ) -> Result<Response<v1::UndoGameResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        deed.note("game_id", &request.get_ref().game_id);
        let game = self.game_undone(&tenant, request.get_ref()).await?;
        deed.game(&game);
        let game = Some(game);
        Ok(Response::new(v1::UndoGameResponse { game }))
    }

    async fn fork_game(
        &self,
        request: Request<v1::ForkGameRequest>,
    ) -> Result<Response<v1::ForkGameResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        let asked = request.into_inner();
        deed.note("forked_from", &asked.game_id);
        deed.note("game_id", &asked.new_game_id);
        let said = said!(self, asked)?;
        self.short("owner", &asked.owner)?;
        self.short("title", &asked.title)?;
        let fork = Fork {
            number: asked.number,
            id: asked.new_game_id,
            owner: asked.owner,
            title: asked.title,
        };
        let forked = self.games.fork(&tenant, &asked.game_id, fork, said).await;
        let game = encode::game(&forked.map_err(of_game)?);
        deed.game(&game);
        let game = Some(game);
        Ok(Response::new(v1::ForkGameResponse { game }))
    }

    async fn change_game_ruleset(
        &self,
        request: Request<v1::ChangeGameRulesetRequest>,
    ) -> Result<Response<v1::ChangeGameRulesetResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        deed.note("game_id", &request.get_ref().game_id);
        deed.only_checks(request.get_ref().validate_only);
        let game = self.game_ruled(&tenant, request.get_ref()).await?;
        deed.game(&game);
        let game = Some(game);
        Ok(Response::new(v1::ChangeGameRulesetResponse { game }))
    }

    async fn delete_game(
        &self,
        request: Request<v1::DeleteGameRequest>,
    ) -> Result<Response<v1::DeleteGameResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        Deed::of(&request).note("game_id", &request.get_ref().game_id);
        let v1::DeleteGameRequest {
            game_id,
            etag,
            allow_missing,
        } = request.get_ref();
        if etag.is_empty() {
            return Err(missing("etag", "the etag of the game as the client knows it").into());
        }
        let ended = async {
            let standing = self.games.at(&tenant, game_id, etag).await?;
            self.games.end(&tenant, &standing).await?;
            self.watches.tell(&tenant, &standing);
            Ok(())
        };
        match ended.await {
            Err(GameError::NotFound(id)) if *allow_missing && !id.is_empty() => {}
            ended => ended.map_err(of_game)?,
        }
        Ok(Response::new(v1::DeleteGameResponse {}))
    }

    async fn list_entries(
        &self,
        request: Request<v1::ListEntriesRequest>,
    ) -> Result<Response<v1::ListEntriesResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let history = self.game_history(&tenant, request.get_ref()).await?;
        Ok(Response::new(history))
    }

    type WatchGameStream =
        Pin<Box<dyn Stream<Item = Result<v1::WatchGameResponse, Status>> + Send>>;

    async fn watch_game(
        &self,
        request: Request<v1::WatchGameRequest>,
    ) -> Result<Response<Self::WatchGameStream>, Status> {
        let tenant = Caller::of(&request).tenant;
        let (drain, place) = (Drain::of(&request), Place::of(&request));
        let v1::WatchGameRequest {
            game_id,
            after_number,
            as_side,
        } = request.into_inner();
        let whom = Watched {
            tenant,
            game: game_id,
            as_side,
        };
        let stream = self.watch(whom, after_number, drain).await?;
        // Most of the time it waits: that is no work, and counted by a limit of its own.
        place.iter().for_each(Place::give_up);
        Ok(Response::new(Box::pin(stream)))
    }
}
