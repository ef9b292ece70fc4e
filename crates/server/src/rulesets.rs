//! The ruleset service.

mod compare;
mod content;
mod listing;
mod making;
mod telling;

use std::pin::Pin;

use alamein_proto::v1::ruleset_service_server::RulesetService;
use alamein_proto::v1::{self, ErrorReason};
use alamein_proto::{decode, encode};
use alamein_rulesets::{Diff, RulesetSpec};
use futures::Stream;
use tonic::{Request, Response, Status, Streaming};
use tracing::Instrument as _;

use crate::audit::Deed;
use crate::auth::Caller;
use crate::fault::Fault;
use crate::maps::aside;
use crate::refusal;
use crate::rules::{By, DEFAULT, option_path};
use crate::service::{Service, missing};

/// The longest text of a ruleset file, in bytes.
const LONGEST: usize = 1 << 20;

/// Of what a ruleset is to be made.
enum Source<'a> {
    Spec(&'a v1::RulesetSpec),
    Toml(&'a str),
    Json(&'a str),
}

impl Source<'_> {
    /// The field that holds it.
    fn field(&self) -> &'static str {
        match self {
            Self::Spec(_) => "spec",
            Self::Toml(_) => "toml",
            Self::Json(_) => "json",
        }
    }

    fn read(&self, limits: &alamein_proto::Limits) -> Result<RulesetSpec, Fault> {
        let field = self.field();
        let text = match self {
            Self::Spec(spec) => {
                let spec = decode::ruleset_spec(spec, limits);
                return spec.map_err(|error| refusal::refused(error, "spec."));
            }
            Self::Toml(text) | Self::Json(text) => text,
        };
        if text.len() > LONGEST {
            let (length, most) = (text.len(), LONGEST);
            let what = format!("has {length} bytes; a ruleset file may have {most}");
            return Err(Fault::new(ErrorReason::TooLong, format!("{field}: {what}"))
                .with("field", field)
                .with("max", most)
                .field(field, what));
        }
        let spec = match self {
            Self::Toml(text) => RulesetSpec::from_toml(text),
            _ => RulesetSpec::from_json(text),
        };
        spec.map_err(|errors| telling::unreadable(&errors, field))
    }
}

impl Service {
    fn conflicts(
        &self,
        request: &v1::ListConflictsRequest,
        named: Option<RulesetSpec>,
    ) -> Result<v1::ListConflictsResponse, Fault> {
        use v1::list_conflicts_request::Source as Given;
        let registry = self.rules.registry()?;
        let spec = match request.source.as_ref() {
            None => return Err(missing("source", "what the ruleset would be made of")),
            Some(Given::Spec(spec)) => Source::Spec(spec).read(&self.limits.request)?,
            Some(Given::Toml(text)) => Source::Toml(text).read(&self.limits.request)?,
            Some(Given::Json(text)) => Source::Json(text).read(&self.limits.request)?,
            Some(Given::RulesetId(_)) => named.ok_or_else(|| missing("ruleset_id", "a ruleset"))?,
        };
        let conflicts = registry.conflicts(&spec);
        let told = conflicts
            .iter()
            .map(|it| encode::conflict(it, option_path(it)));
        Ok(v1::ListConflictsResponse {
            conflicts: told.collect(),
        })
    }
}

/// Does something to its end, even if nobody waits for it any more: what is half done is seen by others.
async fn whole<T: Send + 'static>(
    work: impl Future<Output = Result<T, Fault>> + Send + 'static,
) -> Result<T, Fault> {
    tokio::spawn(work.in_current_span())
        .await
        .unwrap_or_else(|error| {
            tracing::error!("{error}");
            let text = "the work on this request broke off";
            Err(Fault::new(ErrorReason::Internal, text))
        })
}

#[tonic::async_trait]
impl RulesetService for Service {
    async fn get_ruleset(
        &self,
        request: Request<v1::GetRulesetRequest>,
    ) -> Result<Response<v1::GetRulesetResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let id = request.into_inner().ruleset_id;
        let registry = self.rules.registry()?;
        if let Some(refused) = self.rules.refused(&id) {
            let name = if id.is_empty() { DEFAULT } else { &id };
            let ruleset = Some(telling::refused(registry, name, &refused));
            return Ok(Response::new(v1::GetRulesetResponse { ruleset }));
        }
        let found = self.rules_of(&tenant, By::field(&id, "ruleset_id")).await?;
        let ruleset = self.told(&tenant, &found.ready().revision, &id).await?;
        Ok(found.answer(v1::GetRulesetResponse {
            ruleset: Some(ruleset),
        }))
    }

    async fn list_rulesets(
        &self,
        request: Request<v1::ListRulesetsRequest>,
    ) -> Result<Response<v1::ListRulesetsResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let listed = self.list(&tenant, request.get_ref()).await?;
        Ok(Response::new(listed))
    }

    async fn create_ruleset(
        &self,
        request: Request<v1::CreateRulesetRequest>,
    ) -> Result<Response<v1::CreateRulesetResponse>, Status> {
        let (service, tenant) = (self.clone(), Caller::of(&request).tenant);
        let deed = Deed::of(&request);
        let request = request.into_inner();
        deed.only_checks(request.validate_only);
        if !request.tags.is_empty() {
            deed.note("tags", request.tags.join(" "));
        }
        let made = whole(async move { service.create(&tenant, &request).await });
        let made = made.await?;
        if let Some(ruleset) = &made.ruleset {
            deed.note("ruleset_id", &ruleset.ruleset_id);
            deed.note("rules_fingerprint", &ruleset.fingerprint);
            deed.note("before_fingerprint", &made.before_fingerprint);
        }
        Ok(Response::new(made))
    }

    async fn tag_ruleset(
        &self,
        request: Request<v1::TagRulesetRequest>,
    ) -> Result<Response<v1::TagRulesetResponse>, Status> {
        let (service, tenant) = (self.clone(), Caller::of(&request).tenant);
        let deed = Deed::of(&request);
        let request = request.into_inner();
        deed.note("ruleset_id", &request.ruleset_id);
        deed.note("tag", &request.tag);
        let tagged = whole(async move { service.tag(&tenant, &request).await });
        let tagged = tagged.await?;
        if let Some(ruleset) = &tagged.ruleset {
            deed.note("rules_fingerprint", &ruleset.fingerprint);
        }
        Ok(Response::new(tagged))
    }

    async fn diff_rulesets(
        &self,
        request: Request<v1::DiffRulesetsRequest>,
    ) -> Result<Response<v1::DiffRulesetsResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let asked = request.into_inner();
        let before = self
            .rules_of(&tenant, By::field(&asked.before, "before"))
            .await?;
        let after = self
            .rules_of(&tenant, By::field(&asked.after, "after"))
            .await?;
        let (one, other) = (before.ruleset(), after.ruleset());
        let diff = Diff::between(&one, &other);
        let diff = encode::ruleset_diff(&diff, one.fingerprint(), other.fingerprint());
        Ok(Response::new(v1::DiffRulesetsResponse { diff: Some(diff) }))
    }

    type CompareRulesetsStream =
        Pin<Box<dyn Stream<Item = Result<v1::CompareRulesetsResponse, Status>> + Send>>;

    async fn compare_rulesets(
        &self,
        request: Request<Streaming<v1::CompareRulesetsRequest>>,
    ) -> Result<Response<Self::CompareRulesetsStream>, Status> {
        Ok(Response::new(self.compare(request).await?))
    }

    async fn list_conflicts(
        &self,
        request: Request<v1::ListConflictsRequest>,
    ) -> Result<Response<v1::ListConflictsResponse>, Status> {
        let tenant = Caller::of(&request).tenant;
        let request = request.into_inner();
        let named = match &request.source {
            Some(v1::list_conflicts_request::Source::RulesetId(id)) => {
                let found = self.rules_of(&tenant, By::field(id, "ruleset_id")).await?;
                Some(self.spec_of(&tenant, &found.ready().revision, id).await?)
            }
            _ => None,
        };
        let service = self.clone();
        let answer = aside(move || service.conflicts(&request, named)).await?;
        Ok(Response::new(answer))
    }
}
