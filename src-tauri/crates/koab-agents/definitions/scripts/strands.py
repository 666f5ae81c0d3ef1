"""An agent of Strands, with the attempt's values in the environment."""
import os
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

E = os.environ
with MCPClient(url=E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]}) as client:
    model = OpenAIModel(client_args={"base_url": E["KOAB_OPENAI"], "api_key": E.get("OPENAI_API_KEY", E["KOAB_TOKEN"]), "max_retries": int(E.get("KOAB_RETRIES", "0"))}, model_id=E["KOAB_MODEL"])
    agent = Agent(model=model, tools=client.list_tools_sync(), callback_handler=None)
    print("===FINAL===\n" + str(agent(E["KOAB_PROMPT"])))
