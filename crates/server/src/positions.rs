//! The position service.

use std::sync::Arc;

use alamein_proto::v1::position_service_server::PositionService;
use alamein_proto::v1::{self, ErrorReason};
use alamein_proto::{decode, encode};
use alamein_store::Tenant;
use alamein_terrain::{Change, Changed, Digest, Position, changed, diff};
use tonic::{Code, Request, Response, Status};

use crate::adjudication::{check_side, hidden};
use crate::audit::Deed;
use crate::auth::Caller;
use crate::fault::{Fault, code};
use crate::kept::of_store;
use crate::maps::aside;
use crate::paths::Given;
use crate::refusal;
use crate::rules::By;
use crate::service::{Service, missing};

#[tonic::async_trait]
impl PositionService for Service {
    async fn create_position(
        &self,
        request: Request<v1::CreatePositionRequest>,
    ) -> Result<Response<v1::CreatePositionResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        let v1::CreatePositionRequest {
            position,
            ignore_layers,
            ruleset,
            validate_only,
        } = request.into_inner();
        let given = position.ok_or_else(|| missing("position", "the position to keep"))?;
        let position = Arc::new(self.position(&tenant, &given, "position.").await?);
        let given = Given::Position(&given, "position.");
        let rules = self.rules_of(&tenant, By::named(&ruleset)).await?;
        self.check(&rules, Arc::clone(&position), &ignore_layers, given)
            .await?;
        let (position_id, map_id) = (position.id(), position.map_id());
        deed.note("position_id", position_id);
        deed.note("map_id", map_id);
        deed.only_checks(validate_only);
        let created = self.kept_or_new(&tenant, position, validate_only).await?;
        Ok(rules.answer(v1::CreatePositionResponse {
            position_id: position_id.to_string(),
            map_id: map_id.to_string(),
            created,
            rules_fingerprint: rules.fingerprint(),
        }))
    }

    async fn apply_changes(
        &self,
        request: Request<v1::ApplyChangesRequest>,
    ) -> Result<Response<v1::ApplyChangesResponse>, Status> {
        let (tenant, deed) = (Caller::of(&request).tenant, Deed::of(&request));
        let asked = request.get_ref();
        let side = asked.as_side.as_str();
        check_side(side, self.limits.request.max_text)?;
        let before = self.subject(&tenant, asked.subject.as_ref()).await?;
        let grid = before.map().grid;
        let changes = decode::changes(&asked.changes, &grid, &self.limits.request);
        let changes = changes.map_err(|error| refusal::refused(error, ""))?;
        let (told, after) = {
            let (before, side) = (Arc::clone(&before), side.to_owned());
            aside(move || made(&before, &changes, &side)).await?
        };
        let most = self.limits.request.max_counters;
        if told.after.counters().len() > most {
            return Err(too_many(told.after.counters().len(), most).into());
        }
        let rules = self.rules_of(&tenant, By::named(&asked.ruleset)).await?;
        let given = Given::of(asked.subject.as_ref());
        self.check(&rules, Arc::clone(&told.after), &asked.ignore_layers, given)
            .await?;
        if !side.is_empty() {
            if after.counters().len() > most {
                return Err(hidden().into());
            }
            let checked = self.check(&rules, Arc::clone(&after), &asked.ignore_layers, Given::Id);
            checked.await.map_err(of_the_hidden)?;
        }
        let (kept_id, map_id) = (after.id(), after.map_id());
        deed.note("previous_position_id", before.id());
        deed.note("position_id", kept_id);
        deed.only_checks(asked.validate_only);
        let created = self
            .kept_or_new(&tenant, after, asked.validate_only)
            .await?;
        let difference = |changed| encode::difference(changed, &grid);
        Ok(rules.answer(v1::ApplyChangesResponse {
            previous_position_id: told.before.to_string(),
            position_id: told.after.id().to_string(),
            map_id: map_id.to_string(),
            differences: told.changed.iter().map(difference).collect(),
            created: created && side.is_empty(),
            rules_fingerprint: rules.fingerprint(),
            kept_position_id: kept_id.to_string(),
        }))
    }

    async fn get_position(
        &self,
        request: Request<v1::GetPositionRequest>,
    ) -> Result<Response<v1::GetPositionResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let v1::GetPositionRequest {
            position_id,
            as_side,
        } = request.into_inner();
        check_side(&as_side, self.limits.request.max_text)?;
        let position = self.kept_position(&tenant, &position_id, "position_id");
        let position = known(position.await?, &as_side);
        Ok(Response::new(v1::GetPositionResponse {
            position_id: position.id().to_string(),
            position: Some(encode::position(&position, true)),
        }))
    }

    async fn diff_positions(
        &self,
        request: Request<v1::DiffPositionsRequest>,
    ) -> Result<Response<v1::DiffPositionsResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let v1::DiffPositionsRequest {
            before,
            after,
            as_side,
        } = request.into_inner();
        check_side(&as_side, self.limits.request.max_text)?;
        let before = self.subject_in(&tenant, before.as_ref(), "before").await?;
        let after = self.subject_in(&tenant, after.as_ref(), "after").await?;
        let answer = aside(move || differing(&known(before, &as_side), &known(after, &as_side)));
        Ok(Response::new(answer.await?))
    }
}

impl Service {
    /// Keeps a position, or only looks whether it is kept. Tells whether it is new.
    async fn kept_or_new(
        &self,
        tenant: &Tenant,
        position: Arc<Position>,
        validate_only: bool,
    ) -> Result<bool, Fault> {
        let new = match validate_only {
            true => {
                let kept = self.keeper.position(tenant, position.id()).await;
                kept.map(|kept| kept.is_none())
            }
            false => self.keeper.keep_position(tenant, position).await,
        };
        new.map_err(|error| of_store(&error))
    }
}

/// A position as far as a side knows it, if one asks.
fn known(position: Arc<Position>, as_side: &str) -> Arc<Position> {
    match as_side {
        "" => position,
        side => Arc::new(position.seen_by(side)),
    }
}

/// What whoever changes a position is told of it.
struct Told {
    /// The id of the position that was changed.
    before: Digest,
    after: Arc<Position>,
    changed: Vec<Changed>,
}

/// Makes changes, of a side if one is named: gives what is told of them, and what comes of them.
///
/// What a side is told is what comes of its changes on the position as it knows it, so that it is a function
/// of that and of nothing else.
fn made(before: &Position, changes: &[Change], side: &str) -> Result<(Told, Arc<Position>), Fault> {
    if side.is_empty() {
        let (after, changed) = applied(before, changes)?;
        let after = Arc::new(after);
        let told = Told {
            before: before.id(),
            after: Arc::clone(&after),
            changed,
        };
        return Ok((told, after));
    }
    let seen = before.seen_by(side);
    // It may hide what it knew, or place what it may not know.
    let seen_after = applied(&seen, changes)?.0.seen_by(side);
    let after = before.apply(changes).map_err(|_| hidden())?.0;
    let told = Told {
        before: seen.id(),
        changed: changed(&seen, &seen_after),
        after: Arc::new(seen_after),
    };
    Ok((told, Arc::new(after)))
}

/// What is wrong beyond what a side knows is none of its business; that it may try again is.
fn of_the_hidden(fault: Fault) -> Fault {
    match code(fault.reason()) {
        Code::Unavailable | Code::ResourceExhausted | Code::DeadlineExceeded => fault,
        _ => hidden(),
    }
}

fn applied(before: &Position, changes: &[Change]) -> Result<(Position, Vec<Changed>), Fault> {
    let grid = before.map().grid;
    before.apply(changes).map_err(|error| {
        let refused = decode::applied(error, &grid);
        refusal::refused(refused, "")
    })
}

fn differing(before: &Position, after: &Position) -> Result<v1::DiffPositionsResponse, Fault> {
    let grid = before.map().grid;
    let changes = diff(before, after).map_err(|error| {
        let refused = decode::other_map(&error, "after");
        refusal::refused(refused, "")
    })?;
    let differences = changed(before, after);
    let difference = |changed| encode::difference(changed, &grid);
    let change = |change| encode::change(change, &grid);
    Ok(v1::DiffPositionsResponse {
        before_position_id: before.id().to_string(),
        after_position_id: after.id().to_string(),
        differences: differences.iter().map(difference).collect(),
        changes: changes.iter().map(change).collect(),
    })
}

/// Why changes bring more counters onto the map than there may be.
fn too_many(count: usize, most: usize) -> Fault {
    let what = format!("{count} counters would be on the map; this server allows {most}");
    Fault::new(ErrorReason::TooLong, format!("changes: {what}"))
        .with("field", "changes")
        .with("max", most)
        .field("changes", what)
}
