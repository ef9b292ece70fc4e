"""Reflection tells the whole API, by v1 and by v1alpha: every service, and all that its files need."""

import sys

import grpc
from checks import Checks, same
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_reflection.v1alpha import reflection_pb2
from stubs import v1

channel = grpc.insecure_channel(sys.argv[1])
SERVICES = {
    f"alamein.v1.{name}Service" for name in ("Adjudication", "Game", "Map", "Position", "Ruleset")
}
REFLECTION = "grpc.reflection.{}.ServerReflection"


def reflect(version, **request):
    """One question of reflection. Both versions have the same messages, of the same numbers."""
    call = channel.stream_stream(
        f"/{REFLECTION.format(version)}/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    [answer] = call(iter([reflection_pb2.ServerReflectionRequest(**request)]), timeout=20)
    assert answer.WhichOneof("message_response") != "error_response", answer
    return answer


def files_of(version, symbol):
    """The file of a symbol and all that it imports, each by its name."""
    found, wanted = {}, [{"file_containing_symbol": symbol}]
    while wanted:
        answer = reflect(version, **wanted.pop()).file_descriptor_response
        for raw in answer.file_descriptor_proto:
            file = descriptor_pb2.FileDescriptorProto.FromString(raw)
            if file.name not in found:
                found[file.name] = file
                wanted += [{"file_by_filename": name} for name in file.dependency]
    return found


def whole(version):
    """Each service is listed, and can be made of what reflection tells, as the protos have it."""
    listed = reflect(version, list_services="").list_services_response.service
    listed = {service.name for service in listed}
    assert SERVICES <= listed, listed
    assert {REFLECTION.format("v1"), REFLECTION.format("v1alpha")} <= listed, listed
    pool = descriptor_pool.DescriptorPool()
    added = set()

    def add(files, name):
        if name in added:
            return
        added.add(name)
        for needed in files[name].dependency:
            add(files, needed)
        pool.Add(files[name])

    for service in sorted(SERVICES):
        files = files_of(version, service)
        for name in sorted(files):
            add(files, name)
        told = pool.FindServiceByName(service)
        # By the stubs, which protoc made of the protos.
        for method in told.methods:
            for message in (method.input_type, method.output_type):
                known = getattr(v1, message.name).DESCRIPTOR
                fields = {(field.name, field.number, field.type) for field in message.fields}
                same(fields, {(field.name, field.number, field.type) for field in known.fields})
        same(
            {method.name for method in told.methods},
            {name for name in dir(getattr(v1, f"{service.split('.')[-1]}Servicer")) if name[0] != "_"},
        )


def by_v1():
    """The version of today."""
    whole("v1")


def by_v1alpha():
    """The one that older tools ask."""
    whole("v1alpha")


checks = Checks()
checks.run_all([by_v1, by_v1alpha])
checks.end()
