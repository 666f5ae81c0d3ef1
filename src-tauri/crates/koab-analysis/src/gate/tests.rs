use super::simulation::{Simulated, SimulatedJudge, Solved, simulate};
use super::spending::{self, Boundaries};
use super::*;
use crate::chance;
use koab_core::split_mix::SplitMix;
use serde_json::Value;
use statrs::distribution::{Binomial, DiscreteCDF};

const FIXTURE: &str = include_str!("../../tests/gate/boundaries.json");

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

fn near(one: f64, other: f64, by: f64) -> bool {
    (one - other).abs() < by
}

/// Twelve tasks in two groups; earlier reports solved those of the first always, those of the second by half.
fn tasks() -> Vec<GateTask> {
    let task = |at: usize| GateTask {
        id: format!("t{at}"),
        group: if at < 6 { "L1" } else { "L2" }.to_owned(),
        attempts: 8,
        solved: if at < 6 { 8 } else { 4 },
    };
    (0..12).map(task).collect()
}

fn plan(options: GateOptions) -> GatePlan {
    GatePlan::new(&tasks(), Vec::new(), options).unwrap()
}

/// Plays a gate whose outcomes are told by a function of the attempt and its number.
fn play(plan: &GatePlan, mut outcome: impl FnMut(GateAttempt) -> GateOutcome) -> GateDecision {
    let mut seen = GateSeen::none(12);
    loop {
        match plan.next(&seen) {
            GateStep::Attempts(attempts) => {
                for attempt in attempts {
                    seen.add(attempt, outcome(attempt));
                }
            }
            GateStep::Decided(decided) => return *decided,
        }
    }
}

#[test]
fn boundaries_are_the_published_ones_and_scipys() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for (looks, published) in fixture["published"]["looks"].as_object().unwrap() {
        let ours = spending::even(0.025, looks.parse().unwrap());
        for ((_, ours), theirs) in ours.iter().zip(numbers(published)) {
            // Four decimals are printed, and the first looks' were computed on coarse grids.
            assert!(near(*ours, theirs, 2e-4), "{looks} looks: {ours} for {theirs}");
        }
    }
    for row in fixture["scipy"].as_array().unwrap() {
        let mut boundaries = Boundaries::new(row["alpha"].as_f64().unwrap());
        let mut looks = Vec::new();
        for (share, theirs) in numbers(&row["shares"]).into_iter().zip(numbers(&row["boundaries"])) {
            let ours = boundaries.next(share, share).unwrap();
            assert!(near(ours, theirs, 1e-4), "{share}: {ours} for {theirs}");
            looks.push((share, ours));
        }
        let power = spending::power(&looks, 2.6);
        assert!(near(power, row["power_at_2.6"].as_f64().unwrap(), 1e-4), "{power}");
    }
}

#[test]
fn the_planned_drift_has_the_power_that_was_asked_for() {
    let drift = spending::drift(0.05, 0.8, 5);
    assert!(near(spending::power(&spending::even(0.05, 5), drift), 0.8, 1e-8));
    // Looks cost a little: a single one needs z.95 + z.8.
    assert!(near(spending::drift(0.05, 0.8, 1), 1.644_854 + 0.841_621, 1e-5));
    assert!(drift > 2.486_475 && drift < 2.6);
}

#[test]
fn attempts_go_to_tasks_that_models_differ_on_and_the_same_ones_every_time() {
    let plan = plan(GateOptions::default());
    let GateStep::Attempts(attempts) = plan.next(&GateSeen::none(12)) else {
        panic!("a gate starts with attempts");
    };
    let of = |first: bool| attempts.iter().filter(|one| (one.task < 6) == first).count();
    assert!(of(false) as f64 > 1.5 * of(true) as f64, "{} and {}", of(true), of(false));
    assert_eq!(plan.next(&GateSeen::none(12)), GateStep::Attempts(attempts.clone()));
    let sides = |side| attempts.iter().filter(|one| one.side == side).count();
    assert_eq!(sides(GateSide::Baseline), sides(GateSide::Candidate));
}

#[test]
fn a_candidate_that_breaks_a_group_fails_early_and_one_that_changes_nothing_passes() {
    let plan = plan(GateOptions::default());
    let broken = play(&plan, |attempt| {
        let is_solved = attempt.side == GateSide::Baseline || attempt.task >= 6;
        f64::from(u8::from(is_solved)).into()
    });
    assert_eq!(broken.verdict, GateVerdict::Fail);
    assert!(near(broken.difference.unwrap(), -0.5, 1e-9), "weighted by tasks, not by attempts");
    assert!(broken.attempts < plan.planned_attempts() / 2, "{}", broken.attempts);
    assert!(broken.sentence.to_string().starts_with("fail: "), "{}", broken.sentence);
    let same = play(&plan, |_| 1.0.into());
    assert_eq!(same.verdict, GateVerdict::Pass);
    assert!(same.attempts < plan.planned_attempts(), "nothing spreads, so it ends early");
}

#[test]
fn too_few_attempts_and_missing_scores_leave_the_answer_open() {
    let mut mix = SplitMix(7);
    let few = plan(GateOptions { most_attempts: Some(60), ..GateOptions::default() });
    let decided = play(&few, |_| f64::from(u8::from(chance::is_hit(&mut mix, 0.5))).into());
    assert_eq!(decided.verdict, GateVerdict::Inconclusive);
    assert!(decided.attempts <= 60);
    let none = plan(GateOptions { most_attempts: Some(39), ..GateOptions::default() });
    let decided = play(&none, |_| 1.0.into());
    assert_eq!((decided.verdict, decided.attempts), (GateVerdict::Inconclusive, 0));
    let mut number = 0;
    let lossy = play(&plan(GateOptions::default()), |_| {
        number += 1;
        GateOutcome { score: (number % 5 > 0).then_some(1.0), answer: None }
    });
    assert_eq!(lossy.verdict, GateVerdict::Inconclusive);
    assert!(lossy.sentence.to_string().contains("pairs of attempts have no score"), "{}", lossy.sentence);
}

#[test]
fn a_candidate_that_times_out_where_it_would_be_wrong_does_not_pass() {
    let mut number = 0;
    let decided = play(&plan(GateOptions::default()), |attempt| {
        number += usize::from(attempt.side == GateSide::Candidate);
        let is_lost = attempt.side == GateSide::Candidate && number % 16 == 0;
        GateOutcome { score: (!is_lost).then_some(1.0), answer: None }
    });
    assert_eq!(decided.verdict, GateVerdict::Inconclusive);
    assert!(decided.sentence.to_string().contains("have no score"), "{}", decided.sentence);
}

#[test]
fn a_server_that_is_down_is_said_with_the_attempts_that_it_took() {
    let nothing = GateOutcome { score: None, answer: None };
    let decided = play(&plan(GateOptions::default()), |_| nothing);
    assert!(decided.attempts >= 40, "{}", decided.attempts);
    assert!(decided.sentence.to_string().contains("attempts have no score"), "{}", decided.sentence);
}

#[test]
fn a_gate_whose_budget_ends_keeps_its_looks() {
    let plan = plan(GateOptions::default());
    let mut seen = GateSeen::none(12);
    let mut mix = SplitMix(3);
    let GateStep::Attempts(attempts) = plan.next(&seen) else {
        panic!("a gate starts with attempts");
    };
    for attempt in &attempts {
        seen.add(*attempt, f64::from(u8::from(chance::is_hit(&mut mix, 0.5))).into());
    }
    let cut = plan.broken_off(&seen, koab_core::say!("why"));
    assert_eq!((cut.looks.len(), cut.attempts), (1, attempts.len()));
    assert_eq!(cut.verdict, GateVerdict::Inconclusive);
    assert!(cut.difference.is_some());
}

#[test]
fn verdicts_that_come_again_do_not_look_sure_by_being_counted_again() {
    // Every other task is judged to the candidate's disadvantage, at each attempt alike: six tasks, not six hundred attempts.
    let options = |is_repeated| GateOptions { is_repeated, ..GateOptions::default() };
    let outcome = |attempt: GateAttempt| {
        let is_wrong = attempt.task % 4 == usize::from(attempt.side == GateSide::Candidate);
        f64::from(u8::from(!is_wrong)).into()
    };
    let error = |is_repeated| play(&plan(options(is_repeated)), outcome).looks.last().unwrap().error;
    let once = play(&plan(options(true)), outcome);
    assert!(once.attempts <= 2 * 2 * 12, "{}", once.attempts);
    assert!(error(true) > error(false), "{} and {}", error(true), error(false));
}

#[test]
fn a_baseline_that_cannot_be_tried_again_is_never_asked_for_and_its_limit_is_said() {
    let options = GateOptions { is_baseline_open: false, ..GateOptions::default() };
    let refused = GatePlan::new(&tasks(), vec![1; 11], options.clone());
    assert_eq!(refused, Err(GateRefusal::NoBaseline { count: 1 }));
    let plan = GatePlan::new(&tasks(), vec![1; 12], options).unwrap();
    assert!(plan.limit().unwrap().to_string().contains("too few for a margin"));
    // What cannot be told with any number of the candidate's attempts is not bought with them.
    assert!(plan.planned_attempts() <= 10 * 12, "{}", plan.planned_attempts());
    let mut seen = GateSeen::none(12);
    let mut mix = SplitMix(3);
    seen.baseline = vec![vec![1.0.into()]; 12];
    let decided = loop {
        match plan.next(&seen) {
            GateStep::Attempts(attempts) => {
                for attempt in attempts {
                    assert_eq!(attempt.side, GateSide::Candidate);
                    seen.add(attempt, f64::from(u8::from(chance::is_hit(&mut mix, 0.5))).into());
                }
            }
            GateStep::Decided(decided) => break decided,
        }
    };
    assert_eq!(decided.verdict, GateVerdict::Fail, "{}", decided.sentence);
    assert!(decided.attempts <= 10 * 12, "{}", decided.attempts);
    assert!(!decided.flaky.is_empty() && decided.flaky[0].both <= decided.flaky[1].both);
}

#[test]
fn attempts_at_hand_are_not_made_again() {
    let count = |at_hand: usize| {
        let plan = GatePlan::new(&tasks(), vec![at_hand; 12], GateOptions::default()).unwrap();
        let mut seen = GateSeen::none(12);
        seen.baseline = vec![vec![1.0.into(); at_hand]; 12];
        match plan.next(&seen) {
            GateStep::Attempts(attempts) => attempts.len(),
            GateStep::Decided(_) => 0,
        }
    };
    assert_eq!(count(0) - count(1), 12);
}

#[test]
fn a_judge_that_contradicts_itself_costs_attempts_and_the_same_text_counts_once() {
    let flips = JudgeFlips { asked: 100, differed: 18 };
    assert!(near(flips.error(), 0.1, 1e-12), "2 · 0.1 · 0.9 = 0.18");
    let steady = plan(GateOptions::default());
    let shaky = plan(GateOptions { flips: Some(flips), ..GateOptions::default() });
    assert!(shaky.planned_attempts() as f64 > 1.4 * steady.planned_attempts() as f64);
    let error_of_first = |answer: Option<u64>| {
        let decided = play(&shaky, |attempt| GateOutcome {
            score: Some(f64::from(u8::from(attempt.task % 2 == 0))),
            answer: answer.map(|_| attempt.task as u64),
        });
        decided.looks[0].error
    };
    assert!(error_of_first(Some(0)) > 1.2 * error_of_first(None));
}

#[test]
fn what_has_no_answer_is_refused() {
    let refused = |options: GateOptions| GatePlan::new(&tasks(), Vec::new(), options).unwrap_err();
    let base = GateOptions::default();
    assert_eq!(refused(GateOptions { margin: 5.0, ..base.clone() }), GateRefusal::Margin);
    assert_eq!(refused(GateOptions { alpha: 0.5, ..base.clone() }), GateRefusal::Chances);
    assert_eq!(refused(GateOptions { power: 0.01, ..base.clone() }), GateRefusal::Chances);
    assert_eq!(refused(GateOptions { looks: 0, ..base.clone() }), GateRefusal::Looks);
    let flips = Some(JudgeFlips { asked: 3, differed: 0 });
    assert_eq!(
        refused(GateOptions { flips, ..base.clone() }),
        GateRefusal::Flips { asked: 3 },
        "three answers do not say that a judge never errs"
    );
    assert_eq!(GatePlan::new(&tasks()[..1], Vec::new(), base).unwrap_err(), GateRefusal::NoTasks);
}

/// Models made up of chances.
fn solved() -> Solved {
    let mut mix = SplitMix(5);
    let difficulties: Vec<f64> = (0..60).map(|_| 2.0 * chance::normal(&mut mix) - 2.0).collect();
    let model = |mix: &mut SplitMix| {
        let ability = chance::normal(mix) / 2.0;
        let solves =
            |difficulty: &f64| chance::is_hit(mix, crate::adaptive::rasch::logistic(ability - difficulty));
        difficulties.iter().map(solves).collect()
    };
    Solved {
        groups: (0..60).map(|at| format!("L{}", at / 15)).collect(),
        models: (0..8).map(|_| model(&mut mix)).collect(),
    }
}

const DRAWS: usize = 200;

/// Of each loss and judge what the draws came to, beside each other.
fn simulated<const N: usize>(of: [(f64, SimulatedJudge, GateOptions); N]) -> [Simulated; N] {
    let solved = solved();
    let played = of.map(|(loss, judge, options)| {
        let solved = solved.clone();
        std::thread::spawn(move || simulate(&solved, loss, judge, &options, DRAWS, 9).unwrap())
    });
    played.map(|played| played.join().unwrap())
}

/// A gate that errs in 5 % of draws has more errors than these in one of a thousand such tests.
fn most_errors(alpha: f64) -> usize {
    let errs = Binomial::new(alpha, DRAWS as u64).unwrap();
    errs.inverse_cdf(0.999) as usize
}

/// The short form of `cargo xtask bench --only gate`.
#[test]
fn it_errs_as_seldom_as_it_says() {
    let options = GateOptions { margin: 0.1, ..GateOptions::default() };
    // Three times the errors: the bound must be one that can be broken.
    let careless = GateOptions { alpha: 3.0 * options.alpha, ..options.clone() };
    let steady = |loss, options: &GateOptions| (loss, SimulatedJudge::Steady, options.clone());
    let [equal, at_margin, twice, careless] = simulated([
        steady(0.0, &options),
        steady(0.1, &options),
        steady(0.2, &options),
        steady(0.1, &careless),
    ]);
    let most = most_errors(options.alpha);
    println!("gate: at most {most} of {DRAWS}; {equal:?} {at_margin:?} {twice:?} {careless:?}");
    assert!(equal.failed <= most && equal.passes() >= 0.6, "{equal:?}");
    assert!(at_margin.passed <= most, "{at_margin:?}");
    assert!(twice.failures() >= 0.8 && twice.median_share <= 0.6, "{twice:?}");
    assert!(careless.passed > most, "{careless:?}");
}

/// The short form of the judges of `cargo xtask bench --only gate`.
#[test]
fn a_judge_that_contradicts_itself_makes_it_err_no_more() {
    let options = GateOptions { margin: 0.1, ..GateOptions::default() };
    let of = |loss, judge| (loss, judge, options.clone());
    let (everywhere, somewhere) = (SimulatedJudge::Everywhere(0.15), SimulatedJudge::Somewhere(0.15));
    let found = simulated([of(0.0, everywhere), of(0.1, everywhere), of(0.1, somewhere)]);
    let most = most_errors(options.alpha);
    println!("gate, judges: at most {most} of {DRAWS}; {found:#?}");
    let [equal, at_margin, gathered] = found;
    assert!(equal.failed <= most && equal.passes() >= 0.6, "{equal:?}");
    assert!(at_margin.passed <= most && gathered.passed <= most, "{found:?}");
    let measured = found.map(|one| one.mean_flips);
    assert!(measured.iter().all(|one| near(*one, 0.15, 0.01)), "{measured:?}");
    // What the measure is for: a gate that takes such a judge at its word passes too often.
    let blind = GatePlan::new(&simulation::earlier(&solved(), 0), Vec::new(), options).unwrap();
    let shaky = blind.clone().with_flips(JudgeFlips { asked: 100, differed: 15 });
    assert!(shaky.planned_attempts() > blind.planned_attempts());
    let few = JudgeFlips { asked: 49, differed: 15 };
    assert_eq!(blind.clone().with_flips(few), blind, "too few answers change nothing");
}
