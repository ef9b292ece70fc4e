//! Fields of view, by a service.

use std::pin::pin;

use alamein_client::{Client, Subject};
use alamein_terrain::{FieldOfView, FieldQuestion, PairsQuestion, Position};
use anyhow::Result;
use futures::{StreamExt as _, stream};

use super::{Judge, Link};

/// How many hexes are asked about at once.
const AT_ONCE: usize = 4;

impl Judge {
    /// Finds what somebody sees.
    pub(crate) fn field_of_view(
        &self,
        position: &Position,
        question: &FieldQuestion,
    ) -> Result<FieldOfView> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        let looking = client.look(position, question);
        Ok(runtime.block_on(async { looking.await?.whole().await })?)
    }

    /// Finds what is seen from each hex, one after another.
    pub(crate) fn all_pairs(
        &self,
        position: &Position,
        question: &PairsQuestion,
        each: &mut dyn FnMut(FieldOfView) -> Result<()>,
    ) -> Result<()> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        runtime.block_on(async {
            let subject = kept(client, position).await;
            let view = |hex| {
                let question = question.from(hex);
                async move { client.field_of_view(subject, &question).await }
            };
            let fields = stream::iter(position.map().grid.hexes().map(view));
            let mut fields = pin!(fields.buffered(AT_ONCE));
            while let Some(field) = fields.next().await {
                each(field?)?;
            }
            Ok(())
        })
    }
}

/// The position as the service keeps it, so that not every request carries it; where it keeps none, as
/// it is.
async fn kept<'a>(client: &Client, position: &'a Position) -> Subject<'a> {
    match client.create_position(position).await {
        Ok(kept) => kept.into(),
        Err(_) => position.into(),
    }
}
