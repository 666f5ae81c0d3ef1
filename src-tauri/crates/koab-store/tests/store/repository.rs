//! What repositories of data hold, by the names of their files and by what stands in them.

use crate::support::folder;
use koab_core::level::Level;
use koab_store::repository_files::{RepositoryKind, TasksRead, kind_of_repository, read};
use std::fs;
use std::path::Path;

#[test]
fn a_repository_is_known_by_the_names_of_its_files() {
    for (paths, found) in [
        (
            &["README.md", "tasks/pack.json", "tasks/L1.json", "cache/A_x.jsonl", "banner.png"][..],
            Some((RepositoryKind::Pack, 3)),
        ),
        (
            &["tasks/L1.json", "tool_catalog.json", "judge_prompts.yaml", "cache/A_x/0a/0a1.json"],
            Some((RepositoryKind::Pack, 4)),
        ),
        (&["repo/bench/tasks/L1.json", "repo/bench/tools/tool_catalog.py"], Some((RepositoryKind::Pack, 2))),
        // A pack comes before what else is published beside it.
        (&["tasks/pack.json", "data/L1-00000-of-00001.parquet"], Some((RepositoryKind::Pack, 1))),
        (
            &[
                "data/L2-00000-of-00001.parquet",
                "data/L1-00000-of-00001.parquet",
                "L1.json",
                "data/train.parquet",
            ],
            Some((RepositoryKind::Published, 2)),
        ),
        (&["tasks/L1.json", "tasks/L2.jsonl", "README.md"], Some((RepositoryKind::Tasks, 2))),
        (&["data/train.parquet", "L8.json", "L1x.json", "LEVELS.json", "L1.csv"], None),
        (&[], None),
    ] {
        let told = kind_of_repository(paths).map(|(kind, files)| (kind, files.len()));
        assert_eq!(told, found, "{paths:?}");
    }
    let (_, files) = kind_of_repository(&["data/L2-0.parquet", "data/L1-0.parquet"]).expect("published");
    assert_eq!(files, ["data/L1-0.parquet", "data/L2-0.parquet"], "levels in order");
}

fn summary(read: &TasksRead) -> String {
    let tasks = read
        .tasks
        .iter()
        .map(|task| format!("{} {} [{}]", task.level, task.instruction, task.tools.join(" ")));
    let problems = read.problems.iter().map(ToString::to_string);
    tasks.chain(problems).collect::<Vec<_>>().join("\n")
}

/// Written by pyarrow: the form of the published files, and that of newer writers (pages of version 2, long strings, an index, a
/// third column).
#[test]
fn parquet_files_of_other_writers_are_read() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/fixtures");
    let files = ["L1-00000-of-00001.parquet", "L2-00000-of-00001.parquet"];
    let read = read(&fixtures, "a dataset", &files).expect("read");
    insta::assert_snapshot!(summary(&read), @"
    L1 부산역에서 해운대까지 가는 길을 알려줘 [CarRoute_tmap]
    L1 코스피 지수와 코스닥 지수를 비교해줘 [MarketIndex_ls StockPrice_ls]
    L1 도구가 없는 과제 []
    L2 긴 문자열 형식 [A_x B_x]
    L1-00000-of-00001.parquet: task 3: instruction: must be a text (left out)
    L1-00000-of-00001.parquet: task 4: tools: is empty
    ");
    assert_eq!(read.whole, None);
}

#[test]
fn a_damaged_parquet_file_is_a_problem_and_never_the_end_of_the_program() {
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/fixtures/L1-00000-of-00001.parquet");
    let sound = fs::read(fixture).expect("read");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("L1-0.parquet");
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xff;
        fs::write(&path, &bytes).expect("written");
        // Some bytes mean nothing; what matters is that every answer is one.
        let _ = read(folder.path(), "a dataset", &["L1-0.parquet"]);
    }
    for length in (0..sound.len()).step_by(37) {
        fs::write(&path, &sound[..length]).expect("written");
        let error = read(folder.path(), "a dataset", &["L1-0.parquet"]).expect_err("cut off");
        let said = error.to_string();
        assert!(
            said.starts_with(
                "a dataset holds no task (L1-0.parquet: is not a Parquet file that can be read ("
            ),
            "{said}"
        );
    }
}

#[test]
fn tasks_stand_in_json_in_several_ways() {
    let bare = r#"[{"instruction": "가", "tools": ["A_x"]}, {"instruction": " "}, 7]"#;
    let held = r#"{"version": 2, "tasks": [{"instruction": "나", "available_tools": ["A_x", "B_x"]}]}"#;
    let lines = "{\"instruction\": \"다\", \"tools\": [\"A_x\"]}\n\n{\"instruction\": \"라\",\n{\"instruction\": \"마\"}\n";
    let folder = folder(&[
        ("L1.json", bare.to_owned()),
        ("L2.json", held.to_owned()),
        ("L3.jsonl", lines.to_owned()),
        ("L4.json", lines.lines().next().unwrap_or_default().repeat(2).replace("}{", "}\n{")),
    ]);
    let read =
        read(folder.path(), "a dataset", &["L1.json", "L2.json", "L3.jsonl", "L4.json"]).expect("read");
    insta::assert_snapshot!(summary(&read), @"
    L1 가 [A_x]
    L2 나 [A_x B_x]
    L3 다 [A_x]
    L4 다 [A_x]
    L4 다 [A_x]
    L1.json: task 3: must be an object (left out)
    L1.json: task 2: instruction: is empty (left out)
    L3.jsonl: line 3: is not JSON: EOF while parsing a value at line 1 column 22 (left out)
    L3.jsonl: task 2: tools: is missing (left out)
    ");
    assert_eq!(read.whole, None, "no run could be made of it");
}

#[test]
fn tasks_with_all_that_a_run_needs_are_kept_whole() {
    let task = r#"{"task_id": "A-1", "instruction": "가", "golden_action": [{"tool": "A_x", "args": {}}, {"tool": "A_x"}]}"#;
    let folder = folder(&[("L5.jsonl", task.to_owned())]);
    let read = read(folder.path(), "a dataset", &["L5.jsonl"]).expect("read");
    assert_eq!(summary(&read), "L5 가 [A_x]");
    let whole = read.whole.expect("whole");
    assert_eq!(whole[&Level::L5][0]["golden_action"][1]["tool"], "A_x");
}
