//! Maps over gRPC: composed of map files, checked, drawn, and what is refused.
#![allow(clippy::unwrap_used)] // A test may.

mod drawn;

use alamein_client::v1::compose_map_request::File;
use alamein_client::v1::validate_map_request::Source;
use alamein_client::v1::{self, MapProblemSeverity as Severity, layer_field::Kind};
use alamein_client::{Client, Error, ErrorReason, RemoteError};
use alamein_maps::MapFile;
use alamein_tests::root;
use alamein_tests::serving::{Server, served};

/// A server on the built plugins, and a client that tries until the rules are loaded.
async fn serve() -> (Server, Client) {
    served(&[]).await.unwrap()
}

async fn compose(client: &Client, file: File) -> Result<v1::ComposeMapResponse, Error> {
    let request = v1::ComposeMapRequest {
        file: Some(file),
        include_names: true,
    };
    let call = client.call(&request, |request| {
        let mut stub = client.maps();
        async move { stub.compose_map(request).await }
    });
    call.await
}

async fn validate(client: &Client, map: v1::Map, ignore: &[&str]) -> v1::ValidateMapResponse {
    check(client, Source::Map(map), ignore).await
}

async fn check(client: &Client, source: Source, ignore: &[&str]) -> v1::ValidateMapResponse {
    let request = v1::ValidateMapRequest {
        source: Some(source),
        ignore_layers: ignore.iter().map(|layer| (*layer).to_owned()).collect(),
        ruleset: String::new(),
    };
    let call = client.call(&request, |request| {
        let mut stub = client.maps();
        async move { stub.validate_map(request).await }
    });
    call.await.unwrap()
}

async fn keep(client: &Client, map: v1::Map) -> v1::CreateMapResponse {
    let request = v1::CreateMapRequest {
        map: Some(map),
        ..v1::CreateMapRequest::default()
    };
    let call = client.call(&request, |request| {
        let mut stub = client.maps();
        async move { stub.create_map(request).await }
    });
    call.await.unwrap()
}

fn chapter() -> String {
    std::fs::read_to_string(root().join("docs/maps/chapter-f.toml")).unwrap()
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

fn layer(name: &str, fields: &[(&str, &[&str])]) -> v1::Layer {
    let field = |(name, places): &(&str, &[&str])| {
        let places: Vec<String> = places.iter().map(|place| (*place).to_owned()).collect();
        let of_hexsides = places.iter().any(|place| place.contains('|'));
        v1::LayerField {
            name: (*name).to_owned(),
            kind: Some(match of_hexsides {
                true => Kind::Hexsides(v1::HexsideSet { hexsides: places }),
                false => Kind::Hexes(v1::HexSet { hexes: places }),
            }),
        }
    };
    v1::Layer {
        name: name.to_owned(),
        fields: fields.iter().map(field).collect(),
    }
}

fn map_of(layers: Vec<v1::Layer>) -> v1::Map {
    v1::Map {
        layers,
        ..v1::Map::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_file_becomes_the_map_that_it_is_here() {
    let (_server, client) = serve().await;
    let (file, map) = MapFile::read_toml(&chapter()).unwrap();
    let toml = compose(&client, File::Toml(chapter())).await.unwrap();
    assert_eq!(toml.map_id, map.id().to_string());
    assert_eq!(toml.title, file.title);
    assert!(toml.names.is_empty(), "one board, called as printed");
    let json = compose(&client, File::Json(file.to_json().unwrap()))
        .await
        .unwrap();
    assert_eq!(json, toml);
    let checked = validate(&client, toml.map.unwrap(), &[]).await;
    let unknown: Vec<&str> = checked
        .problems
        .iter()
        .map(|it| it.layer.as_str())
        .collect();
    // Whatever the rules do not own may be ignored, and then it is the same map.
    let checked = validate(&client, json.map.unwrap(), &unknown).await;
    assert_eq!((checked.map_id, checked.problems.len()), (json.map_id, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn boards_that_are_joined_keep_the_names_of_their_hexes() {
    let (_server, client) = serve().await;
    let text = "[[board]]\nname = \"25\"\n[[board]]\nname = \"26\"\nturned = true\n\
                [layers]\ndeir = [\"26C4\", \"25C4\"]\n";
    let made = compose(&client, File::Toml(text.to_owned())).await.unwrap();
    let map = made.map.unwrap();
    assert_eq!(map.board.unwrap().columns, 65);
    let printed = |hex: &str| {
        let named = made.names.iter().find(|named| named.hex == hex);
        named.map(|named| named.printed.clone()).unwrap_or_default()
    };
    assert_eq!(printed("C4"), ["25C4"]);
    assert_eq!(printed("GG4"), ["25GG4", "26GG7"]);
    let Some(Kind::Hexes(hexes)) = &map.layers[0].fields[0].kind else {
        panic!("{map:?}");
    };
    assert_eq!(hexes.hexes.len(), 2);
    assert!(hexes.hexes.iter().any(|hex| printed(hex) == ["26C4"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_file_that_makes_no_sense_is_told_path_by_path() {
    let (_server, client) = serve().await;
    let text = "[[board]]\n\n[layers]\nscrub = [\"C99\"]\n\n[[overlay]]\nid = \"D9\"\non = [\"P6\", \"Q6\"]\n";
    let error = compose(&client, File::Toml(text.into())).await.unwrap_err();
    refused(
        &error,
        ErrorReason::MapFileInvalid,
        "toml.layers.scrub.hexes[0]",
    );
    let told = remote(&error);
    assert_eq!(
        (&*told.metadata["path"], &*told.metadata["line"]),
        ("layers.scrub.hexes[0]", "4")
    );
    let paths: Vec<&str> = told
        .fields
        .iter()
        .map(|fault| fault.field.as_str())
        .collect();
    assert_eq!(paths, ["toml.layers.scrub.hexes[0]", "toml.overlay[0].id"]);

    let error = compose(
        &client,
        File::Json("{\"board\": [{}], \"overlays\": []}".into()),
    );
    refused(
        &error.await.unwrap_err(),
        ErrorReason::MapFileInvalid,
        "json.overlays",
    );
    // However long the names in it are, an error stays short enough for a header.
    let name = "x".repeat(100_000);
    let many: String = (0..90)
        .map(|at| format!("{name}{at} = [\"Z99\"]\n"))
        .take(9)
        .collect();
    let text = format!("[[board]]\n[layers]\n{many}");
    let error = compose(&client, File::Toml(text)).await.unwrap_err();
    let told = remote(&error);
    assert_eq!(told.reason, Some(ErrorReason::MapFileInvalid));
    assert!(told.fields.len() == 8 && told.fields[0].field.len() < 200);
    let large = "[[board]]\ncolumns = 1024\nrows = 1024\n".to_owned();
    let error = compose(&client, File::Toml(large)).await.unwrap_err();
    refused(&error, ErrorReason::MapTooLarge, "toml.board");
    let long = format!("[[board]]\n# {}", "x".repeat(1 << 20));
    let error = compose(&client, File::Toml(long)).await.unwrap_err();
    refused(&error, ErrorReason::TooLong, "toml");
    let request = v1::ComposeMapRequest::default();
    let none: Result<v1::ComposeMapResponse, Error> = client
        .call(&request, |request| {
            let mut stub = client.maps();
            async move { stub.compose_map(request).await }
        })
        .await;
    refused(&none.unwrap_err(), ErrorReason::MissingField, "file");
}

/// The problems of a map, each with its severity, reason and field.
fn told(answer: &v1::ValidateMapResponse) -> Vec<(Severity, ErrorReason, &str)> {
    let problems = answer.problems.iter();
    problems
        .map(|problem| (problem.severity(), problem.reason(), problem.field.as_str()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_is_wrong_with_a_map_is_told() {
    use ErrorReason as R;
    let (_server, client) = serve().await;
    // Fields that make no sense.
    let mut map = map_of(vec![
        layer("deir", &[("hexes", &["P6", "P99", "7Q", "P6"])]),
        layer("", &[]),
        layer("hillock", &[("hexes", &["A0"])]),
    ]);
    map.base_level = 99;
    let answer = validate(&client, map, &[]).await;
    let error = Severity::Error;
    assert_eq!(
        told(&answer),
        [
            (error, R::OutOfRange, "map.base_level"),
            (
                error,
                R::HexOffMap,
                "map.layers[0].fields[0].hexes.hexes[1]"
            ),
            (
                error,
                R::UnknownHex,
                "map.layers[0].fields[0].hexes.hexes[2]"
            ),
            (
                error,
                R::DuplicateHex,
                "map.layers[0].fields[0].hexes.hexes[3]"
            ),
            (error, R::MissingField, "map.layers[1].name"),
            (
                error,
                R::HexOffMap,
                "map.layers[2].fields[0].hexes.hexes[0]"
            ),
        ]
    );
    assert_eq!(answer.problems[1].layer, "deir");
    assert!(answer.map_id.is_empty() && !answer.has_more_problems);

    // Layers that the rules do not accept, each of them.
    let map = map_of(vec![
        layer("ravine", &[("hexes", &["A1"])]),
        layer("mist", &[("hexes", &["A1"])]),
        layer("deir", &[("rims", &["A1|A2"]), ("hexes", &["A1|A2"])]),
        layer("hillock", &[("hexes", &["C1"]), ("summit", &["C9"])]),
    ]);
    let answer = validate(&client, map, &["mist", "hillock"]).await;
    let mut found = told(&answer);
    found.sort_by_key(|(_, _, field)| field.to_owned());
    assert_eq!(
        found,
        [
            (error, R::LayerNotIgnorable, "ignore_layers[1]"),
            (error, R::UnknownLayer, "map.layers[0]"),
            (error, R::LayerInvalid, "map.layers[2].fields[0]"),
            (error, R::LayerInvalid, "map.layers[2].fields[1]"),
        ]
    );

    // What plugins say.
    let map = map_of(vec![layer(
        "deir",
        &[("hexes", &["C4"]), ("lip_hexes", &["C6"])],
    )]);
    let answer = validate(&client, map, &[]).await;
    // What they object to hides nothing of what they find odd: here, a deir without its rim.
    let warning = (Severity::Warning, R::Unspecified, "map.layers[0]");
    let wrong = (error, R::LayerInvalid, "map.layers[0]");
    assert_eq!(told(&answer), [wrong, warning]);
    assert_eq!(answer.problems[0].plugin, "deir");

    // What they find odd is told of a map that is kept, with the hexes.
    let odd = layer("high_dune", &[("hexes", &["B3", "A2"])]);
    let kept = keep(&client, map_of(vec![odd])).await;
    let hexes: Vec<_> = kept.warnings.iter().map(|it| it.hexes.clone()).collect();
    assert_eq!(hexes, [["A2"], ["B3"]], "{kept:?}");

    // No end of it.
    let hexes: Vec<String> = (0..200).map(|row| format!("A{}", row + 100)).collect();
    let hexes: Vec<&str> = hexes.iter().map(String::as_str).collect();
    let answer = validate(
        &client,
        map_of(vec![layer("deir", &[("hexes", &hexes)])]),
        &[],
    )
    .await;
    assert_eq!(
        (answer.problems.len(), answer.has_more_problems),
        (100, true)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn map_files_are_checked_with_their_lines() {
    let (_server, client) = serve().await;
    let lines = |answer: &v1::ValidateMapResponse| -> Vec<(u32, String, ErrorReason)> {
        let problems = answer.problems.iter();
        let line = |it: &v1::MapProblem| (it.line, it.field.clone(), it.reason());
        problems.map(line).collect()
    };
    let text = "[[board]]\n\n[layers]\nscrub = [\"C99\"]\n\n[[overlay]]\nid = \"D9\"\non = [\"P6\", \"Q6\"]\n";
    let answer = check(&client, Source::Toml(text.into()), &[]).await;
    let invalid = ErrorReason::MapFileInvalid;
    assert_eq!(
        lines(&answer),
        [
            (4, "toml.layers.scrub.hexes[0]".to_owned(), invalid),
            (7, "toml.overlay[0].id".to_owned(), invalid)
        ]
    );
    let text = "[[board]]\n[layers]\nravine = [\"C3\"]\n[layers.deir]\nrims = [\"C4|C5\"]\n";
    let answer = check(&client, Source::Toml(text.into()), &[]).await;
    assert_eq!(
        lines(&answer),
        [
            (
                5,
                "toml.layers.deir.rims".to_owned(),
                ErrorReason::LayerInvalid
            ),
            (
                3,
                "toml.layers.ravine".to_owned(),
                ErrorReason::UnknownLayer
            ),
        ]
    );
    let good = check(&client, Source::Json("{\"board\": [{}]}".into()), &[]).await;
    assert_eq!((good.problems.len(), good.map_id.len()), (0, 64));
}
