//! The map, as a plugin sees it once.
#![allow(unsafe_code)]

use alamein_hex::{Grid, Hex, Hexside};
use alamein_plugin_abi as abi;
use alamein_terrain::CounterClass;

use crate::HexMap;
use crate::view::{List, hex, text};

/// The map: its grid, levels and layers.
pub struct MapView<'a> {
    view: &'a abi::MapView,
    grid: Grid,
}

impl<'a> MapView<'a> {
    /// # Safety
    /// The view and all that it points to are valid for `'a`.
    pub(crate) unsafe fn new(view: &'a abi::MapView) -> Result<Self, String> {
        let grid = Grid::new(view.columns, view.rows).map_err(|error| error.to_string())?;
        Ok(Self { view, grid })
    }

    /// Which hexes there are.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The Base Level of a hex in full levels; 0 off the map.
    #[must_use]
    pub fn base_level(&self, hex: Hex) -> i16 {
        // SAFETY: the view is valid, and this array holds numbers.
        let levels: List<'_, i16> = unsafe { List::new(self.view.base_levels) };
        self.grid
            .index(hex)
            .and_then(|index| levels.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// The name of a hex, for messages.
    #[must_use]
    pub fn name(&self, hex: Hex) -> String {
        self.grid.label(hex)
    }

    /// The name of a hexside, for messages.
    #[must_use]
    pub fn hexside_name(&self, hexside: Hexside) -> String {
        let [one, other] = hexside.hexes();
        let both = || format!("{}|{}", self.grid.label(one), self.grid.label(other));
        self.grid.hexside_name(hexside).unwrap_or_else(both)
    }

    /// The layer of this name, if the map has one.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<LayerView<'a>> {
        // SAFETY: the view is valid, and this array holds layers.
        let layers: List<'a, abi::LayerView> = unsafe { List::new(self.view.layers) };
        // SAFETY: as above.
        let named = |layer: &&abi::LayerView| unsafe { text(layer.name) } == name;
        layers.iter().find(named).map(|view| LayerView { view })
    }
}

/// A layer of the map.
#[derive(Clone, Copy)]
pub struct LayerView<'a> {
    view: &'a abi::LayerView,
}

impl<'a> LayerView<'a> {
    fn field(self, name: &str) -> Option<&'a abi::FieldView> {
        // SAFETY: a layer is only made of a valid view, and this array holds fields.
        let fields: List<'a, abi::FieldView> = unsafe { List::new(self.view.fields) };
        // SAFETY: as above.
        fields
            .iter()
            .find(|field| unsafe { text(field.name) } == name)
    }

    /// Whether the map gives a field at all, be it empty.
    #[must_use]
    pub fn has(self, field: &str) -> bool {
        self.field(field).is_some()
    }

    /// The hexes of a field; none if the map does not give it.
    pub fn hexes(self, field: &str) -> impl Iterator<Item = Hex> + 'a {
        let hexes = self.field(field).map(|field| {
            // SAFETY: the field is valid, and this array holds hexes.
            let hexes: List<'a, abi::HexCoord> = unsafe { List::new(field.hexes) };
            hexes
        });
        hexes
            .into_iter()
            .flat_map(List::iter)
            .map(|coord| hex(*coord))
    }

    /// The hexsides of a field; none if the map does not give it.
    pub fn hexsides(self, field: &str) -> impl Iterator<Item = Hexside> + 'a {
        let hexes: Vec<Hex> = self.hexes(field).collect();
        let pairs: Vec<Hexside> = hexes
            .chunks_exact(2)
            .filter_map(|pair| Hexside::between(pair[0], pair[1]))
            .collect();
        pairs.into_iter()
    }

    /// The numbers of a field of hexes; none if the map does not give it.
    pub fn hex_values(self, field: &str) -> impl Iterator<Item = (Hex, i64)> + 'a {
        let values = self.field(field).map(|field| {
            // SAFETY: the field is valid, and this array holds numbers.
            let values: List<'a, i64> = unsafe { List::new(field.values) };
            values
        });
        self.hexes(field)
            .zip(values.into_iter().flat_map(List::iter).copied())
    }
}

/// Takes what is wrong with a map.
#[derive(Debug, Default)]
pub struct Problems {
    pub(crate) said: Vec<(u32, String)>,
}

impl Problems {
    /// The map cannot be used. Say what is wrong, with hex names, and what to do.
    pub fn error(&mut self, text: impl Into<String>) {
        self.said.push((abi::TEXT_MAP_ERROR, text.into()));
    }

    /// Something is odd about the map.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.said.push((abi::TEXT_MAP_WARNING, text.into()));
    }
}

/// Takes what concerns a plugin, and how it moves levels.
pub struct Survey<'a> {
    pub(crate) grid: Grid,
    pub(crate) interest: &'a mut [u8],
    pub(crate) levels: &'a mut [i16],
    pub(crate) flags: u32,
}

impl Survey<'_> {
    /// Lines that touch this hex, and steps from or to it, concern the plugin.
    pub fn hex(&mut self, hex: Hex) {
        if let Some(slot) = self
            .grid
            .index(hex)
            .and_then(|index| self.interest.get_mut(index))
        {
            *slot = 1;
        }
    }

    /// The same for every hex that has this value.
    pub fn hexes_with<T: Clone + PartialEq>(&mut self, map: &HexMap<T>, value: &T) {
        map.iter()
            .filter(|(_, held)| *held == value)
            .for_each(|(hex, _)| self.hex(hex));
    }

    /// Every line that has a counter on it concerns the plugin, and every set-up, which puts one there.
    pub fn counters(&mut self) {
        self.flags |= abi::INTEREST_COUNTERS;
    }

    /// Every line, every step and every set-up concerns the plugin.
    pub fn everything(&mut self) {
        self.flags |= abi::INTEREST_EVERYTHING;
    }

    /// Units in this hex stand this many half levels above its Base Level, on top of what other
    /// plugins say.
    pub fn raise(&mut self, hex: Hex, half_levels: i16) {
        if let Some(slot) = self
            .grid
            .index(hex)
            .and_then(|index| self.levels.get_mut(index))
        {
            *slot = half_levels;
        }
    }
}

/// On which lines of sight the plugin speaks, where nothing but LOS is wanted. To speak is to observe an
/// obstacle or a Hindrance, or to find something on which the LOS turns.
pub struct SightSurvey<'a> {
    pub(crate) grid: Grid,
    pub(crate) hexes: &'a mut [u8],
    pub(crate) counters: u32,
    pub(crate) flags: u32,
}

impl SightSurvey<'_> {
    /// It speaks on lines that have this hex between their ends.
    pub fn between(&mut self, hex: Hex) {
        self.mark(hex, abi::SIGHT_BETWEEN);
    }

    /// It speaks on lines that start or end in this hex.
    pub fn end(&mut self, hex: Hex) {
        self.mark(hex, abi::SIGHT_END);
    }

    /// It speaks on lines that start or end in this hex at a counter.
    pub fn unit_end(&mut self, hex: Hex) {
        self.mark(hex, abi::SIGHT_UNIT_END);
    }

    /// Of lines that have this hex between their ends, it may set aside or judge what other plugins
    /// observe.
    pub fn others_between(&mut self, hex: Hex) {
        self.mark(hex, abi::SIGHT_OTHERS_BETWEEN);
    }

    /// Of lines that start or end in this hex, it may do so.
    pub fn others_at_end(&mut self, hex: Hex) {
        self.mark(hex, abi::SIGHT_OTHERS_END);
    }

    /// It speaks on lines that have counters of these classes between their ends.
    pub fn counters(&mut self, classes: impl IntoIterator<Item = CounterClass>) {
        for class in classes {
            self.counters |= alamein_terrain::class_bit(class);
        }
    }

    /// It judges what anyone observes in a hex, of any line.
    pub fn judges_hexes(&mut self) {
        self.flags |= abi::SIGHT_JUDGES_HEXES;
    }

    /// Of AFV and wrecks that Hinder by [`SightAnswer::hinders`](alamein_terrain::SightAnswer::hinders) it
    /// says, judging hexes, no more than that so many block; at least 1.
    pub fn limit(&mut self, blocking: u8) {
        self.flags |= u32::from(blocking) * abi::SIGHT_LIMIT;
    }

    /// It judges what anyone observes on a hexside, of any line.
    pub fn judges_hexsides(&mut self) {
        self.flags |= abi::SIGHT_JUDGES_HEXSIDES;
    }

    /// It speaks on every line.
    pub fn everything(&mut self) {
        self.flags |= abi::SIGHT_EVERYTHING;
    }

    /// All that it may set aside or judge of what other plugins observe, by the hexes marked, are
    /// Hindrances.
    pub fn hindrances_only(&mut self) {
        self.flags |= abi::SIGHT_HINDRANCES_ONLY;
    }

    /// Of these it judges no AFV or wreck that Hinders by
    /// [`SightAnswer::hinders`](alamein_terrain::SightAnswer::hinders), and tells in
    /// [`SightAnswer::sets_aside`](alamein_terrain::SightAnswer::sets_aside) which of them do not count.
    pub fn tells_aside(&mut self) {
        self.flags |= abi::SIGHT_TELLS_ASIDE;
    }

    /// All that it observes on lines of sight are AFV and wrecks that Hinder by
    /// [`SightAnswer::hinders`](alamein_terrain::SightAnswer::hinders), and such as it sets aside itself.
    pub fn hinders_only(&mut self) {
        self.flags |= abi::SIGHT_HINDERS_ONLY;
    }

    fn mark(&mut self, hex: Hex, mark: u8) {
        let index = self.grid.index(hex);
        if let Some(slot) = index.and_then(|index| self.hexes.get_mut(index)) {
            *slot |= mark;
        }
    }
}
