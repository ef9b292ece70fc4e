"""The worked example: a deir, a hillock, and the counters A to M around them."""

import json

from stubs import ROOT, v1

CASE = json.loads((ROOT / "tests/cases/f4-example.json").read_text())


def layer(name, content):
    """A layer of a case file: lists of hexes and hexsides, and numbers by hex."""
    made = v1.Layer(name=name)
    for field_name, value in content.items():
        field = made.fields.add(name=field_name)
        if isinstance(value, dict):
            for hex_name, number in value.items():
                field.hex_values.values.add(hex=hex_name, value=number)
        elif any("|" in each for each in value):
            field.hexsides.hexsides.extend(value)
        else:
            field.hexes.hexes.extend(value)
    return made


def counter(given):
    """A counter of a case file."""
    made = v1.Counter(id=given["id"], hex=given["hex"], side=given["side"])
    setattr(made, "class", v1.CounterClass.Value(f"COUNTER_CLASS_{given['class'].upper()}"))
    if given.get("entrenched"):
        made.flags.append(v1.COUNTER_FLAG_ENTRENCHED)
    unknown = given.keys() - {"id", "hex", "side", "class", "entrenched"}
    assert not unknown, f"this script does not know {unknown}"
    return made


def board():
    """The map of the example: a geomorphic board with two overlays."""
    return v1.Map(layers=[layer(*each) for each in CASE["map"]["layers"].items()])


def position():
    """The position of the example."""
    return v1.Position(map=board(), counters=[counter(each) for each in CASE["counters"]])


def end(name):
    """The end of a line: a counter of the example by its letter, or a hex."""
    if isinstance(name, v1.End):
        return name
    return v1.End(counter_id=name) if name.isalpha() else v1.End(hex=name)


def sight(one, other):
    """A question of a line of sight."""
    return v1.LineOfSightQuestion(**{"from": end(one), "to": end(other)})


def fire(firer, target, attack=v1.ATTACK_KIND_DIRECT):
    """A question of a line of fire."""
    return v1.LineOfFireQuestion(**{"from": end(firer), "to": end(target), "attack": attack})


def lane(gun, counter_hex, mover_hex, mover=v1.LANE_MOVER_INFANTRY):
    """A question about a Fire Lane."""
    hexes = {"counter_hex": counter_hex, "mover_hex": mover_hex}
    return v1.FireLaneQuestion(mg=end(gun), mover=mover, **hexes)


def step(from_hex, to_hex, mover_class=v1.COUNTER_CLASS_TANK, **mover):
    """A question about a step."""
    mover = v1.Mover(**{"class": mover_class}, **mover)
    return v1.MovementQuestion(mover=mover, entry=v1.Entry(from_hex=from_hex, to_hex=to_hex))


#: By the type of a question: the request that asks it alone, and its field in `Question`.
KINDS = {
    v1.LineOfSightQuestion: (v1.LineOfSightRequest, "line_of_sight"),
    v1.LineOfFireQuestion: (v1.LineOfFireRequest, "line_of_fire"),
    v1.FireLaneQuestion: (v1.FireLaneRequest, "fire_lane"),
    v1.MovementQuestion: (v1.MovementRequest, "movement"),
}


def about(subject):
    """A subject: a position, or the id of one."""
    if isinstance(subject, v1.Subject):
        return subject
    if isinstance(subject, str):
        return v1.Subject(position_id=subject)
    return v1.Subject(position=position() if subject is None else subject)


def alone(question, subject=None, **rest):
    """The request that asks a question alone; of the example unless it is told otherwise."""
    request, _ = KINDS[type(question)]
    return request(subject=about(subject), question=question, **rest)


def in_batch(question, tag="", **rest):
    """The question as one of a batch."""
    _, field = KINDS[type(question)]
    return v1.Question(tag=tag, **{field: question}, **rest)


def batch(questions, subject=None, **rest):
    """The request that asks questions together."""
    asked = [each if isinstance(each, v1.Question) else in_batch(each) for each in questions]
    return v1.BatchAdjudicateRequest(subject=about(subject), questions=asked, **rest)


def question(given):
    """A question of the case file."""
    kind = given["kind"]
    if kind == "line_of_sight":
        return sight(given["from"], given["to"])
    if kind == "line_of_fire":
        attack = v1.AttackKind.Value(f"ATTACK_KIND_{given['attack'].upper()}")
        return fire(given["from"], given["to"], attack)
    if kind == "fire_lane":
        mover = v1.LaneMover.Value(f"LANE_MOVER_{given['mover'].upper()}")
        return lane(given["mg"], given["counter_hex"], given["mover_hex"], mover)
    raise AssertionError(f"this script does not know the kind {kind}")
