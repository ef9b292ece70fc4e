//! The ruleset service.

use alamein_engine::Member;
use alamein_proto::encode;
use alamein_proto::v1;
use alamein_proto::v1::ruleset_service_server::RulesetService;
use alamein_terrain::GrazingPolicy;
use tonic::{Request, Response, Status};

use crate::fault::Fault;
use crate::rules::{InForce, plugin_at};
use crate::service::{Service, page};

/// The id of the one ruleset there is.
const DEFAULT: &str = "default";

#[tonic::async_trait]
impl RulesetService for Service {
    async fn get_ruleset(
        &self,
        request: Request<v1::GetRulesetRequest>,
    ) -> Result<Response<v1::GetRulesetResponse>, Status> {
        let id = request.into_inner().ruleset_id;
        if !id.is_empty() && id != DEFAULT {
            let text = format!("there is no ruleset {id:?}; there is {DEFAULT:?}");
            return Err(Fault::new(v1::ErrorReason::RulesetNotFound, text)
                .with("ruleset_id", &id)
                .missing("ruleset", &id)
                .field("ruleset_id", "leave it empty for the one there is")
                .into());
        }
        let ruleset = Some(ruleset(&self.rules.now()?));
        Ok(Response::new(v1::GetRulesetResponse { ruleset }))
    }

    async fn list_rulesets(
        &self,
        request: Request<v1::ListRulesetsRequest>,
    ) -> Result<Response<v1::ListRulesetsResponse>, Status> {
        let v1::ListRulesetsRequest {
            page_size,
            page_token,
        } = request.into_inner();
        // There is one, so no page but the first has any.
        let (_, after) = page(page_size, &page_token)?;
        let rulesets = match after {
            Some(_) => Vec::new(),
            None => vec![summary(ruleset(&self.rules.now()?))],
        };
        Ok(Response::new(v1::ListRulesetsResponse {
            rulesets,
            ..Default::default()
        }))
    }
}

fn summary(ruleset: v1::Ruleset) -> v1::RulesetSummary {
    let plugins = ruleset.plugins.iter();
    v1::RulesetSummary {
        plugins: plugins
            .map(|plugin| format!("{} {}", plugin.plugin_id, plugin.version))
            .collect(),
        ruleset_id: ruleset.ruleset_id,
        fingerprint: ruleset.fingerprint,
    }
}

fn ruleset(rules: &InForce) -> v1::Ruleset {
    match rules.ready() {
        Ok(ready) => {
            let ruleset = ready.engine.ruleset();
            v1::Ruleset {
                ruleset_id: DEFAULT.to_owned(),
                fingerprint: ruleset.fingerprint().to_string(),
                grazing_policy: ruleset.policy() as i32,
                plugins: ruleset.members().iter().map(active).collect(),
            }
        }
        Err(_) => v1::Ruleset {
            ruleset_id: DEFAULT.to_owned(),
            fingerprint: String::new(),
            grazing_policy: GrazingPolicy::default() as i32,
            plugins: refused(rules),
        },
    }
}

fn active(member: &Member) -> v1::Plugin {
    let linkage = match member.digest {
        Some(_) => v1::PluginLinkage::Loaded,
        None => v1::PluginLinkage::Static,
    };
    let failure = member.feature.failure();
    let state = match failure {
        None => v1::PluginState::Active,
        Some(_) => v1::PluginState::Failed,
    };
    v1::Plugin {
        build_sha256: member.digest.clone().unwrap_or_default(),
        build_id: member.build_id.clone(),
        linkage: linkage.into(),
        state: state.into(),
        state_reason: failure.unwrap_or_default(),
        ..encode::plugin(member.manifest(), &member.options)
    }
}

/// Where there are no rules to judge by: what became of each plugin.
fn refused(rules: &InForce) -> Vec<v1::Plugin> {
    let Some(refused) = rules.refused() else {
        return Vec::new();
    };
    let report = &refused.report;
    let loaded = report.loaded().map(|plugin| {
        // It is fit, but takes no part while another is refused; unless it is the one.
        let is_it = refused.plugin.as_deref() == Some(plugin.id());
        let reason = match refused.reason.filter(|_| is_it) {
            Some(reason) => format!("{reason}: {}", refused.why),
            None => refused.why.clone(),
        };
        v1::Plugin {
            build_sha256: plugin.digest().unwrap_or_default().to_owned(),
            build_id: plugin.build_id().to_owned(),
            linkage: v1::PluginLinkage::Loaded.into(),
            state: v1::PluginState::Refused.into(),
            state_reason: reason,
            ..encode::plugin(plugin.manifest(), &serde_json::Value::Null)
        }
    });
    let refused = report.refused().filter_map(|(path, error)| {
        let id = error.plugin().map(str::to_owned);
        Some(v1::Plugin {
            plugin_id: id.or_else(|| plugin_at(path, report))?,
            state: v1::PluginState::Refused.into(),
            state_reason: format!("{}: {error}", error.reason()),
            ..v1::Plugin::default()
        })
    });
    let mut plugins: Vec<v1::Plugin> = loaded.chain(refused).collect();
    plugins.sort_by(|a, b| a.plugin_id.cmp(&b.plugin_id));
    plugins
}
