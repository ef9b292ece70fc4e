"""The README, followed to the letter in an empty folder."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from alamein.settings import own_version
from tests.service import ROOT, Service

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language: str, page: str = README) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but a clone, in which what the README says was typed."""
    assert service.port  # That there is one at all.
    folder = tmp_path_factory.mktemp("empty")
    (folder / "alamein").symlink_to(ROOT)
    (install,) = blocks("sh")
    subprocess.run(["bash", "-euc", install], cwd=folder, check=True, capture_output=True)
    return folder


def run(folder: Path, service: Service, program: str) -> str:
    """Runs a program of the README with the packages that are installed there, and gives what it prints."""
    assert "localhost:50051" in program
    (folder / "question.py").write_text(program.replace("localhost:50051", service.address))
    words = ["venv/bin/python", "-I", "-W", "error", "question.py"]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_from_an_empty_folder_to_a_ruling(folder: Path, service: Service) -> None:
    (promised,) = blocks("text")
    printed = run(folder, service, blocks("python")[0])
    assert printed.startswith(promised)
    assert len(printed.splitlines()) > len(promised.splitlines())
    assert "D9.4 at P4: wreck in P4 is a Hindrance of +1." in printed


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        (1, "P4 clear\nP5 clear\nP6 clear\nP7 clear\nP8 clear\nP9 clear\nP10 clear\n"),
        (2, "HEX_OFF_MAP line_of_sight.to.hex ZZ99\n"),
        (3, "1 begun\n2 advanced\n"),
    ],
)
def test_the_other_programs_run_too(folder: Path, service: Service, which: int, expected: str) -> None:
    assert run(folder, service, blocks("python")[which]) == expected


def test_the_first_pages_program_runs(folder: Path, service: Service) -> None:
    (program,) = blocks("python", (ROOT / "README.md").read_text())
    tem, *reasons = run(folder, service, program).splitlines()
    assert tem == "1"
    assert any(reason.startswith("F4.5 at P5|P6") for reason in reasons)


def test_what_is_installed_is_typed_and_has_its_version(folder: Path) -> None:
    show = "import alamein, os; print(alamein.__version__, *os.listdir(os.path.dirname(alamein.__file__)))"
    ran = subprocess.run(
        ["venv/bin/python", "-I", "-c", show], cwd=folder, check=True, capture_output=True, text=True
    )
    version, *files = ran.stdout.split()
    pyproject = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    assert f'\nversion = "{version}"\n' in pyproject
    assert "py.typed" in files
    assert own_version() == "0"  # The tests themselves run the sources.
