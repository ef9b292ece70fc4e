//! `alamein.toml`, and `alamein config`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Ran, command, run};

/// A folder with a configuration file.
fn folder_with(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("alamein.toml");
    fs::write(&file, text).unwrap();
    (folder, file)
}

fn run_in(folder: &Path, line: &str) -> Ran {
    let mut command = command(line);
    command.current_dir(folder);
    Ran::of(command.output().unwrap())
}

#[test]
fn what_is_made_of_the_options_is_current() {
    for (line, file) in [
        ("config init", "deploy/alamein.toml"),
        ("config reference", "docs/configuration.md"),
    ] {
        let there = fs::read_to_string(xtask::root().join(file)).unwrap_or_default();
        assert!(
            there == run(line).out,
            "{file} is not what the options are by now; run `cargo xtask options`"
        );
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let (folder, file) = folder_with(
        "listen = \"here\"\nrulesets = [\"none.toml\"]\n[limits]\nmax-requests = 0\nmax-tag = 1\n\
         [replacing-plugins]\nadmin = \"0.0.0.0:0\"\n[rules]\nplugin-dir = [\"house\"]\n",
    );
    let line = format!("config check {}", file.display());
    let ran = run(&line);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let file = file.display();
    ran.says(&format!(
        "{file}:1: listen: \"here\": invalid socket address"
    ))
    .says(&format!("{file}:2: rulesets: "))
    .says(&format!(
        "{file}:4: limits.max-requests: \"0\": write a whole number from 1 up"
    ))
    .says(&format!(
        "{file}:5: limits.max-tag: there is no such option; did you mean max-tags?"
    ))
    .says(&format!(
        "{file}:7: replacing-plugins.admin: 0.0.0.0:0 can be reached from other machines"
    ))
    .says(&format!(
        "{file}:9: rules.plugin-dir: {}/house is no folder",
        folder.path().display()
    ))
    .says(&format!("{file}: 6 things are wrong"));
    assert!(!ran.out.contains("--"), "{}", ran.out);

    let told: Value = serde_json::from_str(&run(&format!("{line} --json")).out).unwrap();
    assert_eq!(told["faults"].as_array().unwrap().len(), 6, "{told:#}");
    let is_of_line_4 = |fault: &&Value| fault["line"] == 4;
    let fault = told["faults"]
        .as_array()
        .unwrap()
        .iter()
        .find(is_of_line_4)
        .unwrap();
    assert_eq!(fault["option"], "limits.max-requests");
    assert_eq!(fault["file"], file.to_string());
}

#[test]
fn a_sound_configuration_is_told_to_be_one() {
    let (folder, _) = folder_with("listen = \"127.0.0.1:0\"\n");
    let ran = run_in(folder.path(), "config check");
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
    ran.says("alamein.toml: nothing is wrong");
    let strange = command("config check")
        .env("ALAMEIN_LISTN", "1")
        .output()
        .unwrap();
    Ran::of(strange)
        .says("warning: ALAMEIN_LISTN is set")
        .says("did you mean ALAMEIN_LISTEN?");
}

#[test]
fn more_that_may_stand_than_are_let_in_is_remarked_upon() {
    let (folder, file) = folder_with("[limits]\nmax-requests = 8\nmax-standing = 9\n");
    let line = format!("config check {}", file.display());
    let ran = run(&line);
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
    ran.says(&format!(
        "warning: {}:3: limits.max-standing: 9 is more",
        file.display()
    ))
    .says("nothing is wrong");
    let told: Value = serde_json::from_str(&run(&format!("{line} --json")).out).unwrap();
    let mut warnings = told["warnings"].as_array().unwrap().iter();
    let is_told = warnings.any(|it| it.as_str().unwrap().contains("limits.max-standing: 9 "));
    assert!(is_told, "{told:#}");
    // As many, or none that is said, is as it should be.
    for flags in ["--max-standing 8", "--max-standing 9 --max-requests 9"] {
        let ran = run_in(
            folder.path(),
            &format!("config check alamein.toml -- {flags}"),
        );
        assert!(!ran.out.contains("max-standing"), "{}", ran.out);
    }
    let (_folder, file) = folder_with("[limits]\nmax-requests = 8\n");
    let ran = run(&format!("config check {}", file.display()));
    assert!(!ran.out.contains("max-standing"), "{}", ran.out);
}

#[test]
fn what_is_in_force_is_shown_with_where_it_comes_from() {
    let (folder, _) =
        folder_with("listen = \"127.0.0.1:1\"\n[limits]\nmax-maps = 8\nmax-tags = 9\n");
    let mut show = command("config show --json -- --max-tags 90");
    show.current_dir(folder.path())
        .env("ALAMEIN_MAX_REQUESTS", "7");
    let shown: Value = serde_json::from_str(&Ran::of(show.output().unwrap()).out).unwrap();
    let option = |name: &str| {
        let mut options = shown["options"].as_array().unwrap().iter();
        options.find(|it| it["option"] == name).unwrap().clone()
    };
    let maps = option("limits.max-maps");
    assert_eq!(
        (&maps["value"], &maps["from"]["kind"]),
        (&"8".into(), &"file".into())
    );
    assert_eq!(maps["from"]["line"], 3);
    assert_eq!(option("limits.max-tags")["from"]["kind"], "flag");
    assert_eq!(option("limits.max-tags")["value"], "90");
    assert_eq!(
        option("limits.max-requests")["from"]["name"],
        "ALAMEIN_MAX_REQUESTS"
    );
    assert_eq!(option("limits.max-steps")["from"]["kind"], "default");

    // What is shown sets the same.
    let toml = run_in(folder.path(), "config show").out;
    let (again, file) = folder_with(&toml);
    let ran = run_in(
        again.path(),
        &format!("config show {} --set", file.display()),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.tells("max-maps = 8").tells("listen = \"127.0.0.1:1\"");
}

#[test]
fn a_password_is_shown_to_nobody() {
    let (folder, file) = folder_with("listen = \"db://al:secret@127.0.0.1\"\n");
    let line = format!("config check {}", file.display());
    for ran in [
        run(&line),
        run(&format!("serve --config {}", file.display())),
    ] {
        let told = format!("{}{}", ran.out, ran.err);
        assert!(
            told.contains("db://al:***@127.0.0.1") && !told.contains("secret"),
            "{told}"
        );
    }
    drop(folder);
}

#[test]
fn a_service_ends_with_a_wrong_configuration_and_says_so() {
    let (folder, file) = folder_with("[limits]\nmax-requests = 0\n");
    for ran in [
        run_in(folder.path(), "serve"),
        run(&format!("serve --config {}", file.display())),
        Ran::of(
            command("serve")
                .env("ALAMEIN_CONFIG", &file)
                .output()
                .unwrap(),
        ),
    ] {
        assert_eq!(ran.code, 78, "{}", ran.err);
        assert!(
            ran.err.contains(
                "alamein.toml:2: limits.max-requests: \"0\": write a whole number from 1 up"
            ),
            "{}",
            ran.err
        );
    }
    let ran = run("serve --config /nowhere.toml");
    assert_eq!(ran.code, 78, "{}", ran.err);
    assert!(
        ran.err
            .contains("/nowhere.toml: the configuration file cannot be read"),
        "{}",
        ran.err
    );
    let ran = Ran::of(
        command("serve")
            .env("ALAMEIN_DRAIN", "soon")
            .output()
            .unwrap(),
    );
    assert_eq!(ran.code, 78, "{}", ran.err);
    assert!(
        ran.err.starts_with("alamein: ALAMEIN_DRAIN: \"soon\": "),
        "{}",
        ran.err
    );
    run("serve --drain soon").tells_usage_of("--drain");
}

#[test]
fn nothing_is_written_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(folder.path(), "config init alamein.toml").code, 0);
    let written = fs::read_to_string(folder.path().join("alamein.toml")).unwrap();
    assert!(
        written.contains("#listen = \"127.0.0.1:50051\""),
        "{written}"
    );
    run_in(folder.path(), "config init alamein.toml").complains("alamein.toml cannot be written");
    assert_eq!(run_in(folder.path(), "config check alamein.toml").code, 0);
}

/// What the doctor says, by what it looked at.
fn doctor(line: &str) -> (i32, Value) {
    let ran = run(&format!("doctor --json {line}"));
    (ran.code, serde_json::from_str(&ran.out).unwrap())
}

/// Whether there is a finding of this kind that says this.
fn finds(told: &Value, of: &str, state: &str, what: &str) -> bool {
    let mut findings = told["findings"].as_array().unwrap().iter();
    findings.any(|it| {
        it["of"] == of && it["state"] == state && it["what"].as_str().unwrap().contains(what)
    })
}

#[test]
fn a_doctor_finds_a_sound_set_up_sound() {
    let (code, told) = doctor("-- --listen 127.0.0.1:0 --max-connections 64");
    assert_eq!(code, 0, "{told:#}");
    for (of, what) in [
        ("configuration", ""),
        ("plugins", "deir, "),
        ("self-test", "rulings are what they should be"),
        ("address", "listen 127.0.0.1:0: free"),
        ("open files", "192 are needed"),
        ("clock", "20"),
    ] {
        assert!(finds(&told, of, "ok", what), "{of}: {told:#}");
    }
}

#[test]
fn a_doctor_finds_what_is_wrong_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fs::write(&token, "0123456789abcdef0123").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    fs::set_permissions(&token, mode).unwrap();
    let bad = folder.path().join("house/bad");
    fs::create_dir_all(&bad).unwrap();
    fs::write(bad.join("plugin.json"), "{").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let house = folder.path().join("house");
    let (code, told) = doctor(&format!(
        "-- --listen {address} --max-connections 900000000 --plugin-dir {} --admin 127.0.0.1:0 \
         --admin-token-file {}",
        house.display(),
        token.display()
    ));
    assert_eq!(code, 1, "{told:#}");
    for (of, what) in [
        ("configuration", "chmod 600"),
        ("secrets", "chmod 600"),
        ("plugins", "house/bad"),
        ("address", "listens there (process "),
        ("open files", "LimitNOFILE"),
    ] {
        assert!(finds(&told, of, "fail", what), "{of}: {told:#}");
    }
}

#[test]
fn a_doctor_looks_at_certificates_and_at_services() {
    let folder = tempfile::tempdir().unwrap();
    let made = |days: &str| {
        let at = |name: &str| {
            folder
                .path()
                .join(format!("{days}.{name}"))
                .display()
                .to_string()
        };
        let mut openssl = std::process::Command::new("openssl");
        let (key, certificate) = (at("key"), at("pem"));
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-subj",
            "/CN=alamein",
        ]);
        openssl.args(["-addext", "subjectAltName=DNS:rules.example,IP:10.0.0.1"]);
        let made = openssl.args(["-keyout", &key, "-out", &certificate, "-days", days]);
        assert!(made.output().unwrap().status.success());
        format!("--admin 127.0.0.1:0 --admin-tls-cert {certificate} --admin-tls-key {key}")
    };
    let service = crate::serving::Service::start("");
    let server = format!("--server http://{}", service.address);
    let (_, told) = doctor(&format!(
        "{server} -- --listen {} {}",
        service.address,
        made("90")
    ));
    for (of, what) in [
        ("certificate", "rules.example, 10.0.0.1, for "),
        ("secrets", "its owner's alone"),
        ("address", "alamein listens there"),
        ("service", "it can be reached"),
        ("health", "SERVING"),
        ("rules", "deir "),
        ("latency", "at best of 5"),
        ("its clock", "agrees with this one"),
    ] {
        assert!(finds(&told, of, "ok", what), "{of}: {told:#}");
    }
    let (_, told) = doctor(&format!(
        "--server http://127.0.0.1:9 -- --listen 127.0.0.1:0 {}",
        made("3")
    ));
    assert!(
        finds(&told, "certificate", "warn", "get a new one"),
        "{told:#}"
    );
    assert!(finds(&told, "service", "fail", "is it running"), "{told:#}");
}
