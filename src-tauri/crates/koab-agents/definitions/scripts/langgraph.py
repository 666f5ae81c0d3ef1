"""A ReAct agent of LangGraph, with the attempt's values in the environment."""
import asyncio, os
from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI

E = os.environ


async def main():
    headers = {"Authorization": "Bearer " + E["KOAB_TOKEN"]}
    servers = {"koab": {"transport": "streamable_http", "url": E["KOAB_MCP_URL"], "headers": headers}}
    tools = await MultiServerMCPClient(servers).get_tools()
    for tool in tools:
        tool.handle_tool_error = True
    model = ChatOpenAI(model=E["KOAB_MODEL"], base_url=E["KOAB_OPENAI"], api_key=E.get("OPENAI_API_KEY", E["KOAB_TOKEN"]), max_retries=int(E.get("KOAB_RETRIES", "0")))
    result = await create_agent(model, tools).ainvoke({"messages": [("user", E["KOAB_PROMPT"])]}, {"recursion_limit": 80})
    print("===FINAL===\n" + result["messages"][-1].text)


asyncio.run(main())
