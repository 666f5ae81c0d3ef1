//! Beginnings of prompts that are in memory already.

use koab_local::engine::Generate;

use super::{alone, answer, engine, prompt, request};

fn after(beginning: &[u32], rest: Vec<u32>) -> Vec<u32> {
    beginning.iter().copied().chain(rest).collect()
}

#[tokio::test]
async fn the_next_turn_reads_again_what_is_no_whole_step_of_its_prompt() {
    let first = prompt(1, 300);
    let engine_ = engine(2, 1024);
    let answered = answer(&engine_, request(first.clone(), 10)).await;
    assert_eq!(answered.outcome.usage.reused_tokens, 0);
    let next = after(&first, after(&answered.tokens, prompt(2, 40)));
    let again = answer(&engine_, request(next.clone(), 15)).await;
    assert_eq!(again.outcome.usage.prompt_tokens, 350);
    assert_eq!(again.outcome.usage.reused_tokens, 256);
    drop(engine_);
    assert_eq!(alone(request(next, 15)).await, again.tokens);
}

#[tokio::test]
async fn conversations_with_the_same_tools_share_them_also_while_one_is_at_work() {
    let tools = prompt(3, 400);
    let [one, two] = [4, 5].map(|number| after(&tools, prompt(number, 30)));
    let engine_ = engine(2, 1024);
    let mut at_work = engine_.generate(request(one.clone(), 300));
    at_work.next().await.unwrap().unwrap();
    let beside = answer(&engine_, request(two.clone(), 15)).await;
    assert_eq!(beside.outcome.usage.reused_tokens, 384);
    let first = at_work.collect().await.unwrap();
    // Its first token was read already.
    assert_eq!(first.tokens.len(), 299);
    // And both go on where they are.
    for beginning in [one.clone(), two.clone()] {
        let next = after(&beginning, vec![1, 2, 3]);
        let again = answer(&engine_, request(next, 1)).await;
        assert_eq!(again.outcome.usage.reused_tokens, 384);
    }
    drop(engine_);
    assert_eq!(alone(request(two, 15)).await, beside.tokens);
    assert_eq!(alone(request(one, 300)).await[1..], first.tokens);
}

#[tokio::test]
async fn attempts_that_start_at_once_read_their_tools_once() {
    let tools = prompt(8, 900);
    let prompts: Vec<_> = (10..14).map(|number| after(&tools, prompt(number, 30))).collect();
    let engine_ = engine(4, 1024);
    let generations: Vec<_> =
        prompts.iter().map(|prompt| engine_.generate(request(prompt.clone(), 10))).collect();
    let mut answers = Vec::new();
    for generation in generations {
        answers.push(generation.collect().await.unwrap());
    }
    drop(engine_);
    let reused: Vec<_> = answers.iter().map(|answer| answer.outcome.usage.reused_tokens).collect();
    assert_eq!(reused, [0, 896, 896, 896]);
    for (prompt, answer) in prompts.into_iter().zip(answers) {
        assert_eq!(alone(request(prompt, 10)).await, answer.tokens);
    }
}

#[tokio::test]
async fn the_same_prompt_again_computes_its_last_step() {
    let engine = engine(1, 512);
    let first = answer(&engine, request(prompt(6, 100), 12)).await;
    let again = answer(&engine, request(prompt(6, 100), 12)).await;
    assert_eq!(again.outcome.usage.reused_tokens, 64);
    assert_eq!((&again.tokens, &again.logits), (&first.tokens, &first.logits));
    let anew = Generate { reads_anew: true, ..request(prompt(6, 100), 12) };
    let anew = answer(&engine, anew).await;
    assert_eq!(anew.outcome.usage.reused_tokens, 0);
    assert_eq!((&anew.tokens, &anew.logits), (&first.tokens, &first.logits));
    let usage = again.outcome.usage;
    assert_eq!((usage.prompt_tokens, usage.generated_tokens), (100, 12));
    assert!(usage.first_token().unwrap() >= usage.waited);
    assert!(usage.generation.is_some());
}

#[tokio::test]
async fn old_conversations_make_room_for_new_ones() {
    let engine = engine(2, 256);
    for number in 0..8 {
        let answer = answer(&engine, request(prompt(number, 240), 40)).await;
        assert_eq!(answer.outcome.usage.reused_tokens, 0);
        assert_eq!(answer.tokens.len(), 17);
    }
}
