//! Fields of view in words.

use std::collections::BTreeMap;

use alamein_hex::Hex;
use alamein_terrain::{Cited, FieldOfView, Sight};

use crate::output;
use crate::saying::{Speaker, remarks, short};

/// What comes of a hex, in the letters that fit into it.
pub(super) fn word(sight: Sight) -> String {
    match sight {
        Sight::Clear => "o".to_owned(),
        Sight::Hindered(drm) => format!("+{drm}"),
        Sight::BlockedByTerrain => "-".to_owned(),
        Sight::BlockedByHindrances(drm) => format!("-{drm}"),
        Sight::NotImplemented => "?".to_owned(),
    }
}

/// What a picture is called.
pub(super) fn title(viewer: &str, field: &FieldOfView) -> String {
    let hex = field.grid.label(field.viewer);
    match viewer == hex {
        true => format!("Seen from {hex}"),
        false => format!("Seen by {viewer} from {hex}"),
    }
}

/// What somebody sees: in a line, then the hexes that are seen, in lines of at most so many letters, and what else
/// there is to know.
pub(super) fn field(
    speaker: &Speaker<'_>,
    viewer: &str,
    field: &FieldOfView,
    width: usize,
) -> String {
    let paint = speaker.paint;
    let mut of: BTreeMap<Sight, Vec<Hex>> = BTreeMap::new();
    for (hex, sight) in &field.sights {
        of.entry(*sight).or_default().push(*hex);
    }
    let count = |wanted: fn(Sight) -> bool| {
        let hexes = of.iter().filter(|(sight, _)| wanted(**sight));
        hexes.map(|(_, hexes)| hexes.len()).sum::<usize>()
    };
    let seen = count(|sight| matches!(sight, Sight::Clear | Sight::Hindered(_)));
    let hindered = count(|sight| matches!(sight, Sight::Hindered(_)));
    let unknown = count(|sight| sight == Sight::NotImplemented);
    let hex = field.grid.label(field.viewer);
    let who = match viewer == hex {
        true => hex,
        false => format!("{viewer} ({hex})"),
    };
    let all = field.sights.len();
    let mut text = format!(
        "{who} sees {}",
        paint.bold(&format!("{seen} of {all} hexes"))
    );
    if hindered > 0 {
        text.push_str(&format!("; {hindered} through Hindrances"));
    }
    if unknown > 0 {
        let no = format!("of {unknown} nobody can say");
        text.push_str(&format!("; {}", paint.middling(&no)));
    }
    text.push('\n');
    for (sight, hexes) in &of {
        let (word, painted) = match sight {
            Sight::Clear => ("clear".to_owned(), paint.good("clear")),
            Sight::Hindered(_) | Sight::NotImplemented => {
                let word = word(*sight);
                let painted = paint.middling(&word);
                (word, painted)
            }
            Sight::BlockedByTerrain | Sight::BlockedByHindrances(_) => continue,
        };
        let names: Vec<String> = hexes.iter().map(|hex| field.grid.label(*hex)).collect();
        let indent = word.chars().count() + 4;
        let lines = output::wrapped(&names.join(" "), width.saturating_sub(indent).max(20));
        let lines = lines.join(&format!("\n{:indent$}", ""));
        text.push_str(&format!("  {painted}  {lines}\n"));
    }
    let left_out = |by: &Cited, why: &str, said: &str| format!("{why}: {}: {said}", by.number());
    let missing = field.not_implemented.iter();
    let missing = missing.map(|rule| left_out(&rule.by, "not implemented", &rule.text));
    let not_covered = field.not_covered.iter();
    let not_covered = not_covered.map(|rule| left_out(&rule.by, "left out of account", &rule.text));
    let said = missing.chain(not_covered);
    let said = said.chain(remarks(&field.contested, &field.ignored));
    text.extend(said.map(|remark| format!("{remark}\n")));
    let ids = format!(
        "rules {}  position {}",
        short(&field.rules),
        short(&field.position)
    );
    text + &format!("{}\n", paint.faint(&ids))
}
