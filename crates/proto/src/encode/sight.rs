//! Fields of view: questions about them, and the answers.

use alamein_hex::{Grid, Hex};
use alamein_terrain::{FieldOfView, FieldQuestion, Sight};

use super::book::RuleBook;
use super::moves::missing_rule;
use super::question::{end, options};
use super::ruling::{contested, ignored};
use crate::v1::{self, Sight as Wire};
use crate::words::Word;

/// The message of a question about what somebody sees. Its options are in [`field_options`].
#[must_use]
pub fn field_question(question: &FieldQuestion, grid: &Grid) -> v1::FieldOfViewQuestion {
    v1::FieldOfViewQuestion {
        from: Some(end(&question.from, grid)),
        range: question.range.map(u32::from),
    }
}

/// The options that hold for every line of a field of view; nothing where there are none.
#[must_use]
pub fn field_options(question: &FieldQuestion, grid: &Grid) -> Option<v1::QuestionOptions> {
    let (probes, ignored) = (&question.probes, &question.ignore_layers);
    options(question.policy, probes, ignored, grid)
}

/// What is known of a field of view of so many hexes before these.
#[must_use]
pub fn field_head(field: &FieldOfView, hexes: usize) -> v1::FieldOfViewHead {
    v1::FieldOfViewHead {
        position_id: field.position.to_string(),
        rules_fingerprint: field.rules.to_string(),
        grazing_policy: field.policy.number(),
        viewer_hex: field.grid.label(field.viewer),
        columns: field.grid.columns().into(),
        rows: field.grid.rows().into(),
        hex_count: u32::try_from(hexes).unwrap_or(u32::MAX),
    }
}

/// Some hexes of a field of view.
#[must_use]
pub fn sighted(sights: &[(Hex, Sight)], grid: &Grid) -> v1::SightedHexes {
    let sighted = |(hex, sight): &(Hex, Sight)| v1::SightedHex {
        hex: grid.label(*hex),
        sight: match sight {
            Sight::Clear => Wire::Clear,
            Sight::Hindered(_) => Wire::Hindered,
            Sight::BlockedByTerrain => Wire::BlockedByTerrain,
            Sight::BlockedByHindrances(_) => Wire::BlockedByHindrances,
            Sight::NotImplemented => Wire::NotImplemented,
        }
        .into(),
        hindrance: sight.hindrance().map(u32::from),
    };
    v1::SightedHexes {
        hexes: sights.iter().map(sighted).collect(),
    }
}

/// What is known of a field of view at its end.
#[must_use]
pub fn field_summary(field: &FieldOfView, book: &RuleBook) -> v1::FieldOfViewSummary {
    let (options, missing) = (field.contested.iter(), field.not_implemented.iter());
    let not_covered = field.not_covered.iter();
    v1::FieldOfViewSummary {
        contested_options: options.map(|option| contested(option, book)).collect(),
        not_implemented: missing.map(|rule| missing_rule(rule, book)).collect(),
        not_covered: not_covered.map(|rule| missing_rule(rule, book)).collect(),
        ignored_layers: field.ignored.iter().map(ignored).collect(),
        hidden_matters: false,
    }
}

/// The message of a field of view, a byte for each hex of the map.
#[must_use]
pub fn packed_field(field: &FieldOfView, book: &RuleBook) -> v1::PackedFieldOfView {
    v1::PackedFieldOfView {
        head: Some(field_head(field, field.sights.len())),
        sights: field.packed(),
        summary: Some(field_summary(field, book)),
    }
}
