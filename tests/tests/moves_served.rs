//! Moves over gRPC: the same as in-process, and what is refused.
#![allow(clippy::unwrap_used)] // A test may.

use std::sync::Arc;

use alamein_client::{Client, Error, ErrorReason, RemoteError, View};
use alamein_engine::{Engine, Wanted};
use alamein_hex::Hex;
use alamein_terrain::{
    CounterClass, GroundPressure, Mover, Moving, PathQuestion, Position, ReachQuestion, Step, Way,
};
use alamein_tests::serving::{Server, served};
use alamein_tests::{engine, known, linked_plugins, root};

/// The worked example, and an engine on the plugins that are linked into this program.
fn example() -> (Engine, Arc<Position>) {
    let engine = engine(&linked_plugins().unwrap()).unwrap();
    let file = root().join("tests/cases/f4-example.json");
    let case = alamein_cases::load(&file, &known(&engine)).unwrap();
    (engine, case.position)
}

/// A server on the built plugins, and a client that tries until the rules are loaded.
async fn serve(flags: &[&str]) -> (Server, Client) {
    served(flags).await.unwrap()
}

fn hex(position: &Position, name: &str) -> Hex {
    position.map().grid.hex(name).unwrap()
}

fn moving(class: CounterClass) -> Moving {
    Moving::new(Mover {
        ground_pressure: Some(GroundPressure::Low),
        ..Mover::new(class)
    })
}

fn path(position: &Position, class: CounterClass, hexes: &[&str]) -> PathQuestion {
    let hexes: Vec<Hex> = hexes.iter().map(|name| hex(position, name)).collect();
    let steps = hexes.windows(2).map(|pair| Step::enter(pair[0], pair[1]));
    PathQuestion {
        moving: moving(class),
        steps: steps.collect(),
        allowance: Some(3),
    }
}

fn turn(position: &Position, at: &str) -> Step {
    Step::Turn {
        hex: hex(position, at),
        entered_from: None,
        hexsides: 2,
        way: Way::Open,
    }
}

fn reach(position: &Position, class: CounterClass, from: &str) -> ReachQuestion {
    ReachQuestion {
        moving: moving(class),
        from: hex(position, from),
        allowance: 5,
        way: Way::Open,
    }
}

fn remote(error: &Error) -> &RemoteError {
    error.remote().unwrap_or_else(|| panic!("{error}"))
}

#[track_caller]
fn refused(error: &Error, reason: ErrorReason, field: &str) {
    let remote = remote(error);
    assert_eq!(remote.reason, Some(reason), "{error}");
    assert_eq!(remote.fields[0].field, field, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_has_the_same_price() {
    let (engine, position) = example();
    let (_server, client) = serve(&[]).await;
    for class in [CounterClass::Tank, CounterClass::Truck, CounterClass::Squad] {
        let mut question = path(
            &position,
            class,
            &["P4", "P5", "P6", "Q7", "R7", "R8", "R9"],
        );
        if class != CounterClass::Squad {
            question.steps.insert(2, turn(&position, "P6"));
        }
        let (rules, here) = (engine.ruleset(), Arc::clone(&position));
        let here = engine.price_path_here(&rules, here, &question, Wanted::default());
        let here = here.unwrap();
        let there = client
            .price_path(&*position, &question, View::Explain)
            .await;
        let there = there.unwrap();
        for (here, there) in here.steps.iter().zip(&there.steps) {
            let (here, there) = (
                here.ruling.as_ref().unwrap(),
                there.ruling.as_ref().unwrap(),
            );
            assert_eq!(here.canonical(), there.canonical());
        }
        assert_eq!(here, there);
        // A smaller view says less of each ruling, and the same of the path.
        let verdicts = client
            .price_path(&*position, &question, View::Verdict)
            .await;
        let verdicts = verdicts.unwrap();
        let ruling = verdicts.steps[0].ruling.as_ref().unwrap();
        assert_eq!(ruling.id, here.steps[0].ruling.as_ref().unwrap().id);
        assert!(ruling.observations.is_empty());
        assert_eq!(
            (verdicts.total, verdicts.exceeds_at),
            (here.total, here.exceeds_at)
        );
        assert_eq!(
            (&verdicts.prohibited, &verdicts.checks),
            (&here.prohibited, &here.checks)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowance_reaches_the_same() {
    let (engine, position) = example();
    let (_server, client) = serve(&[]).await;
    let kept = client.create_position(&position).await.unwrap();
    for class in [CounterClass::Tank, CounterClass::Truck, CounterClass::Squad] {
        let question = reach(&position, class, "Q7");
        let (rules, here) = (engine.ruleset(), Arc::clone(&position));
        let here = engine.reachable_here(&rules, here, &question, Wanted::default());
        let here = here.unwrap();
        assert!(here.hexes.len() > 30, "{}", here.hexes.len());
        assert_eq!(client.reachable(&*position, &question).await.unwrap(), here);
        assert_eq!(client.reachable(kept, &question).await.unwrap(), here);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_has_its_field() {
    use ErrorReason as R;
    let (_, position) = example();
    let (_server, client) = serve(&["--max-steps", "3"]).await;
    let price = async |question: &PathQuestion| {
        let priced = client.price_path(&*position, question, View::Full).await;
        priced.unwrap_err()
    };
    let tank = |hexes: &[&str]| path(&position, CounterClass::Tank, hexes);

    let error = price(&tank(&["P4", "P5", "P6", "Q7", "R7"])).await;
    refused(&error, R::PathTooLong, "question.steps");
    assert_eq!(remote(&error).metadata["max"], "3");
    refused(
        &price(&tank(&["P4"])).await,
        R::MissingField,
        "question.steps",
    );
    let error = price(&tank(&["P4", "P5", "P7"])).await;
    refused(&error, R::NotAdjacent, "question.steps[1].entry.to_hex");

    let mut gap = tank(&["P4", "P5"]);
    gap.steps
        .push(Step::enter(hex(&position, "P6"), hex(&position, "P7")));
    let error = price(&gap).await;
    refused(&error, R::PathBroken, "question.steps[1]");
    let told = &remote(&error).metadata;
    let told = (&*told["step"], &*told["expected"], &*told["given"]);
    assert_eq!(told, ("1", "P5", "P6"));

    let mut turned = tank(&["P4", "P5"]);
    turned.steps.push(Step::Turn {
        hex: hex(&position, "P5"),
        entered_from: Some(hex(&position, "P6")),
        hexsides: 1,
        way: Way::Open,
    });
    let field = "question.steps[1].vca_change.entered_from";
    refused(&price(&turned).await, R::PathBroken, field);

    let mut squad = path(&position, CounterClass::Squad, &["P4", "P5"]);
    squad.steps.push(turn(&position, "P5"));
    refused(
        &price(&squad).await,
        R::CannotMove,
        "question.steps[1].vca_change",
    );

    let mut wreck = reach(&position, CounterClass::Tank, "P4");
    wreck.moving.mover.class = CounterClass::Wreck;
    let error = client.reachable(&*position, &wreck).await.unwrap_err();
    refused(&error, R::CannotMove, "question.mover.class");
    let mut ignoring = reach(&position, CounterClass::Tank, "P4");
    ignoring.moving.ignore_layers = vec!["deir".into()];
    let error = client.reachable(&*position, &ignoring).await.unwrap_err();
    refused(&error, R::LayerNotIgnorable, "options.ignore_layers[0]");
}

#[tokio::test(flavor = "multi_thread")]
async fn maps_have_their_limit_and_an_allowance_must_be_given() {
    let (_, position) = example();
    let (_server, client) = serve(&["--max-hexes", "100"]).await;
    let question = reach(&position, CounterClass::Squad, "P4");
    let error = client.reachable(&*position, &question).await.unwrap_err();
    assert_eq!(error.reason(), Some(ErrorReason::MapTooLarge), "{error}");

    let request = alamein_client::v1::ReachableRequest {
        subject: Some(alamein_client::v1::Subject::default()),
        ..Default::default()
    };
    let status = client.adjudication().reachable(request).await.unwrap_err();
    let error = Error::from(RemoteError::from(status));
    refused(&error, ErrorReason::MissingField, "subject");
}
