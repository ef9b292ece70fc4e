"""A client of the service, and its errors in gRPC's richer model."""

import time
from dataclasses import dataclass, field
from urllib.parse import unquote

import grpc
from google.rpc import code_pb2, error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status
from stubs import promised_errors, v1

DOMAIN = "alamein"
PROMISED = promised_errors()

#: How long a call may take unless it says otherwise, in seconds.
TIMEOUT = 20


@dataclass
class Refusal:
    """An error of the service."""

    code: str
    message: str
    reason: str = ""
    domain: str = ""
    metadata: dict = field(default_factory=dict)
    #: What is wrong with each field of the request, by its path.
    fields: dict = field(default_factory=dict)
    #: The names of the details there are.
    details: tuple = ()

    @classmethod
    def of_status(cls, status):
        """Of a `google.rpc.Status`."""
        refusal = cls(code_pb2.Code.Name(status.code), status.message)
        for packed in status.details:
            name = packed.TypeName().rsplit(".", 1)[-1]
            detail = getattr(error_details_pb2, name)()
            assert packed.Unpack(detail), packed
            refusal.details += (name,)
            if name == "ErrorInfo":
                refusal.reason, refusal.domain = detail.reason, detail.domain
                refusal.metadata = dict(detail.metadata)
            if name == "BadRequest":
                violations = detail.field_violations
                refusal.fields = {broken.field: broken.description for broken in violations}
        return refusal

    @classmethod
    def of_error(cls, error):
        """Of what a call raised."""
        try:
            status = rpc_status.from_call(error)
        except ValueError:
            # Where grpcio's own deadline passes while the trailers come in, it hands on their words
            # as they are on the wire: percent-encoded. It then says that they are not the status's.
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
            return cls(error.code().name, unquote(error.details()))
        if status is not None:
            return cls.of_status(status)
        return cls(error.code().name, error.details())

    def check(self):
        """Checks that it has everything that `errors.proto` promises of its reason."""
        assert self.domain == DOMAIN, f"its ErrorInfo is of the domain {self.domain!r}: {self}"
        assert self.reason in PROMISED, f"no such reason: {self}"
        code, choices = PROMISED[self.reason]
        assert self.code == code, f"{self.reason} goes with {code}: {self}"
        has_all = any(keys <= self.metadata.keys() for keys in choices)
        assert has_all, f"{self.reason} has the metadata {choices}: {self}"
        if code == "INVALID_ARGUMENT":
            assert self.fields, f"it names no field: {self}"
        if code == "NOT_FOUND":
            assert "ResourceInfo" in self.details, f"it names nothing that is missing: {self}"
        assert self.message, f"it says nothing: {self}"
        return self


class Client:
    """All services of one server."""

    def __init__(self, address):
        options = [
            ("grpc.enable_retries", 0),
            ("grpc.max_receive_message_length", -1),
            ("grpc.max_send_message_length", -1),
            # Channels of one process would share a connection otherwise.
            ("grpc.use_local_subchannel_pool", 1),
        ]
        self.channel = grpc.insecure_channel(address, options=options)
        self.adjudication = v1.AdjudicationServiceStub(self.channel)
        self.maps = v1.MapServiceStub(self.channel)
        self.positions = v1.PositionServiceStub(self.channel)
        self.rulesets = v1.RulesetServiceStub(self.channel)
        self._health = health_pb2_grpc.HealthStub(self.channel)

    def close(self):
        """Closes the connection."""
        self.channel.close()

    def method(self, request):
        """The method that takes such a request."""
        name = type(request).__name__.removesuffix("Request")
        for stub in (self.adjudication, self.maps, self.positions, self.rulesets):
            if hasattr(stub, name):
                return getattr(stub, name)
        raise AssertionError(f"no method takes {name}Request")

    def ask(self, request, timeout=TIMEOUT, **options):
        """Asks something."""
        return self.method(request)(request, timeout=timeout, **options)

    def patiently(self, request, timeout=TIMEOUT):
        """Asks until it is let in: a server that has more to judge than it can turns some away."""
        while True:
            try:
                return self.ask(request, timeout=timeout)
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                time.sleep(0.02)

    def refused(self, request, timeout=TIMEOUT, **options):
        """Asks something that must be refused."""
        return refusal_of(lambda: self.ask(request, timeout=timeout, **options))

    def health(self, service=""):
        """The health of a service: `SERVING` or `NOT_SERVING`."""
        request = health_pb2.HealthCheckRequest(service=service)
        status = self._health.Check(request, timeout=TIMEOUT).status
        return health_pb2.HealthCheckResponse.ServingStatus.Name(status)

    def loaded(self, patience=60):
        """Waits until the server has loaded its rules, or refused them."""
        end = time.monotonic() + patience
        while True:
            try:
                self.ruleset()
                return self
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE, error
                assert time.monotonic() < end, "the rules are still not loaded"
                time.sleep(0.05)

    def ruleset(self):
        """The ruleset by which the server judges."""
        return self.ask(v1.GetRulesetRequest()).ruleset


def refusal_of(call):
    """The refusal of a call that must fail."""
    try:
        answer = call()
    except grpc.RpcError as error:
        return Refusal.of_error(error)
    raise AssertionError(f"it was answered: {str(answer)[:400]}")
