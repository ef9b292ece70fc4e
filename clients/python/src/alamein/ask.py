"""Questions, made in few words.

An end of a line is a hex (``"P6"``, or ``at("P6", corner=2)``), where an ordinary Infantry unit is meant, or
a counter of the position (``unit("sq")``), whose height, posture and class count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from alamein import v1

__all__ = [
    "End",
    "at",
    "enter",
    "fire_lane",
    "line_of_fire",
    "line_of_sight",
    "movement",
    "mover",
    "options",
    "path",
    "reach",
    "set_up",
    "set_up_unit",
    "turn",
    "unit",
]

End: TypeAlias = "v1.End | str"
"""An end of a line; a text is the name of a hex."""


def at(hex: str, *, corner: int | None = None) -> v1.End:
    """A hex as an end, or a vertex of it: 0 lies between north and north-east, then clockwise to 5."""
    return v1.End(hex=hex, corner=corner)


def unit(counter_id: str, *, corner: int | None = None) -> v1.End:
    """A counter of the position, or a probe, as an end."""
    return v1.End(counter_id=counter_id, corner=corner)


def _end(end: End) -> v1.End:
    return at(end) if isinstance(end, str) else end


def options(
    *,
    grazing_policy: v1.GrazingPolicy.ValueType = v1.GRAZING_POLICY_UNSPECIFIED,
    probes: Iterable[v1.Counter] = (),
    ignore_layers: Iterable[str] = (),
) -> v1.QuestionOptions:
    """What holds for one question alone: how a line that grazes is read, and counters that are not there."""
    return v1.QuestionOptions(grazing_policy=grazing_policy, probes=probes, ignore_layers=ignore_layers)


def line_of_sight(
    start: End, end: End, *, options: v1.QuestionOptions | None = None, tag: str = ""
) -> v1.Question:
    """Is there a line of sight (LOS), and what hinders it?"""
    line = v1.LineOfSightQuestion(to=_end(end))
    # Here and below: the field's name is a word of the language.
    getattr(line, "from").CopyFrom(_end(start))
    return v1.Question(tag=tag, line_of_sight=line, options=options)


def line_of_fire(
    firer: End,
    target: End,
    attack: v1.AttackKind.ValueType = v1.ATTACK_KIND_DIRECT,
    *,
    munition: v1.Munition.ValueType = v1.MUNITION_UNSPECIFIED,
    options: v1.QuestionOptions | None = None,
    tag: str = "",
) -> v1.Question:
    """What protects the target of an attack: LOS, TEM, Hull Down?"""
    line = v1.LineOfFireQuestion(to=_end(target), attack=attack, munition=munition)
    getattr(line, "from").CopyFrom(_end(firer))
    return v1.Question(tag=tag, line_of_fire=line, options=options)


def fire_lane(
    mg: End,
    mover_hex: str,
    mover: v1.LaneMover.ValueType = v1.LANE_MOVER_INFANTRY,
    *,
    counter_hex: str = "",
    options: v1.QuestionOptions | None = None,
    tag: str = "",
) -> v1.Question:
    """Does a Fire Lane attack a unit that moves in a hex?

    ``counter_hex`` may be left out where the machine gun is a counter that has a Fire Lane in the position.
    """
    lane = v1.FireLaneQuestion(mg=_end(mg), counter_hex=counter_hex, mover_hex=mover_hex, mover=mover)
    return v1.Question(tag=tag, fire_lane=lane, options=options)


def mover(
    kind: v1.CounterClass.ValueType = v1.COUNTER_CLASS_UNSPECIFIED,
    *,
    counter_id: str = "",
    ground_pressure: v1.GroundPressure.ValueType = v1.GROUND_PRESSURE_UNSPECIFIED,
    weight_tons: float | None = None,
    british_built: bool = False,
) -> v1.Mover:
    """What moves: its class, or the id of the counter that it is."""
    fields = {"class": kind}
    return v1.Mover(
        counter_id=counter_id,
        ground_pressure=ground_pressure,
        weight_tons=weight_tons,
        british_built=british_built,
        **fields,
    )


def enter(from_hex: str, to_hex: str, *, way: v1.Way.ValueType = v1.WAY_UNSPECIFIED) -> v1.Entry:
    """A step into an adjacent hex."""
    return v1.Entry(from_hex=from_hex, to_hex=to_hex, way=way)


def turn(
    hex: str,
    hexsides: int = 1,
    *,
    entered_from: str = "",
    way: v1.Way.ValueType = v1.WAY_UNSPECIFIED,
) -> v1.VcaChange:
    """A vehicle's change of VCA in its hex, by so many hexsides."""
    return v1.VcaChange(hex=hex, hexsides=hexsides, entered_from=entered_from, way=way)


def movement(
    mover: v1.Mover,
    step: v1.Entry | v1.VcaChange,
    *,
    ec: v1.EnvironmentCondition.ValueType = v1.ENVIRONMENT_CONDITION_UNSPECIFIED,
    options: v1.QuestionOptions | None = None,
    tag: str = "",
) -> v1.Question:
    """What does a step cost, may it be made, which checks does it owe?"""
    question = v1.MovementQuestion(mover=mover, ec=ec)
    if isinstance(step, v1.Entry):
        question.entry.CopyFrom(step)
    else:
        question.vca_change.CopyFrom(step)
    return v1.Question(tag=tag, movement=question, options=options)


def set_up(
    hex: str,
    piece: v1.SetUpUnit | v1.Fortification.ValueType,
    *,
    options: v1.QuestionOptions | None = None,
    tag: str = "",
) -> v1.Question:
    """May this set up in that hex, and is a Gun Emplaced there? For a unit see ``set_up_unit``."""
    if isinstance(piece, v1.SetUpUnit):
        question = v1.SetUpQuestion(hex=hex, unit=piece)
    else:
        question = v1.SetUpQuestion(hex=hex, fortification=piece)
    return v1.Question(tag=tag, set_up=question, options=options)


def set_up_unit(
    kind: v1.CounterClass.ValueType,
    *,
    concealment: v1.Concealment.ValueType = v1.CONCEALMENT_UNSPECIFIED,
    beneath: v1.Fortification.ValueType = v1.FORTIFICATION_UNSPECIFIED,
) -> v1.SetUpUnit:
    """A unit that sets up."""
    fields = {"class": kind}
    return v1.SetUpUnit(concealment=concealment, beneath=beneath, **fields)


def path(
    mover: v1.Mover,
    steps: Sequence[str | v1.Entry | v1.VcaChange],
    *,
    allowance: int | None = None,
    ec: v1.EnvironmentCondition.ValueType = v1.ENVIRONMENT_CONDITION_UNSPECIFIED,
) -> v1.PathQuestion:
    """What does a move of several steps cost?

    Steps are entries and changes of VCA; or the names of the hexes, the first where the move begins:
    ``["Q6", "Q5", "Q4"]``.
    """
    made: list[v1.PathStep] = []
    here: str | None = None
    for step in steps:
        if isinstance(step, str):
            if here is not None:
                made.append(v1.PathStep(entry=enter(here, step)))
            here = step
        elif isinstance(step, v1.Entry):
            made.append(v1.PathStep(entry=step))
            here = step.to_hex
        else:
            made.append(v1.PathStep(vca_change=step))
            here = step.hex
    return v1.PathQuestion(mover=mover, steps=made, allowance=allowance, ec=ec)


def reach(
    mover: v1.Mover,
    from_hex: str,
    allowance: int,
    *,
    way: v1.Way.ValueType = v1.WAY_UNSPECIFIED,
    ec: v1.EnvironmentCondition.ValueType = v1.ENVIRONMENT_CONDITION_UNSPECIFIED,
) -> v1.ReachQuestion:
    """Where does an allowance of MF or MP reach?"""
    return v1.ReachQuestion(mover=mover, from_hex=from_hex, allowance=allowance, way=way, ec=ec)
