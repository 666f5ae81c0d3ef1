use super::conclusion::conclusions;
use super::matrix::MatrixRequest;
use super::pair::PairsRequest;
use crate::tests::desk::{Desk, Written, WrittenGroup, near, refused};
use koab_analysis::paired::{Family, PairTest, PairVerdict, WantedFigure};
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::sentence::Language;
use koab_library::RunRequest;
use koab_library::options::JudgeChoice;
use koab_report::comparability::{Aspect, Grade};
use koab_workspace::ErrorCode;
use proptest::prelude::*;

use super::{Difference, DifferenceKind, PairView, ScoredPair};

fn ids(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn pair(first: &str, second: &str, figures: &[&str]) -> PairsRequest {
    PairsRequest {
        ids: ids(&[first, second]),
        metrics: figures.iter().map(|word| WantedFigure::parse(word, &[]).unwrap()).collect(),
        draws: Some(400),
        seed: None,
    }
}

/// All figures of these reports.
fn of(ids: &[String]) -> PairsRequest {
    PairsRequest { ids: ids.to_vec(), ..PairsRequest::default() }
}

/// The one pair of two reports.
fn tested(desk: &Desk, request: &PairsRequest) -> PairView {
    desk.compare.compare_pairs(request).unwrap().pairs.remove(0)
}

fn first_pair(view: &PairView) -> &ScoredPair {
    view.pairs.first().unwrap()
}

fn figure(pair: &ScoredPair, family: Family, metric: MetricId) -> &PairTest {
    let families = &pair.tests.as_ref().unwrap().families;
    let family = families.iter().find(|one| one.family == family).unwrap();
    let mut tests = family.tests.iter();
    tests.find(|test| test.metric == Some(metric)).unwrap()
}

/// A report of ten tasks in L1, of which it solves these; SR and `ToolAcc` are the same.
fn put(desk: &Desk, id: &str, judge: &str, solved: &[usize]) {
    let score = |task: usize| Some(f64::from(u8::from(solved.contains(&task))));
    let task = |task: usize| {
        let scores = vec![("SR", score(task)), ("ToolAcc", score(task))];
        (format!("L1-{:03}", task + 1), scores)
    };
    let group = WrittenGroup { name: "L1", tasks: (0..10).map(task).collect() };
    let report = Written { model: &format!("lab/{id}"), judge, groups: vec![group] };
    desk.put(id, &report);
}

/// Reports that solve 0, 3 and 9 of the same ten tasks.
fn three() -> Desk {
    let desk = Desk::new();
    put(&desk, "none", "j/1", &[]);
    put(&desk, "some", "j/1", &[0, 1, 2]);
    put(&desk, "most", "j/1", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    desk
}

#[test]
fn two_reports_have_the_p_value_of_the_binomial_distribution() {
    // Twice the sum of C(won + lost, k) for k up to the smaller one, over 2^(won + lost): counted by hand with Python's math.comb.
    for (won, lost, p, verdict) in [
        (5, 0, 2.0 / 32.0, PairVerdict::NotSeparated),
        (6, 0, 2.0 / 64.0, PairVerdict::Second),
        (0, 6, 2.0 / 64.0, PairVerdict::First),
        (7, 1, 18.0 / 256.0, PairVerdict::NotSeparated),
        (8, 1, 20.0 / 512.0, PairVerdict::Second),
        (2, 8, 112.0 / 1024.0, PairVerdict::NotSeparated),
        (2, 10, 158.0 / 4096.0, PairVerdict::First),
        (3, 3, 1.0, PairVerdict::NotSeparated),
        (0, 0, 1.0, PairVerdict::NotSeparated),
    ] {
        let desk = Desk::new();
        // Three more tasks that both solve say nothing.
        let all = won + lost + 3;
        let first: Vec<bool> = (0..all).map(|task| task >= won).collect();
        let second: Vec<bool> = (0..all).map(|task| task < won || task >= won + lost).collect();
        desk.put_solved("first", "lab/a", "L1", &first);
        desk.put_solved("second", "lab/b", "L1", &second);
        let request = pair("first", "second", &["L1.SR"]);
        let view = tested(&desk, &request);
        let test = figure(first_pair(&view), Family::Common, MetricId::Sr);
        let counts = (test.won as usize, test.lost as usize, test.tied as usize);
        assert_eq!(counts, (won, lost, 3));
        near(test.p, p);
        near(test.holm, p);
        near(test.difference, (won as f64 - lost as f64) / all as f64);
        assert_eq!(test.verdict, verdict, "{won} to {lost}");
    }
}

#[test]
fn figures_of_one_family_are_corrected_together() {
    let desk = three();
    let view = tested(&desk, &pair("none", "most", &[]));
    let all = first_pair(&view);
    // 9 to 0 is 2/2^9; SR and ToolAcc are one family here.
    let of = |metric| figure(all, Family::Metrics, metric);
    near(of(MetricId::Sr).p, 2.0 / 512.0);
    near(of(MetricId::Sr).holm, 2.0 * 2.0 / 512.0);
    assert_eq!((of(MetricId::Sr).corrected_over, of(MetricId::ToolAcc).won), (Some(2), 9));
    let alone = tested(&desk, &pair("none", "most", &["SR"]));
    near(figure(first_pair(&alone), Family::Metrics, MetricId::Sr).holm, 2.0 / 512.0);
}

#[test]
fn seed_and_number_of_draws_are_those_that_were_asked_for() {
    let desk = three();
    let request = PairsRequest { seed: Some(7), draws: Some(500), ..pair("none", "most", &["SR"]) };
    let view = tested(&desk, &request);
    let tests = first_pair(&view).tests.as_ref().unwrap();
    assert_eq!((tests.seed, tests.draws, tests.tasks, tests.left_out), (7, 500, 10, 0));
    for (draws, is_taken) in [(0, false), (1, true), (200_000, true), (200_001, false)] {
        let found = super::pair::draws(Some(draws));
        assert_eq!(found.is_ok(), is_taken, "{draws}");
    }
    let request = PairsRequest { draws: Some(0), ..pair("none", "most", &[]) };
    refused(desk.compare.compare_pairs(&request), "draws can be 1 to 200000, not 0");
}

#[test]
fn a_report_with_itself_differs_by_nothing() {
    let desk = Desk::new();
    let solved = [true, false, true, true, false, false, true];
    desk.put_solved("one", "lab/a", "L1", &solved);
    desk.put_solved("copy", "lab/b", "L1", &solved);
    let view = tested(&desk, &pair("one", "copy", &[]));
    let mut count = 0;
    for family in &first_pair(&view).tests.as_ref().unwrap().families {
        for test in family.tests.iter().filter(|test| test.p.is_some()) {
            near(test.p, 1.0);
            near(test.difference, 0.0);
            assert_eq!((test.won, test.lost), (0, 0));
            assert_eq!(test.verdict, PairVerdict::NotSeparated);
            count += 1;
        }
    }
    assert!(count > 0);
    refused(desk.compare.compare_pairs(&pair("one", "one", &[])), "choose at least two reports to compare");
}

#[test]
fn only_tasks_that_both_have_are_compared() {
    let desk = Desk::new();
    // The second report lacks the last two of eight tasks, and has no score of the first.
    desk.put_solved("first", "lab/a", "L1", &[false; 8]);
    let task = |at: usize| {
        let score = (at > 0).then_some(1.0);
        (format!("L1-{:03}", at + 1), vec![("SR", score)])
    };
    let group = WrittenGroup { name: "L1", tasks: (0..6).map(task).collect() };
    desk.put("second", &Written { model: "lab/b", judge: "j/1", groups: vec![group] });
    let view = tested(&desk, &pair("first", "second", &["L1.SR"]));
    let test = figure(first_pair(&view), Family::Common, MetricId::Sr);
    assert_eq!((test.tasks, test.left_out, test.won), (5, 3, 5));
    near(test.p, 2.0 / 32.0);
    near(test.difference, 1.0);
}

#[test]
fn other_judges_leave_untested_what_they_decide() {
    let desk = three();
    put(&desk, "other", "j/2", &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let view = tested(&desk, &pair("none", "other", &[]));
    let pair = first_pair(&view);
    let judged = figure(pair, Family::Metrics, MetricId::Sr);
    let reason = "the metric is judged, and the judging differs: they have different judges: j/1; j/2";
    assert_eq!((judged.p, judged.verdict), (None, PairVerdict::Untested));
    assert_eq!(judged.reason.as_ref().unwrap().to_string(), reason);
    let korean = judged.reason.as_ref().unwrap().in_language(Language::of_locale("ko"));
    let said = "Judge가 채점하는 지표인데 채점 조건이 다릅니다: Judge가 다릅니다: j/1; j/2";
    assert_eq!(korean.to_string(), said);
    // What no judge decides is tested all the same, and by itself.
    let tool = figure(pair, Family::Metrics, MetricId::ToolAcc);
    assert_eq!(tool.verdict, PairVerdict::Second);
    near(tool.holm, 2.0 / 512.0);
    let ranks = desk.compare.compare_ranks(&ids(&["none", "other"]), None, Some(100)).unwrap();
    let unranked = ranks.rankings[1].reports[1].reason.as_ref().unwrap().to_string();
    assert_eq!(unranked, format!("not comparable with the first report: {reason}"));
    let request = MatrixRequest { ids: ids(&["none", "other"]), ..MatrixRequest::default() };
    let matrix = desk.compare.compare_matrix(&request).unwrap();
    assert_eq!((matrix.cells.as_str(), matrix.refused, matrix.tested), ("x", 1, 0));
    // By a metric that nobody judges they are compared, within limits.
    let request = MatrixRequest { metric: Some(MetricId::ToolAcc), ..request };
    let matrix = desk.compare.compare_matrix(&request).unwrap();
    assert_eq!((matrix.refused, matrix.tested, matrix.separated), (0, 1, 1));
}

#[test]
fn what_the_reports_differ_in_is_named_with_each_value() {
    let desk = three();
    put(&desk, "other", "j/2", &[0]);
    desk.put_solved("two", "lab/two", "L2", &[true, false]);
    let of = |words: &[&str]| desk.compare.compare(&ids(words)).unwrap().differences;
    assert_eq!(of(&["none", "some"]), []);
    let value = |text: &str| Some(text.to_owned());
    assert_eq!(
        of(&["none", "other", "some"]),
        [Difference { what: DifferenceKind::Judges, values: vec![value("j/1"), value("j/2"), value("j/1")] }]
    );
    let told = of(&["none", "two"]);
    let expected = [
        (DifferenceKind::Levels, ["L1", "L2"]),
        (DifferenceKind::Tasks, ["L1 10", "L2 2"]),
        (DifferenceKind::Evaluated, ["L1 10", "L2 2"]),
    ];
    let expected = expected.map(|(what, values)| Difference { what, values: values.map(value).to_vec() });
    assert_eq!(told, expected);
}

#[test]
fn reports_stand_in_the_order_asked_for_and_each_once() {
    let desk = three();
    let order = |words: &[&str]| -> Vec<String> {
        let view = desk.compare.compare(&ids(words)).unwrap();
        assert_eq!(view.reports[0].standing.with_first, None);
        assert!(view.reports[1..].iter().all(|one| one.standing.with_first.is_some()));
        view.reports.into_iter().map(|one| one.id).collect()
    };
    assert_eq!(order(&["most", "none", "some"]), ["most", "none", "some"]);
    assert_eq!(order(&["some", "most", "some", "", "none"]), ["some", "most", "none"]);
    let view = desk.compare.compare(&ids(&["most", "none"])).unwrap();
    let most = &view.reports[0];
    assert_eq!((most.model.as_str(), most.run.as_deref(), most.has_tasks), ("lab/most", None, true));
    assert_eq!(most.execution_date.as_deref(), Some("20251219"));
    assert_eq!((most.usd, most.usd_spent), (None, false));
    assert!(most.usd_reason.is_some());
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let desk = three();
    let many: Vec<String> = (0..61).map(|at| format!("r{at}")).collect();
    assert_eq!(super::wanted(&many[..60]).unwrap().len(), 60);
    for (asked, sentence) in [
        (ids(&[]), "choose at least two reports to compare"),
        (ids(&["none", "none", ""]), "choose at least two reports to compare"),
        (many, "choose at most 60 reports to compare"),
        (ids(&["none", "gone"]), "gone"),
    ] {
        refused(desk.compare.compare(&asked), sentence);
        refused(desk.compare.compare_ranks(&asked, None, None), sentence);
        refused(desk.compare.compare_pairs(&of(&asked)), sentence);
        refused(desk.compare.of_one_benchmark(&asked), sentence);
    }
    let matrix = |request: MatrixRequest| desk.compare.compare_matrix(&request);
    let gone = matrix(MatrixRequest { ids: ids(&["none", "gone"]), ..MatrixRequest::default() });
    assert_eq!(gone.unwrap_err().code, ErrorCode::NotFound);
    let part = MatrixRequest { metric: Some(MetricId::ArgAcc), ..MatrixRequest::default() };
    refused(matrix(part), "ArgAcc is not a yes-or-no metric");
    let group = pair("none", "most", &["L2.SR"]);
    refused(desk.compare.compare_pairs(&group), "neither report has the group L2; their groups are L1");
    desk.compare.of_one_benchmark(&ids(&["none", "most"])).unwrap();
}

#[test]
fn ranks_are_by_the_share_of_tasks_that_all_have() {
    let desk = three();
    put(&desk, "as-some", "j/1", &[3, 4, 5]);
    let asked = ids(&["none", "some", "as-some", "most"]);
    let view = desk.compare.compare_ranks(&asked, Some(1), Some(400)).unwrap();
    assert_eq!(view.reports, asked);
    let by_rate = &view.rankings[1];
    assert_eq!((by_rate.tasks, by_rate.variant.as_deref()), (10, None));
    let ranks: Vec<Option<u32>> = by_rate.reports.iter().map(|one| one.rank).collect();
    // Equal shares share a rank, and the next one is left out.
    assert_eq!(ranks, [Some(4), Some(2), Some(2), Some(1)]);
    let values: Vec<f64> = by_rate.reports.iter().map(|one| one.value.unwrap()).collect();
    assert_eq!(values, [0.0, 0.3, 0.3, 0.9]);
    let best = &by_rate.reports[3];
    assert_eq!((best.p, best.with_best, best.low), (None, true, Some(1)));
    // 6 to 0 is 2/2^6, and three are compared with the best: Holm multiplies the smallest of 1/256, 1/32, 1/32 by three.
    near(by_rate.reports[0].p, 2.0 / 512.0);
    near(by_rate.reports[0].holm, 6.0 / 512.0);
    assert!(!by_rate.reports[0].with_best);
    // The composite needs more than L1.
    let composite = &view.rankings[0].reports[0];
    assert_eq!(composite.rank, None);
    let reason = composite.reason.as_ref().unwrap().to_string();
    assert!(reason.contains("the report does not have it"), "{reason}");
}

#[test]
fn every_pair_has_its_letter_and_the_numbers_of_holm() {
    let desk = three();
    let matrix = desk.compare.compare_matrix(&MatrixRequest::default()).unwrap();
    let order: Vec<&str> = matrix.reports.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(order, ["most", "some", "none"], "the best first");
    let shown: Vec<_> = matrix.reports.iter().map(|one| (one.solved, one.tasks, one.rank)).collect();
    assert_eq!(shown, [(9, 10, Some(1)), (3, 10, Some(2)), (0, 10, Some(3))]);
    // 6 to 0, 9 to 0 and 3 to 0; files of others say little of their runs, so the letters are capitals.
    assert_eq!(matrix.cells, "EFD");
    let counts = (matrix.tested, matrix.separated, matrix.separated_holm, matrix.refused);
    assert_eq!(counts, (3, 2, 1, 0));
    // Holm: 1/256 · 3, 1/32 · 2, 1/4 · 1.
    let expected = [
        (0, 1, 6, 2.0 / 64.0, 4.0 / 64.0),
        (0, 2, 9, 2.0 / 512.0, 6.0 / 512.0),
        (1, 2, 3, 2.0 / 8.0, 2.0 / 8.0),
    ];
    assert_eq!(matrix.pairs.len(), expected.len());
    for (pair, (row, column, only_row, p, holm)) in matrix.pairs.iter().zip(expected) {
        assert_eq!((pair.row, pair.column, pair.only_row, pair.only_column), (row, column, only_row, 0));
        near(pair.p, p);
        near(pair.holm, holm);
    }
}

#[test]
fn the_matrix_follows_the_library() {
    let desk = three();
    let matrix = |request: MatrixRequest| desk.compare.compare_matrix(&request).unwrap();
    assert_eq!(matrix(MatrixRequest::default()).tested, 3);
    put(&desk, "most", "j/1", &[0]);
    std::fs::remove_dir_all(desk.path().join("reports/some")).unwrap();
    let changed = matrix(MatrixRequest::default());
    assert_eq!((changed.tested, changed.reports[0].solved), (1, 1));
    let level = matrix(MatrixRequest { level: Some("L2".parse().unwrap()), ..MatrixRequest::default() });
    assert_eq!((level.reports.len(), level.cells.as_str()), (0, ""));
    let reasons: Vec<String> = level.left_out.iter().map(|one| one.reason.to_string()).collect();
    assert_eq!(reasons, ["the level was not evaluated"; 2]);
    let corrected = matrix(MatrixRequest { scorer: Some(Protocol::Corrected), ..MatrixRequest::default() });
    assert_eq!(corrected.reports, []);
}

#[test]
fn a_report_of_fewer_tasks_has_no_rank_among_the_others() {
    let desk = three();
    desk.put_solved("few", "lab/few", "L1", &[true, true, true]);
    let matrix = desk.compare.compare_matrix(&MatrixRequest::default()).unwrap();
    assert_eq!(matrix.tasks, 10);
    let last = matrix.reports.last().unwrap();
    assert_eq!((last.id.as_str(), last.rank, last.tasks), ("few", None, 3));
    let most = &matrix.reports[0];
    assert_eq!((most.id.as_str(), most.rank), ("most", Some(1)));
}

#[tokio::test]
async fn both_scorers_are_compared_where_both_runs_have_them() {
    let desk = Desk::new();
    let both = [Protocol::Leaderboard, Protocol::Corrected];
    let mut reports = Vec::new();
    for model in ["baseline/golden", "baseline/silent"] {
        let run = desk.run(RunRequest::published(&model.replace('/', "-"), model)).await;
        reports.push(desk.score(&run, &both, JudgeChoice::Nobody).await);
    }
    let scorers = |view: &PairView| -> Vec<Protocol> { view.pairs.iter().map(|one| one.scorer).collect() };
    let (golden, silent) = (&reports[0], &reports[1]);
    let view = tested(&desk, &pair(&golden[0], &silent[0], &[]));
    assert_eq!(scorers(&view), both);
    assert_eq!(view.pairs[1].second.id, silent[1]);
    // The starter pack has four tasks of L1: 4 to 0 is 2/2^4.
    let tool = figure(&view.pairs[0], Family::Metrics, MetricId::ToolAcc);
    near(tool.p, 2.0 / 16.0);
    assert_eq!((tool.lost, tool.verdict), (4, PairVerdict::NotSeparated));
    let judged = figure(&view.pairs[0], Family::Metrics, MetricId::Sr);
    let reason = judged.reason.as_ref().unwrap().to_string();
    assert!(reason.contains("no judge was asked"), "{reason}");
    // Asked across scorers, each pair is still among its own.
    let across = tested(&desk, &pair(&golden[0], &silent[1], &[]));
    assert_eq!(scorers(&across), both);
    let beside = desk.compare.compare(&ids(&[&golden[0], &silent[1]])).unwrap();
    let kinds: Vec<DifferenceKind> = beside.differences.iter().map(|one| one.what).collect();
    assert_eq!(kinds, [DifferenceKind::Scorer]);
    assert!(beside.reports.iter().all(|one| one.run.is_some()));
    // Without its sibling there is nothing to test.
    for id in [&silent[0], &golden[1]] {
        std::fs::remove_dir_all(desk.path().join("reports").join(id)).unwrap();
    }
    let refused = tested(&desk, &pair(&golden[0], &silent[1], &[]));
    let pair = first_pair(&refused);
    assert_eq!((pair.tests.is_none(), refused.pairs.len()), (true, 1));
    assert_eq!(pair.refusal[0].aspect, Aspect::Scorer);
    assert_eq!(pair.judgement.grade, Grade::NotComparable);
    let concluded = conclusions(std::slice::from_ref(&refused)).remove(0);
    assert_eq!(concluded.conclusion.verdict, PairVerdict::Untested);
    let said = concluded.conclusion.sentence.to_string();
    let begin = "baseline/silent and baseline/golden are not comparable, so nothing is tested: ";
    assert!(said.starts_with(begin), "{said}");
    let request = MatrixRequest { metric: Some(MetricId::Rrr), ..MatrixRequest::default() };
    let matrix = desk.compare.compare_matrix(&request).unwrap();
    assert_eq!((matrix.cells.as_str(), matrix.refused), ("x", 1));
}

#[test]
fn each_conclusion_is_corrected_with_those_of_the_other_pairs() {
    let desk = three();
    let said = |words: &[&str]| -> Vec<String> {
        let view = desk.compare.compare_pairs(&of(&ids(words))).unwrap();
        assert!(view.conclusions.iter().all(|one| one.first.id == words[0]));
        let sentences = view.conclusions.iter().map(|one| one.conclusion.sentence.to_string());
        sentences.collect()
    };
    // 2/2^9 = 0.0039: SR and ToolAcc of one pair are two tests, of two pairs four.
    let alone = said(&["none", "most"]);
    assert!(alone[0].contains("p = 0.0039, Holm p = 0.0078 over 2 tests: lab/most is better"), "{alone:?}");
    let both = said(&["none", "most", "some"]);
    assert!(both[0].contains("p = 0.0039, Holm p = 0.0156 over 4 tests: lab/most is better"), "{both:?}");
    assert!(both[1].contains("no significant difference"), "{both:?}");
    // The tables say the same of each pair as its sentence.
    let request = of(&ids(&["none", "most", "some"]));
    for (pair, holm) in desk.compare.compare_pairs(&request).unwrap().pairs.iter().zip([4.0, 2.0]) {
        let test = figure(first_pair(pair), Family::Metrics, MetricId::Sr);
        let corrected = test.p.map(|p| p * holm).unwrap();
        near(test.holm, corrected.min(1.0));
        assert_eq!(test.corrected_over, Some(4));
    }
    // The other way round the same difference has the other sign.
    let turned = said(&["most", "none"]);
    assert!(turned[0].contains("lab/none − lab/most = −0.9000"), "{turned:?}");
    let view = desk.compare.compare_pairs(&of(&ids(&["none", "most"]))).unwrap();
    let korean = view.conclusions[0].conclusion.sentence.in_language(Language::of_locale("ko")).to_string();
    assert!(korean.contains("검정 2개의 Holm p = 0.0078") && korean.contains("lab/most 우세"), "{korean}");
}

#[test]
fn the_same_model_twice_is_called_by_its_reports() {
    let desk = Desk::new();
    desk.put_solved("before", "lab/m", "L1", &[false; 8]);
    desk.put_solved("after", "lab/m", "L1", &[true; 8]);
    let view = desk.compare.compare_pairs(&of(&ids(&["before", "after"]))).unwrap();
    let said = view.conclusions[0].conclusion.sentence.to_string();
    assert!(said.contains("after − before = +1.0000") && said.contains("after is better"), "{said}");
}

#[test]
fn a_level_or_a_metric_of_one_is_tested_alone() {
    let desk = three();
    let figures = |words: &[&str]| -> Vec<String> {
        let view = tested(&desk, &pair("none", "most", words));
        let families = &first_pair(&view).tests.as_ref().unwrap().families;
        let of = |family: &koab_analysis::paired::FamilyTests| {
            let name = |test: &PairTest| match (&test.level, test.metric) {
                (Some(level), Some(metric)) => format!("{level} {metric}"),
                (Some(level), None) => level.to_string(),
                (None, metric) => metric.map(|metric| metric.to_string()).unwrap_or_default(),
            };
            let names: Vec<String> = family.tests.iter().map(name).collect();
            format!("{:?}: {}", family.family, names.join(", "))
        };
        families.iter().map(of).collect()
    };
    assert_eq!(figures(&["l1"]), ["Metrics: L1 ToolAcc", "Levels: L1", "Common: L1 SR"]);
    assert_eq!(figures(&["L1.SR"]), ["Common: L1 SR"]);
    assert_eq!(figures(&["toolacc"]), ["Metrics: L1 ToolAcc"]);
    assert_eq!(figures(&["SR"]), ["Metrics: SR", "Common: L1 SR"]);
}

proptest! {
    #![proptest_config(koab_draws::config(8))]

    /// Exchanging two reports changes signs and nothing else.
    #[test]
    fn the_order_of_two_reports_changes_only_the_sign(
        tasks in prop::collection::vec((any::<bool>(), any::<bool>()), 2..20),
    ) {
        let desk = Desk::new();
        let (one, other): (Vec<bool>, Vec<bool>) = tasks.iter().copied().unzip();
        desk.put_solved("one", "lab/a", "L1", &one);
        desk.put_solved("other", "lab/b", "L1", &other);
        let told = |first: &str, second: &str| {
            let view = tested(&desk, &pair(first, second, &["L1.SR"]));
            figure(first_pair(&view), Family::Common, MetricId::Sr).clone()
        };
        let (there, back) = (told("one", "other"), told("other", "one"));
        prop_assert_eq!(there.p, back.p);
        prop_assert_eq!((there.won, there.lost, there.tied), (back.lost, back.won, back.tied));
        prop_assert!((there.difference.unwrap() + back.difference.unwrap()).abs() < 1e-12);
        let mirrored = match there.verdict {
            PairVerdict::First => PairVerdict::Second,
            PairVerdict::Second => PairVerdict::First,
            other => other,
        };
        prop_assert_eq!(mirrored, back.verdict);
        // The counts are those of the tasks themselves.
        let won = tasks.iter().filter(|(one, other)| !one & other).count();
        prop_assert_eq!(there.won as usize, won);
    }

    /// The matrix says of each pair what the pair's own test says, in whatever order the reports were named.
    #[test]
    fn the_matrix_has_the_p_values_of_the_pairs(
        solved in prop::collection::vec(prop::collection::vec(any::<bool>(), 9), 3),
        turned in any::<bool>(),
    ) {
        let desk = Desk::new();
        let mut names = ids(&["a", "b", "c"]);
        for (id, solved) in names.iter().zip(&solved) {
            desk.put_solved(id, &format!("lab/{id}"), "L1", solved);
        }
        if turned {
            names.reverse();
        }
        let request = MatrixRequest { ids: names, ..MatrixRequest::default() };
        let matrix = desk.compare.compare_matrix(&request).unwrap();
        prop_assert_eq!(matrix.pairs.len(), 3);
        for found in &matrix.pairs {
            let id = |place: u32| matrix.reports[place as usize].id.as_str();
            let request = pair(id(found.row), id(found.column), &["L1.SR"]);
            let view = tested(&desk, &request);
            let test = figure(first_pair(&view), Family::Common, MetricId::Sr);
            prop_assert_eq!(found.p, test.p);
            prop_assert_eq!((found.only_row, found.only_column), (test.lost, test.won));
        }
        let shares: Vec<u32> = matrix.reports.iter().map(|one| one.solved).collect();
        prop_assert!(shares.is_sorted_by(|one, other| one >= other));
    }
}
