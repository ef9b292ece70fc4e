//! Fields of view: questions about them, and the answers.

use alamein_hex::{Grid, Hex};
use alamein_terrain::{FieldOfView, FieldQuestion, Position, Sight};

use super::moves::missing_rule;
use super::question::Reader;
use super::ruling::{DecodeError, contested, id, ignored, unknown, word};
use crate::refused::{Limits, Refused};
use crate::v1::{self, Sight as Wire};
use crate::within::{Within, each};

/// Reads a question about what somebody sees. Paths of fields are those of the request that holds
/// question and options: `question.from.hex`.
///
/// # Errors
/// Where something is missing, out of range or not on the position's map.
pub fn field_question(
    question: Option<&v1::FieldOfViewQuestion>,
    options: Option<&v1::QuestionOptions>,
    position: &Position,
    limits: &Limits,
) -> Result<FieldQuestion, Refused> {
    let asked = question.ok_or_else(|| Refused::missing("question"))?;
    let reader = Reader::new(options, position, limits)?;
    let read = || {
        Ok(FieldQuestion {
            from: reader.end(asked.from.as_ref(), "from")?,
            range: asked.range.map(range).transpose()?,
            policy: reader.policy,
            probes: reader.probes.clone(),
            ignore_layers: reader.ignore_layers.clone(),
        })
    };
    read().within(|| "question.".into())
}

fn range(given: u32) -> Result<u16, Refused> {
    let fits = u16::try_from(given);
    fits.map_err(|_| Refused::out_of_range("range", given, 0, u16::MAX))
}

type Read<T> = Result<T, DecodeError>;

/// Reads what is known of a field of view before its hexes. It has no sights.
///
/// # Errors
/// Where something is missing, means nothing here or is not on the map.
pub fn field_head(given: &v1::FieldOfViewHead) -> Read<FieldOfView> {
    let side = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    let grid = Grid::new(side(given.columns), side(given.rows));
    let grid = grid.map_err(|error| DecodeError::new("columns", error.to_string()))?;
    Ok(FieldOfView {
        rules: id(&given.rules_fingerprint, "rules_fingerprint")?,
        position: id(&given.position_id, "position_id")?,
        policy: word(given.grazing_policy, "grazing_policy")?,
        grid,
        viewer: known_hex(grid, &given.viewer_hex, "viewer_hex")?,
        sights: Vec::new(),
        contested: Vec::new(),
        not_implemented: Vec::new(),
        not_covered: Vec::new(),
        ignored: Vec::new(),
    })
}

fn known_hex(grid: Grid, name: &str, field: &str) -> Read<Hex> {
    let hex = grid.hex(name);
    hex.map_err(|error| DecodeError::new(field, error.to_string()))
}

/// Reads some hexes of a field of view.
///
/// # Errors
/// Where one means nothing here or is not on the map.
pub fn sighted(given: &v1::SightedHexes, grid: Grid) -> Read<Vec<(Hex, Sight)>> {
    each(&given.hexes, "hexes", ".", |given| {
        let drm = given.hindrance.unwrap_or_default();
        let drm = u8::try_from(drm).unwrap_or(u8::MAX);
        let sight = match given.sight() {
            Wire::Clear => Sight::Clear,
            Wire::Hindered => Sight::Hindered(drm),
            Wire::BlockedByTerrain => Sight::BlockedByTerrain,
            Wire::BlockedByHindrances => Sight::BlockedByHindrances(drm),
            Wire::NotImplemented => Sight::NotImplemented,
            Wire::Unspecified => return Err(unknown(given.sight, "sight")),
        };
        Ok((known_hex(grid, &given.hex, "hex")?, sight))
    })
}

/// Reads what is known of a field of view at its end, into it.
///
/// # Errors
/// Where something is missing.
pub fn field_summary(given: &v1::FieldOfViewSummary, field: &mut FieldOfView) -> Read<()> {
    let options = &given.contested_options;
    field.contested = each(options, "contested_options", ".", contested)?;
    let missing = &given.not_implemented;
    field.not_implemented = each(missing, "not_implemented", ".", missing_rule)?;
    field.not_covered = each(&given.not_covered, "not_covered", ".", missing_rule)?;
    field.ignored = given.ignored_layers.iter().map(ignored).collect();
    Ok(())
}

/// Reads a packed field of view. A byte that means nothing here says that nobody can say.
///
/// # Errors
/// Where something is missing, means nothing here or is not on the map.
pub fn packed_field(given: &v1::PackedFieldOfView) -> Read<FieldOfView> {
    let head = given.head.as_ref();
    let head = head.ok_or_else(|| DecodeError::missing("head"))?;
    let mut field = field_head(head).within(|| "head.".into())?;
    let (bytes, hexes) = (given.sights.len(), field.grid.len());
    if bytes != hexes {
        let what = format!("there are {bytes} bytes, and {hexes} hexes");
        return Err(DecodeError::new("sights", what));
    }
    let sights = field.grid.hexes().zip(&given.sights);
    let sights = sights.filter(|(_, byte)| **byte != Sight::NOT_ASKED);
    let known = |byte: u8| Sight::from_byte(byte).unwrap_or(Sight::NotImplemented);
    field.sights = sights.map(|(hex, byte)| (hex, known(*byte))).collect();
    if let Some(summary) = &given.summary {
        field_summary(summary, &mut field).within(|| "summary.".into())?;
    }
    Ok(field)
}
