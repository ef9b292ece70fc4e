//! The service as its users meet it: the command with all plugins, and clients in Python.
#![allow(clippy::unwrap_used)] // A test may.

use alamein_tests::serving::Server;
use alamein_tests::{plugin_folder, python};
use serde_json::Value;

fn run(script: &str) {
    // Whether it goes on is seen by what it judges, not by what it remembers.
    let flags = ["--answer-cache=0"];
    let mut server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
    python::run(script, server.address(), &Value::Null).unwrap();
    assert_eq!(server.ended().unwrap(), None, "{}", server.log());
}

#[test]
fn the_worked_example() {
    run("worked_example.py");
}

#[test]
fn the_same_ids_for_the_same_content() {
    run("identity.py");
}

#[test]
fn bad_requests_are_refused_by_name() {
    run("bad_input.py");
}

#[test]
fn reflection_tells_the_whole_api_old_way_and_new() {
    run("reflected.py");
}

#[test]
fn rough_clients_harm_nobody() {
    run("rough_handling.py");
}

#[test]
fn bytes_that_are_no_messages_are_refused_by_every_method() {
    let flags = ["--admin", "127.0.0.1:0", "--answer-cache=0"];
    let mut server = Server::start(plugin_folder().unwrap(), &flags).unwrap();
    let admin = server.wait_for_admin().unwrap();
    let admin = Value::from(admin);
    python::run("malformed.py", server.address(), &admin).unwrap();
    assert_eq!(server.ended().unwrap(), None, "{}", server.log());
}
