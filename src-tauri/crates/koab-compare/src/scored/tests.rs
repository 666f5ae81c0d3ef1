use super::*;
use crate::tests::desk::{Desk, Written, WrittenGroup, near, refused};
use koab_core::level::Level;
use koab_core::run_record::{AtMost, TokenUsage};
use koab_core::say;
use koab_report::repetitions::{AttemptScore, AttemptScores, RepeatedTask};
use proptest::prelude::*;

fn scoring(judges: &JudgeChoice, caps: SpendingCaps) -> Scoring<'_> {
    Scoring {
        name: "test",
        metric: MetricId::Sr,
        scorer: Protocol::Leaderboard,
        judges,
        judge_local: LocalSettings::default(),
        caps,
        cancelled: say!("cancelled"),
    }
}

fn is_spent(runs: &ScoredRuns<'_>) -> bool {
    ScoredRuns::is_spent(runs.left_for(""))
}

fn spending(usd: Option<f64>, tokens: u64, calls_without_usage: u32) -> Spending {
    Spending {
        usage: TokenUsage { total_tokens: tokens, ..TokenUsage::default() },
        usd,
        calls_without_usage,
        ..Spending::default()
    }
}

fn capped(usd: Option<f64>, tokens: Option<u64>) -> SpendingCaps {
    SpendingCaps { max_cost: usd, max_total_tokens: tokens, ..SpendingCaps::default() }
}

#[test]
fn what_was_spent_is_taken_out_of_what_is_left() {
    let (desk, judges) = (Desk::new(), JudgeChoice::Nobody);
    let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, capped(Some(1.0), Some(100))));
    assert_eq!((runs.usd(), runs.spent(), is_spent(&runs)), (None, Some(0.0), false));
    runs.spend("a".to_owned(), Some(spending(Some(0.25), 40, 0)));
    near(runs.left_for("").max_cost, 0.75);
    assert_eq!(
        (runs.left_for("").max_total_tokens, runs.usd(), is_spent(&runs)),
        (Some(60), Some(0.25), false)
    );
    // A run that goes on takes out itself what it has spent.
    assert_eq!(runs.left_for("a").max_total_tokens, Some(100));
    runs.spend_judging(&spending(Some(0.5), 59, 0));
    near(runs.usd(), 0.75);
    assert_eq!((runs.left_for("").max_total_tokens, is_spent(&runs)), (Some(1), false));
    assert_eq!(runs.left_for("a").max_total_tokens, Some(41));
    // Nothing that was told is nothing that was spent.
    runs.spend("b".to_owned(), None);
    near(runs.usd(), 0.75);
    // What it has spent over all its starts takes the place of what it had.
    runs.spend("a".to_owned(), Some(spending(Some(0.3), 40, 0)));
    near(runs.usd(), 0.8);
    // The last token ends it.
    runs.spend_judging(&spending(Some(0.0), 1, 0));
    assert!(is_spent(&runs));
}

#[test]
fn a_cap_in_usd_ends_at_a_millionth() {
    let (desk, judges) = (Desk::new(), JudgeChoice::Nobody);
    for (cost, is_spent) in [(0.99, false), (0.999_997, false), (0.999_999, true), (1.0, true), (2.0, true)] {
        let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, capped(Some(1.0), None)));
        runs.spend("a".to_owned(), Some(spending(Some(cost), 1, 0)));
        assert_eq!(self::is_spent(&runs), is_spent, "{cost}");
    }
}

#[test]
fn what_is_not_told_may_have_been_all_that_was_allowed() {
    let (desk, judges) = (Desk::new(), JudgeChoice::Nobody);
    // Calls whose tokens nobody told, and a price that is not known under a cap in USD.
    for (told, caps, is_spent) in [
        (spending(Some(0.1), 5, 1), capped(Some(1.0), None), true),
        (spending(None, 5, 0), capped(Some(1.0), None), true),
        (spending(None, 5, 0), capped(None, Some(100)), false),
        (spending(Some(0.1), 5, 1), capped(None, None), false),
        // An agent that asks a model of its own.
        (spending(None, 0, 0), capped(Some(1.0), None), true),
    ] {
        let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, caps));
        runs.spend("a".to_owned(), Some(told.clone()));
        assert!(runs.is_boundless(), "{told:?}");
        assert_eq!(self::is_spent(&runs), is_spent, "{told:?}");
        assert_eq!(runs.usd(), None, "{told:?}");
    }
    // Who was asked nothing costs nothing, whatever the price.
    let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, capped(None, None)));
    runs.spend("a".to_owned(), Some(spending(None, 0, 0)));
    runs.spend("b".to_owned(), Some(spending(Some(0.5), 3, 0)));
    assert_eq!(runs.usd(), Some(0.5));
}

#[test]
fn calls_that_nobody_told_of_count_at_their_most() {
    let (desk, judges) = (Desk::new(), JudgeChoice::Nobody);
    let caps = capped(Some(1.0), Some(1000));
    let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, caps));
    let at_most = |tokens, usd| Some(AtMost { tokens, usd: Some(usd) });
    let broken = Spending { at_most: at_most(300, 0.3), ..spending(Some(0.1), 100, 1) };
    runs.spend("a".to_owned(), Some(broken));
    let left = runs.left_for("");
    near(left.max_cost, 0.7);
    assert_eq!(left.max_total_tokens, Some(700));
    // What it has cost is not known, and the budget is kept all the same.
    assert_eq!((runs.usd(), runs.is_boundless()), (None, false));
    runs.spend_judging(&Spending { at_most: at_most(200, 0.2), ..spending(None, 0, 4) });
    let left = runs.left_for("");
    near(left.max_cost, 0.5);
    assert_eq!(left.max_total_tokens, Some(500));
    runs.spend_judging(&spending(Some(0.5), 500, 0));
    assert!(is_spent(&runs));
}

#[test]
fn a_judged_metric_needs_a_judge_in_the_words_of_the_place() {
    let judge = JudgeChoice::Models { ids: vec!["a/judge".to_owned()], base_url: None };
    let request = PackKind::Request { temperature: 0.0, judged: true };
    let unjudged = PackKind::Request { temperature: 0.0, judged: false };
    let check = |kind, metric, judges: &JudgeChoice, face| check_judges(kind, metric, judges, face);
    let nobody = JudgeChoice::Nobody;
    for (kind, metric, face, sentence) in [
        (PackKind::Agent, MetricId::Sr, Face::CommandLine, "SR is judged: name a judge with --judge-models"),
        (PackKind::Agent, MetricId::Sr, Face::Window, "SR is judged: choose a judge"),
        (request, MetricId::Sr, Face::CommandLine, "judges decide a part of this benchmark's SR"),
        (request, MetricId::Sr, Face::Window, "SR is judged: choose a judge"),
    ] {
        refused(check(kind, metric, &nobody, face), sentence);
        check(kind, metric, &judge, face).unwrap();
    }
    for (kind, metric) in
        [(PackKind::Agent, MetricId::ToolAcc), (unjudged, MetricId::Sr), (request, MetricId::ToolAcc)]
    {
        check(kind, metric, &nobody, Face::CommandLine).unwrap();
        check(kind, metric, &nobody, Face::Window).unwrap();
    }
}

fn attempt(repetition: u32, value: Option<f64>, technical: bool) -> AttemptScores {
    let score = AttemptScore { metric: MetricId::Sr, value, why: None };
    AttemptScores {
        repetition,
        answered: !technical,
        technical: technical.then(|| Box::new(say!("no connection"))),
        kept: true,
        scores: vec![score].into(),
    }
}

#[test]
fn attempts_are_those_that_were_kept_else_the_one_that_the_report_is_about() {
    let desk = Desk::new();
    let task =
        |at: usize, score: Option<f64>| (format!("L1-{at:03}"), vec![("SR", score), ("ToolAcc", Some(1.0))]);
    let group =
        WrittenGroup { name: "L1", tasks: vec![task(1, Some(1.0)), task(2, Some(0.0)), task(3, None)] };
    let written = Written { model: "lab/a", judge: "j/1", groups: vec![group] };
    desk.put("one", &written);
    let open = desk.runs().library.open_report("one").unwrap();
    let report = &open.loaded.report;
    let of_report = scores(report, MetricId::Sr);
    assert_eq!(of_report["L1-001"], Some(1.0));
    assert_eq!((of_report["L1-002"], of_report["L1-003"]), (Some(0.0), None));
    let alone = attempts(report, None, MetricId::Sr);
    assert_eq!((&alone["L1-001"], &alone["L1-003"]), (&vec![Some(1.0)], &vec![None]));
    let kept = Repetitions {
        format: 1,
        planned: 3,
        scorer: Protocol::Leaderboard,
        judges: Vec::new(),
        first_only: false,
        tasks: vec![RepeatedTask {
            level: Level::L1,
            task: "L1-001".to_owned(),
            attempts: vec![
                attempt(1, Some(1.0), false),
                attempt(2, Some(0.0), true),
                attempt(3, None, false),
            ],
        }],
    };
    // What ended for a technical reason says nothing about the model.
    let all = attempts(report, Some(&kept), MetricId::Sr);
    assert_eq!((all.len(), &all["L1-001"]), (1, &vec![Some(1.0), None, None]));
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    /// What is left never grows, and tokens that were told are never more than those that were allowed and spent.
    #[test]
    fn what_is_left_never_grows(
        costs in prop::collection::vec((prop::option::of(0u32..500), 1u64..400, 0u32..2), 0..12),
        most in 1u32..3000,
        tokens in 1u64..2000,
    ) {
        let (desk, judges) = (Desk::new(), JudgeChoice::Nobody);
        let caps = capped(Some(f64::from(most) / 1000.0), Some(tokens));
        let mut runs = ScoredRuns::new(desk.runs(), scoring(&judges, caps));
        let (mut usd, mut spent) = (Some(0.0), 0);
        for (cost, used, untold) in costs {
            let before = runs.left_for("");
            let cost = cost.map(|cost| f64::from(cost) / 1000.0);
            runs.spend_judging(&spending(cost, used, untold));
            let after = runs.left_for("");
            // What is used up is a millionth at least, of which no call is paid.
            prop_assert!(after.max_cost <= before.max_cost.map(|cost| cost.max(LEAST_USD)));
            prop_assert!(after.max_total_tokens <= before.max_total_tokens);
            spent += used;
            usd = usd.zip(cost).filter(|_| untold == 0).map(|(sum, cost)| sum + cost);
            prop_assert_eq!(after.max_total_tokens, Some(tokens.saturating_sub(spent)));
            match usd {
                Some(usd) => prop_assert!((runs.usd().unwrap() - usd).abs() < 1e-9),
                None => prop_assert_eq!(runs.usd(), None),
            }
            let is_over = spent >= tokens || usd.is_none_or(|usd| usd >= f64::from(most) / 1000.0);
            prop_assert!(!is_over || is_spent(&runs));
        }
    }
}
