use super::*;

fn attempts(scores: &[(&str, &[Option<f64>])]) -> Attempts {
    let owned = scores.iter().map(|(task, of)| ((*task).to_owned(), of.to_vec()));
    owned.collect()
}

fn cell(label: &str, baseline: &Attempts, own: &Attempts) -> SweepCell {
    SweepCell {
        label: label.to_owned(),
        model: label.to_owned(),
        temperature: Some(0.7),
        effort: None,
        seed: None,
        system_prompt: None,
        tool_texts: None,
        results: vec![SweepResult {
            pack: "p@1".to_owned(),
            run: String::new(),
            report: None,
            score: SweepScore::from_attempts(own),
            difference: SweepDifference::between(baseline, own).filter(|_| label != "base"),
        }],
    }
}

/// Ten tasks, of which the last is not scored and the first is tried twice.
fn ten(solved: impl Fn(usize) -> bool) -> Attempts {
    (0..10)
        .map(|task| {
            let score = Some(f64::from(u8::from(solved(task))));
            let of = match task {
                0 => vec![score, score],
                9 => vec![None],
                _ => vec![score],
            };
            (format!("t{task}"), of)
        })
        .collect()
}

#[test]
fn cells_are_tested_against_the_baseline_task_by_task_and_corrected_together() {
    let (base, all, some) = (ten(|_| false), ten(|_| true), ten(|task| task < 4));
    let mut summary = SweepSummary {
        name: "a|b".to_owned(),
        metric: MetricId::ToolAcc,
        scorer: "corrected".to_owned(),
        judges: Vec::new(),
        repetitions: 1,
        packs: vec!["p@1".to_owned()],
        baseline: "base".to_owned(),
        cells: vec![cell("base", &base, &base), cell("all", &base, &all), cell("some", &base, &some)],
        done: 3,
        runs: 3,
        tests: 0,
        stopped: None,
        usd: None,
        notes: Vec::new(),
    };
    summary.correct();
    let of = |at: usize| &summary.cells[at].results[0];
    assert_eq!(of(0).difference, None);
    assert_eq!((of(1).score.tasks, of(1).score.attempts, of(1).score.unscored), (9, 10, 1));
    let [all, some] = [1, 2].map(|at| of(at).difference.clone().expect("tested"));
    // Nine tasks of one sign: 2 of 2⁹ assignments are as large; Holm takes it twice, and the other once.
    assert_eq!((all.p, all.corrected_p), (2.0 / 512.0, 4.0 / 512.0));
    assert_eq!((all.verdict, all.won, all.lost), (SweepVerdict::Better, 9, 0));
    assert_eq!((some.p, some.corrected_p), (0.125, 0.125));
    assert_eq!((some.verdict, some.value), (SweepVerdict::NotSeparated, 4.0 / 9.0));
    assert_eq!(summary.tests, 2);
    let page = summary.markdown(koab_core::sentence::Language::ENGLISH);
    assert!(
        page.contains("| `all` | `p@1` | 1.0000 | [0.701, 1.000] | 9 | 1 | +1.0000 | — | 0.0078 | better |"),
        "{page}"
    );
    assert!(page.starts_with("### koab sweep: a\\|b\n"), "{page}");
}

#[test]
fn without_a_task_in_common_there_is_no_difference() {
    let one = attempts(&[("a", &[Some(1.0)]), ("b", &[None])]);
    let other = attempts(&[("b", &[Some(1.0)])]);
    assert_eq!(SweepDifference::between(&one, &other), None);
    assert_eq!(SweepScore::from_attempts(&attempts(&[("b", &[None])])).mean, None);
}
