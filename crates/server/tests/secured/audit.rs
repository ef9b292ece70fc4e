//! What is written down of who changes what.

use std::path::Path;

use alamein_server::{Quota, Scope};
use serde_json::Value;
use tonic::Code;

use crate::house::{House, channel, knock, reason, until, was_let_in};

const MAP: &str = "/alamein.v1.MapService/CreateMap";
const LINE: &str = "/alamein.v1.AdjudicationService/LineOfSight";
const PLUGINS: &str = "/alamein.v1.PluginAdminService/RetirePlugin";

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_changes_something_and_who_is_turned_away_is_written_down() {
    let house = House::start(|folder, serving| {
        serving.audit = Some(folder.join("audit"));
    })
    .await;
    let all = [Scope::Adjudicate, Scope::MapsWrite, Scope::PluginsAdmin];
    let token = house.token(&all, Quota::default()).await;
    let asker = house.token(&[Scope::Adjudicate], Quota::default()).await;
    let file = house.folder.path().join("audit");
    let before = lines(&file).len();

    let (main, admin) = (house.channel(), channel(&house.admin));
    assert!(was_let_in(&knock(&main, LINE, Some(&token.text)).await));
    assert!(was_let_in(&knock(&main, MAP, Some(&token.text)).await));
    assert!(was_let_in(&knock(&admin, PLUGINS, Some(&token.text)).await));
    for (method, given, turned_away) in [
        (LINE, None, "CREDENTIALS_MISSING"),
        (LINE, Some("alm_wrong"), "TOKEN_INVALID"),
        (MAP, Some(&*asker.text), "SCOPE_MISSING"),
    ] {
        let refused = knock(&main, method, given).await.unwrap_err();
        assert_eq!(reason(&refused), turned_away);
    }
    until(async || lines(&file).len() >= before + 7).await;

    let written = lines(&file).split_off(before);
    let of = |event: &str, method: &str| {
        let method = method.trim_start_matches('/');
        let of = written
            .iter()
            .filter(|it| it["event"] == event && it["method"] == method);
        of.collect::<Vec<_>>()
    };
    for method in [MAP, PLUGINS] {
        let (asked, done) = (of("asked", method), of("done", method));
        assert_eq!((asked.len(), done.len()), (1, 1), "{method}");
        for line in [asked[0], done[0]] {
            assert_eq!(
                (&line["tenant"], &line["token"]),
                (&"club".into(), &token.id.as_str().into())
            );
            assert!(line["peer"].as_str().unwrap().starts_with("127.0.0.1:"));
        }
        assert_eq!(asked[0]["request_id"], done[0]["request_id"]);
        assert!(done[0]["code"].is_string() && asked[0].get("code").is_none());
    }
    assert!(of("asked", LINE).is_empty(), "questions change nothing");
    let refused = of("refused", LINE);
    let reasons: Vec<_> = refused
        .iter()
        .map(|it| it["reason"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["CREDENTIALS_MISSING", "TOKEN_INVALID"]);
    assert!(refused[0].get("token").is_none());
    let out = of("refused", MAP);
    assert_eq!(
        (&out[0]["reason"], &out[0]["token"]),
        (&"SCOPE_MISSING".into(), &asker.id.as_str().into())
    );
    let text = std::fs::read_to_string(&file).unwrap();
    for token in [&token, &asker] {
        let (_, secret) = token.text.rsplit_once('_').unwrap();
        assert!(!text.contains(secret), "a secret in the log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_written_down_is_not_done() {
    // A disk that is always full.
    let full = Path::new("/dev/full");
    if !full.exists() {
        eprintln!("SKIPPED: there is no /dev/full here");
        return;
    }
    let house = House::start(|_, serving| serving.audit = Some(full.to_owned())).await;
    let token = house
        .token(&[Scope::Adjudicate, Scope::MapsWrite], Quota::default())
        .await;
    let channel = house.channel();
    let refused = knock(&channel, MAP, Some(&token.text)).await.unwrap_err();
    assert_eq!(
        (refused.code(), &*reason(&refused)),
        (Code::Unavailable, "AUDIT_FAILED")
    );
    assert!(
        was_let_in(&knock(&channel, LINE, Some(&token.text)).await),
        "questions are answered"
    );
}
