"""Attributes of counters: checked by what their plugin declares, and told to the plugins."""

from checks import Checks, same
from example import alone, position, sight
from plan import run
from stubs import v1

SQUAD = v1.COUNTER_CLASS_SQUAD


def loud(value, name="rogue.loud", hex_name="K5", **rest):
    """A squad with an attribute."""
    attribute = v1.Attribute(name=name, **({"int_value": value} if value is not None else rest))
    return v1.Counter(**{"id": "loud", "class": SQUAD, "hex": hex_name}, attributes=[attribute])


def with_counter(counter):
    """A question of a line that passes through K5, with such a counter in the position."""
    changed = position()
    changed.counters.append(counter)
    return alone(sight("K4", "K6"), changed)


def with_probe(counter):
    """The same with the counter as a probe."""
    return alone(sight("K4", "K6"), options=v1.QuestionOptions(probes=[counter]))


def reaches_its_plugin(server):
    """The value of a counter's attribute reaches the plugin, and is part of the position."""
    ids = set()
    for value in (1, 3):
        ruling = server.client.ask(with_counter(loud(value))).ruling
        same(ruling.verdict.line_of_sight.hindrance, value)
        same([seen.counter_id for seen in ruling.observations], ["loud"])
        ids.add(ruling.position_id)
    same(len(ids), 2)
    yes = server.client.ask(with_counter(loud(None, bool_value=True))).ruling
    assert yes.position_id in ids, "yes is 1"


def of_a_probe(server):
    """That of a probe reaches it too, and never adds."""
    ruling = server.client.ask(with_probe(loud(3))).ruling
    same(ruling.verdict.line_of_sight.hindrance, 0)
    seen = ruling.observations[0]
    same((seen.value, seen.hypothetical, seen.counter_id), (3, True, "loud"))


def of_both(server):
    """A probe's does not get in the way of a counter's."""
    request = with_counter(loud(2))
    probe = loud(3, hex_name="K4")
    probe.id = "another"
    request.options.probes.append(probe)
    ruling = server.client.ask(request).ruling
    same(ruling.verdict.line_of_sight.hindrance, 2)
    same(
        sorted((it.counter_id, it.value) for it in ruling.observations),
        [("another", 3), ("loud", 2)],
    )


def refused(server):
    """A value out of bounds is ATTRIBUTE_INVALID, another name UNKNOWN_ATTRIBUTE, everywhere."""
    counters = "subject.position.counters[13].attributes[0].name"
    rows = [
        (with_counter(loud(4)), "ATTRIBUTE_INVALID", counters),
        (with_counter(loud(-1)), "ATTRIBUTE_INVALID", counters),
        (with_counter(loud(1, name="rogue.quiet")), "UNKNOWN_ATTRIBUTE", counters),
        (with_counter(loud(1, name="deir.loud")), "UNKNOWN_ATTRIBUTE", counters),
        (with_probe(loud(4)), "ATTRIBUTE_INVALID", "options.probes[0].attributes"),
        (with_probe(loud(1, name="loud")), "UNKNOWN_ATTRIBUTE", "options.probes[0].attributes"),
    ]
    for request, reason, path in rows:
        refusal = server.client.refused(request).check()
        same((refusal.reason, list(refusal.fields)), (reason, [path]))
        if reason == "ATTRIBUTE_INVALID":
            same(refusal.metadata["plugin"], "rogue")


def declared(server):
    """GetRuleset shows the attribute and its bounds."""
    plugins = {plugin.plugin_id: plugin for plugin in server.client.ruleset().plugins}
    found = plugins["rogue"].counter_attributes
    same([(it.name, it.minimum, it.maximum) for it in found], [("rogue.loud", 0, 3)])
    same(found[0].type, v1.ATTRIBUTE_TYPE_INT)


run(Checks(), [reaches_its_plugin, of_a_probe, of_both, refused, declared])
