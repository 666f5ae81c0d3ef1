//! Imports of every kind of file, sound and not, through the API.

use super::*;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_workspace::ErrorCode;
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use tempfile::TempDir;

struct Fixture {
    home: TempDir,
    from: TempDir,
    api: Exchange,
}

impl Fixture {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { api: Exchange::at(home.path()), from: tempfile::tempdir().unwrap(), home }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.from.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn import(&self, paths: &[PathBuf]) -> ImportResult {
        self.api.import("test", paths, &|_, _| {}, &Cancel::new()).unwrap()
    }

    /// Imports and says a line an item.
    fn outcomes(&self, paths: &[PathBuf]) -> Vec<String> {
        let result = self.import(paths);
        let said = result.items.iter().map(|item| {
            let outcome = match item.outcome {
                ImportOutcome::Added => "added",
                ImportOutcome::AlreadyThere => "there",
                ImportOutcome::Refused => "refused",
            };
            let what = item.id.clone().or(item.reason.as_ref().map(ToString::to_string));
            format!("{outcome} {}: {}", item.source, what.unwrap_or_default())
        });
        said.collect()
    }

    /// Every file of the workspace but the database, with its size.
    fn files(&self) -> Vec<String> {
        fn below(folder: &Path, root: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    below(&path, root, files);
                } else if !path.to_string_lossy().contains("koab.sqlite") {
                    files.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        let mut files = Vec::new();
        below(self.home.path(), self.home.path(), &mut files);
        files.sort();
        files
    }
}

fn log(model: &str, level: &str, answer: &str) -> String {
    json!({"metadata": {"model": model, "level": level, "timestamp": "2025-12-19T11:34:11.355371"},
           "results": [{"task_id": format!("{level}-001"), "final_response": answer}]})
    .to_string()
}

fn report(model: &str, score: f64) -> String {
    json!({"summary": {"model": model, "judge_model": "j/1", "execution_date": "20251219"},
           "by_level": {"L2": {"total_tasks": 2, "evaluated_tasks": 2, "metrics": {"SR": score},
             "task_evaluations": [{"task_id": "L2-001", "success": true, "metrics": {"SR": {"score": score}}}]}}})
    .to_string()
}

const SUMMARY: &str = "Level,Total_Tasks,Evaluated_Tasks,SR,ToolAcc\r\nL2,2,2,0.5000,0.0000\r\n";

#[test]
fn a_bundle_that_is_none_is_refused_and_the_rest_comes_in() {
    let fixture = Fixture::new();
    let named = fixture.write("run.koab", "PK\u{3}\u{4}");
    fixture.write("folder/Other.KOAB", "anything");
    fixture.write("folder/L2.json", log("a/b", "L2", "예"));
    let said = fixture.outcomes(&[named, fixture.from.path().join("folder")]);
    let sentence = "is a bundle that does not verify: is not a bundle: it is too short for an archive";
    assert!(said.contains(&format!("refused run.koab: {sentence}")), "{said:?}");
    assert!(said.contains(&format!("refused folder/Other.KOAB: {sentence}")), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("added")), "the rest still comes in: {said:?}");
}

#[test]
fn logs_become_runs_wherever_they_lie() {
    let fixture = Fixture::new();
    fixture.write("logs/by_model/azure_gpt/20251219_113310/L1.json", log("azure/gpt", "L1", "a"));
    fixture.write("logs/by_model/azure_gpt/20251219_113310/L2.json", log("azure/gpt", "L2", "b"));
    let folder = fixture.from.path().join("logs");
    assert_eq!(
        fixture.outcomes(std::slice::from_ref(&folder)),
        ["added logs/by_model/azure_gpt/20251219_113310: azure_gpt/20251219_113310"]
    );
    // A single file without a name that says anything: its own metadata does.
    let single = fixture.write("anything.json", log("azure/gpt:0", "L3", "c"));
    assert_eq!(fixture.outcomes(&[single]), ["added anything.json: azure_gpt_0/20251219_113411"]);
    let flat = fixture.write("L4_azure_gpt_20251029_1130.json", log("azure/gpt", "L4", "d"));
    assert_eq!(
        fixture.outcomes(&[flat]),
        ["added L4_azure_gpt_20251029_1130.json: azure_gpt/20251029_113000"]
    );
    let kept = fixture.home.path().join("logs/benchmark_results/by_model/azure_gpt/20251219_113310/L1.json");
    assert_eq!(fs::read_to_string(kept).unwrap(), log("azure/gpt", "L1", "a"), "byte for byte");
    let runs = fixture.api.runs.library.runs_list().unwrap();
    let run = runs.iter().find(|run| run.id == "azure_gpt_0/20251219_113411").unwrap();
    assert!(run.model == "azure/gpt:0" && run.complete && run.pack.is_none());
}

#[test]
fn importing_twice_adds_nothing_however_it_is_done() {
    let fixture = Fixture::new();
    fixture.write("a/azure_gpt/20251219_113310/L1.json", log("azure/gpt", "L1", "a"));
    let copy = fixture.write("b/L1.json", log("azure/gpt", "L1", "a"));
    fixture.write("a/azure_gpt_20251219/evaluation_report.json", report("azure/gpt", 0.5));
    let summary = fixture.write("a/azure_gpt_20251219/evaluation_summary.csv", SUMMARY);
    let combined = fixture.write("combined.csv", "Model,L1_SR\nx,1.0\ny,0.5\n");
    let all = [fixture.from.path().join("a"), combined];
    assert_eq!(fixture.import(&all).items.len(), 4, "run, report with its summary, two rows");
    let files = fixture.files();
    let again = fixture.import(&all);
    assert!(again.items.iter().all(|item| item.outcome == ImportOutcome::AlreadyThere), "{again:?}");
    let moved = fixture.outcomes(&[copy]);
    assert_eq!(moved, ["there L1.json: azure_gpt/20251219_113310"]);
    assert_eq!(
        fixture.outcomes(&[summary]),
        ["there evaluation_summary.csv: azure_gpt_20251219"],
        "a summary that came with its report"
    );
    assert_eq!(fixture.files(), files);
    assert_eq!(
        files,
        [
            "logs/benchmark_results/by_model/azure_gpt/20251219_113310/L1.json",
            "logs/benchmark_results/by_model/azure_gpt/20251219_113310/imported.json",
            "reports/azure_gpt_20251219/evaluation_report.json",
            "reports/azure_gpt_20251219/evaluation_summary.csv",
            "reports/azure_gpt_20251219/imported.json",
            "reports/x_combined-65fb96db/combined_evaluation_summary.csv",
            "reports/x_combined-65fb96db/imported.json",
            "reports/y_combined-ca641e0a/combined_evaluation_summary.csv",
            "reports/y_combined-ca641e0a/imported.json"
        ]
    );
}

#[test]
fn levels_join_their_run_and_another_run_of_the_same_second_stands_beside_it() {
    let fixture = Fixture::new();
    let at = |name: &str| format!("{name}/azure_gpt/20251219_113359/L1.json");
    let one = fixture.write(&at("one"), log("azure/gpt", "L1", "a"));
    fixture.outcomes(&[one]);
    let more = fixture.write("two/azure_gpt/20251219_113359/L2.json", log("azure/gpt", "L2", "a"));
    let joined = fixture.import(&[more]);
    assert_eq!(joined.items[0].id.as_deref(), Some("azure_gpt/20251219_113359"));
    assert_eq!(joined.items[0].notes, ["L2 was added to an existing run"]);
    let other = fixture.write(&at("three"), log("azure/gpt", "L1", "another answer"));
    assert_eq!(fixture.outcomes(std::slice::from_ref(&other)), ["added L1.json: azure_gpt/20251219_113400"]);
    assert_eq!(fixture.outcomes(&[other]), ["there L1.json: azure_gpt/20251219_113400"]);
}

#[test]
fn reports_keep_their_files_and_are_shown_with_what_they_say() {
    let fixture = Fixture::new();
    fixture.write("azure_gpt_20251219/evaluation_report.json", report("azure/gpt", 0.25));
    fixture.write("azure_gpt_20251219/evaluation_report.md", "# 보고서\nazure/gpt\n| **L2** |");
    fixture.write("azure_gpt_20251219/chart.png", [0, 1, 2]);
    let result = fixture.import(&[fixture.from.path().join("azure_gpt_20251219")]);
    assert_eq!((result.items.len(), result.left_alone), (1, 1));
    let view = fixture.api.runs.library.report_show("azure_gpt_20251219").unwrap().unwrap();
    assert_eq!((view.model.as_str(), view.judges.len()), ("azure/gpt", 1));
    assert_eq!(view.levels[0].metrics[0].mean.mean(), Some(0.25));
    assert_eq!(view.composites[0].figure.value(), None);
    assert!(view.composites[0].figure.reason().is_some());
    assert!(
        view.notes[0].to_string().starts_with("imported from azure_gpt_20251219/evaluation_report.json on ")
    );
    let other = fixture.write("elsewhere/report.json", report("azure/gpt", 0.75));
    assert_eq!(fixture.outcomes(&[other]), ["added report.json: azure_gpt_20251219-2"]);
    assert_eq!(fixture.api.runs.library.reports_list().unwrap().len(), 2);
}

#[test]
fn a_summary_that_comes_later_with_its_report_joins_it() {
    let fixture = Fixture::new();
    let json = fixture.write("azure_gpt_20251219/evaluation_report.json", report("azure/gpt", 0.5));
    fixture.outcomes(std::slice::from_ref(&json));
    fixture.write("azure_gpt_20251219/evaluation_summary.csv", SUMMARY);
    let folder = [fixture.from.path().join("azure_gpt_20251219")];
    let line = "azure_gpt_20251219/evaluation_report.json: azure_gpt_20251219";
    assert_eq!(fixture.outcomes(&folder), [format!("added {line}")]);
    assert_eq!(fixture.outcomes(&folder), [format!("there {line}")]);
    assert_eq!(fixture.files().len(), 3, "report, summary, origin");
}

/// Times that no two runs share tell a report apart also where a table has another name for its model.
#[test]
fn what_a_report_says_again_elsewhere_is_that_report() {
    let fixture = Fixture::new();
    let json = json!({
        "summary": {"model": "azure/gpt", "judge_model": "j/1", "execution_date": "20251219"},
        "by_level": {"L1": {
            "total_tasks": 1, "evaluated_tasks": 1, "metrics": {"SR": 0.5},
            "metadata": {"average_execution_time": 12.34}, "task_evaluations": [],
        }},
    });
    let summary = |seconds: &str| {
        format!(
            "Level,Total_Tasks,Evaluated_Tasks,Avg_Exec_Time,SR,ToolAcc\r\nL1,1,1,{seconds},0.5000,0.2500\r\n"
        )
    };
    // The folder of summaries is looked through before the report's.
    fixture.write("all/again/azure_gpt_20251219/evaluation_summary.csv", summary("12.34"));
    fixture.write("all/again/other_20251219/evaluation_summary.csv", summary("0.10"));
    fixture.write("all/reports/azure_gpt_20251219/evaluation_report.json", json.to_string());
    let rows = "Model,L1_Total_Tasks,L1_Evaluated_Tasks,L1_Avg_Exec_Time,L1_SR\ngpt,1,1,12.34,0.5\nanother,1,1,12.35,0.5\n";
    fixture.write("all/combined.csv", rows);
    let all = [fixture.from.path().join("all")];
    let told = |result: &ImportResult| -> Vec<String> {
        let line = |item: &ImportItem| {
            let id = item.id.as_deref().unwrap_or_default();
            format!("{:?} {id}: {}", item.outcome, Sentence::joined(item.notes.clone(), "; "))
        };
        result.items.iter().map(line).collect()
    };
    let found = told(&fixture.import(&all));
    let same = "AlreadyThere azure_gpt_20251219: has the same content as the report azure_gpt_20251219";
    let wanted = [
        "Added azure_gpt_20251219: ",
        &format!("{same}; has more means than that report, which were left out: L1 ToolAcc"),
        "Added other_20251219: the summary does not name its model; the name of the folder is used",
        same,
        "Added another_combined-",
    ];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.starts_with(wanted), "{found} and not {wanted}");
    }
    assert_eq!(fixture.api.runs.library.reports_list().unwrap().len(), 3);
    // A second time nothing is new, and what was known by its bytes is still that.
    let again = told(&fixture.import(&all));
    assert!(again.iter().all(|line| line.starts_with("AlreadyThere")), "{again:?}");
    assert_eq!(fixture.api.runs.library.reports_list().unwrap().len(), 3);
}

#[test]
fn a_summary_alone_is_a_report_with_what_it_has() {
    let fixture = Fixture::new();
    let path = fixture.write("mine_20251219/evaluation_summary.csv", SUMMARY);
    assert_eq!(fixture.outcomes(&[path]), ["added evaluation_summary.csv: mine_20251219"]);
    let view = fixture.api.runs.library.report_show("mine_20251219").unwrap().unwrap();
    assert_eq!(view.model, "mine");
    let metrics: Vec<MetricId> = view.levels[0].metrics.iter().map(|m| m.metric).collect();
    assert_eq!(metrics, [MetricId::Sr], "0.0000 under another level's metric is not a number");
    assert!(view.notes.contains(&"the file does not name the judges".to_owned().into()));
    // As a Korean spreadsheet saves it.
    let cp949 = [b"Level,Total_Tasks,\xa5\xc4Steps_norm\r\nL3,10,0.3500\r\n".as_slice()].concat();
    let path = fixture.write("cp949/summary.csv", cp949);
    assert_eq!(fixture.outcomes(&[path]), ["added summary.csv: summary_undated"]);
    let view = fixture.api.runs.library.report_show("summary_undated").unwrap().unwrap();
    assert_eq!(view.levels[0].metrics[0].metric, MetricId::DeltaStepsNorm);
    let row = fixture.write("combined.csv", "\u{feff}Model,L1_SR,L1_TooAcc\n\"A, B\",0.5,1.0\n");
    let result = fixture.import(&[row]);
    let view = fixture.api.runs.library.report_show(result.items[0].id.as_deref().unwrap()).unwrap().unwrap();
    assert_eq!((view.model.as_str(), view.levels[0].metrics.len()), ("A, B", 2));
    // What the table does not count is not 0: neither for the library nor on the report's page.
    let level = &fixture.api.runs.library.report_detail(&view.id).unwrap().view.levels[0];
    assert_eq!((level.tasks, level.evaluated, level.metrics[0].scored), (None, None, None));
    let level = &fixture.api.runs.library.report_detail("mine_20251219").unwrap().view.levels[0];
    assert_eq!((level.tasks, level.evaluated, level.metrics[0].scored), (Some(2), Some(2), Some(2)));
    let rows = fixture.api.runs.library.reports_library().unwrap();
    let row = |id: &str| rows.iter().find(|row| row.id == id).unwrap();
    assert_eq!((row(&view.id).tasks, row("mine_20251219").tasks), (None, Some(2)));
}

#[test]
fn bad_files_are_named_with_the_reason_and_the_rest_still_comes_in() {
    let fixture = Fixture::new();
    let whole = log("a/b", "L1", "x");
    fixture.write("mix/a.json", &whole[..whole.len() / 2]);
    fixture.write("mix/b.json", "");
    fixture.write("mix/c.json", whole.replace("\"L1\"", "\"L9\""));
    fixture.write("mix/d.json", [b"\xef\xbb\xbf", whole.as_bytes()].concat());
    fixture.write("mix/e.csv", "Level,Total_Tasks\nL1,viele\n");
    fixture.write("mix/f.json", "[1, 2]");
    fixture.write("mix/g.json", json!({"summary": {}, "by_level": {}}).to_string());
    fixture.write("mix/h.json", "\u{0}\u{1}\u{2}");
    fixture.write("mix/i.txt", "hello");
    fixture.write(
        "mix/j.json",
        whole
            .replace("\"x\"", "\"y\"")
            .replace("\"timestamp\":\"2025-12-19T11:34:11.355371\"", "\"timestamp\":7"),
    );
    let result = fixture.outcomes(&[fixture.from.path().join("mix"), fixture.from.path().join("none.json")]);
    let none = fixture.from.path().join("none.json").display().to_string();
    assert_eq!(
        result,
        [
            "refused mix/b.json: is empty".to_owned(),
            format!("refused {none}: is not there; check the path"),
            "refused mix/a.json: is not JSON (EOF while parsing a string at line 1 column 68); it may have been cut off".to_owned(),
            "refused mix/c.json: is a run log that names no level L1 to L7 in `metadata.level`".to_owned(),
            "refused mix/e.csv: holds `viele` under `Total_Tasks` in line 2, which is not a number".to_owned(),
            "refused mix/g.json: is a report without any level".to_owned(),
            "refused mix/h.json: is not JSON (expected value at line 1 column 1)".to_owned(),
            "refused mix/j.json: is a run log that names no model in `metadata.model` or no time in `metadata.timestamp`, and is in no folder <model>/<YYYYMMDD_HHMMSS>".to_owned(),
            "added mix/d.json: a_b/20251219_113411".to_owned(),
        ]
    );
    let kept = fixture.home.path().join("logs/benchmark_results/by_model/a_b/20251219_113411/L1.json");
    assert_eq!(fs::read_to_string(kept).unwrap(), whole, "without the byte order mark");
    // What the user named is answered for; what lay in a folder is left alone.
    let named =
        fixture.outcomes(&[fixture.from.path().join("mix/f.json"), fixture.from.path().join("mix/i.txt")]);
    assert_eq!(
        named,
        [
            "refused f.json: is a JSON list; neither a run log nor a report",
            "refused i.txt: is not a run log, report, summary or archive"
        ]
    );
    let alone = fixture.write("report.md", "# A report\nL1");
    assert_eq!(
        fixture.outcomes(&[alone]),
        [
            "refused report.md: cannot be imported alone; import it together with its level logs or its evaluation_report.json"
        ]
    );
}

fn tar_gz(entries: &[(&str, &[u8])]) -> Vec<u8> {
    // Written by hand: no crate writes hostile names.
    let mut tar = Vec::new();
    for (name, content) in entries {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        header[257..262].copy_from_slice(b"ustar");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tar.extend_from_slice(&header);
        tar.extend_from_slice(content);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    tar
}

#[test]
fn archives_are_looked_into_and_hostile_ones_refused_whole() {
    let fixture = Fixture::new();
    let whole = log("a/b", "L1", "x");
    let good = fixture.write(
        "good.tar",
        tar_gz(&[
            ("run/a_b/20251219_113310/L1.json", whole.as_bytes()),
            ("run/README.txt", b"hello"),
            ("run/inner.tar", &tar_gz(&[("x.json", whole.as_bytes())])),
        ]),
    );
    assert_eq!(
        fixture.outcomes(&[good]),
        ["added good.tar/run/a_b/20251219_113310/L1.json: a_b/20251219_113310"]
    );
    let files = fixture.files();
    let evil = fixture
        .write("evil.tar", tar_gz(&[("L2.json", whole.as_bytes()), ("../../evil.json", whole.as_bytes())]));
    assert_eq!(
        fixture.outcomes(&[evil]),
        [
            "refused evil.tar: has an entry `../../evil.json` that leads out of the archive; nothing was imported"
        ]
    );
    let cut = tar_gz(&[("L2.json", &vec![b' '; 4000])]);
    let cut = fixture.write("cut.tar", &cut[..2000]);
    assert!(fixture.outcomes(&[cut])[0].starts_with("refused cut.tar: is damaged ("));
    assert_eq!(fixture.files(), files, "nothing of them stays");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let fixture = Fixture::new();
    let outside = fixture.write("outside/L1.json", log("a/b", "L1", "x"));
    fs::create_dir_all(fixture.from.path().join("folder")).unwrap();
    std::os::unix::fs::symlink(&outside, fixture.from.path().join("folder/L1.json")).unwrap();
    std::os::unix::fs::symlink(fixture.from.path(), fixture.from.path().join("folder/round")).unwrap();
    assert_eq!(
        fixture.outcomes(&[fixture.from.path().join("folder")]),
        ["refused folder/L1.json: is a link; links are not followed"]
    );
}

#[test]
fn names_in_files_never_lead_out_of_the_workspace() {
    let fixture = Fixture::new();
    let path = fixture.write("x/L1.json", log("../../../evil", "L1", "x"));
    fixture.write("x/report.json", report("/etc/evil", 1.0).replace("20251219", "../../20251219"));
    let said = fixture.outcomes(&[path.parent().unwrap().to_owned()]);
    assert_eq!(
        said,
        ["added x/L1.json: _.._.._.._evil/20251219_113411", "added x/report.json: _etc_evil__.._.._20251219"]
    );
    assert!(fixture.files().iter().all(|file| file.starts_with("logs/") || file.starts_with("reports/")));
}

#[test]
fn what_was_imported_before_a_cancel_stays_and_is_told() {
    let fixture = Fixture::new();
    for number in 0..5 {
        fixture.write(
            &format!("all/{number}/a_b/20251219_11331{number}/L1.json"),
            log("a/b", "L1", &number.to_string()),
        );
    }
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let progress = move |done: u64, total: u64| {
        assert_eq!(total, 5);
        if done == 2 {
            stop.cancel();
        }
    };
    let paths = [fixture.from.path().join("all")];
    let result = fixture.api.import("x", &paths, &progress, &cancel).unwrap();
    assert!(result.cancelled);
    assert_eq!(result.items.len(), 2);
    assert_eq!(fixture.files().len(), 4, "two whole runs, each a log and its origin");
    let rest = fixture.import(&paths);
    let added = rest.items.iter().filter(|item| item.outcome == ImportOutcome::Added).count();
    assert_eq!((rest.items.len(), added, rest.cancelled), (5, 3, false));
}

#[tokio::test]
async fn the_window_s_import_is_a_job_whose_result_is_kept() {
    let fixture = Fixture::new();
    let path = fixture.write("L1.json", log("a/b", "L1", "x"));
    let result = fixture.api.import_files(vec![path]).await.unwrap();
    let jobs = fixture.api.workspace.jobs();
    assert_eq!((jobs[0].id.as_str(), jobs[0].done), (result.id.as_str(), 1));
    assert!(jobs[0].finished && jobs[0].error.is_none());
    assert_eq!(fixture.api.import_result(&result.id).unwrap(), Some(result));
    assert_eq!(fixture.api.import_result("other").unwrap(), None);
    let nothing = fixture.api.import_files(Vec::new()).await.unwrap_err();
    assert_eq!(nothing.code, ErrorCode::BadRequest);
}

/// Reading its cached responses is most of what there is to wait for.
#[test]
fn a_folder_with_a_pack_counts_the_files_of_its_cache() {
    let fixture = Fixture::new();
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks");
    let heard = std::cell::RefCell::new(Vec::new());
    let progress = |done: u64, total: u64| heard.borrow_mut().push((done, total));
    let folder = tasks.parent().unwrap().to_owned();
    let paths = [folder.join("tasks"), folder.join("cache")];
    let pack = fixture.from.path().join("pack");
    for path in &paths {
        copy(path, &pack.join(path.file_name().unwrap()));
    }
    let result = fixture.api.import("1", &[pack], &progress, &Cancel::new()).unwrap();
    assert_eq!(result.items[0].what, ImportedKind::Pack, "{:?}", result.items);
    let heard = heard.into_inner();
    let (done, total) = *heard.last().unwrap();
    assert!(done == total && total > 20, "{done} of {total}");
    assert!(heard.windows(2).all(|pair| pair[0].0 <= pair[1].0), "it never goes back: {heard:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A workspace on a disk that takes nothing more, as `/dev/full` would: a file stands where the folder must go.
#[test]
fn a_disk_that_refuses_ends_the_import_and_leaves_nothing_half() {
    let fixture = Fixture::new();
    let path = fixture.write("L1.json", log("a/b", "L1", "x"));
    let mut file = fs::File::create(fixture.home.path().join("logs")).unwrap();
    file.write_all(b"in the way").unwrap();
    let error = fixture.api.import("x", &[path], &|_, _| {}, &Cancel::new()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Storage);
    assert!(error.message.to_string().ends_with("what was imported before stays, import again for the rest"));
    assert_eq!(fixture.files(), ["logs"]);
}

#[test]
fn a_checkout_of_another_benchmark_is_one_pack_and_none_of_its_other_files_is_ours() {
    let fixture = Fixture::new();
    let question =
        r#"{"id": "irrelevance_0", "question": [[{"role": "user", "content": "?"}]], "function": []}"#;
    fixture.write("checkout/data/BFCL_v4_irrelevance.json", question);
    fixture.write("checkout/LICENSE", "Apache");
    fixture.write("checkout/other/results.json", "{");
    let said = fixture.outcomes(&[fixture.from.path().join("checkout")]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("added") && said[0].ends_with(": bfcl"), "{said:?}");
    assert_eq!(fixture.api.request_hashes("bfcl").unwrap().len(), 1);
}

#[test]
fn what_lies_beside_another_benchmark_in_a_folder_comes_in_too() {
    let fixture = Fixture::new();
    let question =
        r#"{"id": "irrelevance_0", "question": [[{"role": "user", "content": "?"}]], "function": []}"#;
    fixture.write("all/theirs/LICENSE", "Apache");
    fixture.write("all/theirs/a/data/BFCL_v4_irrelevance.json", question);
    fixture.write("all/theirs/other.json", "{");
    fixture.write("all/logs/L2.json", log("a/b", "L2", "예"));
    let said = fixture.outcomes(&[fixture.from.path().join("all")]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("added all/theirs: bfcl")), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("added all/logs")), "{said:?}");
}
