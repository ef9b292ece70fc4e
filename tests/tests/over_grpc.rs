//! The same rulings over gRPC: canonical bytes and ids are those that the engine gives in this
//! process, in whatever order the server loaded its plugins.
#![allow(clippy::unwrap_used)] // A test may.

use std::fs;
use std::path::Path;
use std::time::Duration;

use alamein_cases::{Asked, Case};
use alamein_client::{Client, Error, ErrorReason, Settings, View};
use alamein_engine::{Engine, QuestionError, RulesetConfig, Wanted};
use alamein_terrain::{Adjudicated, Question};
use alamein_tests::serving::Server;
use alamein_tests::{engine, known, linked_plugins, plugin_folder, root};
use tempfile::TempDir;

/// The plugins in a folder that has them in another order.
fn the_other_way_round() -> TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let plugins = fs::read_dir(plugin_folder().unwrap()).unwrap();
    let mut plugins: Vec<_> = plugins.map(|entry| entry.unwrap().path()).collect();
    plugins.sort();
    plugins.reverse();
    for (number, plugin) in plugins.iter().enumerate() {
        let to = folder.path().join(format!("{number}"));
        fs::create_dir(&to).unwrap();
        for file in fs::read_dir(plugin).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    folder
}

fn serve(plugins: &Path) -> Server {
    let none: [&str; 0] = [];
    Server::start(plugins, &none).unwrap()
}

/// A client that has patience with a debug build.
async fn connect(server: &Server) -> Client {
    let settings = Settings {
        deadline: Duration::from_secs(30),
        tries: 40,
        ..Settings::default()
    };
    let url = format!("http://{}", server.address());
    Client::connect_with(&url, settings).await.unwrap()
}

/// The case files of this repository that are judged by the usual options.
fn cases(engine: &Engine) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(root().join("tests/cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    let usual = RulesetConfig::default();
    let known = known(engine);
    files
        .iter()
        .map(|file| alamein_cases::load(file, &known).unwrap())
        .filter(|case| case.settings.policy == usual.policy && case.settings.options.is_empty())
        .collect()
}

fn questions(case: &Case) -> Vec<Question> {
    let asked = case.questions.iter().filter_map(|it| match &it.asked {
        Asked::Question(asked) => Some((**asked).clone()),
        Asked::Unanswered | Asked::Unreadable(_) => None,
    });
    asked.collect()
}

/// What the engine says in this process.
fn here(
    engine: &Engine,
    case: &Case,
    asked: &[Question],
) -> Vec<Result<Adjudicated, QuestionError>> {
    let wanted = Wanted {
        other_policies: true,
        ..Wanted::default()
    };
    let position = case.position.clone();
    engine
        .adjudicate_here(&engine.ruleset(), position, asked, wanted)
        .unwrap()
}

/// The canonical bytes of all that was ruled on a question, the ids included.
fn bytes(adjudicated: &Adjudicated) -> Vec<Vec<u8>> {
    let others = adjudicated.other_policies.iter();
    std::iter::once(&adjudicated.ruling)
        .chain(others.map(|(_, ruling)| ruling))
        .flat_map(|ruling| {
            let ids = [ruling.id, ruling.rules, ruling.position];
            [ruling.canonical(), format!("{ids:?}").into_bytes()]
        })
        .collect()
}

/// Compares an answer over gRPC with that in this process.
fn compare(there: Result<Adjudicated, Error>, here: &Result<Adjudicated, QuestionError>) {
    match (there, here) {
        (Ok(there), Ok(here)) => {
            assert_eq!(there, *here);
            assert_eq!(bytes(&there), bytes(here));
        }
        (Err(error), Err(QuestionError::NotImplemented { plugin, rule, .. })) => {
            assert_eq!(error.reason(), Some(ErrorReason::RuleNotImplemented));
            let text = error.to_string();
            assert!(text.contains(plugin) && text.contains(rule), "{text}");
        }
        (there, here) => panic!("{there:?} and not {here:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_batch_by_plugins_in_any_order() {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let turned = the_other_way_round();
    let servers = [serve(plugin_folder().unwrap()), serve(turned.path())];
    for server in &servers {
        let client = connect(server).await;
        let mut compared = 0;
        for case in cases(&engine) {
            let asked = questions(&case);
            let expected = here(&engine, &case, &asked);
            let answers = client
                .adjudicate(&*case.position, &asked, View::Explain)
                .await;
            let answers = answers.unwrap();
            assert_eq!(answers.len(), expected.len());
            for (there, here) in answers.into_iter().zip(&expected) {
                compare(there, here);
                compared += 1;
            }
        }
        assert!(compared > 250, "{compared}");
    }
    let [one, other] = servers.map(|server| first_loaded(&server));
    assert_ne!(one, other, "they load their plugins in two orders");
}

/// The plugin that a server loaded first.
fn first_loaded(server: &Server) -> String {
    let log = server.log();
    let (_, rest) = log.split_once("plugin loaded id=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_a_time_by_the_id_of_the_position() {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let server = serve(plugin_folder().unwrap());
    let client = connect(&server).await;
    let cases = cases(&engine);
    let example = cases.iter().find(|case| case.id == "f4-example").unwrap();
    let kept = client.create_position(&example.position).await.unwrap();
    assert_eq!(kept.id, example.position.id());
    let asked = questions(example);
    let expected = here(&engine, example, &asked);
    // Of the many questions of the example every seventh, which has all kinds.
    for (question, here) in asked.iter().zip(&expected).step_by(7) {
        let one = std::slice::from_ref(question);
        let answers = client.adjudicate(kept, one, View::Explain).await;
        compare(answers.unwrap().remove(0), here);
    }
}
