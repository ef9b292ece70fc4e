"""Bad batches, and bad questions in good ones."""

from bad_positions import SCREE, counter
from bad_questions import PROBE, UNKNOWN, turning
from example import about, alone, batch, fire, in_batch, lane, position, sight, step
from rows import Row
from stubs import v1

GOOD = in_batch(sight("K", "L"))


def export(questions=(GOOD,), subject=None, **rest):
    """A case to be exported."""
    return v1.ExportCaseRequest(subject=about(subject), questions=list(questions), **rest)


def with_scree():
    """The example with a layer that no plugin owns."""
    changed = position()
    changed.map.layers.append(SCREE)
    return changed


BATCHES = [
    Row("a batch of nothing", batch([]), "MISSING_FIELD", "questions"),
    Row(
        "a batch that is too large",
        batch([v1.Question()] * 10_001),
        "BATCH_TOO_LARGE",
        "questions",
        metadata={"questions": "10001", "max": "10000"},
    ),
    Row("a case of nothing", export([]), "MISSING_FIELD", "questions"),
    Row(
        "a case with a bad question",
        export([GOOD, in_batch(sight("Z", "K"))]),
        "UNKNOWN_COUNTER",
        "questions[1].line_of_sight.from.counter_id",
    ),
    Row(
        "a case with a question without one",
        export([v1.Question()]),
        "MISSING_FIELD",
        "questions[0].question",
    ),
    Row(
        "a case with an unknown layer",
        export(subject=with_scree()),
        "UNKNOWN_LAYER",
        "questions[0].options.ignore_layers",
    ),
    Row(
        "a case that ignores an owned layer",
        export([in_batch(sight("K", "L"), options=v1.QuestionOptions(ignore_layers=["deir"]))]),
        "LAYER_NOT_IGNORABLE",
        "questions[0].options.ignore_layers[0]",
    ),
    Row(
        "a case with spaces in its name",
        export(case_id="a case"),
        "INVALID_NAME",
        "case_id",
    ),
    Row(
        "a case that is a path",
        export(case_id="../../etc/passwd"),
        "INVALID_NAME",
        "case_id",
    ),
    Row("a case with too long a name", export(case_id="x" * 65), "TOO_LONG", "case_id"),
    Row(
        "rules as long as a book",
        alone(sight("K", "L"), rules_fingerprint="x" * 10**6),
        "RULESET_NOT_AVAILABLE",
        "rules_fingerprint",
        "FAILED_PRECONDITION",
    ),
]

#: One question of a batch each: its error, whose paths begin at the question.
IN_A_BATCH = [
    Row("no question", v1.Question(tag="t"), "MISSING_FIELD", "question"),
    Row("a tag that is too long", in_batch(sight("K", "L"), tag="x" * 257), "TOO_LONG", "tag"),
    Row(
        "an unknown counter",
        in_batch(sight("Z", "K")),
        "UNKNOWN_COUNTER",
        "line_of_sight.from.counter_id",
    ),
    Row("a target off the map", in_batch(fire("K", "HH1")), "HEX_OFF_MAP", "line_of_fire.to.hex"),
    Row("an unknown mover", in_batch(lane("E", "S10", "R8", 9)), UNKNOWN, "fire_lane.mover"),
    Row("a step too far", in_batch(step("P6", "P4")), "NOT_ADJACENT", "movement.entry.to_hex"),
    Row(
        "a turn by nothing",
        in_batch(turning(hexsides=0).question),
        "OUT_OF_RANGE",
        "movement.vca_change.hexsides",
    ),
    Row(
        "a bad probe",
        in_batch(sight("K", "L"), options=v1.QuestionOptions(probes=[counter("A")])),
        "DUPLICATE_COUNTER",
        PROBE + "id",
    ),
    Row(
        "an owned layer ignored",
        in_batch(sight("K", "L"), options=v1.QuestionOptions(ignore_layers=["hillock"])),
        "LAYER_NOT_IGNORABLE",
        "options.ignore_layers[0]",
    ),
]

ROWS = BATCHES
