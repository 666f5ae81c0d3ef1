use super::{Call, FillAnswer, fill_end, name_of};
use crate::tests::desk::{Desk, refused};
use crate::tests::pack::{MISSED, RECORDED as RECORDED_AT_FIRST, of_small};
use koab_core::args::NormalizedArgs;
use koab_core::event::AnswerSource;
use koab_core::say;
use koab_engine::ports::{Cancel, ServiceFault};
use koab_library::{FillEnd, FillRequest, ServiceKey, ServiceState};
use serde_json::{Map, Value, json};

fn call(tool: &str, query: &str) -> Call {
    let raw: Map<String, Value> = json!({"query": query}).as_object().unwrap().clone();
    Call { tool: tool.to_owned(), args: NormalizedArgs::from_record(&raw), raw }
}

fn service(title: &str, tools: &[&str], keys: &[(&str, bool)]) -> ServiceState {
    let key = |(name, present): &(&str, bool)| ServiceKey { name: (*name).to_owned(), present: *present };
    ServiceState {
        name: title.to_lowercase(),
        title: title.to_owned(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        keys: keys.iter().map(key).collect(),
        ready: keys.iter().all(|(_, present)| *present),
    }
}

fn failed(why: &'static str) -> FillAnswer {
    Some(Err(ServiceFault { message: say!("{why}"), shown: None, offline: None }))
}

const RECORDED: FillAnswer = Some(Ok(AnswerSource::Live));

/// Recorded, failed, left out for a missing key, stopped.
fn counts(end: &FillEnd) -> [u32; 4] {
    [end.recorded, end.failed, end.without_keys, end.stopped]
}

#[test]
fn every_call_is_counted_once_by_what_came_of_it() {
    let calls = [call("a", "1"), call("a", "2"), call("b", "1"), call("c", "1")];
    let states = [
        service("Open", &["a", "c"], &[("K1", true)]),
        service("Shut", &["b"], &[("K1", true), ("K2", false)]),
    ];
    for (answers, cancelled, wanted) in [
        ([RECORDED, RECORDED, None, RECORDED], false, [3, 0, 1, 0]),
        ([RECORDED, failed("busy"), None, None], false, [1, 2, 1, 0]),
        ([RECORDED, None, None, None], true, [1, 0, 1, 2]),
        ([None, None, None, None], true, [0, 0, 1, 3]),
    ] {
        let end = fill_end(&calls, &answers, &states, cancelled);
        assert_eq!(counts(&end), wanted, "{answers:?}");
        assert_eq!((end.calls, wanted.iter().sum::<u32>()), (4, 4));
        let named: Vec<&str> = end.tools.iter().map(|tool| tool.tool.as_str()).collect();
        assert_eq!(named, ["a", "b", "c"]);
        assert_eq!(end.tools[1].missing_keys, ["K2"], "only the key that is not there");
        assert_eq!((end.tools[0].service.as_str(), end.tools[1].service.as_str()), ("Open", "Shut"));
    }
}

#[test]
fn what_a_service_said_is_told_once_with_how_often() {
    let calls = [call("a", "1"), call("a", "2"), call("a", "3"), call("b", "1")];
    let answers = [failed("busy"), failed("gone"), failed("busy"), failed("busy")];
    let end = fill_end(&calls, &answers, &[service("Open", &["a"], &[])], false);
    let errors = |at: usize| -> Vec<(String, u32)> {
        let errors = end.tools[at].errors.iter();
        errors.map(|error| (error.message.to_string(), error.calls)).collect()
    };
    assert_eq!(errors(0), [("busy".to_owned(), 2), ("gone".to_owned(), 1)]);
    assert_eq!(errors(1), [("busy".to_owned(), 1)]);
    assert_eq!((end.tools[0].failed, end.tools[1].service.as_str()), (3, ""));
}

#[test]
fn a_label_s_name_ends_at_its_last_sign() {
    for (label, name) in [("starter@1.0.0", "starter"), ("a@b@1", "a@b"), ("starter", "starter"), ("@1", "")]
    {
        assert_eq!(name_of(label), name);
    }
}

fn request(run: &str, tasks: Option<&[&str]>) -> FillRequest {
    let request = json!({"run": run, "tasks": tasks, "without_keys": false});
    serde_json::from_value(request).unwrap()
}

#[tokio::test]
async fn a_run_that_missed_nothing_has_nothing_to_fill() {
    let desk = Desk::new();
    let run = desk.made("baseline/golden").await;
    let plan = desk.runs.cache_fill_plan(request(&run, None)).await.unwrap();
    assert_eq!((plan.calls, plan.ready, plan.answered, plan.refused, plan.no_service), (0, 0, 0, 0, 0));
    assert!(plan.services.is_empty() && plan.pack.starts_with("starter@"));
    let end = desk.runs.cache_fill(request(&run, None), &Cancel::new()).await.unwrap();
    assert_eq!((end.calls, counts(&end)), (0, [0; 4]));
    assert_eq!(end.origin, format!("fill {run}"));
    assert!(desk.runs.cache_fill_end(&run).unwrap().is_some());
    assert!(desk.runs.cache_fill_end("none").unwrap().is_none());
    let why = format!("the run {run} missed no call of the task L9-001");
    refused(desk.runs.cache_fill_plan(request(&run, Some(&["L9-001"]))).await.map(drop), &why);
    refused(desk.runs.cache_fill_plan(request("none", None)).await.map(drop), "none");
    desk.runs.packs.remove("starter").unwrap();
    let why = "no pack is installed that the misses can be compared with; import the run's pack first";
    refused(desk.runs.cache_fill_plan(request(&run, None)).await.map(drop), why);
}

#[tokio::test]
async fn what_no_service_answers_is_said_and_not_asked() {
    let desk = Desk::with_pack();
    let run = desk.run(of_small()).await;
    let plan = desk.runs.cache_fill_plan(request(&run, None)).await.unwrap();
    assert_eq!(
        (plan.calls, plan.no_service, plan.answered, plan.refused),
        (0, 1, 0, 0),
        "one call, however many tasks ask it"
    );
    let one = desk.runs.cache_fill_plan(request(&run, Some(&["L1-003"]))).await.unwrap();
    assert_eq!(one.no_service, 1);
    let why = format!("the run {run} missed no call of the task L1-001; see `koab cache misses {run}`");
    refused(desk.runs.cache_fill_plan(request(&run, Some(&["L1-001"]))).await.map(drop), &why);
    desk.import_pack("1.0.0", &[RECORDED_AT_FIRST, &[(MISSED, "셋")]].concat());
    let plan = desk.runs.cache_fill_plan(request(&run, None)).await.unwrap();
    assert_eq!((plan.calls, plan.no_service, plan.answered), (0, 0, 1));
    let end = desk.runs.cache_fill(request(&run, None), &Cancel::new()).await.unwrap();
    assert_eq!(end.tasks, ["L1-002", "L1-003"], "tasks that are worth making again");
}
