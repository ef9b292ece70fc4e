//! Positions that a server keeps: made by changes, and read back.

use std::sync::Arc;

use alamein_proto::{Limits, decode, encode, v1};
use alamein_terrain::{Change, Digest, Map, Position};

use crate::client::{Client, other_position};
use crate::error::Error;
use crate::subject::Subject;

/// The most that is accepted of a server: it has limits of its own.
const ANY: Limits = Limits {
    max_hexes: usize::MAX,
    max_counters: usize::MAX,
    max_changes: usize::MAX,
    max_steps: usize::MAX,
    max_probes: usize::MAX,
    max_text: usize::MAX,
};

/// What came of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The id of the position that came of them, under which it is kept.
    pub id: Digest,
    /// The id of as much of it as whoever made the changes knows: the same, unless that was a side.
    pub seen: Digest,
    /// Whether it is new there. A side is not told.
    pub created: bool,
}

impl Client {
    /// Makes changes of a position, and lets the server keep what comes of it, unless it is to be tried
    /// only. Layers that no plugin owns are not accepted; the stub of [`positions`](Self::positions) can
    /// ask that they be.
    ///
    /// # Errors
    /// Where a change cannot be made, the server does not accept what comes of it, or has no room.
    pub async fn apply<'a>(
        &self,
        subject: impl Into<Subject<'a>>,
        changes: &[Change],
        validate_only: bool,
    ) -> Result<Applied, Error> {
        let subject = subject.into();
        let answer = self.applied(subject, changes, validate_only, "").await?;
        let theirs = answer.previous_position_id;
        if theirs != subject.id().to_string() {
            return Err(other_position(&theirs, subject.id()));
        }
        let id = read_id(&answer.position_id)?;
        Ok(Applied {
            id,
            seen: id,
            created: answer.created,
        })
    }

    /// The same for a side, which can name nothing that is hidden from it: the id of a hidden counter is
    /// that of none. What comes of it is for whoever runs the game.
    ///
    /// # Errors
    /// As [`apply`](Self::apply), and `HIDDEN` where only something hidden is in the way.
    pub async fn apply_as<'a>(
        &self,
        side: &str,
        subject: impl Into<Subject<'a>>,
        changes: &[Change],
        validate_only: bool,
    ) -> Result<Applied, Error> {
        let answer = self.applied(subject.into(), changes, validate_only, side);
        let answer = answer.await?;
        Ok(Applied {
            id: read_id(&answer.kept_position_id)?,
            seen: read_id(&answer.position_id)?,
            created: answer.created,
        })
    }

    async fn applied(
        &self,
        subject: Subject<'_>,
        changes: &[Change],
        validate_only: bool,
        as_side: &str,
    ) -> Result<v1::ApplyChangesResponse, Error> {
        let grid = subject.grid();
        let request = v1::ApplyChangesRequest {
            subject: Some(subject.message()),
            changes: changes.iter().map(|it| encode::change(it, &grid)).collect(),
            ignore_layers: Vec::new(),
            ruleset: self.ruleset_or_rules(),
            validate_only,
            as_side: as_side.to_owned(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.positions();
            async move { stub.apply_changes(request).await }
        });
        answer.await
    }

    /// A position that the server keeps; or as much of it as a side knows, which has an id of its own.
    ///
    /// # Errors
    /// Where it is not kept there.
    pub async fn position(&self, id: Digest, as_side: Option<&str>) -> Result<Position, Error> {
        let request = v1::GetPositionRequest {
            position_id: id.to_string(),
            as_side: as_side.unwrap_or_default().to_owned(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.positions();
            async move { stub.get_position(request).await }
        });
        let answer = answer.await?;
        let message = answer.position;
        let message = message.ok_or_else(|| Error::Answer("no position in it".into()))?;
        let map = match &message.map_source {
            Some(v1::position::MapSource::MapId(map_id)) => Some(Arc::new(self.map(map_id).await?)),
            _ => None,
        };
        let known = |_| map.clone();
        let position = decode::position(&message, &ANY, &known);
        let position = position.map_err(|error| Error::Answer(error.to_string()))?;
        let wanted = match as_side {
            None => id,
            Some(_) => read_id(&answer.position_id)?,
        };
        if position.id() != wanted {
            return Err(other_position(&position.id().to_string(), wanted));
        }
        Ok(position)
    }

    async fn map(&self, map_id: &str) -> Result<Map, Error> {
        let request = v1::GetMapRequest {
            map_id: map_id.to_owned(),
        };
        let answer = self.call(&request, |request| {
            let mut stub = self.maps();
            async move { stub.get_map(request).await }
        });
        let map = answer.await?.map;
        let map = map.ok_or_else(|| Error::Answer("no map in it".into()))?;
        decode::map(&map, &ANY).map_err(|error| Error::Answer(error.to_string()))
    }
}

fn read_id(id: &str) -> Result<Digest, Error> {
    id.parse()
        .map_err(|why: &str| Error::Answer(format!("an id in it: {why}")))
}
