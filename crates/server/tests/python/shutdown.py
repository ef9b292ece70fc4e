"""Shutting down: health says so first, what is open finishes, endless streams are ended."""

import time

import grpc
from common import channel, cue, method, order
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

STATUS = health_pb2.HealthCheckResponse

open_channel = channel()
health = health_pb2_grpc.HealthStub(open_channel)
watched = health.Watch(health_pb2.HealthCheckRequest())
assert next(watched).status == STATUS.SERVING


def endless():
    """A question, and then silence."""
    yield reflection_pb2.ServerReflectionRequest(list_services="")
    time.sleep(30)


reflected = reflection_pb2_grpc.ServerReflectionStub(open_channel).ServerReflectionInfo(endless())
next(reflected)

line_of_sight = method(open_channel, "LineOfSight")
work = line_of_sight.future(b"", timeout=10, metadata=order("sleep 3000"))
time.sleep(0.3)
start = time.monotonic()
cue("shutdown")

# The lame duck: NOT_SERVING is told, and calls are answered, on new connections too.
assert next(watched).status == STATUS.NOT_SERVING
second = channel()
method(second, "LineOfSight")(b"", timeout=5)
assert time.monotonic() - start < 1, "the lame duck was over before it was seen"

# The drain: streams without an end are ended so that clients look for another server.
for stream in (watched, reflected):
    try:
        next(stream)
        raise AssertionError("the stream should have been ended")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE, error

# No new connection, and what was begun ends well.
time.sleep(0.2)
try:
    method(channel(), "LineOfSight")(b"", timeout=5)
    raise AssertionError("no new connection should be accepted")
except grpc.RpcError as error:
    assert error.code() == grpc.StatusCode.UNAVAILABLE, error
assert work.result() == b""
