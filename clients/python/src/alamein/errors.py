"""What can go wrong with a call.

A verdict such as "blocked" or "prohibited" is no error: it is an answer. What is raised here says that there
is no answer, why, in which field of the request, and whether to try again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

import grpc
from google.rpc import error_details_pb2, status_pb2

__all__ = [
    "Aborted",
    "AlameinError",
    "AlreadyExists",
    "DeadlineExceeded",
    "FieldViolation",
    "InvalidArgument",
    "NotFound",
    "PermissionDenied",
    "PreconditionFailed",
    "ResourceExhausted",
    "SettingError",
    "Unauthenticated",
    "Unavailable",
    "Unimplemented",
]

_DOMAIN = "alamein"
_DETAILS = "grpc-status-details-bin"
_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class SettingError(ValueError):
    """What a client was made with makes no sense, or would send a token in plain text."""


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is at fault."""

    path: str
    """Its path, such as ``subject.position.counters[3].hex``. Of one question of several it begins at the
    question: ``line_of_sight.from.hex``."""

    description: str
    """What is wrong with it."""


class AlameinError(Exception):
    """Why a call gave no answer, or a question no ruling.

    There is a subclass for each status code that one may want to catch by itself. What programs branch on
    beyond that is ``reason``.
    """

    code: grpc.StatusCode
    """The status code."""
    reason: str
    """Why, as the service names it, such as ``UNKNOWN_HEX``: an ``ErrorReason`` without its prefix. These are
    stable. Empty where the service said nothing, as when it cannot be reached."""
    message: str
    """What happened and what to do, in words."""
    metadata: Mapping[str, str]
    """What goes with the reason: the comments of ``v1.ErrorReason`` tell which keys there are."""
    fields: tuple[FieldViolation, ...]
    """The fields of the request that are at fault."""
    retry_after: float | None
    """After how many seconds to try again, if the service said so."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        fields: Sequence[FieldViolation] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = MappingProxyType(dict(metadata or {}))
        self.fields = tuple(fields)
        self.retry_after = retry_after

    def __str__(self) -> str:
        text = f"{self.reason or self.code.name}: {self.message}"
        for field in self.fields:
            # Most messages begin with the path of the one field that they are about.
            if field.path not in self.message:
                text += f" [{field.path}: {field.description}]"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        # The metadata's view cannot be pickled, and errors cross from worker processes.
        told = (self.reason, dict(self.metadata), self.fields, self.retry_after)
        return (_again, (self.code.value[0], self.message, *told))

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed a little later.

        That is so where the service is not there, where its answer broke off on the way, and where it is at
        its limits and says when to come back. Limits of which it does not say that stay.
        """
        if self.code is grpc.StatusCode.UNAVAILABLE:
            return True
        if self.code in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
            # The service says its reason. Without one, something on the way lost the service behind it.
            return not self.reason
        return self.code is grpc.StatusCode.RESOURCE_EXHAUSTED and self.retry_after is not None

    @staticmethod
    def of_status(status: status_pb2.Status) -> AlameinError:
        """The error that a ``google.rpc.Status`` tells: of one question of a batch, or of a whole call."""
        code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
        info = error_details_pb2.ErrorInfo()
        bad = error_details_pb2.BadRequest()
        retry = error_details_pb2.RetryInfo()
        retry_after: float | None = None
        for detail in status.details:
            if detail.Is(info.DESCRIPTOR):
                detail.Unpack(info)
            elif detail.Is(bad.DESCRIPTOR):
                detail.Unpack(bad)
            elif detail.Is(retry.DESCRIPTOR) and detail.Unpack(retry):
                retry_after = retry.retry_delay.ToTimedelta().total_seconds()
        ours = info.domain == _DOMAIN
        return _CLASSES.get(code, AlameinError)(
            code,
            status.message,
            reason=info.reason if ours else "",
            metadata=info.metadata if ours else None,
            fields=[FieldViolation(it.field, it.description) for it in bad.field_violations],
            retry_after=retry_after,
        )

    @staticmethod
    def of_call(error: grpc.RpcError) -> AlameinError:
        """The error that a call of a stub raised, sync or async."""
        code = error.code() if hasattr(error, "code") else grpc.StatusCode.UNKNOWN
        message = (error.details() if hasattr(error, "details") else None) or ""
        trailing = error.trailing_metadata() if hasattr(error, "trailing_metadata") else None
        for key, value in cast("Iterable[tuple[str, str | bytes]]", trailing or ()):
            if key == _DETAILS and isinstance(value, bytes):
                status = status_pb2.Status.FromString(value)
                # What the transport says of itself goes before what a proxy may have left there.
                if status.code == code.value[0]:
                    return AlameinError.of_status(status)
        return AlameinError.of_code(code, message)

    @staticmethod
    def of_code(code: grpc.StatusCode, message: str) -> AlameinError:
        """An error of which there is no more to be told."""
        return _CLASSES.get(code, AlameinError)(code, message)


class InvalidArgument(AlameinError):
    """The request makes no sense: ``fields`` says where."""


class NotFound(AlameinError):
    """It is not kept here: a map, a position, a game, an entry, a ruleset."""


class AlreadyExists(AlameinError):
    """There is one of this name already, and it is another."""


class PreconditionFailed(AlameinError):
    """The rules do not suit what is asked, are not here, or nothing can be added to what is kept."""


class Aborted(AlameinError):
    """The game has moved on: ``metadata`` tells its head, and the etag to try again with."""


class PermissionDenied(AlameinError):
    """The token does not allow it, or nobody may."""


class Unauthenticated(AlameinError):
    """The service asks who calls, and does not know this token."""


class ResourceExhausted(AlameinError):
    """A limit is reached. With ``retry_after`` it passes."""


class Unavailable(AlameinError):
    """The service is not there, or not ready, and was not after all tries."""


class DeadlineExceeded(AlameinError):
    """Time was up, here or at the service."""


class Unimplemented(AlameinError):
    """A rule decides that is not implemented (``RULE_NOT_IMPLEMENTED``), or there is no such method."""


_CLASSES: dict[grpc.StatusCode, type[AlameinError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExists,
    grpc.StatusCode.FAILED_PRECONDITION: PreconditionFailed,
    grpc.StatusCode.ABORTED: Aborted,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhausted,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
    grpc.StatusCode.UNIMPLEMENTED: Unimplemented,
}


def _again(
    code: int,
    message: str,
    reason: str,
    metadata: dict[str, str],
    fields: tuple[FieldViolation, ...],
    retry_after: float | None,
) -> AlameinError:
    known = _CODES.get(code, grpc.StatusCode.UNKNOWN)
    kind = _CLASSES.get(known, AlameinError)
    return kind(known, message, reason=reason, metadata=metadata, fields=fields, retry_after=retry_after)
