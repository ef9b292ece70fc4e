use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::*;

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

fn numbered(number: u32) -> Line {
    Line::default().with("number", number)
}

/// Has it renewed as the service does, on a thread that may wait.
async fn renew(audit: &Audit, asked: bool) {
    let audit = audit.clone();
    let done = tokio::task::spawn_blocking(move || audit.renew(asked));
    done.await.unwrap();
}

#[tokio::test]
async fn what_is_asked_is_written_before_it_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit");
    let (audit, ending) = Audit::to(&file).unwrap();
    let line = Line::default().with("tenant", "club").with("empty", "");
    audit.asked(line.clone()).await.unwrap();
    let there = lines(&file);
    assert_eq!(
        (&there[0]["event"], &there[0]["tenant"]),
        (&"asked".into(), &"club".into())
    );
    assert!(there[0].get("empty").is_none());
    assert!(OffsetDateTime::parse(there[0]["time"].as_str().unwrap(), &Rfc3339).is_ok());
    audit.done(line.with("code", "OK"));
    drop(audit);
    ending.wait();
    assert_eq!(lines(&file)[1]["code"], "OK");
}

#[tokio::test]
async fn it_ends_although_somebody_looks_after_it_still() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit");
    let (audit, ending) = Audit::to(&file).unwrap();
    audit.done(Line::default().with("code", "OK"));
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        ending.wait();
        tell.send(()).unwrap();
    });
    let ended = told.recv_timeout(std::time::Duration::from_secs(30));
    assert!(ended.is_ok(), "it waits for whoever looks after its file");
    assert_eq!(lines(&file)[0]["code"], "OK");
    drop(audit);
}

#[tokio::test]
async fn a_file_that_was_moved_away_is_opened_anew() {
    let folder = tempfile::tempdir().unwrap();
    let [file, old, older] = ["audit", "old", "older"].map(|name| folder.path().join(name));
    let (audit, _ending) = Audit::to(&file).unwrap();
    audit.asked(numbered(1)).await.unwrap();
    std::fs::rename(&file, &older).unwrap();
    audit.asked(numbered(2)).await.unwrap();
    renew(&audit, true).await;
    audit.asked(numbered(3)).await.unwrap();
    assert_eq!((lines(&older).len(), lines(&file).len()), (2, 1));
    // Whoever forgets to ask for it loses nothing either, and one that is there goes on.
    renew(&audit, false).await;
    std::fs::rename(&file, &old).unwrap();
    renew(&audit, false).await;
    audit.asked(numbered(4)).await.unwrap();
    assert_eq!((lines(&old).len(), lines(&file).len()), (1, 1));
    assert!(!audit.is_stale());
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_anew_is_told_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let [file, old] = ["audit", "old"].map(|name| folder.path().join(name));
    let (audit, _ending) = Audit::to(&file).unwrap();
    std::fs::rename(&file, &old).unwrap();
    std::fs::create_dir(&file).unwrap();
    renew(&audit, true).await;
    assert!(audit.is_stale());
    audit.asked(numbered(1)).await.unwrap();
    assert_eq!(lines(&old).len(), 1);
    std::fs::remove_dir(&file).unwrap();
    renew(&audit, false).await;
    assert!(!audit.is_stale());
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_to_be_done_and_what_was_done_is_told_later() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit");
    // A disk that is always full.
    std::os::unix::fs::symlink("/dev/full", &file).unwrap();
    let Ok((audit, ending)) = Audit::to(&file) else {
        eprintln!("SKIPPED: there is no /dev/full here");
        return;
    };
    let refused = audit.asked(numbered(1)).await.unwrap_err();
    assert_eq!(
        tonic::Status::from(refused).code(),
        tonic::Code::Unavailable
    );
    assert!(audit.is_stale());
    audit.done(numbered(2));
    std::fs::remove_file(&file).unwrap();
    renew(&audit, false).await;
    assert!(!audit.is_stale());
    audit.asked(numbered(3)).await.unwrap();
    let numbers: Vec<_> = lines(&file).iter().map(|it| it["number"].clone()).collect();
    assert_eq!(numbers, [2, 3]);
    assert_eq!(audit.counts().lost(), 0);
    drop(audit);
    ending.wait();
}

#[tokio::test]
async fn of_too_many_refusals_some_are_left_out_and_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit");
    let (audit, ending) = Audit::to(&file).unwrap();
    for number in 0..1000 {
        audit.refused(numbered(number), false);
    }
    let left_out = audit.counts().left_out();
    assert!((500..=900).contains(&left_out), "{left_out}");
    // Nobody who is known pays for it.
    audit.refused(Line::default().with("token", "known"), true);
    tokio::time::sleep(Duration::from_millis(300)).await;
    audit.refused(Line::default().with("token", "later"), false);
    assert_eq!(audit.counts().left_out(), left_out);
    drop(audit);
    ending.wait();
    let written = lines(&file);
    assert!(written.iter().any(|it| it["token"] == "known"));
    let told = written
        .iter()
        .filter_map(|it| it["left_out_before"].as_u64());
    assert_eq!(told.sum::<u64>(), left_out);
    assert_eq!(written.last().unwrap()["token"], "later");
}
