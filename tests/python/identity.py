"""A ruling is a pure function of rules, position and question: ids, over gRPC."""

import random
import sys

from checks import Checks, same
from client import Client
from example import CASE, about, alone, batch, fire, in_batch, lane, position, question, sight, step
from stubs import v1

client = Client(sys.argv[1]).loaded()
EXPLAIN = v1.VIEW_EXPLAIN

#: One question of each kind, one of them with options.
ASKED = [sight("J", "H"), fire("D", "B"), lane("E", "S10", "R8"), step("P6", "O6")]


def keep(given):
    """Keeps a position."""
    return client.ask(v1.CreatePositionRequest(position=given))


def rulings(subject=None, connection=client):
    """The rulings on one question of each kind, asked one at a time."""
    asked = (alone(each, subject, view=EXPLAIN) for each in ASKED)
    return [connection.ask(each).ruling for each in asked]


def shuffled(seed):
    """The position of the example with every list in another order, and names written otherwise."""
    at_random = random.Random(seed)
    given = position()
    lists = [given.counters, given.map.layers]
    for layer in given.map.layers:
        lists.append(layer.fields)
        for field in layer.fields:
            kind = getattr(field, field.WhichOneof("kind"))
            lists.append(next(getattr(kind, each.name) for each in kind.DESCRIPTOR.fields))
    for each in lists:
        items = list(each)
        at_random.shuffle(items)
        del each[:]
        each.extend(items)
    for layer in given.map.layers:
        for field in layer.fields:
            sides = field.hexsides.hexsides if field.HasField("hexsides") else []
            for at, side in enumerate(sides):
                sides[at] = "|".join(reversed(side.lower().split("|")))
    for counter in given.counters:
        counter.hex = counter.hex.lower()
        counter.flags.extend(list(counter.flags))
    return given


def twice():
    """The same request twice gives the same ruling, over another connection too."""
    first = rulings()
    other = Client(sys.argv[1])
    same([rulings(), rulings(connection=other)], [first, first])
    ids = {ruling.ruling_id for ruling in first}
    same(len(ids), len(ASKED), "the number of different ids")
    same({ruling.rules_fingerprint for ruling in first}, {client.ruleset().fingerprint})
    other.close()


def together():
    """A batch answers as one question at a time, in any order and whatever comes with it."""
    given = [question(each) for each in CASE["questions"]]
    given += ASKED
    apart = [client.ask(alone(each, view=EXPLAIN)).ruling for each in given]
    answer = client.ask(batch(given, view=EXPLAIN))
    same([each.ruling for each in answer.answers], apart)
    same(answer.position_id, apart[0].position_id)
    same(answer.rules_fingerprint, apart[0].rules_fingerprint)
    backwards = client.ask(batch(given[::-1], view=EXPLAIN)).answers
    same([each.ruling for each in backwards][::-1], apart)


def by_id():
    """A position that is kept gives the same rulings as one that is carried."""
    kept = keep(position())
    again = keep(position())
    same((again.position_id, again.map_id, again.created), (kept.position_id, kept.map_id, False))
    same(rulings(kept.position_id), rulings())
    same(rulings()[0].position_id, kept.position_id)
    got = client.ask(v1.GetPositionRequest(position_id=kept.position_id)).position
    same(got.map_id, kept.map_id)
    same(keep(got).position_id, kept.position_id, "the id of the canonical form")
    same(rulings(got), rulings())


def by_map_id():
    """A map that is kept has one id, and a position that names it is the same position."""
    made = client.ask(v1.CreateMapRequest(map=position().map))
    got = client.ask(v1.GetMapRequest(map_id=made.map_id)).map
    again = client.ask(v1.CreateMapRequest(map=got))
    same((again.map_id, again.created), (made.map_id, False), "the canonical form")
    listed = client.ask(v1.ListMapsRequest()).maps
    mine = [each for each in listed if each.map_id == made.map_id]
    same([list(each.layers) for each in mine], [["deir", "hillock"]])
    same((mine[0].board.columns, mine[0].board.rows), (33, 10))
    given = position()
    given.map_id = made.map_id
    same(keep(given).position_id, keep(position()).position_id)
    same(rulings(given), rulings())


def order():
    """The order of counters, layers, fields and hexes, and how hexes are written, mean nothing."""
    expected = rulings()
    for seed in range(5):
        same(keep(shuffled(seed)).position_id, expected[0].position_id)
        same(rulings(shuffled(seed)), expected)


def differences():
    """What differs has another id."""
    ids = {keep(position()).position_id}
    changes = [
        lambda it: it.counters.pop(),
        lambda it: setattr(it.counters[0], "hex", "R5"),
        lambda it: setattr(it.counters[0], "side", "allied"),
        lambda it: setattr(it.counters[0], "height_half_levels", 2),
        lambda it: it.counters[0].flags.append(v1.COUNTER_FLAG_CREW_EXPOSED),
        lambda it: setattr(it.environment, "ec", v1.ENVIRONMENT_CONDITION_WET),
        lambda it: setattr(it.map, "base_level", 1),
        lambda it: it.map.levels.add(hex="A1", level=1),
        lambda it: it.map.layers.pop(),
        lambda it: it.map.MergeFrom(v1.Map(board=v1.Board(columns=33, rows=11))),
    ]
    for change in changes:
        changed = position()
        change(changed)
        ids.add(keep(changed).position_id)
    same(len(ids), len(changes) + 1, "the number of different ids")
    asked = [sight("J", "H"), sight("H", "J"), fire("J", "H"), fire("J", "H", v1.ATTACK_KIND_OBA)]
    same(len({client.ask(alone(each)).ruling.ruling_id for each in asked}), len(asked))


def defaults():
    """A default that is written out is the same position."""
    written = position()
    written.map.board.columns, written.map.board.rows = 33, 10
    written.environment.ec = v1.ENVIRONMENT_CONDITION_DRY
    same(keep(written).position_id, keep(position()).position_id)


def tags():
    """A tag is given back, and is no part of the question."""
    asked = [in_batch(sight("J", "H"), tag=tag) for tag in ("one", "one", "")]
    answers = client.ask(batch(asked)).answers
    same([answer.tag for answer in answers], ["one", "one", ""])
    same(len({answer.ruling.ruling_id for answer in answers}), 1)


def other_rules():
    """Rules that the server has not are RULESET_NOT_AVAILABLE; those it has may be named."""
    fingerprint = client.ruleset().fingerprint
    for asked in (alone(sight("J", "G")), batch([sight("J", "G")])):
        asked.rules_fingerprint = fingerprint
        client.ask(asked)
        for other in ("0" * 64, fingerprint[:-1], "rubbish"):
            asked.rules_fingerprint = other
            refusal = client.refused(asked).check()
            same((refusal.code, refusal.reason), ("FAILED_PRECONDITION", "RULESET_NOT_AVAILABLE"))
            same(refusal.metadata["rules_fingerprint"], other)
            same(list(refusal.fields), ["rules_fingerprint"])


def exported():
    """A case that is exported holds the position and the answers, and is the same twice."""
    questions = [in_batch(each, tag=f"q-{at}") for at, each in enumerate(ASKED)]
    request = v1.ExportCaseRequest(subject=about(None), questions=questions, case_id="dispute")
    first, second = client.ask(request), client.ask(request)
    same(first, second)
    same(first.file_name, "dispute.json")
    for at in range(len(ASKED)):
        assert f'"q-{at}"'.encode() in first.case_file, first.case_file[:2000]


checks = Checks()
checks.run_all(
    [twice, together, by_id, by_map_id, order, differences, defaults, tags, other_rules, exported]
)
checks.end()
