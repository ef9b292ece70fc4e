// The C ABI between Alamein and a terrain plugin.
//
// Written by `cargo xtask header` from crates/plugin-abi: change that, not this.
//
// A plugin exports one constant, `alamein_plugin_<id>` (hyphens as underscores), of type
// AlameinDescriptor; with hidden symbols as the default, mark it ALAMEIN_EXPORT. The host reads it
// before it calls anything. What the host lends is valid for the length of a call, but for the
// AlameinHost, which lives as long as the instance. What a plugin says it pushes to the host's sink.
//
// The number is ABI_MAJOR.ABI_MINOR. Structs and tables only ever get longer, at their end: read a
// host's array with alamein_at, which goes by the array's stride, and never by an index into a C
// array. A host takes a plugin of the same major number and the same or a lower minor one.
//
// A hex is a pair of axial coordinates: `q` is its column, eastward from 0; `r + 1` is one hex south;
// row n of column c has r = n - c / 2 (rounded down). A line's hexes are relative to its `origin`:
// add that to each.

#ifndef ALAMEIN_H
#define ALAMEIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The first field of every descriptor: "ALAMEIN" and a zero.
#define ALAMEIN_MAGIC 0x414c414d45494e00ull

// A plugin of another major number cannot be used.
#define ALAMEIN_ABI_MAJOR 1u

// A plugin of a higher minor number cannot be used.
#define ALAMEIN_ABI_MINOR 2u

// Stands where an index is absent.
#define ALAMEIN_NONE 0xffffffffu

// A text that says what failed.
#define ALAMEIN_TEXT_ERROR 1u

// A text that says what is wrong with a map, so that it cannot be used.
#define ALAMEIN_TEXT_MAP_ERROR 2u

// A text that says what is odd about a map.
#define ALAMEIN_TEXT_MAP_WARNING 3u

// A field that holds hexes: `hexes` has an element for each.
#define ALAMEIN_FIELD_HEXES 1u

// A field that holds hexsides: `hexes` has two elements for each.
#define ALAMEIN_FIELD_HEXSIDES 2u

// A field that holds a number for each of some hexes.
#define ALAMEIN_FIELD_HEX_VALUES 3u

// A field that holds a number for each of some hexsides.
#define ALAMEIN_FIELD_HEXSIDE_VALUES 4u

// The end of a line is its hex's centre.
#define ALAMEIN_CENTRE 0xffffffffu

// It is one of the line's ends.
#define ALAMEIN_CONTACT_END 0u

// The line runs through its inside.
#define ALAMEIN_CONTACT_THROUGH 1u

// The line runs along one of its hexsides.
#define ALAMEIN_CONTACT_ALONG 2u

// The line meets it at a vertex only.
#define ALAMEIN_CONTACT_VERTEX 3u

// The line meets a vertex or runs along a hexside.
#define ALAMEIN_LINE_GRAZES 1u

// The left reading leaves the map.
#define ALAMEIN_LINE_LEFT_OFF_MAP 2u

// The right reading leaves the map.
#define ALAMEIN_LINE_RIGHT_OFF_MAP 4u

// Only obstacles are wanted.
#define ALAMEIN_LINE_OBSTACLES_ONLY 8u

// A step from one hex into the next.
#define ALAMEIN_STEP_ENTER 1u

// A change of VCA: `from` and `to` are the same hex.
#define ALAMEIN_STEP_TURN 2u

// A unit in plain view.
#define ALAMEIN_CONCEALMENT_NONE 0u

// Concealed.
#define ALAMEIN_CONCEALMENT_CONCEALED 1u

// Hidden.
#define ALAMEIN_CONCEALMENT_HIDDEN 2u

// No Fortification.
#define ALAMEIN_FORTIFICATION_NONE 0u

// A foxhole.
#define ALAMEIN_FORTIFICATION_FOXHOLE 1u

// A trench.
#define ALAMEIN_FORTIFICATION_TRENCH 2u

// A pillbox.
#define ALAMEIN_FORTIFICATION_PILLBOX 3u

// A sangar.
#define ALAMEIN_FORTIFICATION_SANGAR 4u

// Wire.
#define ALAMEIN_FORTIFICATION_WIRE 5u

// Mines.
#define ALAMEIN_FORTIFICATION_MINES 6u

// It belongs to the whole line, step or set-up.
#define ALAMEIN_PLACE_WHOLE 0u

// It belongs to the hex `a`.
#define ALAMEIN_PLACE_HEX 1u

// It belongs to the hexside between `a` and `b`.
#define ALAMEIN_PLACE_HEXSIDE 2u

// An obstacle: `value` is its height in half levels.
#define ALAMEIN_FACT_OBSTACLE 1u

// A LOS Hindrance: `value` is its DRM.
#define ALAMEIN_FACT_HINDRANCE 2u

// Something that others may want to know of: `value` goes with it.
#define ALAMEIN_FACT_MARK 3u

// A step's Cost of Terrain: `value` is MF or MP, spent in the place.
#define ALAMEIN_FACT_COT 4u

// On top of the COT.
#define ALAMEIN_FACT_SURCHARGE 5u

// Off the total, down to `floor`.
#define ALAMEIN_FACT_REDUCTION 6u

// A check that a step owes: `value` is the Final DR at which it fails, `times` how many DRs are
// owed, `order` where it stands among the checks of a step.
#define ALAMEIN_FACT_CHECK 7u

// A DRM of `value` to the checks of its kind.
#define ALAMEIN_FACT_CHECK_DRM 8u

// The obstacle fills its hex, hexsides and vertices included.
#define ALAMEIN_SAID_INHERENT 1u

// It holds only if both ends have LOS to its hex.
#define ALAMEIN_SAID_NEEDS_LOS 2u

// The LOS is blocked.
#define ALAMEIN_EFFECT_BLOCKS 1u

// TEM: `kind` is the exclusive group, `value` the DRM.
#define ALAMEIN_EFFECT_TEM 2u

// HD may be claimed.
#define ALAMEIN_EFFECT_HULL_DOWN 3u

// The mover's hex is on the Fire Lane.
#define ALAMEIN_EFFECT_ON_LANE 4u

// The mover is immune to the Fire Lane.
#define ALAMEIN_EFFECT_IMMUNE 5u

// The target's hex is Open Ground, unless something says otherwise.
#define ALAMEIN_EFFECT_OPEN_GROUND 6u

// The target's hex is not Open Ground for this attack.
#define ALAMEIN_EFFECT_NOT_OPEN_GROUND 7u

// The Hindrances cited add no more than `value` together.
#define ALAMEIN_EFFECT_CAP 8u

// Hindrances of `value` in all block.
#define ALAMEIN_EFFECT_LIMIT 9u

// The step or set-up is not allowed.
#define ALAMEIN_EFFECT_PROHIBITED 10u

// The rules known here do not cover this.
#define ALAMEIN_EFFECT_NOT_COVERED 11u

// The rule was looked at and does not apply.
#define ALAMEIN_EFFECT_CONSIDERED 12u

// The ruling turned on the option that the rule names.
#define ALAMEIN_EFFECT_CONTESTED 13u

// The rule that decides this is not implemented: no ruling may be given.
#define ALAMEIN_EFFECT_NOT_IMPLEMENTED 14u

// The attack's FP is halved.
#define ALAMEIN_EFFECT_HALVED 15u

// `value` is a DRM to the MC that the attack causes.
#define ALAMEIN_EFFECT_MORALE_DRM 16u

// It may set up there, unless something prohibits it (of set-ups, since 1.1).
#define ALAMEIN_EFFECT_ALLOWED 17u

// The Gun that sets up is Emplaced (of set-ups, since 1.1).
#define ALAMEIN_EFFECT_EMPLACED 18u

// The Gun may be recorded as not Emplaced (of set-ups, since 1.1).
#define ALAMEIN_EFFECT_MAY_BE_UNEMPLACED 19u

// It is about a probe.
#define ALAMEIN_SEEN_HYPOTHETICAL 4u

// It was set aside.
#define ALAMEIN_SEEN_SET_ASIDE 8u

// The plugin itself observed it.
#define ALAMEIN_SEEN_OWN 16u

// The plugin unwinds when it panics, and catches that itself.
#define ALAMEIN_PANIC_UNWIND 1u

// The plugin would end the process when it panics: it is refused.
#define ALAMEIN_PANIC_ABORT 2u

// The plugin is not written in a language that panics.
#define ALAMEIN_PANIC_NONE 3u

// How many functions every table has, after its size: those of ABI 1.0. One that came later may be null,
// and a table may end before it.
#define ALAMEIN_REQUIRED_FUNCTIONS 11u

// The plugin speaks on a line that has this hex between its ends: of such a line it may observe an
// obstacle or a Hindrance, or find something on which the LOS turns. An element of `hexes`.
#define ALAMEIN_SIGHT_BETWEEN 1u

// It does so on a line that starts or ends in this hex.
#define ALAMEIN_SIGHT_END 2u

// It does so on a line that starts or ends in this hex at a counter.
#define ALAMEIN_SIGHT_UNIT_END 4u

// Of a line that has this hex between its ends, it may set aside or judge what other plugins observe.
#define ALAMEIN_SIGHT_OTHERS_BETWEEN 8u

// Of a line that starts or ends in this hex, it may do so.
#define ALAMEIN_SIGHT_OTHERS_END 16u

// It judges what anyone observes in a hex, of any line. A flag of `survey_sight`.
#define ALAMEIN_SIGHT_JUDGES_HEXES 1u

// It judges what anyone observes on a hexside, of any line.
#define ALAMEIN_SIGHT_JUDGES_HEXSIDES 2u

// It speaks on every line.
#define ALAMEIN_SIGHT_EVERYTHING 4u

// All that it may set aside or judge of what other plugins observe by its marks are Hindrances.
#define ALAMEIN_SIGHT_HINDRANCES_ONLY 8u

// By those marks it judges no Hindrance that is told by `SightAnswer::hinders`; which of them it sets
// aside it tells by `SightAnswer::sets_aside`.
#define ALAMEIN_SIGHT_TELLS_ASIDE 16u

// All that it observes on lines of sight are Hindrances that it tells by `SightAnswer::hinders`, and such as it
// sets aside itself.
#define ALAMEIN_SIGHT_HINDERS_ONLY 32u

// Times a number of 1 to 255: of Hindrances that are told by `SightAnswer::hinders` it says, judging hexes,
// no more than that so many block the LOS.
#define ALAMEIN_SIGHT_LIMIT 256u

// Where nobody else sets aside what the plugin observes of the line, and nobody judges it but as the
// answer says, the LOS is clear as far as it goes: nothing turned on a contested option, and on no rule
// that is not covered or not implemented. A `SightAnswer::verdict`; so are the others.
#define ALAMEIN_SIGHT_CLEAR 0u

// Under the same conditions, it is blocked.
#define ALAMEIN_SIGHT_BLOCKED 1u

// What the plugin has to say is to be asked in rounds.
#define ALAMEIN_SIGHT_ASK 2u

// Under the same conditions, all that comes of it are Hindrances, which do not matter if another plugin
// blocks.
#define ALAMEIN_SIGHT_HINDERS 3u

// Added to any verdict: an obstacle that the plugin observes on a hexside stands, for others to judge. Nothing
// that it observes in a hex stands but what Hinders, unless the answer is to ask.
#define ALAMEIN_SIGHT_LEAVES_HEXSIDES 4u

// Every line that has a counter on it concerns the plugin, and every set-up.
#define ALAMEIN_INTEREST_COUNTERS 1u

// Every line, step and set-up concerns the plugin.
#define ALAMEIN_INTEREST_EVERYTHING 2u

// A full squad.
#define ALAMEIN_CLASS_SQUAD 1u

// A half-squad.
#define ALAMEIN_CLASS_HALF_SQUAD 2u

// A leader or hero.
#define ALAMEIN_CLASS_LEADER 3u

// A crew on its own.
#define ALAMEIN_CLASS_CREW 4u

// A Gun with the crew that mans it.
#define ALAMEIN_CLASS_GUN 5u

// Cavalry.
#define ALAMEIN_CLASS_CAVALRY 6u

// A horse-drawn wagon.
#define ALAMEIN_CLASS_WAGON 7u

// A motorcycle.
#define ALAMEIN_CLASS_MOTORCYCLE 8u

// An armored car.
#define ALAMEIN_CLASS_ARMORED_CAR 9u

// A fully-tracked AFV.
#define ALAMEIN_CLASS_TANK 10u

// A halftrack.
#define ALAMEIN_CLASS_HALFTRACK 11u

// A truck or other unarmored wheeled vehicle.
#define ALAMEIN_CLASS_TRUCK 12u

// The wreck of any vehicle.
#define ALAMEIN_CLASS_WRECK 13u

// Infantry beneath an entrenchment counter (a foxhole or what acts as one).
#define ALAMEIN_FLAG_ENTRENCHED 1u

// A Gun (and its manning crew) with Emplaced status.
#define ALAMEIN_FLAG_EMPLACED 2u

// Crew Exposed, or Passengers or Riders that fire can reach: Vulnerable PRC.
#define ALAMEIN_FLAG_CREW_EXPOSED 4u

// A burning wreck.
#define ALAMEIN_FLAG_BURNING 8u

// A vehicle that fire at this moment would treat as moving, or as having just moved.
#define ALAMEIN_FLAG_IN_MOTION 16u

// A vehicle without a crew.
#define ALAMEIN_FLAG_ABANDONED 32u

// A vehicle that is entrenched or Dug-In.
#define ALAMEIN_FLAG_DUG_IN 64u

// A vehicle whose class is armored, but which is not.
#define ALAMEIN_FLAG_UNARMORED 128u

// Dry.
#define ALAMEIN_EC_DRY 1u

// Moist.
#define ALAMEIN_EC_MOIST 2u

// Wet.
#define ALAMEIN_EC_WET 3u

// Mud.
#define ALAMEIN_EC_MUD 4u

// Snow.
#define ALAMEIN_EC_SNOW 5u

// Only the LOS is asked about.
#define ALAMEIN_PURPOSE_SIGHT 1u

// A shot.
#define ALAMEIN_PURPOSE_FIRE 2u

// A Fire Lane.
#define ALAMEIN_PURPOSE_LANE 3u

// The line is no shot.
#define ALAMEIN_ATTACK_NONE 0u

// Direct Fire.
#define ALAMEIN_ATTACK_DIRECT 1u

// A mortar.
#define ALAMEIN_ATTACK_MORTAR 2u

// Offboard Artillery.
#define ALAMEIN_ATTACK_OBA 3u

// Nothing that terrain asks about.
#define ALAMEIN_MUNITION_OTHER 0u

// HE.
#define ALAMEIN_MUNITION_HE 1u

// A Bombardment.
#define ALAMEIN_MUNITION_BOMBARDMENT 2u

// A predicate holds of a grazing line if it does on either nudged reading.
#define ALAMEIN_POLICY_EITHER 1u

// A predicate holds of a grazing line if it does on both.
#define ALAMEIN_POLICY_BOTH 2u

// A predicate holds of no grazing line.
#define ALAMEIN_POLICY_NEITHER_IF_GRAZING 3u

// The line is no Fire Lane.
#define ALAMEIN_LANE_NONE 0u

// Infantry.
#define ALAMEIN_LANE_INFANTRY 1u

// Cavalry.
#define ALAMEIN_LANE_CAVALRY 2u

// A vehicle.
#define ALAMEIN_LANE_VEHICLE 3u

// Vulnerable PRC.
#define ALAMEIN_LANE_VULNERABLE_PRC 4u

// The mover has no Ground Pressure, or nobody says which.
#define ALAMEIN_PRESSURE_UNKNOWN 0u

// Low Ground Pressure.
#define ALAMEIN_PRESSURE_LOW 1u

// Normal Ground Pressure.
#define ALAMEIN_PRESSURE_NORMAL 2u

// High Ground Pressure.
#define ALAMEIN_PRESSURE_HIGH 3u

// The mover follows nothing, by what it says.
#define ALAMEIN_WAY_OPEN 0u

// The mover follows a track.
#define ALAMEIN_WAY_TRACK 1u

// The mover follows a road.
#define ALAMEIN_WAY_ROAD 2u

// A line of the log that tells of an error.
#define ALAMEIN_LOG_ERROR 1u

// A line of the log that warns.
#define ALAMEIN_LOG_WARNING 2u

// A line of the log that informs.
#define ALAMEIN_LOG_INFORMATION 3u

// A line of the log that helps to find a fault.
#define ALAMEIN_LOG_DEBUG 4u

// A line of the log that follows every step.
#define ALAMEIN_LOG_TRACE 5u

// What a call came to. Any other number is refused.
typedef uint32_t AlameinStatus;

// Bytes that someone else owns. Text is UTF-8.
typedef struct {
  // Where they begin; may be null if there are none.
  const uint8_t *ptr;
  // How many.
  size_t len;
} AlameinBytes;

// An array that someone else owns, whose elements are `stride` bytes apart. A reader that knows a
// shorter element reads its beginning.
typedef struct {
  // Where it begins; may be null if it is empty.
  const void *ptr;
  // How many elements.
  size_t len;
  // How many bytes from one to the next.
  size_t stride;
} AlameinArray;

// A hex.
typedef struct {
  // Its column.
  int16_t q;
  // Its place down the column's axis.
  int16_t r;
} AlameinHexCoord;

// Takes text from the plugin: an error, or a problem with a map.
typedef struct {
  // Given back in each call.
  void *ctx;
  // Takes a text. `tag` says what it is.
  void (*write)(void *ctx, uint32_t tag, AlameinBytes text);
} AlameinTextSink;

// Takes what the plugin says, in elements of the plugin's size.
typedef struct {
  // Given back in each call.
  void *ctx;
  // Takes elements: `ALAMEIN_OK`, or `ALAMEIN_FULL` when the plugin should return at once.
  AlameinStatus (*push)(void *ctx, AlameinArray said);
  // Takes an error text.
  AlameinTextSink error;
} AlameinSink;

// What the host does for a plugin. It lives as long as the instance.
typedef struct {
  // The size of this struct.
  size_t struct_size;
  // Given back in each call.
  void *ctx;
  // Writes a line to the host's log, at a level `ALAMEIN_LOG_…`.
  void (*log)(void *ctx, uint32_t level, AlameinBytes text);
  // Not 0 when the time for this call is up: return `ALAMEIN_OUT_OF_TIME`.
  uint32_t (*budget_exhausted)(void *ctx);
} AlameinHost;

// A map, shown once.
typedef struct {
  // The size of this struct.
  size_t struct_size;
  // How many columns the grid has.
  uint16_t columns;
  // How many rows the grid has.
  uint16_t rows;
  // Zero.
  uint32_t reserved;
  // Every hex of the grid, in the order of all arrays that have an element for each hex
  // (`AlameinHexCoord`).
  AlameinArray hexes;
  // The Base Level of each hex in full levels (`int16_t`).
  AlameinArray base_levels;
  // The name of each hex (`AlameinBytes`).
  AlameinArray names;
  // The layers, sorted by name (`AlameinLayerView`).
  AlameinArray layers;
} AlameinMapView;

// A layer of a map.
typedef struct {
  // Its name.
  AlameinBytes name;
  // Its fields, sorted by name (`AlameinFieldView`).
  AlameinArray fields;
} AlameinLayerView;

// A field of a layer.
typedef struct {
  // Its name.
  AlameinBytes name;
  // `ALAMEIN_FIELD_…`.
  uint32_t kind;
  // Zero.
  uint32_t reserved;
  // The hexes, one or two for each entry (`AlameinHexCoord`).
  AlameinArray hexes;
  // The numbers, one for each entry (`int64_t`); empty in a set.
  AlameinArray values;
} AlameinFieldView;

// A counter.
typedef struct {
  // Where it is.
  AlameinHexCoord hex;
  // Its class: `ALAMEIN_CLASS_…`.
  uint32_t class_;
  // What the players say of it: a sum of `ALAMEIN_FLAG_…`.
  uint32_t flags;
  // Its side: the same number for counters of one side; 0 is no side.
  uint32_t side;
  // The counter that carries it, or `ALAMEIN_NONE`.
  uint32_t aboard;
  // Its level, in half levels.
  int16_t level;
  // Not 0 if it is not really there.
  uint16_t probe;
} AlameinCounterView;

// An attribute of a counter.
typedef struct {
  // The counter.
  uint32_t counter;
  // Its name: an index into `attribute_names`.
  uint32_t name;
  // Its value.
  int64_t value;
} AlameinAttributeView;

// An end of a line.
typedef struct {
  // Its hex (not relative to anything).
  AlameinHexCoord hex;
  // The vertex of its hex that is aimed at (0 to 5, clockwise from the one between the N and NE
  // hexsides), or `ALAMEIN_CENTRE`.
  uint32_t corner;
  // The counter there, or `ALAMEIN_NONE` for an ordinary unit.
  uint32_t counter;
  // Its class: `ALAMEIN_CLASS_…`.
  uint32_t class_;
  // What the players say of it: a sum of `ALAMEIN_FLAG_…`.
  uint32_t flags;
  // Its side, 0 for none.
  uint32_t side;
  // Its level, in half levels.
  int16_t level;
  // Not 0 if a vehicle carries it.
  uint16_t aboard;
} AlameinEndView;

// A hex that a line touches.
typedef struct {
  // The hex, relative to the line's origin.
  AlameinHexCoord hex;
  // `ALAMEIN_CONTACT_…`.
  uint8_t contact;
  // Bit 0: it is on the left reading; bit 1: on the right one.
  uint8_t readings;
} AlameinTouchView;

// A passage from one hex to the next over their common hexside, relative to the line's origin.
typedef struct {
  // The hex left.
  AlameinHexCoord from;
  // The hex entered.
  AlameinHexCoord to;
} AlameinCrossingView;

// A line.
typedef struct {
  // What to add to the hexes of `touched` and of the readings.
  AlameinHexCoord origin;
  // A sum of `ALAMEIN_LINE_…`.
  uint32_t flags;
  // What it is for: `ALAMEIN_PURPOSE_…`.
  uint32_t purpose;
  // How the shot travels: `ALAMEIN_ATTACK_…`.
  uint32_t attack;
  // The grazing policy: `ALAMEIN_POLICY_…`.
  uint32_t policy;
  // How many hexes from end to end.
  uint32_t range;
  // The firer, or the MG of a Fire Lane.
  AlameinEndView from;
  // The target, or the Fire Lane counter's hex.
  AlameinEndView to;
  // The hexes that the line touches, in order (`AlameinTouchView`).
  AlameinArray touched;
  // The line nudged to its left (`AlameinCrossingView`).
  AlameinArray left;
  // The line nudged to its right (`AlameinCrossingView`).
  AlameinArray right;
  // The counters in the hexes touched, ends included, in their order (`uint32_t`).
  AlameinArray counters;
  // Of a Fire Lane: the hex in which something moves.
  AlameinHexCoord lane_hex;
  // Of a Fire Lane: what moves there, `ALAMEIN_LANE_…`.
  uint32_t lane_mover;
  // Of a Fire Lane: a hypothetical wreck in that hex, or `ALAMEIN_NONE`.
  uint32_t lane_probe;
  // What the shot is made of: `ALAMEIN_MUNITION_…`.
  uint32_t munition;
} AlameinLineView;

// Lines on one map.
typedef struct {
  // The size of this struct.
  size_t struct_size;
  // The lines (`AlameinLineView`).
  AlameinArray lines;
  // The counters of the position, then the probes (`AlameinCounterView`).
  AlameinArray counters;
  // The level of each hex of the grid, in half levels (`int16_t`).
  AlameinArray levels;
  // The attributes that counters carry, sorted by counter (`AlameinAttributeView`).
  AlameinArray attributes;
  // The names of the attributes: `plugin.name` (`AlameinBytes`).
  AlameinArray attribute_names;
  // Environmental Conditions: `ALAMEIN_EC_…`.
  uint32_t ec;
  // Zero.
  uint32_t reserved;
} AlameinLineBatch;

// A step of a move.
typedef struct {
  // The hex left.
  AlameinHexCoord from;
  // The hex entered.
  AlameinHexCoord to;
  // The mover's class: `ALAMEIN_CLASS_…`.
  uint32_t class_;
  // Its Ground Pressure: `ALAMEIN_PRESSURE_…`.
  uint32_t ground_pressure;
  // The mover's weight in kilograms, 0 if unknown.
  uint32_t weight_kg;
  // Not 0 if it was built in Britain.
  uint32_t british_built;
  // Environmental Conditions, `ALAMEIN_EC_…`, which may differ from the position's.
  uint32_t ec;
  // `ALAMEIN_STEP_…`.
  uint32_t kind;
  // What it follows by what the mover says: `ALAMEIN_WAY_…`.
  uint32_t way;
  // Of a change of VCA: by how many hexsides.
  uint32_t hexsides;
  // Of a change of VCA: not 0 if `entered_from` is known.
  uint32_t entered_known;
  // Of a change of VCA: the hex from which the mover entered the one it turns in.
  AlameinHexCoord entered_from;
} AlameinStepView;

// Steps on one map.
typedef struct {
  // The size of this struct.
  size_t struct_size;
  // The steps (`AlameinStepView`).
  AlameinArray steps;
  // The counters of the position, then the probes (`AlameinCounterView`).
  AlameinArray counters;
  // The level of each hex of the grid, in half levels (`int16_t`).
  AlameinArray levels;
  // The attributes that counters carry, sorted by counter (`AlameinAttributeView`).
  AlameinArray attributes;
  // The names of the attributes: `plugin.name` (`AlameinBytes`).
  AlameinArray attribute_names;
  // Environmental Conditions: `ALAMEIN_EC_…`.
  uint32_t ec;
  // Zero.
  uint32_t reserved;
} AlameinStepBatch;

// Something that a scenario's set-up puts into a hex: a unit, or a Fortification (since 1.1).
typedef struct {
  // The hex.
  AlameinHexCoord hex;
  // The unit's class; 0 where it is a Fortification that sets up.
  uint32_t class_;
  // The Fortification that sets up, `ALAMEIN_FORTIFICATION_…`; 0 where it is a unit.
  uint32_t fortification;
  // Of a unit: the Fortification beneath whose counter it sets up, or 0.
  uint32_t beneath;
  // Of a unit: `ALAMEIN_CONCEALMENT_…`.
  uint32_t concealment;
} AlameinSetUpView;

// Set-ups on one map (since 1.1).
typedef struct {
  // The size of this struct.
  size_t struct_size;
  // The set-ups (`AlameinSetUpView`).
  AlameinArray setups;
  // The counters of the position, then the probes (`AlameinCounterView`).
  AlameinArray counters;
  // The level of each hex of the grid, in half levels (`int16_t`).
  AlameinArray levels;
  // The attributes that counters carry, sorted by counter (`AlameinAttributeView`).
  AlameinArray attributes;
  // The names of the attributes: `plugin.name` (`AlameinBytes`).
  AlameinArray attribute_names;
  // Environmental Conditions: 1 dry, 2 moist, 3 wet, 4 mud, 5 snow.
  uint32_t ec;
  // Zero.
  uint32_t reserved;
} AlameinSetUpBatch;

// Where something belongs. Hexes are not relative to anything.
typedef struct {
  // `ALAMEIN_PLACE_…`.
  uint32_t tag;
  // The hex, or the first of two.
  AlameinHexCoord a;
  // The second of two.
  AlameinHexCoord b;
} AlameinPlaceView;

// An observation.
typedef struct {
  // Which line, step or set-up of the batch.
  uint32_t of;
  // The rule: an index into the descriptor's table.
  uint32_t rule;
  // `ALAMEIN_FACT_…`.
  uint32_t fact;
  // The kind: an index into the descriptor's table, or `ALAMEIN_NONE` for costs.
  uint32_t kind;
  // The number that goes with the fact.
  int32_t value;
  // A sum of `ALAMEIN_SAID_…`.
  uint32_t flags;
  // The counter that it is about, or `ALAMEIN_NONE`.
  uint32_t subject;
  // Where.
  AlameinPlaceView place;
  // Of a reduction: the least that the total may become.
  int32_t floor;
  // Of a check: how many DRs are owed.
  uint32_t times;
  // Of a check: lower numbers come first.
  uint32_t order;
} AlameinObservation;

// An objection.
typedef struct {
  // Which line, step or set-up of the batch.
  uint32_t of;
  // The rule: an index into the descriptor's table.
  uint32_t rule;
  // The observation: an index into what was seen of it.
  uint32_t observation;
} AlameinObjection;

// A finding.
typedef struct {
  // Which line, step or set-up of the batch.
  uint32_t of;
  // The rule: an index into the descriptor's table.
  uint32_t rule;
  // `ALAMEIN_EFFECT_…`.
  uint32_t effect;
  // The kind that goes with the effect, or `ALAMEIN_NONE`.
  uint32_t kind;
  // The number that goes with the effect.
  int32_t value;
  // The counter that it is about, or `ALAMEIN_NONE`.
  uint32_t subject;
  // Where.
  AlameinPlaceView place;
  // The observations that it rests on: indices into what was seen (`uint32_t`).
  AlameinArray cites;
} AlameinFinding;

// An observation, as all plugins see it in the rounds after.
typedef struct {
  // `ALAMEIN_FACT_…`.
  uint32_t fact;
  // The kind: an index into the table of the plugin that looks, or `ALAMEIN_NONE` for one that
  // it does not know.
  uint32_t kind;
  // The number that goes with the fact.
  int32_t value;
  // A sum of `ALAMEIN_SAID_…` and `ALAMEIN_SEEN_…`.
  uint32_t flags;
  // The counter that it is about, or `ALAMEIN_NONE`.
  uint32_t subject;
  // Where.
  AlameinPlaceView place;
  // If the plugin itself observed it, its rule; else `ALAMEIN_NONE`.
  uint32_t rule;
} AlameinSeenObservation;

// An objection, as all plugins see it in the last round.
typedef struct {
  // The observation that it sets aside.
  uint32_t observation;
  // If it was by a rule of the plugin that looks, or by one that replaces such a rule: the rule;
  // else `ALAMEIN_NONE`.
  uint32_t rule;
} AlameinSeenObjection;

// What was said of one line, step or set-up. Arrays of these have no stride, so this struct never
// grows.
typedef struct {
  // The observations (`AlameinSeenObservation`).
  AlameinArray observations;
  // The objections (`AlameinSeenObjection`).
  AlameinArray objections;
} AlameinSeenView;

// What `create` made. Only the plugin knows what it is.
typedef void *AlameinInstance;

// What `prepare` made of a map. Only the plugin knows what it is.
typedef void *AlameinPrepared;

// What a plugin answers of a line of sight in short.
typedef struct {
  // `ALAMEIN_SIGHT_CLEAR`, `ALAMEIN_SIGHT_BLOCKED`, `ALAMEIN_SIGHT_ASK` or `ALAMEIN_SIGHT_HINDERS`; with
  // `ALAMEIN_SIGHT_LEAVES_HEXSIDES` where that is so.
  uint32_t verdict;
  // The rule of `contested`; zero where that is none.
  uint32_t contested_by;
  // With `ALAMEIN_SIGHT_HINDERS`, the bit `1 << n` for the `n`th of the line's counters: as an AFV or a wreck it
  // Hinders by 1, if both ends see it. No other that Hinders is in its hex, nor beside it where the line runs
  // along a hexside. Zero: which Hinder is to be asked in rounds.
  uint64_t hinders;
  // Where the plugin tells that (`ALAMEIN_SIGHT_TELLS_ASIDE`), in the same way: the counters that do not Hinder as
  // an AFV or a wreck, whoever says that they do, and whatever the verdict is.
  uint64_t sets_aside;
  // In the same way: the counters that an option decided about, by one rule, unless another plugin sets them
  // aside: a finding is contested of each of them, in its hex. Of those that are among `sets_aside` too it
  // is so if they would Hinder otherwise. Not with `ALAMEIN_SIGHT_ASK`.
  uint64_t contested;
} AlameinSightAnswer;

// The functions of a plugin. All may be called from any thread, and from several at once, but
// `destroy` and `release`, which are the last call for what they are given. None unwinds.
typedef struct {
  // The size of this struct as the plugin knew it.
  size_t struct_size;
  // Makes an instance. `options` is a JSON object with every option set.
  AlameinStatus (*create)(const AlameinHost *host,
                          AlameinBytes options,
                          AlameinInstance *made,
                          AlameinTextSink error);
  // Ends an instance.
  AlameinStatus (*destroy)(AlameinInstance instance);
  // Looks at a map and keeps what it wants of it. Problems with the map go to `text` and are no
  // failure.
  AlameinStatus (*prepare)(AlameinInstance instance,
                           const AlameinMapView *map,
                           AlameinPrepared *made,
                           AlameinTextSink text);
  // Lets go of what `prepare` kept.
  AlameinStatus (*release)(AlameinPrepared prepared);
  // Fills in what concerns the plugin, and its part of each hex's level. Both arrays have an
  // element for each hex of the grid and come filled with zeros: `interest` bytes (not 0 where a
  // line, step or set-up that touches the hex concerns it), `levels` in half levels. Answers through
  // `flags` with a sum of `ALAMEIN_INTEREST_…`.
  AlameinStatus (*survey)(AlameinPrepared prepared,
                          uint8_t *interest,
                          int16_t *levels,
                          size_t len,
                          uint32_t *flags,
                          AlameinTextSink error);
  // Round 1 of lines: pushes `AlameinObservation`s.
  AlameinStatus (*observe_lines)(AlameinPrepared, const AlameinLineBatch*, AlameinSink);
  // Round 2 of lines: pushes `AlameinObjection`s. A view for each line of the batch.
  AlameinStatus (*object_to_lines)(AlameinPrepared,
                                   const AlameinLineBatch*,
                                   const AlameinSeenView*,
                                   AlameinSink);
  // Round 3 of lines: pushes `AlameinFinding`s. A view for each line of the batch.
  AlameinStatus (*judge_lines)(AlameinPrepared,
                               const AlameinLineBatch*,
                               const AlameinSeenView*,
                               AlameinSink);
  // Round 1 of steps.
  AlameinStatus (*observe_steps)(AlameinPrepared, const AlameinStepBatch*, AlameinSink);
  // Round 2 of steps.
  AlameinStatus (*object_to_steps)(AlameinPrepared,
                                   const AlameinStepBatch*,
                                   const AlameinSeenView*,
                                   AlameinSink);
  // Round 3 of steps.
  AlameinStatus (*judge_steps)(AlameinPrepared,
                               const AlameinStepBatch*,
                               const AlameinSeenView*,
                               AlameinSink);
  // Round 1 of set-ups (since 1.1; null where the plugin has nothing to say there).
  AlameinStatus (*observe_setups)(AlameinPrepared, const AlameinSetUpBatch*, AlameinSink);
  // Round 2 of set-ups (since 1.1; may be null).
  AlameinStatus (*object_to_setups)(AlameinPrepared,
                                    const AlameinSetUpBatch*,
                                    const AlameinSeenView*,
                                    AlameinSink);
  // Round 3 of set-ups (since 1.1; may be null).
  AlameinStatus (*judge_setups)(AlameinPrepared,
                                const AlameinSetUpBatch*,
                                const AlameinSeenView*,
                                AlameinSink);
  // Says on which lines of sight the plugin speaks, where nothing but LOS is wanted (since 1.2; may be
  // null, as `sight_lines` then is: the plugin is asked as `survey` says). It holds of lines between
  // centres of hexes whose ends are not below their hexes' Base Level, with no counter that is only
  // asked about; of others the plugin is asked as `survey` says. `hexes` has an element for
  // each hex of the grid and comes filled with zeros; it takes a sum of `ALAMEIN_SIGHT_…`. Answers through
  // `counters` with a sum of `1 << CLASS_…`, the classes of counters between the ends on which it
  // speaks, and through `flags` with a sum of `ALAMEIN_SIGHT_JUDGES_…`,
  // `ALAMEIN_SIGHT_EVERYTHING`, `ALAMEIN_SIGHT_HINDRANCES_ONLY`, `ALAMEIN_SIGHT_TELLS_ASIDE` and `ALAMEIN_SIGHT_HINDERS_ONLY`, and
  // `ALAMEIN_SIGHT_LIMIT` times a number.
  AlameinStatus (*survey_sight)(AlameinPrepared prepared,
                                uint8_t *hexes,
                                size_t len,
                                uint32_t *counters,
                                uint32_t *flags,
                                AlameinTextSink error);
  // Answers lines of sight on which the plugin speaks by `survey_sight`: for each line of the batch
  // an answer into `answers` (since 1.2; may be null: the plugin is asked in rounds). What it answers
  // by the marks of hexes, or says of such lines in rounds, must not depend on counters between the ends of
  // other classes than it speaks on.
  AlameinStatus (*sight_lines)(AlameinPrepared prepared,
                               const AlameinLineBatch *lines,
                               AlameinSightAnswer *answers,
                               AlameinTextSink error);
} AlameinTable;

// What a plugin exports.
typedef struct {
  // `ALAMEIN_MAGIC`.
  uint64_t magic;
  // `ALAMEIN_ABI_MAJOR` as the plugin knew it.
  uint32_t abi_major;
  // `ALAMEIN_ABI_MINOR` as the plugin knew it.
  uint32_t abi_minor;
  // The size of this struct as the plugin knew it.
  size_t struct_size;
  // `ALAMEIN_PANIC_UNWIND`, `ALAMEIN_PANIC_ABORT` or `ALAMEIN_PANIC_NONE`.
  uint32_t panic_strategy;
  // How many rules there are.
  uint32_t rule_count;
  // How many kinds there are.
  uint32_t kind_count;
  // How many options the plugin reads; unused by ABI 1.0, zero.
  uint32_t reserved;
  // The plugin's id, as its manifest has it.
  AlameinBytes id;
  // The plugin's version, as its manifest has it.
  AlameinBytes version;
  // The target triple, such as `x86_64-unknown-linux-gnu`.
  AlameinBytes target;
  // A text that tells builds apart.
  AlameinBytes build_id;
  // The manifest, as JSON, without its artifact.
  AlameinBytes manifest;
  // The ids of its rules: sayings name them by their index here.
  const AlameinBytes *rules;
  // The kinds that it says or knows (of Hindrances, obstacles, marks and TEM groups).
  const AlameinBytes *kinds;
  // The functions.
  const AlameinTable *table;
} AlameinDescriptor;

// All went well.
#define ALAMEIN_OK 0u

// The plugin says no, and has written why to its error sink.
#define ALAMEIN_FAILED 1u

// The plugin panicked, and has written the message to its error sink.
#define ALAMEIN_PANICKED 2u

// The host's budget was exhausted.
#define ALAMEIN_OUT_OF_TIME 3u

// The host's sink takes no more: stop.
#define ALAMEIN_FULL 4u

// Marks the descriptor that a plugin exports.
#ifdef __cplusplus
#define ALAMEIN_EXTERN extern "C"
#else
#define ALAMEIN_EXTERN
#endif
#if defined(__GNUC__) || defined(__clang__)
#define ALAMEIN_EXPORT ALAMEIN_EXTERN __attribute__((visibility("default")))
#else
#define ALAMEIN_EXPORT ALAMEIN_EXTERN
#endif

// The bytes of a string literal, to initialise an `AlameinBytes` with.
#define ALAMEIN_TEXT(literal) {(const uint8_t *)(literal), sizeof(literal) - 1}

// The element of an array at an index; null if the array is not as long.
static inline const void *alamein_at(AlameinArray array, size_t index) {
  if (index >= array.len || array.ptr == NULL) {
    return NULL;
  }
  return (const uint8_t *)array.ptr + index * array.stride;
}

#ifdef __cplusplus
}
#endif

#endif  // ALAMEIN_H
