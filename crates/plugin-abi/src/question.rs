//! What a plugin is shown.

use crate::{Array, Bytes, HexCoord};

/// A map, shown once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MapView {
    /// The size of this struct.
    pub struct_size: usize,
    /// How many columns the grid has.
    pub columns: u16,
    /// How many rows the grid has.
    pub rows: u16,
    /// Zero.
    pub reserved: u32,
    /// Every hex of the grid, in the order of all arrays that have an element for each hex
    /// ([`HexCoord`]).
    pub hexes: Array,
    /// The Base Level of each hex in full levels (`i16`).
    pub base_levels: Array,
    /// The name of each hex ([`Bytes`]).
    pub names: Array,
    /// The layers, sorted by name ([`LayerView`]).
    pub layers: Array,
}

/// A layer of a map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LayerView {
    /// Its name.
    pub name: Bytes,
    /// Its fields, sorted by name ([`FieldView`]).
    pub fields: Array,
}

/// A field that holds hexes: `hexes` has an element for each.
pub const FIELD_HEXES: u32 = 1;
/// A field that holds hexsides: `hexes` has two elements for each.
pub const FIELD_HEXSIDES: u32 = 2;
/// A field that holds a number for each of some hexes.
pub const FIELD_HEX_VALUES: u32 = 3;
/// A field that holds a number for each of some hexsides.
pub const FIELD_HEXSIDE_VALUES: u32 = 4;

/// A field of a layer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FieldView {
    /// Its name.
    pub name: Bytes,
    /// `FIELD_…`.
    pub kind: u32,
    /// Zero.
    pub reserved: u32,
    /// The hexes, one or two for each entry ([`HexCoord`]).
    pub hexes: Array,
    /// The numbers, one for each entry (`i64`); empty in a set.
    pub values: Array,
}

/// A counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CounterView {
    /// Where it is.
    pub hex: HexCoord,
    /// Its class: `CLASS_…`.
    pub class: u32,
    /// What the players say of it: a sum of `FLAG_…`.
    pub flags: u32,
    /// Its side: the same number for counters of one side; 0 is no side.
    pub side: u32,
    /// The counter that carries it, or [`crate::NONE`].
    pub aboard: u32,
    /// Its level, in half levels.
    pub level: i16,
    /// Not 0 if it is not really there.
    pub probe: u16,
}

/// An attribute of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AttributeView {
    /// The counter.
    pub counter: u32,
    /// Its name: an index into `attribute_names`.
    pub name: u32,
    /// Its value.
    pub value: i64,
}

/// The end of a line is its hex's centre.
pub const CENTRE: u32 = 0xffff_ffff;
const _: () = assert!(CENTRE == crate::NONE);

/// An end of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct EndView {
    /// Its hex (not relative to anything).
    pub hex: HexCoord,
    /// The vertex of its hex that is aimed at (0 to 5, clockwise from the one between the N and NE
    /// hexsides), or [`CENTRE`].
    pub corner: u32,
    /// The counter there, or [`crate::NONE`] for an ordinary unit.
    pub counter: u32,
    /// Its class: `CLASS_…`.
    pub class: u32,
    /// What the players say of it: a sum of `FLAG_…`.
    pub flags: u32,
    /// Its side, 0 for none.
    pub side: u32,
    /// Its level, in half levels.
    pub level: i16,
    /// Not 0 if a vehicle carries it.
    pub aboard: u16,
}

/// It is one of the line's ends.
pub const CONTACT_END: u8 = 0;
/// The line runs through its inside.
pub const CONTACT_THROUGH: u8 = 1;
/// The line runs along one of its hexsides.
pub const CONTACT_ALONG: u8 = 2;
/// The line meets it at a vertex only.
pub const CONTACT_VERTEX: u8 = 3;

/// A hex that a line touches.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TouchView {
    /// The hex, relative to the line's origin.
    pub hex: HexCoord,
    /// `CONTACT_…`.
    pub contact: u8,
    /// Bit 0: it is on the left reading; bit 1: on the right one.
    pub readings: u8,
}

/// A passage from one hex to the next over their common hexside, relative to the line's origin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CrossingView {
    /// The hex left.
    pub from: HexCoord,
    /// The hex entered.
    pub to: HexCoord,
}

/// The line meets a vertex or runs along a hexside.
pub const LINE_GRAZES: u32 = 1;
/// The left reading leaves the map.
pub const LINE_LEFT_OFF_MAP: u32 = 2;
/// The right reading leaves the map.
pub const LINE_RIGHT_OFF_MAP: u32 = 4;
/// Only obstacles are wanted.
pub const LINE_OBSTACLES_ONLY: u32 = 8;

/// A line.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LineView {
    /// What to add to the hexes of `touched` and of the readings.
    pub origin: HexCoord,
    /// A sum of `LINE_…`.
    pub flags: u32,
    /// What it is for: `PURPOSE_…`.
    pub purpose: u32,
    /// How the shot travels: `ATTACK_…`.
    pub attack: u32,
    /// The grazing policy: `POLICY_…`.
    pub policy: u32,
    /// How many hexes from end to end.
    pub range: u32,
    /// The firer, or the MG of a Fire Lane.
    pub from: EndView,
    /// The target, or the Fire Lane counter's hex.
    pub to: EndView,
    /// The hexes that the line touches, in order ([`TouchView`]).
    pub touched: Array,
    /// The line nudged to its left ([`CrossingView`]).
    pub left: Array,
    /// The line nudged to its right ([`CrossingView`]).
    pub right: Array,
    /// The counters in the hexes touched, ends included, in their order (`u32`).
    pub counters: Array,
    /// Of a Fire Lane: the hex in which something moves.
    pub lane_hex: HexCoord,
    /// Of a Fire Lane: what moves there, `LANE_…`.
    pub lane_mover: u32,
    /// Of a Fire Lane: a hypothetical wreck in that hex, or [`crate::NONE`].
    pub lane_probe: u32,
    /// What the shot is made of: `MUNITION_…`.
    pub munition: u32,
}

/// Lines on one map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LineBatch {
    /// The size of this struct.
    pub struct_size: usize,
    /// The lines ([`LineView`]).
    pub lines: Array,
    /// The counters of the position, then the probes ([`CounterView`]).
    pub counters: Array,
    /// The level of each hex of the grid, in half levels (`i16`).
    pub levels: Array,
    /// The attributes that counters carry, sorted by counter ([`AttributeView`]).
    pub attributes: Array,
    /// The names of the attributes: `plugin.name` ([`Bytes`]).
    pub attribute_names: Array,
    /// Environmental Conditions: `EC_…`.
    pub ec: u32,
    /// Zero.
    pub reserved: u32,
}

/// A step from one hex into the next.
pub const STEP_ENTER: u32 = 1;
/// A change of VCA: `from` and `to` are the same hex.
pub const STEP_TURN: u32 = 2;

/// A step of a move.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StepView {
    /// The hex left.
    pub from: HexCoord,
    /// The hex entered.
    pub to: HexCoord,
    /// The mover's class: `CLASS_…`.
    pub class: u32,
    /// Its Ground Pressure: `PRESSURE_…`.
    pub ground_pressure: u32,
    /// The mover's weight in kilograms, 0 if unknown.
    pub weight_kg: u32,
    /// Not 0 if it was built in Britain.
    pub british_built: u32,
    /// Environmental Conditions, `EC_…`, which may differ from the position's.
    pub ec: u32,
    /// `STEP_…`.
    pub kind: u32,
    /// What it follows by what the mover says: `WAY_…`.
    pub way: u32,
    /// Of a change of VCA: by how many hexsides.
    pub hexsides: u32,
    /// Of a change of VCA: not 0 if `entered_from` is known.
    pub entered_known: u32,
    /// Of a change of VCA: the hex from which the mover entered the one it turns in.
    pub entered_from: HexCoord,
}

/// Steps on one map.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StepBatch {
    /// The size of this struct.
    pub struct_size: usize,
    /// The steps ([`StepView`]).
    pub steps: Array,
    /// The counters of the position, then the probes ([`CounterView`]).
    pub counters: Array,
    /// The level of each hex of the grid, in half levels (`i16`).
    pub levels: Array,
    /// The attributes that counters carry, sorted by counter ([`AttributeView`]).
    pub attributes: Array,
    /// The names of the attributes: `plugin.name` ([`Bytes`]).
    pub attribute_names: Array,
    /// Environmental Conditions: `EC_…`.
    pub ec: u32,
    /// Zero.
    pub reserved: u32,
}

/// A unit in plain view.
pub const CONCEALMENT_NONE: u32 = 0;
/// Concealed.
pub const CONCEALMENT_CONCEALED: u32 = 1;
/// Hidden.
pub const CONCEALMENT_HIDDEN: u32 = 2;

/// No Fortification.
pub const FORTIFICATION_NONE: u32 = 0;
/// A foxhole.
pub const FORTIFICATION_FOXHOLE: u32 = 1;
/// A trench.
pub const FORTIFICATION_TRENCH: u32 = 2;
/// A pillbox.
pub const FORTIFICATION_PILLBOX: u32 = 3;
/// A sangar.
pub const FORTIFICATION_SANGAR: u32 = 4;
/// Wire.
pub const FORTIFICATION_WIRE: u32 = 5;
/// Mines.
pub const FORTIFICATION_MINES: u32 = 6;

/// Something that a scenario's set-up puts into a hex: a unit, or a Fortification (since 1.1).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SetUpView {
    /// The hex.
    pub hex: HexCoord,
    /// The unit's class; 0 where it is a Fortification that sets up.
    pub class: u32,
    /// The Fortification that sets up, `FORTIFICATION_…`; 0 where it is a unit.
    pub fortification: u32,
    /// Of a unit: the Fortification beneath whose counter it sets up, or 0.
    pub beneath: u32,
    /// Of a unit: `CONCEALMENT_…`.
    pub concealment: u32,
}

/// Set-ups on one map (since 1.1).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SetUpBatch {
    /// The size of this struct.
    pub struct_size: usize,
    /// The set-ups ([`SetUpView`]).
    pub setups: Array,
    /// The counters of the position, then the probes ([`CounterView`]).
    pub counters: Array,
    /// The level of each hex of the grid, in half levels (`i16`).
    pub levels: Array,
    /// The attributes that counters carry, sorted by counter ([`AttributeView`]).
    pub attributes: Array,
    /// The names of the attributes: `plugin.name` ([`Bytes`]).
    pub attribute_names: Array,
    /// Environmental Conditions: 1 dry, 2 moist, 3 wet, 4 mud, 5 snow.
    pub ec: u32,
    /// Zero.
    pub reserved: u32,
}
