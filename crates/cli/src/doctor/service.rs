//! A running service, from outside.

use std::time::{Duration, Instant, SystemTime};

use alamein_client::{Access, Client, Settings, v1};
use tokio::runtime::Builder;

use super::Findings;
use crate::remote::at_fault;

/// How often it is asked how long an answer takes.
const TRIES: u32 = 5;
/// What an answer to so small a question should take.
const SLOW: Duration = Duration::from_millis(200);
/// How far two clocks may be apart.
const APART: Duration = Duration::from_secs(5);

pub(super) fn look(url: &str, access: &Access, found: &mut Findings) {
    let url = match url.contains("://") {
        true => url.to_owned(),
        false => format!("http://{url}"),
    };
    match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(ask(&url, access, found)),
        Err(error) => found.fail("service", format!("no thread to ask on: {error}")),
    }
}

async fn ask(url: &str, access: &Access, found: &mut Findings) {
    let client = match Client::connect_as(url, Settings::default(), access).await {
        Ok(client) => client,
        Err(error) => {
            let what = format!("{error}; is it running, and is this where it listens?");
            return found.fail("service", what);
        }
    };
    found.ok("service", format!("{url}: it can be reached"));
    match client.is_serving().await {
        Ok(true) => found.ok("health", "SERVING"),
        Ok(false) => found.fail(
            "health",
            "NOT_SERVING: it starts or stops, or what is told below keeps it from serving; its log says more",
        ),
        Err(error) => found.fail("health", format!("it does not say: {error}")),
    }
    match client.ruleset().await {
        Ok(ruleset) => rules(&ruleset, found),
        Err(error) => found.fail("rules", error.to_string()),
    }
    latency(&client, found).await;
}

fn rules(ruleset: &v1::Ruleset, found: &mut Findings) {
    for plugin in at_fault(ruleset) {
        let (id, why) = (&plugin.plugin_id, &plugin.state_reason);
        found.fail(
            "rules",
            format!("its plugin {id} is out of use: {why}; replace it, or start the service anew"),
        );
    }
    if ruleset.fingerprint.is_empty() {
        return;
    }
    let plugins = ruleset.plugins.iter();
    let plugins: Vec<_> = plugins
        .map(|it| format!("{} {}", it.plugin_id, it.version))
        .collect();
    let (fingerprint, plugins) = (&ruleset.fingerprint, plugins.join(", "));
    found.ok("rules", format!("{fingerprint}: {plugins}"));
}

/// How long it takes to answer, and how far its clock is from this one.
async fn latency(client: &Client, found: &mut Findings) {
    let mut best = Duration::MAX;
    let mut there = None;
    for _ in 0..TRIES {
        let start = Instant::now();
        let request = v1::ListRulesetsRequest {
            page_size: 1,
            ..Default::default()
        };
        if let Ok(answer) = client.rulesets().list_rulesets(request).await {
            best = best.min(start.elapsed());
            let date = answer
                .metadata()
                .get("date")
                .and_then(|it| it.to_str().ok());
            there = date
                .and_then(|it| httpdate::parse_http_date(it).ok())
                .or(there);
        }
    }
    match best {
        Duration::MAX => found.fail("latency", "it answers no question"),
        best if best > SLOW => found.warn(
            "latency",
            format!("{best:.1?} at best: it is far away, or has too much to do"),
        ),
        best => found.ok("latency", format!("{best:.1?} at best of {TRIES}")),
    }
    let Some(there) = there else {
        return found.warn("its clock", "it does not say what time it is there");
    };
    let now = SystemTime::now();
    let apart = now
        .duration_since(there)
        .or_else(|_| there.duration_since(now));
    let apart = apart.unwrap_or_default();
    match apart > APART {
        true => found.warn(
            "its clock",
            format!("{} s from this one: have both set by NTP", apart.as_secs()),
        ),
        false => found.ok("its clock", "agrees with this one"),
    }
}
