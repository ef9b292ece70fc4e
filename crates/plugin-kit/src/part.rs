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
    /// Several threads at once.
    Threads,
}

impl Part {
    pub(crate) const ALL: [Self; 8] = [
        Self::Load,
        Self::Calls,
        Self::Same,
        Self::Sink,
        Self::Budget,
        Self::Memory,
        Self::Guarded,
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
            Self::Threads => "threads",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}
