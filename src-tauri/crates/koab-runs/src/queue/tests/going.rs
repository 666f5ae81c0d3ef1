//! What is looked at while it goes: the transcript of a task, and a fork that is over in a moment.

use super::judged::Server;
use super::{api, request, until};
use koab_library::{ForkRequest, ForkState, RunRequest, TaskStatus};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_transcript_of_a_task_grows_while_it_goes() {
    let (_folder, api) = api();
    let server = Server::start(0);
    let task = api.packs.tasks_list(None).unwrap().tasks[0].id.clone();
    let one = RunRequest {
        base_url: Some(server.url.clone()),
        levels: Vec::new(),
        tasks: vec![task.clone()],
        ..request("a", "openai_compat/steps")
    };
    api.run_queue(vec![one]).unwrap();
    let now = until(&api, "its first step is there", |now| {
        let id = now.current.as_ref().and_then(|current| current.id.clone());
        id.is_some_and(|id| {
            let shown = api.library.transcript(&id, &task, None, None).unwrap();
            assert!(shown.under_way, "it cannot end before it is let go");
            shown.attempt.is_some()
        })
    })
    .await;
    let id = now.current.unwrap().id.unwrap();
    let going = api.library.transcript(&id, &task, None, None).unwrap();
    let attempt = going.attempt.unwrap();
    assert_eq!((attempt.steps, attempt.calls.len(), attempt.status), (1, 1, TaskStatus::Waiting));
    assert_eq!((attempt.stop, attempt.success, going.attempt_is_scored), (None, None, false));
    assert!(attempt.turns.len() >= 2, "its question and its step");
    server.let_go();
    until(&api, "it is over", |now| now.current.is_none()).await;
    let over = api.library.transcript(&id, &task, None, None).unwrap();
    assert!(!over.under_way);
    let attempt = over.attempt.unwrap();
    assert_eq!((attempt.steps, attempt.status), (2, TaskStatus::Answered));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fork_that_ends_at_once_is_never_broken_off() {
    let (_folder, api) = api();
    let task = "L3-001".to_owned();
    let one = RunRequest { levels: Vec::new(), tasks: vec![task.clone()], ..request("a", "baseline/golden") };
    api.run_queue(vec![one]).unwrap();
    let now = until(&api, "it is over", |now| now.current.is_none()).await;
    let run = now.ended[0].id.clone().unwrap();
    for _ in 0..30 {
        let started = api
            .fork_start(ForkRequest {
                run: run.clone(),
                task: task.clone(),
                repetition: None,
                step: 1,
                edits: Vec::new(),
                system: None,
                model: None,
                base_url: None,
                temperature: None,
                seed: None,
                max_cost: None,
                max_total_tokens: None,
                name: None,
            })
            .await
            .unwrap();
        loop {
            let shown = api.fork_show(&started.id).unwrap();
            match shown.fork.state {
                ForkState::Going => {}
                ForkState::Completed if shown.forked.is_some() => break,
                state => panic!("{state:?} with {:?}", shown.forked.is_some()),
            }
            let listed = api.forks_list(Some(&run), None).unwrap().forks;
            assert!(listed.iter().all(|fork| fork.state != ForkState::BrokenOff));
        }
    }
}
