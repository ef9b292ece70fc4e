"""A position to ask about."""

from __future__ import annotations

from alamein import build, v1


def position() -> v1.Position:
    """A deir at P6, P7 and Q7 with a squad in P6; a tank at R6; a wreck on the way at P4."""
    deir = build.layer("deir", hexes=["P6", "P7", "Q7"])
    return build.position(
        build.map([deir]),
        [
            build.counter("sq", v1.COUNTER_CLASS_SQUAD, "P6", "axis"),
            build.counter("tank", v1.COUNTER_CLASS_TANK, "R6", "allied"),
            build.counter("wreck", v1.COUNTER_CLASS_WRECK, "P4"),
        ],
    )
