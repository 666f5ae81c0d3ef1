"""A vendor for tests: plays tasks back in four forms, whole and as events, to whoever has its key. `GET /seen` says what came."""
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TASKS, KEY = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2]
SEEN = {"asked": 0, "refused": 0, "models": [], "forms": [], "streamed": 0}


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content or [] if isinstance(part, dict))


class Chat:
    """Chat Completions."""
    users = staticmethod(lambda body: [text_of(m.get("content")) for m in body["messages"] if m["role"] == "user"])
    replies = staticmethod(lambda body: [[c["function"]["name"] for c in m.get("tool_calls") or []] for m in body["messages"] if m["role"] == "assistant"])
    offers = staticmethod(lambda body: [(t["function"]["name"], None) for t in body.get("tools") or []])

    @staticmethod
    def whole(number, text, calls):
        made = [{"id": f"call_{number}_{at}", "type": "function", "function": {"name": name, "arguments": arguments}} for at, (name, _, arguments) in enumerate(calls)]
        message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if made else "stop"}
        return {"id": f"c{number}", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}

    @staticmethod
    def events(whole):
        choice, head = whole["choices"][0], {"id": whole["id"], "object": "chat.completion.chunk", "created": 1, "model": "m"}
        delta = dict(choice["message"])
        if "tool_calls" in delta:
            delta["tool_calls"] = [{"index": at, **call} for at, call in enumerate(delta["tool_calls"])]
        yield None, {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield None, {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}], "usage": whole["usage"]}
        yield None, "[DONE]"


class Responses:
    users = staticmethod(lambda body: [body["input"]] if isinstance(body["input"], str) else [text_of(i.get("content")) for i in body["input"] if i.get("role") == "user"])

    @staticmethod
    def replies(body):
        # Calls that follow each other are one reply's.
        replies, open_ = [], False
        for item in body["input"] if isinstance(body["input"], list) else []:
            if item.get("type") == "function_call":
                replies = replies if open_ else [*replies, []]
                replies[-1].append(item["name"])
            open_ = item.get("type") == "function_call"
        return replies

    @staticmethod
    def offers(body):
        for tool in body.get("tools") or []:
            for inner in tool.get("tools") or [tool]:
                yield inner.get("name", ""), tool["name"] if tool.get("type") == "namespace" else None

    @staticmethod
    def whole(number, text, calls):
        made = [{"type": "function_call", "id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}", "name": name, "arguments": arguments,
                 "status": "completed", **({"namespace": space} if space else {})} for at, (name, space, arguments) in enumerate(calls)]
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        said = [] if made else [{"type": "message", "id": f"msg_{number}", "status": "completed", "role": "assistant", "content": [part]}]
        usage = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110}
        return {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": "completed", "error": None, "incomplete_details": None, "instructions": None,
                "metadata": {}, "model": "m", "output": said + made, "parallel_tool_calls": True, "temperature": 1, "tool_choice": "auto", "tools": [], "top_p": 1, "usage": usage}

    @staticmethod
    def events(whole):
        told = [("response.created", {"response": {**whole, "status": "in_progress", "output": [], "usage": None}})]
        for at, item in enumerate(whole["output"]):
            begun = {**item, "status": "in_progress", **({"content": []} if item["type"] == "message" else {"arguments": ""})}
            told.append(("response.output_item.added", {"output_index": at, "item": begun}))
            of = {"item_id": item["id"], "output_index": at}
            if item["type"] == "message":
                part = item["content"][0]
                told += [("response.content_part.added", {**of, "content_index": 0, "part": {**part, "text": ""}}),
                         ("response.output_text.delta", {**of, "content_index": 0, "delta": part["text"], "logprobs": []}),
                         ("response.output_text.done", {**of, "content_index": 0, "text": part["text"], "logprobs": []}),
                         ("response.content_part.done", {**of, "content_index": 0, "part": part})]
            else:
                told += [("response.function_call_arguments.delta", {**of, "delta": item["arguments"]}),
                         ("response.function_call_arguments.done", {**of, "name": item["name"], "arguments": item["arguments"]})]
            told.append(("response.output_item.done", {"output_index": at, "item": item}))
        told.append(("response.completed", {"response": whole}))
        for number, (kind, fields) in enumerate(told):
            yield kind, {"type": kind, "sequence_number": number, **fields}


class Messages:
    users = staticmethod(lambda body: [text_of(m["content"]) for m in body["messages"] if m["role"] == "user"])
    replies = staticmethod(lambda body: [[b["name"] for b in m["content"] if isinstance(b, dict) and b["type"] == "tool_use"] for m in body["messages"] if m["role"] == "assistant"])
    offers = staticmethod(lambda body: [(t["name"], None) for t in body.get("tools") or []])

    @staticmethod
    def whole(number, text, calls):
        content = [{"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": json.loads(arguments)} for at, (name, _, arguments) in enumerate(calls)]
        usage = {"input_tokens": 100, "output_tokens": 10}
        return {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": content or [{"type": "text", "text": text}],
                "stop_reason": "tool_use" if content else "end_turn", "stop_sequence": None, "usage": usage}

    @staticmethod
    def events(whole):
        yield "message_start", {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
        for at, block in enumerate(whole["content"]):
            empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
            delta = {"type": "text_delta", "text": block["text"]} if block["type"] == "text" else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield "content_block_start", {"type": "content_block_start", "index": at, "content_block": empty}
            yield "content_block_delta", {"type": "content_block_delta", "index": at, "delta": delta}
            yield "content_block_stop", {"type": "content_block_stop", "index": at}
        yield "message_delta", {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}, "usage": whole["usage"]}
        yield "message_stop", {"type": "message_stop"}


class Gemini:
    users = staticmethod(lambda body: [text_of(c["parts"]) for c in body["contents"] if c.get("role", "user") == "user"])
    replies = staticmethod(lambda body: [[p["functionCall"]["name"] for p in c["parts"] if "functionCall" in p] for c in body["contents"] if c.get("role") == "model"])
    offers = staticmethod(lambda body: [(f["name"], None) for t in body.get("tools") or [] for f in t.get("functionDeclarations") or t.get("function_declarations") or []])

    @staticmethod
    def whole(number, text, calls):
        parts = [{"functionCall": {"id": f"call_{number}_{at}", "name": name, "args": json.loads(arguments)}} for at, (name, _, arguments) in enumerate(calls)]
        content = {"role": "model", "parts": parts or [{"text": text}]}
        usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
        return {"candidates": [{"index": 0, "content": content, "finishReason": "STOP"}], "usageMetadata": usage, "modelVersion": "m", "responseId": f"r{number}"}

    @staticmethod
    def events(whole):
        yield None, whole


def play(form, body):
    offers, users = list(form.offers(body)), form.users(body)
    fits = [task for task in TASKS if any(task["texts"][0] in said for said in users)]
    length = lambda task: sum(len(text) for text in task["texts"] if any(text in said for said in users))
    task = max(fits, key=length, default=None)
    # A title or the like is asked for without the task's tools.
    tools = {tool for step in task["steps"] for tool, _ in step} if task else set()
    if not any(name.endswith(tool) for name, _ in offers for tool in tools):
        return task["answer"] if task and not tools else "제목", []
    made = sum(any(name.endswith(tool) for name in reply for tool in tools) for reply in form.replies(body))
    if made >= len(task["steps"]):
        return task["answer"], []
    named = lambda tool: next(((name, space) for name, space in offers if name.endswith(tool)), (tool, None))
    return "", [(*named(tool), arguments) for tool, arguments in task["steps"][made]]


class Vendor(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def say(self, status, text, kind="application/json"):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.say(200, json.dumps(SEEN if self.path == "/seen" else {"object": "list", "data": [{"id": "m", "object": "model"}]}))

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        keys = [self.headers.get("x-api-key"), self.headers.get("x-goog-api-key"), (self.headers.get("Authorization") or "").removeprefix("Bearer ")]
        if KEY not in keys:
            SEEN["refused"] += 1
            return self.say(401, json.dumps({"error": {"message": "wrong key", "type": "invalid_request_error", "code": "invalid_api_key"}}))
        body, path = json.loads(raw), self.path.split("?")[0]
        forms = [("/chat/completions", Chat), ("/responses", Responses), ("/messages", Messages), ("enerateContent", Gemini)]
        form = next((form for end, form in forms if path.endswith(end)), None)
        if form is None:
            return self.say(404, json.dumps({"error": {"message": path}}))
        SEEN["asked"] += 1
        for kept, value in (("forms", form.__name__), ("models", body.get("model") or path.split("/models/")[-1].split(":")[0])):
            SEEN[kept] += [] if value in SEEN[kept] else [value]
        whole = form.whole(SEEN["asked"], *play(form, body))
        if not (body.get("stream") or "streamGenerate" in path):
            return self.say(200, json.dumps(whole))
        SEEN["streamed"] += 1
        line = lambda value: value if isinstance(value, str) else json.dumps(value)
        events = "".join((f"event: {kind}\n" if kind else "") + f"data: {line(value)}\n\n" for kind, value in form.events(whole))
        self.say(200, events, "text/event-stream")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
