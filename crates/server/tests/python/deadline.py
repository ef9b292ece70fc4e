"""A deadline is DEADLINE_EXCEEDED, whoever set it, and the handler knows it."""

import grpc
from common import channel, fails, method, order

open_channel = channel()
line_of_sight = method(open_channel, "LineOfSight")

# The server's own limit is 800 ms; the client would wait for ten seconds.
found, error, took = fails(
    grpc.StatusCode.DEADLINE_EXCEEDED,
    "DEADLINE",
    line_of_sight,
    b"",
    timeout=10,
    metadata=order("sleep 9000"),
)
assert found["ErrorInfo"].metadata["set_by"] == "server", found
assert found["ErrorInfo"].metadata["limit_ms"] == "800", found
assert 0.7 < took < 5, took

# Without a deadline of the client's, too.
fails(
    grpc.StatusCode.DEADLINE_EXCEEDED,
    "DEADLINE",
    line_of_sight,
    b"",
    metadata=order("sleep 9000"),
)


def left(timeout):
    """What the handler is told to have left, in milliseconds."""
    _, call = line_of_sight.with_call(b"", timeout=timeout, metadata=order("tell-deadline"))
    return int(dict(call.initial_metadata())["x-left-ms"])


assert 0 < left(10) <= 800
assert 0 < left(None) <= 800
assert 0 < left(0.5) <= 500

# The channel is none the worse.
line_of_sight(b"", timeout=5)
