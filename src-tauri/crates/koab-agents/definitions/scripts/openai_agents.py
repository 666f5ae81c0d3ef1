"""A loop of the OpenAI Agents SDK, with the attempt's values in the environment."""
import asyncio, os
from agents import Agent, ModelSettings, OpenAIResponsesModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai import AsyncOpenAI

E = os.environ
set_tracing_disabled(True)


async def main():
    client = AsyncOpenAI(base_url=E["KOAB_OPENAI"], api_key=E.get("OPENAI_API_KEY", E["KOAB_TOKEN"]), max_retries=int(E.get("KOAB_RETRIES", "0")), timeout=600)
    params = {"url": E["KOAB_MCP_URL"], "headers": {"Authorization": "Bearer " + E["KOAB_TOKEN"]}}
    async with MCPServerStreamableHttp(params=params, client_session_timeout_seconds=60) as tools:
        model = OpenAIResponsesModel(model=E["KOAB_MODEL"], openai_client=client)
        agent = Agent(name="agent", model=model, mcp_servers=[tools], model_settings=ModelSettings())
        result = await Runner.run(agent, E["KOAB_PROMPT"], max_turns=30)
    print("===FINAL===\n" + str(result.final_output))


asyncio.run(main())
