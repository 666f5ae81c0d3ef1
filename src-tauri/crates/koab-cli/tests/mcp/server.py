"""A server of tools over standard streams, of the standard library alone.

Its first argument says what is the matter with it; see `main`.
"""

import json
import os
import sys
import time
import uuid

NOTES = []
COUNTED = []
MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"


def text(value, **more):
    # Keys in an order of its own and a letter that is written out, as servers do as they like.
    return {"isError": more.pop("error", False), "content": [{"text": value, "type": "text"}], **more}


def tools():
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    listed = [
        {"name": "echo", "description": "says what it hears", "inputSchema": schema, "execution": {"taskSupport": "forbidden"}},
        {"name": "note", "description": "notes a text", "inputSchema": schema},
        {"name": "notes", "inputSchema": {"type": "object", "properties": {}}},
        {"name": "now", "description": "the time", "inputSchema": {"type": "object", "properties": {}}},
        {"name": "where", "description": "a file's place", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}},
        {"name": "environment", "description": "the environment", "inputSchema": {"type": "object", "properties": {}}},
        {"name": "add", "description": "a sum", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]}},
        {"name": "big", "description": "a long text", "inputSchema": {"type": "object", "properties": {"bytes": {"type": "integer"}}}},
    ]
    if MODE == "newer":
        listed = [tool for tool in listed if tool["name"] != "note"]
        listed[-2]["inputSchema"]["properties"]["c"] = {"type": "number"}
        listed[-2]["inputSchema"]["required"].append("c")
        listed.append({"name": "fresh", "inputSchema": {"type": "object"}})
    return listed


def call(name, arguments):
    if name == "echo":
        return text(arguments["text"].upper() if MODE == "newer" else arguments["text"])
    if name == "note":
        NOTES.append(arguments["text"])
        return text("noted")
    if name == "notes":
        return text("\n".join(NOTES) or "none", structuredContent={"count": len(NOTES), "share": 1.50})
    if name == "now":
        return text(time.strftime("%Y-%m-%dT%H:%M:%S") + ".%09d" % (time.monotonic_ns() % 10**9))
    if name == "count":
        COUNTED.append(1)
        return text("counted to %d" % len(COUNTED))
    if name == "ticket":
        return text("ticket " + str(uuid.uuid4()))
    if name == "where":
        return text("at " + os.path.join(os.getcwd(), arguments.get("path", "").replace(os.getcwd() + "/", "")))
    if name == "environment":
        return text(json.dumps(dict(os.environ)))
    if name == "add":
        total = arguments["a"] + arguments["b"]
        return text(str(total), structuredContent={"total": total})
    if name == "big":
        return text("x" * arguments["bytes"])
    if name == "die":
        print("the disk is on fire", file=sys.stderr)
        sys.stderr.flush()
        os._exit(3)
    if name == "hang":
        time.sleep(3600)
    return text("Unknown tool: " + name, error=True)


def write(message):
    # ASCII: letters are escaped, and stay so.
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    if MODE == "rubbish":
        print("Welcome to the server!")
        print("{\"half\": ", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            info = {"name": "tests", "title": "Server of the tests", "version": "2" if MODE == "newer" else "1"}
            version = message["params"]["protocolVersion"]
            result = {"protocolVersion": version, "capabilities": {"tools": {"listChanged": False}, "logging": {}}, "serverInfo": info}
        elif method == "tools/list":
            # A page each, so that whoever asks must ask for all of them.
            cursor = int(message.get("params", {}).get("cursor", 0))
            result = {"tools": tools()[cursor : cursor + 3]}
            if cursor + 3 < len(tools()):
                result["nextCursor"] = str(cursor + 3)
        elif method == "tools/call":
            params = message["params"]
            if MODE == "asks":
                write({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}})
                write({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "한"}})
            if params["name"] == "wrong":
                write({"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "no such tool: wrong"}})
                continue
            result = call(params["name"], params.get("arguments", {}))
        elif method == "logging/setLevel":
            result = {}
        elif number is None or method is None:
            continue
        else:
            write({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no method " + method}})
            continue
        write({"jsonrpc": "2.0", "id": number, "result": result})


main()
