"""S11: no network by default; where it is on, every address is checked, redirects too, and no proxy is used."""

from __future__ import annotations

import subprocess
import sys

import httpx2
import pytest

from toolkit import Status, ToolError, tool
from toolkit.gateway.guarded_client import guarded_client
from toolkit.gateway.network import NetworkGuard, is_public

PRIVATE = [
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "not an address",
]
PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"]
NAMES = {
    "hotels.example": ["93.184.215.14"],
    "rebinding.example": ["93.184.215.14", "10.0.0.1"],
    "inside.example": ["127.0.0.1"],
    "localhost": ["::1", "127.0.0.1"],
    "0x7f.1": ["127.0.0.1"],
    "2130706433": ["127.0.0.1"],
}


async def resolve(host, port):
    if host not in NAMES:
        raise OSError("no such host")
    return NAMES[host]


@pytest.fixture
def guard():
    return NetworkGuard(resolve=resolve)


@pytest.mark.row("S11")
@pytest.mark.parametrize("address", PRIVATE)
async def test_an_address_of_ones_own_network_is_refused(guard, address):
    """In whichever way it is written, also inside another kind of address."""
    assert not is_public(address)
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(ToolError):
        await guard.check_url(f"http://{literal}/")


@pytest.mark.row("S11")
@pytest.mark.parametrize("address", PUBLIC)
async def test_a_public_address_passes(guard, address):
    """Of both kinds."""
    literal = f"[{address}]" if ":" in address else address
    assert await guard.check_url(f"https://{literal}/rooms") == [address]


@pytest.mark.row("S11")
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://inside.example/", "'inside.example' is not open to tools."),
        ("http://rebinding.example/", "'rebinding.example' is not open to tools."),
        ("http://LOCALHOST./", "'localhost.' is not open to tools."),
        ("http://0x7f.1/", "'0x7f.1' is not open to tools."),
        ("http://2130706433/", "'2130706433' is not open to tools."),
        ("http://nowhere.example/", "There is no host 'nowhere.example'."),
        ("http://hotels.example:22/", "Port 22 is not open to tools."),
        ("http://hotels.example:0/", "Port 0 is not open to tools."),
        ("file:///etc/passwd", "Only http and https URLs are fetched."),
        ("gopher://hotels.example/", "Only http and https URLs are fetched."),
        ("hotels.example", "Only http and https URLs are fetched."),
        ("http://", "'' is not open to tools."),
        ("http://user:pw@hotels.example/", "A URL with a user name in it is not fetched."),
        ("http://[::1", "This is no URL that can be read."),
        ("http://hotels.example:99999/", "This is no URL that can be read."),
    ],
)
async def test_what_is_refused_is_told_without_its_address(guard, url, message):
    """One address that is not public is enough; the text does not give the inside away."""
    with pytest.raises(ToolError) as raised:
        await guard.check_url(url)
    assert raised.value.message == message


@pytest.mark.row("S11")
async def test_a_list_of_hosts_closes_the_rest():
    """Only what is named, whatever case or dot it is written with."""
    guard = NetworkGuard(hosts=["Hotels.example"], resolve=resolve)
    assert await guard.check_url("https://hotels.example./") == ["93.184.215.14"]
    with pytest.raises(ToolError):
        await guard.check_url("https://8.8.8.8/")


class Wire:
    """Stands for the network: keeps what was sent where, and answers from `pages`."""

    def __init__(self, pages):
        self.pages, self.sent = pages, []

    def __call__(self, request):
        self.sent.append((request.url.host, request.headers["host"], request.extensions.get("sni_hostname")))
        status, headers, text = self.pages[request.url.path]
        return httpx2.Response(status, headers=headers, text=text)


@pytest.mark.row("S11")
async def test_the_connection_goes_to_the_address_that_was_checked(guard):
    """By its number, so that a second look-up cannot change it; name and certificate stay those of the host."""
    wire = Wire({"/rooms": (200, {}, "ok")})
    async with guarded_client(guard, inner=httpx2.MockTransport(wire)) as client:
        assert (await client.get("https://hotels.example/rooms")).text == "ok"
    assert wire.sent == [("93.184.215.14", "hotels.example", "hotels.example")]


@pytest.mark.row("S11")
@pytest.mark.parametrize(
    "target",
    ["http://inside.example/", "http://169.254.169.254/latest", "file:///etc/passwd", "http://hotels.example:22/"],
)
async def test_a_redirect_is_checked_as_the_first_request_was(guard, target):
    """A public page that leads inside is refused at the second step; nothing is sent there."""
    wire = Wire({"/rooms": (302, {"location": target}, "")})
    async with guarded_client(guard, inner=httpx2.MockTransport(wire)) as client:
        with pytest.raises((ToolError, httpx2.UnsupportedProtocol)):
            await client.get("http://hotels.example/rooms")
    assert [host for host, *_ in wire.sent] == ["93.184.215.14"]


@pytest.mark.row("S11")
async def test_redirects_end(guard):
    """A page that leads to itself is left after five steps."""
    wire = Wire({"/rooms": (302, {"location": "/rooms"}, "")})
    async with guarded_client(guard, inner=httpx2.MockTransport(wire)) as client:
        with pytest.raises(httpx2.TooManyRedirects):
            await client.get("http://hotels.example/rooms")
    assert len(wire.sent) == 6


@pytest.mark.row("S11")
async def test_no_proxy_is_taken_from_the_environment(guard, monkeypatch):
    """A proxy would connect where the guard cannot look."""
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    wire = Wire({"/rooms": (200, {}, "ok")})
    async with guarded_client(guard, inner=httpx2.MockTransport(wire)) as client:
        assert (await client.get("http://hotels.example/rooms")).text == "ok"
        assert client._mounts == {}
    assert len(wire.sent) == 1


@pytest.mark.row("S11")
async def test_a_tool_behind_the_guard(guard, registry, gateway_for, raw):
    """The model is told what is not open; the breaker hears nothing of it."""
    wire = Wire({"/rooms": (200, {}, "two rooms")})

    @tool(registry)
    async def fetch(url: str) -> str:
        """Fetch a page."""
        async with guarded_client(guard, inner=httpx2.MockTransport(wire)) as client:
            return (await client.get(url)).text

    gateway = gateway_for(registry)
    assert (await gateway.call(raw("fetch", url="http://hotels.example/rooms"))).value == "two rooms"
    refused = await gateway.call(raw("fetch", url="http://inside.example/rooms"))
    assert (refused.status, refused.error.kind) == (Status.EXECUTION_ERROR, "tool_error")
    assert refused.error.message == "'inside.example' is not open to tools."


@pytest.mark.row("S11")
def test_the_gateway_brings_no_network_client():
    """Importing it loads nothing that could open a connection to the outside."""
    program = (
        "import sys, toolkit.gateway; print(sorted({'httpx2', 'http.client', 'urllib.request'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")
