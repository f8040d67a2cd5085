"""The hotel's tools over MCP: `python -m toolkit.hotel.mcp_server` speaks it on stdin and stdout."""

from __future__ import annotations

import asyncio

from toolkit.agent.mcp_tools import mcp_server
from toolkit.gateway import Gateway
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World


async def serve() -> None:
    """Serve a fresh hotel world until the client goes away."""
    from mcp import stdio_server

    async with Gateway(hotel_registry(World())) as gateway, stdio_server() as (reads, writes):
        server = mcp_server(gateway, "hotel")
        await server.run(reads, writes, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(serve())
