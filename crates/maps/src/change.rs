//! What scenario rules change.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Hex, Hexside};
use alamein_terrain::{Field, Layer, Map};
use serde::{Deserialize, Serialize};

use crate::error::{Path, Wrong};
use crate::names::BoardNames;

/// A change by scenario rule to one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The layer.
    pub layer: String,
    /// A field of the layer. Left out: `add` goes to `hexes` or `hexsides`, and `remove` takes
    /// from every field of the layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The layer becomes another: what was its own is then of that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// The whole layer goes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drop: bool,
    /// Hexes and hexsides that go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// Hexes and hexsides that come.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<String>,
    /// Numbers that are so from now on, by hex or hexside.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, i64>,
    /// Which rule of the scenario says so; for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Makes one change to a map.
pub(crate) fn make(
    change: &Change,
    map: &mut Map,
    names: &BoardNames,
    path: &Path,
) -> Result<(), Wrong> {
    let changing = Changing {
        change,
        names,
        path,
    };
    changing.whole(map)?;
    let mut gone = BTreeSet::new();
    for (index, name) in change.remove.iter().enumerate() {
        let place = changing.remove(map, name, &path.key("remove").at(index))?;
        if let (Place::Hex(hex), None) = (place, &change.field) {
            gone.insert(hex);
        }
    }
    if let Some(layer) = map.layers.get_mut(&change.layer) {
        forsake(layer, &gone);
    }
    for (index, name) in change.add.iter().enumerate() {
        changing.add(map, name, &path.key("add").at(index))?;
    }
    for (name, value) in &change.set {
        changing.set(map, name, *value, &path.key("set").key(name))?;
    }
    Ok(())
}

struct Changing<'a> {
    change: &'a Change,
    names: &'a BoardNames,
    path: &'a Path,
}

impl Changing<'_> {
    /// What is done to the layer as a whole.
    fn whole(&self, map: &mut Map) -> Result<(), Wrong> {
        let Change { layer, becomes, .. } = self.change;
        let items = self.change.remove.len() + self.change.add.len() + self.change.set.len();
        if usize::from(self.change.drop) + usize::from(becomes.is_some()) + items.min(1) != 1 {
            return Err(self.path.wrong(
                "a change has either `becomes`, or `drop`, or some of `remove`, `add` and `set`",
            ));
        }
        if !self.change.drop && becomes.is_none() {
            return Ok(());
        }
        let Some(old) = map.layers.remove(layer) else {
            let there: Vec<&str> = map.layers.keys().map(String::as_str).collect();
            return Err(self.path.key("layer").wrong(format!(
                "there is no layer {layer} to change; the map has {}",
                list_or_none(&there)
            )));
        };
        if let Some(new) = becomes {
            let target = map.layers.entry(new.clone()).or_default();
            for (name, field) in old.fields {
                self.unite(target, name, field)?;
            }
        }
        Ok(())
    }

    fn unite(&self, layer: &mut Layer, name: String, field: Field) -> Result<(), Wrong> {
        match (layer.fields.get_mut(&name), field) {
            (None, field) => {
                layer.fields.insert(name, field);
            }
            (Some(Field::Hexes(old)), Field::Hexes(new)) => old.extend(new),
            (Some(Field::Hexsides(old)), Field::Hexsides(new)) => old.extend(new),
            (Some(Field::HexValues(old)), Field::HexValues(new)) => old.extend(new),
            (Some(Field::HexsideValues(old)), Field::HexsideValues(new)) => old.extend(new),
            (Some(old), new) => {
                return Err(self.path.key("becomes").wrong(format!(
                    "the field {name} holds {} there and {} here; they cannot become one",
                    old.kind(),
                    new.kind()
                )));
            }
        }
        Ok(())
    }

    fn remove(&self, map: &mut Map, name: &str, path: &Path) -> Result<Place, Wrong> {
        let layer_name = &self.change.layer;
        let place = self.place(name, path)?;
        let mut removed = false;
        if let Some(layer) = map.layers.get_mut(layer_name) {
            for (name, field) in &mut layer.fields {
                if self.change.field.as_ref().is_none_or(|only| only == name) {
                    removed |= place.leave(field);
                }
            }
        }
        if removed {
            return Ok(place);
        }
        let of = self.change.field.as_deref();
        let of = of.map_or(String::new(), |field| format!(".{field}"));
        Err(path.wrong(format!(
            "{name} is not in {layer_name}{of}, so it cannot be removed"
        )))
    }

    fn add(&self, map: &mut Map, name: &str, path: &Path) -> Result<(), Wrong> {
        let place = self.place(name, path)?;
        let layer = map.layers.entry(self.change.layer.clone()).or_default();
        let (default, empty) = match place {
            Place::Hex(_) => ("hexes", Field::Hexes(Default::default())),
            Place::Hexside(_) => ("hexsides", Field::Hexsides(Default::default())),
        };
        let field_name = self.change.field.as_deref().unwrap_or(default);
        let same = |(_, field): &(&String, &Field)| field.kind() == empty.kind();
        let others: Vec<&str> = layer
            .fields
            .iter()
            .filter(same)
            .map(|(n, _)| n.as_str())
            .collect();
        if !layer.fields.contains_key(field_name)
            && !others.is_empty()
            && self.change.field.is_none()
        {
            return Err(self.path.wrong(format!(
                "say to which field {name} comes: field = one of {}",
                others.join(", ")
            )));
        }
        let field = layer.fields.entry(field_name.to_owned()).or_insert(empty);
        match (&place, field) {
            (Place::Hex(hex), Field::Hexes(set)) => set.insert(*hex),
            (Place::Hexside(side), Field::Hexsides(set)) => set.insert(*side),
            (_, field) => {
                let kind = field.kind();
                return Err(path.wrong(format!("{name} does not fit: {field_name} holds {kind}")));
            }
        };
        Ok(())
    }

    fn set(&self, map: &mut Map, name: &str, value: i64, path: &Path) -> Result<(), Wrong> {
        let Some(field_name) = &self.change.field else {
            return Err(self
                .path
                .wrong("`set` needs `field`: the field that holds numbers"));
        };
        let place = self.place(name, path)?;
        let layer = map.layers.entry(self.change.layer.clone()).or_default();
        let empty = match place {
            Place::Hex(_) => Field::HexValues(BTreeMap::new()),
            Place::Hexside(_) => Field::HexsideValues(BTreeMap::new()),
        };
        match (
            &place,
            layer.fields.entry(field_name.clone()).or_insert(empty),
        ) {
            (Place::Hex(hex), Field::HexValues(values)) => values.insert(*hex, value),
            (Place::Hexside(side), Field::HexsideValues(values)) => values.insert(*side, value),
            (_, field) => {
                let kind = field.kind();
                return Err(path.wrong(format!("{name} does not fit: {field_name} holds {kind}")));
            }
        };
        Ok(())
    }

    fn place(&self, name: &str, path: &Path) -> Result<Place, Wrong> {
        let place = if name.contains('|') {
            self.names.hexside(name).map(Place::Hexside)
        } else {
            self.names.hex(name).map(Place::Hex)
        };
        place.map_err(|error| path.wrong(error.to_string()))
    }
}

/// A hex or a hexside.
pub(crate) enum Place {
    Hex(Hex),
    Hexside(Hexside),
}

impl Place {
    /// Takes it out of a field, and says whether it was there.
    pub(crate) fn leave(&self, field: &mut Field) -> bool {
        match (self, field) {
            (Place::Hex(hex), Field::Hexes(set)) => set.remove(hex),
            (Place::Hex(hex), Field::HexValues(values)) => values.remove(hex).is_some(),
            (Place::Hexside(side), Field::Hexsides(set)) => set.remove(side),
            (Place::Hexside(side), Field::HexsideValues(values)) => values.remove(side).is_some(),
            _ => false,
        }
    }
}

/// Drops the hexsides of hexes that have left a layer, where the layer has no hex on either side.
pub(crate) fn forsake(layer: &mut Layer, gone: &BTreeSet<Hex>) {
    let Some(Field::Hexes(hexes)) = layer.fields.get("hexes") else {
        return;
    };
    let is_bare = |side: &Hexside| !side.hexes().iter().any(|hex| hexes.contains(hex));
    let sides = gone.iter().flat_map(|hex| hex.hexsides());
    let bare: Vec<Hexside> = sides.filter(is_bare).collect();
    for field in layer.fields.values_mut() {
        for side in &bare {
            Place::Hexside(*side).leave(field);
        }
    }
}

fn list_or_none(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
