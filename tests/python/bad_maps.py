"""Bad maps."""

from example import alone, board, layer, sight
from rows import Row, with_layer, with_position
from stubs import v1

MAP = "subject.position.map."
ANOTHER = layer("scree", {"hexes": ["K5", "R6"]})


def sized(columns, rows):
    """A request about an empty map of this size."""
    empty = v1.Map(board=v1.Board(columns=columns, rows=rows))
    return alone(sight("A1", "A1"), v1.Position(map=empty))


def hillock(**content):
    """The example with a hillock layer of this content alone."""

    def change(given):
        del given.map.layers[:]
        given.map.layers.append(layer("hillock", content))

    return with_position(change)


def field(name, **content):
    """The example with a hillock layer of one field, given as it is in the message."""

    def change(given):
        del given.map.layers[:]
        given.map.layers.add(name="hillock").fields.append(v1.LayerField(name=name, **content))

    return with_position(change)


def deir(**content):
    """The example with a deir layer of this content alone."""

    def change(given):
        del given.map.layers[:]
        given.map.layers.append(layer("deir", content))

    return with_position(change)


def leveled(*levels):
    """The example with these levels of hexes."""

    def change(given):
        for hex_name, level in levels:
            given.map.levels.add(hex=hex_name, level=level)

    return with_position(change)


def twice(given):
    """Two layers of one name."""
    given.map.layers.append(given.map.layers[0])


def two_fields(given):
    """A layer with one field twice."""
    given.map.layers[1].fields.append(given.map.layers[1].fields[0])


HEXES = MAP + "layers[0].fields[0].hexes.hexes"
SIDES = MAP + "layers[0].fields[0].hexsides.hexsides"

SIZES = [
    Row("a map over the limit", sized(1000, 1000), "MAP_TOO_LARGE", MAP + "board"),
    Row("a map far over it", sized(2**32 - 1, 2**32 - 1), "MAP_TOO_LARGE", MAP + "board"),
    Row("no columns", sized(0, 5), "OUT_OF_RANGE", MAP + "board.columns"),
    Row("no rows", sized(5, 0), "OUT_OF_RANGE", MAP + "board.rows"),
    Row("too many columns", sized(1025, 1), "OUT_OF_RANGE", MAP + "board.columns"),
    Row("too many rows", sized(1, 1025), "OUT_OF_RANGE", MAP + "board.rows"),
]

LEVELS = [
    Row("a level too low", leveled(("A1", -17)), "OUT_OF_RANGE", MAP + "levels[0].level"),
    Row(
        "a level too high", leveled(("A1", 0), ("A2", 65)), "OUT_OF_RANGE", MAP + "levels[1].level"
    ),
    Row("a level far off", leveled(("A1", 2**31 - 1)), "OUT_OF_RANGE", MAP + "levels[0].level"),
    Row(
        "a base level too low",
        with_position(lambda given: setattr(given.map, "base_level", -17)),
        "OUT_OF_RANGE",
        MAP + "base_level",
        metadata={"value": "-17", "min": "-16", "max": "64"},
    ),
    Row(
        "a hex with two levels",
        leveled(("A1", 1), ("a1", 2)),
        "DUPLICATE_HEX",
        MAP + "levels[1].hex",
    ),
    Row("a level of no hex", leveled(("", 1)), "MISSING_FIELD", MAP + "levels[0].hex"),
    Row("a level of what is no hex", leveled(("7P", 1)), "UNKNOWN_HEX", MAP + "levels[0].hex"),
    Row("a level off the map", leveled(("HH1", 1)), "HEX_OFF_MAP", MAP + "levels[0].hex"),
]

LAYERS = [
    Row("a hex that is none", hillock(hexes=["P"]), "UNKNOWN_HEX", HEXES + "[0]", says='"P"'),
    Row("a hex in another script", hillock(hexes=["Б7"]), "UNKNOWN_HEX", HEXES + "[0]"),
    Row("a hex with a sign", hillock(hexes=["P-1"]), "UNKNOWN_HEX", HEXES + "[0]"),
    Row(
        "a hex with a number too long",
        hillock(hexes=["P" + "9" * 30]),
        "HEX_OFF_MAP",
        HEXES + "[0]",
    ),
    Row("a row that is not there", hillock(hexes=["P1", "P11"]), "HEX_OFF_MAP", HEXES + "[1]"),
    Row("row 0 of a whole column", hillock(hexes=["A0"]), "HEX_OFF_MAP", HEXES + "[0]"),
    Row(
        "a column that is not there",
        hillock(hexes=["HH1"]),
        "HEX_OFF_MAP",
        HEXES + "[0]",
        metadata={"hex": "HH1", "columns": "33", "rows": "10"},
    ),
    Row("a hex twice", hillock(hexes=["P1", "p1"]), "DUPLICATE_HEX", HEXES + "[1]"),
    Row("no hex at all", hillock(hexes=[""]), "MISSING_FIELD", HEXES + "[0]"),
    Row("hexes that do not touch", deir(lip_hexsides=["P6|P8"]), "UNKNOWN_HEXSIDE", SIDES + "[0]"),
    Row("a hexside of one hex", deir(lip_hexsides=["P6|P6"]), "UNKNOWN_HEXSIDE", SIDES + "[0]"),
    Row("a hexside of three", deir(lip_hexsides=["P6|P7|Q7"]), "UNKNOWN_HEXSIDE", SIDES + "[0]"),
    Row("a direction that is none", deir(lip_hexsides=["P6|E"]), "UNKNOWN_HEXSIDE", SIDES + "[0]"),
    Row("a hexside off the map", deir(lip_hexsides=["HH1|HH2"]), "HEX_OFF_MAP", SIDES + "[0]"),
    Row(
        "a hexside twice",
        deir(lip_hexsides=["P6|P7", "P7|P6"]),
        "DUPLICATE_HEXSIDE",
        SIDES + "[1]",
        metadata={"hexside": "P6|P7"},
    ),
    Row(
        "a number for a hex off the map",
        deir(deir_of={"ZZ1": 1}),
        "HEX_OFF_MAP",
        MAP + "layers[0].fields[0].hex_values.values[0].hex",
    ),
    Row("two layers of one name", with_position(twice), "DUPLICATE_LAYER", MAP + "layers[2].name"),
    Row(
        "two fields of one name",
        with_position(two_fields),
        "DUPLICATE_LAYER",
        MAP + "layers[1].fields[1].name",
    ),
    Row("a layer without a name", with_layer(v1.Layer()), "MISSING_FIELD", MAP + "layers[2].name"),
    Row(
        "a layer with too long a name",
        with_layer(v1.Layer(name="x" * 257)),
        "TOO_LONG",
        MAP + "layers[2].name",
    ),
    Row("a field of no kind", field("hexes"), "MISSING_FIELD", MAP + "layers[0].fields[0].kind"),
]

#: What only the plugins can tell.
PLUGINS = [
    Row(
        "a layer that no plugin owns",
        with_layer(ANOTHER),
        "UNKNOWN_LAYER",
        MAP + "layers[2]",
        says="ignore_layers",
        metadata={"layer": "scree"},
    ),
    Row(
        "a field that the plugin does not know",
        hillock(hexes=["P1"], slopes=["P2"]),
        "LAYER_INVALID",
        MAP + "layers[0].fields[1]",
        says="it has hexes, summit",
        metadata={"layer": "hillock", "plugin": "hillock"},
    ),
    Row(
        "hexsides where hexes should be",
        hillock(hexes=["P1|P2"]),
        "LAYER_INVALID",
        MAP + "layers[0].fields[0]",
        says="it holds hexes, not hexsides",
        metadata={"layer": "hillock", "plugin": "hillock"},
    ),
    Row(
        "a Lip Hexside that belongs to no Lip hex",
        deir(hexes=["P6", "P7"], lip_hexes=["P6"], lip_hexsides=["P5|P6", "R2|R3"]),
        "LAYER_INVALID",
        MAP + "layers[0]",
        says="R2|R3",
        metadata={"layer": "deir", "plugin": "deir"},
    ),
    Row(
        "a Lip hex that is no deir hex",
        deir(hexes=["P6"], lip_hexes=["K5"]),
        "LAYER_INVALID",
        MAP + "layers[0]",
        says="K5",
        metadata={"layer": "deir", "plugin": "deir"},
    ),
]


def kept(changed, **rest):
    """A map that is to be kept."""
    return v1.CreateMapRequest(map=changed, **rest)


def with_another():
    """The map of the example with a layer that nobody owns."""
    changed = board()
    changed.layers.append(ANOTHER)
    return changed


#: Maps that are to be kept: paths begin at the map.
KEPT = [
    Row("no map to keep", v1.CreateMapRequest(), "MISSING_FIELD", "map"),
    Row(
        "a map to keep with a hex off it",
        kept(v1.Map(levels=[v1.HexLevel(hex="HH1")])),
        "HEX_OFF_MAP",
        "map.levels[0].hex",
    ),
    Row(
        "a map to keep with an unknown layer",
        kept(with_another()),
        "UNKNOWN_LAYER",
        "map.layers[2]",
    ),
    Row(
        "a map to keep that ignores an owned layer",
        kept(with_another(), ignore_layers=["scree", "deir"]),
        "LAYER_NOT_IGNORABLE",
        "ignore_layers[1]",
        metadata={"layer": "deir"},
    ),
    Row("no id of a map", v1.GetMapRequest(), "MISSING_FIELD", "map_id"),
    Row(
        "a malformed id of a map",
        v1.GetMapRequest(map_id="7P"),
        "MAP_NOT_FOUND",
        "map_id",
        "NOT_FOUND",
    ),
    Row(
        "an unknown id of a map",
        v1.GetMapRequest(map_id="0" * 64),
        "MAP_NOT_FOUND",
        "map_id",
        "NOT_FOUND",
    ),
    Row(
        "rubbish for a page",
        v1.ListMapsRequest(page_token="7P"),
        "PAGE_TOKEN_INVALID",
        "page_token",
    ),
    Row(
        "rubbish for a page of rulesets",
        v1.ListRulesetsRequest(page_token="x"),
        "PAGE_TOKEN_INVALID",
        "page_token",
    ),
    Row(
        "an unknown ruleset",
        v1.GetRulesetRequest(ruleset_id="mine"),
        "RULESET_NOT_FOUND",
        "ruleset_id",
        "NOT_FOUND",
        metadata={"ruleset_id": "mine"},
    ),
]


def many_flaws():
    """A map with far more flaws than an error has room for."""
    strays = [f"{column}{row}|{column}{row + 1}" for column in "ACEGIKMOQ" for row in range(1, 10)]
    return deir(hexes=["S5"], lip_hexes=[], lip_hexsides=strays)


LONG = [
    Row("more flaws than an error can name", many_flaws(), "LAYER_INVALID", MAP + "layers[0]"),
    Row("a name as long as a book", hillock(hexes=["A" * 10**6]), "UNKNOWN_HEX", HEXES + "[0]"),
    Row(
        "a hex as long as a book", hillock(hexes=["A" * 10**6 + "1"]), "HEX_OFF_MAP", HEXES + "[0]"
    ),
    Row(
        "a hexside as long as a book",
        deir(lip_hexsides=["A" * 10**6 + "1|B1"]),
        "HEX_OFF_MAP",
        SIDES + "[0]",
    ),
    Row(
        "an id as long as a book",
        v1.GetMapRequest(map_id="x" * 10**6),
        "MAP_NOT_FOUND",
        "map_id",
        "NOT_FOUND",
    ),
    Row(
        "a ruleset's id as long as a book",
        v1.GetRulesetRequest(ruleset_id="x" * 10**6),
        "RULESET_NOT_FOUND",
        "ruleset_id",
        "NOT_FOUND",
    ),
]

ROWS = SIZES + LEVELS + LAYERS + PLUGINS + KEPT + LONG
