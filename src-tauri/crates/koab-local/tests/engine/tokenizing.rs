//! Text to tokens and back, by the repository's tokenizer and by the file's vocabulary.

use koab_local::tokenizer::Tokenizer;
use proptest::prelude::*;

use super::{engine, folder};

const TEXT: &str =
    "<|im_start|>user\n서울 날씨를 알려줘! Ünïcødé, 😀 꿹뷁 12,345원\n\n  {\"도시\": \"부산\"}<|im_end|>\n";

fn repository() -> Tokenizer {
    Tokenizer::read(&folder().join("tokenizer.json")).unwrap()
}

/// The pieces of a text as they would be shown, one per token.
fn pieces(tokenizer: &Tokenizer, tokens: &[u32]) -> Vec<String> {
    let mut decoder = tokenizer.decoder();
    let mut pieces: Vec<String> = tokens.iter().map(|token| decoder.push(*token)).collect();
    pieces.push(decoder.finish());
    pieces
}

#[test]
fn both_read_a_text_alike_and_special_tokens_as_such() {
    let engine = engine(1, 64);
    let file = Tokenizer::Gguf(engine.vocabulary());
    let tokens = repository().encode(TEXT);
    assert_eq!(file.encode(TEXT), tokens);
    assert_eq!(tokens.first(), file.encode("<|im_start|>").first());
    assert_eq!(file.encode("<|im_start|>").len(), 1);
    assert_eq!(file.decode(&tokens), TEXT);
    assert_eq!(repository().decode(&tokens), TEXT);
    assert!(file.encode("").is_empty());
}

#[test]
fn no_syllable_is_cut_while_it_comes() {
    let engine = engine(1, 64);
    for tokenizer in [Tokenizer::Gguf(engine.vocabulary()), repository()] {
        let tokens = tokenizer.encode(TEXT);
        assert!(tokens.len() > TEXT.chars().count() / 2, "the vocabulary is too good to cut anything");
        let pieces = pieces(&tokenizer, &tokens);
        assert_eq!(pieces.concat(), TEXT);
        assert!(pieces.iter().any(String::is_empty), "nothing was ever waited for");
    }
}

#[test]
fn an_answer_that_ends_within_a_syllable_shows_that() {
    let engine = engine(1, 64);
    for tokenizer in [Tokenizer::Gguf(engine.vocabulary()), repository()] {
        let mut tokens = tokenizer.encode("가꿹");
        tokens.pop();
        let pieces = pieces(&tokenizer, &tokens);
        assert!(pieces.concat().starts_with('가') && pieces.concat().ends_with('\u{FFFD}'), "{pieces:?}");
    }
}

#[test]
fn a_file_that_is_no_tokenizer_is_told() {
    let sentence = Tokenizer::read(&folder().join("tokenizer_config.json")).unwrap_err().to_string();
    assert!(sentence.contains("tokenizer_config.json cannot be read"), "{sentence}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_text_comes_back_by_pieces(text in "[가-힣a-zA-Z0-9 \n😀-😂ㄱ-ㅎ.,]{0,60}") {
        let tokenizer = repository();
        let tokens = tokenizer.encode(&text);
        prop_assert_eq!(pieces(&tokenizer, &tokens).concat(), text);
    }
}
