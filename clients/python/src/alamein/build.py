"""Maps, counters and positions, made in few words.

Each function makes a message of ``alamein.v1``; whoever wants more than it takes makes the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from alamein import v1

__all__ = ["counter", "layer", "map", "position"]


def map(
    layers: Iterable[v1.Layer] = (),
    *,
    columns: int = 0,
    rows: int = 0,
    base_level: int = 0,
    levels: Mapping[str, int] | None = None,
) -> v1.Map:
    """A map: a geomorphic board (33 columns of 10 rows) unless a size is given, and what lies on it.

    ``levels`` are those of hexes that differ from ``base_level``: ``{"P6": 1}``.
    """
    return v1.Map(
        board=v1.Board(columns=columns, rows=rows),
        base_level=base_level,
        levels=[v1.HexLevel(hex=hex, level=level) for hex, level in (levels or {}).items()],
        layers=layers,
    )


def layer(name: str, **fields: Iterable[str] | Mapping[str, int]) -> v1.Layer:
    """A layer of a map, such as ``layer("deir", hexes=["P6", "P7"])``.

    Each field is a list of hexes (``P6``) or of hexsides (``P6|P7``), or numbers given to them
    (``{"P6": 2}``). Which fields a layer has, its plugin says: ``Client.get_ruleset`` tells.
    """
    return v1.Layer(name=name, fields=[_field(name, content) for name, content in fields.items()])


def _field(name: str, content: Iterable[str] | Mapping[str, int]) -> v1.LayerField:
    if isinstance(content, str):
        raise TypeError(f"{name}: a list of hexes or hexsides, not the text {content!r}")
    places = list(content)
    hexsides = ["|" in place for place in places]
    if any(hexsides) and not all(hexsides):
        raise ValueError(f"{name}: hexes and hexsides do not go together in one field")
    if isinstance(content, Mapping):
        if any(hexsides):
            sides = [v1.HexsideValue(hexside=place, value=value) for place, value in content.items()]
            return v1.LayerField(name=name, hexside_values=v1.HexsideValues(values=sides))
        hexes = [v1.HexValue(hex=place, value=value) for place, value in content.items()]
        return v1.LayerField(name=name, hex_values=v1.HexValues(values=hexes))
    if any(hexsides):
        return v1.LayerField(name=name, hexsides=v1.HexsideSet(hexsides=places))
    return v1.LayerField(name=name, hexes=v1.HexSet(hexes=places))


def counter(
    id: str,
    kind: v1.CounterClass.ValueType,
    hex: str,
    side: str = "",
    *,
    aboard: str = "",
    height_half_levels: int = 0,
    flags: Iterable[v1.CounterFlag.ValueType] = (),
    attributes: Mapping[str, int | bool] | None = None,
    facing: int | None = None,
    known_to: Iterable[str] = (),
) -> v1.Counter:
    """A counter: what ``v1.Counter`` says of each field holds here.

    ``kind`` is its class, ``attributes`` is what plugins want to know of it:
    ``{"sand.low_pressure": True}``.
    """
    # The field's name is a word of the language, so a keyword argument cannot have it.
    fields = {"class": kind}
    return v1.Counter(
        id=id,
        hex=hex,
        side=side,
        aboard=aboard,
        height_half_levels=height_half_levels,
        flags=flags,
        attributes=[_attribute(name, value) for name, value in (attributes or {}).items()],
        facing=facing,
        known_to=known_to,
        **fields,
    )


def _attribute(name: str, value: int | bool) -> v1.Attribute:
    if isinstance(value, bool):
        return v1.Attribute(name=name, bool_value=value)
    return v1.Attribute(name=name, int_value=value)


def position(
    map: v1.Map | str | None = None,
    counters: Iterable[v1.Counter] = (),
    *,
    ec: v1.EnvironmentCondition.ValueType = v1.ENVIRONMENT_CONDITION_UNSPECIFIED,
    fire_lanes: Mapping[str, str] | None = None,
) -> v1.Position:
    """A position: a map, or the id of one that is kept, and what stands on it.

    Without a map it is an empty geomorphic board. ``fire_lanes`` are the hexes of Fire Lane counters by
    the ids of their machine guns. Environment Conditions that are not said are dry.
    """
    made = v1.Position(
        counters=counters,
        fire_lanes=[v1.PlacedFireLane(counter_id=gun, hex=hex) for gun, hex in (fire_lanes or {}).items()],
    )
    if ec != v1.ENVIRONMENT_CONDITION_UNSPECIFIED:
        made.environment.ec = ec
    if isinstance(map, str):
        made.map_id = map
    else:
        made.map.CopyFrom(v1.Map() if map is None else map)
    return made
