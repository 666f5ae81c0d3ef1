use super::{Output, Program};
use crate::tests::refused;
use std::collections::BTreeMap;
use std::path::Path;
use tokio::io::AsyncWriteExt as _;

fn output(folder: &Path) -> Output {
    Output::into_file(&folder.join("console.log"), &[]).expect("a file")
}

/// The environment of the tests' programs: where `sh` and `cat` are, and nothing else.
fn environment() -> BTreeMap<String, String> {
    [("PATH", "/usr/bin:/bin"), ("MINE", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[tokio::test]
async fn words_of_a_command_are_no_shell_s_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let command = words(&["sh", "-c", "printf '%s|' \"$@\"", "sh", "a b", "$(exit 3)", "\"", ""]);
    let program =
        Program { command: &command, environment: &environment(), folder: folder.path(), spoken_to: false };
    let mut process = program.start(&output).expect("started");
    assert!(process.ended().await.is_some_and(|status| status.success()));
    process.end().await;
    assert_eq!(output.stdout(), "a b|$(exit 3)|\"||");
}

#[tokio::test]
async fn a_program_has_its_folder_and_its_environment_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let command = words(&["sh", "-c", "pwd; export -p | grep -c CARGO; echo $MINE; cat; echo over >&2"]);
    let program =
        Program { command: &command, environment: &environment(), folder: folder.path(), spoken_to: false };
    let mut process = program.start(&output).expect("started");
    process.ended().await;
    let (status, outlived) = process.end().await;
    assert_eq!((status.and_then(|status| status.code()), outlived), (Some(0), false));
    let here = folder.path().canonicalize().expect("there");
    assert_eq!(output.stdout(), format!("{}\n0\n1\n", here.display()));
    assert!(output.last_words().contains("over"));
}

#[tokio::test]
async fn a_program_that_is_spoken_to_hears_until_it_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let command = words(&["cat"]);
    let program =
        Program { command: &command, environment: &environment(), folder: folder.path(), spoken_to: true };
    let mut process = program.start(&output).expect("started");
    let mut stdin = process.stdin.take().expect("a way to speak to it");
    stdin.write_all("안녕\n".as_bytes()).await.expect("written");
    drop(stdin);
    process.ended().await;
    process.end().await;
    assert_eq!(output.stdout(), "안녕\n");
}

#[tokio::test]
async fn an_asked_program_ends_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let script = "trap 'echo asked; exit 7' TERM; echo ready; while :; do sleep 0.02; done";
    let command = words(&["sh", "-c", script]);
    let program =
        Program { command: &command, environment: &environment(), folder: folder.path(), spoken_to: false };
    let (heard, mut lines) = output.clone().by_lines();
    let process = program.start(&heard).expect("started");
    drop(heard);
    assert_eq!(lines.recv().await.as_deref(), Some("ready\n"));
    let (status, outlived) = process.end().await;
    assert_eq!((status.and_then(|status| status.code()), outlived), (Some(7), false));
    assert_eq!(lines.recv().await.as_deref(), Some("asked\n"));
}

#[tokio::test]
async fn what_cannot_be_started_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let start = |command: &[String], folder: &Path| {
        Program { command, environment: &environment(), folder, spoken_to: false }.start(&output).map(drop)
    };
    refused(start(&[], folder.path()), "there is no command");
    for (command, place) in
        [("koab-no-such-program", folder.path().to_owned()), ("sh", folder.path().join("none"))]
    {
        let why = start(&words(&[command]), &place).expect_err(command).to_string();
        assert!(why.starts_with(&format!("{command} could not be started: ")), "{why}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_is_dropped_takes_along_what_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = output(folder.path());
    let command = words(&["sh", "-c", "sleep 60 & echo $!; wait"]);
    let program =
        Program { command: &command, environment: &environment(), folder: folder.path(), spoken_to: false };
    let (heard, mut lines) = output.by_lines();
    let process = program.start(&heard).expect("started");
    drop(heard);
    let child = lines.recv().await.expect("a child");
    let child = rustix::process::Pid::from_raw(child.trim().parse().expect("a number")).expect("a process");
    assert!(rustix::process::test_kill_process(child).is_ok());
    drop(process);
    // Its end of the pipe is closed when it is gone.
    assert_eq!(lines.recv().await, None);
}
