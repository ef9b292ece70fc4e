//! The ruleset service.

mod compare;
mod content;
mod telling;

use std::pin::Pin;

use alamein_proto::v1::ruleset_service_server::RulesetService;
use alamein_proto::v1::{self, ErrorReason};
use alamein_proto::{decode, encode};
use alamein_rulesets::{Diff, Registry, RegistryError, RulesetSpec};
use futures::Stream;
use tonic::{Request, Response, Status, Streaming};

use crate::auth::Caller;
use crate::fault::Fault;
use crate::maps::aside;
use crate::refusal;
use crate::rules::{By, DEFAULT, Doing, InForce, of_registry, option_path};
use crate::service::{Service, missing, page_after};

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
    fn may_change(&self) -> Result<(), Fault> {
        if self.limits.fixed_rulesets {
            let text = "this server has the rulesets that it was started with, and no others";
            return Err(Fault::new(ErrorReason::RulesetsFixed, text));
        }
        Ok(())
    }

    /// Makes a ruleset, with its tags, or says what would come of it.
    fn create(
        &self,
        request: &v1::CreateRulesetRequest,
    ) -> Result<v1::CreateRulesetResponse, Fault> {
        use v1::create_ruleset_request::Source as Given;
        let source = match request.source.as_ref() {
            None => return Err(missing("source", "what the ruleset is to be made of")),
            Some(Given::Spec(spec)) => Source::Spec(spec),
            Some(Given::Toml(text)) => Source::Toml(text),
            Some(Given::Json(text)) => Source::Json(text),
        };
        let registry = self.rules.registry()?;
        let spec = source.read(&self.limits.request)?;
        if !request.validate_only {
            self.may_change()?;
        }
        self.has_room(registry, &spec.name)?;
        let tags = &request.tags;
        telling::check_tags(registry, tags, "tags")?;
        let name_field = format!("{}.name", source.field());
        let refused = |error: RegistryError| {
            let fault = of_registry(&error, Doing::Creating);
            match error {
                RegistryError::TagMoves { .. } => {
                    fault.field("tags", "another revision has it; TagRuleset can move it")
                }
                RegistryError::NameTaken { is: "ruleset", .. } => {
                    fault.field("tags", "give it a tag that is no ruleset's name")
                }
                RegistryError::BadName { .. } | RegistryError::NameTaken { .. } => fault
                    .with("field", &name_field)
                    .field(&*name_field, error.to_string()),
                _ => fault,
            }
        };
        let made = registry
            .create_tagged(&spec, tags, request.validate_only)
            .map_err(refused)?;
        if !request.validate_only {
            self.rules.cleared(&spec.name);
        }
        let mut ruleset = telling::ruleset(registry, &made.revision, &spec.name);
        if request.validate_only {
            // As it would be.
            ruleset.ruleset_id.clone_from(&spec.name);
            ruleset.spec = Some(encode::ruleset_spec(&spec));
        }
        Ok(v1::CreateRulesetResponse {
            ruleset: Some(ruleset),
            created: !made.known,
            before_fingerprint: made.before.map(|it| it.to_string()).unwrap_or_default(),
        })
    }

    /// Another name must have a place.
    fn has_room(&self, registry: &Registry, name: &str) -> Result<(), Fault> {
        let (snapshot, most) = (registry.snapshot(), self.limits.max_rulesets);
        if snapshot.names().contains_key(name) || snapshot.names().len() < most {
            return Ok(());
        }
        let text = format!("this server keeps no more than {most} rulesets");
        Err(Fault::new(ErrorReason::StoreFull, text)
            .with("kind", "ruleset")
            .with("max", most))
    }

    fn tag(
        &self,
        request: &v1::TagRulesetRequest,
        tagged: &InForce,
    ) -> Result<v1::TagRulesetResponse, Fault> {
        let registry = self.rules.registry()?;
        self.may_change()?;
        let fingerprint = tagged.ready().revision.fingerprint();
        let moved_from = &request.moved_from;
        telling::check_tags(registry, std::slice::from_ref(&request.tag), "tag")?;
        let refused = |error| of_registry(&error, Doing::Asking).field("tag", "choose another");
        if moved_from.is_empty() {
            registry
                .tag(&request.tag, fingerprint, false)
                .map_err(refused)?;
        } else {
            let elsewhere = |now| telling::elsewhere(&request.tag, now, moved_from);
            let now = || registry.snapshot().tags().get(&request.tag).copied();
            let from = moved_from.parse().map_err(|_| elsewhere(now()))?;
            let moved = registry.move_tag(&request.tag, fingerprint, from);
            moved.map_err(|error| match error {
                RegistryError::TagElsewhere { now, .. } => elsewhere(now),
                other => refused(other),
            })?;
        }
        let snapshot = registry.snapshot();
        Ok(v1::TagRulesetResponse {
            ruleset: Some(telling::summary(&snapshot, &tagged.ready().revision)),
        })
    }

    fn conflicts(
        &self,
        request: &v1::ListConflictsRequest,
        named: Option<&InForce>,
    ) -> Result<v1::ListConflictsResponse, Fault> {
        use v1::list_conflicts_request::Source as Given;
        let registry = self.rules.registry()?;
        let spec = match request.source.as_ref() {
            None => return Err(missing("source", "what the ruleset would be made of")),
            Some(Given::Spec(spec)) => Source::Spec(spec).read(&self.limits.request)?,
            Some(Given::Toml(text)) => Source::Toml(text).read(&self.limits.request)?,
            Some(Given::Json(text)) => Source::Json(text).read(&self.limits.request)?,
            Some(Given::RulesetId(id)) => {
                let found = named.ok_or_else(|| missing("ruleset_id", "a ruleset"))?;
                telling::spec(&registry.snapshot(), &found.ready().revision, id)
            }
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
        let ruleset = telling::ruleset(registry, &found.ready().revision, &id);
        Ok(found.answer(v1::GetRulesetResponse {
            ruleset: Some(ruleset),
        }))
    }

    async fn list_rulesets(
        &self,
        request: Request<v1::ListRulesetsRequest>,
    ) -> Result<Response<v1::ListRulesetsResponse>, Status> {
        let v1::ListRulesetsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        let (size, after) = page_after::<u64>(page_size, &page_token)?;
        let snapshot = self.rules.registry()?.snapshot();
        let mut all: Vec<_> = snapshot.revisions().values().collect();
        all.sort_by_key(|revision| revision.number());
        all.retain(|revision| after.is_none_or(|after| revision.number() > after));
        let page = all.get(..size).unwrap_or(&all);
        let last = page.last().filter(|_| page.len() < all.len());
        let summary = |revision: &&std::sync::Arc<_>| telling::summary(&snapshot, revision);
        Ok(Response::new(v1::ListRulesetsResponse {
            next_page_token: last.map(|it| it.number().to_string()).unwrap_or_default(),
            rulesets: page.iter().map(summary).collect(),
        }))
    }

    async fn create_ruleset(
        &self,
        request: Request<v1::CreateRulesetRequest>,
    ) -> Result<Response<v1::CreateRulesetResponse>, Status> {
        let service = self.clone();
        // Plugins make instances of themselves.
        let rules = self.rules.clone();
        let answer = rules
            .in_turn(move || service.create(&request.into_inner()))
            .await?;
        Ok(Response::new(answer))
    }

    async fn tag_ruleset(
        &self,
        request: Request<v1::TagRulesetRequest>,
    ) -> Result<Response<v1::TagRulesetResponse>, Status> {
        let service = self.clone();
        let rules = self.rules.clone();
        let tenant = Caller::of(&request).tenant;
        let request = request.into_inner();
        self.may_change()?;
        let by = By::field(&request.ruleset_id, "ruleset_id");
        let found = self.rules_of(&tenant, by).await?;
        let tagged = move || service.tag(&request, &found);
        let answer = rules.in_turn(tagged).await?;
        Ok(Response::new(answer))
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
                Some(self.rules_of(&tenant, By::field(id, "ruleset_id")).await?)
            }
            _ => None,
        };
        let service = self.clone();
        let answer = aside(move || service.conflicts(&request, named.as_ref())).await?;
        Ok(Response::new(answer))
    }
}
