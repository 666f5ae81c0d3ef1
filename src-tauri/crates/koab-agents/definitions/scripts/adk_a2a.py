"""An agent of Google's ADK as a server that speaks A2A, on the port it is given, with the attempt's values in the environment."""
import os, sys
E = os.environ
E["GOOGLE_API_KEY"], E["GOOGLE_GEMINI_BASE_URL"] = E.get("GEMINI_API_KEY", E["KOAB_TOKEN"]), E["KOAB_GEMINI"]
import uvicorn
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams

HOST, PORT = "127.0.0.1", int(sys.argv[1])
params = StreamableHTTPConnectionParams(url=E["KOAB_MCP_URL"], headers={"Authorization": "Bearer " + E["KOAB_TOKEN"]})
agent = LlmAgent(name="agent", model=E["KOAB_MODEL"], tools=[McpToolset(connection_params=params)])
uvicorn.run(to_a2a(agent, host=HOST, port=PORT), host=HOST, port=PORT, log_level="warning")
