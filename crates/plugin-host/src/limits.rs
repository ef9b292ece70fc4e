//! How much the host takes. What goes beyond is refused, never cut short in silence.

/// The longest `plugin.json`, and the longest manifest inside a library, in bytes.
pub const MANIFEST_BYTES: u64 = 1 << 20;
/// The longest library, in bytes.
pub const LIBRARY_BYTES: u64 = 1 << 28;
/// The most rules of a plugin, and the most kinds.
pub const NAMES: usize = 4096;
/// The longest name of a rule or a kind, and the longest id, version, target and build id, in
/// bytes.
pub const NAME_BYTES: usize = 256;
/// The most sayings of one line or step in one round. A finding counts once for itself and once
/// for each observation that it cites.
pub const SAYINGS_A_LINE: usize = 1 << 14;
/// The most sayings in one call.
pub const SAYINGS_A_CALL: usize = 1 << 20;
/// The most problems that a plugin may have with one map; one more says that there are more.
pub const PROBLEMS: usize = 1000;
/// The longest text that a plugin may say: an error, a problem, a line of the log, in bytes. What
/// is longer is cut, and says so.
pub const TEXT_BYTES: usize = 4096;
/// The most lines that one call may write to the log; one more says that there are more.
pub const LOG_LINES: u32 = 64;
/// The greatest DRM, up or down.
pub const DRM: i32 = 100;
/// The greatest height, up or down, in half levels.
pub const HEIGHT: i32 = 256;
/// The most DRs that one check may owe.
pub const CHECKS: u8 = 100;
/// The greatest cost, in MF or MP.
pub const COST: i32 = 1000;
