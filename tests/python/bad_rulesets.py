"""Bad requests about rulesets, and requests that name one that is not there."""

from example import alone, batch, fire, in_batch, position, sight
from rows import Row
from stubs import v1

NOWHERE = "0123456789abcdef" * 4


def plugin(plugin_id, **fields):
    """A plugin that a ruleset requires."""
    return v1.PluginRequirement(plugin_id=plugin_id, **fields)


def spec(*plugins, name="club"):
    """What a ruleset is to be made of."""
    return v1.RulesetSpec(name=name, plugins=plugins)


def create(*plugins, tags=(), **fields):
    """Asks to make a ruleset; nothing is kept if it should be made after all."""
    made = spec(*plugins, **fields)
    return v1.CreateRulesetRequest(spec=made, tags=tags, validate_only=True)


def named(request, ruleset):
    """The same request, which names a ruleset."""
    request.ruleset = ruleset
    return request


NOT_THERE = [
    Row(
        f"{type(request).__name__}: a ruleset that is not there",
        request,
        "RULESET_NOT_FOUND",
        "ruleset",
        "NOT_FOUND",
        metadata={"ruleset_id": "no-such-club"},
    )
    for request in [
        named(alone(sight("H", "K")), "no-such-club"),
        named(alone(fire("H", "K")), "no-such-club"),
        named(batch([in_batch(sight("H", "K"))]), "no-such-club"),
        named(v1.CreatePositionRequest(position=position()), "no-such-club"),
        named(v1.CreateMapRequest(map=position().map), "no-such-club"),
        named(v1.ValidateMapRequest(map=position().map), "no-such-club"),
        named(v1.RenderMapRequest(map=position().map), "no-such-club"),
    ]
] + [
    Row(
        "rules that are not here",
        named(alone(sight("H", "K")), NOWHERE),
        "RULESET_NOT_AVAILABLE",
        "ruleset",
        "FAILED_PRECONDITION",
        metadata={"rules_fingerprint": NOWHERE},
    ),
    Row(
        "a ruleset that has other rules by now",
        named(alone(sight("H", "K"), rules_fingerprint=NOWHERE), "default"),
        "RULESET_NOT_AVAILABLE",
        "rules_fingerprint",
        "FAILED_PRECONDITION",
    ),
    Row(
        "a difference from nothing",
        v1.DiffRulesetsRequest(before="default", after="nobody"),
        "RULESET_NOT_FOUND",
        "after",
        "NOT_FOUND",
    ),
    Row(
        "conflicts of nothing",
        v1.ListConflictsRequest(ruleset_id="nobody"),
        "RULESET_NOT_FOUND",
        "ruleset_id",
        "NOT_FOUND",
    ),
]

MADE = [
    Row("a ruleset of nothing", v1.CreateRulesetRequest(), "MISSING_FIELD", "source"),
    Row("conflicts without a source", v1.ListConflictsRequest(), "MISSING_FIELD", "source"),
    Row("no name", create(plugin("deir"), name=""), "MISSING_FIELD", "spec.name"),
    Row("a plugin without an id", create(plugin("")), "MISSING_FIELD", "spec.plugins[0].plugin_id"),
    Row("a long name", create(name="x" * 1000), "TOO_LONG", "spec.name"),
    Row(
        "a name that is none",
        create(plugin("deir"), name="Our Club"),
        "INVALID_NAME",
        "spec.name",
        metadata={"field": "spec.name"},
    ),
    Row(
        "a plugin twice",
        create(plugin("deir"), plugin("deir")),
        "RULESET_INVALID",
        "spec.plugins[1].plugin_id",
    ),
    Row(
        "a version that is none",
        create(plugin("deir", version="one")),
        "RULESET_INVALID",
        "spec.plugins[0].version",
    ),
    Row(
        "a build that is none",
        create(plugin("deir", build_sha256="ab")),
        "RULESET_INVALID",
        "spec.plugins[0].build_sha256",
    ),
    Row(
        "options that are no object",
        create(plugin("deir", options_json="[1]")),
        "RULESET_INVALID",
        "spec.plugins[0].options_json",
    ),
    Row(
        "options that the plugin's schema does not accept",
        create(plugin("deir", options_json='{"cavalry_target": "horse"}')),
        "OPTION_INVALID",
        "plugins.deir.options.cavalry_target",
        metadata={"plugin": "deir", "path": "cavalry_target"},
    ),
    Row(
        "a plugin that is not there",
        create(plugin("deirs")),
        "PLUGIN_NOT_AVAILABLE",
        (),
        "FAILED_PRECONDITION",
        says="did you mean deir?",
        metadata={"plugin": "deirs"},
    ),
    Row(
        "a version that is not there",
        create(plugin("deir", version="^99")),
        "PLUGIN_NOT_AVAILABLE",
        (),
        "FAILED_PRECONDITION",
        metadata={"plugin": "deir", "requirement": "version ^99"},
    ),
    Row(
        "a file that is none",
        v1.CreateRulesetRequest(toml="name = \n"),
        "RULESET_INVALID",
        "toml",
    ),
    Row(
        "a file with a field at fault",
        v1.ListConflictsRequest(json='{"name": "club", "plugins": 3}'),
        "RULESET_INVALID",
        "json.plugins",
        metadata={"path": "plugins"},
    ),
    Row(
        "a file as long as a library",
        v1.CreateRulesetRequest(toml="#" * (2 << 20)),
        "TOO_LONG",
        "toml",
    ),
    Row("a tag that is none", create(plugin("deir"), tags=["2026"]), "INVALID_NAME", "tags"),
    Row(
        "a tag that is a name",
        v1.TagRulesetRequest(tag="default"),
        "TAG_TAKEN",
        "tag",
        "ALREADY_EXISTS",
    ),
    Row(
        "a tag moved from where it is not",
        v1.TagRulesetRequest(tag="spring", moved_from=NOWHERE),
        "TAG_TAKEN",
        "moved_from",
        "ALREADY_EXISTS",
    ),
]

ROWS = NOT_THERE + MADE
