"""An agent of pydantic-ai, with the attempt's values in the environment."""
import asyncio, os
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

E = os.environ


async def main():
    # A failed tool counts as a try; the second one would break the run off.
    tools = MCPToolset(E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]}, max_retries=10)
    model = OpenAIChatModel(E["KOAB_MODEL"], provider=OpenAIProvider(base_url=E["KOAB_OPENAI"], api_key=E.get("OPENAI_API_KEY", E["KOAB_TOKEN"])))
    result = await Agent(model, toolsets=[tools], retries=10).run(E["KOAB_PROMPT"])
    print("===FINAL===\n" + str(result.output))


asyncio.run(main())
