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


# So many questions that the thread needs some seconds for them, on any machine: in several batches, for
# one takes no more than so many.
count, long, batches = 500, 0, 1
while long * batches < 6:
    if count < 10_000:
        count = min(2 * count, 10_000)
        _, long = timed(lambda: client.ask(batch(count), timeout=60))
    else:
        batches += 1

question = alone(sight("A", "G"), position())
client.ask(question, timeout=60)


def begun(timeout=60):
    """All of the batches, on their way."""
    ask = client.adjudication.BatchAdjudicate.future
    return [ask(batch(count), timeout=timeout) for _ in range(batches)]


def free_at_once(what):
    """The thread is free: a question does not wait for what is not wanted any more."""
    _, took = timed(lambda: client.patiently(question, timeout=60))
    assert took < long * batches / 2, f"{what}: waited {took} of {long * batches} seconds"


# Batches, given up early: the rest of them is not done.
told = {call.code() for call in begun(timeout=long / 8)}
assert told == {LATE}, told
free_at_once("batches")

# So are those that their client cancels.
calls = begun()
time.sleep(long / 8)
for call in calls:
    call.cancel()
free_at_once("batches that were cancelled")

# Unary calls that wait behind some are told so, and are not begun when their turn comes.
calls = begun()
time.sleep(long / 20)
waiting = [client.method(question).future(question, timeout=0.001) for _ in range(20)]
told = {each.code() for each in waiting}
assert told <= {LATE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.OK}, told
for call in calls:
    call.cancel()
free_at_once("unary calls")

# A path and an allowance have the deadline too.
to_and_fro = [("Q6", "Q5"), ("Q5", "Q6")] * 50
steps = [v1.PathStep(entry=v1.Entry(from_hex=here, to_hex=there)) for here, there in to_and_fro]
mover = v1.Mover(**{"class": v1.COUNTER_CLASS_TANK})
path = v1.PricePathRequest(
    subject=subject, question=v1.PathQuestion(mover=mover, steps=steps)
)
reach = v1.ReachableRequest(
    subject=subject, question=v1.ReachQuestion(mover=mover, from_hex="Q6", allowance=400)
)
for moves in (path, reach):
    client.ask(moves, timeout=60)
    late(lambda moves=moves: client.ask(moves, timeout=0.0001))
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
