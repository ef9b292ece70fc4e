"""The worked example over gRPC: verdicts, and the grounds that each ruling gives for them."""

import sys

from checks import Checks, same
from client import Client
from example import CASE, alone, batch, fire, in_batch, lane, question, sight, step
from stubs import v1

client = Client(sys.argv[1]).loaded()
CLEAR = v1.LINE_OF_SIGHT_RESULT_CLEAR
HINDERED = v1.LINE_OF_SIGHT_RESULT_HINDERED
BLOCKED = v1.LINE_OF_SIGHT_RESULT_BLOCKED
NEITHER = v1.GRAZING_POLICY_NEITHER_IF_GRAZING
HALF_LEVEL = (
    "A half-level Hindrance in a deir hex counts only if both ends of the LOS are at the same "
    "level and at least one of them is in a deir."
)


def rule(asked, view=v1.VIEW_EXPLAIN, **options):
    """The ruling on a question."""
    return client.ask(alone(asked, view=view, **options)).ruling


def the(items, **wanted):
    """The one item that has all this; `rule` is the rule's id."""
    found = [item for item in items if all(value(item, name) == wanted[name] for name in wanted)]
    assert len(found) == 1, f"{len(found)} items have {wanted}: {items}"
    return found[0]


def value(item, name):
    """A field of a finding, an observation or a consideration."""
    if name == "rule":
        return item.rule.id
    if name == "place":
        return item.where.hex or item.where.hexside
    return getattr(item, name)


def params(message):
    """What fills a message's template."""
    return {each.name: getattr(each, each.WhichOneof("value")) for each in message.params}


def higher_ground():
    """J sees G on the hillock: a clear LOS, and the ruling says why F4.4 does not block it."""
    ruling = rule(sight("J", "G"))
    line = ruling.verdict.line_of_sight
    same((line.result, line.hindrance, line.range), (CLEAR, 0, 4))
    why = the(ruling.considered, rule="F4.4/higher")
    same((why.plugin_id, why.counter_id, why.where.hex), ("deir", "J", "R7"))
    assert "sees past the Lip to a higher elevation" in why.why.text, why


def entrenched():
    """J does not see H: F4.4 blocks the LOS, and the finding names plugin, hexside and unit."""
    ruling = rule(sight("J", "H"))
    line = ruling.verdict.line_of_sight
    same((line.result, list(line.blocked_by)), (BLOCKED, ["F4.4"]))
    assert not line.HasField("hindrance"), "Hindrances do not matter where terrain blocks"
    found = the(ruling.findings, effect=v1.EFFECT_BLOCKS)
    same((found.plugin_id, found.rule.id, found.rule.number), ("deir", "F4.4/los", "F4.4"))
    same((found.where.hexside, found.counter_id, found.standing), ("R5|S5", "J", True))
    same(params(found.message), {"subject": "J", "place": "R5|S5"})
    assert found.message.text.startswith("J is entrenched or Emplaced in a non-Lip deir hex.")


def blocked_fire():
    """H has no LOF to J: the verdict has no TEM, no Hull Down and no total."""
    verdict = rule(fire("H", "J")).verdict.line_of_fire
    same(verdict.line.result, BLOCKED)
    for absent in ("tem", "hull_down", "open_ground", "total_drm"):
        assert not verdict.HasField(absent), absent


def tem_and_hindrance():
    """H fires at K: +1 TEM by F4.5, +1 Hindrance by A, a total of 2."""
    ruling = rule(fire("H", "K"))
    verdict = ruling.verdict.line_of_fire
    line = verdict.line
    same((line.result, line.hindrance, list(line.hindering_counter_ids)), (HINDERED, 1, ["A"]))
    same((verdict.tem, verdict.total_drm, verdict.hull_down), (1, 2, False))
    same(verdict.open_ground, False, "open_ground")
    claim = the(verdict.tem_claims, rule="F4.5/tem")
    same((claim.plugin_id, claim.drm, claim.counted), ("deir", 1, True))
    found = the(ruling.findings, effect=v1.EFFECT_TEM)
    same((found.plugin_id, found.rule.id, found.value), ("deir", "F4.5/tem", 1))
    same((found.where.hexside, found.counter_id), ("R5|S5", "K"))
    text = "The LOF crosses the Lip Hexside R5|S5, and K is in a deir hex: +1 TEM."
    same(found.message.text, text)
    seen = the(ruling.observations, counter_id="A")
    same((seen.plugin_id, seen.rule.id, seen.name), ("vehicle", "D9.4/hindrance", "afv"))
    same((seen.where.hex, seen.value, seen.standing), ("R6", 1, True))
    not_open = the(ruling.findings, rule="A4.6/hindered")
    same([ruling.observations[cited].counter_id for cited in not_open.cites], ["A"])


def hull_down():
    """D fires at B along a Lip Hexside: HD, which another grazing policy would not give."""
    ruling = rule(fire("D", "B"))
    verdict = ruling.verdict.line_of_fire
    same((verdict.hull_down, verdict.tem, verdict.total_drm), (True, 0, 0))
    same((verdict.line.grazing, ruling.trace.grazing), (True, True))
    found = the(ruling.findings, effect=v1.EFFECT_HULL_DOWN)
    same((found.plugin_id, found.rule.id, found.counter_id), ("deir", "F4.5/hull-down", "B"))
    other = the(ruling.other_policies, policy=NEITHER)
    same((other.differs, other.ruling.verdict.line_of_fire.hull_down), (True, False))
    why = the(other.ruling.considered, rule="F4.5/grazing")
    assert "the grazing policy says that it does not" in why.why.text, why
    asked = v1.QuestionOptions(grazing_policy=NEITHER)
    own = rule(fire("D", "B"), options=asked)
    same(own.ruling_id, other.ruling.ruling_id, "the id of the same question")
    same((own.policy_overridden, ruling.policy_overridden), (True, False))
    same(own.verdict, other.ruling.verdict)


def fire_lane():
    """E's Fire Lane to S10: whoever moves in R8 is immune; to R8 itself: nobody is."""
    ruling = rule(lane("E", "S10", "R8"))
    verdict = ruling.verdict.fire_lane
    same((verdict.on_lane, verdict.immune, verdict.attacked), (True, True, False))
    found = the(ruling.findings, effect=v1.EFFECT_IMMUNE)
    same((found.plugin_id, found.rule.id, found.where.hexside), ("deir", "F4.52/infantry", "P5|Q6"))
    other = the(ruling.other_policies, policy=NEITHER)
    same((other.differs, other.ruling.verdict.fire_lane.attacked), (True, True))
    ruling = rule(lane("E", "R8", "R8"))
    verdict = ruling.verdict.fire_lane
    same((verdict.on_lane, verdict.immune, verdict.attacked), (True, False, True))
    why = the(ruling.considered, rule="F4.52/counter-hex")
    same((why.plugin_id, why.where.hex), ("deir", "R8"))
    same((verdict.line.hindrance, list(verdict.line.hindering_counter_ids)), (2, ["B", "D"]))


def fire_lane_on_vehicles():
    """A vehicle on the lane is immune where a wreck would not Hinder: the probe tells."""
    vehicle = v1.LANE_MOVER_VEHICLE
    ruling = rule(lane("E", "S10", "Q8", vehicle))
    same(ruling.verdict.fire_lane.immune, True)
    the(ruling.findings, rule="F4.52/vehicle", effect=v1.EFFECT_IMMUNE)
    probe = the(ruling.observations, hypothetical=True)
    same((probe.name, probe.where.hex, probe.standing), ("wreck", "Q8", False))
    ruling = rule(lane("E", "R8", "Q8", vehicle))
    same((ruling.verdict.fire_lane.immune, ruling.verdict.fire_lane.attacked), (False, True))
    probe = the(ruling.observations, hypothetical=True)
    same((probe.where.hex, probe.standing, list(probe.set_aside_by)), ("Q8", True, []))
    same(ruling.verdict.fire_lane.line.hindrance, 2, "a probe never adds")


def set_aside():
    """A does not hinder F's LOS to E: F4.51 sets the Hindrance aside, and says so."""
    ruling = rule(sight("F", "E"))
    same(ruling.verdict.line_of_sight.result, CLEAR)
    seen = the(ruling.observations, counter_id="A")
    same((seen.plugin_id, seen.value, seen.standing), ("vehicle", 1, False))
    same(len(seen.set_aside_by), 1)
    by = seen.set_aside_by[0]
    same((by.plugin_id, by.rule.id, by.rule.number), ("deir", "F4.51/half-level", "F4.51"))
    same(by.message.text, HALF_LEVEL)


def leaving():
    """A tank leaves the deir over a Lip Hexside for 2 MP, spent in the hex it enters."""
    verdict = rule(step("P6", "O6")).verdict.movement
    same((verdict.unit, verdict.total), (v1.MOVEMENT_UNIT_MP, 2))
    same((verdict.prohibited, list(verdict.prohibited_by)), (False, []))
    exit_cost, cot = the(verdict.items, what="lip_exit"), the(verdict.items, what="cot")
    same((exit_cost.plugin_id, exit_cost.rule.id, exit_cost.amount), ("deir", "F4.3/exit", 1))
    same((exit_cost.part, exit_cost.spent_in.hex), (v1.COST_PART_SURCHARGE, "O6"))
    same((cot.plugin_id, cot.amount, cot.part), ("ground", 1, v1.COST_PART_COT))
    same(rule(step("O6", "P6")).verdict.movement.total, 1, "the cost of entering")
    squad = rule(step("P6", "O6", v1.COUNTER_CLASS_SQUAD)).verdict.movement
    same((squad.unit, squad.total), (v1.MOVEMENT_UNIT_MF, 1))


def why_not():
    """EXPLAIN says why B has no +1 against A, and why E's own Lip Hexside does not count."""
    ruling = rule(fire("B", "A"))
    same(ruling.verdict.line_of_fire.tem, 0)
    why = the(ruling.considered, rule="F4.5/no-lip")
    same((why.plugin_id, why.counter_id, why.where.hex), ("deir", "A", "R6"))
    same(why.why.text, "The LOF to R6 crosses no Lip Hexside.")
    own = the(rule(fire("E", "K")).considered, rule="F4.5/own-lip")
    text = (
        "The only Lip Hexside crossed belongs to the firer's hex, so the deir does not protect K."
    )
    same((own.counter_id, own.why.text), ("K", text))


def views():
    """A view takes away, and never changes the ruling or its id."""
    verdict, full, explain = (
        rule(fire("D", "B"), view=view) for view in (v1.VIEW_VERDICT, v1.VIEW_FULL, v1.VIEW_EXPLAIN)
    )
    same({verdict.ruling_id, full.ruling_id, explain.ruling_id}, {full.ruling_id})
    same(verdict.verdict, full.verdict)
    same((len(verdict.findings), len(verdict.other_policies)), (0, 0))
    assert full.findings and full.other_policies and not full.considered
    same(explain.findings, full.findings)
    same(rule(fire("D", "B"), view=v1.VIEW_UNSPECIFIED), full)
    same([each.view for each in (verdict, full, explain)], [1, 2, 3])


def what_if():
    """A wreck that is not there is told of and adds nothing."""
    wreck = v1.Counter(**{"id": "w", "class": v1.COUNTER_CLASS_WRECK, "hex": "R5"})
    ruling = rule(fire("H", "K"), options=v1.QuestionOptions(probes=[wreck]))
    same(ruling.verdict.line_of_fire.total_drm, 2)
    probe = the(ruling.observations, counter_id="w")
    same((probe.hypothetical, probe.name), (True, "wreck"))
    assert ruling.ruling_id != rule(fire("H", "K")).ruling_id, "a probe is part of the question"


def report_values(ruling):
    """What a ruling says under the keys by which the case file compares."""
    kind = ruling.verdict.WhichOneof("verdict")
    verdict = getattr(ruling.verdict, kind)
    line = verdict if kind == "line_of_sight" else verdict.line
    words = {CLEAR: "clear", HINDERED: "hindered", BLOCKED: "blocked"}
    standing = [found for found in ruling.findings if found.standing]
    found = {
        "result": words[line.result],
        "hinders": set(line.hindering_counter_ids),
        "deir_protection": any("deir_protection" in f.rule.report_keys for f in standing),
        "afv_tem": max((f.value for f in standing if "afv_tem" in f.rule.report_keys), default=0),
    }
    if kind == "fire_lane":
        found.update(on_lane=verdict.on_lane, immune=verdict.immune)
    return found


def compare(ruling, expected):
    """Compares a ruling with what a case expects."""
    found = report_values(ruling)
    for key, wanted in expected.items():
        if key == "result_in":
            assert found["result"] in wanted, (found, wanted)
        elif key == "hinders":
            for counter, hinders in wanted.items():
                same(counter in found["hinders"], hinders, f"whether {counter} hinders")
        else:
            same(found[key], wanted, key)


def every_claim():
    """Every claim of the example's text holds, and under other policies what the case says."""
    given = CASE["questions"]
    asked = [in_batch(question(each), tag=each["id"]) for each in given]
    answers = client.ask(batch(asked)).answers
    same([answer.tag for answer in answers], [each["id"] for each in given])
    for answer, each in zip(answers, given, strict=True):
        assert answer.WhichOneof("answer") == "ruling", answer
        try:
            compare(answer.ruling, each["expect"])
            for policy, expected in each.get("expect_other_policies", {}).items():
                number = v1.GrazingPolicy.Value(f"GRAZING_POLICY_{policy}")
                compare(the(answer.ruling.other_policies, policy=number).ruling, expected)
        except AssertionError as error:
            raise AssertionError(f"{each['id']}: {error}") from error
    assert len(answers) > 150, len(answers)


checks = Checks()
checks.run_all(
    [
        higher_ground,
        entrenched,
        blocked_fire,
        tem_and_hindrance,
        hull_down,
        fire_lane,
        fire_lane_on_vehicles,
        set_aside,
        leaving,
        why_not,
        views,
        what_if,
        every_claim,
    ]
)
checks.end()
