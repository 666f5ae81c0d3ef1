"""An agent for tests, on the standard library alone: a model in front, the tools over MCP, behind four kinds of interfaces."""
import json, os, sys, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def post(url, body, token):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token}
    with OPEN.open(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=300) as answer:
        return json.loads(answer.read() or b"null")


def solve(prompt, openai, mcp, token, said=lambda text: None, history=None):
    def rpc(method, **params):
        return post(mcp, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, token)["result"]
    rpc("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "own", "version": "1"})
    tools = [{"type": "function", "function": {"name": t["name"], "description": t["description"], "parameters": t["inputSchema"]}}
             for t in rpc("tools/list")["tools"]]
    messages = [] if history is None else history
    messages.append({"role": "user", "content": prompt})
    while True:
        body = {"model": "koab-model", "messages": messages, **({"tools": tools} if tools else {})}
        reply = post(openai + "/chat/completions", body, token)["choices"][0]["message"]
        messages.append(reply)
        if not reply.get("tool_calls"):
            return reply["content"] or ""
        for call in reply["tool_calls"]:
            said(call["function"]["name"])
            result = rpc("tools/call", name=call["function"]["name"], arguments=json.loads(call["function"]["arguments"] or "{}"))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result["content"][0]["text"]})


def acp():
    write = lambda message: print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    for message in map(json.loads, sys.stdin):
        params, result = message.get("params", {}), {}
        if message["method"] == "initialize":
            result = {"protocolVersion": 1, "agentCapabilities": {"mcpCapabilities": {"http": True}}}
        elif message["method"] == "session/new":
            server, history, result = params["mcpServers"][0], [], {"sessionId": "s"}
        elif message["method"] == "session/prompt":
            update = lambda **update: write({"method": "session/update", "params": {"sessionId": "s", "update": update}})
            chunk = lambda text: update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})
            said = lambda name: (chunk("words of an earlier turn"), update(sessionUpdate="tool_call", toolCallId="t", title=name))
            token = server["headers"][0]["value"].removeprefix("Bearer ")
            chunk(solve(params["prompt"][0]["text"], os.environ["KOAB_OPENAI"], server["url"], token, said, history))
            result = {"stopReason": "end_turn"}
        write({"id": message["id"], "result": result})


CONTEXTS = {}


class Server(BaseHTTPRequestHandler):
    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer({"name": "own", "protocolVersion": "0.3.0", "url": f"http://0.0.0.0:{self.server.server_port}/rpc"})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = asked["params"]["message"] if "params" in asked else {"metadata": asked, "parts": [{"text": asked["prompt"]}]}
        prompt = message["parts"][0]["text"]
        context, told = message.get("contextId", "c%d" % len(CONTEXTS)), message.get("metadata") or {}
        given = lambda name: told.get(name) or os.environ["KOAB_" + name.upper()]  # A server that runs already is told in the request.
        text = solve(prompt, given("openai"), given("mcp_url"), given("token"), history=CONTEXTS.setdefault(context, []))
        task = {"kind": "task", "id": "t", "contextId": context, "status": {"state": "completed"}, "artifacts": [{"parts": [{"kind": "text", "text": text}]}]}
        self.answer({"jsonrpc": "2.0", "id": asked["id"], "result": task} if "params" in asked else {"answer": text})

    log_message = lambda self, *words: None


if __name__ == "__main__":
    if sys.argv[1] == "acp":
        acp()
    elif sys.argv[1] == "serve":
        server = HTTPServer(("127.0.0.1", int(sys.argv[2])), Server)
        if sys.argv[2] == "0":
            print(server.server_port, flush=True)
        server.serve_forever()
    else:
        print("===FINAL===\n" + solve(sys.argv[2], os.environ["KOAB_OPENAI"], os.environ["KOAB_MCP_URL"], os.environ["KOAB_TOKEN"]))
