//! What is kept, as requests ask for it: by an id in a field, of the caller's tenant.

use std::sync::Arc;

use alamein_proto::decode::{self, IdOf};
use alamein_proto::v1::{self, ErrorReason, position::MapSource};
use alamein_store::{StoreError, Tenant};
use alamein_terrain::{Map, Position};

use crate::carried::Carried;
use crate::fault::Fault;
use crate::refusal;
use crate::service::{Service, missing};

impl Service {
    /// The position of a subject: carried in the request, or kept here.
    pub(crate) async fn subject(
        &self,
        tenant: &Tenant,
        subject: Option<&v1::Subject>,
    ) -> Result<Arc<Position>, Fault> {
        self.subject_in(tenant, subject, "subject").await
    }

    /// The same of a subject in a field.
    pub(crate) async fn subject_in(
        &self,
        tenant: &Tenant,
        subject: Option<&v1::Subject>,
        field: &str,
    ) -> Result<Arc<Position>, Fault> {
        use v1::subject::Subject;
        match subject.and_then(|subject| subject.subject.as_ref()) {
            None => Err(missing(field, "a position or the id of one")),
            Some(Subject::Position(position)) => {
                let known = Carried::known(tenant, position);
                if let Some(made) = known.as_ref().and_then(|it| self.carried.get(it)) {
                    return Ok(made);
                }
                let prefix = format!("{field}.position.");
                let read = self.position(tenant, position, &prefix);
                let made = Arc::new(read.await?);
                if let Some(known) = known {
                    self.carried.put(known, Arc::clone(&made));
                }
                Ok(made)
            }
            Some(Subject::PositionId(id)) => {
                let field = format!("{field}.position_id");
                self.kept_position(tenant, id, &field).await
            }
        }
    }

    /// The position whose id is in a field.
    pub(crate) async fn kept_position(
        &self,
        tenant: &Tenant,
        id: &str,
        field: &str,
    ) -> Result<Arc<Position>, Fault> {
        let refused = |error| refusal::refused(error, "");
        let digest = decode::digest(id, field, IdOf::Position).map_err(refused)?;
        let kept = self.keeper.position(tenant, digest).await;
        let kept = kept.map_err(|error| of_store(&error))?;
        kept.ok_or_else(|| refused(IdOf::Position.unknown(id, field)))
    }

    /// The map whose id is in a field.
    pub(crate) async fn kept_map(
        &self,
        tenant: &Tenant,
        id: &str,
        field: &str,
    ) -> Result<Arc<Map>, Fault> {
        let refused = |error| refusal::refused(error, "");
        let digest = decode::digest(id, field, IdOf::Map).map_err(refused)?;
        let kept = self.keeper.map(tenant, digest).await;
        let kept = kept.map_err(|error| of_store(&error))?;
        kept.ok_or_else(|| refused(IdOf::Map.unknown(id, field)))
    }

    /// The domain's form of a position, whose fields are at `prefix`.
    pub(crate) async fn position(
        &self,
        tenant: &Tenant,
        position: &v1::Position,
        prefix: &str,
    ) -> Result<Position, Fault> {
        let refused = |error| refusal::refused(error, prefix);
        let named = match &position.map_source {
            Some(MapSource::MapId(id)) => {
                let digest = decode::digest(id, "map_id", IdOf::Map).map_err(refused)?;
                let kept = self.keeper.map(tenant, digest).await;
                kept.map_err(|error| of_store(&error))?
            }
            _ => None,
        };
        let known = |_| named.clone();
        decode::position(position, &self.limits.request, &known).map_err(refused)
    }
}

/// The fault that answers a request where the store fails it.
pub(crate) fn of_store(error: &StoreError) -> Fault {
    let text = error.to_string();
    match error {
        StoreError::Unavailable { retry_after, .. } => {
            Fault::new(ErrorReason::StoreUnavailable, text).retry_after(*retry_after)
        }
        StoreError::TooMany { kind, most } => {
            let text = format!("{text}; carry the {} in the request", kind.name());
            Fault::new(ErrorReason::StoreFull, text)
                .with("kind", kind.name())
                .with("max", most)
        }
        StoreError::CannotWrite { .. } => Fault::new(ErrorReason::StoreReadOnly, text),
        StoreError::Damaged { at, .. } => {
            tracing::error!("{text}");
            Fault::new(ErrorReason::StoreDamaged, text).with("at", at)
        }
        StoreError::Version { .. } | StoreError::Settings { .. } => {
            tracing::error!("{text}");
            Fault::new(ErrorReason::Internal, text)
        }
    }
}
