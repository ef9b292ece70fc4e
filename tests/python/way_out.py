"""A plugin that misbehaves on its way out, or between calls: the service goes on."""

from checks import Checks
from client import Client
from example import alone, fire, layer, position
from plan import run

#: More maps than a server keeps ready, so that what was made of the first ones is released.
MAPS = 70


def goes_on(server):
    """Map after map is judged; if the plugin fails at last, it is named, and all is answered."""
    named = 0
    for at in range(MAPS):
        changed = position()
        changed.map.layers.append(layer("unowned", {"hexes": [f"A{1 + at % 9}", f"B{1 + at // 9}"]}))
        request = alone(fire("H", "K"), changed)
        request.options.ignore_layers.append("unowned")
        try:
            assert server.client.ask(request).ruling.ruling_id
        except Exception:
            refusal = server.client.refused(request).check()
            assert refusal.reason == "PLUGIN_FAILED", refusal
            assert refusal.metadata["plugin"] == "rogue", refusal
            named += 1
    assert named < MAPS // 2, f"it failed {named} times"
    other = Client(server.address)
    assert other.ruleset().plugins
    other.close()


run(Checks(), [goes_on])
