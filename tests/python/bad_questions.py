"""Bad questions."""

import math

from bad_positions import counter
from example import about, alone, batch, end, fire, lane, sight, step
from rows import Row
from stubs import v1

SQUAD, TANK, WRECK = v1.COUNTER_CLASS_SQUAD, v1.COUNTER_CLASS_TANK, v1.COUNTER_CLASS_WRECK
CORNER_6 = v1.End(hex="P6", corner=6)


def plain(question, **rest):
    """A question about the example, on its own."""
    return alone(question, **rest)


def optional(**options):
    """A good question with these options."""
    return alone(sight("K", "L"), options=v1.QuestionOptions(**options))


def probes(*counters):
    """A good question with these probes."""
    return optional(probes=counters)


def mover(from_hex="P6", to_hex="P5", mover_class=TANK, **rest):
    """A question about a step of such a mover."""
    return alone(step(from_hex, to_hex, mover_class, **rest))


def entry(**rest):
    """A question about a step that is not simply an entry."""
    asked = step("P6", "P5")
    for name, value in rest.items():
        setattr(asked.entry, name, value)
    return alone(asked)


def changed(question, **changes):
    """A question of which some fields are something else, or are left out."""
    for name, value in changes.items():
        if value is None:
            question.ClearField(name)
        else:
            setattr(question, name, value)
    return alone(question)


def turning(hex_name="P6", **rest):
    """A question about a change of VCA."""
    turn = v1.VcaChange(**({"hex": hex_name, "hexsides": 1} | rest))
    mover_of = v1.Mover(**{"class": TANK})
    return alone(v1.MovementQuestion(mover=mover_of, vca_change=turn))


MISSING = [
    Row("an empty request", v1.LineOfSightRequest(), "MISSING_FIELD", "subject"),
    Row("an empty batch request", v1.BatchAdjudicateRequest(), "MISSING_FIELD", "subject"),
    Row("an empty export", v1.ExportCaseRequest(), "MISSING_FIELD", "subject"),
    Row(
        "no question of sight",
        v1.LineOfSightRequest(subject=about(None)),
        "MISSING_FIELD",
        "question",
    ),
    Row(
        "no question of fire",
        v1.LineOfFireRequest(subject=about(None)),
        "MISSING_FIELD",
        "question",
    ),
    Row(
        "no question of a lane",
        v1.FireLaneRequest(subject=about(None)),
        "MISSING_FIELD",
        "question",
    ),
    Row(
        "no question of a step",
        v1.MovementRequest(subject=about(None)),
        "MISSING_FIELD",
        "question",
    ),
    Row(
        "no first end", plain(v1.LineOfSightQuestion(to=end("K"))), "MISSING_FIELD", "question.from"
    ),
    Row("no second end", changed(sight("K", "L"), to=None), "MISSING_FIELD", "question.to"),
    Row(
        "an end of nothing",
        plain(sight(v1.End(corner=1), "K")),
        "MISSING_FIELD",
        "question.from.end",
    ),
    Row("no kind of attack", plain(fire("H", "K", 0)), "MISSING_FIELD", "question.attack"),
    Row("no machine gun", changed(lane("E", "S10", "R8"), mg=None), "MISSING_FIELD", "question.mg"),
    Row("no lane counter", plain(lane("E", "", "R8")), "MISSING_FIELD", "question.counter_hex"),
    Row("no hex of the mover", plain(lane("E", "S10", "")), "MISSING_FIELD", "question.mover_hex"),
    Row(
        "no mover on the lane", plain(lane("E", "S10", "R8", 0)), "MISSING_FIELD", "question.mover"
    ),
    Row("no mover", changed(step("P6", "P5"), mover=None), "MISSING_FIELD", "question.mover"),
    Row("no step", changed(step("P6", "P5"), entry=None), "MISSING_FIELD", "question.step"),
    Row("a mover of no class", mover(mover_class=0), "MISSING_FIELD", "question.mover.class"),
    Row("a step from nowhere", mover(from_hex=""), "MISSING_FIELD", "question.entry.from_hex"),
    Row("a step to nowhere", mover(to_hex=""), "MISSING_FIELD", "question.entry.to_hex"),
]

ENDS = [
    Row("an end off the map", plain(sight("K", "HH1")), "HEX_OFF_MAP", "question.to.hex"),
    Row(
        "an end that is no hex",
        plain(sight("7P", "K")),
        "UNKNOWN_HEX",
        "question.from.hex",
        metadata={"value": "7P"},
    ),
    Row(
        "an unknown counter",
        plain(sight("Z", "K")),
        "UNKNOWN_COUNTER",
        "question.from.counter_id",
        metadata={"counter": "Z"},
    ),
    Row(
        "a counter without an id",
        plain(sight("K", v1.End(counter_id=""))),
        "MISSING_FIELD",
        "question.to.counter_id",
    ),
    Row(
        "an id of a counter that is too long",
        plain(sight("K", v1.End(counter_id="x" * 257))),
        "TOO_LONG",
        "question.to.counter_id",
    ),
    Row(
        "corner 6",
        plain(sight(CORNER_6, "K")),
        "UNKNOWN_CORNER",
        "question.from.corner",
        metadata={"corner": "6"},
    ),
    Row(
        "corner 2^32 - 1",
        plain(fire("K", v1.End(counter_id="L", corner=2**32 - 1))),
        "UNKNOWN_CORNER",
        "question.to.corner",
    ),
    Row(
        "an unknown machine gun",
        plain(lane("Z", "S10", "R8")),
        "UNKNOWN_COUNTER",
        "question.mg.counter_id",
    ),
    Row(
        "a lane counter off the map",
        plain(lane("E", "B11", "R8")),
        "HEX_OFF_MAP",
        "question.counter_hex",
    ),
    Row(
        "a lane's mover off the map",
        plain(lane("E", "S10", "HH1")),
        "HEX_OFF_MAP",
        "question.mover_hex",
    ),
]

UNKNOWN = "UNKNOWN_ENUM_VALUE"
ENUMS = [
    Row(
        "an unknown attack",
        plain(fire("H", "K", 4)),
        UNKNOWN,
        "question.attack",
        metadata={"value": "4"},
    ),
    Row("an unknown mover on a lane", plain(lane("E", "S10", "R8", 5)), UNKNOWN, "question.mover"),
    Row("an unknown class of a mover", mover(mover_class=99), UNKNOWN, "question.mover.class"),
    Row(
        "an unknown Ground Pressure",
        mover(ground_pressure=4),
        UNKNOWN,
        "question.mover.ground_pressure",
    ),
    Row("an unknown weather of a step", changed(step("P6", "P5"), ec=6), UNKNOWN, "question.ec"),
    Row("an unknown grazing policy", optional(grazing_policy=4), UNKNOWN, "options.grazing_policy"),
    Row(
        "an unknown view", plain(sight("K", "L"), view=4), UNKNOWN, "view", metadata={"value": "4"}
    ),
    Row("an unknown view of a batch", batch([sight("K", "L")], view=-1), UNKNOWN, "view"),
]

STEPS = [
    Row(
        "a step too far",
        mover(to_hex="P4"),
        "NOT_ADJACENT",
        "question.entry.to_hex",
        metadata={"from": "P6", "to": "P4"},
    ),
    Row("a step on the spot", mover(to_hex="P6"), "NOT_ADJACENT", "question.entry.to_hex"),
    Row("a step off the map", mover("A1", "A0"), "HEX_OFF_MAP", "question.entry.to_hex"),
    Row("a step from off the map", mover("A11", "A10"), "HEX_OFF_MAP", "question.entry.from_hex"),
    Row(
        "a wreck that moves",
        mover(mover_class=WRECK),
        "CANNOT_MOVE",
        "question.mover.class",
        metadata={"class": "wreck"},
    ),
    Row(
        "a mover of another class",
        mover(mover_class=SQUAD, counter_id="D"),
        "MOVER_MISMATCH",
        "question.mover.class",
        metadata={"counter": "D", "class": "tank"},
    ),
    Row(
        "an unknown mover",
        mover(mover_class=0, counter_id="Z"),
        "UNKNOWN_COUNTER",
        "question.mover.counter_id",
    ),
    Row(
        "a weight that is no number",
        mover(weight_tons=math.nan),
        "NOT_A_NUMBER",
        "question.mover.weight_tons",
    ),
    Row(
        "an infinite weight",
        mover(weight_tons=math.inf),
        "NOT_A_NUMBER",
        "question.mover.weight_tons",
    ),
    Row(
        "a weight of minus infinity",
        mover(weight_tons=-math.inf),
        "NOT_A_NUMBER",
        "question.mover.weight_tons",
    ),
    Row("a negative weight", mover(weight_tons=-1.0), "NOT_A_NUMBER", "question.mover.weight_tons"),
    Row(
        "a weight of more than all",
        mover(weight_tons=1000.5),
        "OUT_OF_RANGE",
        "question.mover.weight_tons",
        metadata={"value": "1000.5", "min": "0", "max": "1000"},
    ),
    Row("an unknown way", entry(way=3), UNKNOWN, "question.entry.way"),
    Row("a turn off the map", turning("HH1"), "HEX_OFF_MAP", "question.vca_change.hex"),
    Row("a turn nowhere", turning(""), "MISSING_FIELD", "question.vca_change.hex"),
    Row(
        "a turn by nothing",
        turning(hexsides=0),
        "OUT_OF_RANGE",
        "question.vca_change.hexsides",
        metadata={"min": "1", "max": "5"},
    ),
    Row("a turn all round", turning(hexsides=6), "OUT_OF_RANGE", "question.vca_change.hexsides"),
    Row("a turn by 256", turning(hexsides=256), "OUT_OF_RANGE", "question.vca_change.hexsides"),
    Row(
        "a turn after a leap",
        turning(entered_from="P4"),
        "NOT_ADJACENT",
        "question.vca_change.entered_from",
    ),
    Row(
        "a turn after a step from nowhere",
        turning(entered_from="7P"),
        "UNKNOWN_HEX",
        "question.vca_change.entered_from",
    ),
    Row("a turn on an unknown way", turning(way=-1), UNKNOWN, "question.vca_change.way"),
    Row(
        "a turn of what has no VCA",
        changed(turning().question, mover=None),
        "MISSING_FIELD",
        "question.mover",
    ),
]

PROBE = "options.probes[0]."
OPTIONS = [
    Row(
        "a probe of a counter's id",
        probes(counter("A")),
        "DUPLICATE_COUNTER",
        PROBE + "id",
        metadata={"counter": "A"},
    ),
    Row(
        "two probes of one id",
        probes(counter("x"), counter("x")),
        "DUPLICATE_COUNTER",
        "options.probes[1].id",
    ),
    Row("a probe off the map", probes(counter("x", "HH1")), "HEX_OFF_MAP", PROBE + "hex"),
    Row(
        "a probe of no class",
        probes(counter("x", counter_class=0)),
        "MISSING_FIELD",
        PROBE + "class",
    ),
    Row(
        "a probe aboard itself",
        probes(counter("x", aboard="x")),
        "COUNTER_INVALID",
        PROBE + "aboard",
    ),
    Row(
        "a probe aboard nothing",
        probes(counter("x", aboard="z")),
        "UNKNOWN_COUNTER",
        PROBE + "aboard",
    ),
    Row(
        "a probe in the sky",
        probes(counter("x", height_half_levels=65)),
        "OUT_OF_RANGE",
        PROBE + "height_half_levels",
    ),
    Row(
        "a probe with an unknown attribute",
        probes(counter("x", attributes=[v1.Attribute(name="snow.deep", int_value=1)])),
        "UNKNOWN_ATTRIBUTE",
        PROBE + "attributes",
        metadata={"attribute": "snow.deep"},
    ),
    Row(
        "too many probes",
        probes(*(counter(f"x{at}") for at in range(65))),
        "TOO_LONG",
        "options.probes",
        metadata={"max": "64"},
    ),
    Row(
        "ignoring a layer that a plugin owns",
        optional(ignore_layers=["scree", "deir"]),
        "LAYER_NOT_IGNORABLE",
        "options.ignore_layers[1]",
        metadata={"layer": "deir", "plugin": "deir"},
    ),
    Row(
        "ignoring nothing",
        optional(ignore_layers=[""]),
        "MISSING_FIELD",
        "options.ignore_layers[0]",
    ),
    Row(
        "ignoring a name too long",
        optional(ignore_layers=["x" * 257]),
        "TOO_LONG",
        "options.ignore_layers[0]",
    ),
]

ROWS = MISSING + ENDS + ENUMS + STEPS + OPTIONS
