//! Rulesets that outlast a process: several services over one store, and what each tenant sees.
#![allow(clippy::unwrap_used)] // A test may.

mod odd;
mod served;
mod shared;
mod tenants;
mod trusted;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use alamein_proto::v1::adjudication_service_server::AdjudicationService as _;
use alamein_proto::v1::create_ruleset_request::Source;
use alamein_proto::v1::ruleset_service_server::RulesetService as _;
use alamein_proto::{encode, v1};
use alamein_rulesets::{RulesetSpec, Settings};
use alamein_server::{Caller, Rules, RulesSource, Service, ServiceLimits};
use alamein_store::{Keeper, KeeperConfig, Store};
use alamein_tests::stage::{Shots, shots};
use alamein_tests::swapped::ID;
use alamein_tests::{linked_plugins, plugin_folder};
use prost::Message as _;
use tonic::{Request, Response, Status};

use odd::Odd;

/// A process that serves, but for its sockets.
#[derive(Clone)]
struct Side {
    service: Service,
    rules: Rules,
    shots: Shots,
}

/// How a side is to be.
#[derive(Clone, Debug, Default)]
struct Starting {
    source: RulesSource,
    limits: ServiceLimits,
}

impl Starting {
    /// With the seven plugins, and those in these folders.
    fn with(folders: &[&Path]) -> Self {
        let source = RulesSource {
            folder: plugin_folder().unwrap().to_owned(),
            more_folders: folders.iter().map(|it| it.to_path_buf()).collect(),
            settings: Settings {
                // All tests are in one process, which has the libraries of every one of them.
                most_libraries: 4096,
                ..Settings::default()
            },
            ..RulesSource::default()
        };
        Self {
            source,
            ..Self::default()
        }
    }

    async fn over(self, store: &Arc<Odd>) -> Side {
        let rules = Rules::default();
        let (loading, source) = (rules.clone(), self.source);
        let loaded = tokio::task::spawn_blocking(move || loading.load(&source));
        loaded.await.unwrap();
        let store: Arc<dyn Store> = Arc::clone(store) as _;
        let keeping = KeeperConfig {
            room: self.limits.room(),
            ..KeeperConfig::default()
        };
        let service = Service::new(rules.clone(), self.limits, Keeper::new(store, keeping));
        Side {
            service,
            rules,
            shots: shots().unwrap(),
        }
    }
}

/// A request of somebody's.
fn by<T>(tenant: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let mut caller = Caller::anybody();
    caller.tenant = tenant.parse().unwrap();
    request.extensions_mut().insert(caller);
    request
}

/// A spec of the seven plugins and of the one that is built in several versions.
fn spec(name: &str, version: Option<&str>) -> RulesetSpec {
    let plugins = linked_plugins().unwrap();
    let seven = plugins.iter().map(|plugin| (plugin.id(), "*"));
    let all = seven.chain(version.map(|version| (ID, version)));
    RulesetSpec::of(
        name,
        all.map(|(id, version)| (id, version.parse().unwrap())),
    )
}

impl Side {
    async fn create(
        &self,
        tenant: &str,
        spec: &RulesetSpec,
        tags: &[&str],
    ) -> Result<v1::CreateRulesetResponse, Status> {
        let request = v1::CreateRulesetRequest {
            source: Some(Source::Spec(encode::ruleset_spec(spec))),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ..Default::default()
        };
        let made = self.service.create_ruleset(by(tenant, request)).await?;
        Ok(made.into_inner())
    }

    /// The fingerprint of what was created.
    async fn make(&self, tenant: &str, spec: &RulesetSpec, tags: &[&str]) -> String {
        let made = self.create(tenant, spec, tags).await.unwrap();
        made.ruleset.unwrap().fingerprint
    }

    async fn get(&self, tenant: &str, ruleset: &str) -> Result<v1::Ruleset, Status> {
        let ruleset_id = ruleset.to_owned();
        let request = v1::GetRulesetRequest { ruleset_id };
        let got = self.service.get_ruleset(by(tenant, request)).await?;
        Ok(got.into_inner().ruleset.unwrap())
    }

    async fn tag(
        &self,
        tenant: &str,
        ruleset: &str,
        tag: &str,
        moved_from: &str,
    ) -> Result<(), Status> {
        let request = v1::TagRulesetRequest {
            ruleset_id: ruleset.into(),
            tag: tag.into(),
            moved_from: moved_from.into(),
        };
        let tagged = self.service.tag_ruleset(by(tenant, request)).await;
        tagged.map(drop)
    }

    async fn list(&self, tenant: &str, page_size: u32) -> Vec<v1::RulesetSummary> {
        let mut all = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = v1::ListRulesetsRequest {
                page_size,
                page_token,
            };
            let page = self.service.list_rulesets(by(tenant, request)).await;
            let page = page.unwrap().into_inner();
            assert!(page_size == 0 || page.rulesets.len() <= page_size as usize);
            all.extend(page.rulesets);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return all;
            }
        }
    }

    /// What is ruled of the shots, to the byte.
    async fn ask(&self, tenant: &str, ruleset: &str) -> Result<Vec<u8>, Status> {
        let answer = self.answer(tenant, ruleset).await?;
        Ok(answer.into_inner().encode_to_vec())
    }

    async fn answer(
        &self,
        tenant: &str,
        ruleset: &str,
    ) -> Result<Response<v1::BatchAdjudicateResponse>, Status> {
        let position = encode::position(&self.shots.position, false);
        let grid = &self.shots.position.map().grid;
        let questions = self.shots.questions.iter();
        let request = v1::BatchAdjudicateRequest {
            subject: Some(v1::Subject {
                subject: Some(v1::subject::Subject::Position(position)),
            }),
            questions: questions.map(|it| encode::question(it, grid)).collect(),
            ruleset: ruleset.into(),
            view: v1::View::Explain.into(),
            ..Default::default()
        };
        self.service.batch_adjudicate(by(tenant, request)).await
    }
}

/// The reason of an error, and what it carries.
fn told(status: &Status) -> (String, std::collections::HashMap<String, String>) {
    use tonic_types::StatusExt as _;
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    (info.reason.clone(), info.metadata.clone())
}

fn count(of: &std::sync::atomic::AtomicU64) -> u64 {
    of.load(Ordering::Relaxed)
}
