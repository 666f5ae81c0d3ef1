//! The vocabulary in the converted file: other programs read the same tokens out of a text as `tokenizer.json` does.

use koab_local::convert::Precision;
use llama_cpp_2::token::LlamaToken;
use tokenizers::Tokenizer;

use crate::numbers::fixture::Fixture;
use crate::numbers::{converted, llama};

const TEXTS: [&str; 6] = [
    "Hello, the tools are 12345 and 6.78!",
    "{\"name\": \"search_place\", \"arguments\": {\"query\": \"서울역 근처 맛집\"}}",
    "내일 서울의 날씨를 알려 주세요.\n\n  감사합니다",
    "뷁 쀍 \u{1f600} — ça va?",
    "I'll don't WE'RE   three   blanks\t\ttabs\r\nend ",
    "a",
];

#[test]
fn llama_cpp_splits_text_as_the_repositorys_tokenizer() {
    for fixture in Fixture::all() {
        let model = fixture.written();
        let (_out, converted) = converted(model.path(), Precision::Q8_0);
        assert_eq!(converted.record.notes, [""; 0], "{}", fixture.name);
        let loaded = llama::load(&converted.model);
        let tokenizer = Tokenizer::from_file(model.path().join("tokenizer.json")).unwrap();
        for text in TEXTS {
            let theirs = tokenizer.encode(text, true).unwrap();
            let ours = loaded.vocab().tokenize(text.as_bytes(), true, true);
            let ours: Vec<u32> = ours.into_iter().map(|LlamaToken(id)| id as u32).collect();
            assert_eq!(ours, theirs.get_ids(), "{}: {text:?} {:?}", fixture.name, theirs.get_tokens());
        }
    }
}

#[test]
fn markup_is_one_token_and_every_end_ends_an_answer() {
    for (name, markup, ends) in [
        ("qwen2", "<|im_start|>", vec!["<|im_end|>", "<|endoftext|>"]),
        ("qwen3", "<tool_call>", vec!["<|im_end|>", "<|endoftext|>"]),
        ("llama", "<|start_header_id|>", vec!["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"]),
        ("mistral", "[TOOL_CALLS]", vec!["</s>"]),
    ] {
        let model = Fixture::named(name).written();
        let (_out, converted) = converted(model.path(), Precision::Q8_0);
        let loaded = llama::load(&converted.model);
        let vocabulary = loaded.vocab();
        assert_eq!(vocabulary.tokenize(markup.as_bytes(), false, true).len(), 1, "{name}: {markup}");
        for end in ends {
            let tokens = vocabulary.tokenize(end.as_bytes(), false, true);
            assert_eq!(tokens.len(), 1, "{name}: {end}");
            assert!(vocabulary.is_eog(tokens[0]), "{name}: {end}");
            assert!(converted.record.ends.contains(&(tokens[0].0 as u32)), "{name}: {end}");
        }
        let template = loaded.chat_template(None).unwrap();
        let said = koab_local::hf::TokenizerFiles::read(model.path()).unwrap();
        assert_eq!(template.to_str().unwrap(), said.template(true).unwrap(), "{name}");
    }
}
