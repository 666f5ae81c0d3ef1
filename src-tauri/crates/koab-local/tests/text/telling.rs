//! What a template cannot say is said in another way, and what fails is told in one sentence.

use crate::text::conversations::{
    one_call, plain, reply, system, talk, template, three_calls, tokens, tools, user, with_system,
};
use koab_local::chat_template::ChatTemplate;
use koab_local::tool_text::{ToolForm, read};

const TURNS: &str = include_str!("templates/turns.jinja");
const MARKED: &str = include_str!("templates/marked.jinja");
const LLAMA3: &str = include_str!("templates/llama3.jinja");
const MISTRAL: &str = include_str!("templates/mistral.jinja");

#[test]
fn tools_are_told_where_a_template_ignores_them() {
    let template = template(MARKED);
    assert!(!template.handles_tools());
    assert_eq!(template.tool_form(), ToolForm::Hermes);
    let prompt = template.render(&with_system(three_calls()), &tools()[1..]).unwrap();
    insta::assert_snapshot!(prompt, @r###"
    <|system|>
    친절하게 답한다.

    You can call functions. Each line between <tools> and </tools> describes one as JSON:
    <tools>
    {"type": "function", "function": {"name": "Now", "description": "지금", "parameters": {"type": "object", "properties": {}, "required": []}}}
    </tools>

    To call a function, write its name and its arguments in exactly this form, once for each call:
    <tool_call>
    {"name": "NAME", "arguments": {"ARGUMENT": "VALUE"}}
    </tool_call>

    Then stop: the results come in the next message, between <tool_response> and </tool_response>. Call a function whenever it helps to answer, and answer the user in plain text when you need no more calls.</s>

    <|user|>
    강남역 근처 카페를 알려줘.</s>

    <|assistant|>
    찾아볼게요.
    <tool_call>
    {"name": "PlaceSearch", "arguments": {"query": "강남역 \"카페\"", "radius": 500, "at": {"x": 127.0276, "y": 37.0}, "kinds": ["카페"]}}
    </tool_call></s>
    <|user|>
    <tool_response>
    {"places": ["별다방"]}
    </tool_response></s>

    <|assistant|>
    <tool_call>
    {"name": "Now", "arguments": {}}
    </tool_call>
    <tool_call>
    {"name": "PlaceSearch", "arguments": {"query": "<b>"}}
    </tool_call></s>
    <|user|>
    <tool_response>
    {"now": "14:05"}
    </tool_response>
    <tool_response>
    {"places": []}
    </tool_response></s>

    <|assistant|>
    "###);
}

#[test]
fn the_tiny_models_templates_handle_tools() {
    for source in [
        include_str!("../../../../tests/koab-tiny/templates/qwen.jinja"),
        include_str!("../../../../tests/koab-tiny/templates/llama.jinja"),
        include_str!("../../../../tests/koab-tiny/templates/mistral.jinja"),
    ] {
        let template = template(source);
        let prompt = template.render(&with_system(talk()), &tools()).unwrap();
        let shown = ["친절하게", "장소를 찾는다", "127.0276", "별다방", "14:05", "몇 시야"];
        assert!(template.handles_tools(), "{source}");
        assert!(shown.iter().all(|text| prompt.contains(text)), "{prompt}");
        assert_ne!(template.tool_form(), ToolForm::Auto);
    }
}

#[test]
fn calls_that_are_told_are_in_the_form_that_is_read() {
    let prompt = template(MARKED).render(&talk(), &tools()).unwrap();
    let (_, turns) = prompt.split_once("</tool_call>").unwrap();
    let read = read(turns, ToolForm::Hermes, &tools());
    let names: Vec<&str> = read.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["PlaceSearch", "Now", "PlaceSearch"]);
    assert!(read.calls[0].arguments.contains(r#""at":{"x":127.0276,"y":37.0}"#));
}

#[test]
fn a_template_without_system_messages_has_them_before_the_users_first() {
    let prompt = template(TURNS).render(&with_system(plain()), &[]).unwrap();
    assert!(
        prompt.starts_with(
            "<s><start_of_turn>user\n친절하게 답한다.\n\n강남역 근처 카페를 알려줘.<end_of_turn>\n"
        ),
        "{prompt}"
    );
}

#[test]
fn a_template_that_wants_turns_gets_turns() {
    let turns = [system(), user("하나"), user("둘"), reply("셋"), reply("넷"), user("다섯")];
    let prompt = template(TURNS).render(&turns, &[]).unwrap();
    insta::assert_snapshot!(prompt, @r###"
    <s><start_of_turn>user
    친절하게 답한다.

    하나

    둘<end_of_turn>
    <start_of_turn>model
    셋

    넷<end_of_turn>
    <start_of_turn>user
    다섯<end_of_turn>
    <start_of_turn>model
    "###);
    // Tool answers are the user's turn, and the two of one turn are one.
    let prompt = template(TURNS).render(&talk(), &tools()).unwrap();
    let answers = "<start_of_turn>user\n<tool_response>\n{\"now\": \"14:05\"}\n</tool_response>\n<tool_response>\n{\"places\": []}\n</tool_response><end_of_turn>";
    assert!(prompt.contains(answers), "{prompt}");
}

#[test]
fn several_calls_go_one_by_one_to_a_template_that_bears_one() {
    let prompt = template(LLAMA3).render(&three_calls(), &tools()).unwrap();
    let marks = [r#"{"name": "Now", "parameters": {}}"#, "14:05", r#""query": "<b>""#, "places"];
    let mut rest = prompt.split_once("별다방").unwrap().1;
    for mark in marks {
        rest = rest.split_once(mark).unwrap_or_else(|| panic!("{mark} in {prompt}")).1;
    }
}

#[test]
fn ids_are_shortened_for_a_template_that_counts_their_letters() {
    let mut turns = one_call();
    let long = "call_0123456789abcdef".to_owned();
    for turn in &mut turns {
        match turn {
            koab_engine::ports::Message::Assistant { calls, .. } => {
                calls.iter_mut().for_each(|call| call.id.clone_from(&long));
            }
            koab_engine::ports::Message::Tool { call_id, .. } => call_id.clone_from(&long),
            _ => {}
        }
    }
    let prompt = template(MISTRAL).render(&turns, &tools()).unwrap();
    assert_eq!(prompt.matches("call00000").count(), 2, "{prompt}");
}

#[test]
fn texts_come_in_parts_to_a_template_that_reads_parts() {
    let seeing = "{% for m in messages %}{{ m.role }}:{% for part in m.content %}{{ part.text if part.type == 'text' }}{% endfor %};{% endfor %}";
    let prompt = template(seeing).render(&with_system(plain()), &[]).unwrap();
    assert!(prompt.starts_with("system:친절하게 답한다.;user:강남역"), "{prompt}");
    let mute = ChatTemplate::new("Hello!", &tokens()).unwrap_err();
    insta::assert_snapshot!(mute, @"the chat template leaves out what the user says; it is not one for conversations in text");
}

#[test]
fn what_fails_is_said_in_one_sentence_with_its_place() {
    let refusal = |source: &str| ChatTemplate::new(source, &tokens()).unwrap_err().to_string();
    let all = [
        refusal(" \n"),
        refusal("{% for m in messages %}\n{{ m.content }\n{% endfor %}"),
        refusal("\n{{ raise_exception('마음에 들지 않는다: ' ~ messages[0].role) }}"),
        refusal("{{ messages | sparkle }}"),
        refusal("{{ messages[0].content.shimmer() }}"),
        refusal("{{ messages[7].content.strip() }}"),
        refusal("{% include 'other.jinja' %}"),
    ];
    insta::assert_snapshot!(all.join("\n"), @r###"
    the chat template is empty; choose a model with a chat template, or put a chat_template.jinja beside it
    the chat template cannot be read in line 2: unexpected `}`, expected end of variable block
    the chat template refuses the conversation in line 2: 마음에 들지 않는다: user
    the chat template failed in line 1: unknown filter: filter sparkle is unknown
    the chat template failed in line 1: unknown method: string has no method named shimmer
    the chat template failed in line 1: undefined value: `messages[7]` is undefined
    the chat template failed in line 1: template not found: tried to include non-existing template 'other.jinja'
    "###);
}

#[test]
fn a_conversation_that_is_refused_says_why() {
    let template = template(
        "{% if messages | length > 4 %}{{ raise_exception('too many words') }}{% endif %}{{ messages[0].content }}",
    );
    let refused = template.render(&talk(), &[]).unwrap_err();
    insta::assert_snapshot!(refused, @"the chat template refuses the conversation in line 1: too many words");
}
