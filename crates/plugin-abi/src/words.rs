//! The numbers by which a plugin is told what things are: classes, flags, conditions, purposes.
//!
//! The SDK turns them into types of its own; whoever writes a plugin in another language reads them
//! here. A number that is not here is newer than the reader, and it must not guess what it means.

/// A full squad.
pub const CLASS_SQUAD: u32 = 1;
/// A half-squad.
pub const CLASS_HALF_SQUAD: u32 = 2;
/// A leader or hero.
pub const CLASS_LEADER: u32 = 3;
/// A crew on its own.
pub const CLASS_CREW: u32 = 4;
/// A Gun with the crew that mans it.
pub const CLASS_GUN: u32 = 5;
/// Cavalry.
pub const CLASS_CAVALRY: u32 = 6;
/// A horse-drawn wagon.
pub const CLASS_WAGON: u32 = 7;
/// A motorcycle.
pub const CLASS_MOTORCYCLE: u32 = 8;
/// An armored car.
pub const CLASS_ARMORED_CAR: u32 = 9;
/// A fully-tracked AFV.
pub const CLASS_TANK: u32 = 10;
/// A halftrack.
pub const CLASS_HALFTRACK: u32 = 11;
/// A truck or other unarmored wheeled vehicle.
pub const CLASS_TRUCK: u32 = 12;
/// The wreck of any vehicle.
pub const CLASS_WRECK: u32 = 13;

/// Infantry beneath an entrenchment counter (a foxhole or what acts as one).
pub const FLAG_ENTRENCHED: u32 = 1;
/// A Gun (and its manning crew) with Emplaced status.
pub const FLAG_EMPLACED: u32 = 2;
/// Crew Exposed, or Passengers or Riders that fire can reach: Vulnerable PRC.
pub const FLAG_CREW_EXPOSED: u32 = 4;
/// A burning wreck.
pub const FLAG_BURNING: u32 = 8;
/// A vehicle that fire at this moment would treat as moving, or as having just moved.
pub const FLAG_IN_MOTION: u32 = 16;
/// A vehicle without a crew.
pub const FLAG_ABANDONED: u32 = 32;
/// A vehicle that is entrenched or Dug-In.
pub const FLAG_DUG_IN: u32 = 64;
/// A vehicle whose class is armored, but which is not.
pub const FLAG_UNARMORED: u32 = 128;

/// Dry.
pub const EC_DRY: u32 = 1;
/// Moist.
pub const EC_MOIST: u32 = 2;
/// Wet.
pub const EC_WET: u32 = 3;
/// Mud.
pub const EC_MUD: u32 = 4;
/// Snow.
pub const EC_SNOW: u32 = 5;

/// Only the LOS is asked about.
pub const PURPOSE_SIGHT: u32 = 1;
/// A shot.
pub const PURPOSE_FIRE: u32 = 2;
/// A Fire Lane.
pub const PURPOSE_LANE: u32 = 3;

/// The line is no shot.
pub const ATTACK_NONE: u32 = 0;
/// Direct Fire.
pub const ATTACK_DIRECT: u32 = 1;
/// A mortar.
pub const ATTACK_MORTAR: u32 = 2;
/// Offboard Artillery.
pub const ATTACK_OBA: u32 = 3;

/// Nothing that terrain asks about.
pub const MUNITION_OTHER: u32 = 0;
/// HE.
pub const MUNITION_HE: u32 = 1;
/// A Bombardment.
pub const MUNITION_BOMBARDMENT: u32 = 2;

/// A predicate holds of a grazing line if it does on either nudged reading.
pub const POLICY_EITHER: u32 = 1;
/// A predicate holds of a grazing line if it does on both.
pub const POLICY_BOTH: u32 = 2;
/// A predicate holds of no grazing line.
pub const POLICY_NEITHER_IF_GRAZING: u32 = 3;

/// The line is no Fire Lane.
pub const LANE_NONE: u32 = 0;
/// Infantry.
pub const LANE_INFANTRY: u32 = 1;
/// Cavalry.
pub const LANE_CAVALRY: u32 = 2;
/// A vehicle.
pub const LANE_VEHICLE: u32 = 3;
/// Vulnerable PRC.
pub const LANE_VULNERABLE_PRC: u32 = 4;

/// The mover has no Ground Pressure, or nobody says which.
pub const PRESSURE_UNKNOWN: u32 = 0;
/// Low Ground Pressure.
pub const PRESSURE_LOW: u32 = 1;
/// Normal Ground Pressure.
pub const PRESSURE_NORMAL: u32 = 2;
/// High Ground Pressure.
pub const PRESSURE_HIGH: u32 = 3;

/// The mover follows nothing, by what it says.
pub const WAY_OPEN: u32 = 0;
/// The mover follows a track.
pub const WAY_TRACK: u32 = 1;
/// The mover follows a road.
pub const WAY_ROAD: u32 = 2;

/// A line of the log that tells of an error.
pub const LOG_ERROR: u32 = 1;
/// A line of the log that warns.
pub const LOG_WARNING: u32 = 2;
/// A line of the log that informs.
pub const LOG_INFORMATION: u32 = 3;
/// A line of the log that helps to find a fault.
pub const LOG_DEBUG: u32 = 4;
/// A line of the log that follows every step.
pub const LOG_TRACE: u32 = 5;
