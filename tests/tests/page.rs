//! The page that the service gives to browsers, asked for as a browser does.
#![allow(clippy::unwrap_used)] // A test may.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use alamein_tests::plugin_folder;
use alamein_tests::serving::{Server, served};

fn server(flags: &[&str]) -> Server {
    Server::start(plugin_folder().unwrap(), flags).unwrap()
}

/// The head and the body of an answer over HTTP/1.1.
fn get(server: &Server, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let body = answer.split_off(end + 4);
    (String::from_utf8(answer).unwrap(), body)
}

#[test]
fn browsers_are_given_the_page_and_all_that_it_names() {
    let server = server(&["--web"]);
    let (head, index) = get(&server, "/");
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(head.contains("content-type: text/html"), "{head}");
    assert!(head.contains("frame-ancestors 'none'"), "{head}");
    let index = String::from_utf8(index).unwrap();
    let named = index.split(['"', '\'']).filter(|it| it.contains("assets/"));
    let mut count = 0;
    for name in named {
        let path = format!("/{}", name.trim_start_matches(['.', '/']));
        let (head, file) = get(&server, &path);
        assert!(head.starts_with("HTTP/1.1 200 "), "{path}: {head}");
        assert!(head.contains("immutable") && !file.is_empty(), "{path}");
        count += 1;
    }
    assert!(count >= 2, "a script and a style at least: {index}");
    let (head, _) = get(&server, "/assets/nothing.js");
    assert!(head.starts_with("HTTP/1.1 404 "), "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_asked_for_and_calls_go_on_beside_it() {
    let (_with, client) = served(&["--web"]).await.unwrap();
    let (without, _) = served(&[]).await.unwrap();
    assert!(!client.ruleset().await.unwrap().fingerprint.is_empty());
    let (head, _) = tokio::task::block_in_place(|| get(&without, "/"));
    assert!(!head.contains("text/html"), "{head}");
}

#[test]
fn the_page_needs_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "").unwrap();
    let tokens = tokens.display().to_string();
    let server = server(&["--web", "--tokens", &tokens]);
    let (head, _) = get(&server, "/");
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
}
