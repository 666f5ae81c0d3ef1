"""Asks the gateway with the vendors' own clients, and says what they read, one JSON line a question."""

import json
import os

import anthropic
import openai
from google import genai
from google.genai import types

BASE, TOKEN = os.environ["GATEWAY"], os.environ["TOKEN"]
QUESTIONS = ["text", "call", "three", "empty", "nothing", "cut", "refused"]
SCHEMA = {"type": "object", "properties": {"장소": {"type": "string"}}}
CHAT_TOOL = {"type": "function", "function": {"name": "search", "parameters": SCHEMA}}
TOOL = {"type": "function", "name": "search", "parameters": SCHEMA, "strict": False}

chat = openai.OpenAI(base_url=BASE + "/v1", api_key=TOKEN, max_retries=0)
claude = anthropic.Anthropic(base_url=BASE, api_key=TOKEN, max_retries=0)
gemini = genai.Client(api_key=TOKEN, http_options={"base_url": BASE})


def chat_whole(question):
    choice = chat.chat.completions.create(
        model="m", messages=[{"role": "user", "content": question}], tools=[CHAT_TOOL]
    ).choices[0]
    calls = choice.message.tool_calls or []
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in calls]
    return choice.message.content or "", calls, choice.finish_reason


def chat_streamed(question):
    text, calls, end = "", {}, None
    pieces = chat.chat.completions.create(
        model="m", messages=[{"role": "user", "content": question}], tools=[CHAT_TOOL], stream=True
    )
    for piece in pieces:
        for choice in piece.choices:
            text += choice.delta.content or ""
            end = choice.finish_reason or end
            for call in choice.delta.tool_calls or []:
                name, arguments = calls.get(call.index, ("", ""))
                name += call.function.name or ""
                calls[call.index] = (name, arguments + (call.function.arguments or ""))
    return text, [(name, json.loads(arguments)) for name, arguments in calls.values()], end


def response(answer):
    calls = [item for item in answer.output if item.type == "function_call"]
    calls = [(call.name, json.loads(call.arguments)) for call in calls]
    end = {"completed": "tool_calls" if calls else "stop", "incomplete": "length"}[answer.status]
    return answer.output_text, calls, end


def responses_whole(question):
    return response(chat.responses.create(model="m", input=question, tools=[TOOL]))


def responses_streamed(question):
    with chat.responses.stream(model="m", input=question, tools=[TOOL]) as events:
        *_, last = events
    # `get_final_response` knows no answers that were cut off.
    return response(last.response)


def message(answer):
    text = "".join(block.text for block in answer.content if block.type == "text")
    calls = [(block.name, block.input) for block in answer.content if block.type == "tool_use"]
    ends = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length"}
    return text, calls, ends[answer.stop_reason]


ASKED = {"model": "m", "max_tokens": 99, "tools": [{"name": "search", "input_schema": SCHEMA}]}


def messages_whole(question):
    return message(claude.messages.create(messages=[{"role": "user", "content": question}], **ASKED))


def messages_streamed(question):
    with claude.messages.stream(messages=[{"role": "user", "content": question}], **ASKED) as events:
        return message(events.get_final_message())


CONFIG = types.GenerateContentConfig(
    tools=[
        types.Tool(
            function_declarations=[types.FunctionDeclaration(name="search", parameters_json_schema=SCHEMA)]
        )
    ]
)


def content(answers):
    text, calls, end = "", [], None
    for answer in answers:
        candidate = answer.candidates[0]
        end = candidate.finish_reason or end
        for part in candidate.content.parts:
            text += part.text or ""
            if part.function_call:
                calls.append((part.function_call.name, part.function_call.args))
    ends = {"STOP": "tool_calls" if calls else "stop", "MAX_TOKENS": "length"}
    return text, calls, ends[end.value]


def gemini_whole(question):
    return content([gemini.models.generate_content(model="m", contents=question, config=CONFIG)])


def gemini_streamed(question):
    return content(gemini.models.generate_content_stream(model="m", contents=question, config=CONFIG))


WAYS = [
    chat_whole,
    chat_streamed,
    responses_whole,
    responses_streamed,
    messages_whole,
    messages_streamed,
    gemini_whole,
    gemini_streamed,
]
for ask in WAYS:
    for question in QUESTIONS:
        try:
            said = ask(question)
        except (openai.APIStatusError, anthropic.APIStatusError) as error:
            said = error.status_code
        except genai.errors.APIError as error:
            said = error.code
        print(json.dumps([ask.__name__, question, said], ensure_ascii=False), flush=True)
counted = claude.messages.count_tokens(model="m", messages=[{"role": "user", "content": "12345678"}])
print(json.dumps(["count", "messages", counted.input_tokens]))
print(json.dumps(["count", "gemini", gemini.models.count_tokens(model="m", contents="12345678").total_tokens]))
print(json.dumps(["models", "openai", [model.id for model in chat.models.list()]]))
print(json.dumps(["models", "anthropic", [model.id for model in claude.models.list()]]))
print(json.dumps(["models", "gemini", [model.name for model in gemini.models.list()]]))
