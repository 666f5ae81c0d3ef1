//! The gate in continuous integration: the action, the job of `GitLab`, and this repository's own workflow, whose steps are read from their
//! files and run.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, Ran};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const ACTION: &str = ".github/actions/gate";

/// What expressions such as `env.NAME` stand for.
type ExpressionValues = BTreeMap<String, String>;

fn text_of(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    fs::read_to_string(root.join(path)).unwrap()
}

fn yaml(path: &str) -> Value {
    serde_norway::from_str(&text_of(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A value as a step is given it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text with its expressions filled in; what is not there is nothing, as on GitHub.
fn filled(text: &str, known: &ExpressionValues) -> String {
    let mut parts = text.split("${{");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap();
        let name = name.trim();
        let (context, _) = name.split_once('.').unwrap_or_default();
        assert!(["env", "inputs", "steps"].contains(&context), "{name}");
        whole += known.get(name).map_or("", String::as_str);
        whole += rest;
    }
    whole
}

/// A machine that makes jobs.
struct Runner {
    work: tempfile::TempDir,
    path: String,
    known: ExpressionValues,
}

impl Runner {
    /// In a folder of its own, from which the steps see of the checkout what they name: they write beside it.
    fn new() -> Self {
        let work = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        for name in [".github", "ui"] {
            symlink(root.join(name).canonicalize().unwrap(), work.path().join(name)).unwrap();
        }
        let koab = Path::new(env!("CARGO_BIN_EXE_koab")).parent().unwrap().to_owned();
        let paths = [Some(koab), node(), Some("/usr/bin".into()), Some("/bin".into())];
        let path = std::env::join_paths(paths.into_iter().flatten()).unwrap();
        Self { work, path: path.into_string().unwrap(), known: ExpressionValues::new() }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.work.path().join(name)).unwrap_or_default()
    }

    /// Runs a script with variables of its own and those that earlier steps left.
    fn script(&self, shell: &[&str], script: &str, variables: &[(String, String)]) -> Ran {
        let work = self.work.path();
        let _ = fs::remove_file(work.join("output"));
        let mut bash = Command::new("bash");
        bash.args(shell).arg(script).current_dir(work).env_clear();
        for (name, value) in &self.known {
            if let Some(name) = name.strip_prefix("env.") {
                bash.env(name, value);
            }
        }
        bash.env("PATH", &self.path)
            .env("LC_ALL", "en_US.UTF-8")
            .env("GITHUB_ENV", work.join("environment"))
            .env("GITHUB_OUTPUT", work.join("output"))
            .env("GITHUB_STEP_SUMMARY", work.join("summary"))
            .envs(variables.iter().map(|(name, value)| (name, value)));
        crate::support::ran(bash.output().unwrap())
    }

    /// Takes in what a step has written to a file of `NAME=value`.
    fn keep(known: &mut ExpressionValues, context: &str, written: &str) {
        for (name, value) in written.lines().filter_map(|line| line.split_once('=')) {
            known.insert(format!("{context}.{name}"), value.to_owned());
        }
    }

    /// A step of a workflow.
    fn step(&mut self, step: &Value) -> Ran {
        let ran = match (step["run"].as_str(), step["uses"].as_str()) {
            (Some(script), None) => {
                let variables = variables(step, &self.known);
                self.script(&["-ec"], &filled(script, &self.known), &variables)
            }
            (None, Some(action)) => self.action(action.strip_prefix("./").unwrap(), step),
            _ => panic!("{step}"),
        };
        let written = self.file("environment");
        Self::keep(&mut self.known, "env", &written);
        ran
    }

    /// A step that is an action of this repository.
    fn action(&mut self, folder: &str, step: &Value) -> Ran {
        let action = yaml(&format!("{folder}/action.yml"));
        let with = &step["with"];
        for (name, _) in fields(with) {
            assert!(action["inputs"].get(name).is_some(), "{folder} takes no {name}");
        }
        let mut known = self.known.clone();
        for (name, input) in fields(&action["inputs"]) {
            let given = with.get(name).or_else(|| input.get("default"));
            assert!(given.is_some() || input["required"] != true, "{folder} wants {name}");
            let given = given.map(|given| filled(&plain(given), &self.known));
            known.insert(format!("inputs.{name}"), given.unwrap_or_default());
        }
        let [only] = action["runs"]["steps"].as_array().unwrap().as_slice() else {
            panic!("{folder} has one step");
        };
        assert_eq!((&only["shell"], &action["runs"]["using"]), (&"bash".into(), &"composite".into()));
        let mut variables = variables(only, &known);
        let here = self.work.path().join(folder);
        variables.push(("GITHUB_ACTION_PATH".to_owned(), here.display().to_string()));
        let shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c"];
        let ran = self.script(&shell, only["run"].as_str().unwrap(), &variables);
        let own = format!("steps.{}.outputs", only["id"].as_str().unwrap());
        Self::keep(&mut known, &own, &self.file("output"));
        for (name, output) in fields(&action["outputs"]) {
            let value = filled(output["value"].as_str().unwrap(), &known);
            if let Some(id) = step["id"].as_str() {
                self.known.insert(format!("steps.{id}.outputs.{name}"), value);
            }
        }
        ran
    }
}

/// The variables of a step.
fn variables(step: &Value, known: &ExpressionValues) -> Vec<(String, String)> {
    let own = fields(&step["env"]);
    own.map(|(name, value)| (name.clone(), filled(&plain(value), known))).collect()
}

/// The folder of Node.js.
fn node() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).find(|folder| folder.join("node").is_file())
}

/// The variable by which the script is told an input.
fn variable(name: &str) -> String {
    format!("GATE_{}", name.to_uppercase().replace('-', "_"))
}

#[test]
fn our_own_workflow_passes_the_same_model_and_finds_a_worse_one() {
    if node().is_none() {
        crate::support::skip("our_own_workflow_passes_the_same_model_and_finds_a_worse_one", "node");
        return;
    }
    let workflow = yaml(".github/workflows/ci.yml");
    let steps = workflow["jobs"]["gate"]["steps"].as_array().unwrap();
    let build = steps.iter().find(|step| step["id"] == "build").unwrap();
    let build = build["run"].as_str().unwrap();
    assert!(build.contains("cargo build --package koab-cli") && build.contains("GITHUB_PATH"), "{build}");

    let mut runner = Runner::new();
    let mut codes = Vec::new();
    let mut failed = None;
    for step in steps {
        let uses = step["uses"].as_str().unwrap_or_default();
        // The machine and the program are the test's.
        if uses.starts_with("actions/") || step["id"] == "build" {
            continue;
        }
        let always = step["if"] == "always()";
        assert!(always || step["if"].is_null(), "{step}");
        if failed.is_some() && !always {
            continue;
        }
        let ran = runner.step(step);
        if uses == format!("./{ACTION}") {
            codes.push(ran.code);
        }
        if ran.code != 0 && step["continue-on-error"] != true && failed.is_none() {
            failed = Some(format!("{step}\n{} {}{}", ran.code, ran.stdout, ran.stderr));
        }
    }
    assert_eq!(failed, None);
    assert_eq!(codes, [0, 4], "{}", runner.file("summary"));
    let summary = runner.file("summary");
    assert!(summary.contains("koab gate: passed") && summary.contains("koab gate: failed"), "{summary}");
    assert_eq!(runner.known["steps.worse.outputs.verdict"], "fail");
}

#[test]
fn the_action_hands_on_what_its_script_reads_and_no_more() {
    let action = yaml(&format!("{ACTION}/action.yml"));
    let given: BTreeMap<_, _> = fields(&action["runs"]["steps"][0]["env"])
        .map(|(name, value)| (name.clone(), plain(value)))
        .collect();
    let inputs: BTreeMap<_, _> = fields(&action["inputs"])
        .map(|(name, _)| (variable(name), format!("${{{{ inputs.{name} }}}}")))
        .collect();
    assert_eq!(given, inputs);

    let script = text_of(&format!("{ACTION}/gate.sh"));
    let listed = script.lines().find_map(|line| line.strip_prefix("for name in "));
    let listed: Vec<&str> = listed.unwrap().trim_end_matches("; do").split(' ').collect();
    let named = script.split("${GATE_").skip(1).map(|rest| {
        let end = rest.find(|c: char| c != '_' && !c.is_ascii_uppercase());
        format!("GATE_{}", &rest[..end.unwrap()])
    });
    let read: BTreeSet<_> = listed.iter().map(|name| variable(name)).chain(named).collect();
    assert_eq!(read, inputs.into_keys().collect());

    let help = Koab::new().ok(&["gate", "--help"]).stdout;
    for name in listed.iter().chain(&["judge-models", "junit", "markdown"]) {
        assert!(help.contains(&format!("--{name} ")), "koab gate has no --{name}");
    }
}

/// The job of `GitLab` with a project's own variables, which count before the job's.
#[test]
fn the_job_of_gitlab_runs_the_same_script_and_warns_where_the_answer_is_open() {
    let action = yaml(&format!("{ACTION}/action.yml"));
    let file = yaml("docs/ci/gate.gitlab-ci.yml");
    let job = &file[".koab-gate"];
    for (name, value) in fields(&job["variables"]) {
        if name == "GATE_SCRIPT" {
            assert_eq!(value, &format!("{ACTION}/gate.sh"));
            continue;
        }
        let mut inputs = fields(&action["inputs"]);
        let (_, input) = inputs.find(|(input, _)| variable(input) == *name).unwrap();
        assert_eq!(Some(value), input.get("default"), "{name}");
    }

    let runner = Runner::new();
    let koab = Koab::new();
    let report = koab.json(&["run", "--model", "baseline/golden", "--evaluate"])["reports"][0]["id"].clone();
    let home = koab.path().display().to_string();
    let gate = |model: &str, more: &[(&str, &str)]| {
        let own = [
            ("GATE_HOME", home.as_str()),
            ("GATE_BASELINE", report.as_str().unwrap()),
            ("GATE_BASELINE_MODEL", "baseline/golden"),
            ("GATE_MODEL", model),
            ("GATE_METRIC", "ToolAcc"),
            ("GATE_MARGIN", "20pp"),
        ];
        let own = own.iter().chain(more);
        let own = own.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let all: Vec<_> =
            fields(&job["variables"]).map(|(name, value)| (name.clone(), plain(value))).chain(own).collect();
        let lines: Vec<_> = job["script"].as_array().unwrap().iter().map(plain).collect();
        runner.script(&["-eo", "pipefail", "-c"], &lines.join("\n"), &all)
    };
    let kept = || {
        let artifacts = &job["artifacts"];
        let mut files = artifacts["paths"].as_array().unwrap().clone();
        files.push(artifacts["reports"]["junit"].clone());
        let written: Vec<_> = files.iter().map(|name| runner.file(name.as_str().unwrap())).collect();
        assert!(written.iter().all(|text| !text.is_empty()), "{files:?}");
    };
    let failed = gate("baseline/silent", &[]);
    assert_eq!(failed.code, 4, "{}{}", failed.stdout, failed.stderr);
    kept();
    let passed = gate("baseline/golden", &[]);
    assert_eq!(passed.code, 0, "{}{}", passed.stdout, passed.stderr);
    kept();
    let open = gate("baseline/silent", &[("GATE_MAX_ATTEMPTS", "2")]);
    assert_eq!(job["allow_failure"]["exit_codes"], open.code, "{}{}", open.stdout, open.stderr);
    kept();
}
