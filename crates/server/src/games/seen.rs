//! Games as a side sees them.

use alamein_games::{Act, Entry, Standing};
use alamein_proto::{encode, v1};
use alamein_store::Tenant;
use alamein_terrain::diff;

use super::faults::{maps_differ, of_game};
use crate::fault::Fault;
use crate::service::Service;

impl Service {
    /// A game as a side sees it; as it is, where no side is named.
    ///
    /// An etag and ids of entries are hashes of what is hidden, too, so that a side is given none.
    pub(super) async fn game_seen(
        &self,
        tenant: &Tenant,
        game: &Standing,
        side: &str,
    ) -> Result<v1::Game, Fault> {
        let mut told = encode::game(game);
        if !side.is_empty() {
            told.etag = String::new();
            let head = self.entry_seen(tenant, game, (game.head(), None), side);
            told.head = Some(head.await?);
        }
        Ok(told)
    }

    /// An entry as a side sees it; as it is, where no side is named. The entry before it is read if it is
    /// wanted and not given.
    pub(super) async fn entry_seen(
        &self,
        tenant: &Tenant,
        game: &Standing,
        (entry, before): (&Entry, Option<&Entry>),
        side: &str,
    ) -> Result<v1::GameEntry, Fault> {
        let grid = &game.game.grid;
        let mut told = encode::game_entry(entry, grid);
        if side.is_empty() {
            return Ok(told);
        }
        let seen = self.of_entry(tenant, entry).await?.seen_by(side);
        told.entry_id = String::new();
        told.parent_id = String::new();
        told.position_id = seen.id().to_string();
        if let Act::Advanced { .. } = entry.act {
            let before = match before {
                Some(before) => before.clone(),
                None => {
                    let read = self.games.entry(tenant, game, entry.number - 1).await;
                    read.map_err(of_game)?
                }
            };
            let before = self.of_entry(tenant, &before).await?.seen_by(side);
            let changes = diff(&before, &seen).map_err(|error| maps_differ(&error, ""))?;
            let advanced = encode::advanced(&changes, grid);
            told.act = Some(v1::game_entry::Act::Advanced(advanced));
        }
        Ok(told)
    }
}
