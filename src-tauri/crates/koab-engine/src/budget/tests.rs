use super::*;
use crate::ports::{AttemptRef, ToolChoice};

fn request<'a>(messages: &'a [Message]) -> ModelRequest<'a> {
    ModelRequest {
        messages,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        listener: None,
        temperature: 0.0,
        max_tokens: Some(100),
        effort: None,
        seed: None,
        answer_schema: None,
        given: None,
        attempt: AttemptRef::default(),
    }
}

fn used(prompt_tokens: u64, completion_tokens: u64) -> Option<Usage> {
    Some(Usage {
        prompt_tokens,
        completion_tokens,
        total_tokens: prompt_tokens.saturating_add(completion_tokens),
    })
}

fn capped(tokens: Option<u64>, cost: Option<f64>) -> Budget {
    let price = Price { input: 1.0, output: 10.0 };
    Budget::new(Some(price), Caps { cost, tokens }, TokenUsage::default(), None)
}

fn quiet(_: &Sentence, _: Option<Duration>) {}

#[tokio::test]
async fn a_call_that_might_pass_the_cap_is_not_made() {
    let messages = [Message::User("서울".to_owned())];
    let request = request(&messages);
    // 6 bytes, 16 for the message, 600 for the request, 100 of output.
    let budget = capped(Some(1_000), None);
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(used(200, 79));
    let refused = budget.hold(&request, 100, &quiet).await.err().expect("722 more might be 1001");
    insta::assert_snapshot!(refused, @"the budget of 1000 tokens is spent: 279 are used and the next call may take 722");
    let budget = capped(Some(1_000), None);
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(used(200, 78));
    budget.hold(&request, 100, &quiet).await.expect("fits to the token").refused();

    let budget = capped(None, Some(0.002));
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(used(300, 20));
    let refused = budget.hold(&request, 100, &quiet).await.err().expect("may cost 0.001622");
    insta::assert_snapshot!(refused, @"the budget of $0.002 is spent: $0.0005 is used and the next call may cost $0.0016");
    assert_eq!(budget.spending().usd, Some(0.0005));
}

#[tokio::test]
async fn a_server_with_a_hidden_prompt_raises_the_bound() {
    let messages = [Message::User("서울".to_owned())];
    let request = request(&messages);
    let budget = capped(Some(3_000), None);
    // 378 more than the 622 that the request bounds.
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(used(1_000, 50));
    budget.hold(&request, 100, &quiet).await.expect("1050 + 1100").answered(used(1_000, 50));
    let refused = budget.hold(&request, 100, &quiet).await.err().expect("2100 + 1100");
    assert!(refused.to_string().ends_with("the next call may take 1100"), "{refused}");
}

#[tokio::test]
async fn what_does_not_fit_beside_others_waits_for_their_true_amount() {
    let messages = [Message::User("서울".to_owned())];
    let request = request(&messages);
    let budget = capped(Some(1_000), None);
    let first = budget.hold(&request, 100, &quiet).await.expect("fits");
    let told = std::sync::atomic::AtomicU32::new(0);
    let tell = |_: &Sentence, _: Option<Duration>| {
        told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let other = async {
        tokio::task::yield_now().await;
        first.answered(used(100, 10));
    };
    let (second, ()) = tokio::join!(budget.hold(&request, 100, &tell), other);
    second.expect("fits beside 110").answered(used(90, 10));
    assert_eq!(told.into_inner(), 1);
    assert_eq!(budget.spending().usage.total_tokens, 210);
}

#[tokio::test]
async fn tokens_that_nobody_reports_count_at_their_most_and_are_told() {
    let messages = [Message::User("서울".to_owned())];
    let request = request(&messages);
    let budget = capped(Some(2_000), None);
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(None);
    assert_eq!(
        budget.spending().note.as_ref().map(ToString::to_string).as_deref(),
        Some("the server reports no tokens")
    );
    assert_eq!(budget.spending().usd, None, "unknown is not 0");
    budget.hold(&request, 100, &quiet).await.expect("fits").answered(used(1, 1));
    drop(budget.hold(&request, 100, &quiet).await.expect("722 + 2 + 722"));
    assert!(budget.hold(&request, 100, &quiet).await.is_err(), "1446 are gone");
    let spending = budget.spending();
    assert_eq!((spending.calls_without_usage, spending.usage.total_tokens), (2, 2));
    assert!(spending.note.is_some_and(|note| note.to_string().starts_with("a lower bound")));
    let budget = Budget::unlimited(None);
    assert_eq!(
        budget.spending().note.as_ref().map(ToString::to_string).as_deref(),
        Some("no price is known for this model")
    );
}

#[tokio::test]
async fn numbers_that_no_sum_can_hold_spend_the_budget_all_the_same() {
    let messages = [Message::User("서울".to_owned())];
    let request = request(&messages);
    let budget = capped(Some(1 << 62), None);
    for _ in 0..2 {
        budget.hold(&request, 100, &quiet).await.map(|hold| hold.answered(used(1 << 63, 1 << 63))).ok();
    }
    let refused = budget.hold(&request, 100, &quiet).await;
    assert!(matches!(refused, Err(NoBudget::Spent(_))));
    assert_eq!(budget.spending().usage.total_tokens, u64::MAX);
}
