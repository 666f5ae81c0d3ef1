use super::cells::{self, Cell};
use super::file::{SweepFile, parsed};
use super::folder::SweepEntry;
use super::ledger::Ledger;
use super::part::{Made, Part};
use super::plan::{SweepPlanRun, SweepState, plan, planned_run};
use super::{SweepSummary, SweepVerdict, twice};
use crate::tests::desk::server::{Server, verdict};
use crate::tests::desk::{Desk, near, refused, watch};
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::run_record::{Spending, TokenUsage};
use koab_engine::ports::{Amount, Cancel, Ledger as _};
use koab_library::RunRequest;
use koab_store::holds::{Spender, start};
use koab_store::run_folder::RunFolder;
use koab_workspace::{ErrorCode, WireError};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn file(text: &str) -> SweepFile {
    parsed(Path::new("sweep.toml"), text).unwrap()
}

fn labels(text: &str) -> Vec<String> {
    let cells = cells::cells(&file(text), "sweep.toml").unwrap();
    cells.into_iter().map(|cell| cell.label).collect()
}

const TWO: &str = "[[models]]\nid = \"a/one\"\n[[models]]\nid = \"a/two\"\n";

#[test]
fn cells_are_every_combination_in_the_order_of_the_file() {
    let text =
        format!("{TWO}[settings]\ntemperature = [1.0, 0.0]\nseed = [7]\neffort = [\"default\", \"high\"]\n");
    // A single seed is the same of all, so no label has it.
    assert_eq!(
        labels(&text),
        [
            "a/one temperature=1 effort=default",
            "a/one temperature=1 effort=high",
            "a/one temperature=0 effort=default",
            "a/one temperature=0 effort=high",
            "a/two temperature=1 effort=default",
            "a/two temperature=1 effort=high",
            "a/two temperature=0 effort=default",
            "a/two temperature=0 effort=high",
        ]
    );
    let cells = cells::cells(&file(&text), "sweep.toml").unwrap();
    assert!(cells.iter().all(|cell| cell.seed == Some(7)));
    let efforts: Vec<Option<&str>> = cells[..2].iter().map(|cell| cell.effort.as_deref()).collect();
    assert_eq!(efforts, [None, Some("high")], "the default is left to the model");
    assert_eq!(cells[2].temperature, Some(0.0));
    assert_eq!(labels(TWO), ["a/one", "a/two"]);
}

#[test]
fn values_that_make_no_sense_are_refused() {
    for (settings, sentence) in [
        ("temperature = []", "temperature of sweep.toml has no value"),
        ("temperature = [0.7, 0.7]", "temperature of sweep.toml has 0.7 twice"),
        ("temperature = [2.1]", "the temperature must be from 0 to 2"),
        ("temperature = [-0.1]", "the temperature must be from 0 to 2"),
        ("seed = [1, 2, 1]", "seed of sweep.toml has 1 twice"),
        (
            "effort = [\"most\"]",
            "sweep.toml has the unknown effort most; the efforts are default, low, medium, high",
        ),
        ("system_prompt = [\"a/b.txt\"]", "is not a file in the folder of"),
        ("system_prompt = [\"a\\\\b.txt\"]", "is not a file in the folder of"),
        ("system_prompt = [\"c:b.txt\"]", "is not a file in the folder of"),
        ("tool_texts = [\"..\"]", "is not a file in the folder of"),
        ("tool_texts = [\"gone.toml\"]", "cannot be read"),
    ] {
        let text = format!("{TWO}[settings]\n{settings}\n");
        refused(cells::cells(&file(&text), "sweep.toml"), sentence);
    }
    for (border, is_taken) in [("0.0", true), ("2.0", true), ("2.0000001", false)] {
        let text = format!("{TWO}[settings]\ntemperature = [{border}]\n");
        assert_eq!(cells::cells(&file(&text), "sweep.toml").is_ok(), is_taken, "{border}");
    }
    let again = format!("{TWO}[[models]]\nid = \"a/one\"\n");
    refused(cells::cells(&file(&again), "s"), "models of s has a/one twice");
    let packs = format!("packs = [\"p\", \"p\"]\n{TWO}");
    refused(cells::cells(&file(&packs), "s"), "packs of s has p twice");
}

#[test]
fn texts_of_one_axis_must_say_different_things() {
    let text = format!(
        "{TWO}[settings]\nsystem_prompt = [\"one.txt\", \"none\", \"two.txt\"]\n[texts]\n\"one.txt\" = \"짧게\"\n\"two.txt\" = \"짧게\\n\"\n"
    );
    // Ends of lines at the end of a prompt are none of it.
    refused(cells::cells(&file(&text), "s"), "one.txt and two.txt say the same");
    let apart = text.replace("\"two.txt\" = \"짧게\\n\"", "\"two.txt\" = \"길게\"");
    let cells = cells::cells(&file(&apart), "s").unwrap();
    let prompts: Vec<Option<String>> = cells[..3].iter().map(Cell::prompt).collect();
    assert_eq!(prompts, [Some("one.txt".to_owned()), None, Some("two.txt".to_owned())]);
    let empty = text.replace("\"one.txt\" = \"짧게\"", "\"one.txt\" = \" \\n\"");
    refused(cells::cells(&file(&empty), "s"), "one.txt is empty");
}

#[cfg(unix)]
#[test]
fn a_link_to_what_lies_elsewhere_is_not_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let [here, elsewhere] = ["here", "elsewhere"].map(|name| folder.path().join(name));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("key.txt"), "비밀").unwrap();
    std::os::unix::fs::symlink(elsewhere.join("key.txt"), here.join("link.txt")).unwrap();
    fs::write(here.join("own.txt"), "말").unwrap();
    let file = SweepFile { folder: here, ..file(TWO) };
    refused(file.beside("link.txt"), "link.txt is not a file in the folder of the sweep's file");
    assert_eq!(file.beside("own.txt").unwrap().1, "말");
}

#[test]
fn the_baseline_names_a_value_of_every_axis_that_has_several() {
    let settings = "[settings]\ntemperature = [0.0, 1.0]\neffort = [\"default\", \"low\"]\nseed = [3]\n";
    for (baseline, found) in [
        ("model = \"a/two\"\ntemperature = 1.0\neffort = \"low\"", Ok("a/two temperature=1 effort=low")),
        (
            "model = \"a/one\"\ntemperature = 0.0\neffort = \"default\"\nseed = 3",
            Ok("a/one temperature=0 effort=default"),
        ),
        ("temperature = 1.0\neffort = \"low\"", Err("does not say which model")),
        ("model = \"a/two\"\neffort = \"low\"", Err("does not say which temperature")),
        ("model = \"a/two\"\ntemperature = 1.0", Err("does not say which effort")),
        (
            "model = \"a/three\"\ntemperature = 1.0\neffort = \"low\"",
            Err("model a/three is not among the values"),
        ),
        (
            "model = \"a/two\"\ntemperature = 0.5\neffort = \"low\"",
            Err("temperature 0.5 is not among the values"),
        ),
        (
            "model = \"a/two\"\ntemperature = 1.0\neffort = \"high\"",
            Err("effort high is not among the values"),
        ),
        (
            "model = \"a/two\"\ntemperature = 1.0\neffort = \"low\"\nseed = 4",
            Err("seed 4 is not among the values"),
        ),
    ] {
        let file = file(&format!("{TWO}{settings}[baseline]\n{baseline}\n"));
        let cells = cells::cells(&file, "s").unwrap();
        let place = cells::baseline(&file, &cells, "s");
        match found {
            Ok(label) => assert_eq!(cells[place.unwrap()].label, label),
            Err(sentence) => refused(place, sentence),
        }
    }
    // Where there is one value, it need not be named.
    let one = file("[[models]]\nid = \"a/one\"\n[settings]\nseed = [3]\n");
    assert_eq!(cells::baseline(&one, &cells::cells(&one, "s").unwrap(), "s").unwrap(), 0);
    let texts = file(
        "[[models]]\nid = \"a/one\"\n[settings]\nsystem_prompt = [\"none\", \"x\"]\n[baseline]\nsystem_prompt = \"x\"\n[texts]\nx = \"y\"\n",
    );
    assert_eq!(cells::baseline(&texts, &cells::cells(&texts, "s").unwrap(), "s").unwrap(), 1);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_line() {
    for (text, sentence) in [
        ("name = \"x\"\nrepetition = 2\n", "sweep.toml, line 2: unknown field `repetition`"),
        ("name = 3\n", "sweep.toml, line 1: invalid type"),
        (
            "name = \"x\"\n\n[[models]]\nid = \"a/b\"\nurl = \"x\"\n",
            "sweep.toml, line 5: unknown field `url`",
        ),
        ("name = \"x\n", "sweep.toml, line 1: "),
    ] {
        refused(parsed::<SweepFile>(Path::new("sweep.toml"), text), sentence);
    }
    let none = file("name = \"x\"\n");
    refused(none.check("sweep.toml"), "sweep.toml names no model");
    assert_eq!((none.metric.as_str(), none.repetitions), ("SR", 1));
    refused(
        file(&format!("metric = \"x\"\n{TWO}")).metric("s"),
        "s names the unknown metric x; the metrics are SR",
    );
    assert_eq!(file(&format!("metric = \"toolacc\"\n{TWO}")).metric("s").unwrap().name(), "ToolAcc");
}

#[test]
fn settings_of_all_runs_are_checked_at_their_borders() {
    for (line, sentence) in [
        ("repetitions = 0", Some("repetitions and steps must be 1 or more")),
        ("max_steps = 0", Some("repetitions and steps must be 1 or more")),
        ("max_steps = 1", None),
        ("timeout_s = 0.0", Some("the time limit must be above 0 and at most 86400 seconds")),
        ("timeout_s = 86400.0", None),
        ("timeout_s = 86400.5", Some("the time limit must be above 0")),
        ("levels = [\"L2\"]", None),
        // Groups that a pack has are known only with the pack.
        ("levels = [\"L9x\"]", None),
        ("levels = [\"../x\"]", Some("`../x`")),
    ] {
        let request = file(&format!("{line}\n{TWO}")).request("a/one");
        match sentence {
            Some(sentence) => refused(request, sentence),
            None => assert_eq!(request.unwrap().model, "a/one", "{line}"),
        }
    }
}

/// Names of a file's runs on a pack of this content.
fn names(file: &SweepFile, content: &str) -> Vec<String> {
    let cells = cells::cells(file, "s").unwrap();
    let name = |cell: &Cell| {
        let request = cell.request(file, Some("p".to_owned())).unwrap();
        cell.run_name(file, &request, content)
    };
    cells.iter().map(name).collect()
}

#[test]
fn a_run_is_found_again_by_all_that_decides_it_and_by_nothing_else() {
    let base = format!("name = \"s\"\nrepetitions = 2\n{TWO}[settings]\ntemperature = [0.5]\n");
    let first = |text: &str| names(&file(text), "c").remove(0);
    let name = first(&base);
    assert!(name.starts_with("sweep-") && name.len() == "sweep-".len() + 16, "{name}");
    // What it may cost, how much goes on at once, and values beside it change nothing.
    for same in [
        format!("max_cost = 3.0\nmax_total_tokens = 9\nconcurrency = 4\n{base}"),
        base.replace("[0.5]", "[0.5, 0.6]"),
        format!("{base}[judges]\nmodels = [\"a/judge\"]\n"),
        base.replace("id = \"a/two\"", "id = \"a/three\""),
    ] {
        assert_eq!(first(&same), name, "{same}");
    }
    for other in [
        base.replace("name = \"s\"", "name = \"t\""),
        base.replace("repetitions = 2", "repetitions = 3"),
        base.replace("[0.5]", "[0.6]"),
        base.replace("a/one", "a/uno"),
        format!("levels = [\"L1\"]\n{base}"),
        format!("tasks = [\"L1-001\"]\n{base}"),
        format!("max_steps = 3\n{base}"),
        format!("timeout_s = 3.0\n{base}"),
        format!("max_tokens = 3\n{base}"),
        format!("protocol = \"corrected\"\n{base}"),
        format!("{base}seed = [1]\n"),
        format!("{base}effort = [\"low\"]\n"),
        format!("{base}system_prompt = [\"x\"]\n[texts]\nx = \"y\"\n"),
        base.replacen("id = \"a/one\"", "id = \"a/one\"\nbase_url = \"http://x/v1\"", 1),
    ] {
        assert_ne!(first(&other), name, "{other}");
    }
    assert_ne!(names(&file(&base), "d")[0], name, "another content of the pack");
    // A password and the key of an address are no part of the name, but a query is.
    let at = |url: &str| {
        first(&base.replacen("id = \"a/one\"", &format!("id = \"a/one\"\nbase_url = \"{url}\""), 1))
    };
    assert_eq!(at("http://u:p@x/v1"), at("http://x/v1"));
    assert_ne!(at("http://x/v1?deployment=a"), at("http://x/v1?deployment=b"));
}

#[test]
fn a_pack_that_is_changed_under_its_name_has_another_content() {
    let desk = Desk::new();
    let (pack, content) = desk.compare.content(None).unwrap();
    assert!(content.starts_with(&format!("{} ", pack.label())), "{content}");
    assert_eq!(desk.compare.content(Some("starter")).unwrap().1, content);
    let of = |pack: &Pack, records: &str| cells::content(pack, records);
    let before = of(&pack, "records");
    let mut tasks = pack.clone();
    tasks.tasks.get_mut(&Level::L1).unwrap().pop();
    let mut tools = pack.clone();
    tools.tools[0].description.push('.');
    for (other, records) in [(&tasks, "records"), (&tools, "records"), (&pack, "others")] {
        assert_ne!(of(other, records), before);
    }
    assert_eq!(of(&pack.clone(), "records"), before);
}

fn part(cell: usize, pack: &str, found: Option<Made>) -> Part {
    Part {
        cell,
        pack: pack.to_owned(),
        request: RunRequest::published(&format!("sweep-{cell}-{pack}"), "a/one"),
        found,
        is_to_judge: false,
    }
}

fn made(usd: Option<f64>, outcome: Option<RunOutcome>) -> Made {
    Made {
        id: "m/1".to_owned(),
        run: RunFolder { folder: PathBuf::new(), levels: BTreeMap::new() },
        is_complete: outcome == Some(RunOutcome::Completed),
        failed: 0,
        spending: Some(Spending { usd, usage: TokenUsage::default(), ..Spending::default() }),
        outcome,
        reason: None,
    }
}

fn ahead(usd: Option<f64>, attempts: u32) -> SweepPlanRun {
    SweepPlanRun {
        attempts,
        calls: Some(2.0),
        usd,
        minutes: Some(1.5),
        ..planned_run("cell", &part(0, "p", None), None)
    }
}

#[test]
fn a_budget_is_refused_above_what_was_spent_and_is_still_ahead() {
    let done = RunOutcome::Completed;
    let parts = [part(0, "p", Some(made(Some(0.25), Some(done)))), part(1, "p", None)];
    for (cap, refusal) in [
        (None, None),
        // 0.25 spent and 0.5 ahead: the border itself is allowed.
        (Some(0.75), None),
        (Some(0.7499), Some("the sweep is expected to cost $0.75, more than its budget of $0.7499")),
        (Some(0.5), Some("expected to cost $0.75, more than its budget of $0.5")),
    ] {
        let file = SweepFile { max_cost: cap, ..file(TWO) };
        let runs = vec![ahead(Some(0.0), 0), ahead(Some(0.5), 4)];
        let found = plan(runs, &parts, &Ledger::default(), &file);
        let said = found.refusal.map(|said| said.to_string());
        match refusal {
            None => assert_eq!(said, None, "{cap:?}"),
            Some(refusal) => assert!(said.unwrap().contains(refusal), "{cap:?}"),
        }
        assert_eq!((found.spent, found.usd, found.attempts), (Some(0.25), Some(0.5), 4));
        assert_eq!((found.calls, found.minutes, found.unknown), (4.0, 3.0, 0));
    }
}

#[test]
fn what_is_made_is_shown_whatever_it_cost_and_an_unknown_cost_keeps_no_budget() {
    let done = Some(RunOutcome::Completed);
    let capped = SweepFile { max_cost: Some(0.1), ..file(TWO) };
    let dear = [part(0, "p", Some(made(Some(9.0), done)))];
    let shown = plan(vec![ahead(Some(0.0), 0)], &dear, &Ledger::default(), &capped);
    assert_eq!((shown.refusal, shown.spent), (None, Some(9.0)));
    // Judges that are still to be asked can cost.
    let mut judged = part(0, "p", Some(made(Some(9.0), done)));
    judged.is_to_judge = true;
    let refused = plan(vec![ahead(Some(0.0), 0)], &[judged], &Ledger::default(), &capped);
    assert!(refused.refusal.is_some());
    let unknown = [part(0, "p", Some(made(None, done))), part(1, "p", None)];
    let found = plan(vec![ahead(Some(0.0), 0), ahead(Some(0.01), 2)], &unknown, &Ledger::default(), &capped);
    let said = found.refusal.unwrap().to_string();
    assert!(said.starts_with("the cost of run m/1 and its judges is not known"), "{said}");
    assert_eq!(found.spent, None);
    // A run that was killed has spent what nobody wrote down.
    let killed = [part(0, "p", Some(made(Some(0.02), None)))];
    let found = plan(vec![ahead(Some(0.01), 2)], &killed, &Ledger::default(), &file(TWO));
    assert_eq!((found.spent, found.refusal), (None, None));
}

#[test]
fn a_run_is_new_begun_or_made() {
    for (found, state, outcome) in [
        (None, SweepState::New, None),
        (Some(made(None, None)), SweepState::Begun, None),
        (Some(made(None, Some(RunOutcome::Cancelled))), SweepState::Begun, Some(RunOutcome::Cancelled)),
        (Some(made(None, Some(RunOutcome::Completed))), SweepState::Made, Some(RunOutcome::Completed)),
    ] {
        let run = found.as_ref().map(|made| made.id.clone());
        let planned = planned_run("c", &part(0, "p", found), None);
        assert_eq!((planned.state, planned.outcome, planned.run), (state, outcome, run));
        assert_eq!((planned.attempts, planned.calls, planned.usd), (0, Some(0.0), Some(0.0)));
    }
    assert_eq!(twice(&[part(0, "p", None), part(0, "q", None), part(1, "p", None)]), None);
    assert_eq!(twice(&[part(0, "p", None), part(0, "q", None), part(0, "q", None)]), Some("q"));
}

#[test]
fn what_judges_took_adds_up_and_an_unknown_sum_stays_unknown() {
    let desk = Desk::new();
    let cost = |run| {
        let all = desk.compare.judging(run, None).unwrap().all;
        (all.usd, all.usage.total_tokens)
    };
    let noted = |usd, tokens| {
        desk.compare.note_judging("sweep-1", &took(usd, tokens)).unwrap();
        cost("sweep-1")
    };
    assert_eq!(noted(Some(0.5), 10), (Some(0.5), 10));
    assert_eq!(cost("sweep-2"), (None, 0));
    assert_eq!(noted(Some(0.25), 7), (Some(0.75), 17));
    assert_eq!(noted(None, 3), (None, 20));
    assert_eq!(noted(Some(1.0), 1), (None, 21));
    // Files of earlier versions have two numbers.
    fs::write(desk.path().join("sweeps/sweep-2.json"), "[0.5, 30]").unwrap();
    assert_eq!(cost("sweep-2"), (Some(0.5), 30));
    fs::write(desk.path().join("sweeps/sweep-2.json"), "[0.5").unwrap();
    refused(desk.compare.judging("sweep-2", None), "sweep-2.json cannot be read");
}

fn took(usd: Option<f64>, tokens: u64) -> Spending {
    Spending {
        usd,
        usage: TokenUsage { total_tokens: tokens, ..TokenUsage::default() },
        ..Spending::default()
    }
}

#[test]
fn what_a_killed_scoring_took_is_gone_until_the_sweep_is_over() {
    let (desk, run) = (Desk::new(), tempfile::tempdir().unwrap());
    let amount = |tokens: u64| Amount { tokens, cost: tokens as f64 / 1000.0 };
    let most = || {
        let all = desk.compare.judging("sweep-1", Some(run.path())).unwrap().all;
        let most = all.most();
        (all.calls_without_usage, most.tokens, most.usd)
    };
    let begin = || {
        let counted = desk.compare.judging("sweep-1", Some(run.path())).unwrap().counted();
        start(run.path(), Spender::SweepJudges, counted).unwrap().0
    };
    // The first scoring ends and is noted.
    let first = begin();
    first.hold(amount(50)).unwrap();
    first.settle(amount(50), amount(20)).unwrap();
    desk.compare.note_judging("sweep-1", &took(Some(0.02), 20)).unwrap();
    assert_eq!(most(), (0, 20, Some(0.02)));
    // The second is killed with one call answered and one in flight.
    let second = begin();
    second.hold(amount(50)).unwrap();
    second.settle(amount(50), amount(30)).unwrap();
    second.hold(amount(60)).unwrap();
    drop(second);
    let (calls, tokens, usd) = most();
    assert_eq!((calls, tokens), (1, 110));
    near(usd, 0.11);
    // The third ends as well; what the second took stays gone.
    let third = begin();
    third.hold(amount(10)).unwrap();
    third.settle(amount(10), amount(5)).unwrap();
    desk.compare.note_judging("sweep-1", &took(Some(0.005), 5)).unwrap();
    let (calls, tokens, usd) = most();
    assert_eq!((calls, tokens), (1, 115));
    near(usd, 0.115);
}

#[test]
fn a_file_is_written_whole_and_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("short.txt"), "짧게").unwrap();
    let text = "name = \"s\"\n[[models]]\nid = \"a/one\"\nbase_url = \"http://u:geheim@x/v1?key=geheim\"\n[settings]\nsystem_prompt = [\"none\", \"short.txt\"]\n[judges]\nmodels = [\"a/judge\"]\nbase_url = \"http://u:geheim@y/v1\"\n[texts]\nunused = \"x\"\n";
    let given = SweepFile { folder: folder.path().to_owned(), ..file(text) };
    let whole = given.whole().unwrap();
    assert_eq!(whole.texts.keys().collect::<Vec<_>>(), ["short.txt"]);
    assert_eq!((whole.texts["short.txt"].as_str(), whole.folder.clone()), ("짧게", PathBuf::new()));
    let kept = whole.without_secrets();
    let written = kept.text().unwrap();
    assert!(!written.contains("geheim") && written.contains("http://withheld@x/v1?withheld="), "{written}");
    assert_eq!(parsed::<SweepFile>(Path::new("s"), &written).unwrap(), kept);
    // What was not chosen is not written.
    assert!(!written.contains("max_cost") && !written.contains("[baseline]"), "{written}");
    fs::remove_file(folder.path().join("short.txt")).unwrap();
    refused(given.whole(), "short.txt cannot be read");
}

/// A sweep of a model that asks nobody, over two temperatures and a prompt.
const SMALL: &str = r#"name = "small"
metric = "CallEM"
levels = ["L1"]
[[models]]
id = "baseline/golden"
[[models]]
id = "baseline/silent"
[settings]
temperature = [0.0, 1.0]
[baseline]
model = "baseline/silent"
temperature = 0.0
"#;

fn written(desk: &Desk, text: &str) -> PathBuf {
    let path = desk.path().join("sweep.toml");
    fs::write(&path, text).unwrap();
    path
}

async fn swept(desk: &Desk, path: &Path) -> Result<SweepSummary, WireError> {
    let sweep = desk.compare.sweep(path)?;
    desk.compare.play_sweep(sweep, &watch, &Cancel::new()).await
}

fn states(desk: &Desk, path: &Path) -> Vec<SweepState> {
    let sweep = desk.compare.sweep(path).unwrap();
    sweep.plan().runs.iter().map(|run| run.state).collect()
}

#[tokio::test]
async fn a_sweep_makes_what_is_missing_and_nothing_twice() {
    let desk = Desk::new();
    let path = written(&desk, SMALL);
    assert_eq!(states(&desk, &path), [SweepState::New; 4]);
    assert_eq!(desk.count_of_runs(), 0, "a plan makes nothing");
    let table = swept(&desk, &path).await.unwrap();
    assert_eq!((table.done, table.runs, table.tests, table.stopped.clone()), (4, 4, 3, None));
    assert_eq!(table.baseline, "baseline/silent temperature=0");
    let means: Vec<Option<f64>> = table.cells.iter().map(|cell| cell.results[0].score.mean).collect();
    // The golden path is called in each of the four tasks, and nothing by the silent model.
    assert_eq!(means, [Some(1.0), Some(1.0), Some(0.0), Some(0.0)]);
    let difference = |cell: usize| table.cells[cell].results[0].difference.clone();
    let golden = difference(0).unwrap();
    assert_eq!((golden.value, golden.won, golden.tasks), (1.0, 4, 4));
    // Four tasks, all to one side: 2 of 16 assignments of signs. Holm over 1/8, 1/8 and 1.
    near(golden.p, 2.0 / 16.0);
    near(golden.corrected_p, 3.0 * 2.0 / 16.0);
    assert_eq!(golden.verdict, SweepVerdict::NotSeparated);
    assert_eq!((difference(2), difference(3).map(|one| one.value)), (None, Some(0.0)));

    assert_eq!(states(&desk, &path), [SweepState::Made; 4]);
    assert_eq!(swept(&desk, &path).await.unwrap(), table);
    assert_eq!(desk.count_of_runs(), 4);
    // One value more keeps what there is.
    let more = written(&desk, &SMALL.replace("[0.0, 1.0]", "[0.0, 0.5, 1.0]"));
    let expected = [SweepState::Made, SweepState::New, SweepState::Made];
    assert_eq!(states(&desk, &more), [expected, expected].concat());
    let plan = desk.compare.sweep(&more).unwrap().plan().clone();
    // Four tasks of L1 in each of the two new cells.
    assert_eq!((plan.attempts, plan.calls, plan.usd), (8, 0.0, Some(0.0)));
    // A run that is gone is made again.
    let gone = &table.cells[1].results[0].run;
    fs::remove_dir_all(desk.compare.workspace.home().logs().join("by_model").join(gone))
        .or_else(|_| fs::remove_dir_all(find(&desk.compare.workspace.home().logs(), gone)))
        .unwrap();
    let path = written(&desk, SMALL);
    let left = [SweepState::Made, SweepState::New, SweepState::Made, SweepState::Made];
    assert_eq!(states(&desk, &path), left);
}

/// The folder of a run below the logs.
fn find(logs: &Path, run: &str) -> PathBuf {
    let entries = koab_store::runs::list(logs).unwrap();
    let entry = entries.into_iter().find(|entry| entry.id == run).unwrap();
    entry.run.folder.clone()
}

#[test]
fn a_sweep_that_cannot_be_planned_is_refused_in_one_sentence() {
    let desk = Desk::new();
    for (from, to, sentence) in [
        ("baseline/golden", "nosuch/golden", "nosuch"),
        ("levels = [\"L1\"]", "packs = [\"third\"]", "third"),
        ("metric = \"CallEM\"", "metric = \"FallbackSR\"", "no chosen task of pack starter@"),
        ("metric = \"CallEM\"", "metric = \"SR\"", "SR is judged: name a judge under [judges] in"),
        ("metric = \"CallEM\"", "metric = \"CallEM\"\nmax_cost = 1.0", ""),
        ("id = \"baseline/golden\"", "id = \"openai_compat/x\"\nbase_url = \"http://127.0.0.1:9/v1\"", ""),
        ("levels = [\"L1\"]", "tasks = [\"L1-999\"]", "L1-999"),
        (
            "[settings]\n",
            "[settings]\ntool_texts = [\"tools\"]\n[texts]\ntools = \"Nothing = 'x'\"\n[settings_]\n",
            "unknown field `settings_`",
        ),
    ] {
        let path = written(&desk, &SMALL.replace(from, to));
        let planned = desk.compare.sweep(&path);
        if sentence.is_empty() {
            planned.unwrap();
        } else {
            refused(planned, sentence);
        }
    }
    let tools = format!("{SMALL}[texts]\ntools = \"Nothing = 'x'\"\n")
        .replace("[settings]\n", "[settings]\ntool_texts = [\"tools\"]\n");
    let path = written(&desk, &tools);
    refused(desk.compare.sweep(&path), "tools describes Nothing, which pack starter@");
    let seeds: Vec<String> = (0..501).map(|seed| seed.to_string()).collect();
    let many = SMALL.replace("temperature = [0.0, 1.0]", &format!("seed = [{}]", seeds.join(",")));
    let path = written(&desk, &many.replace("temperature = 0.0", "seed = 0"));
    refused(desk.compare.sweep(&path), "would have 1002 runs, more than the allowed 1000");
    // A price that is not known keeps no budget.
    let unpriced =
        SMALL.replace("baseline/golden", "openai_compat/x").replace("name = ", "max_cost = 1.0\nname = ");
    let path = written(&desk, &unpriced);
    refused(desk.compare.sweep(&path), "the price of openai_compat/x is not known");
    assert_eq!(desk.count_of_runs(), 0);
}

#[tokio::test]
async fn sweeps_that_were_begun_are_kept_with_their_texts() {
    let desk = Desk::new();
    let compare = &desk.compare;
    assert_eq!(compare.sweeps_list().unwrap(), []);
    let text = SMALL
        .replace("id = \"baseline/silent\"\n", "id = \"baseline/random\"\n")
        .replace("temperature = [0.0, 1.0]", "system_prompt = [\"none\", \"short.txt\"]")
        .replace(
            "model = \"baseline/silent\"\ntemperature = 0.0",
            "model = \"baseline/golden\"\nsystem_prompt = \"none\"",
        );
    let path = written(&desk, &text);
    let beside = desk.path().join("short.txt");
    fs::write(&beside, "짧게 답하세요.\n").unwrap();
    let table = swept(&desk, &path).await.unwrap();
    let note = table.notes[0].to_string();
    assert!(note.contains("are not comparable with the published leaderboard"), "{note}");
    fs::remove_file(&beside).unwrap();
    let row = compare.sweeps_list().unwrap().remove(0);
    assert_eq!(
        (row.name.as_str(), row.metric.as_str(), row.cells, row.runs, row.made),
        ("small", "CallEM", 4, 4, 4)
    );
    assert_eq!((row.packs.clone(), row.problem), (vec!["starter".to_owned()], None));
    let shown = compare.sweep_show(&row.id).unwrap();
    assert_eq!((shown.table.cells.clone(), shown.plan.attempts), (table.cells, 0));
    assert_eq!(shown.file.texts["short.txt"], "짧게 답하세요.\n");
    assert_eq!(shown.plan.id.as_deref(), Some(row.id.as_str()));
    // A higher budget is the same sweep, another value is another one.
    let id = |file: &SweepFile| compare.begun_id(file).unwrap();
    let mut other = shown.file.clone();
    other.max_total_tokens = Some(1_000_000);
    other.max_cost = Some(2.0);
    other.concurrency = Some(2);
    assert_eq!(id(&other), Some(row.id.clone()));
    other.settings.temperature = Some(vec![0.5]);
    assert_eq!(id(&other), None);
    // Saved as one file it is the same when it is opened, beside files that are none.
    let saved = compare.sweep_save(&shown.file).unwrap();
    let copy = desk.path().join("copy.toml");
    fs::write(&copy, &saved.text).unwrap();
    let opened = compare.sweep_open(&[desk.path().join("none.md"), copy.clone()]).unwrap();
    let formed = SweepFile { folder: PathBuf::new(), ..shown.file.clone() };
    assert_eq!(opened, formed);
    refused(compare.sweep_open(&[copy.clone(), copy]), "two of the files are sweeps");
    refused(compare.sweep_open(&[]), "no file was chosen");
    // A text that is not in the form is none of the working folder.
    let mut elsewhere = shown.file;
    elsewhere.settings.system_prompt = Some(vec!["none".to_owned(), "Cargo.toml".to_owned()]);
    refused(compare.sweep_plan(elsewhere.clone()), "Cargo.toml has no text; add it to the form");
    refused(compare.sweep_save(&elsewhere), "Cargo.toml has no text");
    elsewhere.models.clear();
    elsewhere.settings.system_prompt = None;
    refused(compare.sweep_plan(elsewhere), "small names no model");
    compare.sweep_forget(&row.id).unwrap();
    assert_eq!((compare.sweeps_list().unwrap().len(), desk.count_of_runs()), (0, 4));
    for id in [row.id.as_str(), "../../koab", "0123456789abcdeX"] {
        assert_eq!(compare.sweep_show(id).unwrap_err().code, ErrorCode::NotFound, "{id}");
        assert_eq!(compare.sweep_forget(id).unwrap_err().code, ErrorCode::NotFound, "{id}");
    }
}

#[test]
fn what_is_wrong_with_the_sweep_is_said_and_not_that_others_are_none() {
    let desk = Desk::new();
    let (broken, tools) = (desk.path().join("broken.toml"), desk.path().join("tools.toml"));
    fs::write(&broken, "[[models]]\nident = 1\n").unwrap();
    fs::write(&tools, "Tool = \"x\"\n").unwrap();
    for paths in [[&broken, &tools], [&tools, &broken]] {
        refused(desk.compare.sweep_open(&paths.map(Clone::clone)), "broken.toml, line 2");
    }
    // A kept file that cannot be read is in the list with the reason.
    let folder = desk.compare.sweeps_folder();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("0123456789abcdef.toml"), "name = 3\n").unwrap();
    fs::write(folder.join("notes.toml"), "name = 3\n").unwrap();
    let entries: Vec<SweepEntry> = desk.compare.kept_sweeps().unwrap();
    assert_eq!(entries.len(), 1);
    let row = desk.compare.sweeps_list().unwrap().remove(0);
    let problem = row.problem.unwrap().to_string();
    assert!(problem.contains("line 1") && row.runs == 0, "{problem}");
}

/// `good` answers well, `bad` badly, and `broken` is refused by its server; a judge finds good answers right.
fn server() -> Server {
    let asked = AtomicUsize::new(0);
    Server::start(&["good", "bad", "broken", "flaky", "judge"], move |body| {
        let said = body["messages"].to_string();
        match body["model"].as_str() {
            Some("judge") => (200, verdict(said.contains("좋은 답변"))),
            Some("good") => (200, "좋은 답변입니다.".to_owned()),
            Some("broken") => (401, "no".to_owned()),
            // Every second answer is refused.
            Some("flaky") if asked.fetch_add(1, Ordering::SeqCst) % 2 == 1 => (400, "no".to_owned()),
            _ => (200, "모르겠습니다.".to_owned()),
        }
    })
}

fn judged(url: &str) -> String {
    format!(
        "name = \"judged\"\nlevels = [\"L2\"]\nconcurrency = 1\n[[models]]\nid = \"openai_compat/good\"\nbase_url = \"{url}\"\n[[models]]\nid = \"openai_compat/bad\"\nbase_url = \"{url}\"\n[judges]\nmodels = [\"openai_compat/judge\"]\nbase_url = \"{url}\"\n[baseline]\nmodel = \"openai_compat/bad\"\n"
    )
}

#[tokio::test]
async fn judges_are_asked_once_and_another_judge_is_asked_about_all() {
    let server = server();
    let desk = Desk::new();
    let path = written(&desk, &judged(&server.url));
    let table = swept(&desk, &path).await.unwrap();
    assert_eq!((table.done, table.stopped.clone(), table.usd), (2, None, None));
    let means: Vec<Option<f64>> = table.cells.iter().map(|cell| cell.results[0].score.mean).collect();
    assert_eq!(means, [Some(1.0), Some(0.0)]);
    let asked = server.asked().len();
    assert_eq!(swept(&desk, &path).await.unwrap(), table);
    assert_eq!(server.asked().len(), asked, "nothing is asked twice");
    let plan = |text: &str| desk.compare.sweep(&written(&desk, text)).unwrap().plan().clone();
    let two = judged(&server.url)
        .replace("[\"openai_compat/judge\"]", "[\"openai_compat/judge\", \"openai_compat/good\"]");
    let found = plan(&two);
    assert_eq!((found.attempts, found.runs[0].state), (0, SweepState::Made));
    assert!(found.runs.iter().all(|run| run.to_judge) && found.calls > 0.0, "{found:?}");
    // Another address is another server's run; the other model keeps its own.
    let moved = judged(&server.url).replacen("/v1", "/v2", 1);
    let found: Vec<SweepState> = plan(&moved).runs.iter().map(|run| run.state).collect();
    assert_eq!(found, [SweepState::New, SweepState::Made]);
    // What was made had no price, so that no budget can be kept with it.
    desk.set_price(1.0);
    let capped = judged(&server.url)
        .replace("[\"L2\"]", "[\"L2\", \"L1\"]")
        .replace("name = ", "max_cost = 9.0\nname = ");
    let found = plan(&capped);
    assert_eq!((found.spent, found.refusal), (Some(0.0), None), "nothing of it is made");
    let seeds = judged(&server.url)
        .replace("name = ", "max_cost = 9.0\nname = ")
        .replace("[judges]", "[settings]\nseed = [1]\n[judges]");
    assert_eq!(plan(&seeds).refusal, None);
    let one_more = judged(&server.url).replace("name = ", "max_cost = 9.0\nname = ").replacen(
        "[judges]",
        "[[models]]\nid = \"openai_compat/broken\"\n[judges]",
        1,
    );
    let found = plan(&one_more);
    let refusal = found.refusal.unwrap().to_string();
    assert!(found.spent.is_none() && refusal.contains("and its judges is not known"), "{refusal}");
    let error = swept(&desk, &written(&desk, &one_more)).await.unwrap_err();
    assert_eq!(error.message.to_string(), refusal);
}

#[tokio::test]
async fn a_spent_budget_and_a_failed_run_are_told_beside_the_rest() {
    let server = server();
    let desk = Desk::new();
    let unjudged = |text: String| {
        let judges = text.find("[judges]").unwrap();
        let baseline = text.find("[baseline]").unwrap();
        format!("metric = \"SelectAcc\"\n{}{}", &text[..judges], &text[baseline..])
    };
    let sound = unjudged(judged(&server.url));
    let one = sound.replace("openai_compat/good", "openai_compat/broken");
    let table = swept(&desk, &written(&desk, &one)).await.unwrap();
    let stopped = table.stopped.unwrap().to_string();
    assert_eq!(
        (table.done, table.runs, stopped.as_str()),
        (1, 2, "1 runs failed; start the sweep again to repeat them")
    );
    let note = table.notes[0].to_string();
    assert!(note.starts_with("openai_compat/broken on starter@"), "{note}");
    // One token is spent before the first call of what is missing; what is made stays in the table.
    let capped = format!("max_total_tokens = 1\n{sound}");
    let path = written(&desk, &capped);
    let table = swept(&desk, &path).await.unwrap();
    let stopped = table.stopped.unwrap().to_string();
    assert!(stopped.starts_with("the budget was spent before the sweep was complete"), "{stopped}");
    assert_eq!((table.done, table.cells[0].results.len(), table.cells[1].results.len()), (1, 0, 1));
    // Without the cap the rest is made.
    let table = swept(&desk, &written(&desk, &sound)).await.unwrap();
    assert_eq!((table.done, table.stopped), (2, None));
}

#[tokio::test]
async fn attempts_that_failed_have_no_score_and_stay_in_the_count() {
    let server = server();
    let desk = Desk::new();
    let text = judged(&server.url).replace("openai_compat/good", "openai_compat/flaky");
    let table = swept(&desk, &written(&desk, &text)).await.unwrap();
    let scores: Vec<_> = table
        .cells
        .iter()
        .map(|cell| &cell.results[0].score)
        .map(|score| (score.tasks, score.attempts, score.unscored, score.mean))
        .collect();
    // L2 has four tasks, each of one call to the model; two of the four calls are refused.
    assert_eq!(scores, [(2, 2, 2, Some(0.0)), (4, 4, 0, Some(0.0))]);
    let difference = table.cells[0].results[0].difference.clone().unwrap();
    assert_eq!((difference.tasks, difference.value), (2, 0.0));
}

#[tokio::test]
async fn a_budget_below_what_it_would_cost_is_refused_before_anything_is_made() {
    let server = server();
    let desk = Desk::new();
    desk.set_price(1000.0);
    let path = written(&desk, &judged(&server.url).replace("name = ", "max_cost = 0.01\nname = "));
    let plan = desk.compare.sweep(&path).unwrap().plan().clone();
    assert!(plan.usd > Some(0.01), "{plan:?}");
    refused(swept(&desk, &path).await, "more than its budget of $0.01; leave values out");
    assert_eq!((server.asked().len(), desk.count_of_runs()), (0, 0));
}

proptest! {
    #![proptest_config(koab_draws::config(48))]

    /// There are as many cells as combinations, all of them different, and adding a value keeps the names of those before.
    #[test]
    fn cells_are_distinct_and_keep_their_runs(
        models in prop::collection::btree_set("[a-z]{1,6}", 1..4),
        temperatures in prop::collection::btree_set(0u8..=20, 1..4),
        seeds in prop::collection::btree_set(any::<u16>(), 1..4),
        more in 21u8..=40,
    ) {
        let mut file = file(&models.iter().map(|id| format!("[[models]]\nid = \"a/{id}\"\n")).collect::<String>());
        let tenth = |value: &u8| f64::from(*value) / 20.0;
        file.settings.temperature = Some(temperatures.iter().map(tenth).collect());
        file.settings.seed = Some(seeds.iter().map(|seed| u64::from(*seed)).collect());
        let labels: Vec<String> = cells::cells(&file, "s").unwrap().into_iter().map(|cell| cell.label).collect();
        let before = names(&file, "c");
        prop_assert_eq!(before.len(), models.len() * temperatures.len() * seeds.len());
        let distinct = |all: &[String]| all.iter().collect::<std::collections::BTreeSet<_>>().len();
        prop_assert_eq!((distinct(&labels), distinct(&before)), (before.len(), before.len()));
        file.settings.temperature.as_mut().unwrap().push(tenth(&more));
        let after = names(&file, "c");
        prop_assert!(before.iter().all(|name| after.contains(name)));
        prop_assert_eq!(after.len(), models.len() * (temperatures.len() + 1) * seeds.len());
    }

    /// A file is the same once it is written and read, also when it is written twice.
    #[test]
    fn a_written_file_is_read_as_it_was(
        name in "[ -~가-힣]{0,12}",
        repetitions in 1u32..9,
        cost in prop::option::of(1u32..1000),
        text in "[ -~가-힣\n]{1,30}",
        levels in prop::collection::vec("L[1-7]", 0..3),
    ) {
        let mut given = file(TWO);
        given.name = name;
        given.repetitions = repetitions;
        given.max_cost = cost.map(f64::from);
        given.levels = levels;
        given.settings.system_prompt = Some(vec!["none".to_owned(), "t".to_owned()]);
        given.texts.insert("t".to_owned(), text);
        let written = given.text().unwrap();
        let read: SweepFile = parsed(Path::new("s"), &written).unwrap();
        prop_assert_eq!(&read, &given);
        prop_assert_eq!(read.text().unwrap(), written);
    }
}
