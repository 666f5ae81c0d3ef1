"""An agent of pydantic-ai, with the attempt's values in the environment."""
import asyncio, os
from fastmcp.client.transports import StreamableHttpTransport
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.toolsets.fastmcp import FastMCPToolset

E = os.environ


async def main():
    transport = StreamableHttpTransport(E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]})
    model = OpenAIChatModel(E["KOAB_MODEL"], provider=OpenAIProvider(base_url=E["KOAB_OPENAI"], api_key=E["KOAB_TOKEN"]))
    # A failed tool counts as a try; the second one would break the run off.
    agent = Agent(model, toolsets=[FastMCPToolset(transport, max_retries=10)], retries=10)
    result = await agent.run(E["KOAB_PROMPT"])
    print("===FINAL===\n" + str(result.output))


asyncio.run(main())
