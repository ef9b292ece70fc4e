//! What is written down of who does what.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use alamein_client::{Client, ErrorReason};
use serde_json::Value;

use crate::{Secured, position, read, until};

fn audited() -> Secured {
    Secured::start_with(|folder| {
        let file = folder.path().join("audit").display().to_string();
        vec!["--audit".to_owned(), file]
    })
}

/// The lines of a log. One that is no JSON fails the test, but for the last of a file that is being written.
fn lines(file: impl AsRef<Path>) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = whole.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

fn id_of(token: &str) -> &str {
    token.split('_').nth(1).unwrap()
}

/// Waits until the service lets somebody in: its rules are loaded then.
async fn ready(client: &Client) {
    client.ruleset().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_keeps_something_and_who_may_not_is_in_the_log_and_the_log_can_be_moved_away() {
    let mut secured = audited();
    let [club, asker] = ["club", "asker"].map(|name| secured.token(name));
    let file = secured.file("audit");
    let client = secured.bearing(&club, 60).await;
    ready(&client).await;
    let kept = client.create_position(&position(1)).await.unwrap();
    let refused = secured.bearing(&asker, 1).await;
    let refused = refused.create_position(&position(2)).await.unwrap_err();
    assert_eq!(refused.reason(), Some(ErrorReason::ScopeMissing));
    until(async || lines(&file).len() >= 3).await;

    let written = lines(&file);
    let events: Vec<_> = written
        .iter()
        .map(|it| it["event"].as_str().unwrap())
        .collect();
    assert_eq!(events, ["asked", "done", "refused"], "{written:?}");
    let [asked, done, refused] = [0, 1, 2].map(|at| &written[at]);
    for (line, token) in [(asked, &club), (done, &club), (refused, &asker)] {
        assert_eq!(
            (&line["tenant"], &line["token"]),
            (&"club".into(), &id_of(token).into())
        );
        assert_eq!(line["method"], "alamein.v1.PositionService/CreatePosition");
        assert!(
            line["peer"].as_str().unwrap().starts_with("127.0.0.1:"),
            "{line}"
        );
    }
    assert_eq!(asked["request_id"], done["request_id"]);
    assert_eq!(
        (&done["code"], &done["what"]["position_id"]),
        (&"OK".into(), &kept.id.to_string().into())
    );
    assert_eq!(
        (&refused["code"], &refused["reason"]),
        (&"PERMISSION_DENIED".into(), &"SCOPE_MISSING".into())
    );
    let text = fs::read_to_string(&file).unwrap() + &secured.server.log();
    for token in [&club, &asker] {
        let (_, secret) = token.rsplit_once('_').unwrap();
        assert!(!text.contains(secret), "a secret in a log");
    }
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );

    // As logrotate does it.
    fs::rename(&file, secured.file("audit.1")).unwrap();
    secured.server.reload().unwrap();
    until(async || Path::new(&file).exists()).await;
    client.create_position(&position(3)).await.unwrap();
    until(async || lines(&file).len() >= 2).await;
    assert_eq!(lines(secured.file("audit.1")), written);
    // The last line is there when the process has ended.
    client.create_position(&position(4)).await.unwrap();
    drop(client);
    secured.server.stop().unwrap();
    let written = lines(&file);
    assert_eq!((written.len(), &written[3]["code"]), (4, &"OK".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_nothing_is_done_behind_its_back_and_nothing_is_lost() {
    let secured = audited();
    let file = secured.file("audit");
    let club = secured.token("club");
    ready(&secured.bearing(&club, 60).await).await;
    let once = secured.bearing(&club, 1).await;
    // It holds some lines, and a part of another one.
    secured.server.limit_files(Some(5_000)).unwrap();
    let mut kept = BTreeSet::new();
    let refused = loop {
        let next = position(u32::try_from(kept.len()).unwrap());
        match once.create_position(&next).await {
            Ok(it) => assert!(kept.insert(it.id.to_string())),
            Err(error) => break (error, next.id()),
        }
        assert!(kept.len() < 100, "it never is full");
    };
    let (error, id) = refused;
    assert!(!kept.is_empty());
    assert_eq!(error.reason(), Some(ErrorReason::AuditFailed), "{error}");
    let remote = error.remote().unwrap();
    assert_eq!(remote.code, tonic::Code::Unavailable);
    assert!(
        remote
            .retry_after
            .is_some_and(|it| it <= Duration::from_secs(10)),
        "{remote:?}"
    );
    let log = secured.server.log();
    assert!(log.contains("the audit log cannot be written"), "{log}");
    // What was refused was not done, and whoever only asks is answered.
    let nobodys = read(&once, &id.to_string()).await.unwrap_err();
    assert_eq!(nobodys.reason(), Some(ErrorReason::PositionNotFound));
    once.ruleset().await.unwrap();

    secured.server.limit_files(None).unwrap();
    let again = position(u32::try_from(kept.len()).unwrap());
    kept.insert(once.create_position(&again).await.unwrap().id.to_string());
    let told = || {
        let written = lines(&file).into_iter();
        let done = written.filter(|it| it["event"] == "done" && it["code"] == "OK");
        let ids = done.map(|it| it["what"]["position_id"].as_str().unwrap().to_owned());
        ids.collect::<BTreeSet<_>>()
    };
    until(async || told() == kept).await;
    until(async || {
        secured
            .server
            .log()
            .contains("the audit log can be written again")
    })
    .await;
    let refused = lines(&file)
        .into_iter()
        .filter(|it| it["reason"] == "AUDIT_FAILED");
    assert_eq!(
        refused.count(),
        1,
        "what was refused meanwhile is told afterwards"
    );
}
