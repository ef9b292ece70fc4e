"""Questions, positions, maps and rulesets, asked of a real service."""

from __future__ import annotations

import pickle
import re
import threading

import grpc
import pytest

from alamein import AlameinError, Client, Seen, ask, build, errors, explain, v1
from alamein.sight import hex_names, unpack


def test_a_line_of_fire_and_why(client: Client, deir: v1.Position) -> None:
    ruling = client.adjudicate(deir, ask.line_of_fire("P3", ask.unit("sq")), view=v1.VIEW_EXPLAIN)
    assert ruling.verdict.line_of_fire.tem == 1
    assert explain.verdict(ruling) == "hindered +1; TEM +1; total DRM +2; not Open Ground"
    reasons = explain.reasons(ruling)
    assert any(re.match(r"F4\.5 at P5\|P6: .*\+1 TEM", reason) for reason in reasons), reasons
    assert any(re.match(r"D9\.4 at P4: wreck in P4 is a Hindrance", reason) for reason in reasons), reasons


def test_every_kind_of_question(client: Client, deir: v1.Position) -> None:
    tank = ask.mover(v1.COUNTER_CLASS_TANK, ground_pressure=v1.GROUND_PRESSURE_NORMAL, weight_tons=22)
    asked = {
        "line_of_sight": ask.line_of_sight("P3", "P8", tag="a"),
        "line_of_fire": ask.line_of_fire(ask.unit("tank"), ask.unit("sq")),
        "fire_lane": ask.fire_lane("P3", "P5", counter_hex="P6"),
        "movement": ask.movement(tank, ask.enter("P6", "P5")),
        "set_up": ask.set_up("P6", ask.set_up_unit(v1.COUNTER_CLASS_GUN)),
    }
    answers = client.batch(deir, list(asked.values()))
    for kind, answer in zip(asked, answers, strict=True):
        assert isinstance(answer, v1.Ruling), answer
        assert answer.verdict.WhichOneof("verdict") == kind
        assert "knows" not in explain.verdict(answer)
    assert answers[0] == client.adjudicate(deir, asked["line_of_sight"])
    turned = client.adjudicate(deir, ask.movement(tank, ask.turn("P6", 2, entered_from="P5")))
    assert turned.question.movement.vca_change.hexsides == 2


def test_a_field_of_view_says_what_each_line_does(client: Client, deir: v1.Position) -> None:
    field = client.field_of_view(deir, ask.unit("sq"), range=4)
    assert field.viewer == "P6"
    assert len(field) == 61
    assert field["P6"] == Seen(v1.SIGHT_CLEAR, 0)
    assert "A1" not in field
    assert not field.summary.hidden_matters
    results = {
        v1.LINE_OF_SIGHT_RESULT_CLEAR: (v1.SIGHT_CLEAR,),
        v1.LINE_OF_SIGHT_RESULT_HINDERED: (v1.SIGHT_HINDERED,),
        v1.LINE_OF_SIGHT_RESULT_BLOCKED: (v1.SIGHT_BLOCKED_BY_TERRAIN, v1.SIGHT_BLOCKED_BY_HINDRANCES),
    }
    questions = [ask.line_of_sight(ask.unit("sq"), name) for name in field]
    for (name, seen), answer in zip(field.items(), client.batch(deir, questions), strict=True):
        assert isinstance(answer, v1.Ruling)
        line = answer.verdict.line_of_sight
        assert seen.sight in results[line.result], name
        assert seen.hindrance == (line.hindrance if line.HasField("hindrance") else None)
        assert seen.is_seen is (line.result != v1.LINE_OF_SIGHT_RESULT_BLOCKED)
    judged = {hex.hex: Seen.of(hex) for hex in client.look(deir, ask.unit("sq"), range=4)}
    assert judged == dict(field)
    assert len(client.field_of_view(deir, "P3")) == len(list(hex_names(33, 10))) == 346
    with pytest.raises(errors.InvalidArgument) as caught:
        client.field_of_view(deir, "ZZ99")
    assert caught.value.fields[0].path == "question.from.hex"
    with pytest.raises(errors.InvalidArgument):
        next(client.look(deir, ask.unit("nobody")))


def test_the_bytes_of_a_packed_field_of_view() -> None:
    assert [unpack(byte) for byte in (0, 1, 2, 3, 66, 134, 7)] == [
        None,
        Seen(v1.SIGHT_CLEAR, 0),
        Seen(v1.SIGHT_BLOCKED_BY_TERRAIN),
        Seen(v1.SIGHT_NOT_IMPLEMENTED),
        Seen(v1.SIGHT_HINDERED, 2),
        Seen(v1.SIGHT_BLOCKED_BY_HINDRANCES, 6),
        Seen(v1.SIGHT_NOT_IMPLEMENTED),
    ]


def test_an_error_in_one_question_is_that_ones_answer(client: Client, deir: v1.Position) -> None:
    good, bad = ask.line_of_sight("P3", "P6"), ask.line_of_sight("P3", "ZZ99")
    first, second, third = client.batch(deir, [good, bad, good])
    assert isinstance(first, v1.Ruling)
    assert first == third
    assert isinstance(second, errors.InvalidArgument)
    assert second.code is grpc.StatusCode.INVALID_ARGUMENT
    assert second.reason == "HEX_OFF_MAP"
    assert second.fields[0].path == "line_of_sight.to.hex"
    assert second.metadata["hex"] == "ZZ99"
    assert "HEX_OFF_MAP" in str(second)
    assert client.batch(deir, []) == []


def test_errors_tell_the_field_and_can_be_sent_to_another_process(client: Client) -> None:
    twice = build.position(
        None,
        [
            build.counter("sq", v1.COUNTER_CLASS_SQUAD, "P6"),
            build.counter("sq", v1.COUNTER_CLASS_SQUAD, "P7"),
        ],
    )
    with pytest.raises(errors.InvalidArgument) as caught:
        client.create_position(twice)
    error = caught.value
    assert error.reason == "DUPLICATE_COUNTER"
    assert error.fields[0].path.startswith("position.counters[1]")
    assert not error.is_transient
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - it is our own
    assert type(again) is errors.InvalidArgument
    assert str(again) == str(error)
    assert again.fields == error.fields
    assert again.metadata == error.metadata

    with pytest.raises(errors.NotFound) as missing:
        client.adjudicate("0" * 64, ask.line_of_sight("P3", "P6"))
    assert missing.value.reason == "POSITION_NOT_FOUND"


def test_many_questions_stream_in_their_order(client: Client, deir: v1.Position) -> None:
    kept = client.create_position(deir).position_id
    hexes = [f"{column}{row}" for column in "ABCDEFGHIJKLMNOP" for row in range(1, 10)]
    questions = (ask.line_of_sight("Q7", hex, tag=hex) for hex in hexes)
    answers = list(client.stream(kept, questions, size=10, ahead=3, view=v1.VIEW_VERDICT))
    assert [question.tag for question, _ in answers] == hexes
    one_by_one = client.batch(deir, [question for question, _ in answers], view=v1.VIEW_VERDICT)
    assert [answer for _, answer in answers] == one_by_one


def test_a_stream_that_nobody_reads_on_ends(client: Client, deir: v1.Position) -> None:
    asked = []

    def endless() -> object:
        while True:
            asked.append(1)
            yield ask.line_of_sight("P3", "P6")

    answers = client.stream(deir, endless(), size=5, ahead=2)  # type: ignore[arg-type]
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert len(asked) == 10


def test_positions_are_kept_changed_and_found_again(client: Client, deir: v1.Position) -> None:
    kept = client.create_position(deir)
    assert client.create_position(deir).position_id == kept.position_id
    moved = v1.Change(move=v1.MoveChange(counter_id="sq", hex="P7"))
    tried = client.apply_changes(kept.position_id, [moved], validate_only=True)
    changed = client.apply_changes(kept.position_id, [moved])
    assert tried.position_id == changed.position_id
    assert changed.differences[0].counter.after.hex == "P7"
    there = client.get_position(changed.position_id)
    assert [counter.hex for counter in there.counters if counter.id == "sq"] == ["P7"]


def test_maps_are_kept_listed_and_made_of_files(client: Client, deir: v1.Position) -> None:
    kept = client.create_map(deir.map)
    assert [layer.name for layer in client.get_map(kept.map_id).layers] == ["deir"]
    assert kept.map_id in [summary.map_id for summary in client.list_maps()]
    by_id = build.position(kept.map_id, deir.counters)
    assert client.create_position(by_id).position_id == client.create_position(deir).position_id
    composed = client.compose_map('title = "Flat"\n[[board]]\nhalf = "west"\n')
    assert composed.title == "Flat"
    assert client.create_map(composed.map).map_id == composed.map_id


def test_moves_are_priced_and_reached(client: Client, deir: v1.Position) -> None:
    squad = ask.mover(v1.COUNTER_CLASS_SQUAD)
    priced = client.price_path(deir, ask.path(squad, ["P6", "P5", "P4"], allowance=4))
    assert len(priced.steps) == 2
    assert priced.total == priced.steps[-1].total_after > 0
    reach = client.reachable(deir, ask.reach(squad, "P6", 2))
    assert {hex.hex for hex in reach.hexes} >= {"P6", "P5"}
    assert all(hex.cost <= 2 for hex in reach.hexes)


def test_a_case_file_is_exported(client: Client, deir: v1.Position) -> None:
    case = client.export_case(deir, [ask.line_of_sight("P3", "P6")], case_id="lip")
    assert case.file_name == "lip.json"
    assert b'"line_of_sight"' in case.case_file


def test_rulesets_are_made_and_asked_by(client: Client, deir: v1.Position) -> None:
    ruleset = client.get_ruleset()
    spec = v1.RulesetSpec()
    spec.CopyFrom(ruleset.spec)
    spec.name, spec.grazing_policy = "both-readings", v1.GRAZING_POLICY_BOTH
    made = client.create_ruleset(spec, tags=["both-2026"]).ruleset
    question = ask.line_of_sight("P3", "P6")
    ours = client.using(ruleset="both-2026").adjudicate(deir, question)
    assert ours.rules_fingerprint == made.fingerprint != ruleset.fingerprint
    assert client.using(rules_fingerprint=made.fingerprint).get_ruleset().fingerprint == made.fingerprint
    assert client.adjudicate(deir, question).rules_fingerprint == ruleset.fingerprint
    with pytest.raises(errors.PreconditionFailed) as other:
        client.using(ruleset="default", rules_fingerprint=made.fingerprint).adjudicate(deir, question)
    assert other.value.reason == "RULESET_NOT_AVAILABLE"


def test_a_side_is_told_what_it_may_know(client: Client) -> None:
    hidden = build.counter("gun", v1.COUNTER_CLASS_GUN, "Q6", "axis", known_to=["axis"])
    seen = build.counter("sq", v1.COUNTER_CLASS_SQUAD, "P3", "allied")
    kept = client.create_position(build.position(None, [hidden, seen])).position_id
    theirs = client.using(as_side="allied").get_position(kept)
    assert [counter.id for counter in theirs.counters] == ["sq"]
    assert len(client.using(as_side="axis").get_position(kept).counters) == 2


def test_threads_share_a_client(client: Client, deir: v1.Position) -> None:
    answers: list[v1.Ruling] = []
    threads = [
        threading.Thread(
            target=lambda: answers.append(client.adjudicate(deir, ask.line_of_sight("P3", "P6")))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)


def test_raw_stubs_are_there_for_the_rest(client: Client, deir: v1.Position) -> None:
    request = v1.DiffPositionsRequest()
    request.before.position.CopyFrom(deir)
    request.after.position.CopyFrom(deir)
    answer = client.call(client.positions.DiffPositions, request)
    assert not answer.differences
    assert client.is_serving()


def test_layers_say_what_they_hold() -> None:
    layer = build.layer("deir", hexes=["P6"], lip_hexsides=["P5|P6"], deir_of={"P6": 1}, sides={"P5|P6": 2})
    kinds = [field.WhichOneof("kind") for field in layer.fields]
    assert kinds == ["hexes", "hexsides", "hex_values", "hexside_values"]
    with pytest.raises(TypeError):
        build.layer("deir", hexes="P6")
    with pytest.raises(ValueError, match="do not go together"):
        build.layer("deir", hexes=["P6", "P5|P6"])


def test_an_error_is_an_exception_with_words() -> None:
    error = AlameinError.of_code(grpc.StatusCode.UNAVAILABLE, "gone")
    assert isinstance(error, errors.Unavailable)
    assert str(error) == "UNAVAILABLE: gone"
    assert error.is_transient
