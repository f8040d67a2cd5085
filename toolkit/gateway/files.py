"""File parameters by reference: the model passes a name it was given, the tool gets a temporary copy.

A reference is made by the host, cannot be guessed, names one file inside one root, and expires. The file is looked at
again when it is used: whatever was put in its place meanwhile, no symbolic link, pipe, device or oversized file gets
through, and none of them blocks.
"""

from __future__ import annotations

import mimetypes
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Annotated, NamedTuple

from pydantic import Field

from toolkit.errors import ToolError

FileReference = Annotated[str, Field(pattern=r"^file_[0-9a-f]{32}$", description="A file reference you were given")]
_STEP = 65_536  # bytes copied at a time
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class _Offer(NamedTuple):
    name: str
    media_type: str
    expires_at: float


class FileRoot:
    """The files below one directory that tools may read.

    Args:
        root: Nothing outside of it is ever opened.
        media_types: What may be offered, by the file's ending.
        max_bytes: Of one file.
        lifetime_s: How long a reference is good for, in seconds.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        root: str | Path,
        *,
        media_types: Collection[str] = ("text/plain", "text/csv", "application/json", "application/pdf"),
        max_bytes: int = 10_000_000,
        lifetime_s: float = 3600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = Path(root).resolve(strict=True)
        self._media_types, self._max_bytes = frozenset(media_types), max_bytes
        self._lifetime_s, self._clock = lifetime_s, clock
        self._offers: dict[str, _Offer] = {}

    def offer(self, name: str) -> str:
        """A reference to the file of this name, relative to the root. Hand it to the model.

        Raises:
            ToolError: the name leads out of the root, or there is no such file, or it is none to be read.
        """
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if media_type not in self._media_types:
            raise ToolError(f"{name!r} is {media_type}. Allowed: {', '.join(sorted(self._media_types))}.")
        os.close(self._open(name))
        now = self._clock()
        self._offers = {key: offer for key, offer in self._offers.items() if offer.expires_at > now}
        reference = f"file_{secrets.token_hex(16)}"
        self._offers[reference] = _Offer(name, media_type, now + self._lifetime_s)
        return reference

    @contextmanager
    def copied(self, reference: str, *, media_types: Collection[str] | None = None) -> Iterator[Path]:
        """A temporary copy of the file, removed in the end, also after an error or a cancel.

        Raises:
            ToolError: the reference is unknown or expired, of another media type, or its file is none to be read.
        """
        offer = self._offers.get(reference)
        if offer is None or offer.expires_at <= self._clock():
            raise ToolError(
                f"There is no file {reference!r}, or it has expired.", next_step="ask the user for the file"
            )
        if media_types is not None and offer.media_type not in media_types:
            raise ToolError(f"The file is {offer.media_type}; this needs {', '.join(sorted(media_types))}.")
        source = self._open(offer.name)
        try:
            directory = Path(tempfile.mkdtemp(prefix="toolkit-"))
            try:
                copy = directory / f"file{PurePosixPath(offer.name).suffix}"
                self._copy(source, copy)
                os.close(source)
                source = -1
                yield copy
            finally:
                shutil.rmtree(directory, ignore_errors=True)
        finally:
            if source >= 0:
                os.close(source)

    def _copy(self, source: int, copy: Path) -> None:
        written = 0
        with copy.open("xb") as target:
            while block := os.read(source, _STEP):
                written += len(block)
                if written > self._max_bytes:  # it grew after it was measured
                    raise _too_long(self._max_bytes)
                target.write(block)

    def _open(self, name: str) -> int:
        parts = name.replace("\\", "/").split("/")
        if not name or "\0" in name or any(part in ("", ".", "..") or ":" in part for part in parts):
            raise ToolError(f"{name!r} is no name of a file below the root.")
        try:
            descriptor = self._walk(parts)
        except (OSError, ValueError):
            raise ToolError(f"There is no file {name!r} to be read.") from None
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > self._max_bytes:
            os.close(descriptor)
            if stat.S_ISREG(status.st_mode):
                raise _too_long(self._max_bytes)
            raise ToolError(f"There is no file {name!r} to be read.")
        return descriptor

    def _walk(self, parts: list[str]) -> int:
        """Open step by step, so that no directory on the way can be a link out of the root."""
        if os.open not in os.supports_dir_fd:  # Windows: the whole path is looked at, then opened
            path = self._root.joinpath(*parts)
            if path.resolve(strict=True) != path or not stat.S_ISREG(path.lstat().st_mode):
                raise OSError("a link, or no regular file")
            return os.open(path, _OPEN)
        here = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
                os.close(here)
                here = below
            if not stat.S_ISREG(os.stat(parts[-1], dir_fd=here, follow_symlinks=False).st_mode):
                raise OSError("no regular file")  # not even opened: opening a device may already do something
            return os.open(parts[-1], _OPEN, dir_fd=here)
        finally:
            os.close(here)


def _too_long(max_bytes: int) -> ToolError:
    return ToolError(f"The file is longer than {max_bytes} bytes.", next_step="ask the user for a shorter one")
