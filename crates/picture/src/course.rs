//! The course of the line that a picture shows.

use alamein_hex::{Aim, Contact, Event, Hex, TraceRef, trace_between};

/// The course of a line.
pub(crate) struct Course {
    pub(crate) from: Aim,
    pub(crate) to: Aim,
    trace: TraceRef,
}

impl Course {
    pub(crate) fn between((from, to): (Aim, Aim)) -> Self {
        Self {
            from,
            to,
            trace: trace_between(from, to),
        }
    }

    /// What the line does, in order.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.trace.events()
    }

    /// The hexes that the line touches, in order, and how.
    pub(crate) fn touched(&self) -> impl Iterator<Item = (Hex, Contact)> + '_ {
        let touched = self.trace.touched();
        touched.map(|touch| (touch.hex, touch.contact()))
    }

    /// Whether the line touches a hex.
    pub(crate) fn touches(&self, hex: Hex) -> bool {
        self.touched().any(|(touched, _)| touched == hex)
    }
}
