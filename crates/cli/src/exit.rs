//! With which status this program ends.

use std::process::ExitCode;

/// How `alamein serve` ends. Others than it end with 0, 1 or 2; see `alamein --help`.
///
/// The numbers are those of `sysexits.h` where it has one that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It was asked to stop, and all that was open had come to its end.
    Stopped = 0,
    /// Any other error, or flags that are not as they should be.
    Failed = 2,
    /// It was asked to stop, and something had to be cut off: the drain's limit was reached, or it was
    /// asked twice.
    CutOff = 3,
    /// Something that it stands on is not there: a store that does not answer, a file that cannot be written.
    Unavailable = 69,
    /// A fault of the program itself.
    Internal = 70,
    /// An address is taken, or may not be bound.
    Address = 71,
    /// The configuration is wrong.
    Configuration = 78,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
