"""A server that fails as it is told to: for failures that no service gives on demand."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from alamein import v1
from alamein.v1.adjudication_service_pb2_grpc import (
    AdjudicationServiceServicer,
    add_AdjudicationServiceServicer_to_server,
)
from alamein.v1.game_service_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server


@dataclass
class Trouble:
    """What to answer a call with."""

    code: grpc.StatusCode
    reason: str = ""
    retry_after: float | None = None
    slow: float = 0.0

    def status(self) -> status_pb2.Status:
        """As it goes over the wire."""
        details: list[Any] = []
        for message in self._details():
            packed = Any()
            packed.Pack(message)
            details.append(packed)
        return status_pb2.Status(code=self.code.value[0], message="as told", details=details)

    def _details(self) -> Iterator[error_details_pb2.ErrorInfo | error_details_pb2.RetryInfo]:
        if self.reason:
            yield error_details_pb2.ErrorInfo(domain="alamein", reason=self.reason, metadata={"max": "1"})
        if self.retry_after is not None:
            delay = Duration()
            delay.FromMilliseconds(int(self.retry_after * 1000))
            yield error_details_pb2.RetryInfo(retry_delay=delay)


@dataclass
class Scripted(AdjudicationServiceServicer, GameServiceServicer):
    """Answers with troubles, as long as there are any, and keeps when it was asked what."""

    troubles: list[Trouble] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    requests: list[object] = field(default_factory=list)
    headers: list[dict[str, str | bytes]] = field(default_factory=list)
    left: list[float] = field(default_factory=list)

    def _asked(self, request: object, context: grpc.ServicerContext) -> None:
        self.times.append(time.monotonic())
        self.requests.append(request)
        self.headers.append(dict(context.invocation_metadata()))
        self.left.append(context.time_remaining())
        if not self.troubles:
            return
        trouble = self.troubles.pop(0)
        time.sleep(trouble.slow)
        if trouble.code is not grpc.StatusCode.OK:
            packed = trouble.status().SerializeToString()
            context.set_trailing_metadata((("grpc-status-details-bin", packed),))
            context.abort(trouble.code, "as told")

    def BatchAdjudicate(
        self, request: v1.BatchAdjudicateRequest, context: grpc.ServicerContext
    ) -> v1.BatchAdjudicateResponse:
        self._asked(request, context)
        return v1.BatchAdjudicateResponse(answers=[v1.Answer(ruling=v1.Ruling())] * len(request.questions))

    def AdvanceGame(
        self, request: v1.AdvanceGameRequest, context: grpc.ServicerContext
    ) -> v1.AdvanceGameResponse:
        self._asked(request, context)
        return v1.AdvanceGameResponse()

    def DeleteGame(
        self, request: v1.DeleteGameRequest, context: grpc.ServicerContext
    ) -> v1.DeleteGameResponse:
        self._asked(request, context)
        return v1.DeleteGameResponse()


@contextmanager
def scripted(troubles: Sequence[Trouble] = ()) -> Iterator[tuple[Scripted, str]]:
    """Such a server, and where it is."""
    servicer = Scripted(list(troubles))  # type: ignore[abstract]
    server = grpc.server(ThreadPoolExecutor(4))
    add_AdjudicationServiceServicer_to_server(servicer, server)
    add_GameServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield servicer, f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()
