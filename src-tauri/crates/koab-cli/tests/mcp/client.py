"""Asks a server of tools through the official client, of either of its unlike versions, and prints what came as one line of JSON.

    client.py CALLS COMMAND…     a server that is started
    client.py CALLS http://…     a server that listens
"""

import asyncio
import json
import sys

import mcp
from mcp import StdioServerParameters


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def filled(value, answers):
    """`@2.confirm` is what stands there in the text of the third answer."""
    if isinstance(value, dict):
        return {name: filled(part, answers) for name, part in value.items()}
    if isinstance(value, list):
        return [filled(part, answers) for part in value]
    if not (isinstance(value, str) and value.startswith("@")):
        return value
    number, *path = value[1:].split(".")
    found = json.loads(answers[int(number)]["content"][0]["text"])
    for part in path:
        found = found[int(part) if isinstance(found, list) else part]
    return found


async def ask(session, calls):
    tools = [tool.name for tool in (await session.list_tools()).tools]
    answers = []
    for call in calls:
        try:
            answers.append(plain(await session.call_tool(call["tool"], filled(call.get("arguments", {}), answers))))
        except Exception as error:  # What the server says is wrong with a request.
            answers.append({"error": str(error)})
    return {"tools": tools, "answers": answers}


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        calls = [json.loads(line) for line in file if line.strip()]
    words = sys.argv[2:]
    listens = words[0].startswith("http://")
    # The environment of this process: the client would hand on a part of it only.
    import os

    server = words[0] if listens else StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))
    if hasattr(mcp, "Client"):
        async with mcp.Client(server) as client:
            told = await ask(client, calls)
    else:
        from mcp import ClientSession

        if listens:
            from mcp.client.streamable_http import streamablehttp_client as carried
        else:
            from mcp.client.stdio import stdio_client as carried
        async with carried(server) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                told = await ask(session, calls)
    print(json.dumps(told, ensure_ascii=False, sort_keys=True))


asyncio.run(main())
