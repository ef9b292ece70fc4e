//! Pictures of maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use alamein_hex::{Aim, Hex};
use alamein_picture::{PngError, Scene, TooLarge, png, svg};
use alamein_proto::v1::render_map_request::Subject;
use alamein_proto::v1::{self, ErrorReason, PictureFormat};
use alamein_proto::{Refused, decode};
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
        refusal::short("title", &request.title, self.limits.request.max_text)?;
        scene.title.clone_from(&request.title);
        scene.margin = margin(request.margin)?;
        scene.focus = self.focus(request, position.map())?;
        if let Some(line) = &request.line {
            scene.line = Some(self.line(line, position)?);
        }
        let (picture, media_type) = drawn(&scene, request)?;
        Ok(rules.answer(v1::RenderMapResponse {
            picture,
            media_type: media_type.to_owned(),
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

/// The picture in the form that was asked for, and what it is.
fn drawn(
    scene: &Scene<'_>,
    request: &v1::RenderMapRequest,
) -> Result<(Vec<u8>, &'static str), Fault> {
    match PictureFormat::try_from(request.format) {
        Ok(PictureFormat::Unspecified | PictureFormat::Svg) if request.width == 0 => {
            let picture = svg(scene).map_err(too_large)?;
            Ok((picture.into_bytes(), "image/svg+xml"))
        }
        Ok(PictureFormat::Unspecified | PictureFormat::Svg) => {
            Err(out_of_range("width", request.width, 0, 0))
        }
        Ok(PictureFormat::Png) => {
            let width = Some(request.width).filter(|width| *width > 0);
            Ok((png(scene, width).map_err(unpainted)?, "image/png"))
        }
        Err(_) => {
            let unknown = decode::unknown_word(request.format, "format");
            Err(refusal::refused(unknown, ""))
        }
    }
}

fn unpainted(error: PngError) -> Fault {
    match error {
        PngError::Hexes(error) => too_large(error),
        PngError::Width { width, least, most } => out_of_range("width", width, least, most),
        PngError::Paint(_) => {
            tracing::error!("{error}");
            Fault::new(ErrorReason::Internal, "the picture could not be painted")
        }
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
        .ok_or_else(|| out_of_range("margin", given, 0, MOST_MARGIN.into()))
}

fn out_of_range(field: &str, given: u32, min: u32, max: u32) -> Fault {
    refusal::refused(Refused::out_of_range(field, given, min, max), "")
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
