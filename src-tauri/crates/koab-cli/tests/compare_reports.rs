//! Tests between reports as the command line tells them: two reports, many, a whole library, and what is refused.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, shared};
use serde_json::{Value, json};
use std::fs;

/// Puts a report into the library: L1 of ten tasks, of which it solves these.
fn put(koab: &Koab, id: &str, judge: &str, solved: &[usize]) {
    let tasks: Vec<Value> = (0..10)
        .map(|task| {
            let score = json!({"score": f64::from(u8::from(solved.contains(&task))), "details": {}});
            json!({"task_id": format!("L1-{task:03}"), "success": true, "metrics": {"SR": score, "ToolAcc": score}})
        })
        .collect();
    let mean = solved.len() as f64 / 10.0;
    let document = json!({
        "summary": {"model": format!("lab/{id}"), "judge_model": judge, "execution_date": "20251219"},
        "by_level": {"L1": {
            "total_tasks": 10, "evaluated_tasks": 10, "task_evaluations": tasks,
            "metrics": {"SR": mean, "ToolAcc": mean, "RRR": 1.0},
        }},
    });
    let folder = koab.path().join("reports").join(id);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("evaluation_report.json"), document.to_string()).unwrap();
}

fn three() -> Koab {
    let koab = Koab::new();
    put(&koab, "none", "j/1", &[]);
    put(&koab, "some", "j/1", &[0, 1, 2]);
    put(&koab, "most", "j/1", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    koab
}

fn near(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-12, "{found} and {wanted}");
}

/// A figure of a family by its metric.
fn figure<'a>(pair: &'a Value, family: &str, metric: &str) -> &'a Value {
    let mut families = pair["tests"]["families"].as_array().unwrap().iter();
    let family = families.find(|one| one["family"] == family).unwrap();
    let mut tests = family["tests"].as_array().unwrap().iter();
    tests.find(|test| test["metric"] == metric).unwrap()
}

#[test]
fn two_reports_are_tested_and_it_is_said_what_it_would_take() {
    let koab = three();
    let told = koab.json(&["report", "compare", "none", "most"]);
    near(&figure(&told["tests"][0]["pairs"][0], "metrics", "SR")["p"], 2.0 / 512.0);
    // Nobody is told that two are alike, only that they no significant difference and what it would take.
    let told = koab.ok(&["report", "compare", "none", "some"]).stdout;
    assert!(told.contains("no significant difference; about 14 more tasks"), "{told}");
    let told = koab.ok(&["report", "compare", "none", "most", "--lang", "ko"]).stdout;
    assert!(told.contains("둘째가 낫습니다") && told.contains("McNemar 정확"), "{told}");
}

#[test]
fn every_pair_is_in_the_matrix() {
    let koab = three();
    // most beside some: 6 to 0; most beside none: 9 to 0; some beside none: 3 to 0. Capitals: within limits.
    assert_eq!(koab.json(&["report", "matrix"])["cells"], "EFD");
    let told = koab.ok(&["report", "matrix", "most", "none"]).stdout;
    assert!(told.contains("0 of 1 tested pairs show no significant difference"), "{told}");
}

#[test]
fn the_first_lines_conclude_and_are_those_of_the_window() {
    let koab = three();
    put(&koab, "other", "j/2", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let first = |words: &[&str]| koab.ok(words).stdout.lines().next().unwrap().to_owned();
    // 9 to 0 of 10: p = 2/2⁹. Draws are Bin(10, 0.9): P(≤ 6) = 0.013, P(≤ 7) = 0.070. Judges differ, so ToolAcc leads.
    let said = first(&["report", "compare", "none", "other"]);
    let ends = "L1 ToolAcc instead; lab/other − lab/none = +0.9000 L1 ToolAcc over 10 tasks, 95 % CI +0.700 to +1.000, \
                p = 0.0039, Holm p = 0.0078 over 2 tests: lab/other is better; no other level or metric differs significantly [partly]";
    assert!(said.starts_with("composite not tested (") && said.ends_with(ends), "{said}");
    let told = koab.json(&["report", "compare", "none", "other"]);
    let concluded = &told["conclusions"][0];
    assert_eq!(format!("{} [partly]", concluded["conclusion"]["sentence"].as_str().unwrap()), said);
    assert_eq!(
        (concluded["conclusion"]["verdict"].as_str(), concluded["conclusion"]["family"].as_str()),
        (Some("second"), Some("metrics"))
    );
    // SR of one pair is corrected among three tests, of two pairs among six.
    let alone = first(&["report", "compare", "none", "most"]);
    assert!(alone.contains("Holm p = 0.0117 over 3 tests: lab/most is better"), "{alone}");
    let both = first(&["report", "compare", "none", "most", "some"]);
    assert!(both.contains("Holm p = 0.0234 over 6 tests: lab/most is better"), "{both}");
    let korean = first(&["report", "compare", "none", "most", "--lang", "ko"]);
    assert!(
        korean.contains("lab/most − lab/none: SR +0.9000 (과제 10개, 95 % 신뢰구간 +0.700 ~ +1.000, p = 0.0039, 검정 3개의 Holm p = 0.0117), lab/most 우세"),
        "{korean}"
    );
}

#[test]
fn a_level_or_a_metric_of_one_is_tested_alone_and_nothing_is_said_of_others() {
    let koab = three();
    let figures = |metrics: &str| {
        let told = koab.json(&["report", "compare", "none", "most", "--metrics", metrics]);
        let families = told["tests"][0]["pairs"][0]["tests"]["families"].clone();
        let of = |family: &Value| {
            let tests = family["tests"].as_array().unwrap().iter();
            let name = |test: &Value| format!("{} {}", test["level"], test["metric"]).replace('"', "");
            format!(
                "{}: {}",
                family["family"].as_str().unwrap(),
                tests.map(name).collect::<Vec<_>>().join(", ")
            )
        };
        families.as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let level = ["metrics: L1 ToolAcc", "levels: L1 null", "common: L1 SR, L1 RRR"];
    assert_eq!(figures("l1"), level);
    assert_eq!(figures("L1.SR"), ["common: L1 SR"]);
    assert_eq!(figures("toolacc"), ["metrics: L1 ToolAcc"]);
    assert_eq!(figures("SR"), ["metrics: null SR", "common: L1 SR"]);
    let first = |words: &[&str]| {
        let told = koab.ok(&[&["report", "compare", "none"], words].concat()).stdout;
        told.lines().next().unwrap().to_owned()
    };
    // The level's score has no value, so the metric over most tasks leads: 9 to 0.
    let said = first(&["most", "--metrics", "L1"]);
    assert!(said.starts_with("lab/most − lab/none = +0.9000 L1 ToolAcc over 10 tasks"), "{said}");
    assert!(said.contains("p = 0.0039: lab/most is better; lab/most better on L1 SR (+0.9000)"), "{said}");
    // 3 to 0 of 10 is not significant, and there is no other figure of which it could be said.
    let said = first(&["some", "--metrics", "L1.SR"]);
    assert!(said.contains("p = 0.2500: no significant difference; about"), "{said}");
    let said = first(&["some", "--metrics", "L1.SR,RRR"]);
    assert!(said.contains("; nor on any other of the figures that were asked for [partly]"), "{said}");
    let said = first(&["some", "--metrics", "L1.SR,RRR", "--lang", "ko"]);
    assert!(said.contains("지정한 다른 항목에서도 없음"), "{said}");
    let ranks = |words: &[&str]| {
        let told = koab.ok(&[&["report", "compare", "none", "some"], words].concat()).stdout;
        let titles = told.lines().filter(|line| line.starts_with("ranks by "));
        let name = |line: &str| line["ranks by ".len()..].split(',').next().unwrap().to_owned();
        titles.map(name).collect::<Vec<_>>()
    };
    assert_eq!(ranks(&["--metrics", "RRR"]), [""; 0]);
    assert_eq!(ranks(&["--metrics", "RRR,SR"]), ["success rate (SR)"]);
    assert!(ranks(&[]).contains(&"success rate (SR)".to_owned()));
}

#[test]
fn what_numbers_of_tasks_and_ranks_mean_stands_below_the_tables() {
    let koab = three();
    let told = koab.ok(&["report", "compare", "none", "some", "most"]).stdout;
    let line = "more tasks, or more attempts a task: the number that would confirm the difference observed in this row";
    assert_eq!(told.matches(line).count(), 1, "{told}");
    assert!(told.contains("95 % of ranks: where a report stands in 95 % of the draws"), "{told}");
    // 9, 3 and 0 of 10 tasks: the ranks of almost all draws are these.
    assert!(told.contains("1     1              100.0 %    most") && !told.contains("1–1"), "{told}");
    let korean = koab.ok(&["report", "compare", "none", "some", "--lang", "ko"]).stdout;
    assert!(korean.contains("과제 추가와 과제당 시도: 그 행에서 관측된 차이가 실제 차이일 때"), "{korean}");
    // Where nothing needs more tasks, nothing is explained.
    let told = koab.ok(&["report", "compare", "none", "most", "--metrics", "SR"]).stdout;
    assert!(!told.contains(line), "{told}");
}

#[test]
fn reports_of_different_scorers_are_shown_with_the_reason_against_tests() {
    let koab = Koab::new();
    let mut reports = Vec::new();
    for (model, scorer) in [("baseline/golden", "leaderboard"), ("baseline/silent", "corrected")] {
        let made = koab.json(&["run", "--model", model]);
        let folder = made["run"]["folder"].as_str().unwrap().to_owned();
        let scored = koab.json(&["evaluate", "--run", &folder, "--no-judge", "--scorer", scorer]);
        reports.push(scored[0]["id"].as_str().unwrap().to_owned());
    }
    let text = koab.ok(&["report", "compare", &reports[0], &reports[1]]).stdout;
    assert!(
        text.starts_with("baseline/silent and baseline/golden are not comparable, so nothing is tested: "),
        "{text}"
    );
    assert!(text.contains("no tests: the numbers of the two mean different things"), "{text}");
}

#[test]
fn what_cannot_be_asked_is_said_in_a_sentence() {
    let koab = three();
    for (words, sentence) in [
        (&["report", "compare", "none", "most", "--draws", "0"][..], "draws can be 1 to 200000, not 0"),
        (
            &["report", "compare", "none", "most", "--metrics", "Speed"],
            "`Speed` is neither a metric nor a level; the levels are L1 to L7, the metrics SR, EPR_CVR, pass@k, ToolAcc,",
        ),
        (
            &["report", "compare", "none", "most", "--metrics", "L3.ArgAcc"],
            "`L3.ArgAcc`: L3 has no metric of that name; it has SR, EPR_CVR, pass@k, FSM, PSM, ΔSteps_norm",
        ),
        (
            &["report", "matrix", "--metric", "Speed", "--lang", "ko"],
            "`Speed`는 지표도 레벨도 아닙니다. 레벨은 L1~L7",
        ),
        (&["report", "matrix", "--metric", "L3"], "its level with --level"),
        (&["report", "matrix", "--metric", "Coverage"], "Coverage is not a yes-or-no metric"),
        (&["report", "matrix", "none", "gone"], "there is neither a run nor a report `gone`"),
        (&["report", "compare", "none", "none"], "choose at least two reports"),
    ] {
        let ran = koab.run(words);
        assert!(ran.code != 0 && ran.stderr.contains(sentence), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn the_published_reports_give_the_pairs_that_scipy_counts() {
    let Some(shared) = shared("the_published_reports_give_the_pairs_that_scipy_counts") else {
        return;
    };
    let koab = Koab::new();
    let reports = shared.join("parity/reports");
    koab.ok(&["report", "import", reports.to_str().unwrap()]);
    let matrix = koab.json(&["report", "matrix"]);
    assert_eq!(
        ["tested", "separated", "separated_holm", "refused"].map(|key| matrix[key].as_u64().unwrap()),
        [28, 13, 9, 0]
    );
    let told = koab.ok(&["report", "compare", "azure_gpt-5_20251219", "azure_gpt-4o_20251219"]).stdout;
    let reading =
        "\n  composite of level means: the published metrics, averaged within L1, L2 and L3 first\n";
    assert!(told.contains(reading), "{told}");
    // The same difference of the same two reports has one p value, wherever it stands.
    let told = koab.json(&["report", "compare", "azure_gpt-5_20251219", "azure_gpt-4o_20251219"]);
    let families = told["tests"][0]["pairs"][0]["tests"]["families"].as_array().unwrap();
    let composites = families.iter().find(|one| one["family"] == "composites").unwrap();
    let ranked = &told["ranks"]["rankings"][0]["reports"];
    assert_eq!(ranked[1]["p"], composites["tests"][0]["p"]);
}
