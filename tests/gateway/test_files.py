"""S10: file references stay inside one root; nothing else gets through, and nothing blocks."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from pathlib import Path

import pytest

from toolkit import Status, ToolError, tool
from toolkit.gateway.files import FileReference, FileRoot


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A root with a report in it, a secret beside it, and temporary copies under `copies`."""
    root, copies = tmp_path / "root", tmp_path / "copies"
    (root / "sub").mkdir(parents=True)
    copies.mkdir()
    (root / "sub" / "report.csv").write_text("a,b\n1,2\n")
    (tmp_path / "secret.txt").write_text("sk-secret")
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    return tmp_path


@pytest.fixture
def files(tree, clock):
    return FileRoot(tree / "root", max_bytes=1000, lifetime_s=60, clock=clock.now)


def copies(tree):
    return list((tree / "copies").rglob("*"))


@pytest.mark.row("S10", "T14")
def test_a_reference_gives_a_copy_that_goes_away(files, tree):
    """The tool reads a copy with the file's ending; the original cannot be changed through it."""
    reference = files.offer("sub/report.csv")
    with files.copied(reference) as path:
        assert (path.read_text(), path.suffix) == ("a,b\n1,2\n", ".csv")
        path.write_text("changed")
    assert (tree / "root/sub/report.csv").read_text() == "a,b\n1,2\n"
    assert copies(tree) == []


NAMES = [
    "",
    ".",
    "..",
    "/",
    "../secret.txt",
    "sub/../../secret.txt",
    "sub/./report.csv",
    "sub//report.csv",
    "/etc/hostname.txt",
    "..\\secret.txt",
    "C:\\secret.txt",
    "C:secret.txt",
    "sub",
    "sub/",
    "nothing.txt",
    "sub/report.csv/x.txt",
    "a\0.txt",
    "sub/report.csv\0.txt",
    "x" * 5000 + ".txt",
    "\ud800.txt",
    "file:///etc/passwd.txt",
    "~/secret.txt",
    "%2e%2e/secret.txt",
]


@pytest.mark.row("S10")
@pytest.mark.parametrize("name", NAMES, ids=[repr(name)[:20] for name in NAMES])
def test_no_name_leads_out_of_the_root(files, tree, name):
    """Whatever is tried, it is refused with a text for the model, and nothing is opened."""
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with pytest.raises(ToolError):
        files.offer(name)
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert (before, copies(tree)) == (after, [])


def put_a_link_to_a_file(path, tree):
    path.symlink_to(tree / "secret.txt")


def put_a_link_within_the_root(path, tree):
    path.symlink_to(tree / "root/sub/report.csv")


def put_a_pipe(path, tree):
    os.mkfifo(path)


def put_a_directory(path, tree):
    path.mkdir()


def put_a_socket(path, tree):
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(path.parent)  # a socket's path is short
        server.bind(path.name)
        os.chdir(here)


def put_a_device(path, tree):
    try:
        os.mknod(path, 0o020666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device")


def put_a_long_file(path, tree):
    path.write_bytes(b"x" * 1001)


def put_a_hole(path, tree):
    with path.open("wb") as file:
        file.truncate(10**12)


PUT = [
    put_a_link_to_a_file,
    put_a_link_within_the_root,
    put_a_pipe,
    put_a_directory,
    put_a_socket,
    put_a_device,
    put_a_long_file,
    put_a_hole,
]


@pytest.mark.row("S10")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
@pytest.mark.parametrize("put", PUT, ids=lambda put: put.__name__)
@pytest.mark.parametrize("when", ["before the offer", "after the offer"])
def test_only_a_regular_file_of_its_size_gets_through(files, tree, put, when):
    """Also where it was swapped for something else after it was offered. A pipe does not block."""
    path = tree / "root" / "a.txt"
    if when == "after the offer":
        path.write_text("fine")
        reference = files.offer("a.txt")
        path.unlink()
        put(path, tree)
        with pytest.raises(ToolError), files.copied(reference):
            pass
    else:
        put(path, tree)
        with pytest.raises(ToolError):
            files.offer("a.txt")
    assert copies(tree) == []


@pytest.mark.row("S10")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
def test_a_directory_swapped_for_a_link_is_refused(files, tree):
    """A link on the way is as bad as one at the end."""
    reference = files.offer("sub/report.csv")
    outside = tree / "outside"
    (tree / "root/sub").rename(outside)
    (tree / "root/sub").symlink_to(outside)
    with pytest.raises(ToolError, match=r"There is no file .* to be read"), files.copied(reference):
        pass


@pytest.mark.row("S10")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
def test_a_file_swapped_between_look_and_opening_is_refused(files, tree, monkeypatch):
    """It looked like a regular file a moment ago, and is a link or a pipe when it is opened."""
    regular, look = os.stat(tree / "root/sub/report.csv"), os.stat
    (tree / "root/link.txt").symlink_to(tree / "secret.txt")
    os.mkfifo(tree / "root/pipe.txt")
    monkeypatch.setattr(os, "stat", lambda path, **how: regular if how.get("dir_fd") else look(path, **how))
    for name in ("link.txt", "pipe.txt"):
        with pytest.raises(ToolError, match=r"There is no file .* to be read"):
            files.offer(name)


@pytest.mark.row("S10")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
def test_what_is_no_regular_file_is_not_even_opened(files, tree, monkeypatch):
    """Opening a device may already do something."""
    os.mkfifo(tree / "root/pipe.txt")
    opened, really_open = [], os.open
    monkeypatch.setattr(os, "open", lambda path, *how, **more: opened.append(path) or really_open(path, *how, **more))
    monkeypatch.setattr(os, "supports_dir_fd", {os.open, *os.supports_dir_fd})
    with pytest.raises(ToolError):
        files.offer("pipe.txt")
    assert "pipe.txt" not in map(str, opened)


@pytest.mark.row("S10")
def test_a_file_that_grows_while_it_is_copied_is_refused(files, tree, monkeypatch):
    """Its size is counted while it is read, too."""
    reference = files.offer("sub/report.csv")
    blocks = iter([b"x" * 600, b"x" * 600, b""])
    monkeypatch.setattr(os, "read", lambda *_: next(blocks))
    with pytest.raises(ToolError, match="The file is longer than 1000 bytes"), files.copied(reference):
        pass
    assert copies(tree) == []


@pytest.mark.row("T14", "S10")
def test_a_reference_expires(files, clock):
    """After a minute it is as if it had never been; a made-up one never was."""
    reference = files.offer("sub/report.csv")
    clock.move_to(60)
    for bad in (reference, "file_" + "0" * 32, "sub/report.csv", ""):
        with pytest.raises(ToolError) as raised, files.copied(bad):
            pass
        assert raised.value.message == f"There is no file {bad!r}, or it has expired."


@pytest.mark.row("T14")
def test_media_types(files, tree):
    """By the ending: what the root does not allow is not offered, what a tool does not want it does not get."""
    (tree / "root/run.exe").write_text("MZ")
    with pytest.raises(ToolError) as raised:
        files.offer("run.exe")
    assert raised.value.message.endswith("Allowed: application/json, application/pdf, text/csv, text/plain.")
    reference = files.offer("sub/report.csv")
    with pytest.raises(ToolError) as raised, files.copied(reference, media_types={"application/pdf"}):
        pass
    assert raised.value.message == "The file is text/csv; this needs application/pdf."


@pytest.mark.row("T14", "T12")
async def test_a_tool_takes_a_file_by_reference(files, tree, registry, gateway_for, raw):
    """The model sends what it was given; anything that is no reference breaks the contract."""

    @tool(registry)
    async def count_lines(file: FileReference) -> int:
        """Count lines."""
        with files.copied(file, media_types={"text/csv"}) as path:
            return len(path.read_text().splitlines())

    gateway = gateway_for(registry)
    reference = files.offer("sub/report.csv")
    assert (await gateway.call(raw("count_lines", file=reference))).value == 2
    assert (await gateway.call(raw("count_lines", file="sub/report.csv"))).status is Status.VALIDATION_ERROR
    made_up = await gateway.call(raw("count_lines", file="file_" + "0" * 32))
    assert (made_up.error.kind, made_up.error.next_step) == ("tool_error", "ask the user for the file")


@pytest.mark.row("T14")
@pytest.mark.parametrize("sync", [False, True])
async def test_the_copy_is_removed_also_after_a_cancel(files, tree, registry, gateway_for, raw, clock, sync):
    """On the loop at once; in a thread, which cannot be stopped, when its work ends."""
    reference = files.offer("sub/report.csv")
    if sync:

        @tool(registry)
        def read(file: FileReference) -> str:
            """Read."""
            with files.copied(file) as path:
                clock.block(5)
                return path.read_text()
    else:

        @tool(registry)
        async def read(file: FileReference) -> str:
            """Read."""
            with files.copied(file) as path:
                await asyncio.sleep(5)
                return path.read_text()

    task = asyncio.create_task(gateway_for(registry).call(raw("read", file=reference)))
    await asyncio.sleep(1)
    assert len(copies(tree)) == 2
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(5 if sync else 0)
    assert copies(tree) == []


def test_expired_references_are_forgotten(files, clock):
    """A host that offers files for days keeps only those that are still good."""
    for second in range(500):
        clock.move_to(second)
        files.offer("sub/report.csv")
    assert len(files._offers) <= 60


def test_a_root_that_is_not_there_is_refused_at_once(tmp_path):
    """Where it is declared, not where it is used."""
    with pytest.raises(FileNotFoundError):
        FileRoot(Path(tmp_path) / "nothing")
