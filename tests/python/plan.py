"""What a test tells a script on its input: several servers, and what is to be found there."""

import json
import sys
from functools import partial
from types import SimpleNamespace

from client import Client


def servers():
    """Each server of the plan: its name, what is expected, and a client."""
    for row in json.load(sys.stdin):
        expected = {"plugin": None, "reason": "", "says": "", "asked": "", "poisoned": False}
        expected["refusal"] = "PLUGIN_REFUSED"
        expected |= row
        yield SimpleNamespace(client=Client(row["address"]), **expected)


def loaded(client):
    """Waits until a server has loaded its rules, or refused them."""
    client.loaded()


def run(checks, functions, wait=loaded):
    """Runs functions on each server of the plan, once `wait` is over, and ends the script."""
    for server in servers():
        wait(server.client)
        for function in functions:
            name = f"{server.name}: {function.__doc__.splitlines()[0]}"
            checks.run(name, partial(function, server))
        server.client.close()
    checks.end()
