"""Case files, read into the API's messages. ``crates/cases`` says what they may hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alamein import ask, build, v1

Json = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """What the plugins of a ruleset say of case files."""

    layers: Mapping[str, Mapping[str, v1.LayerFieldKind.ValueType]]
    """The fields of each layer that a plugin owns, in their order."""
    reports: Mapping[tuple[str, str], Sequence[tuple[str, v1.ReportValue.ValueType]]]
    """The keys under which each rule of a plugin reports, and how their values come about."""

    @staticmethod
    def of(ruleset: v1.Ruleset) -> Known:
        """What a ruleset says."""
        layers = {
            layer.name: {field.name: field.kind for field in layer.fields}
            for plugin in ruleset.plugins
            for layer in plugin.layers
        }
        reports = {
            (plugin.plugin_id, rule.rule_id): [(report.key, report.value) for report in rule.reports]
            for plugin in ruleset.plugins
            for rule in plugin.rules
        }
        return Known(layers, reports)


@dataclass(frozen=True)
class CaseQuestion:
    """A question of a case, and what the file expects."""

    id: str
    raw: Json
    message: v1.Question | None
    """As the API asks it; None if nothing answers questions of its kind."""

    @property
    def expected(self) -> Json | None:
        """The answer that is expected, if one is."""
        return self.raw.get("expect")

    @property
    def others(self) -> Json:
        """The answers that are expected under other grazing policies, by their names."""
        return self.raw.get("expect_other_policies") or {}


@dataclass(frozen=True)
class Case:
    """What a case file holds."""

    file: str
    position: v1.Position
    questions: Sequence[CaseQuestion]
    options: Mapping[str, Json]
    """The options of plugins under which it wants to be judged."""


def number(kind: Any, word: str) -> Any:
    """The number of an enum that a case's word stands for."""
    prefix = "".join(f"_{sign}" if sign.isupper() else sign.upper() for sign in kind.DESCRIPTOR.name)[1:]
    return kind.Value(f"{prefix}_{word.upper()}")


def _class(word: str) -> v1.CounterClass.ValueType:
    made: v1.CounterClass.ValueType = number(v1.CounterClass, "squad" if word == "infantry" else word)
    return made


def load(path: Path, known: Known) -> Case:
    """Reads a case file."""
    raw: Json = json.loads(path.read_text())
    layers = raw["map"].get("layers") or {}
    unowned = [name for name in layers if name not in known.layers]
    counters = [_counter(counter) for counter in raw.get("counters") or []]
    position = build.position(
        _map(raw["map"], known),
        counters,
        ec=number(v1.EnvironmentCondition, raw.get("ec") or "dry"),
        fire_lanes={lane["mg"]: lane["hex"] for lane in raw.get("fire_lanes") or []},
    )
    settings = raw.get("alamein") or {}
    reader = _Reader(known, unowned, {counter.id for counter in counters}, settings.get("policy"))
    questions = [CaseQuestion(one["id"], one, reader.question(one)) for one in raw.get("questions") or []]
    return Case(str(path), position, questions, settings.get("options") or {})


def _map(raw: Json, known: Known) -> v1.Map:
    board = raw.get("board") or "33x10 geomorphic"
    if isinstance(board, str):
        columns, rows = (int(side) for side in board.split()[0].split("x"))
    else:
        columns, rows = board["columns"], board["rows"]
    layers = [_layer(name, content, known) for name, content in (raw.get("layers") or {}).items()]
    return build.map(
        layers, columns=columns, rows=rows, base_level=raw.get("base_level") or 0, levels=raw.get("levels")
    )


def _layer(name: str, content: Any, known: Known) -> v1.Layer:
    fields = known.layers.get(name)
    if isinstance(content, list):
        if fields is not None:
            first = next(iter(fields), None)
            return v1.Layer(name=name, fields=[_field(first, content, fields[first])] if first else [])
        kind = _looks_like(content)
        usual = "hexsides" if kind == v1.LAYER_FIELD_KIND_HEXSIDES else "hexes"
        return v1.Layer(name=name, fields=[_field(usual, content, kind)])
    made = []
    for field, values in content.items():
        if isinstance(values, dict) and values.get("kind") and "values" in values:
            made.append(_field(field, values["values"], number(v1.LayerFieldKind, values["kind"])))
        else:
            made.append(_field(field, values, fields[field] if fields else _looks_like(values)))
    return v1.Layer(name=name, fields=made)


def _looks_like(content: Any) -> v1.LayerFieldKind.ValueType:
    hexsides = "|" in next(iter(content), "")
    if isinstance(content, dict):
        return v1.LAYER_FIELD_KIND_HEXSIDE_VALUES if hexsides else v1.LAYER_FIELD_KIND_HEX_VALUES
    return v1.LAYER_FIELD_KIND_HEXSIDES if hexsides else v1.LAYER_FIELD_KIND_HEXES


def _field(name: str, content: Any, kind: v1.LayerFieldKind.ValueType) -> v1.LayerField:
    if kind == v1.LAYER_FIELD_KIND_HEXES:
        return v1.LayerField(name=name, hexes=v1.HexSet(hexes=dict.fromkeys(content)))
    if kind == v1.LAYER_FIELD_KIND_HEXSIDES:
        return v1.LayerField(name=name, hexsides=v1.HexsideSet(hexsides=dict.fromkeys(content)))
    if kind == v1.LAYER_FIELD_KIND_HEX_VALUES:
        hexes = [v1.HexValue(hex=hex, value=value) for hex, value in content.items()]
        return v1.LayerField(name=name, hex_values=v1.HexValues(values=hexes))
    sides = [v1.HexsideValue(hexside=side, value=value) for side, value in content.items()]
    return v1.LayerField(name=name, hexside_values=v1.HexsideValues(values=sides))


def _counter(raw: Json) -> v1.Counter:
    flags = [
        flag
        for name, flag in v1.CounterFlag.items()
        if flag and raw.get(name.removeprefix("COUNTER_FLAG_").lower())
    ]
    return build.counter(
        raw["id"],
        _class(raw["class"]),
        raw["hex"],
        raw.get("side") or "",
        aboard=raw.get("aboard") or "",
        height_half_levels=raw.get("height") or 0,
        flags=flags,
        attributes=raw.get("attributes"),
        facing=raw.get("facing"),
        known_to=raw.get("known_to") or (),
    )


@dataclass(frozen=True)
class _Reader:
    known: Known
    unowned: Sequence[str]
    counters: set[str]
    policy: str | None

    def question(self, raw: Json) -> v1.Question | None:
        """A question as the API asks it."""
        probes = [_counter(probe) for probe in raw.get("probes") or []]
        ignored = {*self.unowned, *(raw.get("ignore_layers") or [])} - set(self.known.layers)
        policy = raw.get("policy") or self.policy or "UNSPECIFIED"
        options = ask.options(
            grazing_policy=number(v1.GrazingPolicy, policy), probes=probes, ignore_layers=sorted(ignored)
        )
        reader = _Reader(self.known, self.unowned, self.counters | {probe.id for probe in probes}, None)
        message = reader.ask(raw)
        if message is not None:
            message.options.CopyFrom(options)
            message.tag = raw["id"]
        return message

    def ask(self, raw: Json) -> v1.Question | None:
        """The same without what every question may have."""
        match raw["kind"]:
            case "line_of_sight":
                return ask.line_of_sight(self.end(raw["from"]), self.end(raw["to"]))
            case "line_of_fire":
                attack = raw.get("attack") or "direct"
                munition = raw.get("munition") or "other"
                return ask.line_of_fire(
                    self.end(raw["from"]),
                    self.end(raw["to"]),
                    number(v1.AttackKind, {"indirect": "mortar"}.get(attack, attack)),
                    munition=number(v1.Munition, {"other": "unspecified"}.get(munition, munition)),
                )
            case "fire_lane":
                mover = number(v1.LaneMover, raw["mover"])
                lane = raw.get("counter_hex") or ""
                return ask.fire_lane(self.end(raw["mg"]), raw["mover_hex"], mover, counter_hex=lane)
            case "movement":
                step = ask.enter(raw["from"], raw["to"], way=_way(raw))
                return ask.movement(_mover(raw["mover"]), step, ec=_ec(raw))
            case "vca_change":
                entered = raw.get("entered_from") or ""
                turn = ask.turn(raw["hex"], raw["hexsides"], entered_from=entered, way=_way(raw))
                return ask.movement(_mover(raw["mover"]), turn, ec=_ec(raw))
            case "setup":
                return ask.set_up(raw["hex"], _piece(raw))
        return None

    def end(self, raw: str | Json) -> v1.End:
        """An end: a counter's id, or else a hex; or an object that says which, and a corner."""
        if isinstance(raw, str):
            return ask.unit(raw) if raw in self.counters else ask.at(raw)
        if raw.get("counter"):
            return ask.unit(raw["counter"], corner=raw.get("corner"))
        return ask.at(raw["hex"], corner=raw.get("corner"))


def _way(raw: Json) -> v1.Way.ValueType:
    way: v1.Way.ValueType = number(v1.Way, raw.get("along") or "unspecified")
    return way


def _ec(raw: Json) -> v1.EnvironmentCondition.ValueType:
    ec: v1.EnvironmentCondition.ValueType = number(v1.EnvironmentCondition, raw.get("ec") or "unspecified")
    return ec


def _mover(raw: Json) -> v1.Mover:
    return ask.mover(
        _class(raw["class"]),
        ground_pressure=number(v1.GroundPressure, raw.get("ground_pressure") or "unspecified"),
        weight_tons=raw.get("weight_tons"),
        british_built=bool(raw.get("british_built")),
    )


def _piece(raw: Json) -> v1.SetUpUnit | v1.Fortification.ValueType:
    what = raw["what"]
    if f"FORTIFICATION_{what.upper()}" in v1.Fortification.keys():  # noqa: SIM118 - it is no dictionary
        fortification: v1.Fortification.ValueType = number(v1.Fortification, what)
        return fortification
    concealment = raw.get("concealment") or "unconcealed"
    concealment = {"unconcealed": "unspecified"}.get(concealment, concealment)
    return ask.set_up_unit(
        _class(what),
        concealment=number(v1.Concealment, concealment),
        beneath=number(v1.Fortification, raw.get("beneath") or "unspecified"),
    )
