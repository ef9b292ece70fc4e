"""Rulings in words, for logs, chats and bots."""

from __future__ import annotations

from alamein import v1

__all__ = ["reasons", "verdict"]

_RESULTS = {
    v1.LINE_OF_SIGHT_RESULT_CLEAR: "clear",
    v1.LINE_OF_SIGHT_RESULT_HINDERED: "hindered",
    v1.LINE_OF_SIGHT_RESULT_BLOCKED: "blocked",
}
_EMPLACEMENT = {
    v1.EMPLACEMENT_NOT_EMPLACED: "not Emplaced",
    v1.EMPLACEMENT_EMPLACED: "Emplaced",
    v1.EMPLACEMENT_UNLESS_RECORDED: "Emplaced, unless it is recorded as not",
}


def verdict(ruling: v1.Ruling) -> str:
    """What a ruling says, in one line: ``hindered +1; TEM +1; total DRM +2``."""
    told = ruling.verdict
    match told.WhichOneof("verdict"):
        case "line_of_sight":
            return _line(told.line_of_sight)
        case "line_of_fire":
            return "; ".join([_line(told.line_of_fire.line), *_fire(told.line_of_fire)])
        case "fire_lane":
            return _lane(told.fire_lane)
        case "movement":
            return _movement(told.movement)
        case "set_up":
            return _set_up(told.set_up)
    return "no verdict that this version knows"


def _line(line: v1.LineOfSightVerdict) -> str:
    text = _RESULTS.get(line.result, "unknown")
    if line.hindrance:
        text += f" {line.hindrance:+d}"
    if line.blocked_by:
        text += f" by {', '.join(line.blocked_by)}"
    return text


def _fire(fire: v1.LineOfFireVerdict) -> list[str]:
    told = []
    if fire.HasField("tem"):
        told.append(f"TEM {fire.tem:+d}")
    if fire.hull_down:
        told.append("Hull Down may be claimed")
    if fire.HasField("total_drm"):
        told.append(f"total DRM {fire.total_drm:+d}")
    if fire.HasField("open_ground"):
        told.append("Open Ground" if fire.open_ground else "not Open Ground")
    if fire.halved:
        told.append("FP halved")
    if fire.morale_drm:
        told.append(f"MC DRM {fire.morale_drm:+d}")
    return told


def _lane(lane: v1.FireLaneVerdict) -> str:
    if lane.attacked:
        return "attacked by the Fire Lane"
    return "on the Fire Lane, and immune to it" if lane.on_lane else "not on the Fire Lane"


def _movement(step: v1.MovementVerdict) -> str:
    coin = "MP" if step.unit == v1.MOVEMENT_UNIT_MP else "MF"
    text = f"{step.total} {coin}" if step.HasField("total") else "of unknown cost"
    if step.prohibited:
        rules = ", ".join(citation.rule.number for citation in step.prohibited_by)
        text = f"prohibited by {rules} ({text})"
    for check in step.checks:
        drm = f" with DRM {check.drm:+d}" if check.HasField("drm") else ""
        text += f"; owes {check.times} {check.what} DR{drm}"
    return text


def _set_up(told: v1.SetUpVerdict) -> str:
    if not told.HasField("allowed"):
        text = "no plugin says whether it may set up there"
    elif told.allowed:
        text = "may set up there"
    else:
        rules = ", ".join(citation.rule.number for citation in told.prohibited_by)
        text = f"may not set up there, by {rules}"
    emplaced = _EMPLACEMENT.get(told.emplacement)
    return f"{text}; {emplaced}" if emplaced else text


def reasons(ruling: v1.Ruling) -> list[str]:
    """What a ruling rests on, a line for each: findings, observations, and what did not apply.

    Each has its rule, its place and what set it aside. ``VIEW_VERDICT`` has none of it, and what did not
    apply is in ``VIEW_EXPLAIN`` alone.
    """
    lines = []
    for finding in ruling.findings:
        falls = ""
        if not finding.standing:
            by = finding.replaced_by.rule.number
            falls = f" (replaced by {by})" if by else " (falls: what it rests on was set aside)"
        lines.append(_said(finding.rule, finding.where, finding.message) + falls)
    for seen in ruling.observations:
        aside = ", ".join(by.rule.number for by in seen.set_aside_by)
        text = _said(seen.rule, seen.where, seen.message)
        text += " (not really there)" if seen.hypothetical else ""
        lines.append(text + (f" (set aside by {aside})" if aside else ""))
    for considered in ruling.considered:
        lines.append(_said(considered.rule, considered.where, considered.why) + " (does not apply)")
    return lines


def _said(rule: v1.RuleRef, where: v1.Place, message: v1.Message) -> str:
    place = where.hex or where.hexside
    return f"{rule.number}{f' at {place}' if place else ''}: {message.text}"
