"""Plugins that take their time: they are waited for, and no longer than a deadline allows."""

import time

from checks import Checks, same
from example import alone, fire, layer, position, sight, step
from plan import run
from stubs import v1


def late(server):
    """While rules are loaded health says NOT_SERVING and questions are UNAVAILABLE; then not."""
    client = server.client
    same(client.health(), "NOT_SERVING")
    for asked in (alone(fire("H", "K")), v1.GetRulesetRequest(), v1.CreateMapRequest(map=v1.Map())):
        refusal = client.refused(asked).check()
        same((refusal.code, refusal.reason), ("UNAVAILABLE", "RULESET_NOT_READY"))
        assert "RetryInfo" in refusal.details, refusal
    same(list(client.ask(v1.ListMapsRequest()).maps), [])
    client.loaded()
    end = time.monotonic() + 10
    while client.health() == "NOT_SERVING":
        assert time.monotonic() < end, "its rules are loaded, and it does not serve"
        time.sleep(0.05)
    same(client.ask(alone(fire("H", "K"))).ruling.verdict.line_of_fire.total_drm, 2)


def slow(server):
    """A plugin that sleeps through a deadline: DEADLINE_EXCEEDED in time, and later an answer."""
    server.client.loaded()
    # It sleeps once a line. The verdict alone needs no lines under other policies.
    request = alone(fire("H", "K"), view=v1.VIEW_VERDICT)
    for _ in range(2):
        start = time.monotonic()
        same(server.client.refused(request, timeout=0.3).code, "DEADLINE_EXCEEDED")
        assert time.monotonic() - start < 2, "it waited for the plugin"
    same(server.client.ask(alone(step("P6", "O6"))).ruling.verdict.movement.total, 2)
    same(server.client.ask(request, timeout=60).ruling.verdict.line_of_fire.total_drm, 2)


def waiting(server):
    """A plugin that works until its time is up: DEADLINE_EXCEEDED, and others are answered."""
    server.client.loaded()
    changed = position()
    changed.map.layers.append(layer("fog", {"hexes": ["A4"]}))
    for _ in range(5):
        refusal = server.client.refused(alone(sight("A3", "A7"), changed), timeout=0.5)
        same(refusal.code, "DEADLINE_EXCEEDED")
        if refusal.reason:
            same(refusal.check().metadata["set_by"], "client")
    same(server.client.ask(alone(fire("H", "K"), changed)).ruling.verdict.line_of_fire.total_drm, 2)


CHECKS = {"create": late, "judge": slow, "fog": waiting}


def in_time(server):
    """A slow plugin is waited for, and no longer than a deadline allows."""
    CHECKS[server.slow](server)


run(Checks(), [in_time], wait=lambda client: None)
