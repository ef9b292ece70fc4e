//! Positions that a service keeps.

use alamein_client::Applied;
use alamein_terrain::{Change, Digest, Position};
use anyhow::Result;

use super::{Link, Remote};

impl Remote {
    /// A position that it keeps, as far as a side knows it if one is given.
    pub(crate) fn position(&self, id: Digest, as_side: Option<&str>) -> Result<Position> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.position(id, as_side))?)
    }

    /// Makes changes of a position.
    pub(crate) fn apply(
        &self,
        before: &Position,
        changes: &[Change],
        validate_only: bool,
    ) -> Result<Applied> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.apply(before, changes, validate_only))?)
    }

    /// Lets it keep a position.
    pub(crate) fn create_position(&self, position: &Position) -> Result<Digest> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.create_position(position))?.id)
    }
}
