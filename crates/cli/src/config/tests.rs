//! What is said where, and what counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::fault::{Fault, Place};
use super::layers::{Configured, Unfit, redacted};
use super::{options, written};

/// A configuration of a file, an environment and flags.
fn read(file: &str, env: &[(&str, &str)], flags: &[&str]) -> Result<Configured, Vec<Fault>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alamein.toml");
    std::fs::write(&path, file).unwrap();
    at(&path, env, flags)
}

fn at(path: &Path, env: &[(&str, &str)], flags: &[&str]) -> Result<Configured, Vec<Fault>> {
    let mut line: Vec<OsString> = vec!["--config".into(), path.into()];
    line.extend(flags.iter().map(OsString::from));
    let env: BTreeMap<_, _> = env.iter().copied().collect();
    let env = |name: &str| env.get(name).map(ToString::to_string);
    Configured::of(&line, &env).map_err(|unfit| match unfit {
        Unfit::Faults(faults) => faults,
        Unfit::Usage(error) => panic!("{error}"),
    })
}

fn place(configured: &Configured, name: &str) -> Place {
    let mut settings = configured.sources.settings.iter();
    let setting = settings.find(|it| it.option.name == name).unwrap();
    setting.place.clone()
}

#[test]
fn a_flag_counts_before_the_environment_and_that_before_the_file() {
    let file = "lame-duck = \"1s\"\n[limits]\nmax-requests = 7\nmax-maps = 8\n";
    let env = [("ALAMEIN_MAX_REQUESTS", "70"), ("ALAMEIN_MAX_MAPS", "80")];
    let read = read(file, &env, &["--max-requests", "700"]).unwrap();
    assert_eq!(read.serve.limits.requests, 700);
    assert_eq!(read.serve.limits.maps, Some(80));
    assert_eq!(read.serve.lame_duck, Duration::from_secs(1));
    assert_eq!(read.serve.drain, Duration::from_secs(20));
    assert_eq!(place(&read, "max-requests"), Place::Flag);
    let environment = Place::Environment("ALAMEIN_MAX_MAPS".into());
    assert_eq!(place(&read, "max-maps"), environment);
    let Place::File(_, line) = place(&read, "lame-duck") else {
        panic!("of the file")
    };
    assert_eq!(line, Some(1));
    assert_eq!(place(&read, "drain"), Place::Default);
}

#[test]
fn switches_and_lists_are_taken_over_and_taken_back() {
    let file = "gzip = true\nweb-origin = [\"https://a.example\", \"https://b.example\"]\n\
                [replacing-plugins]\nwatch = true\n";
    let read_with = |env: &[(&str, &str)], flags: &[&str]| read(file, env, flags).unwrap().serve;
    let plain = read_with(&[], &[]);
    assert!(plain.gzip && plain.swapping.watch);
    assert_eq!(plain.web_origin, ["https://a.example", "https://b.example"]);

    let flags = read_with(&[], &["--gzip=false", "--web-origin", "https://c.example"]);
    assert!(!flags.gzip && flags.swapping.watch);
    assert_eq!(flags.web_origin, ["https://c.example"]);

    let env = [
        ("ALAMEIN_WATCH", "no"),
        ("ALAMEIN_WEB_ORIGIN", "https://d.example, https://e.example"),
    ];
    let env = read_with(&env, &[]);
    assert!(!env.swapping.watch);
    assert_eq!(env.web_origin, ["https://d.example", "https://e.example"]);
    // What has commas of its own stands on a line of its own.
    let set = read_with(&[("ALAMEIN_SET", "a.b=[1,2]\n")], &[]);
    assert_eq!(set.rules.options, ["a.b=[1,2]"]);
    // Nothing is said by an empty value.
    assert!(read_with(&[("ALAMEIN_WATCH", "")], &[]).swapping.watch);
}

#[test]
fn options_need_one_another_wherever_they_are_said() {
    let both = read(
        "[replacing-plugins]\nadmin = \"127.0.0.1:0\"\n",
        &[],
        &["--admin-token-file", "token"],
    );
    assert!(both.unwrap().serve.swapping.admin_token_file.is_some());
    let file = "[replacing-plugins]\n\nadmin-token-file = \"token\"\n";
    let alone = read(file, &[], &[]).unwrap_err();
    let told = alone[0].to_string();
    assert!(
        told.contains("alamein.toml:3: replacing-plugins.admin-token-file: ")
            && told.contains("--admin <"),
        "{told}"
    );
}

#[test]
fn who_gave_a_flag_that_lacks_another_is_told_so() {
    let lacking = |file: &str, flags: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("alamein.toml");
        std::fs::write(&path, file).unwrap();
        let mut line: Vec<OsString> = vec!["--config".into(), path.into()];
        line.extend(flags.iter().map(OsString::from));
        let env = |name: &str| (name == "ALAMEIN_PLUGIN_DIR").then(|| "plugins".to_owned());
        Configured::of(&line, &env).unwrap_err()
    };
    let file = "[replacing-plugins]\nadmin = \"127.0.0.1:0\"\nadmin-token-file = \"token\"\n";
    for (file, flag) in [("", "--admin-token-file=t"), (file, "--admin-tls-cert=c")] {
        let unfit = lacking(file, &[flag]);
        assert!(matches!(unfit, Unfit::Usage(_)), "{unfit:?}");
    }
    let file = "[replacing-plugins]\nadmin-tls-cert = \"c\"\n";
    let Unfit::Faults(faults) = lacking(file, &["--admin=127.0.0.1:0"]) else {
        panic!("the file is at fault")
    };
    let told = faults[0].to_string();
    assert!(
        told.contains("alamein.toml:2: ") && told.contains("--admin-tls-key"),
        "{told}"
    );
}

#[test]
fn all_that_is_wrong_with_a_file_is_told_with_its_line() {
    let file = "listen = \"nowhere\"\nlisten-on = 1\ngzip = \"yes\"\nmax-maps = 3\n\
                [limits]\nmax-request = 3\nmax-maps = -3\nmax-request-bytes = \"4 acres\"\n\
                max-tags = [1, 2]\n[rules]\npolicy = \"NEVER\"\nlisten = \"127.0.0.1:1\"\n\
                [limit]\nmax-tags = 2\n";
    let told: Vec<String> = read(file, &[], &[])
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect();
    let told: Vec<_> = told
        .iter()
        .map(|it| it.split_once("alamein.toml").unwrap().1)
        .collect();
    for (line, key, what) in [
        (1, "listen", "\"nowhere\": invalid socket address"),
        (
            2,
            "listen-on",
            "there is no such option; did you mean listen?",
        ),
        (3, "gzip", "is either true or false, without quotes"),
        (4, "max-maps", "belongs into [limits]"),
        (6, "limits.max-request", "did you mean max-requests?"),
        (
            7,
            "limits.max-maps",
            "\"-3\": write a whole number from 0 up",
        ),
        (8, "limits.max-request-bytes", "write 64KiB"),
        (9, "limits.max-tags", "takes one value and no list"),
        (
            11,
            "rules.policy",
            "is none of EITHER, BOTH, NEITHER_IF_GRAZING",
        ),
        (12, "rules.listen", "belongs to the top"),
        (
            13,
            "limit",
            "there is no section [limit]; did you mean limits?",
        ),
    ] {
        let wanted = format!(":{line}: {key}: ");
        let found = told.iter().find(|it| it.starts_with(&wanted));
        let found = found.unwrap_or_else(|| panic!("{wanted}: {told:#?}"));
        assert!(found.contains(what), "{found}");
        assert!(!found.contains("--"), "{found}");
    }
    assert_eq!(told.len(), 11, "{told:#?}");
}

#[test]
fn what_is_wrong_in_the_environment_is_told_by_its_name() {
    let env = [("ALAMEIN_LISTEN", "nowhere"), ("ALAMEIN_GZIP", "perhaps")];
    let told = read("", &env, &[]).unwrap_err();
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("ALAMEIN_LISTEN: \"nowhere\": "),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("ALAMEIN_GZIP: \"perhaps\": "),
        "{told:?}"
    );
    assert!(!told[0].contains("--"), "{told:?}");
}

#[test]
fn a_file_is_read_whole_or_not_at_all() {
    let broken = read("listen = \n", &[], &[]).unwrap_err();
    assert!(
        broken[0].to_string().contains("alamein.toml:1: "),
        "{broken:?}"
    );
    let missing = at(Path::new("/nowhere/alamein.toml"), &[], &[]).unwrap_err();
    let told = missing[0].to_string();
    assert!(
        told.contains("/nowhere/alamein.toml: the configuration file cannot be read"),
        "{told}"
    );
}

#[test]
fn paths_are_relative_to_the_file_and_to_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key.pub"), "key").unwrap();
    let path = folder.path().join("alamein.toml");
    let text = "record = \"log/asked\"\nrulesets = [\"club.toml\", \"/etc/club.toml\"]\n\
                [storage]\nstore = \"kept\"\n[trust]\ntrusted-key = [\"key.pub\", \"RWQkey\"]\n";
    std::fs::write(&path, text).unwrap();
    let read_it = || {
        at(&path, &[("ALAMEIN_LOCK", "here.lock")], &[])
            .unwrap()
            .serve
    };
    let read = read_it();
    let within = |name: &str| folder.path().join(name);
    assert_eq!(read.storing.store.as_deref(), within("kept").to_str());
    for as_it_is in ["memory", "postgres://al@db/games"] {
        std::fs::write(&path, format!("[storage]\nstore = \"{as_it_is}\"\n")).unwrap();
        assert_eq!(read_it().storing.store.as_deref(), Some(as_it_is));
    }
    assert_eq!(read.record, Some(within("log/asked")));
    assert_eq!(
        read.rulesets,
        [within("club.toml"), "/etc/club.toml".into()]
    );
    assert_eq!(
        read.rules.trust.keys,
        [within("key.pub").to_str().unwrap(), "RWQkey"]
    );
    assert_eq!(read.rules.trust.lock, Some("here.lock".into()));
}

#[test]
fn the_file_that_explains_everything_changes_nothing() {
    let example = written::example(&options::all());
    let lines = example.lines().map(|line| match line.strip_prefix('#') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_lowercase()) => rest,
        _ => line,
    });
    let set: String = lines.map(|line| format!("{line}\n")).collect();
    let (given, usual) = (read(&set, &[], &[]).unwrap(), read("", &[], &[]).unwrap());
    assert_eq!(given.sources.settings.len(), usual.sources.settings.len());
    for (given, usual) in given.sources.settings.iter().zip(&usual.sources.settings) {
        assert!(
            matches!(given.place, Place::File(..)),
            "{given:?} is in the file"
        );
        assert_eq!(given.values, usual.values, "{given:?}");
    }
    // As it is written, it sets nothing at all.
    let as_it_is = read(&example, &[], &[]).unwrap();
    let mut settings = as_it_is.sources.settings.iter();
    assert!(settings.all(|it| it.place == Place::Default));
}

#[test]
fn sentences_do_not_run_together() {
    let options = options::all();
    let (example, page) = (written::example(&options), written::reference(&options));
    let first = "How long a request may wait for a thread to judge it.";
    assert!(
        example.contains(&format!("# {first}\n# A queue")),
        "{example}"
    );
    assert!(page.contains(&format!("| {first} A queue")), "{page}");
    // What is alone needs none, and no text has two.
    assert!(page.contains("| How long a request may take |"), "{page}");
    assert!(!page.contains(".. "), "{page}");
}

#[test]
fn every_flag_of_the_service_is_in_the_file_and_on_the_page() {
    use clap::CommandFactory as _;
    let options = options::all();
    let (example, page) = (written::example(&options), written::reference(&options));
    let mut cli = crate::args::Cli::command();
    cli.build();
    let serve = cli.find_subcommand("serve").unwrap();
    let flags = serve.get_arguments().filter(|it| !it.is_hide_set());
    let flags: Vec<_> = flags.filter_map(|it| it.get_long()).collect();
    assert!(flags.len() > 40, "{flags:?}");
    for flag in flags
        .into_iter()
        .filter(|it| !["help", "config"].contains(it))
    {
        assert!(example.contains(&format!("\n#{flag} = ")), "{flag}");
        assert!(page.contains(&format!("| `--{flag}")), "{flag}");
    }
}

#[test]
fn passwords_are_not_shown() {
    for (value, shown) in [
        (
            "postgres://al:secret@db/games",
            "postgres://al:***@db/games",
        ),
        ("postgres://al@db/games", "postgres://al@db/games"),
        ("postgres://al:a:b@c@db", "postgres://al:***@db"),
        ("redb:///var/lib/alamein", "redb:///var/lib/alamein"),
        ("127.0.0.1:1", "127.0.0.1:1"),
        ("https://a/b:c@d", "https://a/b:c@d"),
    ] {
        assert_eq!(redacted(value), shown);
    }
}
