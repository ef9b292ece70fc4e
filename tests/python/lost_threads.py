"""A plugin that does not come back: it is named, and at the cap of lost threads health says so."""

import time
from concurrent.futures import ThreadPoolExecutor

from checks import Checks, same
from client import Client
from example import alone, fire, sight, step
from plan import run
from stubs import v1

DOING = "judging lines"


def names_it(server):
    """Who waits for it is told which plugin it is, and what it was doing."""
    assert server.client.ask(alone(step("P6", "O6"))).ruling.ruling_id
    with ThreadPoolExecutor(2) as pool:
        asked = alone(fire("H", "K"))
        refusals = list(pool.map(lambda _: server.client.refused(asked, timeout=30), range(2)))
    for refusal in refusals:
        refusal.check()
        same((refusal.code, refusal.reason), ("INTERNAL", "PLUGIN_FAILED"))
        same(refusal.metadata["plugin"], "rogue")
        assert DOING in refusal.message, refusal


def is_marked(server):
    """GetRuleset says FAILED and why."""
    states = {it.plugin_id: (it.state, it.state_reason) for it in server.client.ruleset().plugins}
    same(states["rogue"][0], v1.PLUGIN_STATE_FAILED)
    assert DOING in states["rogue"][1], states["rogue"]
    same({state for id, (state, _) in states.items() if id != "rogue"}, {v1.PLUGIN_STATE_ACTIVE})


def stops_judging(server):
    """Both threads are lost, which is the cap: NOT_SERVING and UNAVAILABLE, and the rest goes on."""
    end = time.monotonic() + 10
    while server.client.health() != "NOT_SERVING":
        assert time.monotonic() < end, "it serves"
        time.sleep(0.05)
    refusal = server.client.refused(alone(sight("J", "G"))).check()
    same((refusal.code, refusal.reason), ("UNAVAILABLE", "THREADS_LOST"))
    same(refusal.metadata["plugins"], "rogue")
    same(list(server.client.ask(v1.ListMapsRequest()).maps), [])


run(Checks(), [names_it, is_marked, stops_judging])
