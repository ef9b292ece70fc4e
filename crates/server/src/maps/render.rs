//! Pictures of maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_hex::{Aim, Hex};
use alamein_picture::{Scene, TooLarge, svg};
use alamein_proto::decode;
use alamein_proto::v1::render_map_request::Subject;
use alamein_proto::v1::{self, ErrorReason};
use alamein_store::Tenant;
use alamein_terrain::{End, Environment, Map, Position};
use tonic::Response;

use crate::fault::Fault;
use crate::refusal;
use crate::rules::InForce;
use crate::service::{Service, missing};

/// How many hexes may be shown beyond what must be seen.
const MOST_MARGIN: u16 = 100;

impl Service {
    /// The picture that a request asks for.
    pub(super) fn render(
        &self,
        request: &v1::RenderMapRequest,
        position: &Position,
        rules: &InForce,
    ) -> Result<Response<v1::RenderMapResponse>, Fault> {
        let mut scene = Scene::of(position);
        scene.looks = looks(rules);
        scene.title = self.title(&request.title)?;
        scene.margin = margin(request.margin)?;
        scene.focus = self.focus(request, position.map())?;
        if let Some(line) = &request.line {
            scene.line = Some(self.line(line, position)?);
        }
        let picture = svg(&scene).map_err(too_large)?;
        Ok(rules.answer(v1::RenderMapResponse {
            picture: picture.into_bytes(),
            media_type: "image/svg+xml".to_owned(),
            rules_fingerprint: rules.fingerprint(),
        }))
    }

    /// What is to be drawn, as a position.
    pub(super) async fn rendered(
        &self,
        tenant: &Tenant,
        subject: Option<&Subject>,
    ) -> Result<Arc<Position>, Fault> {
        match subject {
            None => Err(missing("subject", "a map or a position, or the id of one")),
            Some(Subject::Map(map)) => {
                let map = decode::map(map, &self.limits.request)
                    .map_err(|error| refusal::refused(error, "map."))?;
                bare(Arc::new(map))
            }
            Some(Subject::MapId(id)) => bare(self.kept_map(tenant, id, "map_id").await?),
            Some(Subject::Position(position)) => {
                let read = self.position(tenant, position, "position.");
                read.await.map(Arc::new)
            }
            Some(Subject::PositionId(id)) => self.kept_position(tenant, id, "position_id").await,
        }
    }

    fn title(&self, title: &str) -> Result<String, Fault> {
        let (length, most) = (title.len(), self.limits.request.max_text);
        if length <= most {
            return Ok(title.to_owned());
        }
        let what = format!("has {length} bytes; this server allows {most}");
        Err(Fault::new(ErrorReason::TooLong, format!("title: {what}"))
            .with("field", "title")
            .with("max", most)
            .field("title", what))
    }

    /// The hexes that must be seen.
    fn focus(&self, request: &v1::RenderMapRequest, map: &Map) -> Result<Vec<Hex>, Fault> {
        if request.whole_map {
            return Ok(map.grid.hexes().collect());
        }
        decode::hexes(&request.hexes, "hexes", &map.grid, &self.limits.request)
            .map_err(|error| refusal::refused(error, ""))
    }

    fn line(&self, line: &v1::RenderLine, position: &Position) -> Result<(Aim, Aim), Fault> {
        let ends = decode::render_line(line, position, &self.limits.request);
        let [from, to] = ends.map_err(|error| refusal::refused(error, "line."))?;
        Ok((aim(&from, position), aim(&to, position)))
    }
}

/// A map with nothing on it.
fn bare(map: Arc<Map>) -> Result<Arc<Position>, Fault> {
    let position = Position::new(map, Vec::new(), Environment::default());
    let position =
        position.map_err(|error| Fault::new(ErrorReason::OutOfRange, error.to_string()))?;
    Ok(Arc::new(position))
}

fn margin(given: u32) -> Result<u16, Fault> {
    let margin = u16::try_from(given).ok();
    margin
        .filter(|margin| *margin <= MOST_MARGIN)
        .ok_or_else(|| {
            let what = format!("{given} is out of range: it may be 0 to {MOST_MARGIN}");
            Fault::new(ErrorReason::OutOfRange, format!("margin: {what}"))
                .with("field", "margin")
                .with("value", given)
                .with("min", 0)
                .with("max", MOST_MARGIN)
                .field("margin", what)
        })
}

/// Where an end aims: at a hex, or at that of a counter.
fn aim(end: &End, position: &Position) -> Aim {
    match end {
        End::Hex(aim) => *aim,
        End::Counter { id, corner } => Aim {
            hex: position
                .counter(id)
                .map(|counter| counter.hex)
                .unwrap_or_default(),
            corner: *corner,
        },
    }
}

fn too_large(error: TooLarge) -> Fault {
    let hexes = u64::from(error.across) * u64::from(error.down);
    Fault::new(ErrorReason::PictureTooLarge, error.to_string())
        .with("hexes", hexes)
        .with("max", TooLarge::MOST)
        .field("hexes", "name the corners of a part of the map")
}

/// The words by which manifests say how layers look.
fn looks(rules: &InForce) -> BTreeMap<String, String> {
    let layers = rules.ready().known.layers();
    let looks = layers.map(|layer| (layer.name.clone(), layer.look.clone()));
    looks.collect()
}
