//! Showing a map to a plugin.

use alamein_hex::Hex;
use alamein_plugin_abi::{
    Bytes, FIELD_HEX_VALUES, FIELD_HEXES, FIELD_HEXSIDE_VALUES, FIELD_HEXSIDES, FieldView,
    LayerView, MapView,
};
use alamein_terrain::{Field, Layer, Map};

use crate::layout::{lend, lend_text};

/// The hexes and numbers of a field.
struct FieldData {
    kind: u32,
    hexes: Vec<Hex>,
    values: Vec<i64>,
}

impl FieldData {
    fn of(field: &Field) -> Self {
        let hexes = field.hexes().collect();
        let (kind, values) = match field {
            Field::Hexes(_) => (FIELD_HEXES, Vec::new()),
            Field::Hexsides(_) => (FIELD_HEXSIDES, Vec::new()),
            Field::HexValues(values) => (FIELD_HEX_VALUES, values.values().copied().collect()),
            Field::HexsideValues(values) => {
                (FIELD_HEXSIDE_VALUES, values.values().copied().collect())
            }
        };
        Self {
            kind,
            hexes,
            values,
        }
    }

    fn view(&self, name: &str) -> FieldView {
        FieldView {
            name: lend_text(name),
            kind: self.kind,
            reserved: 0,
            hexes: lend(&self.hexes),
            values: lend(&self.values),
        }
    }
}

/// Calls with a view of a map, which lives as long as the call.
pub(crate) fn with<T>(map: &Map, call: impl FnOnce(&MapView) -> T) -> T {
    let hexes: Vec<Hex> = map.grid.hexes().collect();
    let base_levels: Vec<i16> = hexes.iter().map(|hex| map.level(*hex)).collect();
    let labels: Vec<String> = hexes.iter().map(|hex| map.grid.label(*hex)).collect();
    let names: Vec<Bytes> = labels.iter().map(|label| lend_text(label)).collect();

    let data: Vec<Vec<FieldData>> = map.layers.values().map(fields).collect();
    let views = |(layer, data): (&Layer, &Vec<FieldData>)| -> Vec<FieldView> {
        layer
            .fields
            .keys()
            .zip(data)
            .map(|(name, field)| field.view(name))
            .collect()
    };
    let fields: Vec<Vec<FieldView>> = map.layers.values().zip(&data).map(views).collect();
    let layer = |(name, fields): (&String, &Vec<FieldView>)| LayerView {
        name: lend_text(name),
        fields: lend(fields),
    };
    let layers: Vec<LayerView> = map.layers.keys().zip(&fields).map(layer).collect();

    call(&MapView {
        struct_size: size_of::<MapView>(),
        columns: map.grid.columns(),
        rows: map.grid.rows(),
        reserved: 0,
        hexes: lend(&hexes),
        base_levels: lend(&base_levels),
        names: lend(&names),
        layers: lend(&layers),
    })
}

fn fields(layer: &Layer) -> Vec<FieldData> {
    layer.fields.values().map(FieldData::of).collect()
}
