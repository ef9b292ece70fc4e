//! The files to deploy by are what those think who read them: Kubernetes' schemas, Envoy, systemd.
#![allow(clippy::unwrap_used)] // A test may.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use alamein_tests::{envoy, root};

/// Runs a program that must find nothing wrong. One that is not there is skipped, but where `CI` is set.
fn accepts(program: &Path, arguments: &[&str], what: &str) -> Option<Output> {
    let ran = Command::new(program).args(arguments).output();
    let output = match ran {
        Ok(output) => output,
        Err(error) if std::env::var_os("CI").is_none() => {
            eprintln!(
                "SKIPPED: {} is not there to check {what}: {error}",
                program.display()
            );
            return None;
        }
        Err(error) => panic!("{}: {error}", program.display()),
    };
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{what}: {said}");
    Some(output)
}

fn deploy(name: &str) -> PathBuf {
    root().join("deploy").join(name)
}

#[test]
fn envoy_takes_its_configuration() {
    let program = envoy::program().unwrap_or_else(|| "envoy".into());
    let config = envoy::shipped().display().to_string();
    accepts(
        program.as_ref(),
        &["--mode", "validate", "-c", &config],
        "envoy.yaml",
    );
}

#[test]
fn kubernetes_schemas_hold_and_all_files_are_in_the_set() {
    let folder = deploy("kubernetes");
    let set = std::fs::read_to_string(folder.join("kustomization.yaml")).unwrap();
    let mut checked = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "kustomization.yaml" {
            continue;
        }
        assert!(
            set.contains(&format!("- {name}\n")),
            "{name} is not in the set"
        );
        let file = path.display().to_string();
        accepts(
            Path::new("kubernetes-validate"),
            &["--strict", &file],
            &name,
        );
        checked += 1;
    }
    assert_eq!(checked, set.matches("\n  - ").count());
}

#[test]
fn the_grace_that_kubernetes_grants_is_longer_than_stopping_takes() {
    let read = |name: &str| std::fs::read_to_string(deploy("kubernetes").join(name)).unwrap();
    let after = |text: &str, key: &str| {
        let (_, rest) = text.split_once(key).unwrap();
        let digits = rest.trim_start_matches([' ', '=', '"']).chars();
        let digits: String = digits.take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().unwrap()
    };
    let (config, deployment) = (read("configmap.yaml"), read("deployment.yaml"));
    let grace = after(&deployment, "terminationGracePeriodSeconds:");
    assert!(grace > after(&config, "lame-duck") + after(&config, "drain =") + 5);
}

#[test]
fn systemd_knows_every_line_of_the_unit() {
    // It wants the program to be where the unit says: what is here is as good.
    let folder = tempfile::tempdir().unwrap();
    let unit = std::fs::read_to_string(deploy("systemd/alamein.service")).unwrap();
    let unit = unit.replace("/opt/alamein/bin/alamein", "/bin/true");
    let file = folder.path().join("alamein.service");
    std::fs::write(&file, unit).unwrap();
    let file = file.display().to_string();
    let Some(output) = accepts(Path::new("systemd-analyze"), &["verify", &file], "the unit") else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("alamein.service:"), "{said}");
    let judged = ["security", "--offline=true", "--threshold=20", &file];
    accepts(
        Path::new("systemd-analyze"),
        &judged,
        "how hardened the unit is",
    );
}

#[test]
fn a_linter_finds_nothing_in_the_dockerfile() {
    let file = deploy("docker/Dockerfile").display().to_string();
    // Which versions Debian has today is Debian's to say.
    accepts(
        Path::new("hadolint"),
        &["--ignore", "DL3008", &file],
        "the Dockerfile",
    );
}
