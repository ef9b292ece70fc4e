//! Overlays laid on a map.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Direction, Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};

use crate::catalogue::{Art, Catalogue, Family, Laid};
use crate::change::{Place, forsake};
use crate::error::{Path, Wrong};
use crate::file::{Over, Overlay};
use crate::names::BoardNames;

/// The layers that tell what ground looks like: an overlay hides them where it lies.
const GROUND: [&str; 7] = [
    "deir",
    "hillock",
    "sand",
    "dune_crest",
    "high_dune",
    "scrub",
    "hammada",
];

/// How many hexes a message names.
const NAMED: usize = 6;

/// The overlays laid so far on a map.
pub(crate) struct Laying<'a> {
    catalogue: &'a Catalogue,
    names: &'a BoardNames,
    covered: BTreeMap<Hex, String>,
}

impl<'a> Laying<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, names: &'a BoardNames) -> Self {
        Self {
            catalogue,
            names,
            covered: BTreeMap::new(),
        }
    }

    /// Lays one more.
    pub(crate) fn lay(&mut self, card: &Overlay, map: &mut Map, path: &Path) -> Result<(), Wrong> {
        let art = self.art(card, path)?;
        let (one, two) = self.place(card, path)?;
        let laid = art.laid(one, two);
        self.check_on_map(art, &laid, path)?;
        if card.over == Over::Nothing {
            self.check_free(art, &laid, path)?;
        }
        if card.over != Over::Adds {
            cover(map, &laid.hexes);
        }
        show(map, art, &laid, card.high, path)?;
        let covered = laid.hexes.iter().map(|hex| (*hex, art.id.clone()));
        self.covered.extend(covered);
        Ok(())
    }

    fn art(&self, card: &Overlay, path: &Path) -> Result<&'a Art, Wrong> {
        let art = self.catalogue.get(&card.id).ok_or_else(|| {
            let known: Vec<&str> = self.catalogue.iter().map(|art| art.id.as_str()).collect();
            path.key("id").wrong(format!(
                "there is no overlay {:?}; there are {}",
                card.id.chars().take(24).collect::<String>(),
                known.join(", ")
            ))
        })?;
        if card.high && art.family != Family::Dune {
            let what = format!("only dunes are High, and {} is none", art.id);
            return Err(path.key("high").wrong(what));
        }
        Ok(art)
    }

    /// Where hex 1 lies, and in which direction hex 2 is from there.
    fn place(&self, card: &Overlay, path: &Path) -> Result<(Hex, Direction), Wrong> {
        let [one, two] = &card.on;
        let path = path.key("on");
        let hex = |index: usize, name: &str| {
            let hex = self.names.hex(name);
            hex.map_err(|error| path.at(index).wrong(error.to_string()))
        };
        let (first, second) = (hex(0, one)?, hex(1, two)?);
        let direction = first.direction_to(second).ok_or_else(|| {
            let range = first.range(second);
            let apart = match range {
                0 => "are the same hex".to_owned(),
                _ => format!("are {range} hexes apart"),
            };
            path.wrong(format!(
                "1 on {one} and 2 on {two} {apart}; name two adjacent hexes"
            ))
        })?;
        Ok((first, direction))
    }

    fn check_on_map(&self, art: &Art, laid: &Laid, path: &Path) -> Result<(), Wrong> {
        let grid = self.names.grid();
        let off = laid
            .hexes
            .iter()
            .copied()
            .filter(|hex| !grid.contains(*hex));
        let off: Vec<Hex> = off.collect();
        if off.is_empty() {
            return Ok(());
        }
        Err(path.key("on").wrong(format!(
            "{} of the {} hexes of {} lie off the map ({}); place it farther from the edge",
            off.len(),
            laid.hexes.len(),
            art.id,
            self.list(&off)
        )))
    }

    fn check_free(&self, art: &Art, laid: &Laid, path: &Path) -> Result<(), Wrong> {
        let on = |hex: &Hex| self.covered.get(hex).map(|below| (*hex, below.as_str()));
        let taken: Vec<(Hex, &str)> = laid.hexes.iter().filter_map(on).collect();
        let Some((_, below)) = taken.first() else {
            return Ok(());
        };
        let hexes: Vec<Hex> = taken.iter().map(|(hex, _)| *hex).collect();
        Err(path.wrong(format!(
            "{} would lie on {below}, at {}; say over = true if it is to hide what is there, or \
             over = \"adds\" if both are to count",
            art.id,
            self.list(&hexes)
        )))
    }

    fn list(&self, hexes: &[Hex]) -> String {
        let some = hexes.iter().take(NAMED).map(|hex| self.names.label(*hex));
        let mut list = some.collect::<Vec<_>>().join(", ");
        if hexes.len() > NAMED {
            list += &format!(" and {} more", hexes.len() - NAMED);
        }
        list
    }
}

/// Hides what the ground is like in these hexes. A hexside that has a visible hex stays, unless it
/// belongs to a layer that has no hex there any more.
fn cover(map: &mut Map, hexes: &BTreeSet<Hex>) {
    let grid = map.grid;
    let is_hidden = |hex: &Hex| hexes.contains(hex) || !grid.contains(*hex);
    let sides: BTreeSet<Hexside> = hexes.iter().flat_map(|hex| hex.hexsides()).collect();
    let hidden = sides
        .into_iter()
        .filter(|side| side.hexes().iter().all(is_hidden));
    let hidden = hidden.map(Place::Hexside);
    let places: Vec<Place> = hexes
        .iter()
        .copied()
        .map(Place::Hex)
        .chain(hidden)
        .collect();
    for name in GROUND {
        let Some(layer) = map.layers.get_mut(name) else {
            continue;
        };
        for field in layer.fields.values_mut() {
            for place in &places {
                place.leave(field);
            }
        }
        forsake(layer, hexes);
    }
}

/// Adds what an overlay shows to the layers of a map.
fn show(map: &mut Map, art: &Art, laid: &Laid, high: bool, path: &Path) -> Result<(), Wrong> {
    let mut showing = Showing { map, path };
    match art.family {
        Family::Deir => showing.deir(laid)?,
        Family::Hillock => {
            showing.hexes("hillock", "hexes", &laid.terrain)?;
            showing.hexes("hillock", "summit", &laid.summit)?;
        }
        Family::Sand => showing.hexes("sand", "hexes", &laid.terrain)?,
        Family::Dune => {
            showing.hexes("sand", "hexes", &laid.terrain)?;
            showing.hexsides("dune_crest", "hexsides", &laid.crest)?;
            if high {
                showing.hexes("high_dune", "hexes", &laid.dunes())?;
            }
        }
    }
    showing.hexes("scrub", "hexes", &laid.scrub)?;
    showing.hexes("hammada", "hexes", &laid.hammada)
}

struct Showing<'a> {
    map: &'a mut Map,
    path: &'a Path,
}

impl Showing<'_> {
    /// A deir is numbered after those that are there.
    fn deir(&mut self, laid: &Laid) -> Result<(), Wrong> {
        if let Some(layer) = self.map.layers.get(DEIR) {
            self.check_whole(layer)?;
        }
        let none = Field::HexValues(BTreeMap::new());
        let Field::HexValues(deir_of) = self.field(DEIR, DEIR_OF, none) else {
            return Err(self.misfit(DEIR, DEIR_OF));
        };
        let number = deir_of
            .values()
            .max()
            .map_or(1, |most| most.saturating_add(1));
        deir_of.extend(laid.terrain.iter().map(|hex| (*hex, number)));
        self.hexes(DEIR, "hexes", &laid.terrain)?;
        self.hexes(DEIR, LIP_HEXES, &laid.rim_hexes())?;
        self.hexsides(DEIR, LIP_HEXSIDES, &laid.rim())
    }

    /// What a deir of the file leaves out would follow from where it ends; beside an overlay, which
    /// leaves nothing out, it would be taken for nothing.
    fn check_whole(&self, layer: &Layer) -> Result<(), Wrong> {
        let hexes = layer.fields.get("hexes");
        if hexes.is_none_or(|field| field.hexes().next().is_none()) {
            return Ok(());
        }
        let lacks = |name: &&str| !layer.fields.contains_key(*name);
        match [DEIR_OF, LIP_HEXES, LIP_HEXSIDES]
            .iter()
            .find(|name| lacks(name))
        {
            None => Ok(()),
            Some(name) => Err(self.path.wrong(format!(
                "the map has deirs without {name} already; give it in layers.deir, for an overlay \
                 brings its own"
            ))),
        }
    }

    fn hexes(&mut self, layer: &str, field: &str, hexes: &BTreeSet<Hex>) -> Result<(), Wrong> {
        if hexes.is_empty() {
            return Ok(());
        }
        match self.field(layer, field, Field::Hexes(BTreeSet::new())) {
            Field::Hexes(set) => set.extend(hexes),
            _ => return Err(self.misfit(layer, field)),
        }
        Ok(())
    }

    fn hexsides(
        &mut self,
        layer: &str,
        field: &str,
        sides: &BTreeSet<Hexside>,
    ) -> Result<(), Wrong> {
        if sides.is_empty() {
            return Ok(());
        }
        match self.field(layer, field, Field::Hexsides(BTreeSet::new())) {
            Field::Hexsides(set) => set.extend(sides),
            _ => return Err(self.misfit(layer, field)),
        }
        Ok(())
    }

    fn field(&mut self, layer: &str, field: &str, empty: Field) -> &mut Field {
        let layer = self.map.layers.entry(layer.to_owned()).or_default();
        layer.fields.entry(field.to_owned()).or_insert(empty)
    }

    fn misfit(&self, layer: &str, field: &str) -> Wrong {
        self.path.wrong(format!(
            "layers.{layer}.{field} is not of the kind that overlays fill; correct it there"
        ))
    }
}

const DEIR: &str = "deir";
const DEIR_OF: &str = "deir_of";
const LIP_HEXES: &str = "lip_hexes";
const LIP_HEXSIDES: &str = "lip_hexsides";
