//! Agents of others, unmodified and of pinned versions, do what a native run does; three of them in containers without a network as
//! well. `KOAB_AGENT_CODEX` and the like name a folder with the program; else it is installed where everything is required.

mod vendors;

use crate::agents::kinds::did;
use crate::agents::played::played;
use crate::agents::workshop::{Extent, brief, containers, results, run};
use crate::support::{Koab, docker, shared, skip};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The folder with an agent's programs; installed programs stay for the next time.
fn programs(agent: &str, install: &str) -> Option<PathBuf> {
    let variable = format!("KOAB_AGENT_{}", agent.to_uppercase().replace('-', "_"));
    if let Some(folder) = std::env::var_os(&variable) {
        return Some(folder.into());
    }
    if std::env::var_os("KOAB_REQUIRE_ALL").is_none() {
        skip(agent, &format!("{variable}, or everything to be required"));
        return None;
    }
    // One program has several interfaces.
    let name = agent.trim_end_matches("-acp");
    let words: Vec<&str> = install.split(' ').map(|word| word.trim_matches('\'')).collect();
    Some(if install.starts_with("npm") {
        koab_programs::node(name, &words[words.len() - 1..]).join("node_modules/.bin")
    } else {
        koab_programs::python(name, &words[2..]).join("bin")
    })
}

/// An image of what is installed in a folder, without a registry; `koab agents image` finds its packages in it.
fn base(host: &str, agent: &str, programs: &Path) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (script, folder) = match programs.ends_with("bin") {
        true => (tests.join("autogen/image.sh"), programs.parent()),
        false => (tests.join("agents/npm-image.sh"), programs.ancestors().nth(2)),
    };
    let name = format!("koab-with-{agent}");
    let made = Command::new("sh")
        .arg(script)
        .arg(folder.expect("a folder"))
        .arg(&name)
        .env("DOCKER_HOST", host)
        .output()
        .expect("sh");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    name
}

fn equal(agent: &str) {
    equal_in(agent, None);
}

fn equal_in_a_container(agent: &str) {
    if std::env::var_os("KOAB_REQUIRE_ALL").is_none() && std::env::var_os("KOAB_AGENT_CONTAINERS").is_none() {
        skip(agent, "KOAB_AGENT_CONTAINERS, or everything to be required");
        return;
    }
    if let Some(host) = docker(agent) {
        equal_in(agent, Some(&host));
    }
}

/// On this computer, or in the containers of this engine.
fn equal_in(agent: &str, host: Option<&str>) {
    let koab = Koab::new();
    let definition = koab.json(&["agents", "show", agent]);
    let install = definition["install"].as_str().unwrap_or_default();
    let Some(programs) = programs(agent, install) else {
        return;
    };
    let Some(shared) = shared(agent) else { return };
    koab.use_published(&shared);
    let model = played(&shared, "azure_gpt-4o", Duration::ZERO);
    let again = host.is_some() || agent.ends_with("-acp");
    let (tasks, count) = if again { Extent::Two } else { Extent::Three }.words();
    let (native, _) = run(&koab, &model.address, &tasks);
    let koab = match host {
        Some(host) => {
            let koab = koab.with("DOCKER_HOST", host);
            let base = base(host, agent, &programs);
            koab.ok(&["agents", "image", agent, "--base", &base]);
            koab
        }
        None => {
            let path = std::env::var("PATH").unwrap_or_default();
            koab.with("PATH", &format!("{}:{path}", programs.display()))
        }
    };
    let checked = koab.json(&["agents", "check", agent]);
    assert_eq!(checked["version"], definition["verified"], "{checked}");
    assert_eq!(checked["contained"], host.is_some(), "{checked}");
    let words = [&["--agent", agent, "--concurrency", "2"], &tasks[..]].concat();
    let (folder, said) = run(&koab, &model.address, &words);
    let (expected, found) = (results(&native), results(&folder));
    assert_eq!((expected.len(), found.len()), (count, count), "{said}");
    let pairs = expected.iter().zip(&found);
    let differ: Vec<String> = pairs
        .filter(|(native, agent)| did(native) != did(agent))
        .map(|(native, agent)| format!("{}\n{}\n", brief(native), brief(agent)))
        .collect();
    let took = said["run"]["seconds"].as_f64().unwrap_or_default();
    eprintln!("{agent}: {} of {} equal, {took:.0} s", found.len() - differ.len(), found.len());
    assert!(differ.is_empty(), "{agent}: {} differ\n{:.4000}", differ.len(), differ.concat());
    let journal: Vec<Value> = crate::agents::workshop::attempts(&folder);
    assert!(journal.iter().all(|attempt| attempt["agent"]["by_agent"] == 0));
    if let Some(host) = host {
        assert_eq!(containers(host, koab.path()), 0);
    }
}

macro_rules! agents {
    ($($test:ident: $agent:literal $equal:ident,)*) => {
        $(#[test]
        fn $test() {
            $equal($agent);
        })*
    };
}

agents! {
    codex: "codex" equal,
    gemini_cli: "gemini-cli" equal,
    gemini_cli_over_acp: "gemini-cli-acp" equal,
    qwen_code: "qwen-code" equal,
    qwen_code_over_acp: "qwen-code-acp" equal,
    opencode: "opencode" equal,
    opencode_over_acp: "opencode-acp" equal,
    openai_agents: "openai-agents" equal,
    autogen: "autogen" equal,
    langgraph: "langgraph" equal,
    adk: "adk" equal,
    adk_over_a2a: "adk-a2a" equal,
    pydantic_ai: "pydantic-ai" equal,
    strands: "strands" equal,
    anthropic_loop: "anthropic-loop" equal,
    genai_loop: "genai-loop" equal,
    codex_in_a_container: "codex" equal_in_a_container,
    gemini_cli_in_a_container: "gemini-cli" equal_in_a_container,
    openai_agents_in_a_container: "openai-agents" equal_in_a_container,
}
