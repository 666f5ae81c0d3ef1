"""An agent of Google's ADK, with the attempt's values in the environment."""
import asyncio, os
E = os.environ
E["GOOGLE_API_KEY"], E["GOOGLE_GEMINI_BASE_URL"] = E.get("GEMINI_API_KEY", E["KOAB_TOKEN"]), E["KOAB_GEMINI"]
from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from google.genai import types


async def main():
    params = StreamableHTTPConnectionParams(url=E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]})
    agent = LlmAgent(name="agent", model=E["KOAB_MODEL"], tools=[McpToolset(connection_params=params)])
    runner = InMemoryRunner(agent=agent, app_name="koab")
    session = await runner.session_service.create_session(app_name="koab", user_id="user")
    message, answer = types.Content(role="user", parts=[types.Part(text=E["KOAB_PROMPT"])]), ""
    async for event in runner.run_async(user_id="user", session_id=session.id, new_message=message):
        if event.is_final_response() and event.content:
            answer = "".join(part.text or "" for part in event.content.parts or [])
    print("===FINAL===\n" + answer)


asyncio.run(main())
