//! Pictures of maps and positions.

use alamein_client::v1::compose_map_request::File;
use alamein_client::v1::render_map_request::Subject;
use alamein_client::v1::{self, PictureFormat};
use alamein_client::{Client, Error, ErrorReason};
use alamein_tests::root;

use super::{chapter, compose, layer, refused, remote, serve};

async fn picture(
    client: &Client,
    request: v1::RenderMapRequest,
) -> Result<v1::RenderMapResponse, Error> {
    let call = client.call(&request, |request| {
        let mut stub = client.maps();
        async move { stub.render_map(request).await }
    });
    call.await
}

async fn render(client: &Client, request: v1::RenderMapRequest) -> Result<String, Error> {
    let answer = picture(client, request).await?;
    assert_eq!(answer.media_type, "image/svg+xml");
    Ok(String::from_utf8(answer.picture).unwrap())
}

fn end(end: v1::end::End) -> Option<v1::End> {
    Some(v1::End {
        end: Some(end),
        corner: None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn maps_and_positions_are_drawn() {
    use v1::end::End;
    let (_server, client) = serve().await;
    let made = compose(&client, File::Toml(chapter())).await.unwrap();
    // The very picture of the documentation.
    let picture = render(
        &client,
        v1::RenderMapRequest {
            subject: Some(Subject::Map(made.map.clone().unwrap())),
            whole_map: true,
            title: made.title.clone(),
            ..v1::RenderMapRequest::default()
        },
    );
    let kept = std::fs::read_to_string(root().join("docs/pictures/chapter-f.svg")).unwrap();
    assert!(picture.await.unwrap() == kept);

    let position = v1::Position {
        map_source: Some(v1::position::MapSource::Map(made.map.unwrap())),
        counters: vec![v1::Counter {
            id: "sq".into(),
            class: v1::CounterClass::Squad.into(),
            hex: "E8".into(),
            side: "axis".into(),
            ..v1::Counter::default()
        }],
        environment: None,
        ..v1::Position::default()
    };
    let ask = v1::RenderMapRequest {
        subject: Some(Subject::Position(position)),
        hexes: vec!["G9".into()],
        line: Some(v1::RenderLine {
            from: end(End::Hex("E4".into())),
            to: end(End::CounterId("sq".into())),
        }),
        ..v1::RenderMapRequest::default()
    };
    let picture = render(&client, ask.clone()).await.unwrap();
    for part in [
        "A line from E4 to E8 touches E4, ",
        "data-counter=\"sq\"",
        "data-hex=\"G9\"",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("data-hex=\"Q5\""));

    let mut bad = ask.clone();
    bad.line = Some(v1::RenderLine {
        from: end(End::Hex("E4".into())),
        to: end(End::CounterId("nobody".into())),
    });
    let error = render(&client, bad).await.unwrap_err();
    refused(&error, ErrorReason::UnknownCounter, "line.to.counter_id");
    let mut bad = ask.clone();
    bad.hexes = vec!["G9".into(), "ZZ1".into()];
    let error = render(&client, bad).await.unwrap_err();
    refused(&error, ErrorReason::HexOffMap, "hexes[1]");
    let mut bad = ask.clone();
    bad.margin = 101;
    let error = render(&client, bad).await.unwrap_err();
    refused(&error, ErrorReason::OutOfRange, "margin");
    let mut bad = ask;
    bad.title = "x".repeat(300);
    refused(
        &render(&client, bad).await.unwrap_err(),
        ErrorReason::TooLong,
        "title",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn kept_maps_are_drawn_and_too_large_pictures_are_not() {
    let (_server, client) = serve().await;
    let map = v1::Map {
        board: Some(v1::Board {
            columns: 200,
            rows: 200,
        }),
        layers: vec![layer("hillock", &[("hexes", &["P6", "P7"])])],
        ..v1::Map::default()
    };
    let request = v1::CreateMapRequest {
        map: Some(map),
        ..v1::CreateMapRequest::default()
    };
    let created: v1::CreateMapResponse = client
        .call(&request, |request| {
            let mut stub = client.maps();
            async move { stub.create_map(request).await }
        })
        .await
        .unwrap();
    let ask = |id: &str, whole_map| v1::RenderMapRequest {
        subject: Some(Subject::MapId(id.to_owned())),
        whole_map,
        ..v1::RenderMapRequest::default()
    };
    let picture = render(&client, ask(&created.map_id, false)).await.unwrap();
    assert!(picture.contains("hillock, 2 hexes: P6, P7."));
    let error = render(&client, ask(&created.map_id, true))
        .await
        .unwrap_err();
    refused(&error, ErrorReason::PictureTooLarge, "hexes");
    let error = render(&client, ask(&"0".repeat(64), false))
        .await
        .unwrap_err();
    assert_eq!(remote(&error).reason, Some(ErrorReason::MapNotFound));
}

/// How wide and high a picture in PNG says that it is.
fn size(picture: &[u8]) -> (u32, u32) {
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_painted_in_png() {
    let (_server, client) = serve().await;
    let map = compose(&client, File::Toml(chapter())).await.unwrap().map;
    let ask = |format: i32, width| v1::RenderMapRequest {
        subject: Some(Subject::Map(map.clone().unwrap())),
        whole_map: true,
        format,
        width,
        ..v1::RenderMapRequest::default()
    };
    let png = PictureFormat::Png.into();
    let first = picture(&client, ask(png, 640)).await.unwrap();
    assert_eq!(first.media_type, "image/png");
    assert_eq!(size(&first.picture).0, 640);
    let again = picture(&client, ask(png, 640)).await.unwrap();
    assert_eq!(again.picture, first.picture);
    let usual = picture(&client, ask(png, 0)).await.unwrap();
    let drawing = render(&client, ask(PictureFormat::Svg.into(), 0)).await;
    let drawing = drawing.unwrap();
    let width = drawing.split("width=\"").nth(1).unwrap();
    let width: f64 = width.split('"').next().unwrap().parse().unwrap();
    assert_eq!(size(&usual.picture).0, (width * 2.0) as u32);

    for (format, width) in [(png, 15), (png, 8193), (0, 640)] {
        let error = picture(&client, ask(format, width)).await.unwrap_err();
        refused(&error, ErrorReason::OutOfRange, "width");
    }
    let error = picture(&client, ask(7, 0)).await.unwrap_err();
    refused(&error, ErrorReason::UnknownEnumValue, "format");
}
