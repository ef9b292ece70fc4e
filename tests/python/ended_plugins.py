"""A server that was started again after a plugin had ended it: what does not reach it is answered."""

import sys

from checks import same
from client import Client
from example import alone, step

client = Client(sys.argv[1]).loaded()
same(client.ask(alone(step("P6", "O6"))).ruling.verdict.movement.total, 2)
