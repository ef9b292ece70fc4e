"""A plugin that objects to a map in thousands of words: the error fits, and names it."""

from checks import Checks, same
from example import alone, fire, layer, position
from plan import run
from stubs import v1


def told_in_short(server):
    """The map is refused whoever asks, with the plugin, the layer and the first objections."""
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4", "A6"]}))
    requests = [
        (alone(fire("H", "K"), changed), "subject.position.map.layers[2]"),
        (v1.CreateMapRequest(map=changed.map), "map.layers[2]"),
        (v1.CreatePositionRequest(position=changed), "position.map.layers[2]"),
    ]
    for request, path in requests:
        refusal = server.client.refused(request).check()
        same((refusal.reason, refusal.metadata["plugin"]), ("LAYER_INVALID", "fog-bank"))
        same(refusal.metadata["layer"], "fog")
        assert path in refusal.fields, refusal
        assert "A1: too foggy" in refusal.message, refusal


def answers_others(server):
    """Without its layer it objects too, for it is always in a bad mood: no ruling is given."""
    same(server.client.refused(alone(fire("H", "K"))).reason, "LAYER_INVALID")
    same(server.client.health(), "SERVING")


run(Checks(), [told_in_short, answers_others])
