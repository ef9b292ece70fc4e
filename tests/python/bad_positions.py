"""Bad positions."""

from example import alone, layer, position, sight
from rows import Row, with_counter, with_position
from stubs import v1

POSITION = "subject.position."
FIRST = POSITION + "counters[0]."
SCREE = layer("scree", {"hexes": ["K5"]})


def counter(name, hex_name="R6", counter_class=v1.COUNTER_CLASS_TANK, **rest):
    """A counter."""
    return v1.Counter(**{"id": name, "class": counter_class, "hex": hex_name}, **rest)


def with_counters(*counters):
    """The example with more counters: the first of them is the 14th."""
    return with_position(lambda given: given.counters.extend(counters))


def without(*names):
    """The example without some fields."""

    def change(given):
        for name in names:
            given.ClearField(name)

    return with_position(change)


def aboard(*pairs):
    """Tanks in one hex, each aboard another."""
    return with_counters(*(counter(one, aboard=other) for one, other in pairs))


def crowd(size):
    """So many squads."""
    squads = (counter(f"s{at}", "A1", v1.COUNTER_CLASS_SQUAD) for at in range(size))
    return with_counters(*squads)


def named(request, **attribute):
    """A counter with an attribute."""
    return request(attributes=[v1.Attribute(**attribute)])


MORE = POSITION + "counters[13]."

COUNTERS = [
    Row(
        "a unit off the map",
        with_counter(hex="HH1"),
        "HEX_OFF_MAP",
        FIRST + "hex",
        metadata={"hex": "HH1"},
    ),
    Row("a unit in no hex", with_counter(hex=""), "MISSING_FIELD", FIRST + "hex"),
    Row(
        "a unit in what is no hex",
        with_counter(hex="7P"),
        "UNKNOWN_HEX",
        FIRST + "hex",
        metadata={"value": "7P"},
    ),
    Row(
        "two counters of one id",
        with_counters(counter("A")),
        "DUPLICATE_COUNTER",
        MORE + "id",
        metadata={"counter": "A"},
    ),
    Row("a counter without an id", with_counter(id=""), "MISSING_FIELD", FIRST + "id"),
    Row(
        "an id that is too long",
        with_counter(id="x" * 257),
        "TOO_LONG",
        FIRST + "id",
        metadata={"max": "256", "field": FIRST + "id"},
    ),
    Row(
        "an id too long in bytes, not in letters",
        with_counter(id="ß" * 129),
        "TOO_LONG",
        FIRST + "id",
    ),
    Row("a side that is too long", with_counter(side="x" * 257), "TOO_LONG", FIRST + "side"),
    Row("a carrier that is too long", with_counter(aboard="x" * 257), "TOO_LONG", FIRST + "aboard"),
    Row("a class that is not said", with_counter(**{"class": 0}), "MISSING_FIELD", FIRST + "class"),
    Row(
        "a class that is unknown",
        with_counter(**{"class": 14}),
        "UNKNOWN_ENUM_VALUE",
        FIRST + "class",
        metadata={"field": FIRST + "class", "value": "14"},
    ),
    Row("a class below 0", with_counter(**{"class": -1}), "UNKNOWN_ENUM_VALUE", FIRST + "class"),
    Row(
        "a flag that is unknown",
        with_counter(flags=[1, 9]),
        "UNKNOWN_ENUM_VALUE",
        FIRST + "flags[1]",
    ),
    Row(
        "a flag that is not said", with_counter(flags=[0]), "UNKNOWN_ENUM_VALUE", FIRST + "flags[0]"
    ),
    Row(
        "too high",
        with_counter(height_half_levels=65),
        "OUT_OF_RANGE",
        FIRST + "height_half_levels",
    ),
    Row(
        "too low",
        with_counter(height_half_levels=-65),
        "OUT_OF_RANGE",
        FIRST + "height_half_levels",
    ),
    Row(
        "far too high",
        with_counter(height_half_levels=2**31 - 1),
        "OUT_OF_RANGE",
        FIRST + "height_half_levels",
    ),
    Row(
        "too many counters",
        crowd(4100),
        "TOO_LONG",
        POSITION + "counters",
        metadata={"max": "4096"},
    ),
]

ABOARD = [
    Row(
        "aboard nothing",
        with_counter(aboard="z"),
        "UNKNOWN_COUNTER",
        FIRST + "aboard",
        metadata={"counter": "z"},
    ),
    Row(
        "aboard what does not carry",
        with_counters(counter("x", "T6", aboard="F")),
        "COUNTER_INVALID",
        MORE + "aboard",
        metadata={"counter": "x", "carrier": "F"},
    ),
    Row("aboard in another hex", with_counter(aboard="B"), "COUNTER_INVALID", FIRST + "aboard"),
    Row(
        "aboard itself",
        with_counter(aboard="A"),
        "COUNTER_INVALID",
        FIRST + "aboard",
    ),
    Row(
        "aboard each other",
        aboard(("x", "y"), ("y", "x")),
        "COUNTER_INVALID",
        MORE + "aboard",
    ),
    Row(
        "aboard in a circle",
        aboard(("x", "y"), ("y", "z"), ("z", "x")),
        "COUNTER_INVALID",
        MORE + "aboard",
    ),
]

ATTRIBUTES = [
    Row(
        "an attribute that nobody knows",
        named(with_counter, name="snow.deep", int_value=1),
        "UNKNOWN_ATTRIBUTE",
        FIRST + "attributes[0].name",
        metadata={"attribute": "snow.deep"},
    ),
    Row(
        "an attribute of no plugin",
        named(with_counter, name="x", bool_value=True),
        "UNKNOWN_ATTRIBUTE",
        FIRST + "attributes[0].name",
    ),
    Row(
        "an attribute without a name",
        named(with_counter, int_value=1),
        "MISSING_FIELD",
        FIRST + "attributes[0].name",
    ),
    Row(
        "an attribute without a value",
        named(with_counter, name="deir.x"),
        "MISSING_FIELD",
        FIRST + "attributes[0].value",
    ),
    Row(
        "an attribute with too long a name",
        named(with_counter, name="x" * 257, int_value=1),
        "TOO_LONG",
        FIRST + "attributes[0].name",
    ),
    Row(
        "an attribute twice",
        with_counter(attributes=[v1.Attribute(name="deir.x", int_value=1)] * 2),
        "ATTRIBUTE_INVALID",
        FIRST + "attributes[1].name",
        metadata={"attribute": "deir.x", "plugin": "deir"},
    ),
]


def weather(ec):
    """The example with this weather."""
    return with_position(lambda given: setattr(given.environment, "ec", ec))


def on_map(map_id):
    """The example on a map that is named by its id."""
    return with_position(lambda given: setattr(given, "map_id", map_id))


NOT_FOUND = "NOT_FOUND"
IDS = [
    Row(
        "no subject", v1.LineOfSightRequest(question=sight("A1", "A2")), "MISSING_FIELD", "subject"
    ),
    Row("an empty subject", alone(sight("A1", "A2"), v1.Subject()), "MISSING_FIELD", "subject"),
    Row("no map", without("map"), "MISSING_FIELD", POSITION + "map"),
    Row(
        "an empty id of a position",
        alone(sight("A1", "A2"), ""),
        "MISSING_FIELD",
        "subject.position_id",
    ),
    Row(
        "an unknown id of a position",
        alone(sight("A1", "A2"), "0" * 64),
        "POSITION_NOT_FOUND",
        "subject.position_id",
        NOT_FOUND,
        metadata={"position_id": "0" * 64},
    ),
    Row(
        "a malformed id of a position",
        alone(sight("A1", "A2"), "7P"),
        "POSITION_NOT_FOUND",
        "subject.position_id",
        NOT_FOUND,
    ),
    Row(
        "an id too long by one",
        alone(sight("A1", "A2"), "0" * 65),
        "POSITION_NOT_FOUND",
        "subject.position_id",
        NOT_FOUND,
    ),
    Row(
        "an id as long as a book",
        alone(sight("A1", "A2"), "0" * 10**6),
        "POSITION_NOT_FOUND",
        "subject.position_id",
        NOT_FOUND,
    ),
    Row("an empty id of a map", on_map(""), "MISSING_FIELD", POSITION + "map_id"),
    Row(
        "an unknown id of a map", on_map("0" * 64), "MAP_NOT_FOUND", POSITION + "map_id", NOT_FOUND
    ),
    Row("a malformed id of a map", on_map("P7"), "MAP_NOT_FOUND", POSITION + "map_id", NOT_FOUND),
    Row("a weather that is unknown", weather(6), "UNKNOWN_ENUM_VALUE", POSITION + "environment.ec"),
]


def kept(change, **rest):
    """A position that is to be kept."""
    changed = position()
    change(changed)
    return v1.CreatePositionRequest(position=changed, **rest)


def scree(given):
    """Adds a layer that nobody owns."""
    given.map.layers.append(SCREE)


KEPT = [
    Row("no position to keep", v1.CreatePositionRequest(), "MISSING_FIELD", "position"),
    Row(
        "a position to keep with a unit off the map",
        kept(lambda given: setattr(given.counters[1], "hex", "A11")),
        "HEX_OFF_MAP",
        "position.counters[1].hex",
    ),
    Row(
        "a position to keep with an unknown layer",
        kept(scree),
        "UNKNOWN_LAYER",
        "position.map.layers[2]",
    ),
    Row(
        "a position to keep with an unknown attribute",
        kept(lambda given: given.counters[2].attributes.add(name="x.y", int_value=1)),
        "UNKNOWN_ATTRIBUTE",
        "position.counters[2].attributes[0].name",
    ),
    Row(
        "a position to keep that ignores an owned layer",
        kept(scree, ignore_layers=["hillock", "scree"]),
        "LAYER_NOT_IGNORABLE",
        "ignore_layers[0]",
        metadata={"layer": "hillock"},
    ),
    Row("no id of a position", v1.GetPositionRequest(), "MISSING_FIELD", "position_id"),
    Row(
        "a malformed id of a position to get",
        v1.GetPositionRequest(position_id="7P"),
        "POSITION_NOT_FOUND",
        "position_id",
        NOT_FOUND,
    ),
    Row(
        "an unknown id of a position to get",
        v1.GetPositionRequest(position_id="0" * 64),
        "POSITION_NOT_FOUND",
        "position_id",
        NOT_FOUND,
    ),
]

ROWS = COUNTERS + ABOARD + ATTRIBUTES + IDS + KEPT
