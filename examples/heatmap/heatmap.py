"""Draws what can be seen on a map: from one hex, or how far every hex is seen.

    python heatmap.py worked-example.toml --from R7 --observer entrenched -o seen.png
    python heatmap.py ../../docs/maps/chapter-f.toml -o exposed.png

What is seen from a hex is a question for each other hex, asked in a batch. Between all hexes of a board these
would be 59,685 questions; there the service is asked for the field of view from each of 346 hexes.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import hexes
from alamein import AlameinError, Client, ask, build, errors, v1
from alamein import Seen as Glance
from drawing import Cell, Chart, Drawing
from hexes import Hex

# What stands at an end of a line. Ordinary Infantry is what a bare hex means.
POSTURES: dict[str, tuple[v1.CounterClass.ValueType, list[v1.CounterFlag.ValueType]]] = {
    "infantry": (v1.COUNTER_CLASS_SQUAD, []),
    "entrenched": (v1.COUNTER_CLASS_SQUAD, [v1.COUNTER_FLAG_ENTRENCHED]),
    "tank": (v1.COUNTER_CLASS_TANK, []),
}


@dataclass
class Seen:
    """What is known of the lines that end in a hex."""

    asked: int = 0
    seen: int = 0
    unknown: list[str] = field(default_factory=list)
    hindrance: int = 0
    blocked_by: list[str] = field(default_factory=list)

    def look(self, seen: Glance) -> None:
        """Another line, of somebody's field of view."""
        if seen.sight == v1.SIGHT_NOT_IMPLEMENTED:
            self.unknown.append("RULE_NOT_IMPLEMENTED")
            return
        self.asked += 1
        self.seen += seen.is_seen

    def add(self, answer: v1.Ruling | AlameinError) -> None:
        """Another line."""
        if isinstance(answer, AlameinError):
            if not isinstance(answer, errors.Unimplemented):
                raise answer
            self.unknown.append(answer.reason)
            return
        line = answer.verdict.line_of_sight
        self.asked += 1
        if line.result == v1.LINE_OF_SIGHT_RESULT_BLOCKED:
            self.blocked_by = list(line.blocked_by)
        else:
            self.seen += 1
            self.hindrance = line.hindrance


@dataclass(frozen=True)
class Looking:
    """Who looks at whom."""

    observer: str
    target: str

    def viewer(self, hex: Hex) -> tuple[v1.End, v1.QuestionOptions | None]:
        """Who looks from a hex."""
        if self.observer == "infantry":
            return ask.at(hex.name), None
        kind, flags = POSTURES[self.observer]
        probe = build.counter("observer", kind, hex.name, "observer", flags=flags)
        return ask.unit("observer"), ask.options(probes=[probe])

    def question(self, one: Hex, other: Hex) -> v1.Question:
        """Is there a LOS between these two? What is no ordinary Infantry is a probe: it is not on the map."""
        probes: list[v1.Counter] = []
        ends: list[v1.End] = []
        for name, hex, posture in (("observer", one, self.observer), ("target", other, self.target)):
            if posture == "infantry":
                ends.append(ask.at(hex.name))
                continue
            kind, flags = POSTURES[posture]
            probes.append(build.counter(name, kind, hex.name, name, flags=flags))
            ends.append(ask.unit(name))
        return ask.line_of_sight(ends[0], ends[1], options=ask.options(probes=probes))


def look(
    client: Client, position_id: str, looking: Looking, board: Sequence[Hex], origin: Hex | None
) -> dict[Hex, Seen]:
    """Asks for the line of sight from a hex to every one, or between every two."""
    if origin is None and looking.target == "infantry":
        return glance(client, position_id, looking, board)
    mutual = looking.observer == looking.target
    pairs: list[tuple[Hex, Hex]]
    if origin is not None:
        pairs = [(origin, hex) for hex in board]
    else:
        pairs = list(combinations(board, 2))
        if not mutual:
            pairs += [(other, one) for one, other in pairs]
    seen = {hex: Seen() for hex in board}
    questions = (looking.question(one, other) for one, other in pairs)
    answers = client.stream(position_id, questions, view=v1.VIEW_VERDICT, size=500, ahead=3)
    for (one, other), (_, answer) in zip(pairs, answers, strict=True):
        seen[other].add(answer)
        if origin is None and mutual:
            # LOS is mutual where both ends are alike.
            seen[one].add(answer)
    return seen


def glance(client: Client, position_id: str, looking: Looking, board: Sequence[Hex]) -> dict[Hex, Seen]:
    """Asks what is seen from each hex."""
    seen = {hex: Seen() for hex in board}
    for one in board:
        viewer, options = looking.viewer(one)
        field = client.field_of_view(position_id, viewer, options=options)
        for other in board:
            if other != one:
                seen[other].look(field[other.name])
    return seen


def cells(seen: dict[Hex, Seen], *, single: bool) -> Iterator[tuple[Hex, Cell]]:
    """How each hex is drawn."""
    for hex, it in seen.items():
        if not it.asked:
            yield hex, Cell(None, "?")
        elif not single:
            share = it.seen / it.asked
            yield hex, Cell(share, f"{share:.0%}")
        elif it.seen:
            # Clear is the lightest; six Hindrances would block.
            text = f"+{it.hindrance}" if it.hindrance else ""
            yield hex, Cell(1.0 - 0.11 * it.hindrance, text)
        else:
            yield hex, Cell(0.0, blocked=True)


def standing(words: Sequence[str]) -> list[v1.Counter]:
    """The counters of ``--with``: ``tank:R6``."""
    counters = []
    for number, word in enumerate(words, 1):
        kind, colon, hex = word.partition(":")
        name = f"COUNTER_CLASS_{kind.upper()}"
        if not colon or name not in v1.CounterClass.keys():  # noqa: SIM118 - it is no dictionary
            raise ValueError(f"{word!r} is no counter: write tank:R6 or wreck:P4")
        side = "" if kind == "wreck" else "axis"
        counters.append(build.counter(f"{kind}{number}", v1.CounterClass.Value(name), hex, side))
    return counters


def write_csv(path: Path, seen: dict[Hex, Seen]) -> None:
    """Writes what was found, a line for each hex."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["hex", "lines", "seen", "without_answer", "hindrance", "blocked_by"])
        for hex, it in seen.items():
            blocked_by = " ".join(it.blocked_by)
            writer.writerow([hex.name, it.asked, it.seen, len(it.unknown), it.hindrance, blocked_by])


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Draws what can be seen on a map.")
    parser.add_argument("map", type=Path, help="a map file in TOML")
    parser.add_argument("--from", dest="origin", metavar="HEX", help="what is seen from here; else from all")
    parser.add_argument("--observer", choices=POSTURES, default="infantry", help="who looks")
    parser.add_argument("--target", choices=POSTURES, default="infantry", help="who is looked at")
    parser.add_argument(
        "--with", dest="counters", metavar="CLASS:HEX", nargs="+", default=[], help="what stands there"
    )
    parser.add_argument("--area", metavar="O1-U10", help="only this part of the map")
    parser.add_argument("--server", default="localhost:50051", help="where Alamein is")
    parser.add_argument("--side", type=int, default=24, help="how long a hexside is, in pixels")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write what was found, hex by hex")
    parser.add_argument("-o", "--out", type=Path, default=Path("heatmap.png"), help="the picture")
    return parser.parse_args(words)


def make(given: argparse.Namespace) -> Drawing:
    """Asks, and makes the drawing."""
    with Client(given.server, timeout=60) as client:
        made = client.compose_map(given.map.read_text())
        counters = standing(given.counters)
        position = build.position(made.map, counters)
        position_id = client.create_position(position).position_id
        board = list(hexes.of_board(made.map.board))
        if given.area:
            first, last = hexes.within(given.area)
            board = [
                hex
                for hex in board
                if first.column <= hex.column <= last.column and first.row <= hex.row <= last.row
            ]
        origin = Hex.of(given.origin) if given.origin else None
        seen = look(client, position_id, Looking(given.observer, given.target), board, origin)
    if given.csv:
        write_csv(given.csv, seen)
    for reason, count in Counter(reason for it in seen.values() for reason in it.unknown).items():
        print(f"heatmap: {count} ends of lines without a ruling, left out: {reason}", file=sys.stderr)
    marked = {
        Hex.of(counter.hex): v1.CounterClass.Name(getattr(counter, "class"))[14:].lower()
        for counter in counters
    }
    if origin is not None:
        marked[origin] = "from"
        subtitle = (
            f"seen from {origin.name} ({given.observer}) to {given.target} in each hex; +n: LOS Hindrance"
        )
        scale = ("blocked", "clear")
    else:
        subtitle = f"how much of the map has a LOS to each hex ({given.observer} to {given.target})"
        scale = ("seen by none", "by all")
    chart = Chart(
        title=made.title or given.map.stem,
        subtitle=subtitle,
        cells=dict(cells(seen, single=origin is not None)),
        scale=scale,
        map=made.map,
        marked=marked,
    )
    return Drawing(chart, given.side)


def main(words: Sequence[str] | None = None) -> int:
    """Draws what the command line asks for."""
    given = arguments(words)
    try:
        make(given).png().save(given.out, optimize=True)
    except (AlameinError, OSError, ValueError) as error:
        print(f"heatmap: {error}", file=sys.stderr)
        return 1
    print(given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
