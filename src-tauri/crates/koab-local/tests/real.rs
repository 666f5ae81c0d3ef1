//! A small real model: the numbers of trained weights, which random ones cannot stand for.
#![allow(clippy::print_stderr, reason = "a test that has nothing to work on says so")]

use koab_engine::ports::{AttemptRef, Message, ModelAdapter as _, ModelRequest, ToolChoice};
use koab_local::engine::{Answer, Device, Engine, Finish, Generate, LoadSpec};
use koab_local::model::{LocalModel, ModelFiles, ModelOptions};
use std::path::PathBuf;

fn weights() -> Option<PathBuf> {
    koab_programs::small_model().map_err(|why| eprintln!("SKIP: {why}")).ok()
}

/// A prompt of more than 400 tokens, most of which all questions have in common.
fn prompt(engine: &Engine, question: &str) -> Vec<u32> {
    let tool = r#"{"name": "search", "description": "Finds places near an address", "parameters": {"query": "string"}}"#;
    let tools = [tool; 14].join("\n");
    engine.tokenize(&format!(
        "<|im_start|>system\nYou have these tools:\n{tools}<|im_end|>\n<|im_start|>user\n{question}<|im_end|>\n\
         <|im_start|>assistant\n"
    ))
}

fn request(tokens: &[u32], max_tokens: u32) -> Generate {
    Generate { max_tokens, ..Generate::new(tokens.to_vec()) }
}

async fn answer(engine: &Engine, request: Generate) -> Answer {
    engine.generate(request).collect().await.expect("answered")
}

/// Tokens with the bits of their logits.
fn bits(answer: &Answer) -> Vec<(u32, u32)> {
    let logits = answer.logits.iter().map(|logit| logit.to_bits());
    answer.tokens.iter().copied().zip(logits).collect()
}

/// With two threads, attention over 512 tokens and more is added up in two halves when one token is computed at a time, and not
/// when several are: a prompt whose last token alone was computed had other logits.
#[tokio::test]
async fn equal_requests_have_equal_bits_whatever_was_read_before() {
    let Some(path) = weights() else { return };
    let engine = Engine::load(&LoadSpec {
        path,
        device: Device::Cpu,
        context_per_sequence: 1024,
        parallel: 2,
        threads: Some(2),
    })
    .expect("loaded");
    let question = prompt(&engine, "Where can I buy bread near Gangnam station? Call a tool.");
    let other = prompt(&engine, "Name three mountains.");
    assert!(question.len() > 400, "{}", question.len());
    let first = answer(&engine, request(&question, 10)).await;
    assert_eq!((first.outcome.usage.reused_tokens, first.tokens.len()), (0, 10));

    let again = answer(&engine, request(&question, 10)).await;
    assert!(again.outcome.usage.reused_tokens > 300, "{:?}", again.outcome.usage);
    assert_eq!(bits(&again), bits(&first), "reused");
    answer(&engine, request(&other, 2)).await;
    let after_another = answer(&engine, request(&question, 10)).await;
    assert_eq!(bits(&after_another), bits(&first), "after another question");

    // A next turn: what was written in the last one is read as what it is, a prompt.
    let next: Vec<u32> = [&question[..], &first.tokens, &engine.tokenize("\nAnd then?")].concat();
    let reused = answer(&engine, request(&next, 4)).await;
    assert!(reused.outcome.usage.reused_tokens > 300, "{:?}", reused.outcome.usage);
    let anew = Generate { reads_anew: true, ..request(&next, 4) };
    assert_eq!(bits(&answer(&engine, anew).await), bits(&reused), "read anew");

    // Who writes beside it does not change how a prompt is read.
    let mut beside = engine.generate(request(&other, 400));
    beside.next().await.expect("a token").expect("written");
    let in_company = answer(&engine, request(&question, 1)).await;
    assert_eq!(bits(&in_company), bits(&first)[..1], "in company");
    beside.cancel();
}

#[tokio::test]
async fn it_is_examined_answers_and_is_cancelled() {
    let Some(path) = weights() else { return };
    let files = ModelFiles { weights: path, tokenizer: None };
    let options = ModelOptions {
        device: Device::Cpu,
        // What the doctor compares is then 448 tokens long.
        context: Some(512),
        parallel: 1,
        threads: Some(1),
        form: None,
        constrained: false,
    };
    let model = LocalModel::open(&files, &options).expect("loaded");
    let examined = model.examine(&|_, _| ()).await.expect("examined");
    assert_eq!((examined.is_deterministic, examined.is_same_together), (Some(true), None));
    assert!(examined.prompt_per_second > Some(0.0) && examined.written_per_second > Some(0.0));

    let messages = [Message::User("What is the capital of France?".to_owned())];
    let ask = || {
        model.complete(ModelRequest {
            messages: &messages,
            tools: &[],
            tool_choice: ToolChoice::Auto,
            listener: None,
            temperature: 0.0,
            max_tokens: Some(24),
            effort: None,
            seed: Some(1),
            answer_schema: None,
            given: None,
            attempt: AttemptRef::default(),
        })
    };
    let reply = ask().await.expect("answered");
    assert!(!reply.content.trim().is_empty(), "{reply:?}");
    assert_eq!(reply.usage.map(|usage| usage.completion_tokens), Some(24));
    assert_eq!(ask().await.expect("answered").content, reply.content);

    let engine = model.engine();
    let mut long = engine.generate(request(&engine.tokenize("Once upon a time"), 500));
    long.next().await.expect("a token").expect("written");
    long.cancel();
    while let Some(token) = long.next().await {
        token.expect("a token that was written before");
    }
    assert_eq!(long.outcome().map(|outcome| outcome.finish), Some(Finish::Cancelled));
}
