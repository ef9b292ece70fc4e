"""Every field of a kind, wherever it is in a request, made bad: found by walking the messages."""

from example import alone, fire, lane, layer, position, sight, step
from google.protobuf.descriptor import FieldDescriptor
from rows import Row
from stubs import v1

HEXES = {"hex", "from_hex", "to_hex", "counter_hex", "mover_hex", "entered_from", "hexes"}


def full_position():
    """A position that has something of everything."""
    given = position()
    given.map.levels.add(hex="A1", level=0)
    given.environment.ec = v1.ENVIRONMENT_CONDITION_DRY
    for counter in given.counters:
        counter.flags.append(v1.COUNTER_FLAG_CREW_EXPOSED)
    given.map.layers.append(layer("unowned", {"numbers": {"A1": 1}}))
    return given


def requests():
    """A good request of each kind, that has something of everything."""
    probe = v1.Counter(**{"id": "x", "class": v1.COUNTER_CLASS_WRECK, "hex": "R5"})
    options = v1.QuestionOptions(
        probes=[probe],
        grazing_policy=v1.GRAZING_POLICY_EITHER,
        ignore_layers=["unowned"],
    )
    turn = v1.MovementQuestion(
        mover=v1.Mover(**{"class": v1.COUNTER_CLASS_TANK}),
        vca_change=v1.VcaChange(hex="P6", entered_from="P5", hexsides=1),
    )
    asked = [sight("K5", "L5"), fire("K5", "L5"), lane("E", "S10", "R8"), step("P6", "P5"), turn]
    for question in asked:
        yield alone(question, full_position(), options=options)
    yield v1.CreatePositionRequest(position=full_position(), ignore_layers=["unowned"])
    yield v1.CreateMapRequest(map=full_position().map, ignore_layers=["unowned"])


def places(message, wanted, path=""):
    """Every place of such a field in a message: its path, and how to put something there."""
    for field in message.DESCRIPTOR.fields:
        name, many = field.name, field.is_repeated
        here = f"{path}{name}"
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            if many:
                for at, item in enumerate(getattr(message, name)):
                    yield from places(item, wanted, f"{here}[{at}].")
            elif message.HasField(name):
                yield from places(getattr(message, name), wanted, f"{here}.")
        elif not wanted(field):
            continue
        elif many:
            values = getattr(message, name)
            for at in range(len(values)):
                yield f"{here}[{at}]", values, at
        elif field.containing_oneof is None or message.HasField(name):
            yield here, message, name


def put(where, key, value):
    """Puts something at a place, and gives what was there."""
    if isinstance(key, int):
        before, where[key] = where[key], value
    else:
        before = getattr(where, key)
        setattr(where, key, value)
    return before


def bad(wanted, value, reason):
    """A row for each such field of each request."""
    for request in requests():
        kind = type(request).__name__
        for path, where, key in list(places(request, wanted)):
            before = put(where, key, value)
            copy = type(request)()
            copy.CopyFrom(request)
            put(where, key, before)
            yield Row(f"{kind}: {path} is {value!r}", copy, reason, path)


def is_enum(field):
    """Whether a field is an enum."""
    return field.type == FieldDescriptor.TYPE_ENUM


def is_hex(field):
    """Whether a field is the name of a hex, or several."""
    return field.type == FieldDescriptor.TYPE_STRING and field.name in HEXES


def rows():
    """All of them."""
    yield from bad(is_enum, 99, "UNKNOWN_ENUM_VALUE")
    yield from bad(is_hex, "7P", "UNKNOWN_HEX")
    yield from bad(is_hex, "HH1", "HEX_OFF_MAP")


def enums(descriptor, seen):
    """The fields of a request that are enums, by the message that has them."""
    if descriptor.full_name in seen:
        return
    seen.add(descriptor.full_name)
    for field in descriptor.fields:
        if is_enum(field):
            yield f"{descriptor.name}.{field.name}"
        if field.message_type is not None:
            yield from enums(field.message_type, seen)


def all_enums():
    """The enums of all requests that carry what is judged."""
    seen = set()
    kinds = [type(request) for request in requests()]
    return {name for kind in kinds for name in enums(kind.DESCRIPTOR, seen)}


def enums_met():
    """Those that a row makes bad."""
    met = set()
    for request in requests():
        for _, where, key in places(request, is_enum):
            if isinstance(key, str):
                met.add(f"{where.DESCRIPTOR.name}.{key}")
            else:
                met.add("Counter.flags")
    return met
