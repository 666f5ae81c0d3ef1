"""A plain loop on Google's SDK, with the attempt's values in the environment."""
import asyncio, os
from google import genai
from google.genai import types
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

E = os.environ


async def main():
    client = genai.Client(api_key=E.get("GEMINI_API_KEY", E["KOAB_TOKEN"]), http_options=types.HttpOptions(base_url=E["KOAB_GEMINI"]))
    headers = {"Authorization": "Bearer " + E["KOAB_TOKEN"]}
    async with streamablehttp_client(E["KOAB_MCP_URL"], headers=headers) as (read, write, _), ClientSession(read, write) as mcp:
        await mcp.initialize()
        listed = (await mcp.list_tools()).tools
        offers = [types.FunctionDeclaration(name=t.name, description=t.description or "", parameters_json_schema=t.inputSchema) for t in listed]
        config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=offers)] if offers else None)
        history = [types.Content(role="user", parts=[types.Part(text=E["KOAB_PROMPT"])])]
        while True:
            parts = []
            async for chunk in await client.aio.models.generate_content_stream(model=E["KOAB_MODEL"], contents=history, config=config):
                parts += (chunk.candidates[0].content.parts or []) if chunk.candidates and chunk.candidates[0].content else []
            calls, results = [part.function_call for part in parts if part.function_call], []
            if not calls:
                break
            for call in calls:
                got = await mcp.call_tool(call.name, dict(call.args or {}))
                text = "".join(block.text for block in got.content if block.type == "text")
                results.append(types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"result": text})))
            history += [types.Content(role="model", parts=parts), types.Content(role="user", parts=results)]
    print("===FINAL===\n" + "".join(part.text or "" for part in parts if not part.thought))


asyncio.run(main())
