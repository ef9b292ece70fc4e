"""A plugin that ends the process: its clients are told UNAVAILABLE, and another process answers."""

import json
import sys

from checks import same
from client import Client
from example import alone, fire, step

client = Client(sys.argv[1]).loaded()
ends = json.load(sys.stdin)["ends"]
# What does not reach it where it ends the process is answered by either.
same(client.ask(alone(step("P6", "O6"))).ruling.verdict.movement.total, 2)
if ends:
    same(client.refused(alone(fire("H", "K"))).code, "UNAVAILABLE")
else:
    same(client.ask(alone(fire("H", "K"))).ruling.verdict.line_of_fire.total_drm, 2)
