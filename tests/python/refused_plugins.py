"""Servers that refused a plugin: they stay up, judge nothing, and say which plugin and why."""

from checks import Checks, same
from example import about, alone, batch, board, fire, in_batch, lane, position, sight, step
from plan import run
from stubs import v1

USUAL = {"deir", "entrenchment", "ground", "hillock", "sight", "vehicle"}

#: Everything that needs rules.
JUDGING = {
    "LineOfSight": alone(sight("J", "H")),
    "LineOfFire": alone(fire("H", "K")),
    "FireLane": alone(lane("E", "S10", "R8")),
    "Movement": alone(step("P6", "O6")),
    "BatchAdjudicate": batch([sight("A1", "A2")]),
    "ExportCase": v1.ExportCaseRequest(subject=about(None), questions=[in_batch(sight("J", "H"))]),
    "a bad question": v1.LineOfSightRequest(),
    "CreateMap": v1.CreateMapRequest(map=board()),
    "CreatePosition": v1.CreatePositionRequest(position=position()),
}


def judges_nothing(server):
    """Every question is refused, with the plugin and the reason."""
    for name, request in JUDGING.items():
        refusal = server.client.refused(request)
        same((refusal.code, refusal.reason), ("FAILED_PRECONDITION", server.refusal), name)
        assert refusal.domain == "alamein", refusal
        same(refusal.metadata.get("plugin"), server.plugin, f"the plugin that {name} names")
        assert server.says in refusal.message, f"{server.says!r} is not in {refusal.message!r}"
        if server.plugin:
            assert server.plugin in refusal.message, refusal


def lists_it(server):
    """GetRuleset tells what became of each plugin."""
    ruleset = server.client.ruleset()
    same((ruleset.ruleset_id, ruleset.fingerprint), ("default", ""))
    plugins = list(ruleset.plugins)
    states = {plugin.state for plugin in plugins}
    assert states <= {v1.PLUGIN_STATE_REFUSED}, f"none judges: {plugins}"
    assert all(plugin.state_reason for plugin in plugins), plugins
    same([plugin.plugin_id for plugin in plugins], sorted(plugin.plugin_id for plugin in plugins))
    if server.plugin is None:
        return
    its = [plugin for plugin in plugins if plugin.plugin_id == server.plugin]
    assert any(server.says in plugin.state_reason for plugin in its), f"{its} say not {server.says}"
    assert all(server.reason in plugin.state_reason for plugin in its), its
    names = {plugin.plugin_id for plugin in plugins}
    assert names >= {*USUAL, server.plugin}, names


def stays_up(server):
    """What needs no rules is answered, and health says that the rest is not."""
    client = server.client
    for service in ("", "alamein.v1.AdjudicationService", "alamein.v1.RulesetService"):
        same(client.health(service), "NOT_SERVING", f"the health of {service!r}")
    same(list(client.ask(v1.ListMapsRequest()).maps), [])
    refusal = client.refused(v1.GetPositionRequest(position_id="0" * 64)).check()
    same(refusal.reason, "POSITION_NOT_FOUND")
    summaries = client.ask(v1.ListRulesetsRequest()).rulesets
    same([each.ruleset_id for each in summaries], [])
    same(client.refused(v1.GetRulesetRequest(ruleset_id="x")).reason, "RULESET_NOT_FOUND")


run(Checks(), [judges_nothing, stays_up, lists_it])
