"""What a ruling answers in the words of case files, and how that compares with what a file expects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from alamein import v1
from alamein.errors import AlameinError
from tests.case_files import CaseQuestion, Json, Known

_RESULTS = {
    v1.LINE_OF_SIGHT_RESULT_CLEAR: "clear",
    v1.LINE_OF_SIGHT_RESULT_HINDERED: "hindered",
    v1.LINE_OF_SIGHT_RESULT_BLOCKED: "blocked",
}
_EMPLACEMENT = {
    v1.EMPLACEMENT_NOT_EMPLACED: "not_emplaced",
    v1.EMPLACEMENT_EMPLACED: "emplaced",
    v1.EMPLACEMENT_UNLESS_RECORDED: "unless_recorded",
}
_NUMBERED = (v1.EFFECT_TEM, v1.EFFECT_MORALE_DRM, v1.EFFECT_HINDRANCE_CAP, v1.EFFECT_HINDRANCE_LIMIT)


@dataclass
class Judged:
    """What became of a question: passed, failed or skipped."""

    outcome: str
    why: str | None = None
    differences: list[Json] = field(default_factory=list)


def decided(question: CaseQuestion, *, contested: bool) -> Judged | None:
    """What becomes of a question whatever is answered, if that is so."""
    if question.raw.get("contested") and not contested:
        return Judged("skipped", "the rules leave it open")
    if question.message is None:
        return Judged("skipped", f"nothing answers questions of the kind `{question.raw['kind']}`")
    if question.expected is None:
        return Judged("skipped", "the file expects nothing of it")
    return None


def judge(question: CaseQuestion, answer: v1.Ruling | AlameinError, known: Known) -> Judged:
    """Compares an answer with what the file expects of the question."""
    if isinstance(answer, AlameinError):
        if answer.reason == "RULE_NOT_IMPLEMENTED":
            plugin, rule = answer.metadata.get("plugin", ""), answer.metadata.get("rule", "")
            return Judged("skipped", f"plugin {plugin} does not implement its rule {rule}")
        return Judged("failed", f"there is no ruling: {answer.reason}")
    for layer in answer.ignored_layers:
        if layer.met:
            return Judged("skipped", f"it meets the layer `{layer.layer}`, which no loaded plugin owns")
    rulings = [answer]
    if question.others:
        rulings += [other.ruling for other in answer.other_policies]
    asked = [_policy(ruling) for ruling in rulings]
    differences: list[Json] = []
    for policy, ruling in zip(asked, rulings, strict=True):
        expected = question.others.get(policy) or question.expected or {}
        different, unreported = _compare(expected, policy, ruling, known)
        if unreported:
            return Judged("skipped", f"no loaded plugin reports `{unreported[0]}`")
        differences += different
    line = _line(answer)
    if line is None or not line.grazing:
        # There every policy gives the same.
        for policy, expected in sorted(question.others.items(), key=lambda one: _order(one[0])):
            if policy not in asked:
                differences += _compare(expected, policy, answer, known)[0]
    return Judged("failed" if differences else "passed", None, differences)


def _policy(ruling: v1.Ruling) -> str:
    return v1.GrazingPolicy.Name(ruling.grazing_policy).removeprefix("GRAZING_POLICY_")


def _order(policy: str) -> int:
    return v1.GrazingPolicy.Value(f"GRAZING_POLICY_{policy}")


def _line(ruling: v1.Ruling) -> v1.LineOfSightVerdict | None:
    told = ruling.verdict
    match told.WhichOneof("verdict"):
        case "line_of_sight":
            return told.line_of_sight
        case "line_of_fire":
            return told.line_of_fire.line
        case "fire_lane":
            return told.fire_lane.line
    return None


def _blocked(ruling: v1.Ruling) -> bool:
    line = _line(ruling)
    return line is not None and line.result == v1.LINE_OF_SIGHT_RESULT_BLOCKED


def answer(ruling: v1.Ruling, known: Known) -> Json:
    """What a ruling answers: what its verdict says, and what stands of the rules that report."""
    keys: dict[str, set[v1.ReportValue.ValueType]] = {}
    for reports in known.reports.values():
        for key, how in reports:
            if how != v1.REPORT_VALUE_ITEM:
                keys.setdefault(key, set()).add(how)
    told = {key: _reported(key, hows, ruling, known) for key, hows in keys.items()}
    return told | _verdict(ruling, known)


def _verdict(ruling: v1.Ruling, known: Known) -> Json:
    told = ruling.verdict
    line = _line(ruling)
    base = {} if line is None else _los(line)
    match told.WhichOneof("verdict"):
        case "line_of_fire":
            names = ("hull_down", "open_ground", "total_drm", "halved", "morale_drm")
            return base | {name: _optional(told.line_of_fire, name) for name in names}
        case "fire_lane":
            lane = told.fire_lane
            return base | {
                "on_lane": lane.on_lane,
                "immune": lane.immune,
                "attacked": lane.attacked,
                "lane_hindering": base["hindering"],
            }
        case "movement":
            return _movement(told.movement, known)
        case "set_up":
            return {
                "allowed": _optional(told.set_up, "allowed"),
                "prohibited_by": _numbers(told.set_up.prohibited_by),
                "emplacement": _EMPLACEMENT.get(told.set_up.emplacement),
                "emplacement_by": _numbers(told.set_up.emplacement_by),
            }
    return base


def _optional(message: Any, name: str) -> Any:
    return getattr(message, name) if message.HasField(name) else None


def _los(line: v1.LineOfSightVerdict) -> Json:
    return {
        "result": _RESULTS[line.result],
        "hindrance": _optional(line, "hindrance"),
        "hindering": list(line.hindering_counter_ids),
        "blocked_by": list(line.blocked_by),
        "grazing": line.grazing,
        "range": line.range,
    }


def _movement(step: v1.MovementVerdict, known: Known) -> Json:
    items = [
        {
            "what": _item(item.plugin_id, item.rule, known),
            "amount": item.amount,
            "spent_in": item.spent_in.hex or item.spent_in.hexside or None,
        }
        for item in step.items
        if item.amount
    ]
    return {
        "total": _optional(step, "total"),
        "unit": "MP" if step.unit == v1.MOVEMENT_UNIT_MP else "MF",
        "items": items,
        "prohibited_by": _numbers(step.prohibited_by),
    }


def _numbers(rules: Sequence[v1.Citation]) -> list[str]:
    return sorted({citation.rule.number for citation in rules})


def _item(plugin: str, rule: v1.RuleRef, known: Known) -> str:
    reports = known.reports.get((plugin, rule.id), [])
    return next((key for key, how in reports if how == v1.REPORT_VALUE_ITEM), rule.id)


def _reported(key: str, hows: set[v1.ReportValue.ValueType], ruling: v1.Ruling, known: Known) -> Any:
    """The value of a key that rules report. There is none where the LOS is blocked."""
    if v1.REPORT_VALUE_CHECK in hows:
        return _check(key, ruling, known)
    if _blocked(ruling):
        return None
    found, best = False, None
    for finding in ruling.findings:
        if not finding.standing:
            continue
        for name, how in known.reports.get((finding.plugin_id, finding.rule.id), []):
            if name != key:
                continue
            if how == v1.REPORT_VALUE_UNKNOWN:
                return None
            if how == v1.REPORT_VALUE_FLAG:
                found = True
            elif how == v1.REPORT_VALUE_BEST and finding.effect in _NUMBERED:
                best = finding.value if best is None else max(best, finding.value)
    return (best or 0) if v1.REPORT_VALUE_BEST in hows else found


def _check(key: str, ruling: v1.Ruling, known: Known) -> Any:
    """The check that a key holds, if the step owes one."""
    if ruling.verdict.WhichOneof("verdict") != "movement":
        return None
    for check in ruling.verdict.movement.checks:
        if (key, v1.REPORT_VALUE_CHECK) not in known.reports.get((check.plugin_id, check.rule.id), []):
            continue
        told: Json = {"required": True, "drm": _optional(check, "drm"), "checks": check.times}
        if check.HasField("drm"):
            told["items"] = [
                {"what": _item(one.plugin_id, one.rule, known), "drm": one.drm} for one in check.modifiers
            ]
            told["bogs_on_original_dr"] = _optional(check, "fails_at_original_dr")
        return told
    return {"required": False, "drm": None}


def _compare(expected: Json, policy: str, ruling: v1.Ruling, known: Known) -> tuple[list[Json], list[str]]:
    """What differs of what is expected, and the keys of which no plugin says anything."""
    told = answer(ruling, known)
    differences: list[Json] = []
    unreported: list[str] = []
    for key, wanted in sorted(expected.items()):
        # What a case does not judge it leaves empty. Where there is no LOS, everything is.
        if wanted is None and not _blocked(ruling):
            continue
        there, ruled = _ruled(key, wanted, told)
        if not there:
            if not _is_neutral(wanted):
                unreported.append(key)
        elif not _agrees(key, wanted, ruled):
            differences.append({"policy": policy, "key": key, "expected": wanted, "ruled": ruled})
    return differences, unreported


def _ruled(key: str, wanted: Any, told: Json) -> tuple[bool, Any]:
    if key == "result_in":
        return "result" in told, told.get("result")
    if key == "hinders":
        if "hindering" not in told or not isinstance(wanted, dict):
            return False, None
        return True, {counter: counter in told["hindering"] for counter in wanted}
    if key == "items" and "items" in told:
        wanted_fields = {name for item in wanted or [] for name in item}
        items = told["items"]
        if not wanted_fields:
            return True, items
        return True, [
            {name: value for name, value in item.items() if name in wanted_fields} for item in items
        ]
    return key in told, told.get(key)


def _agrees(key: str, wanted: Any, ruled: Any) -> bool:
    if isinstance(wanted, list):
        if key == "result_in":
            return ruled in wanted
        return isinstance(ruled, list) and _sorted(wanted) == _sorted(ruled)
    if isinstance(wanted, dict):
        # Of an object only the fields that are expected count.
        return isinstance(ruled, dict) and all(
            name in ruled and _agrees(name, value, ruled[name]) for name, value in wanted.items()
        )
    # In Python True is 1; in a case it is not.
    return isinstance(wanted, bool) == isinstance(ruled, bool) and wanted == ruled


def _sorted(items: list[Any]) -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in items)


def _is_neutral(value: Any) -> bool:
    """Whether a value says that there is nothing to say."""
    if isinstance(value, dict):
        return all(_is_neutral(one) for one in value.values())
    return not value and value != ""
