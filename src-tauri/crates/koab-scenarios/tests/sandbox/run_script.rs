//! `run.sh`, run by this machine's `sh` with a `python` of the test's own.
#![cfg(unix)]

use crate::sandbox::support::{benchmark, id, make, put, read, script, skip};
use koab_scenarios::expand::{Extras, expand};
use koab_scenarios::layout::Layout;
use koab_scenarios::markers::markers;
use koab_scenarios::outcome::Setting;
use koab_scenarios::run_script::RunScript;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Runs `scenario.py` by `sh`, notes how `pip` was called, and makes an environment that is itself again.
const PYTHON: &str = r#"#!/bin/sh
case "$1" in
    -V) echo "Python 3.99.0" ;;
    -m)
        shift
        case "$1" in
            venv) mkdir -p "$2/bin" && cp "$0" "$2/bin/python" && echo "PATH=$PWD/$2/bin:\$PATH" > "$2/bin/activate" ;;
            pip) [ "$2" = list ] && echo "some-package==1.0" && exit 0; echo "pip $*"; exit "${PIP_CODE:-0}" ;;
        esac ;;
    *) exec sh "$1" ;;
esac
"#;

struct Ran {
    log: String,
    code: Option<i32>,
    trial: PathBuf,
    _benchmark: TempDir,
}

fn run(files: &[(&str, &str)], with: impl FnOnce(&mut RunScript), environment: &[(&str, &str)]) -> Ran {
    let benchmark = benchmark(r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#);
    for (name, content) in files {
        put(&benchmark.path().join("Templates/T"), name, content);
    }
    let bin = benchmark.path().join("bin");
    put(&bin, "python", PYTHON);
    executable(&bin.join("python"));
    let file = read(&benchmark).expect("sound").remove(0);
    let layout = Layout::in_folder(benchmark.path());
    let trial = id(&file, 0);
    let mut script = script(Setting::Docker);
    with(&mut script);
    expand(&layout, &trial, &file.instances[0], &Extras::default(), &script).expect("made");
    let trial = layout.trial(&trial);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let output = Command::new("sh")
        .args(["-c", "exec sh run.sh 2>&1"])
        .current_dir(&trial)
        .env("PATH", path)
        .envs(environment.iter().copied())
        .output()
        .expect("sh runs");
    Ran {
        log: String::from_utf8(output.stdout).expect("text"),
        code: output.status.code(),
        trial,
        _benchmark: benchmark,
    }
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
}

const STEPS: [(&str, &str); 4] = [
    ("scenario_init.sh", "echo \"init\"; export FROM_INIT=1\r\n"),
    (
        "scenario.py",
        "echo \"scenario $FROM_INIT $AUTOGEN_TESTBED_SETTING\"; mkdir .cache __pycache__; exit 3\n",
    ),
    ("scenario_finalize.sh", "echo \"finalize FROM_INIT=$FROM_INIT EXIT_CODE=$EXIT_CODE\"; EXIT_CODE=0\n"),
    ("global_finalize.sh", "[ -e .cache ] || [ -e __pycache__ ] || echo \"cleaned\"\n"),
];

#[test]
fn the_steps_run_in_order_and_the_scenarios_code_comes_out() {
    let ran = run(&STEPS, |_| {}, &[]);
    insta::assert_snapshot!(ran.log.replace("RUNTIME: 1", "RUNTIME: 0"), @r"
    RUN.SH STARTING !#!#
    AUTOGEN_TESTBED_SETTING: [Docker]
    init
    SCENARIO.PY STARTING !#!#
    scenario 1 Docker
    SCENARIO.PY EXITED WITH CODE: 3 !#!#
    SCENARIO.PY RUNTIME: 0 !#!#
    finalize FROM_INIT=1 EXIT_CODE=3
    cleaned
    SCENARIO COMPLETE !#!#
    RUN.SH COMPLETE !#!#
    ");
    assert_eq!(ran.code, Some(3));
    let stamp = fs::read_to_string(ran.trial.join("timestamp.txt")).expect("read");
    let lines: Vec<&str> = stamp.lines().collect();
    assert!(lines[0].starts_with("Timestamp: 2"), "{stamp}");
    assert_eq!(lines[1..], ["koab version: 1.2.3", "Python 3.99.0"]);
}

#[test]
fn requirements_are_installed_only_when_there_are_any_and_their_failure_shows() {
    for (requirements, asked) in
        [("", false), ("# none\n\n  \r\n", false), ("some-package", true), ("\n\ta>=1 # b\n", true)]
    {
        let ran = run(&[("requirements.txt", requirements)], |_| {}, &[]);
        assert_eq!(
            ran.log.contains("pip pip install -r requirements.txt"),
            asked,
            "{requirements:?}: {}",
            ran.log
        );
        let stamp = fs::read_to_string(ran.trial.join("timestamp.txt")).expect("read");
        assert_eq!(stamp.contains("some-package==1.0"), asked, "{stamp}");
    }
    let ran = run(&[("requirements.txt", "a"), ("scenario.py", "echo ran")], |_| {}, &[("PIP_CODE", "7")]);
    let found = markers(&ran.log);
    assert_eq!(found.pip_exit_code, Some(7));
    assert!(found.scenario_complete, "{}", ran.log);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn on_this_computer_an_environment_is_made_for_what_is_installed_and_removed() {
    let native = |script: &mut RunScript| script.setting = Setting::Native;
    for (requirements, made) in [("some-package", true), ("# none\n", false)] {
        let files = [("scenario.py", "command -v python"), ("requirements.txt", requirements)];
        let ran = run(&files, native, &[]);
        assert!(ran.log.contains("AUTOGEN_TESTBED_SETTING: [Native]"), "{}", ran.log);
        let used = ran.log.contains("/0/.agbench_venv/bin/python\n");
        assert_eq!(used, made, "{}", ran.log);
        assert!(!ran.trial.join(".agbench_venv").exists());
    }
}

#[test]
fn a_script_that_exits_ends_the_run_without_its_markers() {
    let ran = run(&[("scenario_init.sh", "exit 5")], |_| {}, &[]);
    assert_eq!(ran.code, Some(5));
    assert!(!markers(&ran.log).ended, "{}", ran.log);
}

/// What we write is read by the original's rules, in both generations.
#[test]
fn the_originals_readers_find_code_and_time_in_our_logs() {
    use koab_scenarios::outcome::{Cause, Origin, Outcome};
    use koab_scenarios::tabulate::Scorer;
    use koab_scenarios::tabulate::original::{Generation, tabulate};
    for (scenario, second, third) in [
        ("echo \"ALL TESTS PASSED !#!#\"", "x,True\n", "x,True,0.0\n"),
        ("echo wrong", "x,False\n", "x,False,0.0\n"),
        // A crash is missing to the later reader, as it is in logs of the earlier tool.
        ("exit 3", "x,False\n", "x,,0.0\n"),
    ] {
        let ran = run(&[("scenario.py", scenario)], |_| {}, &[]);
        put(&ran.trial, "console_log.txt", ran.log.replace("RUNTIME: 1", "RUNTIME: 0"));
        Outcome::new(Origin::Recorded, Cause::Completed).write(&ran.trial).expect("written");
        let results = ran.trial.parent().and_then(Path::parent).expect("a scenario");
        let csv = |generation| tabulate(results, generation, Scorer::Markers, true).expect("tabulated");
        assert!(csv(Generation::Second).ends_with(second), "{scenario}");
        assert!(csv(Generation::Third).trim_end().ends_with(third.trim_end()), "{scenario}");
    }
}

/// Scenarios of the first years begin with `init()` and end with `finalize(agents)`.
#[test]
fn the_starter_module_notes_versions_and_writes_conversations() {
    if Command::new("python3").arg("-V").output().is_err() {
        return skip("the starter module needs python3");
    }
    let benchmark = benchmark(r#"{"id": "x", "template": "../Templates/T", "substitutions": {}}"#);
    let file = read(&benchmark).expect("sound").remove(0);
    let results = benchmark.path().join("results");
    make(&results, &file, 0, &Extras::default()).expect("made");
    let trial = results.join("a/x/0");
    put(&trial, "timestamp.txt", "koab version: 1\n");
    let scenario = r#"
import testbed_utils
class Agent:
    def __init__(self, name): self.name = name; self.chat_messages = {}
testbed_utils.init()
a, b = Agent("assistant"), Agent("user_proxy")
b.chat_messages[a] = [{"role": "user", "content": "안녕"}]
testbed_utils.finalize([b])
print(testbed_utils.default_llm_config([{"model": "m"}]))
"#;
    let output =
        Command::new("python3").args(["-B", "-c", scenario]).current_dir(&trial).output().expect("runs");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("'timeout': 180"), "{said}");
    let messages = fs::read_to_string(trial.join("user_proxy_messages.json")).expect("written");
    let messages: serde_json::Value = serde_json::from_str(&messages).expect("JSON");
    assert_eq!(messages["assistant"][0]["content"], "안녕");
    let stamp = fs::read_to_string(trial.join("timestamp.txt")).expect("read");
    assert!(stamp.starts_with("koab version: 1\nTimestamp: "), "{stamp}");
}
