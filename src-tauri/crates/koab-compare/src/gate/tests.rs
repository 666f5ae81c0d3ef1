use super::ahead::Sides;
use super::baseline::Baseline;
use super::request::GateRequest;
use super::sides;
use super::{GateOptions, GateSummary, GateVerdict, JudgeFlips};
use crate::cost::Cost;
use crate::tests::desk::server::{Server, verdict};
use crate::tests::desk::{Desk, Written, WrittenGroup, near, refused, watch};
use koab_analysis::gate::{GatePlan, GateTask};
use koab_core::level::Level;
use koab_core::pack::PackKind;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_engine::ports::Cancel;
use koab_library::options::JudgeChoice;
use koab_library::{Estimate, JudgeEstimate, RunRequest};
use koab_report::comparability::{Fact, Facts, SettingsFacts};
use koab_runs::{DryRun, DryRunLevel};
use koab_workspace::WireError;
use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex};

/// `good` answers well and `bad` badly; a judge finds good answers right.
fn server() -> Server {
    Server::start(&["good", "bad", "judge"], |body| {
        let said = body["messages"].to_string();
        let text = match body["model"].as_str() {
            Some("judge") => verdict(said.contains("좋은 답변")),
            Some("good") => "좋은 답변입니다.".to_owned(),
            _ => "모르겠습니다.".to_owned(),
        };
        (200, text)
    })
}

fn judges(url: &str) -> JudgeChoice {
    JudgeChoice::Models { ids: vec!["openai_compat/judge".to_owned()], base_url: Some(url.to_owned()) }
}

fn run_of(model: &str, url: &str) -> RunRequest {
    RunRequest { base_url: Some(url.to_owned()), ..RunRequest::published(&model.replace('/', "-"), model) }
}

/// A workspace with a scored run of the good model on L2, and its report.
async fn with_baseline(url: &str) -> (Desk, String) {
    let desk = Desk::new();
    let request = RunRequest { levels: vec![Level::L2], ..run_of("openai_compat/good", url) };
    let run = desk.run(request).await;
    let mut reports = desk.score(&run, &[Protocol::Leaderboard], judges(url)).await;
    (desk, reports.remove(0))
}

/// A gate of this model on L2 with a margin of 20 points, whose baseline can be tried again.
fn request(url: &str, report: &str, model: &str) -> GateRequest {
    GateRequest {
        baseline: report.to_owned(),
        again: Some(run_of("openai_compat/good", url)),
        candidate: run_of(model, url),
        metric: MetricId::Sr,
        options: GateOptions { margin: 0.2, ..GateOptions::default() },
        levels: vec![Level::L2],
        judges: judges(url),
        judge_again: None,
        max_cost: None,
    }
}

/// A gate of a model that asks nobody against the golden one, by what nobody judges.
fn unjudged(report: &str, model: &str) -> GateRequest {
    GateRequest {
        baseline: report.to_owned(),
        again: Some(RunRequest::published("again", "baseline/golden")),
        candidate: RunRequest::published("candidate", model),
        metric: MetricId::ToolAcc,
        options: GateOptions { margin: 0.2, ..GateOptions::default() },
        levels: vec![Level::L1],
        judges: JudgeChoice::Nobody,
        judge_again: None,
        max_cost: None,
    }
}

async fn played(desk: &Desk, request: GateRequest) -> Result<GateSummary, WireError> {
    let gate = desk.compare.gate(request)?;
    desk.compare.play(gate, &watch, &Cancel::new()).await
}

#[tokio::test]
async fn an_equal_passes_a_worse_one_fails_and_too_few_attempts_leave_it_open() {
    let desk = Desk::new();
    let (_, report) = desk.made("baseline/golden", "L1").await;
    let plan = desk.compare.gate(unjudged(&report, "baseline/silent")).unwrap().estimate();
    assert_eq!((plan.tasks, plan.of, plan.strata, plan.earlier), (4, 4, 1, 0));
    assert_eq!((plan.limit.clone(), plan.cost), (None, Cost::NOTHING));
    assert!(plan.planned_attempts > 0 && plan.planned_attempts >= plan.fixed_attempts, "{plan:?}");
    let made = desk.count_of_runs();

    let failed = played(&desk, unjudged(&report, "baseline/silent")).await.unwrap();
    // The golden path is all of L1's tasks, and the silent model calls nothing: the difference is one whole.
    assert_eq!((failed.verdict, failed.difference), (GateVerdict::Fail, Some(-1.0)));
    assert!(failed.attempts < plan.planned_attempts, "one look is enough");
    assert_eq!((failed.tasks, failed.of, failed.scorer.as_str()), (4, 4, "leaderboard"));
    assert_eq!((failed.baseline.as_str(), failed.candidate.as_str()), (report.as_str(), "baseline/silent"));
    assert_eq!(failed.runs.len() + made, desk.count_of_runs());
    let passed = played(&desk, unjudged(&report, "baseline/golden")).await.unwrap();
    assert_eq!((passed.verdict, passed.difference), (GateVerdict::Pass, Some(0.0)));
    assert_eq!((passed.flaky.len(), passed.usd, passed.flips.is_none()), (0, None, true));

    let mut few = unjudged(&report, "baseline/silent");
    few.options.most_attempts = Some(2);
    let open = played(&desk, few).await.unwrap();
    assert_eq!((open.verdict, open.difference, open.looks.len()), (GateVerdict::Inconclusive, None, 0));
    assert!(open.sentence.to_string().contains("allow more attempts"), "{}", open.sentence);
}

#[tokio::test]
async fn a_gate_that_is_played_again_has_the_same_answer() {
    let desk = Desk::new();
    let (_, report) = desk.made("baseline/golden", "L1").await;
    let first = played(&desk, unjudged(&report, "baseline/silent")).await.unwrap();
    let again = played(&desk, unjudged(&report, "baseline/silent")).await.unwrap();
    assert_eq!((first.looks.clone(), first.attempts), (again.looks, again.attempts));
    // With a baseline that cannot be tried again, four attempts are all that there are.
    let mut closed = unjudged(&report, "baseline/silent");
    closed.again = None;
    refused(desk.compare.gate(closed.clone()), "the baseline's attempts are too few for a margin");
    closed.options.most_attempts = Some(40);
    let plan = desk.compare.gate(closed).unwrap().estimate();
    assert!(plan.limit.is_some(), "who says how many attempts to make begins all the same");
}

#[tokio::test]
async fn a_judged_gate_asks_models_and_judges_of_both_sides() {
    let server = server();
    let (desk, report) = with_baseline(&server.url).await;
    let asked = server.asked().len();
    let plan = desk.compare.gate(request(&server.url, &report, "openai_compat/good")).unwrap().estimate();
    assert!(plan.cost.calls > Some(plan.planned_attempts as f64), "judges are asked as well");
    assert_eq!((plan.cost.usd, plan.limit), (None, None), "no price is known");
    assert_eq!(server.asked().len(), asked, "a plan asks nobody");
    let failed = played(&desk, request(&server.url, &report, "openai_compat/bad")).await.unwrap();
    assert_eq!((failed.verdict, failed.difference), (GateVerdict::Fail, Some(-1.0)));
    let models: Vec<String> = server.asked()[asked..]
        .iter()
        .map(|body| body["model"].as_str().unwrap_or_default().to_owned())
        .collect();
    for model in ["good", "bad", "judge"] {
        assert!(models.iter().any(|one| one == model), "{model}");
    }
    let passed = played(&desk, request(&server.url, &report, "openai_compat/good")).await.unwrap();
    assert_eq!(passed.verdict, GateVerdict::Pass);
}

#[tokio::test]
async fn a_plan_says_when_it_is_expected_to_cost_more_than_it_may() {
    let server = server();
    let (desk, report) = with_baseline(&server.url).await;
    desk.set_price(1.0);
    let planned = |most: f64| {
        let mut asked = request(&server.url, &report, "openai_compat/good");
        asked.max_cost = Some(most);
        desk.compare.gate(asked).unwrap().estimate()
    };
    let usd = planned(1000.0).cost.usd.unwrap();
    let said = |most: f64| {
        let remarks = planned(most).remarks;
        remarks.iter().any(|one| one.to_string().contains("the whole gate is expected to cost"))
    };
    assert!(usd > 0.0 && said(usd * 0.99) && !said(usd) && !said(usd * 1.01));
    // What a budget ends is not known, and says so.
    let mut little = request(&server.url, &report, "openai_compat/bad");
    little.max_cost = Some(0.000_2);
    let open = played(&desk, little).await.unwrap();
    assert_eq!(open.verdict, GateVerdict::Inconclusive);
    let said = open.sentence.to_string();
    assert!(said.contains("the budget was spent before the answer was known"), "{said}");
}

/// A judge that says otherwise about every fifth question that it is asked again.
#[derive(Default)]
struct Contradictions {
    /// How often each question was asked, and whether the answer is another one from then on.
    asked: HashMap<String, (u32, bool)>,
    again: u32,
}

/// Votes of one asking.
const VOTES: u32 = 3;

impl Contradictions {
    fn says(&mut self, question: &str) -> bool {
        let (times, otherwise) = self.asked.entry(question.to_owned()).or_default();
        *times += 1;
        if *times == VOTES + 1 {
            self.again += 1;
            *otherwise = self.again.is_multiple_of(5);
        }
        !*otherwise
    }
}

#[tokio::test]
async fn how_often_the_judge_contradicts_itself_is_measured_and_no_part_of_the_score() {
    let state: Arc<Mutex<(u32, Contradictions)>> = Arc::default();
    let of_server = Arc::clone(&state);
    let server = Server::start(&["good", "judge"], move |body| {
        let mut state = of_server.lock().unwrap();
        let said = body["messages"].to_string();
        let text = if body["model"] == "judge" {
            verdict(state.1.says(&said))
        } else {
            // No two answers are alike, so that each has a verdict of its own.
            state.0 += 1;
            format!("좋은 답변입니다. {}", state.0)
        };
        (200, text)
    });
    let (desk, report) = with_baseline(&server.url).await;
    let asked = |again: Option<usize>| GateRequest {
        judge_again: again,
        ..request(&server.url, &report, "openai_compat/good")
    };
    let few = played(&desk, asked(Some(7))).await.unwrap();
    let (again, otherwise) = {
        let state = state.lock().unwrap();
        (state.1.again, state.1.asked.values().filter(|one| one.1).count() as u32)
    };
    let flips = few.flips.unwrap();
    assert_eq!((flips.asked, flips.differed), (again, otherwise));
    assert_eq!((again, otherwise), (7, 1), "the fifth of seven");
    near(flips.share, 1.0 / 7.0);
    assert_eq!((flips.measured, flips.undone), (true, false), "seven are too few to undo it");
    assert_eq!(few.difference, Some(0.0), "what it said the second time is no score");
    let named: u32 = few.flaky.iter().map(|one| one.judge_flips).sum();
    assert_eq!(named, otherwise);
    let unasked = played(&desk, asked(Some(0))).await.unwrap();
    assert_eq!((unasked.flips, state.lock().unwrap().1.again), (None, 7));
    // What is known of the judge already is not asked again.
    let mut known = asked(None);
    known.options.flips = Some(JudgeFlips { asked: 100, differed: 10 });
    let told = played(&desk, known).await.unwrap();
    let flips = told.flips.unwrap();
    assert_eq!((flips.asked, flips.measured, state.lock().unwrap().1.again), (100, false, 7));
}

#[tokio::test]
async fn what_cannot_be_gated_is_refused_before_anything_is_run() {
    let server = server();
    let (desk, report) = with_baseline(&server.url).await;
    let asked = server.asked().len();
    let sound = || request(&server.url, &report, "openai_compat/good");
    let with = |change: &dyn Fn(&mut GateRequest)| {
        let mut asked = sound();
        change(&mut asked);
        desk.compare.gate(asked)
    };
    refused(
        with(&|asked| asked.judges = JudgeChoice::Nobody),
        "SR is judged: name a judge with --judge-models",
    );
    refused(with(&|asked| asked.baseline = "nowhere".to_owned()), "nowhere");
    refused(with(&|asked| asked.metric = MetricId::Fsm), "has no task with FSM");
    refused(with(&|asked| asked.options.margin = 1.0), "the margin must be above 0 and below 1");
    refused(with(&|asked| asked.options.margin = 0.0), "the margin must be above 0 and below 1");
    refused(with(&|asked| asked.options.alpha = 0.5), "alpha must be above 0 and below 0.5");
    refused(with(&|asked| asked.options.power = 0.05), "power above alpha");
    refused(with(&|asked| asked.options.looks = 21), "the number of looks of a gate must be from 1 to 20");
    refused(with(&|asked| asked.levels.clear()), "name its levels with --levels");
    refused(with(&|asked| asked.again = None), "the baseline's attempts are too few for a margin");
    refused(with(&|asked| asked.max_cost = Some(1.0)), "the price of openai_compat/good is not known");
    refused(
        with(&|asked| asked.again = Some(run_of("openai_compat/bad", &server.url))),
        "a baseline has attempts of one model only",
    );
    let other = JudgeChoice::Models {
        ids: vec!["openai_compat/good".to_owned()],
        base_url: Some(server.url.clone()),
    };
    refused(
        with(&|asked| asked.judges = other.clone()),
        "was judged by openai_compat/judge with 3 votes, and the gate asks openai_compat/good with 3",
    );
    let few = JudgeFlips { asked: 49, differed: 1 };
    refused(
        with(&|asked| asked.options.flips = Some(few)),
        "only 49 answers show how often the judge contradicts itself; have at least 50",
    );
    with(&|asked| asked.options.flips = Some(JudgeFlips { asked: 50, differed: 1 })).unwrap();
    assert_eq!(server.asked().len(), asked, "nobody was asked");
}

#[tokio::test]
async fn the_file_of_a_report_is_a_baseline_with_what_it_does_not_say() {
    let desk = Desk::new();
    let (_, report) = desk.made("baseline/golden", "L1").await;
    let folder = desk.path().join("reports").join(&report);
    let file = folder.join("evaluation_report.json");
    let read = |word: &str| Baseline::read(desk.runs(), word, MetricId::ToolAcc, &[]);
    // The same report in the library says the rest.
    let of_file = read(&file.display().to_string()).unwrap();
    assert_eq!((of_file.id.as_deref(), of_file.remarks.len()), (Some(report.as_str()), 0));
    assert!(
        of_file.facts.is_some() && of_file.pack.as_deref().is_some_and(|pack| pack.starts_with("starter@"))
    );
    // A report that the library does not have leaves that open.
    let away = desk.path().join("away.json");
    fs::copy(&file, &away).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let alone = read(&away.display().to_string()).unwrap();
    assert_eq!((alone.id.clone(), alone.run.clone(), alone.pack.clone()), (None, None, None));
    assert!(alone.facts.is_none());
    let remark = alone.remarks[0].to_string();
    assert!(remark.contains("away.json does not name its pack"), "{remark}");
    let ids: Vec<&str> = alone.tasks.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(ids, ["L1-001", "L1-002", "L1-003", "L1-004"]);
    assert_eq!(alone.attempts, vec![vec![(1, 1.0)]; 4]);
    fs::write(&away, "no report").unwrap();
    refused(read(&away.display().to_string()), "away.json");
    let absent = Baseline::read(desk.runs(), "nowhere", MetricId::ToolAcc, &[]);
    refused(absent, "nowhere");
}

#[test]
fn a_task_without_a_score_has_no_attempt_at_hand() {
    let desk = Desk::new();
    let score = |at: usize| match at {
        0 => None,
        at => Some(at as f64 / 4.0),
    };
    let task = |at: usize| (format!("L1-{:03}", at + 1), vec![("SR", score(at)), ("ToolAcc", Some(1.0))]);
    let group = WrittenGroup { name: "L1", tasks: (0..4).map(task).collect() };
    let second = WrittenGroup::solved("L2", "SR", &[true]);
    let report = Written { model: "lab/a", judge: "j/1", groups: vec![group, second] };
    desk.put("partly", &report);
    let read = |levels: &[Level]| Baseline::read(desk.runs(), "partly", MetricId::Sr, levels).unwrap();
    let all = read(&[]);
    let ids: Vec<(Level, &str)> = all.tasks.iter().map(|(level, id)| (level.clone(), id.as_str())).collect();
    // The task that has no SR at all is none of the gate's.
    assert_eq!(
        ids,
        [(Level::L1, "L1-002"), (Level::L1, "L1-003"), (Level::L1, "L1-004"), (Level::L2, "L2-001")]
    );
    assert_eq!(all.attempts, [vec![(1, 0.25)], vec![(1, 0.5)], vec![(1, 0.75)], vec![(1, 1.0)]]);
    assert_eq!(read(&[Level::L2]).tasks, [(Level::L2, "L2-001".to_owned())]);
    assert_eq!(all.outcomes().iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 1]);
    refused(
        Baseline::read(desk.runs(), "partly", MetricId::Sr, &[Level::L3]),
        "the baseline partly has no task with SR",
    );
}

fn of_kind(desk: &Desk, judge: &str, asked: &[&str]) -> Result<usize, WireError> {
    desk.put(
        "base",
        &Written {
            model: "lab/Model",
            judge,
            groups: vec![WrittenGroup::solved("L1", "SR", &[true, false])],
        },
    );
    let baseline = Baseline::read(desk.runs(), "base", MetricId::Sr, &[]).unwrap();
    let asked: Vec<String> = asked.iter().map(|judge| (*judge).to_owned()).collect();
    let request = GateRequest { metric: MetricId::Sr, again: None, ..unjudged("base", "lab/model") };
    let remarks = sides::check(&baseline, &request, PackKind::Agent, Some("lab/model"), &asked)?;
    Ok(remarks.len())
}

#[test]
fn judges_are_the_same_whatever_their_order_and_case() {
    let desk = Desk::new();
    for (then, now, is_same) in [
        ("j/one", &["j/one"][..], true),
        ("j/one", &["J/One"], true),
        // A report may leave the provider out, and then the name alone counts.
        ("one", &["j/one"], true),
        ("j/one", &["k/one"], false),
        ("j/one", &["j/two"], false),
        ("j/one", &["j/one", "j/two"], false),
        ("j/one, j/two", &["j/two", "j/one"], true),
        ("j/one, j/two", &["j/one"], false),
    ] {
        let found = of_kind(&desk, then, now);
        match is_same {
            true => drop(found.unwrap()),
            false => refused(found, "the baseline base was judged by"),
        }
    }
}

#[test]
fn attempts_of_two_models_make_no_baseline() {
    let desk = Desk::new();
    desk.put_solved("base", "lab/Model", "L1", &[true, false]);
    let baseline = Baseline::read(desk.runs(), "base", MetricId::ToolAcc, &[]);
    refused(baseline, "has no task with ToolAcc");
    let baseline = Baseline::read(desk.runs(), "base", MetricId::Sr, &[]).unwrap();
    let check = |model: &str| {
        let request = unjudged("base", "lab/other");
        sides::check(&baseline, &request, PackKind::Agent, Some(model), &[])
    };
    for (model, is_same) in [
        ("lab/Model", true),
        ("LAB/model", true),
        ("model", true),
        ("other/model", false),
        ("lab/model-2", false),
    ] {
        match is_same {
            true => drop(check(model).unwrap()),
            false => refused(check(model), &format!("--baseline-model is {model}")),
        }
    }
}

#[test]
fn what_differs_between_the_sides_beside_the_change_is_said() {
    let desk = Desk::new();
    desk.put_solved("base", "lab/a", "L1", &[true, false]);
    let mut baseline = Baseline::read(desk.runs(), "base", MetricId::Sr, &[]).unwrap();
    let unknown = koab_core::say!("nobody says it");
    baseline.facts = Some(Facts {
        settings: Fact::known(SettingsFacts::published()),
        ..Facts::unknown("lab/a", &unknown)
    });
    let said = |change: &dyn Fn(&mut RunRequest)| -> Vec<String> {
        let mut request = unjudged("base", "lab/a");
        change(&mut request.candidate);
        let remarks = sides::check(&baseline, &request, PackKind::Agent, None, &[]).unwrap();
        remarks.iter().map(ToString::to_string).collect()
    };
    let before = said(&|_| ());
    for (change, word) in [
        (&(|run: &mut RunRequest| run.settings.max_steps += 1) as &dyn Fn(&mut RunRequest), "steps"),
        (&|run| run.settings.timeout_s += 1.0, "time"),
        (&|run| run.settings.temperature = Some(0.1), "temperature"),
        (&|run| run.settings.max_tokens = Some(7), "tokens"),
        (&|run| run.settings.effort = Some("high".to_owned()), "effort"),
    ] {
        let after = said(change);
        let new: Vec<&String> = after.iter().filter(|one| !before.contains(one)).collect();
        assert_eq!(new.len(), 1, "{word}: {after:?}");
        assert!(new[0].starts_with("baseline and candidate: "), "{new:?}");
        assert!(new[0].to_lowercase().contains(word), "{word}: {new:?}");
    }
    // The temperature that a benchmark has where none is named is no difference.
    assert_eq!(said(&|run| run.settings.temperature = Some(0.7)), before);
}

#[tokio::test]
async fn earlier_reports_say_where_attempts_are_needed_but_the_own_one_does_not() {
    let desk = Desk::new();
    let (_, report) = desk.made("baseline/golden", "L1").await;
    let earlier =
        |desk: &Desk| desk.compare.gate(unjudged(&report, "baseline/silent")).unwrap().estimate().earlier;
    assert_eq!(earlier(&desk), 0, "the baseline's own report");
    let (silent, _) = desk.made("baseline/silent", "L1").await;
    assert_eq!(earlier(&desk), 1);
    // A run that was scored twice is one report.
    desk.score(&silent, &[Protocol::Corrected], JudgeChoice::Nobody).await;
    assert_eq!(earlier(&desk), 1);
    // A report that names no pack may be of another one.
    desk.put_solved("strange", "lab/x", "L1", &[true; 4]);
    assert_eq!(earlier(&desk), 1);
}

#[test]
fn a_gate_costs_its_attempts_by_level_and_the_judges_of_all() {
    let task = |at: usize| GateTask {
        id: format!("t{at}"),
        group: if at < 4 { "L1" } else { "L2" }.to_owned(),
        attempts: 0,
        solved: 0,
    };
    let tasks: Vec<GateTask> = (0..8).map(task).collect();
    let options = GateOptions { margin: 0.2, ..GateOptions::default() };
    let plan = GatePlan::new(&tasks, Vec::new(), options).unwrap();
    let level = |level, usd: f64| DryRunLevel {
        level,
        tasks: 4,
        golden_calls: 0,
        golden_open: 0,
        golden_missing: Vec::new(),
        estimate: Some(Estimate { calls: 8.0, usd: Some(usd), minutes: Some(2.0), ..Estimate::default() }),
    };
    let run = |model: &str| DryRun {
        pack: "p@1".to_owned(),
        model: model.to_owned(),
        attempts: 8,
        levels: vec![level(Level::L1, 0.4), level(Level::L2, 0.8)],
        estimate: None,
        judges: Vec::new(),
        is_request: false,
        short_limit: None,
    };
    let groups = plan.planned_by_group();
    let (one, two) = (groups["L1"] as f64, groups["L2"] as f64);
    let sides = Sides { candidate: run("a/one"), again: None, judges: Vec::new() };
    // An attempt takes two calls, and 0.1 or 0.2 USD by its level.
    let cost = sides.cost(&plan, 0);
    near(cost.calls, 2.0 * (one + two));
    near(cost.usd, 0.1 * one + 0.2 * two);
    near(cost.minutes, 0.5 * (one + two));
    // The baseline's new attempts cost as much again: the plan has as many on both sides.
    let both = Sides { again: Some(run("a/one")), ..sides };
    near(both.cost(&plan, 0).usd, 2.0 * (0.1 * one + 0.2 * two));
    let silent = Sides {
        candidate: run("a/one"),
        again: Some(DryRun {
            levels: vec![DryRunLevel { estimate: None, ..level(Level::L1, 0.0) }],
            ..run("baseline/silent")
        }),
        judges: Vec::new(),
    };
    near(silent.cost(&plan, 0).usd, 0.1 * one + 0.2 * two);
    let unknown = Sides {
        candidate: DryRun {
            levels: vec![DryRunLevel { estimate: None, ..level(Level::L1, 0.0) }],
            ..run("a/one")
        },
        again: None,
        judges: Vec::new(),
    };
    assert_eq!(unknown.cost(&plan, 0).calls, None);
}

#[test]
fn judges_cost_by_every_attempt_and_by_what_they_are_asked_again() {
    let tasks: Vec<GateTask> = (0..4)
        .map(|at| GateTask { id: format!("t{at}"), group: "L1".to_owned(), attempts: 0, solved: 0 })
        .collect();
    let plan =
        GatePlan::new(&tasks, Vec::new(), GateOptions { margin: 0.2, ..GateOptions::default() }).unwrap();
    let judge = JudgeEstimate {
        judge: "a/judge".to_owned(),
        known: 0,
        calls: 8.0,
        prompt_tokens: 0.0,
        completion_tokens: 0.0,
        usd: Some(0.4),
    };
    let sides = Sides {
        candidate: DryRun {
            pack: "p@1".to_owned(),
            model: "baseline/golden".to_owned(),
            attempts: 4,
            levels: vec![DryRunLevel {
                level: Level::L1,
                tasks: 4,
                golden_calls: 0,
                golden_open: 0,
                golden_missing: Vec::new(),
                estimate: None,
            }],
            estimate: None,
            judges: Vec::new(),
            is_request: false,
            short_limit: None,
        },
        again: None,
        judges: vec![judge],
    };
    // Four tasks take eight calls and 0.4 USD, so an answer takes two and 0.1.
    let all = plan.planned_attempts() as f64;
    near(sides.cost(&plan, 0).calls, 2.0 * all);
    near(sides.cost(&plan, 50).calls, 2.0 * (all + 50.0));
    near(sides.cost(&plan, 50).usd, 0.1 * (all + 50.0));
}
