"""Bad requests: each is refused as the table says, and the next good one is answered."""

import sys
from functools import partial

import bad_batches
import bad_maps
import bad_positions
import bad_questions
import bad_rulesets
import everywhere
from checks import Checks, same
from client import Client, Refusal
from example import alone, batch, fire, in_batch, lane, position, sight, step
from stubs import v1

client = Client(sys.argv[1]).loaded()
GOOD = alone(fire("H", "K"))
ANSWER = client.ask(GOOD)


def compare(refusal, row):
    """Checks that a request was refused as the table says."""
    same((refusal.code, refusal.reason), (row.code, row.reason), str(refusal))
    refusal.check()
    same(sorted(set(refusal.fields)), sorted(row.paths), "what is at fault")
    found = {key: refusal.metadata.get(key) for key in row.metadata}
    same(found, row.metadata, "the metadata")
    assert row.says in refusal.message, f"{row.says!r} is not in {refusal.message!r}"


def refused(row):
    """Checks that a request is refused, and that the service goes on."""
    compare(client.refused(row.request), row)
    same(client.ask(GOOD), ANSWER, "the next answer")


def one_bad_question(row):
    """Checks that a bad question of a batch is refused, and those around it are answered."""
    good = in_batch(GOOD.question)
    answers = client.ask(batch([good, row.request, good])).answers
    same([answer.WhichOneof("answer") for answer in answers], ["ruling", "error", "ruling"])
    same([answers[at].ruling for at in (0, 2)], [ANSWER.ruling] * 2)
    compare(Refusal.of_status(answers[1].error), row)
    same(answers[1].tag, row.request.tag, "the tag")


def ignored():
    """A layer that no plugin owns may be ignored, and the ruling says whether the line met it."""
    changed = position()
    changed.map.layers.append(bad_positions.SCREE)
    options = v1.QuestionOptions(ignore_layers=["scree"])
    rows = [(sight("K4", "K6"), True), (sight("H", "K"), False), (lane("K3", "K7", "K4"), True)]
    for view in (v1.VIEW_FULL, v1.VIEW_VERDICT):
        for asked, met in rows:
            ruling = client.ask(alone(asked, changed, options=options, view=view)).ruling
            found = [(each.layer, each.met) for each in ruling.ignored_layers]
            expected = [("scree", met)] if met or view == v1.VIEW_FULL else []
            same(found, expected, f"what {asked} ignored")
    kept = client.ask(v1.CreatePositionRequest(position=changed, ignore_layers=["scree"]))
    ruling = client.ask(alone(sight("K4", "K6"), kept.position_id, options=options)).ruling
    same(ruling.position_id, kept.position_id)
    refusal = client.refused(alone(sight("K4", "K6"), kept.position_id)).check()
    same((refusal.reason, list(refusal.fields)), ("UNKNOWN_LAYER", ["subject.position_id"]))


def ignored_in_a_batch():
    """In a batch each question says for itself what it ignores."""
    changed = position()
    changed.map.layers.append(bad_positions.SCREE)
    asked = sight("K4", "K6")
    options = v1.QuestionOptions(ignore_layers=["scree"])
    answers = client.ask(
        batch([in_batch(asked), in_batch(asked, options=options)], changed)
    ).answers
    same([answer.WhichOneof("answer") for answer in answers], ["error", "ruling"])
    refusal = Refusal.of_status(answers[0].error).check()
    same((refusal.reason, refusal.metadata["layer"]), ("UNKNOWN_LAYER", "scree"))
    same(list(refusal.fields), ["options.ignore_layers"])


def all_at_once():
    """A batch of bad questions alone is answered, each with its own error."""
    rows = bad_batches.IN_A_BATCH
    answers = client.ask(batch([row.request for row in rows])).answers
    for answer, row in zip(answers, rows, strict=True):
        compare(Refusal.of_status(answer.error), row)


def not_implemented():
    """What no plugin implements is refused by the plugin and the rule, and never ruled on."""
    hill = position()
    hill.map.levels.add(hex="K5", level=1)
    refusal = client.refused(alone(step("K4", "K5"), hill)).check()
    same((refusal.code, refusal.reason), ("UNIMPLEMENTED", "RULE_NOT_IMPLEMENTED"))
    same((refusal.metadata["plugin"], refusal.metadata["place"]), ("ground", "K5"))
    beside = client.ask(alone(sight("L4", "L6"), hill)).ruling
    same(beside.verdict.line_of_sight.result, v1.LINE_OF_SIGHT_RESULT_CLEAR)
    same(client.ask(GOOD), ANSWER, "the next answer")


def every_enum():
    """The table leaves out no enum of a request."""
    same(everywhere.enums_met(), everywhere.all_enums())


checks = Checks()
for table in (bad_maps, bad_rulesets, bad_positions, bad_questions, bad_batches):
    for row in table.ROWS:
        checks.run(row.name, partial(refused, row), row.known)
for row in everywhere.rows():
    checks.run(row.name, partial(refused, row))
for row in bad_batches.IN_A_BATCH:
    checks.run(f"in a batch: {row.name}", partial(one_bad_question, row))
checks.run_all([every_enum, ignored, ignored_in_a_batch, all_at_once, not_implemented])
checks.end()
