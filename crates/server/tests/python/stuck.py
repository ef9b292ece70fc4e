"""Shutting down does not wait for ever: what does not finish is cut off."""

import time

import grpc
from common import channel, cue, method, order

work = method(channel(), "LineOfSight").future(b"", timeout=60, metadata=order("sleep 25000"))
time.sleep(0.3)
start = time.monotonic()
cue("shutdown")
assert work.code() == grpc.StatusCode.UNAVAILABLE, work.code()
# It is told so, and not just cut off.
assert "shutting down" in work.details(), work.details()
took = time.monotonic() - start
assert 0.5 < took < 4, took
