//! What is generated, and why it ends.

use std::sync::{Arc, Mutex};

use koab_local::engine::{EngineError, Finish, Generate};
use koab_local::grammar::{Grammar, of_schema};
use serde_json::{Value, json};

use super::{alone, answer, engine, prompt, request};

#[tokio::test]
async fn greedy_is_the_same_each_time() {
    let first = alone(request(prompt(1, 40), 24)).await;
    assert_eq!(first.len(), 24);
    assert_eq!(alone(request(prompt(1, 40), 24)).await, first);
    assert_ne!(alone(request(prompt(2, 40), 24)).await, first, "the prompt must matter");
}

#[tokio::test]
async fn several_at_once_write_what_each_writes_alone() {
    let lengths = [5, 90, 700, 33];
    let mut expected = Vec::new();
    for (number, length) in (0..).zip(lengths) {
        expected.push(alone(request(prompt(number, length), 20)).await);
    }
    let engine = engine(4, 1024);
    let generations: Vec<_> = (0..)
        .zip(lengths)
        .map(|(number, length)| engine.generate(request(prompt(number, length), 20)))
        .collect();
    for (generation, expected) in generations.into_iter().zip(expected) {
        assert_eq!(generation.collect().await.unwrap().tokens, expected);
    }
}

#[tokio::test]
async fn more_than_there_are_places_are_all_answered() {
    let expected = alone(request(prompt(3, 50), 12)).await;
    let engine = engine(2, 256);
    let generations: Vec<_> = (0..9).map(|_| engine.generate(request(prompt(3, 50), 12))).collect();
    for generation in generations {
        assert_eq!(generation.collect().await.unwrap().tokens, expected);
    }
}

#[tokio::test]
async fn who_waits_is_answered_in_order() {
    let engine = engine(1, 30_000);
    let mut ahead = engine.generate(request(prompt(1, 20), 29_000));
    ahead.next().await.unwrap().unwrap();
    let ended = Arc::new(Mutex::new(Vec::new()));
    let waiting: Vec<_> = (0..6)
        .map(|number| {
            let generation = engine.generate(request(prompt(number, 30), 5));
            let ended = Arc::clone(&ended);
            tokio::spawn(async move {
                generation.collect().await.unwrap();
                ended.lock().unwrap().push(number);
            })
        })
        .collect();
    ahead.cancel();
    for waiting in waiting {
        waiting.await.unwrap();
    }
    assert_eq!(*ended.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn it_ends_where_the_context_ends() {
    let engine = engine(1, 64);
    let ended = answer(&engine, request(prompt(1, 60), 100)).await;
    assert_eq!(ended.outcome.finish, Finish::ContextFull);
    // Four that have a place in the context, and what follows the last.
    assert_eq!(ended.tokens.len(), 5);
    let too_long = engine.generate(request(prompt(1, 65), 1)).collect().await;
    assert_eq!(
        too_long.unwrap_err().to_string(),
        "the prompt has 65 tokens and the context holds 64: shorten it or load the model with more context"
    );
    let full = answer(&engine, request(prompt(1, 64), 9)).await;
    assert_eq!((full.tokens.len(), full.outcome.finish), (1, Finish::ContextFull));
}

#[tokio::test]
async fn a_given_token_ends_it_and_is_not_part_of_it() {
    let free = alone(request(prompt(4, 30), 16)).await;
    let stop = free[free.len() / 2];
    let before = free.iter().position(|token| *token == stop).unwrap();
    let engine = engine(1, 256);
    let stopped = Generate { stop: vec![249, stop], ..request(prompt(4, 30), 16) };
    let stopped = answer(&engine, stopped).await;
    assert_eq!(stopped.tokens, free[..before]);
    assert_eq!(stopped.outcome.finish, Finish::Stop);
    assert_eq!(stopped.outcome.stopped_by, Some(stop));
    assert_eq!(stopped.outcome.usage.generated_tokens, before);
}

#[tokio::test]
async fn a_seed_gives_one_text_and_another_seed_another() {
    let engine = engine(2, 256);
    let draw = |seed| Generate { temperature: 1.5, top_p: 0.95, seed, ..request(prompt(5, 20), 24) };
    let first = answer(&engine, draw(1)).await.tokens;
    let second = answer(&engine, draw(2)).await.tokens;
    assert_ne!(first, second);
    let again = engine.generate(draw(1));
    let beside = engine.generate(draw(2));
    assert_eq!(again.collect().await.unwrap().tokens, first);
    assert_eq!(beside.collect().await.unwrap().tokens, second);
}

#[tokio::test]
async fn a_schema_forces_json_and_the_files_own_token_ends_it() {
    let engine = engine(1, 512);
    let schema = json!({
        "type": "object",
        "properties": {"city": {"enum": ["서울", "부산"]}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["city", "days"],
        "additionalProperties": false,
    });
    for temperature in [0.0, 1.0] {
        let held = Generate {
            grammar: Some(of_schema(&schema).unwrap()),
            temperature,
            ..request(prompt(6, 20), 200)
        };
        let held = answer(&engine, held).await;
        assert_eq!(held.outcome.finish, Finish::Stop);
        assert!(engine.vocabulary().ends(held.outcome.stopped_by.unwrap()));
        let value: Value = serde_json::from_slice(&held.bytes).unwrap();
        assert!(value["city"] == "서울" || value["city"] == "부산", "{value}");
        assert!(value["days"].as_u64().is_some_and(|days| days < 10), "{value}");
    }
}

#[tokio::test]
async fn a_lazy_grammar_binds_from_its_trigger_on() {
    let free = alone(request(prompt(7, 30), 12)).await;
    let engine = engine(1, 512);
    // What it writes anyway is the trigger, so that there is something before it and it surely comes.
    let word = |token: &u32| {
        let text = String::from_utf8(engine.piece(*token)).ok()?;
        text.chars().all(char::is_alphabetic).then_some(text)
    };
    let (before, trigger) = (1..).find_map(|at| Some((at, word(&free[at])?))).unwrap();
    assert!(!free[..before].contains(&free[before]));
    let grammar = Grammar {
        gbnf: format!("root ::= \"{trigger}\" \" 끝.\"\n"),
        root: "root".to_owned(),
        lazy_triggers: vec![trigger.clone()],
    };
    let held = Generate { grammar: Some(grammar), ..request(prompt(7, 30), 40) };
    let held = answer(&engine, held).await;
    let expected: Vec<u8> = free[..before].iter().flat_map(|token| engine.piece(*token)).collect();
    let expected = format!("{}{trigger} 끝.", String::from_utf8_lossy(&expected));
    assert_eq!(String::from_utf8_lossy(&held.bytes), expected);
    assert_eq!(held.outcome.finish, Finish::Stop);
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_refused_and_the_next_one_answered() {
    let engine = engine(1, 128);
    let told = |request| {
        let generation = engine.generate(request);
        async { generation.collect().await.unwrap_err() }
    };
    assert_eq!(told(Generate::new(Vec::new())).await, EngineError::EmptyPrompt);
    assert_eq!(
        told(Generate::new(vec![1, 99_999])).await.to_string(),
        "the prompt holds the token 99999 and the model knows 832 tokens: tokenizer and model do not belong together"
    );
    let hot = Generate { temperature: -1.0, ..Generate::new(vec![1]) };
    assert_eq!(told(hot).await.to_string(), "temperature cannot be -1: it has to be 0 or more");
    let broken = Grammar {
        gbnf: "root ::= nothing-of-this-name".to_owned(),
        root: "root".to_owned(),
        lazy_triggers: Vec::new(),
    };
    let broken = Generate { grammar: Some(broken), ..Generate::new(vec![1]) };
    let broken = told(broken).await.to_string();
    assert!(broken.starts_with("llama.cpp does not take the grammar of the answer: "), "{broken}");
    let none = answer(&engine, request(vec![1], 0)).await;
    assert_eq!((none.tokens.len(), none.outcome.finish), (0, Finish::Length));
    assert_eq!(answer(&engine, request(vec![1], 3)).await.tokens.len(), 3);
}
