//! Whose rulesets are meant: those of a service, or of one that lives as long as the command does.

use std::path::Path;

use alamein_client::v1::create_ruleset_request::Source;
use alamein_client::v1::{self, ErrorReason};
use alamein_client::{Access, Client, Settings};
use alamein_proto::encode;
use alamein_rulesets::RulesetSpec;
use alamein_server::transport::{Address, ServerConfig};
use alamein_server::{RulesSource, Served, Serving};
use anyhow::{Context, Result, bail};
use tokio::runtime::Runtime;

use super::files;
use crate::args::{PlaceArgs, RuleArgs};
use crate::plugins;
use crate::threads::threads;

/// How many digits a fingerprint has.
const WHOLE: usize = 64;

/// How long the name of a ruleset may be.
const LONGEST_NAME: usize = 63;

/// How many of them are enough to be looked for.
const SHORTEST: usize = 8;

/// What else to do where a plugin is missing that this command could load.
pub(crate) const MISSING: &str =
    "; if it is in another folder of plugins, name that with --plugin-dir";

/// Where the rulesets are.
pub(crate) struct Place {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
    /// Whether it is a service of this command's own, in which files become rulesets as they are met.
    own: bool,
    /// The folder of its socket.
    _folder: Option<tempfile::TempDir>,
}

impl Place {
    /// Connects to the service, or starts one that nobody else can reach.
    pub(crate) fn open(args: &PlaceArgs) -> Result<Self> {
        match &args.server {
            Some(url) => Self::of(url, &args.access.read()?),
            None => Self::here(args),
        }
    }

    /// A running service.
    pub(crate) fn of(url: &str, access: &Access) -> Result<Self> {
        let runtime = threads(Some(2))?;
        let url = match url.contains("://") {
            true => url.to_owned(),
            false => format!("http://{url}"),
        };
        let client = runtime.block_on(Client::connect_as(&url, patient(), access));
        Ok(Self {
            client: client.context("--server")?,
            runtime,
            own: false,
            _folder: None,
        })
    }

    fn here(args: &PlaceArgs) -> Result<Self> {
        let runtime = threads(Some(2))?;
        let folder = tempfile::tempdir().context("no folder for a socket")?;
        let socket = folder.path().join("socket");
        let specs = files::all(&args.rulesets)?;
        let specs = specs.iter().map(|file| files::read(file));
        let rules = RuleArgs::of_folder(args.plugins.clone());
        let source = RulesSource {
            folder: plugins::folder(&rules)?,
            more_folders: args.plugin_dir.clone(),
            rulesets: specs.collect::<Result<_>>()?,
            ..RulesSource::default()
        };
        let serving = Serving {
            config: ServerConfig {
                listen: Address::Unix(socket.clone()),
                ..ServerConfig::default()
            },
            source,
            ..Serving::default()
        };
        let Served { server, .. } = runtime.block_on(alamein_server::start(serving))?;
        runtime.spawn(server.serve());
        let client = runtime.block_on(Client::connect_unix(&socket, patient()))?;
        Ok(Self {
            runtime,
            client,
            own: true,
            _folder: Some(folder),
        })
    }

    /// How to call, in a request, the ruleset that a word means: a file becomes one.
    pub(crate) fn meant(&self, word: &str) -> Result<String> {
        if !files::is_file(word) {
            return self.whole(word);
        }
        let mut spec = files::read(Path::new(word))?;
        if self.own && self.is_taken(&spec)? {
            // The service was started with another ruleset of that name. Names are in no fingerprint.
            spec.name = format!("{}-of-a-file", spec.name);
            spec.name.truncate(LONGEST_NAME);
        }
        let made = self.make(Path::new(word), &spec, &[], !self.own)?;
        let ruleset = made.ruleset.context("no ruleset in the answer")?;
        if self.own {
            return Ok(ruleset.fingerprint);
        }
        // It was only checked. Whether there is such a revision, its fingerprint tells.
        match self.get(&ruleset.fingerprint) {
            Ok(there) => Ok(there.fingerprint),
            Err(error) if is_not_there(&error) => bail!(
                "{word}: the service has no such ruleset; make it first: alamein ruleset create {word} \
                 --server URL"
            ),
            Err(error) => Err(error),
        }
    }

    /// The fingerprint that a word is the beginning of, as rulings show it; every other word as it is.
    pub(crate) fn whole(&self, word: &str) -> Result<String> {
        let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_beginning = (SHORTEST..WHOLE).contains(&word.len()) && word.chars().all(digits);
        // It may be a name or a tag all the same.
        if !is_beginning || self.get(word).is_ok() {
            return Ok(word.to_owned());
        }
        let rulesets = self.list()?;
        let fingerprints = rulesets.iter().map(|it| &it.fingerprint);
        let mut like = fingerprints.filter(|it| it.starts_with(word));
        match (like.next(), like.next()) {
            (Some(only), None) => Ok(only.clone()),
            (Some(_), Some(_)) => bail!(
                "{word}: more than one fingerprint begins so; give more of its {WHOLE} digits"
            ),
            (None, _) => bail!(
                "{word}: there is no ruleset of that name, and none whose fingerprint begins so; \
                 `alamein ruleset list` tells what there is"
            ),
        }
    }

    /// All rulesets, each revision.
    pub(crate) fn list(&self) -> Result<Vec<v1::RulesetSummary>> {
        let client = &self.client;
        let mut request = v1::ListRulesetsRequest::default();
        let mut rulesets = Vec::new();
        loop {
            let page = self.runtime.block_on(client.call(&request, |request| {
                let mut stub = client.rulesets();
                async move { stub.list_rulesets(request).await }
            }))?;
            rulesets.extend(page.rulesets);
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                return Ok(rulesets);
            }
        }
    }

    /// What else to do where a plugin is missing: a service loads what its own command line names.
    pub(crate) fn where_missing(&self) -> &'static str {
        match self.own {
            true => MISSING,
            false => "",
        }
    }

    /// Whether the service has another ruleset of this name.
    fn is_taken(&self, spec: &RulesetSpec) -> Result<bool> {
        match self.get(&spec.name) {
            Ok(there) => Ok(there.spec != Some(encode::ruleset_spec(spec))),
            Err(error) if is_not_there(&error) => Ok(spec.name == "default"),
            Err(error) => Err(error),
        }
    }

    /// Makes a ruleset of a file, or only checks it.
    pub(crate) fn create(
        &self,
        file: &Path,
        tags: &[String],
        validate_only: bool,
    ) -> Result<v1::CreateRulesetResponse> {
        self.make(file, &files::read(file)?, tags, validate_only)
    }

    fn make(
        &self,
        file: &Path,
        spec: &RulesetSpec,
        tags: &[String],
        validate_only: bool,
    ) -> Result<v1::CreateRulesetResponse> {
        let request = v1::CreateRulesetRequest {
            source: Some(Source::Spec(encode::ruleset_spec(spec))),
            tags: tags.to_vec(),
            validate_only,
            ..v1::CreateRulesetRequest::default()
        };
        let client = &self.client;
        let made = self.runtime.block_on(client.call(&request, |request| {
            let mut stub = client.rulesets();
            async move { stub.create_ruleset(request).await }
        }));
        let made = made.map_err(|error| match error.reason() {
            Some(ErrorReason::PluginNotAvailable) => {
                anyhow::anyhow!("{error}{}", self.where_missing())
            }
            _ => error.into(),
        });
        made.with_context(|| file.display().to_string())
    }

    /// A ruleset.
    pub(crate) fn get(&self, ruleset: &str) -> Result<v1::Ruleset> {
        let client = self.client.clone().with_ruleset(ruleset);
        Ok(self.runtime.block_on(client.ruleset())?)
    }
}

fn is_not_there(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<alamein_client::Error>();
    let reason = error.and_then(alamein_client::Error::reason);
    matches!(
        reason,
        Some(ErrorReason::RulesetNotAvailable | ErrorReason::RulesetNotFound)
    )
}

/// Plugins may still be loaded.
fn patient() -> Settings {
    Settings {
        deadline: std::time::Duration::from_secs(60),
        tries: 200,
        ..Settings::default()
    }
}
