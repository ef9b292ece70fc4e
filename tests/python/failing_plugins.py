"""Servers with a plugin that fails at work: the error names it, and nothing is ruled without it."""

from concurrent.futures import ThreadPoolExecutor

from checks import Checks, same
from client import Client, Refusal
from example import alone, batch, fire, in_batch, layer, position, sight, step
from plan import run
from stubs import v1

FOG = layer("fog", {"hexes": ["A4", "A6"]})
STEP = step("P6", "O6")

#: What reaches the plugin where it fails, by what the plan says.
REACHING = {"map": fire("H", "K"), "line": fire("H", "K"), "step": STEP, "fog": sight("A3", "A7")}
#: What does not.
HARMLESS = {"line": STEP, "step": fire("H", "K"), "fog": fire("H", "K")}


def given(server):
    """The position of the example, with fog where that is what the plugin knows."""
    changed = position()
    if server.plugin == "fog-bank":
        changed.map.layers.append(FOG)
    return changed


def ask(server, question):
    """Asks a question."""
    return server.client.ask(alone(question, given(server))).ruling


def failed(server, question, poisoned=False):
    """Asks a question that the plugin must fail."""
    refusal = server.client.refused(alone(question, given(server))).check()
    same((refusal.code, refusal.reason), ("INTERNAL", "PLUGIN_FAILED"))
    same(refusal.metadata["plugin"], server.plugin)
    says = "out of use" if poisoned else server.says
    assert says in refusal.message and server.plugin in refusal.message, refusal
    assert "the rogue panics" not in refusal.message, f"it tells what is the log's: {refusal}"


def works_until_then(server):
    """It is in force, and what does not reach it where it fails is ruled on."""
    same(server.client.health(), "SERVING")
    states = {plugin.plugin_id: plugin.state for plugin in server.client.ruleset().plugins}
    same(states[server.plugin], v1.PLUGIN_STATE_ACTIVE)
    same(set(states.values()), {v1.PLUGIN_STATE_ACTIVE})
    if server.asked in HARMLESS:
        assert ask(server, HARMLESS[server.asked]).ruling_id


def fails_by_name(server):
    """The question that reaches it is answered with its name, alone and in a batch."""
    question = REACHING[server.asked]
    before = server.client.ruleset().fingerprint
    failed(server, question)
    for _ in range(3):
        failed(server, question, poisoned=server.poisoned)
    if server.asked != "map":
        request = batch([question, in_batch(sight("Z", "K"), tag="bad")], given(server))
        answers = server.client.ask(request).answers
        reasons = [Refusal.of_status(answer.error).check().reason for answer in answers]
        same(reasons, ["PLUGIN_FAILED", "UNKNOWN_COUNTER"])
    same(server.client.ruleset().fingerprint, before)


def tells_its_state(server):
    """GetRuleset says FAILED and why, of a plugin that panicked, and ACTIVE of the rest."""
    for plugin in server.client.ruleset().plugins:
        is_out = server.poisoned and plugin.plugin_id == server.plugin
        expected = v1.PLUGIN_STATE_FAILED if is_out else v1.PLUGIN_STATE_ACTIVE
        same(plugin.state, expected, f"the state of {plugin.plugin_id}")
        same(bool(plugin.state_reason), is_out, f"whether {plugin.plugin_id} has a reason")


def goes_on(server):
    """What needs no plugin is answered; what a poisoned one would have a part in is not."""
    same(list(server.client.ask(v1.ListMapsRequest()).maps), [])
    refusal = server.client.refused(v1.GetMapRequest(map_id="0" * 64)).check()
    same(refusal.reason, "MAP_NOT_FOUND")
    if server.poisoned and server.plugin != "fog-bank":
        for question in (STEP, fire("H", "K"), sight("J", "G")):
            failed(server, question, poisoned=True)
    elif server.asked in HARMLESS and server.plugin == "fog-bank":
        assert ask(server, HARMLESS[server.asked]).ruling_id


def all_at_once(server):
    """A hundred requests at once are all answered, and none with a ruling."""
    question = REACHING[server.asked]
    connections = [Client(server.address) for _ in range(2)]
    request = alone(question, given(server))
    with ThreadPoolExecutor(100) as pool:
        asked = pool.map(lambda at: connections[at % 2].refused(request, timeout=60), range(100))
        reasons = {refusal.reason for refusal in asked}
    same(reasons, {"PLUGIN_FAILED"})
    for connection in connections:
        connection.close()


run(Checks(), [works_until_then, fails_by_name, tells_its_state, goes_on, all_at_once])
