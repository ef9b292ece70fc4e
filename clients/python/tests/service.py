"""A service that a test starts, and may stop and start again."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_PATIENCE = 60.0


class MissingError(Exception):
    """There is no service to be started here."""


def _path(variable: str, usual: Path) -> Path:
    path = Path(os.environ.get(variable) or usual)
    if not path.exists():
        raise MissingError(
            f"{variable}: there is no {path}; `cargo xtask clients python` builds what is needed"
        )
    return path


def binary() -> Path:
    """The ``alamein`` command."""
    return _path("ALAMEIN_BIN", ROOT / "target/alamein/bin/alamein")


def plugins() -> Path:
    """The folder of the plugins."""
    return _path("ALAMEIN_PLUGINS", ROOT / "target/alamein/plugins")


def free_port() -> int:
    """A port that nobody listens at now: for a service that is to come again at the same place."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Service:
    """A service on this machine. Its log is in a file, so that it is never blocked by it."""

    def __init__(self, *flags: str, store: str = "memory", port: int = 0) -> None:
        self._command = [str(binary()), "serve", "--plugins", str(plugins())]
        self.folder = tempfile.TemporaryDirectory(prefix="alamein-py-")
        self._flags: Sequence[str] = ["--store", store, "--lame-duck", "0s", "--drain", "1s", *flags]
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._log = Path(self.folder.name) / "log"
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        """Starts it unless it runs, and waits until it listens and has its rules."""
        if self._process is not None:
            return
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *self._command,
                    *("--listen", f"127.0.0.1:{self._port}"),
                    *self._flags,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder.name,
            )
        ends = time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            if (found := re.search(r"listening\b.*?address=127\.0\.0\.1:(\d+)", self.log())) and (
                "rules in force" in self.log()
            ):
                self.port = int(found[1])
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"the service did not start:\n{self.log()}")

    @property
    def address(self) -> str:
        """Where it is."""
        return f"127.0.0.1:{self.port}"

    def log(self) -> str:
        """What it said."""
        text = self._log.read_text(errors="replace")
        return re.sub(r"\x1b\[[0-9;]*m", "", text)

    def stop(self) -> None:
        """Stops it in order."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def kill(self) -> None:
        """Ends it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """Stops it and clears up."""
        self.stop()
        self.folder.cleanup()
