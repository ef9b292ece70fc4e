"""A plugin that says all it says to the sink of its first call: every later call of it fails."""

from checks import Checks, same
from example import alone, fire, layer, position, sight
from plan import run


def fails_by_name(server):
    """The first question is ruled on, and no later one that it would have had a say in."""
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4"]}))
    asked = alone(sight("A3", "A7"), changed)
    first = server.client.ask(asked).ruling
    assert first.ruling_id
    for _ in range(5):
        refusal = server.client.refused(asked).check()
        same((refusal.reason, refusal.metadata["plugin"]), ("PLUGIN_FAILED", server.plugin))
        assert "makes no sense" in refusal.message, refusal
    assert server.client.ask(alone(fire("H", "K"), changed)).ruling.ruling_id


run(Checks(), [fails_by_name])
