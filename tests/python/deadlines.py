"""A client's deadline holds for every kind of call, and what it no longer waits for is not done.

The server judges on one thread, so that whatever goes on in vain keeps others waiting.
"""

import sys
import time

import grpc
from client import Client
from example import alone, position, sight
from stubs import v1

client = Client(sys.argv[1]).loaded()
LATE = grpc.StatusCode.DEADLINE_EXCEEDED
subject = v1.Subject(position=position())


def timed(call):
    """What a call gives, and how long it takes."""
    start = time.monotonic()
    return call(), time.monotonic() - start


def late(call):
    """Makes a call that must not come back in time."""
    try:
        call()
    except grpc.RpcError as error:
        assert error.code() == LATE, f"{error.code()}: {error.details()}"
        return
    raise AssertionError("it should have been too late")


def batch(count):
    """A batch of so many questions."""
    question = v1.Question(line_of_sight=sight("A", "G"))
    return v1.BatchAdjudicateRequest(subject=subject, questions=[question] * count)


# So many questions that the thread needs some seconds for them, on any machine.
count, long = 500, 0
while long < 3:
    count = min(2 * count, 10_000)
    _, long = timed(lambda: client.ask(batch(count), timeout=60))
    if count == 10_000:
        break

question = alone(sight("A", "G"), position())
client.ask(question, timeout=60)


def patiently():
    """Asks until it is let in: what is given up keeps its places until that is noticed."""
    while True:
        try:
            return client.ask(question, timeout=60)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            time.sleep(0.02)


def free_at_once(what):
    """The thread is free: a question does not wait for what is not wanted any more."""
    _, took = timed(patiently)
    assert took < max(long / 2, 0.5), f"{what}: waited {took} of {long} seconds"


# A batch, given up early: the rest of it is not done.
late(lambda: client.ask(batch(count), timeout=long / 8))
free_at_once("a batch")

# So is one that its client cancels.
call = client.adjudication.BatchAdjudicate.future(batch(count), timeout=60)
time.sleep(long / 8)
call.cancel()
free_at_once("a batch that was cancelled")

# Unary calls that wait behind one are told so, and are not begun when their turn comes.
call = client.adjudication.BatchAdjudicate.future(batch(count), timeout=60)
time.sleep(long / 20)
waiting = [client.method(question).future(question, timeout=0.001) for _ in range(20)]
told = {each.exception().code() for each in waiting}
assert told <= {LATE, grpc.StatusCode.RESOURCE_EXHAUSTED}, told
call.cancel()
free_at_once("unary calls")

# A path and an allowance have the deadline too.
step = v1.PathStep(entry=v1.Entry(to_hex="Q5"))
mover = v1.Mover(**{"class": v1.COUNTER_CLASS_TANK})
path = v1.PricePathRequest(
    subject=subject, question=v1.PathQuestion(mover=mover, steps=[step] * 100)
)
late(lambda: client.ask(path, timeout=0.0001))
reach = v1.ReachableRequest(
    subject=subject, question=v1.ReachQuestion(mover=mover, from_hex="Q6", allowance=400)
)
late(lambda: client.ask(reach, timeout=0.0001))
free_at_once("moves")


def pieces():
    """The requests of a comparison that never ends."""
    yield v1.CompareRulesetsRequest(content=b"\n")
    while True:
        time.sleep(0.05)
        yield v1.CompareRulesetsRequest(content=b"\n")


def compared():
    """Reads the answers of a comparison to their end."""
    return list(client.rulesets.CompareRulesets(pieces(), timeout=1))


# In a stream both ways, the deadline is the stream's.
start = time.monotonic()
late(compared)
assert 0.9 < time.monotonic() - start < 10
free_at_once("a stream")
client.close()
