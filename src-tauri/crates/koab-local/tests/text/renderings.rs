//! What Hugging Face's own engine makes of the templates in `templates/` and the conversations in `conversations.rs`.
//!
//! Made once by `transformers.utils.chat_template_utils.render_jinja_template(conversations=[…], tools=…, chat_template=…,
//! add_generation_prompt=True, bos_token="<s>", eos_token="</s>")` of transformers 5.23.0 with Jinja2 3.1.6 under Python
//! 3.11.7, `datetime.now()` held at 2026-03-09 14:05.

pub(crate) const HERMES_PLAIN: &str = r##"<|im_start|>system
친절하게 답한다.<|im_end|>
<|im_start|>user
강남역 근처 카페를 알려줘.<|im_end|>
<|im_start|>assistant
별다방이 있어요.<|im_end|>
<|im_start|>user
고마워. 지금 몇 시야?<|im_end|>
<|im_start|>assistant
"##;

pub(crate) const HERMES_TOOLS: &str = r##"<|im_start|>system
친절하게 답한다.

Tools at hand:
<tools>
{"type": "function", "function": {"name": "PlaceSearch", "description": "장소를 찾는다 <빠르게> & 'exactly'", "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "검색어"}, "radius": {"type": "integer", "minimum": 0, "maximum": 20000}, "at": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"]}, "kinds": {"type": "array", "items": {"type": "string", "enum": ["카페", "식당"]}}}, "required": ["query"]}}}
{"type": "function", "function": {"name": "Now", "description": "지금", "parameters": {"type": "object", "properties": {}, "required": []}}}
</tools>
Call one by <tool_call>{"name": …, "arguments": …}</tool_call>.<|im_end|>
<|im_start|>user
강남역 근처 카페를 알려줘.<|im_end|>
<|im_start|>assistant
찾아볼게요.
<tool_call>
{"name": "PlaceSearch", "arguments": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"places": ["별다방"]}
</tool_response><|im_end|>
<|im_start|>assistant
<tool_call>
{"name": "Now", "arguments": {}}
</tool_call>
<tool_call>
{"name": "PlaceSearch", "arguments": {"query": "<b>"}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"now": "14:05"}
</tool_response>
<tool_response>
{"places": []}
</tool_response><|im_end|>
<|im_start|>assistant
별다방이 있어요.<|im_end|>
<|im_start|>user
고마워. 지금 몇 시야?<|im_end|>
<|im_start|>assistant
"##;

pub(crate) const THINKING_PLAIN: &str = r##"<|im_start|>user
강남역 근처 카페를 알려줘.<|im_end|>
<|im_start|>assistant
별다방이 있어요.<|im_end|>
<|im_start|>user
고마워. 지금 몇 시야?<|im_end|>
<|im_start|>assistant
"##;

pub(crate) const THINKING_TOOLS: &str = r##"<|im_start|>system
<tools>
{"type": "function", "function": {"name": "PlaceSearch", "description": "장소를 찾는다 <빠르게> & 'exactly'", "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "검색어"}, "radius": {"type": "integer", "minimum": 0, "maximum": 20000}, "at": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"]}, "kinds": {"type": "array", "items": {"type": "string", "enum": ["카페", "식당"]}}}, "required": ["query"]}}}
{"type": "function", "function": {"name": "Now", "description": "지금", "parameters": {"type": "object", "properties": {}, "required": []}}}
</tools> are called by <tool_call></tool_call><|im_end|>
<|im_start|>user
강남역 근처 카페를 알려줘.<|im_end|>
<|im_start|>assistant
찾아볼게요.
<tool_call>
{"name": "PlaceSearch", "arguments": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"places": ["별다방"]}
</tool_response><|im_end|>
<|im_start|>assistant
<tool_call>
{"name": "Now", "arguments": {}}
</tool_call>
<tool_call>
{"name": "PlaceSearch", "arguments": {"query": "<b>"}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"now": "14:05"}
</tool_response><|im_end|>
<|im_start|>user
<tool_response>
{"places": []}
</tool_response><|im_end|>
<|im_start|>assistant
<think>
시간?
</think>

두 시다.<|im_end|>
<|im_start|>assistant
"##;

pub(crate) const LLAMA3_PLAIN: &str = r##"<s><|start_header_id|>system<|end_header_id|>

Date: 09 Mar 2026

친절하게 답한다.<|eot_id|><|start_header_id|>user<|end_header_id|>

강남역 근처 카페를 알려줘.<|eot_id|><|start_header_id|>assistant<|end_header_id|>

별다방이 있어요.<|eot_id|><|start_header_id|>user<|end_header_id|>

고마워. 지금 몇 시야?<|eot_id|><|start_header_id|>assistant<|end_header_id|>

"##;

pub(crate) const LLAMA3_TOOLS: &str = r##"<s><|start_header_id|>system<|end_header_id|>

Environment: ipython
Date: 09 Mar 2026

친절하게 답한다.<|eot_id|><|start_header_id|>user<|end_header_id|>

Answer, or write {"name": function, "parameters": dictionary}.

{
    "type": "function",
    "function": {
        "name": "PlaceSearch",
        "description": "장소를 찾는다 <빠르게> & 'exactly'",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "검색어"
                },
                "radius": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 20000
                },
                "at": {
                    "type": "object",
                    "properties": {
                        "x": {
                            "type": "number"
                        },
                        "y": {
                            "type": "number"
                        }
                    },
                    "required": [
                        "x",
                        "y"
                    ]
                },
                "kinds": {
                    "type": "array",
                    "items": {
                        "type": "string",
                        "enum": [
                            "카페",
                            "식당"
                        ]
                    }
                }
            },
            "required": [
                "query"
            ]
        }
    }
}

{
    "type": "function",
    "function": {
        "name": "Now",
        "description": "지금",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": []
        }
    }
}

강남역 근처 카페를 알려줘.<|eot_id|><|start_header_id|>assistant<|end_header_id|>

{"name": "PlaceSearch", "parameters": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}}<|eot_id|><|start_header_id|>ipython<|end_header_id|>

"{\"places\": [\"별다방\"]}"<|eot_id|><|start_header_id|>assistant<|end_header_id|>

"##;

pub(crate) const MISTRAL_PLAIN: &str = r##"<s>[INST] 강남역 근처 카페를 알려줘.[/INST] 별다방이 있어요.</s>[INST] 친절하게 답한다.

고마워. 지금 몇 시야?[/INST]"##;

pub(crate) const MISTRAL_TOOLS: &str = r##"<s>[INST] 강남역 근처 카페를 알려줘.[/INST][TOOL_CALLS] [{"name": "PlaceSearch", "arguments": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}, "id": "callAAAA1"}]</s>[TOOL_RESULTS] {"content": {"places": ["별다방"]}, "call_id": "callAAAA1"}[/TOOL_RESULTS][TOOL_CALLS] [{"name": "Now", "arguments": {}, "id": "callAAAA2"}, {"name": "PlaceSearch", "arguments": {"query": "<b>"}, "id": "callAAAA3"}]</s>[TOOL_RESULTS] {"content": {"now": "14:05"}, "call_id": "callAAAA2"}[/TOOL_RESULTS][TOOL_RESULTS] {"content": {"places": []}, "call_id": "callAAAA3"}[/TOOL_RESULTS] 별다방이 있어요.</s>[AVAILABLE_TOOLS] [{"type": "function", "function": {"name": "PlaceSearch", "description": "장소를 찾는다 <빠르게> & 'exactly'", "parameters": {"type": "object", "properties": {"query": {"type": "string", "description": "검색어"}, "radius": {"type": "integer", "minimum": 0, "maximum": 20000}, "at": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"]}, "kinds": {"type": "array", "items": {"type": "string", "enum": ["카페", "식당"]}}}, "required": ["query"]}}}, {"type": "function", "function": {"name": "Now", "description": "지금", "parameters": {"type": "object", "properties": {}, "required": []}}}][/AVAILABLE_TOOLS][INST] 고마워. 지금 몇 시야?[/INST]"##;

pub(crate) const TURNS_PLAIN: &str = r##"<s><start_of_turn>user
강남역 근처 카페를 알려줘.<end_of_turn>
<start_of_turn>model
별다방이 있어요.<end_of_turn>
<start_of_turn>user
고마워. 지금 몇 시야?<end_of_turn>
<start_of_turn>model
"##;

pub(crate) const MARKED_PLAIN: &str = r##"<|system|>
친절하게 답한다.</s>

<|user|>
강남역 근처 카페를 알려줘.</s>

<|assistant|>
별다방이 있어요.</s>
<|user|>
고마워. 지금 몇 시야?</s>

<|assistant|>"##;

pub(crate) const SPELLING_TOOLS: &str = r##"PLACESEARCH = {query: string, radius?: integer, at?: {x: number, y: number}, kinds?: 카페|식당[]}
{'type': 'object', 'properties': {'query': {'type': 'string', 'description': '검색어'}, 'radius': {'type': 'integer', 'minimum': 0, 'maximum': 20000}, 'at': {'type': 'object', 'properties': {'x': {'type': 'number'}, 'y': {'type': 'number'}}, 'required': ['x', 'y']}, 'kinds': {'type': 'array', 'items': {'type': 'string', 'enum': ['카페', '식당']}}}, 'required': ['query']}
{
  "type": "function",
  "function": {
    "name": "PlaceSearch",
    "description": "장소를 찾는다 <빠르게> & 'exactly'",
    "parameters": {
      "type": "object",
      "properties": {
        "query": {
          "type": "string",
          "description": "검색어"
        },
        "radius": {
          "type": "integer",
          "minimum": 0,
          "maximum": 20000
        },
        "at": {
          "type": "object",
          "properties": {
            "x": {
              "type": "number"
            },
            "y": {
              "type": "number"
            }
          },
          "required": [
            "x",
            "y"
          ]
        },
        "kinds": {
          "type": "array",
          "items": {
            "type": "string",
            "enum": [
              "카페",
              "식당"
            ]
          }
        }
      },
      "required": [
        "query"
      ]
    }
  }
}
{"description":"장소를 찾는다 <빠르게> & 'exactly'","name":"PlaceSearch","parameters":{"properties":{"at":{"properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"],"type":"object"},"kinds":{"items":{"enum":["카페","식당"],"type":"string"},"type":"array"},"query":{"description":"검색어","type":"string"},"radius":{"maximum":20000,"minimum":0,"type":"integer"}},"required":["query"],"type":"object"}}
"\uc7a5\uc18c\ub97c \ucc3e\ub294\ub2e4 <\ube60\ub974\uac8c> & 'exactly'"
NOW = {}
{'type': 'object', 'properties': {}, 'required': []}
{
  "type": "function",
  "function": {
    "name": "Now",
    "description": "지금",
    "parameters": {
      "type": "object",
      "properties": {},
      "required": []
    }
  }
}
{"description":"지금","name":"Now","parameters":{"properties":{},"required":[],"type":"object"}}
"\uc9c0\uae08"
[1, 1.0, 1e+20, -0.5, True, None, "it's", '가\n"\'', {'a': [], 'b': {}}]
[1, 1.0, 1e+20, true, null, "</b>&", {"가": [], "b": {}}]
None/True/2.5//3/3.5/2/32/abababababab
aNoneTrue1.0[1, 'x']|1, None, b, 2.0|None
[][][4, 2]|x y|c|a|cba|나다|a+b|fix|ab|1x2 1:0 3:4 4:6s;u;a;t;a;t;t;a;u. [('a', 1), ('b', 2)] [('b', 2), ('a', 1)] ['system', 'user', 'assistant', 'tool'] 7 a
  b 3 5 1 2.6 
FalseFalseFalseFalseFalseFalseFalseTrueTrueFalse;FalseFalseFalseFalseTrueFalseTrueFalseTrueTrue;FalseFalseFalseFalseTrueTrueFalseFalseTrueFalse;FalseFalseFalseFalseTrueFalseFalseFalseTrueFalse;TrueTrueFalseTrueFalseFalseFalseFalseTrueFalse;TrueTrueFalseFalseFalseFalseFalseFalseTrueFalse;TrueTrueTrueFalseFalseFalseFalseFalseTrueFalse;TrueTrueFalseFalseFalseFalseFalseFalseFalseFalse;
{{ as it is }} 고마워. 지금 몇 시야?
1 친절하게 답한다. []
2 강남역 근처 카페를 알려줘. []
3 찾아볼게요. [{"id": "callAAAA1", "type": "function", "function": {"name": "PlaceSearch", "arguments": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}}}]
4 {"places": ["별다방"]} []
5  [{"id": "callAAAA2", "type": "function", "function": {"name": "Now", "arguments": {}}}, {"id": "callAAAA3", "type": "function", "function": {"name": "PlaceSearch", "arguments": {"query": "<b>"}}}]
6 {"now": "14:05"} []
7 {"places": []} []
8 별다방이 있어요. []
9 고마워. 지금 몇 시야? []
"##;
