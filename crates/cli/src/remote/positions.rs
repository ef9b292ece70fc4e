//! Positions that a service keeps.

use alamein_cases::{Export, Exported, write_line};
use alamein_client::{Applied, View};
use alamein_terrain::{Change, Digest, Position, Question};
use anyhow::Result;

use super::{BATCH, Link, Remote};

impl Remote {
    /// A position that it keeps, as far as a side knows it if one is given.
    pub(crate) fn position(&self, id: Digest, as_side: Option<&str>) -> Result<Position> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.position(id, as_side))?)
    }

    /// Makes changes of a position, of a side if one is given.
    pub(crate) fn apply(
        &self,
        before: &Position,
        changes: &[Change],
        validate_only: bool,
        as_side: Option<&str>,
    ) -> Result<Applied> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(async {
            match as_side {
                None => client.apply(before, changes, validate_only).await,
                Some(side) => client.apply_as(side, before, changes, validate_only).await,
            }
        })?)
    }

    /// Lets it keep a position.
    pub(crate) fn create_position(&self, position: &Position) -> Result<Digest> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        Ok(runtime.block_on(client.create_position(position))?.id)
    }

    /// What it rules on questions, each as a line of a record; or why it does not.
    pub(crate) fn record(
        &self,
        position: &Position,
        questions: &[Question],
    ) -> Result<Vec<Result<String, alamein_client::Error>>> {
        let Link {
            runtime, client, ..
        } = &*self.link;
        let mut lines = Vec::new();
        for batch in questions.chunks(BATCH) {
            let answers = client.adjudicate(position, batch, View::Explain);
            let answers = runtime.block_on(answers)?;
            for (question, answer) in batch.iter().zip(answers) {
                lines.push(answer.map(|ruled| {
                    let id = ruled.ruling.id.to_string();
                    let ruling = Exported {
                        id: &id,
                        question,
                        ruled: &ruled,
                    };
                    let export = Export {
                        id: &id,
                        position,
                        rulings: &[ruling],
                        settings: &self.settings,
                        fingerprint: ruled.ruling.rules,
                    };
                    write_line(&export, &self.facts.known)
                }));
            }
        }
        Ok(lines)
    }
}
