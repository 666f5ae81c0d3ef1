use crate::tests::desk::{Desk, refused};
use crate::tests::pack::{MISSED, RECORDED, of_small};
use koab_core::run_record::RequestedSettings;
use koab_library::{MissStanding, RunRequest};
use serde_json::json;

#[tokio::test]
async fn what_a_run_missed_is_counted_by_call_task_tool_and_level() {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    let misses = desk.runs.library.cache_misses(&run).unwrap();
    assert_eq!((misses.run.as_str(), misses.pack.as_deref()), (run.as_str(), Some("small@1.0.0")));
    assert_eq!(misses.against.as_deref(), Some("small@1.0.0"));
    assert_eq!((misses.calls, misses.misses.len(), misses.distinct), (3, 2, 1), "two tasks ask the same");
    assert_eq!((misses.open, misses.filled.len()), (0, 0), "no service answers such a tool");
    let tasks: Vec<&str> = misses.misses.iter().map(|miss| miss.task.as_str()).collect();
    assert_eq!(tasks, ["L1-002", "L1-003"]);
    let tools: Vec<_> =
        misses.tools.iter().map(|row| (row.tool.as_str(), row.calls, row.misses, row.distinct)).collect();
    assert_eq!(tools, [("Search_x", 3, 2, 1)]);
    assert_eq!(misses.levels.len(), 1);
    for miss in &misses.misses {
        assert_eq!(
            (miss.tool.as_str(), miss.repetition, &miss.standing),
            ("Search_x", 1, &MissStanding::Open {})
        );
        assert_eq!(json!(miss.arguments)["query"], MISSED);
        assert_eq!(miss.key.as_ref().map(String::len), Some(64));
        let nearest = miss.nearest.as_ref().expect("two are recorded");
        assert_eq!(json!(nearest.args)["query"], "서울 맛집");
        let names: Vec<&str> = nearest.differences.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["query"]);
    }
}

#[tokio::test]
async fn a_miss_is_over_when_the_pack_answers_it() {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    desk.import_pack("1.0.0", &[RECORDED, &[(MISSED, "셋")]].concat());
    let misses = desk.runs.library.cache_misses(&run).unwrap();
    assert_eq!((misses.misses.len(), misses.distinct), (2, 1), "what was missed stays missed");
    assert!(misses.misses.iter().all(|miss| miss.standing == MissStanding::Recorded {}));
    assert_eq!(misses.filled, ["L1-002", "L1-003"]);
    desk.runs.packs.remove("small").unwrap();
    let misses = desk.runs.library.cache_misses(&run).unwrap();
    assert_eq!((misses.against, misses.misses.len()), (None, 2));
    assert!(misses.misses.iter().all(|miss| miss.nearest.is_none()));
}

#[tokio::test]
async fn each_repetition_misses_by_itself() {
    let desk = Desk::with_pack();
    let request = RunRequest {
        tasks: vec!["L1-002".to_owned()],
        settings: RequestedSettings { repetitions: 2, ..of_small().settings },
        ..of_small()
    };
    let run = desk.run(request).await;
    let misses = desk.runs.library.cache_misses(&run).unwrap();
    let repetitions: Vec<u32> = misses.misses.iter().map(|miss| miss.repetition).collect();
    assert_eq!((repetitions, misses.distinct, misses.calls), (vec![1, 2], 1, 2));
    refused(desk.runs.library.cache_misses("none").map(drop), "none");
}
