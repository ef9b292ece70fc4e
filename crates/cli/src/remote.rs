//! Judging by a service.

pub(crate) mod manifest;
mod moves;
mod positions;
mod sights;

use std::sync::{Arc, OnceLock};

use alamein_cases::{Said, Settings};
use alamein_client::v1::validate_map_request::Source;
use alamein_client::v1::{self, ErrorReason, View};
use alamein_client::{Access, Client, Error};
use alamein_proto::encode;
use alamein_terrain::{Adjudicated, GrazingPolicy, Manifest, Position, Question, Severity};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::facts::Facts;
use crate::listing::{Listed, Listing};
use crate::map::Problem;
use crate::threads::threads;

/// How many questions go in one request, so that the answers fit into one message.
const BATCH: usize = 64;

/// A service, and what it says of its rules.
pub(crate) struct Remote {
    link: Arc<Link>,
    pub(crate) facts: Facts,
    settings: Settings,
    ruleset: v1::Ruleset,
    plugins: Vec<(Manifest, Value)>,
}

/// The connection, and the threads that it lives on.
struct Link {
    runtime: Runtime,
    client: Client,
    /// The threads of the service, if it is one of this process.
    service: OnceLock<Runtime>,
}

impl Remote {
    /// Connects to a service and asks for the rules of a ruleset: by its name, a tag or its
    /// fingerprint, and empty for the usual one.
    pub(crate) fn connect(url: &str, ruleset: &str, access: &Access) -> Result<Self> {
        let runtime = threads(Some(1))?;
        let url = if url.contains("://") {
            url.to_owned()
        } else {
            format!("http://{url}")
        };
        let connected = Client::connect_as(&url, alamein_client::Settings::default(), access);
        let client = runtime.block_on(connected);
        let client = client.context("--server")?.with_ruleset(ruleset);
        Self::over(runtime, client).with_context(|| format!("--server {url}"))
    }

    /// The same, which keeps the threads of the service alive.
    pub(crate) fn beside(self, service: Runtime) -> Self {
        // There is no service there yet.
        let _ = self.link.service.set(service);
        self
    }

    /// The service behind a client.
    fn over(runtime: Runtime, client: Client) -> Result<Self> {
        let ruleset = runtime.block_on(client.ruleset())?;
        if let Some(plugin) = at_fault(&ruleset).first() {
            let (id, why) = (&plugin.plugin_id, &plugin.state_reason);
            bail!(
                "its plugin {id} is out of use: {why}; the service's operator can replace it (`alamein plugin \
                 replace`) or start the service anew"
            );
        }
        let plugins = ruleset.plugins.iter().map(manifest::of);
        let plugins = plugins.collect::<Result<Vec<_>>>()?;
        let policy = v1::GrazingPolicy::try_from(ruleset.grazing_policy).unwrap_or_default();
        let options = plugins
            .iter()
            .map(|(manifest, options)| (manifest, options));
        Ok(Self {
            facts: Facts::of(plugins.iter().map(|(manifest, _)| manifest)),
            settings: Settings::differing(policy_of(policy), options),
            link: Arc::new(Link {
                runtime,
                client,
                service: OnceLock::new(),
            }),
            ruleset,
            plugins,
        })
    }

    /// By which rules it judges.
    pub(crate) fn listing(&self) -> Listing {
        let listed = |((manifest, options), told): (&(Manifest, Value), &v1::Plugin)| Listed {
            manifest: manifest.clone(),
            options: options.clone(),
            sha256: Some(told.build_sha256.clone()).filter(|digest| !digest.is_empty()),
            build_id: told.build_id.clone(),
        };
        let plugins = self.plugins.iter().zip(&self.ruleset.plugins);
        Listing {
            fingerprint: self.ruleset.fingerprint.clone(),
            policy: self.settings.policy.name(),
            plugins: plugins.map(listed).collect(),
        }
    }

    /// What the service says of the map of a position, whose layers it knows.
    pub(crate) fn check(&self, position: &Position) -> Result<Vec<Problem>> {
        let request = v1::ValidateMapRequest {
            source: Some(Source::Map(encode::map(position.map()))),
            ignore_layers: Vec::new(),
            ruleset: self.ruleset.fingerprint.clone(),
        };
        let Link {
            runtime, client, ..
        } = &*self.link;
        let answer = runtime.block_on(client.call(&request, |request| {
            let mut stub = client.maps();
            async move { stub.validate_map(request).await }
        }))?;
        Ok(answer.problems.iter().map(problem).collect())
    }

    /// Someone who judges as a case file wants it. The options are the service's own.
    pub(crate) fn judge(&self, settings: &Settings) -> Result<Judge> {
        if !settings.options.is_empty() && settings.options != self.settings.options {
            let wanted = serde_json::json!(settings.options).to_string();
            return Err(OtherOptions { wanted }.into());
        }
        Ok(Judge {
            link: Arc::clone(&self.link),
            settings: self.settings.clone(),
        })
    }
}

/// What a service says of a map.
fn problem(told: &v1::MapProblem) -> Problem {
    let is_error = told.severity() == v1::MapProblemSeverity::Error;
    let plugin = match told.plugin.as_str() {
        "" => String::new(),
        plugin => format!("plugin {plugin}: "),
    };
    Problem {
        severity: if is_error {
            Severity::Error
        } else {
            Severity::Warning
        },
        path: match told.layer.as_str() {
            "" => String::new(),
            layer => format!("layers.{layer}"),
        },
        line: None,
        what: format!("{plugin}{}", told.text),
    }
}

/// A case wants options that a service does not have.
#[derive(Debug, thiserror::Error)]
#[error(
    "the case wants the options {wanted}, and the service judges by others; leave --server out"
)]
pub(crate) struct OtherOptions {
    wanted: String,
}

fn policy_of(policy: v1::GrazingPolicy) -> GrazingPolicy {
    match policy {
        v1::GrazingPolicy::Unspecified | v1::GrazingPolicy::Either => GrazingPolicy::Either,
        v1::GrazingPolicy::Both => GrazingPolicy::Both,
        v1::GrazingPolicy::NeitherIfGrazing => GrazingPolicy::NeitherIfGrazing,
    }
}

/// A service.
pub(crate) struct Judge {
    link: Arc<Link>,
    settings: Settings,
}

impl Judge {
    /// Rules on questions.
    pub(crate) fn ask(
        &self,
        position: &Arc<Position>,
        questions: &[Question],
        other_policies: bool,
    ) -> Result<Vec<Said>> {
        let mut all = Vec::new();
        for batch in questions.chunks(BATCH) {
            let Link {
                runtime, client, ..
            } = &*self.link;
            let answers = client.adjudicate(&**position, batch, View::Explain);
            let answers = runtime.block_on(answers)?;
            all.extend(
                answers
                    .into_iter()
                    .map(|answer| said(answer, other_policies)),
            );
        }
        Ok(all)
    }

    /// What the rules set that differs from what is usual.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }
}

fn said(answer: Result<Adjudicated, Error>, other_policies: bool) -> Said {
    match answer {
        Ok(mut ruled) => {
            if !other_policies {
                ruled.other_policies.clear();
            }
            Said::Ruled(Box::new(ruled))
        }
        Err(error) => match error.remote() {
            Some(remote) if remote.reason == Some(ErrorReason::RuleNotImplemented) => {
                let told = |key: &str| remote.metadata.get(key).cloned().unwrap_or_default();
                Said::NotImplemented {
                    plugin: told("plugin"),
                    rule: told("rule"),
                }
            }
            _ => Said::Refused(error.to_string()),
        },
    }
}

/// The plugins that keep a ruleset from judging. Where it could not be made none of its plugins takes part, and
/// what is told of the one that is at fault begins with a word for the reason.
pub(crate) fn at_fault(ruleset: &v1::Ruleset) -> Vec<&v1::Plugin> {
    let plugins = ruleset.plugins.iter();
    let unfit = plugins.filter(|plugin| plugin.state() != v1::PluginState::Active);
    let unfit: Vec<_> = unfit.collect();
    let is_word = |word: &str| {
        let of_word = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        !word.is_empty() && word.bytes().all(of_word)
    };
    let has_word = |plugin: &&&v1::Plugin| {
        let word = plugin.state_reason.split_once(": ");
        word.is_some_and(|(word, _)| is_word(word))
    };
    let blamed: Vec<_> = unfit.iter().filter(has_word).copied().collect();
    match blamed.is_empty() || !ruleset.fingerprint.is_empty() {
        true => unfit,
        false => blamed,
    }
}
