//! The parts of the trials, each for a process of its own.

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Loading, twice.
    Load,
    /// Every call on every map with every set of options.
    Calls,
    /// The same asked again, in other ways.
    Same,
    /// Sinks that are full.
    Sink,
    /// Time that is up.
    Budget,
    /// The heap.
    Memory,
    /// Memory that is taken back after each call.
    Guarded,
    /// LOS answered in short.
    Sight,
    /// Several threads at once.
    Threads,
}

impl Part {
    pub(crate) const ALL: [Self; 9] = [
        Self::Load,
        Self::Calls,
        Self::Same,
        Self::Sink,
        Self::Budget,
        Self::Memory,
        Self::Guarded,
        Self::Sight,
        Self::Threads,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Calls => "calls",
            Self::Same => "same",
            Self::Sink => "sink",
            Self::Budget => "budget",
            Self::Memory => "memory",
            Self::Guarded => "guarded",
            Self::Sight => "sight",
            Self::Threads => "threads",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}
