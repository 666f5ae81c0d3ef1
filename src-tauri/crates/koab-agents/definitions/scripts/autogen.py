"""An assistant of AutoGen 0.4 and later, with the attempt's values in the environment."""
import asyncio, os
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from autogen_ext.tools.mcp import StreamableHttpServerParams, mcp_server_tools

E = os.environ


async def main():
    info = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown", "structured_output": False}
    model = OpenAIChatCompletionClient(model=E["KOAB_MODEL"], base_url=E["KOAB_OPENAI"], api_key=E.get("OPENAI_API_KEY", E["KOAB_TOKEN"]), model_info=info, max_retries=int(E.get("KOAB_RETRIES", "0")))
    tools = await mcp_server_tools(StreamableHttpServerParams(url=E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]}))
    agent = AssistantAgent("agent", model, tools=tools, system_message=None, reflect_on_tool_use=True, max_tool_iterations=30)
    result = await agent.run(task=E["KOAB_PROMPT"])
    print("===FINAL===\n" + str(result.messages[-1].content))


asyncio.run(main())
