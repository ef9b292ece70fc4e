"""The example ``examples/heatmap``: its README's commands, and what its pictures show."""

from __future__ import annotations

import csv
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import heatmap
from alamein import v1
from drawing import colour
from hexes import Hex, hexside, of_board
from tests.service import ROOT, Service

FOLDER = ROOT / "examples/heatmap"
README = (FOLDER / "README.md").read_text()
# The worked example of F4: J is entrenched in R7, and four tanks stand about.
WORKED = [
    *(str(FOLDER / "worked-example.toml"), "--from", "R7", "--observer", "entrenched", "--side", "24"),
    *("--with", "tank:R6", "tank:Q8", "tank:Q9", "tank:P6"),
]


def light(picture: Image.Image, point: tuple[float, float]) -> float:
    """How light a picture is at a point, 0 to 255."""
    red, green, blue = picture.getpixel((round(point[0]), round(point[1])))  # type: ignore[misc]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_picture_tells_hexes_that_are_seen_from_others(service: Service, tmp_path: Path) -> None:
    found = tmp_path / "seen.csv"
    drawing = heatmap.make(heatmap.arguments([*WORKED, "--server", service.address, "--csv", str(found)]))
    drawing.png().save(tmp_path / "seen.png")
    with Image.open(tmp_path / "seen.png") as opened:
        picture = opened.convert("RGB")

    def shade(name: str) -> float:
        x, y = Hex.of(name).centre
        # Beside what is written and hatched there.
        return light(picture, drawing.at((x + 0.7, y)))

    # The worked example: J has a LOS to all of these but those to H in S4 and I in T4.
    seen = {name: shade(name) for name in ("P5", "T6", "R3", "Q7", "R8", "Q9", "P6", "R6", "Q8")}
    blocked = {name: shade(name) for name in ("S4", "T4")}
    assert max(blocked.values()) + 50 < min(seen.values()), (blocked, seen)
    # Where a tank hinders it is darker than where nothing does, and lighter than where it is blocked.
    assert max(blocked.values()) + 50 < shade("P9") < shade("P7") < shade("S8")

    rows = {row["hex"]: row for row in csv.DictReader(found.read_text().splitlines())}
    assert len(rows) == 346
    assert rows["S4"]["blocked_by"] == "F4.4"
    assert [rows[name]["seen"] for name in ("S4", "T4", "R3", "T6")] == ["0", "0", "1", "1"]
    assert rows["P9"]["hindrance"] == "2"


def test_pairs_are_asked_once_where_both_ends_are_alike(service: Service) -> None:
    def found(*flags: str) -> dict[str, float | None]:
        words = [str(FOLDER / "worked-example.toml"), "--area", "P4-S7", "--server", service.address, *flags]
        cells = heatmap.make(heatmap.arguments(words)).chart.cells
        return {hex.name: cell.value for hex, cell in cells.items()}

    alike = found()
    assert len(alike) == 16
    assert set(alike.values()) == {1.0}
    entrenched = found("--target", "entrenched")
    # From outside the deir nobody sees into its middle; the hexes outside are seen as before.
    assert entrenched["R7"] is not None
    assert entrenched["R7"] < 1.0
    assert entrenched["P4"] == 1.0
    assert found("--observer", "entrenched", "--target", "entrenched")["R7"] is not None


def test_the_readmes_commands_draw_the_readmes_pictures(service: Service, tmp_path: Path) -> None:
    copy = tmp_path / "examples/heatmap"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("venv", "__pycache__"))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    commands = re.findall(r"^venv/bin/python (heatmap\.py .*)$", README, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words = [sys.executable, *shlex.split(command), "--server", service.address]
        ran = subprocess.run(words, cwd=copy, capture_output=True, text=True, timeout=300, env=SOURCES)
        assert ran.returncode == 0, ran.stderr
        name = ran.stdout.strip()
        with Image.open(copy / name) as new, Image.open(FOLDER / "pictures" / name) as old:
            assert new.size == old.size
            difference = ImageStat.Stat(ImageChops.difference(new.convert("RGB"), old.convert("RGB")))
        assert max(difference.mean) < 0.5, f"pictures/{name} is not what the command draws now"
    assert len((copy / "exposed.csv").read_text().splitlines()) == 179


SOURCES = {"PYTHONPATH": str(ROOT / "clients/python/src"), "PATH": "/usr/bin:/bin"}


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--from", "ZZ99"], "HEX_OFF_MAP"),
        (["--from", "nowhere"], "is no hex"),
        (["--with", "tank"], "write tank:R6"),
        (["--with", "teapot:R6"], "write tank:R6"),
        (["--area", "P4"], "write O1-U10"),
    ],
)
def test_what_makes_no_sense_is_told(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], told: str
) -> None:
    out = tmp_path / "none.png"
    words = [str(FOLDER / "worked-example.toml"), "--server", service.address, "-o", str(out), *flags]
    assert heatmap.main(words) == 1
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_hexes_lie_where_boards_have_them() -> None:
    board = list(of_board(v1.Board(columns=33, rows=10)))
    assert len(board) == 346
    assert [board[0].name, board[10].name, board[-1].name] == ["A1", "B0", "GG10"]
    assert Hex.of("aa10") == Hex(26, 10)
    for hex in board:
        assert Hex.of(hex.name) == hex
        for direction in range(6):
            other = hex.towards(direction)
            assert other.towards((direction + 3) % 6) == hex
            # Neighbours' centres are a hex apart, and the hexside lies between them.
            (x, y), (to_x, to_y) = hex.centre, other.centre
            assert (x - to_x) ** 2 + (y - to_y) ** 2 == pytest.approx(3)
            one, two = hex.side(direction)
            middle = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
            assert middle == pytest.approx(((x + to_x) / 2, (y + to_y) / 2))
    assert hexside("P5|P6") == (Hex.of("P5"), Hex.of("P6"))


def test_colours_only_get_lighter() -> None:
    swatch = Image.new("RGB", (51, 1))
    swatch.putdata([colour(step / 50) for step in range(51)])
    shades = [light(swatch, (step, 0)) for step in range(51)]
    assert shades == sorted(shades)
    assert shades[-1] - shades[0] > 150
