use super::*;
use crate::form::{CallForm, ServerForm};
use crate::normalize::Normalize;
use koab_keys::Keys;
use koab_models::Models;
use koab_packs::Packs;
use koab_workspace::Workspace;

/// A replay of two tools in a workspace of its own, and the misses that it told.
struct Book {
    replay: Replay,
    misses: Arc<Mutex<Vec<ReplayMiss>>>,
    _folder: tempfile::TempDir,
}

fn call(session: u32, tool: &str, arguments: Option<&str>, answer: &str) -> CallForm {
    let is_error = answer.contains("code");
    CallForm {
        session,
        tool: tool.to_owned(),
        arguments: arguments.map(str::to_owned),
        result: (!is_error).then(|| answer.to_owned()),
        error: is_error.then(|| answer.to_owned()),
        ..CallForm::default()
    }
}

fn book(calls: Vec<CallForm>, options: ReplayOptions) -> Book {
    let folder = tempfile::tempdir().expect("a folder");
    let workspace = Workspace::open(Some(folder.path().to_owned())).expect("opened");
    let models = Models::new(workspace.clone(), Keys::new(workspace.clone()));
    let recorder = Recorder::new(workspace.clone(), Packs::new(workspace, models));
    let tool = |name: &str| {
        let schema = r#"{"type":"object","properties":{"q":{"type":"string"},"n":{"type":"number"}}}"#;
        format!(r#"{{"name":"{name}","description":"d","inputSchema":{schema}}}"#)
    };
    let recorded = Recorded {
        server: ServerForm {
            tools: vec![tool("find"), tool("list")],
            normalize: Normalize {
                work: Some("/srv/then".to_owned()),
                rewrite: true,
                ..Normalize::default()
            },
            ..ServerForm::default()
        },
        calls,
    };
    let misses = Arc::<Mutex<Vec<ReplayMiss>>>::default();
    let told = Arc::clone(&misses);
    let on_miss: OnMiss = Arc::new(move |miss| told.lock().expect("free").push(miss.clone()));
    let shared = Shared::new(&recorder, ("p", recorded), options, on_miss).expect("a replay");
    let replay = Replay { shared: Arc::new(shared), turns: Mutex::default() };
    Book { replay, misses, _folder: folder }
}

impl Book {
    /// Whether it is a result, and its text.
    async fn ask(&self, tool: &str, arguments: Option<&str>) -> (bool, String) {
        let (id, arguments) = (raw("1"), arguments.map(raw));
        let answer = self.replay.call(ToolCall { id: &id, name: tool, arguments: arguments.as_deref() });
        match answer.await {
            ToolAnswer::Result(text) => (true, text.get().to_owned()),
            ToolAnswer::Error(text) => (false, text.get().to_owned()),
        }
    }

    fn misses(&self) -> Vec<ReplayMiss> {
        std::mem::take(&mut self.misses.lock().expect("free"))
    }
}

#[tokio::test]
async fn a_recorded_call_is_answered_letter_for_letter() {
    let odd = "{\"content\":[ {\"type\":\"text\",  \"text\":\"\\u0041 1.50\"}]}";
    let calls = vec![
        call(1, "find", Some(r#"{"q":"a","n":1}"#), odd),
        call(1, "list", None, r#"{"code":-32000,"message":"no"}"#),
    ];
    let book = book(calls, ReplayOptions::default());
    assert_eq!(book.ask("find", Some(r#"{ "n": 1.0, "q": "a" }"#)).await, (true, odd.to_owned()));
    assert_eq!(book.ask("list", None).await, (false, r#"{"code":-32000,"message":"no"}"#.to_owned()));
    assert_eq!(book.misses(), []);
    let offered: Vec<String> = book.replay.list().into_iter().map(|tool| tool.name).collect();
    assert_eq!(offered, ["find", "list"]);
}

#[tokio::test]
async fn a_miss_names_the_call_that_is_most_like_it() {
    let calls = vec![
        call(1, "find", Some(r#"{"q":"far","n":9}"#), "{}"),
        call(1, "find", Some(r#"{"q":"near","n":1}"#), "{}"),
    ];
    let book = book(calls, ReplayOptions::default());
    let (is_result, text) = book.ask("find", Some(r#"{"q":"near","n":2}"#)).await;
    assert!(is_result && text.contains(r#""isError":true"#), "{text}");
    let miss = book.misses().remove(0);
    assert_eq!((miss.tool.as_str(), miss.arguments.as_str()), ("find", r#"{"n":2,"q":"near"}"#));
    assert!(miss.nearest.as_deref().is_some_and(|near| near.contains("near")), "{miss:?}");
    assert_eq!(miss.differing, ["n"]);
    // A tool without a recorded call has nothing that is like it.
    book.ask("list", Some("{}")).await;
    let miss = book.misses().remove(0);
    assert_eq!((miss.nearest, miss.differing), (None, Vec::new()));
}

#[tokio::test]
async fn folders_are_those_of_whoever_replays() {
    let calls = vec![call(1, "find", Some(r#"{"q":"/srv/then/a"}"#), r#"{"at":"/srv/then/a"}"#)];
    let options = ReplayOptions { work: Some("/tmp/now".to_owned()), ..ReplayOptions::default() };
    let book = book(calls, options);
    let found = book.ask("find", Some(r#"{"q":"/tmp/now/a"}"#)).await;
    assert_eq!(found, (true, r#"{"at":"/tmp/now/a"}"#.to_owned()));
}

#[tokio::test]
async fn under_strict_order_a_call_waits_for_those_before_it() {
    let calls = || vec![call(1, "find", Some("{}"), r#"{"n":1}"#), call(1, "list", Some("{}"), r#"{"n":2}"#)];
    let strict = ReplayOptions { strict_order: true, ..ReplayOptions::default() };
    let ordered = book(calls(), strict);
    assert!(ordered.ask("list", Some("{}")).await.1.contains("isError"));
    assert_eq!(ordered.ask("find", Some("{}")).await.1, r#"{"n":1}"#);
    assert_eq!(ordered.ask("list", Some("{}")).await.1, r#"{"n":2}"#);
    assert_eq!(ordered.misses().len(), 1);
    let free = book(calls(), ReplayOptions::default());
    assert_eq!(free.ask("list", Some("{}")).await.1, r#"{"n":2}"#);
}

#[tokio::test]
async fn a_tool_that_there_is_not_is_refused_as_the_server_did() {
    let said = r#"{"code":-32602,"message":"Tool gone not found"}"#;
    let with = book(vec![call(1, "gone", Some("{}"), said)], ReplayOptions::default());
    let (is_result, text) = with.ask("a\"b", Some("{}")).await;
    assert_eq!((is_result, text.as_str()), (false, r#"{"code":-32602,"message":"Tool a\"b not found"}"#));
    let without = book(Vec::new(), ReplayOptions::default());
    let (is_result, text) = without.ask("gone", None).await;
    assert!(!is_result && text.contains("Unknown tool: gone"), "{text}");
    assert_eq!(without.misses(), [], "no call of the pack's own tools");
}
