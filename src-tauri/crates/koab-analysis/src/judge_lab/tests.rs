use super::*;
use koab_core::judge::Inputs;
use serde_json::{Value, json};

/// What other software says; how it was made stands in it.
const FIXTURE: &str = include_str!("fixture.json");

fn answered(judge: &str, metric: MetricId, answer: i64) -> Verdict {
    let opinion = if is_yes_no(metric) {
        Opinion { success: Some(answer > 0), ..Opinion::default() }
    } else {
        Opinion { score: Some(answer), ..Opinion::default() }
    };
    Verdict { judge: judge.to_owned(), metric, answer: Answer::Answered(opinion) }
}

fn item(level: Level, task: &str, metric: MetricId, said: &[(&str, &[i64])]) -> Item {
    let votes = if metric == MetricId::Sr { 3 } else { 1 };
    let of_judge = |(judge, answers): &(&str, &[i64])| {
        let verdicts = answers.iter().map(|answer| answered(judge, metric, *answer)).collect();
        ((*judge).to_owned(), verdicts)
    };
    Item {
        level,
        task: task.to_owned(),
        metric,
        hash: koab_core::cache_key::sha256_hex(&format!("{task} {metric} {said:?}")),
        votes,
        verdicts: said.iter().map(of_judge).collect(),
        people: Vec::new(),
    }
}

/// A log of conversations, each of which is asked about twice.
fn conversations(tasks: usize) -> Vec<LevelLog> {
    let task = |i: usize| {
        json!({"task_id": format!("L7-{i:03}"), "instruction": "다시 알려 줘", "success": true,
            "final_response": "답변입니다", "tool_calls": [], "golden_action": [{"tool": "A", "args": {}}],
            "conversation_log": {"messages": [{"role": "user", "content": "안녕"}, {"role": "assistant", "content": "네"}]}})
    };
    let results: Vec<Value> = (1..=tasks).map(task).collect();
    vec![LevelLog::read_as(Level::L7, &json!({"metadata": {"model": "m"}, "results": results})).unwrap()]
}

fn subject<'a>(id: &str, logs: &'a [LevelLog], dataset: &'a Dataset, items: Vec<Item>) -> Subject<'a> {
    Subject {
        id: id.to_owned(),
        model: format!("openai/gpt-{id}"),
        logs,
        dataset,
        options: EvaluationOptions::default(),
        items,
    }
}

/// Grades of several judges on conversations: one list a task, for both metrics.
fn graded(grades: &[(&str, &[i64])]) -> Vec<Item> {
    let tasks = grades[0].1.len();
    let of = |metric: MetricId| {
        (0..tasks).map(move |i| {
            let said: Vec<(&str, Vec<i64>)> =
                grades.iter().map(|(judge, all)| (*judge, vec![all[i]])).collect();
            let said: Vec<(&str, &[i64])> =
                said.iter().map(|(judge, one)| (*judge, one.as_slice())).collect();
            item(Level::L7, &format!("L7-{:03}", i + 1), metric, &said)
        })
    };
    let sr = (0..tasks).map(|i| {
        let said: Vec<(&str, &[i64])> = grades.iter().map(|(judge, _)| (*judge, &[1, 1, 1][..])).collect();
        item(Level::L7, &format!("L7-{:03}", i + 1), MetricId::Sr, &said)
    });
    sr.chain(of(MetricId::ContextRetention)).chain(of(MetricId::RefRecall)).collect()
}

fn near(found: Option<f64>, theirs: &Value, what: &str) {
    let (found, theirs) = (found.unwrap(), theirs.as_f64().unwrap());
    assert!((found - theirs).abs() < 1e-9, "{what}: {found}, not {theirs}");
}

#[test]
fn coefficients_and_their_intervals_are_those_of_other_software() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for table in fixture["tables"].as_array().unwrap() {
        let is_yes_no = table["yes_no"] == json!(true);
        let metric = if is_yes_no { MetricId::EffScore } else { MetricId::ArgAcc };
        let items = table["answers"].as_array().unwrap().iter().map(|row| {
            let mut one = item(Level::L1, row[0].as_str().unwrap(), metric, &[]);
            for (judge, answer) in ["a", "b", "c"].into_iter().zip(row[1].as_array().unwrap()) {
                if let Some(answer) = answer.as_i64() {
                    one.verdicts.insert(judge.to_owned(), vec![answered(judge, metric, answer)]);
                }
            }
            one
        });
        let (logs, dataset) = (Vec::new(), Dataset::none());
        let subjects = [subject("1", &logs, &dataset, items.collect())];
        let found = &agreement(&subjects, &judges(&subjects))[0];
        let expected = &table["expected"];
        for (name, estimate) in [
            ("percent", &found.percent),
            ("fleiss", &found.fleiss),
            ("alpha", &found.alpha),
            ("kappa0", &found.pairs[0].kappa),
            ("kappa1", &found.pairs[1].kappa),
            ("kappa2", &found.pairs[2].kappa),
        ] {
            near(estimate.value, &expected[name][0], name);
            near(estimate.low, &expected[name][1], name);
            near(estimate.high, &expected[name][2], name);
        }
    }
}

#[test]
fn tau_is_that_of_scipy() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for row in fixture["tau"].as_array().unwrap() {
        let list = |i: usize| -> Vec<f64> {
            row[i].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        match (kendall(&list(0), &list(1)), row[2].as_f64()) {
            (Ok(found), Some(theirs)) => assert!((found - theirs).abs() < 1e-12, "{found} {row}"),
            (Err(_), None) => {}
            other => panic!("{other:?} of {row}"),
        }
    }
    assert_eq!(kendall(&[0.5], &[0.5]), Err(LabReason::OneRun {}));
}

#[test]
fn coverage_tells_answered_failed_and_missing_apart_and_names_its_own_kind() {
    let (logs, dataset) = (conversations(2), Dataset::none());
    let mut items = graded(&[("openai/gpt-4o", &[5, 4]), ("b/b", &[2, 1])]);
    items[0].verdicts.insert("b/b".into(), vec![answered("b/b", MetricId::Sr, 1)]);
    items[2].verdicts.insert("b/b".into(), vec![Verdict::failed("b/b", MetricId::ContextRetention, "down")]);
    let subjects = [subject("x", &logs, &dataset, items)];
    let found = coverage(&subjects, &judges(&subjects));
    let shown: Vec<_> = found
        .iter()
        .map(|row| (row.judge.as_str(), row.complete, row.answered, row.failed, row.missing, row.open[0]))
        .collect();
    assert_eq!(shown, [("b/b", false, 4, 1, 1, 2), ("openai/gpt-4o", true, 6, 0, 0, 0)]);
    assert_eq!((found[0].own_kind.len(), &found[1].own_kind[..]), (0, &["openai/gpt-x".to_owned()][..]));
    assert_eq!(complete(&subjects), ["openai/gpt-4o"]);
}

#[test]
fn each_judge_has_its_own_scores_and_ranks_and_ensembles_take_all() {
    let (logs, dataset) = (conversations(2), Dataset::none());
    let mut second = graded(&[("a", &[3, 3]), ("b", &[5, 5]), ("c", &[4, 4])]);
    // One hash is one question, wherever it is asked.
    second.iter_mut().for_each(|item| item.hash.push('2'));
    let mut subjects = [
        subject("1", &logs, &dataset, graded(&[("a", &[5, 5]), ("b", &[1, 1]), ("c", &[2, 2])])),
        subject("2", &logs, &dataset, second),
    ];
    let found = effect(&subjects);
    let recall = |panel: &LabPanel| {
        let of = panel.values.iter().find(|one| one.measure == LabMeasure::RefRecall);
        of.map(|one| (one.values.clone(), one.ranks.clone()))
    };
    let shown: Vec<String> = found
        .panels
        .iter()
        .map(|panel| {
            let judge = panel.judge.as_deref().unwrap_or_default();
            match (recall(panel), &panel.reason) {
                (Some((values, ranks)), _) => format!("{:?} {judge} {values:?} {ranks:?}", panel.kind),
                (None, reason) => format!(
                    "{:?} {judge} {}",
                    panel.kind,
                    reason.as_ref().map(ToString::to_string).as_deref().unwrap_or_default()
                ),
            }
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    Judge a [Some(1.0), Some(0.5)] [Some(1), Some(2)]
    Judge b [Some(0.0), Some(1.0)] [Some(2), Some(1)]
    Judge c [Some(0.25), Some(0.75)] [Some(2), Some(1)]
    Without a [Some(0.25), Some(0.75)] [Some(2), Some(1)]
    Without b [Some(0.75), Some(0.75)] [Some(1), Some(1)]
    Without c [Some(0.5), Some(0.75)] [Some(2), Some(1)]
    Mean  [Some(0.5), Some(0.75)] [Some(2), Some(1)]
    Median  [Some(0.25), Some(0.75)] [Some(2), Some(1)]
    People  these runs have no human overrides
    ");
    let tau = |one: usize, other: usize| {
        let found = found
            .taus
            .iter()
            .find(|tau| (tau.measure, tau.one, tau.other) == (LabMeasure::RefRecall, one, other));
        found.and_then(|tau| tau.tau)
    };
    assert_eq!((tau(0, 1), tau(1, 2)), (Some(-1.0), Some(1.0)));
    let sr = found.panels[0].values.iter().find(|one| one.measure == LabMeasure::Sr);
    assert_eq!(sr.map(|one| one.values.clone()), Some(vec![Some(1.0), Some(1.0)]));
    let composite = &found.panels[0].values[0];
    assert!(composite.reasons.iter().all(Option::is_some), "L7 alone makes no composite");

    // People's word stands for all judges; the newest counts.
    for item in &mut subjects[0].items {
        if item.metric == MetricId::RefRecall {
            let word = |score: i64| PersonsWord {
                judge: None,
                by: "p".into(),
                opinion: Opinion { score: Some(score), ..Opinion::default() },
            };
            item.people = vec![word(1), word(5)];
        }
    }
    let people = effect(&subjects).panels.pop().unwrap();
    assert_eq!(recall(&people), Some((vec![Some(1.0), Some(0.75)], vec![Some(1), Some(2)])));

    // A judge with one answer less takes no part in ranks, and says so.
    subjects[0].items[3].verdicts.remove("c");
    let found = effect(&subjects);
    assert_eq!(
        found.panels[2].reason.as_ref().map(ToString::to_string).as_deref(),
        Some("c has answered 11 of the 12 questions of these runs; judge the missing ones")
    );
    assert!(found.panels.iter().all(|panel| panel.kind != LabPanelKind::Without), "two are left");
}

#[test]
fn the_majority_of_judges_decides_success_and_a_tie_is_no() {
    let (logs, dataset) = (conversations(1), Dataset::none());
    let sr = |said: &[(&str, &[i64])]| {
        let mut items = graded(&[("a", &[5]), ("b", &[5])]);
        items[0] = item(Level::L7, "L7-001", MetricId::Sr, said);
        let subjects = [subject("1", &logs, &dataset, items)];
        let found = effect(&subjects);
        let of = |kind: LabPanelKind| {
            let panel = found.panels.iter().find(|panel| panel.kind == kind).unwrap();
            panel.values.iter().find(|one| one.measure == LabMeasure::Sr).unwrap().values[0].unwrap()
        };
        (of(LabPanelKind::Judge), of(LabPanelKind::Mean))
    };
    assert_eq!(sr(&[("a", &[1, 1, 0]), ("b", &[1, 0, 1])]), (1.0, 1.0));
    assert_eq!(sr(&[("a", &[1, 1, 0]), ("b", &[0, 0, 1])]), (1.0, 0.0));
    assert_eq!(sr(&[("a", &[0, 1, 0]), ("b", &[1, 1, 1])]), (0.0, 0.0));
}

#[test]
fn the_queue_begins_with_what_is_worth_most_and_is_the_same_for_a_seed() {
    let (logs, dataset) = (conversations(4), Dataset::none());
    let subjects = [
        subject("1", &logs, &dataset, graded(&[("a", &[5, 5, 4, 3]), ("b", &[1, 5, 3, 3])])),
        subject("2", &logs, &dataset, {
            let mut items = graded(&[("a", &[3, 5, 5, 5]), ("b", &[1, 1, 5, 5])]);
            items.iter_mut().for_each(|item| item.hash = koab_core::cache_key::sha256_hex(&item.hash));
            items
        }),
    ];
    let shown = |seed: u64| -> Vec<String> {
        let of = |pick: Pick| {
            let item = &subjects[pick.subject].items[pick.item];
            format!(
                "{} {} {} d{:.3} e{:.2} s{:.0} w{:.3}",
                pick.subject + 1,
                item.task,
                item.metric,
                pick.disagreement,
                pick.effect,
                pick.swaps,
                pick.weight
            )
        };
        queue(&subjects, 20, seed).into_iter().map(of).collect()
    };
    let first = shown(1);
    assert_eq!(first, shown(1));
    // Everything on which they agree stays out; the four heaviest are of different runs and metrics.
    assert_eq!(first.len(), 8, "{first:?}");
    let groups: BTreeSet<String> =
        first[..4].iter().map(|line| format!("{} {}", &line[..1], &line[9..20])).collect();
    assert_eq!(groups.len(), 4, "{first:?}");
    assert!(first[0].contains("d1.000 e1.00 s1 w1.000"), "{first:?}");
    assert_eq!(queue(&subjects, 3, 1).len(), 3);
    assert!((0..20).any(|seed| shown(seed) != first), "equal weights are drawn");
    // A judge of two minds is worth a look where there is no other.
    let mut alone = graded(&[("a", &[5, 5, 5, 5])]);
    alone[1] = item(Level::L7, "L7-002", MetricId::Sr, &[("a", &[1, 0, 1])]);
    let alone = [subject("1", &logs, &dataset, alone)];
    assert_eq!(queue(&alone, 20, 1).iter().map(|pick| pick.item).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_reviewer_sees_no_name() {
    let blinder = Blinder::new(["azure/gpt-4o", "openrouter/z-ai/glm-4.6"]);
    assert_eq!(
        blinder.hide("저는 GPT-4o입니다. azure/gpt-4o, z-ai/GLM-4.6, GPT 모델, 가나다"),
        "저는 ■■■입니다. ■■■, ■■■, GPT 모델, 가나다"
    );
    let logs = conversations(1);
    let one = item(Level::L7, "L7-001", MetricId::Sr, &[]);
    let inputs = Inputs::new([
        ("instruction", "무엇을 azure/gpt-4o".to_owned()),
        ("final_response", "답".to_owned()),
        ("tool_calls", "[]".to_owned()),
        ("golden_context", " ".to_owned()),
    ]);
    let shown = shown_inputs(&one, &inputs, &logs, &blinder);
    let kinds: Vec<InputKind> = shown.iter().map(|one| one.kind).collect();
    use InputKind::{Answer, Calls, Golden, Instruction};
    assert_eq!(kinds, [Instruction, Answer, Calls, Golden]);
    assert_eq!(shown[0].text, "무엇을 ■■■");
    assert!(shown[3].text.contains("\"tool\": \"A\""));
}

#[test]
fn a_review_says_which_judge_is_closest() {
    let one = |task: &str, metric: MetricId, a: i64, b: i64, person: Option<i64>| Reviewed {
        task: task.to_owned(),
        metric,
        judges: [("a".to_owned(), a), ("b".to_owned(), b)].into(),
        person,
    };
    let reviewed = [
        one("t1", MetricId::Sr, 1, 0, Some(1)),
        one("t2", MetricId::Sr, 0, 1, Some(0)),
        one("t3", MetricId::Sr, 1, 0, Some(0)),
        one("t4", MetricId::RefRecall, 5, 2, Some(4)),
        one("t5", MetricId::RefRecall, 5, 2, None),
    ];
    let found = against_people(&reviewed);
    let shown: Vec<_> = found
        .iter()
        .map(|row| (row.judge.as_str(), row.questions, row.distance, row.closest, row.yes_no.percent.value))
        .collect();
    assert_eq!(
        shown,
        [
            ("a", 4, Some(1.25 / 4.0), true, Some(2.0 / 3.0)),
            ("b", 4, Some(2.5 / 4.0), false, Some(1.0 / 3.0))
        ]
    );
    assert!(found[0].yes_no.kappa.value.is_some_and(|kappa| (kappa - 0.4).abs() < 1e-12));
    assert_eq!(found[0].grades.questions, 1);
    assert!(found[0].grades.percent.no_interval.is_some(), "one task shows no spread");
    assert!(against_people(&[one("t", MetricId::Sr, 1, 0, None)]).iter().all(|row| row.distance.is_none()));
}

#[test]
fn every_metric_that_judges_decide_is_a_measure() {
    let judged = MetricId::ALL.into_iter().filter(|metric| koab_core::score::is_judged(*metric));
    let measures = LabMeasure::ALL.into_iter().filter_map(LabMeasure::metric);
    assert!(judged.eq(measures));
}
