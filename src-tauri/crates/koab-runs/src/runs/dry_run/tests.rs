use crate::tests::desk::{Desk, on_l1, refused};
use koab_core::level::Level;
use koab_core::run_record::RequestedSettings;
use koab_library::{Origin, RunRequest};
use koab_workspace::connections::Connection;
use serde_json::Value;

#[test]
fn figures_of_a_run_are_those_of_its_tasks() {
    let desk = Desk::new();
    let pack = desk.runs.pack_for(None).unwrap();
    let count = |level: &Level| pack.tasks[level].len() as u32;
    for (levels, repetitions) in [(vec![Level::L1], 1), (vec![Level::L1, Level::L3], 3), (Vec::new(), 2)] {
        let request = RunRequest {
            levels: levels.clone(),
            settings: RequestedSettings { repetitions, ..on_l1("baseline/golden").settings },
            ..on_l1("baseline/golden")
        };
        let dry = desk.runs.dry_run(&request, &[]).unwrap();
        let wanted: Vec<Level> =
            pack.tasks.keys().filter(|&level| levels.is_empty() || levels.contains(level)).cloned().collect();
        let found: Vec<Level> = dry.levels.iter().map(|row| row.level.clone()).collect();
        assert_eq!(found, wanted);
        let tasks: u32 = wanted.iter().map(&count).sum();
        assert_eq!(dry.attempts, tasks * repetitions);
        for row in &dry.levels {
            assert_eq!(row.tasks, count(&row.level));
            assert!(row.golden_missing.len() as u32 <= row.tasks);
        }
        assert_eq!((dry.pack, dry.model), (pack.label(), "baseline/golden".to_owned()));
        assert!(dry.judges.is_empty() && !dry.is_request);
    }
}

#[tokio::test]
async fn a_run_that_goes_on_has_only_what_is_left() {
    let desk = Desk::new();
    let request =
        RunRequest { tasks: vec!["L1-001".to_owned(), "L1-002".to_owned()], ..on_l1("baseline/golden") };
    let run = desk.run(request).await;
    let again = RunRequest { origin: Origin::resume(&run), ..on_l1("baseline/golden") };
    let dry = desk.runs.dry_run(&again, &[]);
    match dry {
        Ok(dry) => assert_eq!((dry.attempts, dry.levels[0].tasks), (0, 2)),
        Err(error) => panic!("{}", error.message),
    }
}

#[tokio::test]
async fn a_run_that_goes_on_may_be_named_as_it_is_shown() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let address = "http://127.0.0.1:9/v1";
    let connection = Connection {
        name: "lab".to_owned(),
        provider: "openai_compat".to_owned(),
        base_url: Some(address.to_owned()),
        models: Vec::new(),
    };
    desk.runs.models.connect(connection).unwrap();
    let file = desk.runs.library.run_meant(&run).unwrap().run.folder.join("run.json");
    let mut told: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    told["model"] = "openai_compat/m".into();
    (told["spec"]["model"], told["spec"]["base_url"]) = ("openai_compat/m".into(), address.into());
    std::fs::write(&file, told.to_string()).unwrap();
    assert_eq!(desk.runs.library.run_show(&run).unwrap().model, "lab/m");
    let as_named = |model: &str| RunRequest { origin: Origin::resume(&run), ..on_l1(model) };
    for name in ["lab/m", "openai_compat/m"] {
        assert_eq!(desk.runs.dry_run(&as_named(name), &[]).unwrap().model, "lab/m");
    }
    refused(desk.runs.dry_run(&as_named("lab/other"), &[]).map(drop), "leave --model out");
}

#[test]
fn what_cannot_be_run_has_no_figures() {
    let desk = Desk::new();
    let estimate = |request: RunRequest| desk.runs.run_estimate(request).map(drop);
    estimate(on_l1("baseline/golden")).unwrap();
    refused(estimate(on_l1("nonsense/model")), "nonsense");
    refused(estimate(RunRequest { pack: Some("none".to_owned()), ..on_l1("baseline/golden") }), "none");
    refused(
        estimate(RunRequest { tasks: vec!["L9-001".to_owned()], ..on_l1("baseline/golden") }),
        "has no task L9-001",
    );
    refused(estimate(RunRequest { origin: Origin::resume("none"), ..on_l1("baseline/golden") }), "none");
}
