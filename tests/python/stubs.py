"""The API in Python: compiled from `proto/` each time, so that it is never out of date."""

import atexit
import importlib
import pkgutil
import re
import shutil
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import grpc_tools
import grpc_tools.protoc

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"


def _compile():
    """Compiles the API's own protos into a new folder. Those of google are in the packages."""
    folder = tempfile.mkdtemp(prefix="alamein-stubs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    own = sorted(str(file.relative_to(PROTO)) for file in PROTO.glob("alamein/v1/*.proto"))
    assert own, f"no protos in {PROTO}"
    theirs = Path(grpc_tools.__file__).parent / "_proto"
    arguments = ["protoc", f"-I{PROTO}", f"-I{theirs}"]
    arguments += [f"--python_out={folder}", f"--grpc_python_out={folder}"]
    assert grpc_tools.protoc.main([*arguments, *own]) == 0, "the protos do not compile"
    return folder


def _load():
    """Every message, enum and stub of the API under its own name."""
    folder = _compile()
    sys.path.insert(0, folder)
    found = {}
    for module in pkgutil.iter_modules([str(Path(folder, "alamein/v1"))]):
        names = vars(importlib.import_module(f"alamein.v1.{module.name}"))
        found.update({name: it for name, it in names.items() if name[:1].isupper()})
    return SimpleNamespace(**found)


v1 = _load()


def promised_errors():
    """What `errors.proto` promises of each reason: its status code, and the keys of its metadata,
    of which there may be several sets."""
    text = (PROTO / "alamein/v1/errors.proto").read_text()
    entry = re.compile(r"((?:  //[^\n]*\n)+)  ERROR_REASON_(\w+) = \d+;")
    promised = {}
    for comment, reason in entry.findall(text):
        comment = re.sub(r"\s*//\s*", " ", comment).strip()
        head = re.sub(r"\([^)]*\)", "", comment.split(".")[0])
        code, *choices = [part.strip() for part in head.split(";")]
        if reason == "UNSPECIFIED":
            continue
        keys = [set(re.findall(r"`([a-z_]+)`", choice)) for choice in choices]
        promised[reason] = (code, keys or [set()])
    return promised
