"""The `docker` launcher: a container per guest, through the Docker Engine's API."""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from sandbox.errors import GuestDied, SandboxError, SandboxUnavailable
from sandbox.guest.frames import HEADER, pack
from sandbox.launchers import image
from sandbox.launchers.commands import guest_environment
from sandbox.records import Limits

_STREAM_HEADER = struct.Struct(">BxxxI")
_STANDARD_OUTPUT = 1
_LABEL = "io.github.sebench-tasks"
HOST_LABEL = f"{_LABEL}.host"
"""Label of a guest's container that names the host process, as `host_name` does."""
_STALE_S = 300.0  # longer than the engine's calls between creation and start may take


class DockerLauncher:
    """Containers without network, with a read-only root and next to no capabilities."""

    name = "docker"

    def __init__(self) -> None:
        self._image_id = ""

    def check(self) -> None:
        """Ask the engine for the image. Raises SandboxUnavailable."""
        import docker.errors

        with closing(_engine()) as engine:
            try:
                found = engine.images.list(filters={"reference": image.tag()})
            except (docker.errors.DockerException, OSError) as error:
                raise SandboxUnavailable(f"the Docker engine does not list images ({_first_line(error)})") from error
            if not found:
                raise SandboxUnavailable(image.missing("docker"))
            with suppress(docker.errors.DockerException, OSError):  # another host may remove the same
                _remove_stale(engine)
        self._image_id = found[0].id

    def build(self, base: str, report: Callable[[str], None]) -> str:
        """Build the image on `base`, telling `report` each line; return the image's id. Raises SandboxError."""
        import docker.errors

        with image.build_context() as folder, closing(_engine()) as engine:
            stream = engine.api.build(
                path=str(folder), tag=image.tag(), buildargs={"BASE": base}, network_mode="none", rm=True, decode=True
            )
            try:
                for message in stream:
                    if "error" in message:
                        raise SandboxError(f"the image was not built: {message['error'].strip()}")
                    report(str(message.get("stream", message.get("status", ""))).strip())
                return str(engine.images.get(image.tag()).id)
            except docker.errors.DockerException as error:
                raise SandboxError(f"the image was not built: {error}") from error

    def start(self, limits: Limits) -> tuple[DockerConnection, dict[str, list[str]], dict[str, Any]]:
        """Start a container whose first process is a hub."""
        import docker.errors

        try:
            connection = DockerConnection(_engine(), limits)
        except (docker.errors.DockerException, OSError) as error:
            advice = "see whether the engine is well with `docker version` and `docker info`"
            raise SandboxError(f"docker did not start a guest ({_first_line(error)}); {advice}") from error
        shared = {"uid": image.user_id(), "filter": True, "threads": limits.threads}
        return connection, image.cell_commands(), shared

    @property
    def provenance(self) -> dict[str, str]:
        """The image's name and id."""
        return {"image": image.tag(), "image_id": self._image_id}


def host_name(pid: int) -> str:
    """A process of this machine, as labels name it."""
    return f"{socket.gethostname()}:{pid}"


def _engine() -> Any:
    """A client of the engine, to be closed. Raises SandboxUnavailable."""
    try:
        import docker
        import docker.errors
    except ImportError as error:
        raise SandboxUnavailable("the Docker SDK for Python is missing: `pip install docker`") from error
    try:
        engine = docker.from_env(timeout=120)
    except (docker.errors.DockerException, OSError) as error:
        raise SandboxUnavailable(
            f"no Docker engine is configured ({_first_line(error)}); start Docker or set DOCKER_HOST"
        ) from error
    try:
        engine.ping()
    except (docker.errors.DockerException, OSError) as error:
        engine.close()
        raise SandboxUnavailable(f"no Docker engine answers ({_first_line(error)}); start Docker") from error
    return engine


def _remove_stale(engine: Any) -> None:
    """Remove what was created and never started: its host lost the engine, or ended, in between.

    A container that has started ends by itself when its host goes.
    """
    filters = {"label": f"{_LABEL}=guest", "status": "created"}
    for container in engine.containers.list(all=True, sparse=True, filters=filters):
        if time.time() - container.attrs["Created"] > _STALE_S:
            container.remove(force=True)


def _create(engine: Any, limits: Limits) -> Any:
    memory = image.container_memory_bytes(limits.solution_memory_bytes, limits.kernel_memory_bytes)
    return engine.containers.create(
        image.tag(),
        image.hub_arguments(),
        environment=guest_environment(),
        labels={_LABEL: "guest", HOST_LABEL: host_name(os.getpid())},
        network_mode="none",
        ipc_mode="none",
        read_only=True,
        user="0:0",
        cap_drop=["ALL"],
        cap_add=list(image.CAPABILITIES),
        security_opt=["no-new-privileges"],
        mem_limit=memory,
        memswap_limit=memory,
        pids_limit=limits.threads + 64,
        log_config={"type": "none"},
        stdin_open=True,
        auto_remove=True,
    )


class DockerConnection:
    """Attached standard streams of a container. The engine closes its standard input when this end goes away."""

    def __init__(self, engine: Any, limits: Limits) -> None:
        self._engine = engine
        self._container: Any = None
        self._stream: Any = None
        self._output = bytearray()
        self._log = b""
        try:
            self._container = _create(engine, limits)
            streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self._stream = self._container.attach_socket(params=streams)
            self._socket: socket.socket = getattr(self._stream, "_sock", self._stream)
            self._container.start()
        except BaseException:
            self.close()
            raise

    def send(self, payload: bytes, deadline: float) -> None:
        """Send one frame."""
        try:
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            self._socket.sendall(pack(payload))
        except OSError as error:
            raise self._died(str(error)) from error

    def receive(self, deadline: float, most_bytes: int) -> bytes:
        """The next frame's payload."""
        (length,) = HEADER.unpack(self._read(HEADER.size, deadline))
        if length > most_bytes:
            raise self._died(f"the guest announced {length} bytes where {most_bytes} are the most")
        return self._read(length, deadline)

    def _read(self, count: int, deadline: float) -> bytes:
        while len(self._output) < count:
            kind, length = _STREAM_HEADER.unpack(self._read_raw(_STREAM_HEADER.size, deadline))
            content = self._read_raw(length, deadline)
            if kind == _STANDARD_OUTPUT:
                self._output += content
            else:
                self._log = (self._log + content)[-2000:]
        data = bytes(self._output[:count])
        del self._output[:count]
        return data

    def _read_raw(self, count: int, deadline: float) -> bytes:
        parts = []
        while count:
            try:
                self._socket.settimeout(max(0.001, deadline - time.monotonic()))
                part = self._socket.recv(min(count, 1 << 20))
            except OSError as error:
                raise self._died(str(error)) from error
            if not part:
                raise self._died("the guest ended")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _died(self, reason: str) -> GuestDied:
        log = self._log.decode("utf-8", "replace").strip()
        return GuestDied(f"{reason}; {log or 'it left no message'}")

    def close(self) -> None:
        """Remove the container."""
        import docker.errors

        if self._stream is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        if self._container is not None:
            with suppress(docker.errors.DockerException, OSError):
                self._container.remove(force=True)
        response = getattr(self._stream, "_response", None)
        raw = getattr(self._stream, "_sock", None)
        for resource in filter(None, (response, self._stream, raw, self._engine)):
            with suppress(OSError, ValueError):
                resource.close()


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]
