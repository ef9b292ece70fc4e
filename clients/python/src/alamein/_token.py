"""Puts the token into every request, those of raw stubs too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import grpc
from grpc import aio

_Headers = tuple[tuple[str, str], ...]


class _Details(grpc.ClientCallDetails):
    """Those of a call, with headers on top."""

    def __init__(self, of: grpc.ClientCallDetails, headers: _Headers) -> None:
        self.method = of.method
        self.timeout = of.timeout
        self.metadata = (*(of.metadata or ()), *headers)
        self.credentials = of.credentials
        self.wait_for_ready = getattr(of, "wait_for_ready", None)
        self.compression = getattr(of, "compression", None)


class _Bearer(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    def __init__(self, headers: _Headers) -> None:
        self._headers = headers

    def _call(self, go_on: Callable[..., Any], details: Any, request: Any) -> Any:  # noqa: ANN401
        return go_on(_Details(details, self._headers), request)

    intercept_unary_unary = _call  # type: ignore[assignment]
    intercept_unary_stream = _call  # type: ignore[assignment]
    intercept_stream_unary = _call  # type: ignore[assignment]
    intercept_stream_stream = _call  # type: ignore[assignment]


def intercepted(channel: grpc.Channel, headers: _Headers, others: Sequence[Any]) -> grpc.Channel:
    """A channel whose calls pass through interceptors, and bear the headers."""
    through = [*others, *([_Bearer(headers)] if headers else [])]
    return grpc.intercept_channel(channel, *through) if through else channel


async def _bear(headers: _Headers, go_on: Callable[..., Any], details: Any, request: Any) -> Any:  # noqa: ANN401
    metadata = aio.Metadata(*(details.metadata or ()), *headers)
    return await go_on(details._replace(metadata=metadata), request)


class _UnaryUnary(aio.UnaryUnaryClientInterceptor):
    def __init__(self, headers: _Headers) -> None:
        self._headers = headers

    async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:  # noqa: ANN401
        return await _bear(self._headers, continuation, details, request)


class _UnaryStream(aio.UnaryStreamClientInterceptor):
    def __init__(self, headers: _Headers) -> None:
        self._headers = headers

    async def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:  # noqa: ANN401
        return await _bear(self._headers, continuation, details, request)


class _StreamStream(aio.StreamStreamClientInterceptor):
    def __init__(self, headers: _Headers) -> None:
        self._headers = headers

    async def intercept_stream_stream(self, continuation: Any, details: Any, requests: Any) -> Any:  # noqa: ANN401
        return await _bear(self._headers, continuation, details, requests)


def interceptors(headers: _Headers, others: Sequence[Any]) -> list[Any]:
    """The interceptors of an asyncio channel whose calls bear the headers.

    One class each: of an interceptor that is of several kinds, gRPC takes the first alone.
    """
    ours = [_UnaryUnary(headers), _UnaryStream(headers), _StreamStream(headers)] if headers else []
    return [*others, *ours]
