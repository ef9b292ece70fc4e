"""Asks without a pause while plugins are swapped, and checks every answer against what the ruleset
that it names must say. It reads what to ask and to expect from its first line of input, and stops when
there is no more of that."""

import json
import sys
import threading

from client import Client
from stubs import v1

#: How many ask at once.
ASKERS = 2


def parse(kind, text):
    """A message out of its hexadecimal form."""
    return kind.FromString(bytes.fromhex(text))


class Soak:
    """What is asked, and what must be answered."""

    def __init__(self, plan):
        self.plan = plan
        self.expected = {
            fingerprint: [parse(v1.Ruling, ruling) for ruling in rulings]
            for fingerprint, rulings in plan["expected"].items()
        }
        self.over = threading.Event()
        self.checked = [0] * ASKERS
        self.wrong = []

    def run(self, number):
        """Asks until it is over, by the name and by the pin in turn."""
        try:
            client = Client(self.plan["address"])
            request = parse(v1.BatchAdjudicateRequest, self.plan["request"])
            while not self.over.is_set():
                for ruleset in self.plan["rulesets"]:
                    request.ruleset = ruleset
                    self.check(client.ask(request), ruleset)
                    self.checked[number] += 1
            client.close()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what went wrong.
            self.wrong.append(repr(error))

    def check(self, answer, ruleset):
        """Checks a whole answer: every ruling in it, to the last field."""
        named = answer.rules_fingerprint
        assert named in self.expected, f"nobody knows the rules {named}"
        if ruleset == self.plan["pin"]:
            assert named == ruleset, f"a pin moved to {named}"
        expected = self.expected[named]
        assert len(answer.answers) == len(expected), "an answer is missing"
        for at, (given, ruling) in enumerate(zip(answer.answers, expected)):
            assert given.WhichOneof("answer") == "ruling", f"{at}: {given.error}"
            assert given.ruling == ruling, f"{at}: not what {named} gives:\n{given.ruling}"


def main():
    """Asks until the input ends."""
    soak = Soak(json.loads(sys.stdin.readline()))
    threads = [threading.Thread(target=soak.run, args=(number,)) for number in range(ASKERS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    soak.over.set()
    for thread in threads:
        thread.join()
    assert not soak.wrong, soak.wrong
    print(f"checked {sum(soak.checked)}")


if __name__ == "__main__":
    main()
