"""A server without the plugin of deirs: nothing is ruled on as if there were none."""

from checks import Checks, same
from client import Refusal
from example import alone, batch, fire, in_batch, sight
from plan import run
from stubs import v1

PATH = "subject.position.map.layers[0]"


def refused_by_name(server):
    """A map with deirs is refused by the layer, whatever is asked."""
    refusal = server.client.refused(alone(fire("H", "K"))).check()
    same((refusal.reason, refusal.metadata["layer"]), ("UNKNOWN_LAYER", "deir"))
    same(list(refusal.fields), [PATH])
    answers = server.client.ask(batch([fire("H", "K"), sight("A1", "A2")])).answers
    reasons = [Refusal.of_status(answer.error).check().reason for answer in answers]
    same(reasons, ["UNKNOWN_LAYER"] * 2)


def said_where_it_is_met(server):
    """Where the question lets it be ignored, the ruling says that the line met it."""
    options = v1.QuestionOptions(ignore_layers=["deir"])
    view = v1.VIEW_VERDICT
    ruling = server.client.ask(alone(fire("H", "K"), options=options, view=view)).ruling
    same([(each.layer, each.met) for each in ruling.ignored_layers], [("deir", True)])
    same(ruling.verdict.line_of_fire.tem, 0)
    ruling = server.client.ask(alone(fire("T1", "T2"), options=options, view=view)).ruling
    same(list(ruling.ignored_layers), [])


def other_rules(server):
    """The rules are others, and say so."""
    ruleset = server.client.ruleset()
    names = {plugin.plugin_id for plugin in ruleset.plugins}
    assert "deir" not in names and "vehicle" in names, names
    ruling = server.client.ask(batch([in_batch(sight("A1", "A2"))])).rules_fingerprint
    same(ruling, ruleset.fingerprint)


run(Checks(), [refused_by_name, said_where_it_is_met, other_rules])
