"""A plugin in C judges beside those in Rust: its Hindrances add to theirs."""

from checks import Checks, same
from example import alone, fire, layer, position, sight
from plan import run
from stubs import v1


def hinders(server):
    """Two hexes of fog are a Hindrance of 2, and of its TEM the ruling says whose it is."""
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4", "A6"]}))
    ruling = server.client.ask(alone(fire("A3", "A7"), changed)).ruling
    verdict = ruling.verdict.line_of_fire
    same((verdict.line.hindrance, verdict.tem, verdict.total_drm), (2, 2, 4))
    same({seen.plugin_id for seen in ruling.observations}, {"fog-bank"})
    same([claim.plugin_id for claim in verdict.tem_claims], ["fog-bank"])


def owns_its_layer(server):
    """GetRuleset shows it with its digest, and its layer may not be ignored."""
    plugins = {plugin.plugin_id: plugin for plugin in server.client.ruleset().plugins}
    fog = plugins["fog-bank"]
    same((fog.version, fog.linkage, len(fog.build_sha256)), ("1.2.3", v1.PLUGIN_LINKAGE_LOADED, 64))
    same([each.name for each in fog.layers], ["fog"])
    same([rule.number for rule in fog.rules], ["X1", "X2", "X3"])
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4"]}))
    options = v1.QuestionOptions(ignore_layers=["fog"])
    refusal = server.client.refused(alone(sight("A3", "A7"), changed, options=options)).check()
    same((refusal.reason, refusal.metadata["layer"]), ("LAYER_NOT_IGNORABLE", "fog"))


run(Checks(), [hinders, owns_its_layer])
