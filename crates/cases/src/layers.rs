//! The layers of a map.

use std::collections::{BTreeMap, BTreeSet};

use alamein_hex::{Grid, Hex, Hexside};
use alamein_terrain::{Field, FieldKind, FieldSpec, Layer, LayerSpec};
use serde_json::Value;

use crate::known::Known;
use crate::node::{Node, Wrong};

/// The words for the kinds of fields, in the typed form of one.
pub(crate) const KINDS: [(&str, FieldKind); 4] = [
    ("hexes", FieldKind::Hexes),
    ("hexsides", FieldKind::Hexsides),
    ("hex_values", FieldKind::HexValues),
    ("hexside_values", FieldKind::HexsideValues),
];

/// Reads the layers of a map.
pub(crate) fn read(
    node: &Node<'_>,
    grid: &Grid,
    known: &Known,
) -> Result<BTreeMap<String, Layer>, Wrong> {
    let layer = |(name, node): (&str, Node<'_>)| {
        let layer = match known.layer(name) {
            Some(spec) => owned(&node, grid, spec)?,
            None => unowned(&node, grid)?,
        };
        Ok((name.to_owned(), layer))
    };
    node.fields()?.map(layer).collect()
}

/// A layer whose fields a manifest describes.
fn owned(node: &Node<'_>, grid: &Grid, spec: &LayerSpec) -> Result<Layer, Wrong> {
    let mut layer = Layer::default();
    if node.value.is_array() {
        if let Some(first) = spec.fields.first() {
            let content = field(node, grid, Some(first.kind))?;
            layer.fields.insert(first.name.clone(), content);
        }
        return Ok(layer);
    }
    for (name, node) in node.fields()? {
        let described = |field: &&FieldSpec| field.name == name;
        let Some(described) = spec.fields.iter().find(described) else {
            let names: Vec<&str> = spec.fields.iter().map(|f| f.name.as_str()).collect();
            let layer = &spec.name;
            return Err(node.wrong(format!(
                "the layer {layer} has no such field; it has {}",
                names.join(", ")
            )));
        };
        let content = field(&node, grid, Some(described.kind))?;
        layer.fields.insert(name.to_owned(), content);
    }
    Ok(layer)
}

/// A layer of which nobody says what it holds: texts with a bar are hexsides, others hexes.
fn unowned(node: &Node<'_>, grid: &Grid) -> Result<Layer, Wrong> {
    let mut layer = Layer::default();
    if node.value.is_array() {
        let content = field(node, grid, None)?;
        let name = match content {
            Field::Hexsides(_) => "hexsides",
            _ => "hexes",
        };
        layer.fields.insert(name.to_owned(), content);
        return Ok(layer);
    }
    for (name, node) in node.fields()? {
        let content = field(&node, grid, None)?;
        layer.fields.insert(name.to_owned(), content);
    }
    Ok(layer)
}

/// One field, of the kind that a manifest gives, or of the kind that it looks like.
fn field(node: &Node<'_>, grid: &Grid, kind: Option<FieldKind>) -> Result<Field, Wrong> {
    if let (Some(word), Some(values)) = (node.get("kind"), node.get("values")) {
        let said = word.word(&KINDS)?;
        if kind.is_some_and(|kind| kind != said) {
            return Err(word.wrong("is not the kind that the plugin's manifest gives"));
        }
        return field_of(&values, grid, said);
    }
    field_of(node, grid, kind.unwrap_or_else(|| looks_like(node.value)))
}

fn looks_like(value: &Value) -> FieldKind {
    let named_hexside = |name: &str| name.contains('|');
    match value {
        Value::Object(values) if values.keys().next().is_some_and(|key| named_hexside(key)) => {
            FieldKind::HexsideValues
        }
        Value::Object(_) => FieldKind::HexValues,
        Value::Array(items)
            if items
                .first()
                .and_then(Value::as_str)
                .is_some_and(named_hexside) =>
        {
            FieldKind::Hexsides
        }
        _ => FieldKind::Hexes,
    }
}

fn field_of(node: &Node<'_>, grid: &Grid, kind: FieldKind) -> Result<Field, Wrong> {
    Ok(match kind {
        FieldKind::Hexes => Field::Hexes(set(node, |name| hex(name, grid))?),
        FieldKind::Hexsides => Field::Hexsides(set(node, |name| hexside(name, grid))?),
        FieldKind::HexValues => Field::HexValues(values(node, |name| hex(name, grid))?),
        FieldKind::HexsideValues => Field::HexsideValues(values(node, |name| hexside(name, grid))?),
    })
}

fn set<T: Ord>(
    node: &Node<'_>,
    place: impl Fn(&str) -> Result<T, String>,
) -> Result<BTreeSet<T>, Wrong> {
    let item = |item: Node<'_>| place(item.text()?).map_err(|what| item.wrong(what));
    node.items()?.map(item).collect()
}

fn values<T: Ord>(
    node: &Node<'_>,
    place: impl Fn(&str) -> Result<T, String>,
) -> Result<BTreeMap<T, i64>, Wrong> {
    let value = |(name, node): (&str, Node<'_>)| {
        let place = place(name).map_err(|what| node.wrong(what))?;
        Ok((place, node.number()?))
    };
    node.fields()?.map(value).collect()
}

fn hex(name: &str, grid: &Grid) -> Result<Hex, String> {
    grid.hex(name).map_err(|error| error.to_string())
}

fn hexside(name: &str, grid: &Grid) -> Result<Hexside, String> {
    grid.hexside(name).map_err(|error| error.to_string())
}
