"""A panic is INTERNAL for its own call, tells nothing, and harms no other."""

import grpc
from common import channel, fails, method, order

open_channel = channel()
line_of_sight = method(open_channel, "LineOfSight")
line_of_sight(b"", timeout=5)

beside = line_of_sight.future(b"", timeout=10, metadata=order("sleep 2000"))
for _ in range(5):
    found, error, _ = fails(
        grpc.StatusCode.INTERNAL,
        "INTERNAL",
        line_of_sight,
        b"",
        timeout=5,
        metadata=order("panic"),
    )
    assert "secret" not in error.details() + str(found), error
assert not beside.done(), "it should still be asleep on the same connection"
assert beside.result() == b""
line_of_sight(b"", timeout=5)
