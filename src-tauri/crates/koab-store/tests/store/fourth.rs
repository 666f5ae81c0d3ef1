//! A fourth benchmark, of the tests' own, beyond its trait: its items become the tasks of a pack, a run asks them, and its logs become scores,
//! questions to judges and a report. Only taking files in by their name needs the list of those that ship.

#[path = "../../../koab-benchmarks/tests/fourth/proverbs.rs"]
mod proverbs;

use koab_benchmarks::scoring::Scoring;
use koab_benchmarks::{Benchmark, Files, find_in, owners_in};
use koab_core::catalog::ToolCatalog;
use koab_core::event::RunOutcome;
use koab_core::judge::{Verdict, Verdicts};
use koab_core::log::LevelLog;
use koab_core::pack::PackManifest;
use koab_core::run_record::RunSpec;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_engine::ports::{Cancel, ChangeInbox, Pause};
use koab_engine::{RunInput, RunPorts, run};
use koab_report::{Dataset, EvaluationOptions, evaluate_whole, to_csv, to_markdown_of};
use koab_stand_ins::{EventList, MemoryCache, MemoryLog, Scripted, ScriptedModel, StepClock};
use koab_store::benchmark_pack::BenchmarkPack;
use proverbs::Proverbs;
use std::sync::Arc;

/// The one file of the benchmark.
struct File(&'static str);

const TEXT: &str =
    "common\t가는 말이 고와야\t오는 말이 곱다\ncommon\t등잔 밑이\t어둡다\nrare\t곤자소니에\t발기름이 끼었다";

impl Files for File {
    fn paths(&self) -> Vec<String> {
        vec![self.0.to_owned()]
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        match path == self.0 {
            true => Ok(TEXT.as_bytes().to_vec()),
            false => Err(say!("{path} is missing")),
        }
    }
}

/// The pack that its files make, found among all benchmarks as those that ship are.
fn pack() -> BenchmarkPack {
    let all: Vec<&'static dyn Benchmark> = koab_benchmarks::ALL.into_iter().chain([&Proverbs as _]).collect();
    let (owner, files) = owners_in(&all, &File("proverbs-1.0/proverbs.tsv")).remove(0);
    let [(path, _)] = files.as_slice() else {
        panic!("one file: {files:?}");
    };
    assert_eq!(path, "tasks/proverbs.tsv");
    let benchmark = find_in(&all, owner.name()).expect("it is one of them");
    let items = benchmark.items(&File("tasks/proverbs.tsv")).expect("items");
    BenchmarkPack { label: "proverbs@1".to_owned(), benchmark, items }
}

/// The logs of a run whose model finishes the first proverb, not the second, and looks the third up.
async fn logs(tasks: Vec<Task>) -> Vec<LevelLog> {
    let model = Arc::new(ScriptedModel::new([
        ("proverb-1", vec![Scripted::Text("오는 말이 곱다")]),
        ("proverb-2", vec![Scripted::Text("밝다")]),
        ("proverb-3", vec![Scripted::Calls(vec![("look_up", "{}")])]),
    ]));
    let log = MemoryLog::default();
    let ports = RunPorts {
        model: model.clone(),
        agent: None,
        cache: Arc::new(MemoryCache::default()),
        live: None,
        log: Some(Box::new(log.clone())),
        sink: Arc::new(EventList::default()),
        clock: Arc::new(StepClock::default()),
        pause: Pause::default(),
        changes: ChangeInbox::default(),
        folder: None,
    };
    let spec = RunSpec::published("run-1", "proverbs@1", "lab/teller");
    let input = RunInput::new(spec, tasks, ToolCatalog::default());
    let ended = run(input, ports, Cancel::new()).await;
    assert_eq!(ended.outcome, RunOutcome::Completed, "{:?}", ended.reason);
    assert_eq!(model.requests().len(), 3, "one request an item");
    let written = log.written.lock().expect("not poisoned");
    let levels = written.levels.iter();
    levels.map(|(group, document)| LevelLog::read_as(group.clone(), document).expect("a log")).collect()
}

#[tokio::test]
async fn a_fourth_benchmark_is_run_judged_and_reported_like_those_that_ship() {
    let found = pack();
    let scoring = Scoring::new(found.benchmark, found.items.clone());
    let tasks = found.into_pack(PackManifest::default()).expect("a pack");
    assert!(tasks.kind.is_request());
    let tasks: Vec<Task> = tasks.tasks.into_values().flatten().collect();
    assert_eq!(tasks.len(), 3);
    let logs = logs(tasks).await;
    let groups: Vec<&str> = logs.iter().map(|log| log.level.as_str()).collect();
    assert_eq!(groups, ["common", "rare"]);

    let dataset = Dataset::of_items(Arc::new(scoring));
    let options = EvaluationOptions::default();
    let asked = dataset.items().expect("items").questions(&logs, &options);
    let asked: Vec<_> =
        asked.iter().map(|(question, _)| (question.task_id.as_str(), question.prompt.as_str())).collect();
    assert_eq!(asked, [("proverb-2", "Does 밝다 finish \"등잔 밑이\"?")]);

    let unjudged = evaluate_whole(&logs, &dataset, &Verdicts::none(), &options);
    let why = unjudged.tables.and_then(|tables| tables.no_tables);
    assert_eq!(why.expect("a reason").to_string(), "the tables need judges, and none was asked");
    for (said, of_common, table) in [("no", 0.5, "2 of 3"), ("yes", 1.0, "3 of 3")] {
        let mut verdicts = Verdicts::none();
        verdicts.add("proverb-2", Verdict::in_words("lab/judge", MetricId::Sr, said));
        let whole = evaluate_whole(&logs, &dataset, &verdicts, &options);
        let mean = |at: usize| {
            let group = &whole.report.levels[at].level;
            whole.report.mean(group, MetricId::Sr).expect("a mean")
        };
        assert_eq!([mean(0), mean(1)], [of_common, 1.0], "{said}");
        assert_eq!(whole.items.len(), 3);
        let tables = whole.tables.expect("tables");
        assert_eq!(tables.tables[0].printed.as_deref(), Some(table));
        let page = to_markdown_of(&whole.report, Some(&tables));
        assert!(
            page.starts_with("# Three Proverbs ") && page.contains("lab/teller") && page.contains(table),
            "{page}"
        );
        assert!(to_csv(&whole.report).contains("common"));
    }
}
