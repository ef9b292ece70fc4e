"""Hexes of a board by name, and where they lie in a picture."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from alamein import v1

Point = tuple[float, float]

HEIGHT = math.sqrt(3)
"""How high a hex is whose sides are 1 long. It is 2 wide, and columns are 1.5 apart."""

_DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


@dataclass(frozen=True)
class Hex:
    """A hex: its column counted from 0, and its row as it is printed."""

    column: int
    row: int

    @staticmethod
    def of(name: str) -> Hex:
        """Reads ``P6`` or ``AA10``."""
        found = re.fullmatch(r"(([A-Z])\2*)(\d+)", name.upper())
        if found is None:
            raise ValueError(f"{name!r} is no hex: write P6 or AA10")
        letters, letter, row = found.groups()
        return Hex((len(letters) - 1) * 26 + ord(letter) - ord("A"), int(row))

    @property
    def name(self) -> str:
        """As it is printed: after Z come AA, BB, CC."""
        return chr(ord("A") + self.column % 26) * (self.column // 26 + 1) + str(self.row)

    @property
    def centre(self) -> Point:
        """Where it lies, for hexes whose sides are 1 long. Columns B, D, F lie half a hex lower."""
        down = self.row - 0.5 if self.column % 2 == 0 else float(self.row)
        return 1 + 1.5 * self.column, (down + 0.5) * HEIGHT

    def towards(self, direction: int) -> Hex:
        """The hex next to it: 0 is the one to the north, then clockwise."""
        lower = self.column % 2
        across = {1: (1, lower - 1), 2: (1, lower), 4: (-1, lower), 5: (-1, lower - 1)}
        column, row = {0: (0, -1), 3: (0, 1), **across}[direction]
        return Hex(self.column + column, self.row + row)

    def corners(self, size: float = 1.0) -> list[Point]:
        """Its vertices, from the one between north and north-east on; a smaller size lies within."""
        x, y = self.centre
        angles = [math.radians(60 * corner - 60) for corner in range(6)]
        return [(x + size * math.cos(angle), y + size * math.sin(angle)) for angle in angles]

    def side(self, direction: int, size: float = 1.0) -> tuple[Point, Point]:
        """The ends of a hexside."""
        corners = self.corners(size)
        return corners[direction - 1], corners[direction]


def hexside(name: str) -> tuple[Hex, Hex]:
    """The two hexes that a hexside parts: ``P5|P6``, or ``A1|N`` at the edge."""
    one, _, other = name.partition("|")
    here = Hex.of(one)
    return here, here.towards(_DIRECTIONS.index(other)) if other in _DIRECTIONS else Hex.of(other)


def of_board(board: v1.Board) -> Iterator[Hex]:
    """Every hex of a board, column by column: columns B, D, F begin with the half hex 0."""
    for column in range(board.columns):
        for row in range(0 if column % 2 else 1, board.rows + 1):
            yield Hex(column, row)


def within(area: str) -> tuple[Hex, Hex]:
    """The corners of a part of a board: ``O1-U10``."""
    first, dash, last = area.partition("-")
    if not dash:
        raise ValueError(f"{area!r} is no part of a board: write O1-U10")
    return Hex.of(first), Hex.of(last)
