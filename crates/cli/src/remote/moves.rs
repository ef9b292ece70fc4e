//! Moves, priced by a service.

use alamein_client::v1::View;
use alamein_terrain::{PathQuestion, Position, PricedPath, Reach, ReachQuestion};
use anyhow::Result;

use super::{Judge, Link};

impl Judge {
    /// Prices a path.
    pub(crate) fn price_path(
        &self,
        position: &Position,
        question: &PathQuestion,
    ) -> Result<PricedPath> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        let priced = client.price_path(position, question, View::Explain);
        Ok(runtime.block_on(priced)?)
    }

    /// Finds what an allowance reaches.
    pub(crate) fn reachable(&self, position: &Position, question: &ReachQuestion) -> Result<Reach> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.reachable(position, question))?)
    }
}
