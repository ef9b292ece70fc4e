"""Fields of view: what somebody sees of every hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alamein import v1

__all__ = ["FieldOfView", "Seen", "hex_names", "unpack"]


@dataclass(frozen=True)
class Seen:
    """What comes of the LOS to a hex."""

    sight: v1.Sight.ValueType
    """Clear, hindered, blocked by terrain or by Hindrances; or a rule decides that is not implemented."""
    hindrance: int | None = None
    """The sum of the LOS Hindrance DRM; None where terrain blocks, and where nobody can say."""

    @property
    def is_seen(self) -> bool:
        """Whether there is a LOS."""
        return self.sight in (v1.SIGHT_CLEAR, v1.SIGHT_HINDERED)

    @classmethod
    def of(cls, hex: v1.SightedHex) -> Seen:
        """What a hex of a streamed field of view says."""
        return cls(hex.sight, hex.hindrance if hex.HasField("hindrance") else None)


def unpack(byte: int) -> Seen | None:
    """What a byte of a packed field of view means; None for a hex that is out of range."""
    if byte == 0:
        return None
    if byte == 1:
        return Seen(v1.SIGHT_CLEAR, 0)
    if byte == 2:
        return Seen(v1.SIGHT_BLOCKED_BY_TERRAIN)
    if byte >= 128:
        return Seen(v1.SIGHT_BLOCKED_BY_HINDRANCES, byte - 128)
    if byte >= 65:
        return Seen(v1.SIGHT_HINDERED, byte - 64)
    # A byte that is not known says that nobody can say.
    return Seen(v1.SIGHT_NOT_IMPLEMENTED)


def hex_names(columns: int, rows: int) -> Iterator[str]:
    """The names of the hexes of a map, in the map's order: that of packed fields of view."""
    for column in range(columns):
        letters = chr(ord("A") + column % 26) * (column // 26 + 1)
        for row in range(column % 2 ^ 1, rows + 1):
            yield f"{letters}{row}"


class FieldOfView(Mapping[str, Seen]):
    """What somebody sees: the hexes in range by name, in the map's order."""

    def __init__(self, packed: v1.PackedFieldOfView) -> None:
        """Reads a packed field of view."""
        self.packed = packed
        names = hex_names(packed.head.columns, packed.head.rows)
        told = ((name, unpack(byte)) for name, byte in zip(names, packed.sights, strict=True))
        self._hexes = {name: seen for name, seen in told if seen is not None}

    @property
    def viewer(self) -> str:
        """The hex of who looks."""
        return self.packed.head.viewer_hex

    @property
    def summary(self) -> v1.FieldOfViewSummary:
        """What is known of all hexes: contested options, rules that are missing, ignored layers."""
        return self.packed.summary

    def __getitem__(self, hex: str) -> Seen:
        return self._hexes[hex]

    def __iter__(self) -> Iterator[str]:
        return iter(self._hexes)

    def __len__(self) -> int:
        return len(self._hexes)
