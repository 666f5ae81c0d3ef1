use super::*;
use koab_core::measured::Interval;
use proptest::prelude::*;
use serde_json::Value;

/// What other software says; how it was made stands in it.
const FIXTURE: &str = include_str!("fixture.json");

fn fixture() -> Value {
    serde_json::from_str(FIXTURE).unwrap()
}

fn attempt(repetition: u32, succeeded: bool) -> AttemptScores {
    AttemptScores {
        repetition,
        answered: true,
        technical: None,
        kept: true,
        scores: vec![AttemptScore {
            metric: MetricId::Sr,
            value: Some(f64::from(u8::from(succeeded))),
            why: None,
        }]
        .into(),
    }
}

fn repetitions(planned: u32, tasks: Vec<RepeatedTask>) -> Repetitions {
    Repetitions {
        format: FORMAT,
        planned,
        scorer: Protocol::Corrected,
        judges: vec!["j".to_owned()],
        first_only: false,
        tasks,
    }
}

fn task(level: Level, number: usize, attempts: &[bool]) -> RepeatedTask {
    let attempts = attempts.iter().enumerate();
    RepeatedTask {
        task: format!("{level}-{number:03}"),
        level,
        attempts: attempts.map(|(i, won)| attempt(i as u32 + 1, *won)).collect(),
    }
}

fn metric(summary: &RepetitionSummary, level: Option<Level>, metric: MetricId) -> &RepeatedMetric {
    let scope = summary.scopes.iter().find(|scope| scope.level == level).unwrap();
    scope.metrics.iter().find(|one| one.metric == metric).unwrap()
}

#[test]
fn both_estimates_are_the_quotients_of_binomials() {
    for row in fixture()["estimates"].as_array().unwrap() {
        let number = |at: usize| row[at].as_f64().unwrap();
        let [attempts, successes, k] = [0, 1, 2].map(|at| number(at) as usize);
        let (at, all) = (pass_at(attempts, successes, k).unwrap(), pass_all(attempts, successes, k).unwrap());
        assert!((at - number(3)).abs() < 1e-12, "{row}: {at}");
        assert!((all - number(4)).abs() < 1e-12, "{row}: {all}");
    }
    assert_eq!((pass_at(2, 1, 3), pass_all(2, 1, 3)), (None, None));
    assert_eq!((pass_at(2, 1, 0), pass_all(2, 1, 0)), (None, None));
}

#[test]
fn intervals_are_those_of_tasks_drawn_with_all_their_attempts() {
    let fixture = fixture();
    let mut tasks = Vec::new();
    for (name, rows) in fixture["attempts"].as_object().unwrap() {
        let level: Level = name.parse().unwrap();
        for (i, row) in rows.as_array().unwrap().iter().enumerate() {
            let won: Vec<bool> = row.as_array().unwrap().iter().map(|one| one == 1).collect();
            tasks.push(task(level.clone(), i, &won));
        }
    }
    let found = summary(&repetitions(4, tasks)).unwrap();
    for (name, level) in [("L1", Some(Level::L1)), ("L2", Some(Level::L2)), ("all", None)] {
        let theirs = &fixture["scopes"][name];
        let ours = metric(&found, level, MetricId::Sr);
        for (ours, theirs) in [(&ours.pass_at, &theirs["pass_at"]), (&ours.pass_all, &theirs["pass_all"])] {
            for (ours, theirs) in ours.iter().zip(theirs.as_array().unwrap()) {
                let number = |key: &str| theirs[key].as_f64().unwrap();
                assert_eq!((ours.k, ours.tasks), (number("k") as u32, number("tasks") as usize));
                assert!((ours.figure.value().unwrap() - number("value")).abs() < 1e-12, "{name} {theirs}");
                if number("standard_error") == 0.0 {
                    assert!(
                        ours.bounds
                            .as_ref()
                            .unwrap_err()
                            .to_string()
                            .starts_with("every task has the same score")
                    );
                    continue;
                }
                let Interval { low, high, .. } = ours.bounds.clone().unwrap();
                // The values lie on a grid, and 10,000 draws can end one step beside 400,000 (of L1 at k = 4, 2.3 % of the
                // draws lie at or below 0.625 and 2.6 % at or below 0.636); attempts taken for independent would be off by half.
                let near = 0.35 * number("standard_error");
                assert!(
                    (low - number("low")).abs() < near && (high - number("high")).abs() < near,
                    "{name} {theirs}: {low} {high}"
                );
            }
        }
        let disagreement = ours.disagreement.as_ref().unwrap();
        assert_eq!(
            [disagreement.tasks.len(), disagreement.of].map(Value::from).to_vec(),
            *theirs["flaky"].as_array().unwrap()
        );
    }
}

#[test]
fn one_attempt_a_task_tells_nothing_about_attempts() {
    let once = repetitions(1, vec![task(Level::L1, 1, &[true]), task(Level::L1, 2, &[false])]);
    assert_eq!(
        summary(&once).unwrap_err(),
        "one attempt per task; run each task three times or more to see how far attempts vary"
    );
}

#[test]
fn an_attempt_that_nobody_judged_leaves_no_number_and_a_technical_failure_leaves_the_attempt_out() {
    let mut unjudged =
        repetitions(2, vec![task(Level::L1, 1, &[true, true]), task(Level::L1, 2, &[true, false])]);
    unjudged.tasks[1].attempts[1].scores =
        vec![AttemptScore { metric: MetricId::Sr, value: None, why: Some("no judge was asked".into()) }]
            .into();
    let why = "1 of 4 attempts are unscored: no judge was asked";
    let found = summary(&unjudged).unwrap();
    let sr = metric(&found, Some(Level::L1), MetricId::Sr);
    assert_eq!(sr.mean.figure.reason().unwrap(), &why);
    assert_eq!(sr.pass_at[0].bounds.as_ref().unwrap_err(), &why);
    assert_eq!(sr.runs[0].value, None);
    assert_eq!(sr.disagreement.as_ref().unwrap().reason.as_ref().unwrap(), &why);
    let answered = metric(&found, Some(Level::L1), MetricId::Rrr);
    assert_eq!(answered.mean.figure.value(), Some(1.0), "what needs no judge is there");

    unjudged.tasks[1].attempts[1].technical = Some(Box::new("the server is gone".into()));
    let found = summary(&unjudged).unwrap();
    let sr = metric(&found, Some(Level::L1), MetricId::Sr);
    assert_eq!((sr.mean.figure.value(), sr.mean.tasks, sr.mean.left_out), (Some(1.0), 2, 0));
    assert_eq!(
        (sr.pass_at[1].figure.value(), sr.pass_at[1].tasks, sr.pass_at[1].left_out),
        (Some(1.0), 1, 1)
    );
    assert_eq!(sr.disagreement.as_ref().unwrap().of, 1);
}

#[test]
fn many_attempts_are_asked_about_at_fewer_places() {
    let won = vec![true; 100];
    let found = summary(&repetitions(100, vec![task(Level::L1, 1, &won), task(Level::L1, 2, &won)])).unwrap();
    let ks: Vec<u32> = metric(&found, None, MetricId::Sr).pass_at.iter().map(|one| one.k).collect();
    assert_eq!(ks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32, 64, 100]);
}

proptest! {
    /// More tries can only help, more demanded successes only hurt, and both begin at the plain share.
    #[test]
    fn the_estimates_are_chances_that_move_the_right_way(attempts in 1usize..40, share in 0usize..40) {
        let successes = share.min(attempts);
        let (at, all): (Vec<f64>, Vec<f64>) =
            (1..=attempts).map(|k| (pass_at(attempts, successes, k).unwrap(), pass_all(attempts, successes, k).unwrap())).unzip();
        let plain = successes as f64 / attempts as f64;
        prop_assert!((at[0] - plain).abs() < 1e-12 && (all[0] - plain).abs() < 1e-12);
        prop_assert!(at.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12) && all.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
        prop_assert!(at.iter().chain(&all).all(|chance| (-1e-12..=1.0 + 1e-12).contains(chance)));
    }
}
