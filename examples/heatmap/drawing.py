"""Draws a board with a value for each hex, as a PNG.

The colours go from dark to light without turning back, so that they say the same to those who do not see
colours, and on paper. What is blocked is hatched besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageDraw, ImageFont

import hexes
from alamein import v1
from hexes import Hex, Point

Colour = tuple[int, int, int]

# Of the palette "cividis", dark to light.
_PALETTE: Sequence[Colour] = [
    (0, 34, 78),
    (53, 69, 108),
    (102, 105, 112),
    (148, 142, 119),
    (200, 184, 102),
    (254, 232, 56),
]
_PAPER: Colour = (250, 249, 246)
_INK: Colour = (20, 20, 20)
_UNKNOWN: Colour = (255, 255, 255)
Dashes = tuple[int, int]
"""How long a line is drawn, and how long it is not."""

_STYLES: Sequence[tuple[Colour, Dashes]] = [
    ((213, 94, 0), (1, 0)),
    ((0, 114, 178), (5, 3)),
    ((204, 121, 167), (2, 2)),
    ((0, 158, 115), (8, 3)),
    ((120, 60, 20), (3, 5)),
    ((86, 180, 233), (1, 0)),
    ((130, 20, 60), (2, 3)),
    ((60, 60, 60), (8, 5)),
]
_WAYS = ("road", "track")
"""Layers whose hexsides are gone over, and not along."""
_FINER = 3
"""How many times larger it is drawn and then made smaller, so that edges are smooth."""


@dataclass(frozen=True)
class Cell:
    """What is drawn of a hex."""

    value: float | None
    """From 0 (dark) to 1 (light); None where there is no answer."""
    text: str = ""
    blocked: bool = False


@dataclass(frozen=True)
class Chart:
    """What is drawn."""

    title: str
    subtitle: str
    cells: Mapping[Hex, Cell]
    scale: tuple[str, str]
    """What the dark and the light end of the colours mean."""
    map: v1.Map
    marked: Mapping[Hex, str] = field(default_factory=dict)
    """Hexes with something in them, by a word or two: an observer, a counter."""


def colour(value: float) -> Colour:
    """The colour of a value from 0 to 1."""
    at = min(max(value, 0.0), 1.0) * (len(_PALETTE) - 1)
    low = min(int(at), len(_PALETTE) - 2)
    part = at - low
    red, green, blue = (
        round(one + (other - one) * part) for one, other in zip(_PALETTE[low], _PALETTE[low + 1], strict=True)
    )
    return red, green, blue


@dataclass(frozen=True)
class Style:
    """How a layer is drawn, and called in the legend."""

    name: str
    ink: Colour
    dashes: Dashes
    width: float = 0.11


_HATCHING = Style("", (95, 110, 145), (1, 0), 0.035)


class Drawing:
    """A picture that is being made."""

    def __init__(self, chart: Chart, side: int) -> None:
        self.chart = chart
        self.side = side
        self._size = side * _FINER
        centres = [hex.centre for hex in chart.cells]
        self._left = min(x for x, _ in centres) - 1.5
        self._top = min(y for _, y in centres) - hexes.HEIGHT / 2 - 2.6
        self._width = max(max(x for x, _ in centres) + 1.5 - self._left, 22.0)
        self._bottom = max(y for _, y in centres) + hexes.HEIGHT / 2 + 1.0
        self._styles = {
            layer.name: Style(layer.name, *_STYLES[number % len(_STYLES)])
            for number, layer in enumerate(chart.map.layers)
        }
        self._legend = self._arranged()
        rows = max((row for _, _, row in self._legend), default=0) + 1
        height = self._bottom + max(2.0, 1.0 * rows + 0.5) - self._top
        size = (round(self._width * self._size), round(height * self._size))
        self._picture = Image.new("RGB", size, _PAPER)
        self._draw = ImageDraw.Draw(self._picture)

    def _arranged(self) -> list[tuple[Style, float, int]]:
        """The entries of the legend, each with its place from the left and its row."""
        styles = list(self._styles.values())
        if self.chart.map.levels:
            styles.append(Style("levels", _INK, (1, 0)))
        arranged: list[tuple[Style, float, int]] = []
        at, row = 9.5, 0
        for style in styles:
            length = 2.2 + 0.32 * len(style.name)
            if at + length > self._width:
                at, row = 9.5, row + 1
            arranged.append((style, at, row))
            at += length
        return arranged

    def at(self, point: Point) -> Point:
        """Where a point lies in the finished picture, in pixels."""
        return (point[0] - self._left) * self.side, (point[1] - self._top) * self.side

    def png(self) -> Image.Image:
        """Draws it all."""
        for hex, cell in self.chart.cells.items():
            self._cell(hex, cell)
        self._contours()
        for layer in self.chart.map.layers:
            self._layer(layer, self._styles[layer.name])
        for hex, word in self.chart.marked.items():
            if hex in self.chart.cells:
                self._mark(hex, word)
        self._words()
        width, height = self._picture.size
        return self._picture.resize((width // _FINER, height // _FINER), Image.Resampling.LANCZOS)

    def _finer(self, point: Point) -> Point:
        x, y = self.at(point)
        return x * _FINER, y * _FINER

    def _text(self, point: Point, text: str, size: float, ink: Colour, anchor: str = "mm") -> None:
        font = ImageFont.load_default(max(self._size * size, 6.0))
        self._draw.text(self._finer(point), text, ink, font, anchor)

    def _cell(self, hex: Hex, cell: Cell) -> None:
        fill = _UNKNOWN if cell.value is None else colour(cell.value)
        ink = _INK if cell.value is None or cell.value > 0.45 else _PAPER
        corners = [self._finer(corner) for corner in hex.corners(0.985)]
        self._draw.polygon(corners, fill)
        x, y = hex.centre
        if cell.blocked:
            for step in (-0.4, -0.1, 0.2):
                ends = (x + step - 0.15, y + 0.55), (x + step + 0.35, y + 0.05)
                self._line(*ends, _HATCHING)
        self._text((x, y - 0.4), hex.name, 0.34, ink)
        if cell.text:
            self._text((x, y + 0.28), cell.text, 0.52, ink)

    def _line(self, one: Point, other: Point, style: Style) -> None:
        on, off = style.dashes
        (x, y), (to_x, to_y) = one, other
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        start, step = 0.0, 0.05 if off else length
        while start < length:
            end = min(start + on * step, length)
            ends = [
                self._finer((x + (to_x - x) * part / length, y + (to_y - y) * part / length))
                for part in (start, end)
            ]
            self._draw.line(ends, style.ink, round(style.width * self._size))
            start += (on + off) * step

    def _contours(self) -> None:
        """Lines where the level changes, thicker for more levels."""
        board = self.chart.map
        levels = {Hex.of(level.hex): level.level for level in board.levels}
        for hex in self.chart.cells:
            for direction in range(3):
                step = abs(
                    levels.get(hex, board.base_level) - levels.get(hex.towards(direction), board.base_level)
                )
                if step and hex.towards(direction) in self.chart.cells:
                    self._line(*hex.side(direction), Style("", _INK, (1, 0), 0.07 + 0.05 * step))

    def _layer(self, layer: v1.Layer, style: Style) -> None:
        """The edge of a layer of hexes; of one of hexsides the hexsides, or the way that goes over them."""
        number = list(self._styles).index(layer.name)
        inner = 0.92 - 0.1 * (number % 4)
        area = {Hex.of(name) for part in layer.fields if part.name == "hexes" for name in part.hexes.hexes}
        for hex in area & self.chart.cells.keys():
            for direction in range(6):
                if hex.towards(direction) not in area:
                    self._line(*hex.side(direction, inner), style)
        if area:
            return
        for name in (name for part in layer.fields for name in part.hexsides.hexsides):
            for hex, other in (hexes.hexside(name), hexes.hexside(name)[::-1]):
                if hex not in self.chart.cells:
                    continue
                ends = hex.side(next(way for way in range(6) if hex.towards(way) == other))
                if layer.name in _WAYS:
                    ends = hex.centre, _middle(*ends)
                self._line(*ends, style)

    def _mark(self, hex: Hex, word: str) -> None:
        x, y = hex.centre
        corners = [self._finer((x + a, y + b)) for a, b in ((-0.58, -0.1), (0.58, 0.6))]
        box = (*corners[0], *corners[1])
        self._draw.rounded_rectangle(box, self._size * 0.12, _PAPER, _INK, round(self._size * 0.08))
        self._text((x, y + 0.25), word, 0.34, _INK)

    def _words(self) -> None:
        left = self._left + 0.6
        self._text((left, self._top + 0.85), self.chart.title, 0.95, _INK, "lm")
        self._text((left, self._top + 1.85), self.chart.subtitle, 0.6, _INK, "lm")
        dark, light = self.chart.scale
        self._text((left, self._bottom), dark, 0.55, _INK, "lm")
        self._text((left + 8, self._bottom), light, 0.55, _INK, "rm")
        for step in range(160):
            x, y = left + step * 0.05, self._bottom + 0.4
            box = (*self._finer((x, y)), *self._finer((x + 0.06, y + 0.6)))
            self._draw.rectangle(box, colour(step / 159))
        for style, x, row in self._legend:
            y = self._bottom + row
            x += self._left
            self._line((x, y), (x + 1.2, y), style)
            self._text((x + 1.4, y), style.name, 0.55, _INK, "lm")


def _middle(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
