//! Making and tagging rulesets.

use std::sync::Arc;

use alamein_proto::encode;
use alamein_proto::v1::{self, ErrorReason};
use alamein_rulesets::{Created, RegistryError, Revision, RulesetSpec};
use alamein_store::Tenant;
use alamein_terrain::Digest;

use super::{Source, telling};
use crate::fault::Fault;
use crate::pins::{TagFault, still_means};
use crate::rules::{By, DEFAULT, Doing, of_registry};
use crate::service::{Service, missing};

impl Service {
    /// Makes a ruleset, with its tags, or says what would come of it.
    pub(super) async fn create(
        &self,
        tenant: &Tenant,
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
        self.pins.has_room_for(tenant, &spec.name).await?;
        telling::check_tags(&request.tags, "tags")?;
        let name_field = format!("{}.name", source.field());
        let house = self.is_of_house(&spec, &name_field)?;
        let made = self.made(&spec, &name_field, request.validate_only).await?;
        let fingerprint = made.revision.fingerprint();
        let known = self
            .pins
            .is_owned(&registry.snapshot(), tenant, fingerprint)
            .await;
        if !house && self.pins.tagged(tenant, &spec.name).await?.is_some() {
            return Err(telling::name_taken(&spec.name, "a tag", &name_field));
        }
        let mut before = None;
        if request.validate_only {
            self.could_tag(tenant, &request.tags, fingerprint).await?;
            let meant = self.pins.is_name(tenant, &spec.name).await?;
            if !house && meant != Some(fingerprint) {
                still_means(&spec.name, meant, &request.before_fingerprint)?;
            }
        } else {
            self.pins.keep(tenant, &made.revision).await?;
            let given = self.give_tags(tenant, &request.tags, fingerprint).await?;
            if !house {
                let from = &request.before_fingerprint;
                match self.pins.give_name(tenant, &spec, fingerprint, from).await {
                    Ok(meant) => before = meant,
                    Err(fault) => {
                        self.take_back(tenant, given).await;
                        return Err(fault);
                    }
                }
            }
        }
        let mut ruleset = self.told(tenant, &made.revision, &spec.name).await?;
        // As it is from now on, or as it would be.
        ruleset.ruleset_id.clone_from(&spec.name);
        ruleset.spec = Some(encode::ruleset_spec(&spec));
        Ok(v1::CreateRulesetResponse {
            ruleset: Some(ruleset),
            created: !known,
            before_fingerprint: before.map(|it: Digest| it.to_string()).unwrap_or_default(),
        })
    }

    /// A revision of a spec. Plugins make instances of themselves for it.
    async fn made(
        &self,
        spec: &RulesetSpec,
        name_field: &str,
        validate_only: bool,
    ) -> Result<Created, Fault> {
        let (registry, making) = (self.rules.registry()?.clone(), spec.clone());
        let name_field = name_field.to_owned();
        let refused = move |error: RegistryError| {
            let fault = of_registry(&error, Doing::Creating);
            match error {
                RegistryError::BadName { .. } => fault
                    .with("field", &name_field)
                    .field(&*name_field, error.to_string()),
                _ => fault,
            }
        };
        let made = move || registry.make(&making, validate_only).map_err(refused);
        self.rules.in_turn(made).await
    }

    /// Whether a spec is the very one of the service's own that has its name. No other may have that name.
    fn is_of_house(&self, spec: &RulesetSpec, field: &str) -> Result<bool, Fault> {
        let (name, snapshot) = (&spec.name, self.rules.registry()?.snapshot());
        match snapshot.names().get(name) {
            Some(named) if *named.spec == *spec => Ok(true),
            None if name != DEFAULT && self.rules.refused(name).is_none() => Ok(false),
            _ => {
                let why = "the name of a ruleset that the service was started with";
                Err(telling::name_taken(name, why, field))
            }
        }
    }

    /// Checks that tags could be given.
    async fn could_tag(
        &self,
        tenant: &Tenant,
        tags: &[String],
        fingerprint: Digest,
    ) -> Result<(), Fault> {
        for tag in tags {
            self.is_free(tenant, tag, "tags").await?;
            match self.pins.tagged(tenant, tag).await? {
                Some(now) if now != fingerprint => return Err(of_taken(tag, now)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Gives all tags, or none. Gives those that are new.
    async fn give_tags(
        &self,
        tenant: &Tenant,
        tags: &[String],
        fingerprint: Digest,
    ) -> Result<Vec<String>, Fault> {
        self.could_tag(tenant, tags, fingerprint).await?;
        let mut given = Vec::new();
        for tag in tags {
            match self.pins.give_tag(tenant, tag, fingerprint, None).await {
                Ok(true) => given.push(tag.clone()),
                Ok(false) => {}
                Err(fault) => {
                    self.take_back(tenant, given).await;
                    return Err(match fault {
                        TagFault::Taken(now) => of_taken(tag, now),
                        TagFault::Elsewhere(now) => telling::elsewhere(tag, now, ""),
                        TagFault::Other(fault) => fault,
                    });
                }
            }
        }
        Ok(given)
    }

    async fn take_back(&self, tenant: &Tenant, tags: Vec<String>) {
        for tag in tags {
            self.pins.take_back(tenant, &tag).await;
        }
    }

    /// Checks that a tag is no ruleset's name.
    async fn is_free(&self, tenant: &Tenant, tag: &str, field: &str) -> Result<(), Fault> {
        let snapshot = self.rules.registry()?.snapshot();
        let house = snapshot.names().get(tag).map(|named| named.fingerprint);
        if house.is_some() || tag == DEFAULT || self.rules.refused(tag).is_some() {
            return Err(telling::is_name(tag, house, field));
        }
        match self.pins.is_name(tenant, tag).await? {
            None => Ok(()),
            named => Err(telling::is_name(tag, named, field)),
        }
    }

    /// Tags a revision.
    pub(super) async fn tag(
        &self,
        tenant: &Tenant,
        request: &v1::TagRulesetRequest,
    ) -> Result<v1::TagRulesetResponse, Fault> {
        self.rules.registry()?;
        self.may_change()?;
        let by = By::field(&request.ruleset_id, "ruleset_id");
        let tagged = self.rules_of(tenant, by).await?;
        let revision: &Arc<Revision> = &tagged.ready().revision;
        let (tag, moved_from) = (&request.tag, &request.moved_from);
        telling::check_tags(std::slice::from_ref(tag), "tag")?;
        self.is_free(tenant, tag, "tag").await?;
        let from = match moved_from.as_str() {
            "" => None,
            text => match text.parse::<Digest>() {
                Ok(from) => Some(from),
                Err(_) => {
                    let now = self.pins.tagged(tenant, tag).await?;
                    return Err(telling::elsewhere(tag, now, moved_from));
                }
            },
        };
        self.pin(tenant, &tagged).await?;
        let given = self
            .pins
            .give_tag(tenant, tag, revision.fingerprint(), from);
        given.await.map_err(|fault| match fault {
            TagFault::Taken(now) => telling::taken(tag, now).field("tag", "choose another"),
            TagFault::Elsewhere(now) => telling::elsewhere(tag, now, moved_from),
            TagFault::Other(fault) => fault,
        })?;
        let labels = self.pins.labels(tenant).await?;
        let title = self
            .title_of(tenant, &labels, revision.fingerprint())
            .await?;
        let origin = telling::origin(revision);
        let summary = telling::summary(&labels, revision, title, origin);
        Ok(v1::TagRulesetResponse {
            ruleset: Some(summary),
        })
    }

    fn may_change(&self) -> Result<(), Fault> {
        if self.limits.fixed_rulesets {
            let text = "this server has the rulesets that it was started with, and no others";
            return Err(Fault::new(ErrorReason::RulesetsFixed, text));
        }
        Ok(())
    }
}

fn of_taken(tag: &str, now: Digest) -> Fault {
    telling::taken(tag, now).field("tags", "another revision has it; TagRuleset can move it")
}
