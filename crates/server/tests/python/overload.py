"""Two calls are worked on at once, over all connections; a third is told when to come back."""

import time

import grpc
from common import channel, fails, method, order
from grpc_health.v1 import health_pb2, health_pb2_grpc

one, two, three = (channel() for _ in range(3))
busy = [
    method(open_channel, "LineOfSight").future(b"", timeout=10, metadata=order("sleep 3000"))
    for open_channel in (one, two)
]
time.sleep(0.5)

found, _, took = fails(
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    "OVERLOADED",
    method(three, "LineOfSight"),
    b"",
    timeout=5,
)
assert took < 1.5, took
delay = found["RetryInfo"].retry_delay
assert delay.ToMilliseconds() == 200, delay

# Health answers all the same.
health = health_pb2_grpc.HealthStub(three)
answer = health.Check(health_pb2.HealthCheckRequest(), timeout=5)
assert answer.status == health_pb2.HealthCheckResponse.SERVING

for call in busy:
    assert call.result() == b""
time.sleep(0.1)
method(three, "LineOfSight")(b"", timeout=5)

# A call that its client gives up leaves its place.
for _ in range(4):
    call = method(one, "LineOfSight").future(b"", timeout=10, metadata=order("sleep 9000"))
    time.sleep(0.1)
    call.cancel()
time.sleep(0.2)
method(three, "LineOfSight")(b"", timeout=5)
