//! Agents in containers: what a native run does, without a network, and on from where it was killed.

use crate::agents::kinds::did;
use crate::agents::played::played;
use crate::agents::resumed::ended;
use crate::agents::workshop::{Extent, carried, containers, results, run};
use crate::support::http::model;
use crate::support::wait::until;
use crate::support::{Koab, docker, read_json, shared};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
/// Kinds that run in containers.
const CONTAINED: [&str; 4] = ["command", "acp", "http", "a2a"];
/// A workspace whose agents run in the containers of this engine.
pub(crate) fn contained(host: &str) -> Koab {
    Koab::new().with("DOCKER_HOST", host)
}

#[test]
fn every_kind_in_a_container_does_what_a_native_run_does() {
    let test = "every_kind_in_a_container_does_what_a_native_run_does";
    let (Some(host), Some(shared)) = (docker(test), shared(test)) else {
        return;
    };
    let koab = contained(&host);
    koab.use_published(&shared);
    let model = played(&shared, "azure_gpt-4o", Duration::ZERO);
    let (tasks, count) = Extent::Three.words();
    let (native, _) = run(&koab, &model.address, &tasks);
    let expected: Vec<_> = results(&native).iter().map(did).collect();
    assert_eq!(expected.len(), count, "there is something to compare");
    for kind in CONTAINED {
        let file = carried(koab.path(), kind).display().to_string();
        koab.ok(&["agents", "image", &file, "--base", "koab-test"]);
        let checked = koab.json(&["agents", "check", &file]);
        assert_eq!((&checked["contained"], &checked["passed"]), (&true.into(), &true.into()), "{checked}");
        let (folder, said) =
            run(&koab, &model.address, &[&["--agent", &file, "--concurrency", "3"], &tasks[..]].concat());
        let found: Vec<_> = results(&folder).iter().map(did).collect();
        assert_eq!(found, expected, "{kind}: {said}");
        let spec = &read_json(&folder.join("run.json"))["spec"];
        assert_eq!(spec["agent"]["contained"], true, "{kind}");
    }
    assert_eq!(containers(&host, koab.path()), 0);
}

#[test]
fn an_agent_without_an_image_or_by_choice_runs_natively_and_that_is_said() {
    let Some(host) = docker("an_agent_without_an_image_or_by_choice_runs_natively_and_that_is_said") else {
        return;
    };
    let koab = contained(&host);
    let model = model("stop");
    let base = format!("{}/v1", model.address);
    let file = carried(koab.path(), "command").display().to_string();
    let words =
        ["run", "--model", "openai_compat/m", "--base-url", &base, "--tasks", "L1-001", "--agent", &file];
    let said = |more: &[&str]| koab.ok(&[&words[..], more].concat()).stderr;
    // Another name has another image.
    let other = koab.path().join("other.json");
    let text = std::fs::read_to_string(&file).expect("a definition");
    std::fs::write(&other, text.replace("own-command", "without-image")).expect("written");
    let other = other.display().to_string();
    let without = [&words[..7], &["--agent", &other]].concat();
    let native = koab.ok(&without).stderr;
    assert!(
        native.contains("without a container (it has no image; `koab agents image` builds one)"),
        "{native}"
    );
    koab.ok(&["agents", "image", &file, "--base", "koab-test"]);
    let native = said(&["--native"]);
    assert!(
        native.contains("own-command runs on this computer itself, without a container (--native)"),
        "{native}"
    );
    let native = said(&["--native", "--offline"]);
    assert_eq!(native.matches("the offline switch does not stop its requests").count(), 1, "{native}");
    let held = said(&["--offline"]);
    assert!(!held.contains("without a container"), "{held}");
    let runs = koab.json(&["runs", "list"]);
    let newest = runs[0]["folder"].as_str().expect("a folder");
    let spec = &read_json(&Path::new(newest).join("run.json"))["spec"];
    assert_eq!(spec["agent"]["contained"], true, "{runs}");
}

#[test]
fn an_image_needs_an_engine_and_a_base_with_python() {
    let koab = Koab::new().with("DOCKER_HOST", "unix:///nowhere/docker.sock");
    let ran = koab.run(&["agents", "image", "codex"]);
    assert!(ran.code != 0 && ran.stderr.contains("no container engine answers"), "{}", ran.stderr);
    let ran = koab.run(&["agents", "image", "codex", "--base", "a\nRUN b"]);
    assert!(ran.code != 0 && ran.stderr.contains("is not the name of an image"), "{}", ran.stderr);
    let listed = koab.json(&["agents", "list"]);
    assert!(listed["agents"].as_array().is_some_and(|all| all.iter().filter(|agent| is_program(agent)).all(
        |agent| {
            agent["contained"] == false && agent["remark"].to_string().contains("without a container")
        }
    )));
    let Some(host) = docker("an_image_needs_an_engine_and_a_base_with_python") else {
        return;
    };
    let koab = contained(&host);
    let ran = koab.run(&["agents", "image", "codex", "--base", "koab-test", "--offline"]);
    assert!(ran.code != 0 && ran.stderr.contains("registry.npmjs.org"), "{}", ran.stderr);
    let listed = koab.json(&["agents", "list"]);
    assert!(listed["agents"].as_array().is_some_and(|all| {
        let mut programs = all.iter().filter(|agent| is_program(agent));
        programs.all(|agent| agent["contained"] == agent["remark"].is_null())
    }));
}

#[test]
fn a_killed_run_in_containers_goes_on_in_them_and_leaves_none() {
    let test = "a_killed_run_in_containers_goes_on_in_them_and_leaves_none";
    let (Some(host), Some(shared)) = (docker(test), shared(test)) else {
        return;
    };
    let koab = contained(&host);
    koab.use_published(&shared);
    let model = played(&shared, "azure_gpt-4o", Duration::from_millis(50));
    let base = format!("{}/v1", model.address);
    let file = carried(koab.path(), "command").display().to_string();
    koab.ok(&["agents", "image", &file, "--base", "koab-test"]);
    let tasks = "L1-001,L2-001,L3-001,L4-001,L5-001,L6-001,L7-001,L5-002";
    let agent = ["--agent", &file, "--tasks", tasks, "--concurrency", "2"];
    let (native, _) = run(&koab, &model.address, &["--tasks", tasks]);
    let words = [&["run", "--model", "openai_compat/m", "--base-url", &base], &agent[..]].concat();
    let mut killed =
        koab.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("koab starts");
    until("two attempts end and others are in containers", MINUTE * 2, || {
        // The engine is asked last, because each question starts a process.
        ended(koab.path()) >= 2 && containers(&host, koab.path()) > 0
    });
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    // A run that was made in containers never goes on without them.
    let elsewhere =
        koab.command(&["run", "--resume", "last"]).env("DOCKER_HOST", "unix:///nowhere/docker.sock").output();
    let elsewhere = String::from_utf8_lossy(&elsewhere.expect("koab starts").stderr).into_owned();
    assert!(elsewhere.contains("made in containers"), "{elsewhere}");
    let said = koab.json(&["run", "--resume", "last"]);
    assert_eq!(said["run"]["outcome"], "completed", "{said}");
    let folder = Path::new(said["run"]["folder"].as_str().expect("a folder"));
    assert_eq!(read_json(&folder.join("run.json"))["spec"]["agent"]["contained"], true);
    let (expected, found) = (results(&native), results(folder));
    assert_eq!(expected.iter().map(did).collect::<Vec<_>>(), found.iter().map(did).collect::<Vec<_>>());
    assert_eq!(containers(&host, koab.path()), 0);
}

/// Whether an agent of the list is a program, and nobody's window.
fn is_program(agent: &Value) -> bool {
    agent["kind"] != "mcp-host"
}

#[test]
fn an_image_holds_what_people_are_told_to_install() {
    let koab = Koab::new();
    let listed = koab.json(&["agents", "list"]);
    let listed = listed["agents"].as_array().expect("agents");
    for agent in listed.iter().filter(|agent| is_program(agent)) {
        let name = agent["name"].as_str().expect("a name");
        let definition = koab.json(&["agents", "show", name]);
        let packages = &definition["packages"];
        let named =
            ["npm", "pip"].into_iter().flat_map(|kind| packages[kind].as_array().into_iter().flatten());
        let named: Vec<&str> = named.filter_map(|package| package.as_str()).collect();
        let install = definition["install"].as_str().expect("how").replace('\'', "");
        let told: Vec<&str> = install.split(' ').skip(2).filter(|word| *word != "-g").collect();
        assert_eq!(named, told, "{name}");
    }
}
