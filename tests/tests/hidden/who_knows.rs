//! Positions that differ in who knows of a counter and in nothing else, and in what is aboard.

use alamein_terrain::{Counter, CounterClass, Position};

use super::{SECRET, SIDE, Told, batch, counter, open, position, serve};

/// What everybody knows, and these.
fn with(more: impl IntoIterator<Item = Counter>) -> Position {
    position(open().into_iter().chain(more).collect(), Vec::new())
}

fn known_to(counter: Counter, sides: &[&str]) -> Counter {
    Counter {
        known_to: sides.iter().map(|side| (*side).to_owned()).collect(),
        ..counter
    }
}

fn aboard(counter: Counter, carrier: &str) -> Counter {
    Counter {
        aboard: Some(carrier.to_owned()),
        ..counter
    }
}

/// A hidden tank in the way of shots, and everybody who may know of it.
fn tank(sides: &[&str]) -> Counter {
    let tank = counter("secret-tank", CounterClass::Tank, "P6", "german");
    known_to(tank, sides)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_else_knows_is_told_to_nobody() {
    let (_server, client) = serve().await;
    let rider = || counter("secret-rider", CounterClass::Squad, "P6", "german");
    let visible =
        |sides: &[&str]| known_to(counter("seen", CounterClass::Tank, "P7", "german"), sides);
    // Each pair is the same to the side, and the same in truth but for who knows what.
    let pairs = [
        // Hidden from it, whoever else is let in.
        (
            with([tank(&["german"])]),
            with([tank(&["german", "italian"])]),
        ),
        // Known to it, as to everybody or to it by name.
        (with([visible(&[])]), with([visible(&[SIDE])])),
        (
            with([visible(&[SIDE])]),
            with([visible(&["italian", SIDE])]),
        ),
        // Aboard of something hidden, whatever it says of itself.
        (
            with([tank(&["german"]), aboard(rider(), "secret-tank")]),
            with([
                tank(&["german"]),
                known_to(aboard(rider(), "secret-tank"), &[SIDE]),
            ]),
        ),
    ];
    for (one, other) in pairs {
        assert_ne!(one.id(), other.id());
        let (told, others) = (
            Told::of(&client, &one).await,
            Told::of(&client, &other).await,
        );
        assert_eq!(told.batch, others.batch);
        assert_eq!(told.all_else, others.all_else);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_who_is_aboard_in_secret() {
    let (_server, client) = serve().await;
    let truck = || counter("lorry", CounterClass::Truck, "P6", "german");
    let passenger = |id: &str, class| {
        let passenger = counter(&format!("{SECRET}-{id}"), class, "P6", "german");
        known_to(aboard(passenger, "lorry"), &["german"])
    };
    let plain = Told::of(&client, &with([truck()])).await;
    let mut alike = 0;
    for secret in [
        vec![passenger("squad", CounterClass::Squad)],
        vec![
            passenger("leader", CounterClass::Leader),
            passenger("half", CounterClass::HalfSquad),
        ],
        vec![passenger("gun", CounterClass::Gun)],
    ] {
        let secret = with(std::iter::once(truck()).chain(secret));
        let told = Told::of(&client, &secret).await;
        let truth = batch(&client, &told.id, &secret, "").await;
        assert_ne!(truth.position_id, told.batch.position_id);
        alike += told.is_like(&plain, &truth).0;
    }
    assert!(alike > 20, "{alike}");
}
