//! Answers that nobody wants any more.

use std::time::Duration;

use koab_local::engine::{EngineError, Finish, Generation};

use super::{alone, answer, engine, prompt, request};

/// Waits until it is computed. For generations that cannot end before this has looked.
async fn begun(generation: &Generation) {
    let waiting = async {
        while !generation.is_computing() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let begun = tokio::time::timeout(Duration::from_secs(60), waiting).await;
    begun.expect("it is computed");
}

/// Reads to the end; gives the number of tokens.
async fn drained(generation: &mut Generation) -> usize {
    let mut count = 0;
    while let Some(token) = generation.next().await {
        token.unwrap();
        count += 1;
    }
    count
}

#[tokio::test]
async fn a_dropped_answer_frees_its_place() {
    let expected = alone(request(prompt(2, 20), 8)).await;
    let engine = engine(1, 30_000);
    let mut endless = engine.generate(request(prompt(1, 20), 29_000));
    endless.next().await.unwrap().unwrap();
    drop(endless);
    assert_eq!(answer(&engine, request(prompt(2, 20), 8)).await.tokens, expected);
}

#[tokio::test]
async fn a_cancelled_answer_says_so_and_how_far_it_came() {
    let engine = engine(1, 30_000);
    let mut endless = engine.generate(request(prompt(1, 20), 29_000));
    endless.next().await.unwrap().unwrap();
    endless.cancel();
    let read = 1 + drained(&mut endless).await;
    let outcome = endless.outcome().unwrap();
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_eq!(outcome.usage.generated_tokens, read);
    assert!(read < 29_000, "{read}");
}

#[tokio::test]
async fn a_prompt_is_cancelled_while_it_is_read_and_what_was_read_is_sound() {
    let long = prompt(1, 29_000);
    let engine_ = engine(1, 30_000);
    let mut reading = engine_.generate(request(long.clone(), 10));
    begun(&reading).await;
    reading.cancel();
    assert_eq!(drained(&mut reading).await, 0);
    let outcome = reading.outcome().unwrap();
    assert_eq!((outcome.finish, outcome.usage.prompt), (Finish::Cancelled, None));
    // What the interrupted step left behind must not show.
    let short = long[..700].to_vec();
    let after = answer(&engine_, request(short.clone(), 20)).await;
    drop(engine_);
    assert_eq!(alone(request(short, 20)).await, after.tokens);
}

#[tokio::test]
async fn one_step_of_computing_is_interrupted_too() {
    let engine = engine(1, 1024);
    // As many tokens as are computed at once: uninterrupted, the end follows. A busy machine may let a cancel come too late,
    // or even let the step end before this thread has seen it begin.
    let mut interrupted = false;
    for number in 0..200 {
        let mut reading = engine.generate(request(prompt(number, 128), 1));
        let mut looks = 0;
        while !reading.is_computing() && looks < 10_000 {
            tokio::task::yield_now().await;
            looks += 1;
        }
        let seen = reading.is_computing();
        reading.cancel();
        if drained(&mut reading).await == 0 && seen {
            assert_eq!(reading.outcome().unwrap().finish, Finish::Cancelled);
            interrupted = true;
            break;
        }
    }
    assert!(interrupted, "no step was ever interrupted");
}

#[tokio::test]
async fn others_do_not_notice() {
    let expected = alone(request(prompt(2, 50), 60)).await;
    let engine = engine(2, 30_000);
    let stays = engine.generate(request(prompt(2, 50), 60));
    for number in 3..8 {
        let goes = engine.generate(request(prompt(number, 20_000), 10));
        begun(&goes).await;
        drop(goes);
    }
    assert_eq!(stays.collect().await.unwrap().tokens, expected);
}

#[tokio::test]
async fn one_that_waits_is_cancelled_without_a_place() {
    let engine = engine(1, 30_000);
    let mut at_work = engine.generate(request(prompt(1, 20), 29_000));
    at_work.next().await.unwrap().unwrap();
    let mut waits = engine.generate(request(prompt(2, 20), 10));
    waits.cancel();
    assert_eq!(drained(&mut waits).await, 0);
    assert_eq!(waits.outcome().unwrap().finish, Finish::Cancelled);
    assert!(at_work.is_computing());
}

#[tokio::test]
async fn an_engine_that_goes_ends_everything() {
    let engine = engine(1, 30_000);
    let mut at_work = engine.generate(request(prompt(1, 20), 29_000));
    at_work.next().await.unwrap().unwrap();
    let mut waits = engine.generate(request(prompt(2, 20), 10));
    drop(engine);
    drained(&mut at_work).await;
    assert_eq!(at_work.outcome().unwrap().finish, Finish::Cancelled);
    // It may have been on its way to the engine's thread.
    match waits.next().await {
        None => assert_eq!(waits.outcome().unwrap().finish, Finish::Cancelled),
        Some(ended) => assert_eq!(ended.unwrap_err(), EngineError::Ended),
    }
}
