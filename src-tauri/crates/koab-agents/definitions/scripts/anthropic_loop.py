"""A plain loop on Anthropic's SDK, with the attempt's values in the environment."""
import asyncio, os
from anthropic import AsyncAnthropic
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

E = os.environ


async def main():
    client = AsyncAnthropic(base_url=E["KOAB_ANTHROPIC"], api_key=E.get("ANTHROPIC_API_KEY", E["KOAB_TOKEN"]), max_retries=int(E.get("KOAB_RETRIES", "0")))
    headers = {"Authorization": "Bearer " + E["KOAB_TOKEN"]}
    async with streamablehttp_client(E["KOAB_MCP_URL"], headers=headers) as (read, write, _), ClientSession(read, write) as mcp:
        await mcp.initialize()
        listed = (await mcp.list_tools()).tools
        tools = [{"name": t.name, "description": t.description or "", "input_schema": t.inputSchema} for t in listed]
        messages = [{"role": "user", "content": E["KOAB_PROMPT"]}]
        while True:
            async with client.messages.stream(model=E["KOAB_MODEL"], max_tokens=4096, messages=messages, tools=tools) as stream:
                reply = await stream.get_final_message()
            calls, results = [block for block in reply.content if block.type == "tool_use"], []
            if not calls:
                break
            for call in calls:
                got = await mcp.call_tool(call.name, call.input)
                text = "".join(block.text for block in got.content if block.type == "text")
                results.append({"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": bool(got.isError)})
            messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
    print("===FINAL===\n" + "".join(block.text for block in reply.content if block.type == "text"))


asyncio.run(main())
