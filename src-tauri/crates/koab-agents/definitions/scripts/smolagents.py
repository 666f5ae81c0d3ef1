"""A tool-calling agent of smolagents, with the attempt's values in the environment."""
import os
from smolagents import OpenAIServerModel, ToolCallingAgent, ToolCollection

E = os.environ
server = {"url": E["KOAB_MCP_URL"], "transport": "streamable-http", "headers": {"Authorization": "Bearer " + E["KOAB_TOKEN"]}}
with ToolCollection.from_mcp(server, trust_remote_code=True, structured_output=False) as tools:
    model = OpenAIServerModel(model_id=E["KOAB_MODEL"], api_base=E["KOAB_OPENAI"], api_key=E["KOAB_TOKEN"])
    agent = ToolCallingAgent(tools=[*tools.tools], model=model, verbosity_level=0)
    answer = agent.run(E["KOAB_PROMPT"])
print("===FINAL===\n" + str(answer))
