"""A plugin that works until its time is up: the server's own limit is told, and the plugin's name."""

from checks import Checks, same
from example import alone, fire, layer, position, sight
from plan import run


def names_it(server):
    """The server's limit passes, not the client's; the plugin is named, and judges on."""
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4"]}))
    for _ in range(3):
        refusal = server.client.refused(alone(sight("A3", "A7"), changed), timeout=30).check()
        same((refusal.code, refusal.reason), ("DEADLINE_EXCEEDED", "DEADLINE"))
        same(refusal.metadata["set_by"], "server")
        same(refusal.metadata["plugin"], "fog-bank")
    assert server.client.ask(alone(fire("H", "K"), changed)).ruling.ruling_id


run(Checks(), [names_it])
