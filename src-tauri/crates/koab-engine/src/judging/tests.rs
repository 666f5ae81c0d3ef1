use super::*;
use crate::budget::{Budget, Caps};
use crate::call_limits::CallLimits;
use crate::limited_model::LimitedModel;
use crate::limiter::Limiter;
use crate::ports::{FinishReason, ModelError, ModelReply, Usage};
use async_trait::async_trait;
use koab_core::judge::AnswerSchema;
use koab_core::level::Level;
use koab_core::price::Price;
use koab_core::run_record::TokenUsage;
use koab_core::score::MetricId;
use std::sync::atomic::{AtomicU32, Ordering};

/// A judge that grades everything 4 and takes 1000 + 100 tokens for it.
#[derive(Default)]
struct Grader {
    asked: AtomicU32,
}

#[async_trait]
impl ModelAdapter for Grader {
    async fn complete(&self, _: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(ModelReply {
            content: r#"{"score": 4, "reason": "r"}"#.to_owned(),
            calls: Vec::new(),
            finish: FinishReason::Stop,
            usage: Some(Usage { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }),
            first_token: None,
            latency: Duration::ZERO,
            opaque: None,
            left_out: None,
            written: None,
            message: None,
        })
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

fn questions(count: usize) -> Vec<JudgeQuestion> {
    let one = |i: usize| JudgeQuestion {
        level: Level::L7,
        task_id: format!("L7-{i}"),
        metric: MetricId::RefRecall,
        system: String::new(),
        prompt: format!("question {i}"),
        schema: AnswerSchema::for_metric(MetricId::RefRecall).expect("it is judged"),
        votes: Votes::EachJudge,
    };
    (1..=count).map(one).collect()
}

fn price(output: f64) -> Option<Price> {
    Some(Price { input: 1.0, output })
}

fn hosted(name: &str, model: Arc<dyn ModelAdapter>) -> PanelJudge {
    PanelJudge { name: name.to_owned(), model, is_local: false }
}

fn panel(shared: Budget, concurrency: u32) -> (Panel, [Arc<Grader>; 2]) {
    let graders: [Arc<Grader>; 2] = Default::default();
    let budgets = [shared.beside(price(2.0)), shared];
    let judges = graders.iter().zip(budgets).enumerate().map(|(i, (grader, budget))| {
        let limits = CallLimits { limiter: Arc::new(Limiter::new(8, 8)), budget: Arc::new(budget) };
        let model: Arc<dyn ModelAdapter> = Arc::new(LimitedModel::new(grader.clone(), limits));
        hosted(&format!("judge/{i}"), model)
    });
    let panel = Panel {
        judges: judges.collect(),
        concurrency,
        timeout: Duration::from_secs(9),
        local_timeout: Duration::from_secs(9),
        retry: RetryPolicy::default(),
    };
    (panel, graders)
}

#[tokio::test]
async fn judges_share_one_cap_and_stop_before_it() {
    let asked = questions(10);
    // A call may take 2048 tokens of output and about 800 of prompt; it takes 1100.
    for (caps, concurrency) in [
        (Caps { cost: None, tokens: Some(9_000) }, 1),
        (Caps { cost: None, tokens: Some(9_000) }, 8),
        (Caps { cost: Some(0.04), tokens: None }, 1),
        (Caps { cost: Some(0.04), tokens: None }, 8),
    ] {
        let shared = Budget::new(price(10.0), caps, TokenUsage::default(), None);
        let watch = shared.beside(None);
        let (panel, graders) = panel(shared, concurrency);
        let mut came = 0;
        let judged = judge(
            &asked,
            &ballots(&asked, panel.judges.len()),
            &panel,
            |_| None,
            |_, _| came += 1,
            &Cancel::new(),
        )
        .await
        .expect("nobody cancels");
        let calls: u32 = graders.iter().map(|g| g.asked.load(Ordering::Relaxed)).sum();
        let spending = watch.spending();
        assert_eq!((came, judged.verdicts.len() as u32), (calls, calls), "what came is kept");
        assert!(calls > 3 && calls < 20, "{calls} at {concurrency}");
        assert!(caps.tokens.is_none_or(|cap| spending.usage.total_tokens <= cap), "{spending:?}");
        assert!(caps.cost.is_none_or(|cap| spending.usd.is_some_and(|usd| usd <= cap)), "{spending:?}");
        assert!(judged.stopped.is_some_and(|why| why.to_string().starts_with("the budget of ")));
        assert!(judged.verdicts.iter().all(|(_, verdict)| verdict.failure().is_none()));
        // The rest, with a budget that bears it: only what is missing.
        let (again, graders) = self::panel(Budget::unlimited(None), 8);
        let known = |ballot: Ballot| {
            let kept = judged.verdicts.iter().find(|(other, _)| *other == ballot);
            kept.map(|(_, verdict)| verdict.clone())
        };
        let whole =
            judge(&asked, &ballots(&asked, again.judges.len()), &again, known, |_, _| {}, &Cancel::new())
                .await
                .expect("nobody cancels");
        let rest: u32 = graders.iter().map(|g| g.asked.load(Ordering::Relaxed)).sum();
        assert_eq!((rest, whole.verdicts.len(), whole.stopped), (20 - calls, 20, None));
    }
}

/// A judge that cancels the scoring while the others' answers are on their way, then answers never.
struct Canceller(Cancel, AtomicU32);

#[async_trait]
impl ModelAdapter for Canceller {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        if self.1.fetch_add(1, Ordering::Relaxed) == 3 {
            self.0.cancel();
            std::future::pending::<()>().await;
        }
        Grader::default().complete(request).await
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

#[tokio::test]
async fn after_a_cancel_nobody_is_asked_and_answers_that_are_in_are_kept() {
    let cancel = Cancel::new();
    let judge_model = Arc::new(Canceller(cancel.clone(), AtomicU32::new(0)));
    let panel = Panel {
        judges: vec![hosted("judge/0", judge_model.clone())],
        concurrency: 4,
        timeout: Duration::from_secs(9),
        local_timeout: Duration::from_secs(9),
        retry: RetryPolicy::default(),
    };
    let mut kept = 0;
    let asked = questions(40);
    let judged =
        judge(&asked, &ballots(&asked, panel.judges.len()), &panel, |_| None, |_, _| kept += 1, &cancel)
            .await;
    assert_eq!(judged, Err(Cancelled));
    assert_eq!(judge_model.1.load(Ordering::Relaxed), 4, "the fourth question was the last");
    assert_eq!(kept, 3, "what was answered before it is kept");
}

#[tokio::test]
async fn no_more_answers_wait_to_be_kept_than_may_be_in_flight() {
    let questions = questions(20);
    let caps = Caps { cost: None, tokens: None };
    let shared = Budget::new(price(10.0), caps, TokenUsage::default(), None);
    let (panel, graders) = panel(shared, 3);
    let (mut kept, mut most) = (0, 0);
    let came = |_, _: &Verdict| {
        let asked: u32 = graders.iter().map(|g| g.asked.load(Ordering::Relaxed)).sum();
        most = most.max(asked - kept);
        kept += 1;
    };
    let all = ballots(&questions, panel.judges.len());
    judge(&questions, &all, &panel, |_| None, came, &Cancel::new()).await.expect("nobody cancels");
    assert_eq!((kept as usize, most), (all.len(), 3));
}

/// A judge that says nothing that can be used.
struct Mute;

#[async_trait]
impl ModelAdapter for Mute {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let mut reply = Grader::default().complete(request).await?;
        reply.content = "I cannot say.".to_owned();
        Ok(reply)
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

#[tokio::test]
async fn answers_that_cannot_be_used_are_told_from_those_that_failed() {
    let asked = questions(1);
    let panel = Panel {
        judges: vec![hosted("judge/mute", Arc::new(Mute)), hosted("judge/1", Arc::new(Grader::default()))],
        concurrency: 2,
        timeout: Duration::from_secs(9),
        local_timeout: Duration::from_secs(9),
        retry: RetryPolicy::default(),
    };
    let ballots = ballots(&asked, panel.judges.len());
    let judged = judge(&asked, &ballots, &panel, |_| None, |_, _| {}, &Cancel::new()).await;
    let judged = judged.expect("nobody cancels");
    assert_eq!(judged.unusable, [ballots[0]]);
    assert!(judged.verdicts[0].1.failure().is_some());
}

/// A judge on this machine: it answers after ten minutes, and holds what it was asked for.
#[derive(Default)]
struct Slow {
    asked: AtomicU32,
    most_tokens: AtomicU32,
}

#[async_trait]
impl ModelAdapter for Slow {
    async fn complete(&self, request: ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.most_tokens.fetch_max(request.max_tokens.unwrap_or(u32::MAX), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_secs(600)).await;
        let mut reply = Grader::default().complete(request).await?;
        reply.content = r#"{"success": true, "reason": "r"}"#.to_owned();
        Ok(reply)
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_judge_on_this_machine_has_its_time_once_it_computes_and_is_asked_once_for_equal_votes() {
    let mut asked = questions(6);
    for question in &mut asked {
        question.metric = MetricId::Sr;
        question.schema = AnswerSchema::for_metric(MetricId::Sr).expect("it is judged");
        question.votes = Votes::FirstJudge(3);
    }
    let slow = Arc::new(Slow::default());
    // Two at once: the last begin after twenty minutes, more than the limit of one.
    let limits =
        || CallLimits { limiter: Arc::new(Limiter::new(2, 2)), budget: Arc::new(Budget::unlimited(None)) };
    let local = |is_local| Panel {
        judges: vec![PanelJudge {
            name: "local/m".to_owned(),
            model: Arc::new(LimitedModel::new(slow.clone(), limits())),
            is_local,
        }],
        concurrency: 8,
        timeout: Duration::from_secs(60),
        local_timeout: Duration::from_secs(900),
        retry: RetryPolicy::default(),
    };
    let all = ballots(&asked, 1);
    let mut kept = 0;
    let judged = judge(&asked, &all, &local(true), |_| None, |_, _| kept += 1, &Cancel::new()).await;
    let judged = judged.expect("nobody cancels");
    assert_eq!((judged.verdicts.len(), kept), (18, 18), "three votes of each");
    assert!(judged.verdicts.iter().all(|(_, verdict)| verdict.failure().is_none()));
    assert_eq!(slow.asked.load(Ordering::Relaxed), 6, "asked once for what it would repeat");
    assert_eq!(slow.most_tokens.load(Ordering::Relaxed), LOCAL_JUDGE_TOKENS);
    // One elsewhere is out of time, which is nothing that it said.
    let judged = judge(&asked[..1], &all[..1], &local(false), |_| None, |_, _| {}, &Cancel::new()).await;
    let judged = judged.expect("nobody cancels");
    assert!(judged.verdicts[0].1.is_unanswered());
}
