use super::file::id_of;
use super::{AdaptiveRequest, AdaptiveSummary};
use crate::tests::desk::server::{Server, verdict};
use crate::tests::desk::{Desk, Written, WrittenGroup, refused, watch};
use koab_core::score::MetricId;
use koab_engine::ports::Cancel;
use koab_library::options::JudgeChoice;
use koab_library::{Origin, RunRequest};
use koab_models::LocalSettings;
use koab_workspace::{ErrorCode, WireError};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Tasks of the starter pack: four in each of seven levels.
const TASKS: usize = 28;

/// The starter pack's tasks in its order.
fn tasks() -> impl Iterator<Item = (usize, usize, String)> {
    let of_level = |level: usize| (1..=4).map(move |task| (level, task, format!("L{level}-{task:03}")));
    (1..=7).flat_map(of_level)
}

/// How hard a task is, from 0 to 7: by its place in the pack.
fn difficulty(level: usize, task: usize) -> usize {
    (level * 3 + task * 5) % 8
}

/// Puts a report of the starter pack's tasks, of which the model solves those up to its skill, and leaves out the last so many.
fn put(desk: &Desk, id: &str, model: &str, skill: usize, left_out: usize) {
    let all: Vec<(usize, usize, String)> = tasks().take(TASKS - left_out).collect();
    let names = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];
    let group = |(at, name): (usize, &'static str)| {
        let of_level = all.iter().filter(|(level, ..)| *level == at + 1);
        let scored = of_level.map(|(level, task, id)| {
            let is_solved = difficulty(*level, *task) <= skill;
            (id.clone(), vec![("SR", Some(f64::from(u8::from(is_solved))))])
        });
        WrittenGroup { name, tasks: scored.collect() }
    };
    let groups = names.into_iter().enumerate().map(group);
    let groups = groups.filter(|group| !group.tasks.is_empty()).collect();
    desk.put(id, &Written { model, judge: "j/1", groups });
}

/// Reports of four other models.
fn with_reports() -> Desk {
    let desk = Desk::new();
    for skill in [2, 3, 5, 6] {
        put(&desk, &format!("r{skill}"), &format!("lab/skill-{skill}"), skill, 0);
    }
    desk
}

/// The place of a task in the request that asks it: the instruction is the pack's own.
fn asked_task(body: &Value) -> Option<(usize, usize)> {
    let said = body["messages"].to_string();
    // The words of one task may be a part of another one's.
    instructions()
        .iter()
        .filter(|(_, _, text)| said.contains(text.as_str()))
        .max_by_key(|(_, _, text)| text.len())
        .map(|(level, task, _)| (*level, *task))
}

/// The first words of each task's instruction as they stand in a request.
fn instructions() -> Vec<(usize, usize, String)> {
    let texts = [
        include_str!("../../../../../tasks/L1.json"),
        include_str!("../../../../../tasks/L2.json"),
        include_str!("../../../../../tasks/L3.json"),
        include_str!("../../../../../tasks/L4.json"),
        include_str!("../../../../../tasks/L5.json"),
        include_str!("../../../../../tasks/L6.json"),
        include_str!("../../../../../tasks/L7.json"),
    ];
    let mut all = Vec::new();
    for (level, text) in texts.iter().enumerate() {
        let tasks: Vec<Value> = serde_json::from_str(text).unwrap();
        for (task, one) in tasks.iter().enumerate() {
            let first = one["conversation_tracking"]["turns"][0]["content"].as_str();
            let said = first.or(one["instruction"].as_str()).unwrap_or_default();
            let quoted = Value::from(said).to_string();
            all.push((level + 1, task + 1, quoted[1..quoted.len() - 1].to_owned()));
        }
    }
    all
}

/// `skill-4` solves the tasks up to difficulty 4; `broken-4` likewise, and its server refuses those of 5. A judge finds good answers
/// right.
fn server() -> Server {
    Server::start(&["skill-4", "broken-4", "judge"], |body| {
        let model = body["model"].as_str().unwrap_or_default();
        if model == "judge" {
            return (200, verdict(body["messages"].to_string().contains("좋은 답변")));
        }
        let hard = asked_task(body).map_or(7, |(level, task)| difficulty(level, task));
        match hard {
            5 if model == "broken-4" => (400, "no".to_owned()),
            0..=4 => (200, "좋은 답변입니다.".to_owned()),
            _ => (200, "모르겠습니다.".to_owned()),
        }
    })
}

fn request(url: &str, model: &str, half_width: f64) -> AdaptiveRequest {
    AdaptiveRequest {
        run: RunRequest {
            base_url: Some(url.to_owned()),
            ..RunRequest::published("adaptive", &format!("openai_compat/{model}"))
        },
        metric: MetricId::Sr,
        half_width,
        judges: JudgeChoice::Models {
            ids: vec!["openai_compat/judge".to_owned()],
            base_url: Some(url.to_owned()),
        },
        judge_local: LocalSettings::default(),
    }
}

async fn played(desk: &Desk, request: AdaptiveRequest) -> Result<AdaptiveSummary, WireError> {
    let adaptive = desk.compare.adaptive(request)?;
    let played = desk.compare.play_adaptive(adaptive, &watch, &Cancel::new()).await;
    played.map(|(found, unlisted)| {
        assert_eq!(unlisted, None);
        found
    })
}

#[tokio::test]
async fn the_tasks_that_tell_most_say_what_a_run_of_all_gives() {
    let server = server();
    let desk = with_reports();
    let outlook = desk.compare.adaptive(request(&server.url, "skill-4", 0.1)).unwrap().outlook();
    assert_eq!((outlook.items, outlook.models.len()), (TASKS, 4));
    assert!((20..TASKS).contains(&outlook.expected), "{outlook:?}");
    let found = played(&desk, request(&server.url, "skill-4", 0.1)).await.unwrap();
    // What a run of all gives is known here: the tasks up to difficulty 4, counted by hand.
    let solved = tasks().filter(|(level, task, _)| difficulty(*level, *task) <= 4).count();
    let truth = solved as f64 / TASKS as f64;
    let estimate = &found.estimate;
    assert!((estimate.mean - truth).abs() <= 0.1, "{estimate:?} for {truth}");
    assert!(estimate.half_width <= 0.1 && (20..TASKS).contains(&estimate.asked), "{estimate:?}");
    assert_eq!((found.stopped.clone(), found.unscored.len(), found.tasks.len()), (None, 0, estimate.asked));
    // Each answer is that of its task, and its run is one of the run's.
    for one in &found.tasks {
        let (level, task, _) = tasks().find(|(.., id)| *id == one.task).unwrap();
        // Tasks of L5 have a tool that fails, so that more than the answer may decide them.
        if level == 5 {
            continue;
        }
        assert_eq!(one.solved, difficulty(level, task) <= 4, "{}", one.task);
        assert!(found.runs.contains(&one.run));
    }
    assert!(
        found.estimate.sentence.to_string().contains("an estimate cannot be submitted"),
        "{}",
        found.estimate.sentence
    );
    // The seed is fixed, and reports of few tasks are none of the bank, so the same tasks are asked again.
    let again = played(&desk, request(&server.url, "skill-4", 0.1)).await.unwrap();
    let asked = |found: &AdaptiveSummary| -> BTreeSet<(String, bool)> {
        found.tasks.iter().map(|one| (one.task.clone(), one.solved)).collect()
    };
    assert_eq!(asked(&again), asked(&found));
    // Both are in the list, the newest first.
    let listed = desk.compare.adaptive_list().unwrap();
    assert_eq!(listed.len(), 2);
    assert!(listed[0].begun_ms >= listed[1].begun_ms);
    let view = desk.compare.adaptive_show(&listed[1].id).unwrap();
    assert_eq!((view.is_over, view.is_here, view.found.tasks.len()), (true, false, found.tasks.len()));
    assert!(view.found.runs.iter().all(|run| run.split('/').count() == 2), "{:?}", view.found.runs);
    assert_eq!(view.judges, ["openai_compat/judge"]);
    desk.compare.adaptive_forget(&view.id).unwrap();
    assert_eq!(desk.compare.adaptive_list().unwrap().len(), 1);
    // An id that was taken by a process that was killed then is nobody's; a damaged file is said.
    let kept = desk.compare.adaptive_folder();
    std::fs::write(kept.join("7.json"), "").unwrap();
    assert_eq!(desk.compare.adaptive_list().unwrap().len(), 1);
    std::fs::write(kept.join("8.json"), "{\"id\"").unwrap();
    for error in [desk.compare.adaptive_list().map(drop), desk.compare.adaptive_show("8").map(drop)] {
        let error = error.expect_err("damaged").to_string();
        assert!(error.contains("8.json") && error.contains("move it away"), "{error}");
    }
}

#[tokio::test]
async fn what_ends_it_early_is_said_beside_what_is_known() {
    let server = server();
    let desk = with_reports();
    let broken = played(&desk, request(&server.url, "broken-4", 0.01)).await.unwrap();
    let refused: BTreeSet<String> =
        tasks().filter(|(level, task, _)| difficulty(*level, *task) == 5).map(|(.., id)| id).collect();
    let unscored: BTreeSet<String> = broken.unscored.iter().cloned().collect();
    assert_eq!(unscored, refused);
    assert_eq!(broken.estimate.asked, TASKS - refused.len());
    let said = broken.stopped.unwrap().to_string();
    let wanted = format!("{} tasks have no score after 2 attempts each", refused.len());
    assert!(said.starts_with(&wanted), "{said}");
    let capped = AdaptiveRequest {
        run: RunRequest { max_total_tokens: Some(500), ..request(&server.url, "skill-4", 0.1).run },
        ..request(&server.url, "skill-4", 0.1)
    };
    let cut = played(&desk, capped).await.unwrap();
    let said = cut.stopped.unwrap().to_string();
    assert!(said.starts_with("the budget was spent before the interval had the requested width"), "{said}");
    assert_eq!((cut.estimate.asked, cut.tasks.len()), (0, 0), "a run that a cap ended is not scored");
}

#[tokio::test]
async fn a_cancelled_one_is_over_and_says_why() {
    let server = server();
    let desk = with_reports();
    let adaptive = desk.compare.adaptive(request(&server.url, "skill-4", 0.1)).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let error = desk.compare.play_adaptive(adaptive, &watch, &cancel).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Cancelled);
    let view = desk.compare.adaptive_list().unwrap().remove(0);
    assert_eq!((view.is_over, view.found.stopped), (true, Some(error.message)));
}

#[tokio::test]
async fn an_answer_is_given_also_where_the_list_cannot_keep_it() {
    let server = server();
    let desk = with_reports();
    let folder = desk.path().join("adaptive");
    let begun = |desk: &Desk| {
        let adaptive = desk.compare.adaptive(request(&server.url, "skill-4", 0.2)).unwrap();
        let kept = desk.compare.begin_adaptive(&adaptive).unwrap();
        (adaptive, kept)
    };
    // A folder in the place of the list.
    let (adaptive, kept) = begun(&desk);
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "").unwrap();
    let (found, listed) = desk.compare.carry_on(adaptive, kept, &watch, &Cancel::new()).await;
    assert!(found.unwrap().estimate.half_width <= 0.2);
    assert!(listed.is_err());
    fs::remove_file(&folder).unwrap();
    // One that another process took out of the list stays out.
    let (adaptive, kept) = begun(&desk);
    for entry in fs::read_dir(&folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let (found, listed) = desk.compare.carry_on(adaptive, kept, &watch, &Cancel::new()).await;
    assert!(found.is_ok() && listed.is_ok());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_run() {
    let desk = with_reports();
    let url = "http://127.0.0.1:9/v1";
    let asked = |change: &dyn Fn(&mut AdaptiveRequest)| {
        let mut asked = request(url, "skill-4", 0.03);
        change(&mut asked);
        desk.compare.adaptive(asked)
    };
    for width in [0.0, -0.1, 0.5, 0.6, f64::NAN] {
        refused(asked(&|of| of.half_width = width), "the half width must be above 0 and below 0.5");
    }
    asked(&|of| of.half_width = 0.499).unwrap();
    refused(asked(&|of| of.metric = MetricId::ArgAcc), "ArgAcc can be a fraction for a task");
    refused(asked(&|of| of.judges = JudgeChoice::Nobody), "SR is judged: name a judge with --judge-models");
    refused(asked(&|of| of.run.pack = Some("gone".to_owned())), "gone");
    let of_form = |change: &dyn Fn(&mut RunRequest)| {
        let mut run = request(url, "skill-4", 0.03).run;
        change(&mut run);
        desk.compare.adaptive_plan(run, 0.03)
    };
    let chosen = "an adaptive run chooses the tasks itself and tries each once";
    refused(of_form(&|run| run.settings.repetitions = 2), chosen);
    refused(of_form(&|run| run.tasks = vec!["L1-001".to_owned()]), chosen);
    refused(of_form(&|run| run.levels = vec!["L1".parse().unwrap()]), chosen);
    refused(of_form(&|run| run.origin = Origin::resume("last")), chosen);
    refused(of_form(&|run| run.origin = Origin::Completes { run: "last".to_owned() }), chosen);
    refused(of_form(&|_| ()), "SR is judged: choose a judge");
    for id in ["", "x", "12", "../1"] {
        let code = desk.compare.adaptive_show(id).unwrap_err().code;
        assert_eq!(code, ErrorCode::NotFound, "{id}");
    }
    assert_eq!(desk.count_of_runs(), 0);
}

#[test]
fn the_bank_has_one_whole_report_of_each_other_model() {
    let desk = Desk::new();
    let models = |desk: &Desk| -> Result<Vec<String>, WireError> {
        let adaptive = desk.compare.adaptive(request("http://127.0.0.1:9/v1", "skill-4", 0.1))?;
        Ok(adaptive.outlook().models)
    };
    for skill in [2, 3, 5] {
        put(&desk, &format!("r{skill}"), &format!("lab/skill-{skill}"), skill, 0);
    }
    refused(models(&desk), "3 reports of this pack are too few to know how hard its tasks are");
    // A second report of a model, the model's own, and one of a share of the tasks do not make four.
    put(&desk, "again", "lab/skill-2", 2, 0);
    put(&desk, "own", "openai_compat/skill-4", 4, 0);
    // 25 of 28 tasks are 89 %, 26 are 93 %; at least 90 % are needed.
    put(&desk, "few", "lab/few", 6, 3);
    refused(models(&desk), "3 reports of this pack are too few");
    put(&desk, "most", "lab/most", 6, 2);
    let mut found = models(&desk).unwrap();
    found.sort();
    assert_eq!(found, ["lab/most", "lab/skill-2", "lab/skill-3", "lab/skill-5"]);
    // A report with a task of another pack is of another pack.
    desk.put_solved("other", "lab/other", "L1", &[true; 5]);
    assert_eq!(models(&desk).unwrap().len(), 4);
}

#[test]
fn a_share_of_a_task_is_neither_solved_nor_not() {
    let desk = with_reports();
    let halves = tasks().map(|(.., id)| (id, vec![("SR", Some(0.5))])).collect();
    let report = Written {
        model: "lab/halves",
        judge: "j/1",
        groups: vec![WrittenGroup { name: "L1", tasks: halves }],
    };
    desk.put("halves", &report);
    let adaptive = desk.compare.adaptive(request("http://127.0.0.1:9/v1", "skill-4", 0.1)).unwrap();
    assert_eq!(adaptive.outlook().models.len(), 4);
    assert!(!adaptive.outlook().models.contains(&"lab/halves".to_owned()));
}

#[test]
fn a_wider_interval_takes_fewer_tasks() {
    let desk = with_reports();
    let expected = |half_width: f64| {
        let asked = request("http://127.0.0.1:9/v1", "skill-4", half_width);
        desk.compare.adaptive(asked).unwrap().outlook().expected
    };
    let needed = [0.01, 0.05, 0.1, 0.2, 0.4].map(expected);
    assert!(needed.is_sorted_by(|one, other| one >= other), "{needed:?}");
    // All tasks are the most, and twenty the fewest that say anything.
    assert_eq!((needed[0], needed[4]), (TASKS, 20));
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    /// A run keeps its id when the workspace is moved, on any system.
    #[test]
    fn the_id_of_a_run_is_its_last_two_folders(
        before in prop::collection::vec("[a-zA-Z0-9 ._-]{1,8}", 0..4),
        model in "[a-zA-Z0-9._-]{1,8}",
        run in "[0-9_]{1,8}",
    ) {
        for mark in ["/", "\\"] {
            let path: String = before.iter().map(|part| format!("{part}{mark}")).collect();
            prop_assert_eq!(id_of(&format!("{path}{model}{mark}{run}")), format!("{model}/{run}"));
        }
    }
}
