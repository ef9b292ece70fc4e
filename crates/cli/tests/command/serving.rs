//! The service, and the commands that ask it.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::Value;

use crate::{command, run};

/// A service, killed at the end if it is still there.
pub(crate) struct Service {
    child: Child,
    log: BufReader<ChildStderr>,
    pub(crate) address: String,
}

impl Service {
    /// Starts one, and waits until it judges.
    pub(crate) fn start(flags: &str) -> Self {
        Self::start_until(flags, "rules in force")
    }

    /// Starts one, and waits until its log says this.
    pub(crate) fn start_until(flags: &str, said: &str) -> Self {
        let mut serve = command(&format!("serve --listen 127.0.0.1:0 --lame-duck 0 {flags}"));
        let mut child = serve.stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut address = String::new();
        let mut line = String::new();
        while !line.contains(said) {
            line.clear();
            assert_ne!(log.read_line(&mut line).unwrap(), 0, "the service ended");
            if let Some((_, found)) = line.split_once("address=")
                && address.is_empty()
            {
                address = found.split_whitespace().next().unwrap().to_owned();
            }
        }
        Self {
            child,
            log,
            address,
        }
    }

    /// Stops it as an operator would, and gives its exit status and the rest of its log.
    pub(crate) fn stop(mut self) -> (Option<i32>, String) {
        let kill = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        assert!(kill.unwrap().success());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.log, &mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It is gone if it was stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn help_lists_nothing_that_a_service_refuses() {
    let help = run("serve --help").out;
    assert!(help.contains("--rulesets <"), "{help}");
    for refused in ["--server <", "--ruleset <"] {
        assert!(!help.contains(refused), "{help}");
    }
    run("serve --server http://localhost:1").is_misconfigured("name one where you ask");
}

#[test]
fn a_service_says_the_same_as_the_plugins_in_this_process() {
    let service = Service::start("");
    let there = format!("--server http://{}", service.address);
    for line in [
        "los J G --example --explain",
        "fire H K --example --json --explain",
        "fire B D --example --policy BOTH --json",
        "reach tank Q6 --example --allowance 3 --policy NEITHER_IF_GRAZING",
        "lane E S10 Q7 --example --picture",
        "move tank Q6 Q5 --example --ec wet",
        "move tank P4 P5 P6:2 Q6 --example --allowance 2 --explain",
        "reach tank Q6 --example --allowance 3",
        "map show --example --around J",
    ] {
        let (here, asked) = (run(line), run(&format!("{line} {there}")));
        assert_eq!((asked.code, asked.err.as_str()), (0, ""), "{line}");
        assert_eq!(asked.out, here.out, "{line}");
    }
    let rules = |ran: crate::Ran| serde_json::from_str::<Value>(&ran.out).unwrap();
    let (here, asked) = (
        rules(run("rules --json")),
        rules(run(&format!("rules --json {there}"))),
    );
    assert_eq!(here["rules_fingerprint"], asked["rules_fingerprint"]);
    assert_eq!(
        here["plugins"][0]["options"],
        asked["plugins"][0]["options"]
    );
    // One file that the service can rule on, and one that wants other options.
    let cases = xtask::root().join("tests/cases").display().to_string();
    let checked = run(&format!(
        "check {cases}/f4-example.json {cases}/deir-options.json {there}"
    ));
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    assert!(
        checked.out.contains(" passed, 0 failed, "),
        "{}",
        checked.out
    );
    checked.says("the service judges by other options than the file wants");
    run(&format!("demo {there}")).says("TEM +1; total DRM +2");

    let (code, log) = service.stop();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("asked to stop"), "{log}");
}

#[test]
fn a_service_checks_maps_as_the_plugins_do() {
    let service = Service::start("");
    let there = format!("--server http://{}", service.address);
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("odd.toml");
    let text = "[[board]]\n[layers.deir]\nhexes = [\"C4\"]\nlip_hexes = [\"C6\"]\n\
                [layers.mist]\nhexes = [\"C4\"]\n";
    std::fs::write(&odd, text).unwrap();
    let fine = xtask::root().join("docs/maps/chapter-f.toml");
    let line = format!("map check {} {}", odd.display(), fine.display());
    let (here, asked) = (run(&line), run(&format!("{line} {there}")));
    assert_eq!((asked.code, &*asked.out), (1, &*here.out), "{}", asked.err);
    here.says("odd.toml:2: error: layers.deir: plugin deir: ")
        .says("odd.toml:5: warning: layers.mist: no plugin owns this layer");
}

#[test]
fn what_a_service_refuses_is_an_error_and_what_it_rules_can_be_saved() {
    let service = Service::start("--only sight --only vehicle --max-hexes 400");
    let there = format!("--server {}", service.address);
    run(&format!("move wreck Q6 Q5 --example {there}")).complains("CANNOT_MOVE");
    run(&format!("los H K --example {there}"))
        .says("beware: it meets the layer deir, which no loaded plugin owns");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.json");
    run(&format!(
        "los A B --example {there} --save {}",
        file.display()
    ));
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(
        saved["questions"][0]["ignore_layers"],
        serde_json::json!(["deir", "hillock"])
    );
    // With more plugins loaded the layers are taken into account.
    let checked = run(&format!("check {}", file.display()));
    assert!([0, 1].contains(&checked.code), "{}", checked.err);
}

#[test]
fn of_all_plugins_that_is_blamed_whose_option_does_not_fit() {
    let service = Service::start_until("--set vehicle.nonsense=1", "no rules");
    let server = format!("--server http://{}", service.address);
    let fault = "its plugin vehicle is out of use: OPTION: ruleset default: options.vehicle: ";
    let ran = run(&format!("los H K --example {server}"));
    ran.complains(fault);
    assert!(ran.err.contains("'nonsense'"), "{}", ran.err);
    let doctor = run(&format!("doctor {server}"));
    doctor.says(fault);
    assert!(!doctor.out.contains("its plugin deir"), "{}", doctor.out);
}

#[test]
fn where_nobody_listens_it_says_so() {
    run("los H K --example --server http://127.0.0.1:9").complains("no connection to http://");
    run("los H K --example --server nonsense://x").complains("--server");
    let both = run("los H K --example --server localhost:1 --set deir.cavalry_target=prc");
    assert_eq!(both.code, 2);
    for wrong in ["0", "-1", "abc"] {
        let ran = run(&format!("serve --max-requests {wrong}"));
        ran.tells_usage_of("--max-requests");
        let told = format!("'{wrong}' for '--max-requests <N>': write a whole number from 1 up\n");
        assert!(ran.err.contains(&told), "{}", ran.err);
    }
}
