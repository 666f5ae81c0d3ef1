//! Scenarios on the real packages of `AutoGen`, of both generations and pinned, with a scripted model. They are installed where
//! everything is required; what is shipped is looked at everywhere.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "these are tests")]

mod image;
mod model;
mod shipped;
use crate::support::{Koab, docker, ran};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const KINDS: [&str; 4] =
    ["AutoGen02TwoAgents", "AutoGen02GroupChat", "AutoGen04TwoAgents", "AutoGen04GroupChat"];

/// A benchmark: its name, what its scenario files begin with, the scorer, a sample that the scripted model does and one it does not.
struct Set {
    name: &'static str,
    prefix: &'static str,
    scorer: &'static str,
    done: &'static str,
    not_done: &'static str,
}

const SETS: [Set; 4] = [
    Set {
        name: "HumanEval",
        prefix: "human_eval",
        scorer: "markers",
        done: "Sample_0",
        not_done: "Sample_1",
    },
    Set { name: "GAIA", prefix: "gaia", scorer: "gaia", done: "sample-sales", not_done: "sample-log" },
    Set { name: "MATH", prefix: "math", scorer: "math", done: "sample_digits", not_done: "sample_triangle" },
    Set {
        name: "OfficeFiles",
        prefix: "office_files",
        scorer: "markers",
        done: "greeting",
        not_done: "totals",
    },
];

/// Whether the packages are to be installed: where everything is required.
fn installs() -> bool {
    let required = std::env::var_os("KOAB_REQUIRE_ALL").is_some_and(|value| value == "1");
    if !required {
        eprintln!("SKIP: AutoGen's packages are installed where everything is required");
    }
    required
}

impl Set {
    /// Clones the benchmark and leaves two samples in the scenario files of these kinds, and no other files.
    fn cloned(&self, koab: &Koab, kinds: &[&str]) -> PathBuf {
        let folder = koab.path().join(self.name);
        koab.ok(&["scenario", "clone", self.name, "--to", folder.to_str().unwrap()]);
        for entry in fs::read_dir(folder.join("Tasks")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if !kinds.iter().any(|kind| name.ends_with(kind)) {
                fs::remove_file(path).unwrap();
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let kept: Vec<&str> = text
                .lines()
                .filter(|line| {
                    [self.done, self.not_done].iter().any(|id| line.contains(&format!("\"id\": \"{id}\"")))
                })
                .collect();
            assert_eq!(kept.len(), 2, "{name}");
            fs::write(&path, kept.join("\n")).unwrap();
        }
        folder
    }

    /// Runs what was left of the benchmark, standing in its folder, and looks at what came of each kind.
    fn runs(&self, koab: &Koab, kinds: &[&str], place: &[&str], host: Option<&str>) {
        let folder = self.cloned(koab, kinds);
        if host.is_none() {
            let wheels = serde_json::Value::from(image::wheels().display().to_string());
            let variables = format!("PIP_NO_INDEX: \"1\"\nPIP_FIND_LINKS: {wheels}\n");
            fs::write(folder.join("ENV.yaml"), variables).unwrap();
        }
        let model = model::start();
        let address = format!("{}/v1", model.address);
        let words = ["scenario", "run", "Tasks", "--model", "openai_compat/mock", "--base-url", &address];
        let mut command = koab.command(&[&words[..], place].concat());
        command.current_dir(&folder).env("OPENAI_COMPAT_API_KEY", "canary-of-the-provider");
        if let Some(host) = host {
            command.env("DOCKER_HOST", host);
        }
        let done = ran(command.output().unwrap());
        let results = folder.join("results");
        assert_eq!(done.code, 0, "{}\n{}\n{}", done.stdout, done.stderr, logs(&results));
        for kind in kinds {
            self.looked_at(koab, &results, kind);
        }
        let leaked = Command::new("grep").args(["-rla", "canary\\|sk-koab-"]).arg(&results).output().unwrap();
        assert_eq!(String::from_utf8(leaked.stdout).unwrap(), "");
    }

    fn looked_at(&self, koab: &Koab, results: &Path, kind: &str) {
        let scenario = results.join(format!("{}_{kind}", self.prefix));
        let trial = scenario.join(self.done).join("0");
        let log = fs::read_to_string(trial.join("console_log.txt")).unwrap();
        assert!(log.contains("\nSCENARIO.PY COMPLETE !#!#\n"), "{log}");
        assert!(!log.contains("PIP INSTALL EXITED"), "{log}");
        let versions = fs::read_to_string(trial.join("timestamp.txt")).unwrap();
        let version =
            if kind.starts_with("AutoGen02") { "pyautogen==0.2.35" } else { "autogen-agentchat==0.7.5" };
        assert!(versions.contains(version), "{versions}");
        let outcome = crate::support::read_json(&trial.join("outcome.json"));
        assert!(outcome["model_calls"]["count"].as_u64().unwrap() > 1, "{outcome}");

        for agent in self.agents(kind) {
            let messages = crate::support::read_json(&trial.join(format!("{agent}_messages.json")));
            let said: Vec<&Value> =
                messages.as_object().unwrap().values().flat_map(|all| all.as_array().unwrap()).collect();
            assert!(said.len() > 1 && said.iter().all(|message| message["content"].is_string()), "{agent}");
            let own = said.iter().any(|message| message["role"] == "assistant");
            assert!(own, "{kind}: {agent} says nothing");
        }
        self.tables(koab, &scenario);
    }

    fn agents(&self, kind: &str) -> Vec<&'static str> {
        let mut agents = match (self.name, kind.ends_with("GroupChat")) {
            ("HumanEval", true) => vec!["coder", "reviewer", "tests"],
            ("HumanEval", false) => vec!["assistant", "tests"],
            (_, true) => vec!["assistant", "critic", "computer"],
            (_, false) => vec!["assistant", "computer"],
        };
        if self.name == "MATH" {
            agents.push("checker");
        }
        agents
    }

    /// One sample passed and one failed: by our own table, and by the rules of each generation of the original.
    fn tables(&self, koab: &Koab, scenario: &Path) {
        let folder = scenario.display().to_string();
        let own = koab.json(&["scenario", "tabulate", &folder, "--scorer", self.scorer]);
        let totals = &own["scenarios"][0]["totals"];
        assert_eq!((&totals["passed"], &totals["failed"]), (&1.into(), &1.into()), "{folder}");
        for format in ["original", "agbench"] {
            let words = ["scenario", "tabulate", &folder, "--format", format, "--csv"];
            let scored = [&words[..], &["--scorer", self.scorer]].concat();
            // GAIA's and MATH's scorers were the benchmarks' own; MATH's scenarios print the marker as well.
            let tables = if self.name == "GAIA" { vec![scored] } else { vec![scored, words.to_vec()] };
            for words in tables {
                let table = koab.ok(&words).stdout;
                assert!(table.contains(&format!("\n{},True", self.done)), "{format}: {table}");
                assert!(table.contains(&format!("\n{},False", self.not_done)), "{format}: {table}");
            }
        }
    }
}

/// The ends of all logs.
fn logs(results: &Path) -> String {
    let said =
        Command::new("sh").args(["-c", "tail -n 30 */*/*/console_log.txt"]).current_dir(results).output();
    said.map_or_else(|_| String::new(), |said| String::from_utf8_lossy(&said.stdout).into_owned())
}

/// Whether all templates are run, which takes a quarter of an hour: asked for by hand. Else each kind is, and each benchmark.
fn all() -> bool {
    std::env::var_os("KOAB_AUTOGEN").is_some_and(|value| value == "all")
}

/// Each trial installs what it needs, from wheels that are kept.
#[test]
fn on_this_computer_both_generations_run_with_what_their_trials_install() {
    if !installs() {
        return;
    }
    // The generations by turns. What is left out runs in containers, and here by hand.
    let [two_02, group_02, two_04, group_04] = KINDS;
    for (set, kind) in SETS.iter().zip([two_02, two_04, group_02, group_04]) {
        if all() || ["HumanEval", "GAIA"].contains(&set.name) {
            let koab = Koab::new();
            let kinds = if all() { &KINDS[..] } else { &[kind] };
            set.runs(&koab, kinds, &["--native", "--yes", "--parallel", "2"], None);
        }
    }
}

#[test]
fn in_containers_without_a_network_every_benchmark_and_every_kind_of_template_runs() {
    if !installs() {
        return;
    }
    let Some(host) = docker("AutoGen in containers") else {
        return;
    };
    image::make(&host);
    for (at, set) in SETS.iter().enumerate() {
        let koab = Koab::new();
        let place = ["--docker-image", image::IMAGE, "--network", "none", "--parallel", "2"];
        // Others than those that are run without a container.
        let one = [KINDS[(at + 1) % KINDS.len()]];
        set.runs(&koab, if all() { &KINDS } else { &one }, &place, Some(&host));
    }
}
