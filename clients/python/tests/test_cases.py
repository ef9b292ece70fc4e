"""All case files of the repository, asked by this client: each comes to what ``alamein check`` says."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from alamein import Client, v1
from tests.case_answers import Judged, decided, judge
from tests.case_files import Case, CaseQuestion, Json, Known, load
from tests.service import ROOT, Service, binary, plugins

FOLDER = ROOT / "tests/cases"
FILES = sorted(FOLDER.glob("*.json"))
BATCH = 64


def check(files: list[Path], *flags: str) -> Json:
    """What ``alamein check`` says of case files."""
    words = [str(binary()), "check", "--json", *flags, *(str(file) for file in files)]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    told: Json = json.loads(ran.stdout)
    return told


def replay(client: Client, case: Case, known: Known, *, contested: bool) -> list[Judged]:
    """What becomes of each question of a case."""
    outcomes = [decided(question, contested=contested) for question in case.questions]
    still = [question for question, outcome in zip(case.questions, outcomes, strict=True) if outcome is None]
    asked = [question.message for question in still if question.message is not None]
    answers = client.stream(case.position, asked, view=v1.VIEW_EXPLAIN, size=BATCH)
    judged = iter(
        [judge(question, answer, known) for question, (_, answer) in zip(still, answers, strict=True)]
    )
    return [outcome or next(judged) for outcome in outcomes]


def suits(options: dict[str, Json], ruleset: v1.Ruleset) -> bool:
    """Whether a service judges by the options that a case wants."""
    theirs: dict[str, Json] = {}
    for plugin in ruleset.plugins:
        for option in plugin.options:
            value = json.loads(option.value_json)
            if value != json.loads(option.default_json):
                theirs.setdefault(plugin.plugin_id, {})[option.name] = value
    return not options or options == theirs


OTHER = "the service judges by other options than the file wants"


def told(case: Case, question: CaseQuestion, judged: Judged) -> dict[str, Any]:
    """An outcome as ``alamein check --json`` writes it, as far as both can."""
    written: dict[str, Any] = {"file": case.file, "id": question.id, "outcome": judged.outcome}
    if judged.outcome == "skipped":
        written["why"] = judged.why
    if judged.outcome == "failed":
        written["differences"] = sorted(judged.differences, key=lambda one: one["key"])
    return written


def as_told(question: Json) -> dict[str, Any]:
    """The same of what ``alamein check --json`` wrote."""
    names = ["file", "id", "outcome"] + (["why"] if question["outcome"] == "skipped" else [])
    written = {name: question[name] for name in names}
    if question["outcome"] == "failed":
        written["differences"] = sorted(question["differences"], key=lambda one: one["key"])
    return written


def replayed(client: Client, files: list[Path], *, contested: bool = False) -> list[dict[str, Any]]:
    """What becomes of all questions of files by one ruleset."""
    ruleset = client.get_ruleset()
    known = Known.of(ruleset)
    written = []
    for file in files:
        case = load(file, known)
        if suits(dict(case.options), ruleset):
            outcomes = replay(client, case, known, contested=contested)
        else:
            outcomes = [
                decided(question, contested=contested) or Judged("skipped", OTHER)
                for question in case.questions
            ]
        pairs = zip(case.questions, outcomes, strict=True)
        written += [told(case, question, outcome) for question, outcome in pairs]
    return written


@pytest.mark.parametrize("contested", [False, True])
def test_every_case_comes_to_what_check_says(client: Client, service: Service, contested: bool) -> None:
    flags = ["--contested"] if contested else []
    theirs = check(FILES, "--server", f"http://{service.address}", *flags)
    ours = replayed(client, FILES, contested=contested)
    assert ours == [as_told(question) for question in theirs["questions"]]
    counts = Counter(question["outcome"] for question in ours)
    assert [counts[outcome] for outcome in ("passed", "failed", "skipped")] == [
        theirs[outcome] for outcome in ("passed", "failed", "skipped")
    ]
    assert counts["passed"] > 500
    if not contested:
        assert counts["failed"] == 0
    print(f"cases: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")


def test_cases_that_want_other_options_come_out_by_a_ruleset_of_theirs(client: Client) -> None:
    theirs = check(FILES, "--plugins", str(plugins()))
    default = client.get_ruleset()
    known = Known.of(default)
    ours = []
    for file in FILES:
        case = load(file, known)
        by = (
            client
            if suits(dict(case.options), default)
            else client.using(ruleset=made(client, default, case))
        )
        outcomes = replay(by, case, known, contested=False)
        pairs = zip(case.questions, outcomes, strict=True)
        ours += [told(case, question, outcome) for question, outcome in pairs]
    assert ours == [as_told(question) for question in theirs["questions"]]
    assert theirs["failed"] == 0


def made(client: Client, default: v1.Ruleset, case: Case) -> str:
    """Makes a ruleset with the options that a case wants, and gives its fingerprint."""
    spec = v1.RulesetSpec()
    spec.CopyFrom(default.spec)
    spec.name = Path(case.file).stem
    for plugin in spec.plugins:
        if wanted := case.options.get(plugin.plugin_id):
            plugin.options_json = json.dumps(wanted)
    return client.create_ruleset(spec).ruleset.fingerprint


def lie(expected: Json) -> None:
    """Changes all that a file expects."""
    for key, value in expected.items():
        if isinstance(value, bool):
            expected[key] = not value
        elif isinstance(value, int):
            expected[key] = value + 1
        elif isinstance(value, str):
            expected[key] = "otherwise"
        elif isinstance(value, list):
            expected[key] = ["otherwise"]
        elif isinstance(value, dict):
            lie(value)


def test_a_case_that_lies_fails_here_as_there(client: Client, service: Service, tmp_path: Path) -> None:
    files = []
    for name in ("f4-example.json", "setup.json", "sand-movement.json", "deir-grazing.json"):
        raw = json.loads((FOLDER / name).read_text())
        for question in raw["questions"]:
            lie(question.get("expect") or {})
        files.append(tmp_path / name)
        files[-1].write_text(json.dumps(raw))
    theirs = check(files, "--server", f"http://{service.address}")
    ours = replayed(client, files)
    assert ours == [as_told(question) for question in theirs["questions"]]
    assert theirs["failed"] > 100
    assert theirs["passed"] == 0
