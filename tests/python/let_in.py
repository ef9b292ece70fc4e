"""Plugins that are let in: the ruleset tells by which right each is, and they judge."""

from checks import Checks, same
from example import alone, fire
from plan import run
from stubs import v1


def says_why(server):
    """GetRuleset tells of each plugin why it was let in."""
    plugins = {plugin.plugin_id: plugin for plugin in server.client.ruleset().plugins}
    same({plugin.state for plugin in plugins.values()}, {v1.PLUGIN_STATE_ACTIVE})
    for plugin, trust in server.trust.items():
        same(plugins[plugin].trust, trust, f"why {plugin} is let in")
    same(server.client.ask(alone(fire("H", "K"))).ruling.verdict.line_of_fire.total_drm, 2)


run(Checks(), [says_why])
