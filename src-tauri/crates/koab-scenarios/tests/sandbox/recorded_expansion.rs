//! Every recorded scenario expands to the bytes that the original tool left.

use crate::sandbox::support::{make, put, reference, tree};
use koab_scenarios::expand::Extras;
use koab_scenarios::scenario_file::{self, ScenarioFile};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What the tool or the scenario makes while a trial runs.
const MADE_BY_RUNNING: [&str; 4] =
    ["console_log.txt", "timestamp.txt", "user_proxy_messages.json", "coding/out.txt"];
/// Starter files, whose words are each tool's own; the records leave out what is the original's text.
const STARTER: [&str; 4] = ["global_finalize.sh", "global_init.sh", "testbed_utils.py", "run.sh"];

/// Compares the trials of `file` with the recorded ones, and says how many there were.
fn compare(file: &ScenarioFile, recorded: &Path, extras: &Extras) -> usize {
    let results = tempfile::tempdir().expect("a folder");
    let mut compared = 0;
    for (at, instance) in file.instances.iter().enumerate() {
        make(results.path(), file, at, extras).expect("made");
        let ours = results.path().join(&file.name).join(&instance.id).join("0");
        let mut ours = tree(&ours);
        for name in STARTER {
            ours.remove(name);
        }
        for trial in fs::read_dir(recorded.join(&instance.id)).expect("recorded") {
            let trial = trial.expect("an entry").path();
            let mut theirs = tree(&trial);
            for name in MADE_BY_RUNNING {
                theirs.remove(name);
            }
            assert_eq!(
                ours.keys().collect::<Vec<_>>(),
                theirs.keys().collect::<Vec<_>>(),
                "{}",
                trial.display()
            );
            for (name, bytes) in &theirs {
                assert_eq!(
                    String::from_utf8_lossy(&ours[name]),
                    String::from_utf8_lossy(bytes),
                    "{name} of {}",
                    trial.display()
                );
                assert_eq!(&ours[name], bytes, "{name} of {}", trial.display());
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn the_recorded_trials_of_all_generations_have_our_bytes() {
    let (Some(inputs), Some(recorded)) = (reference("recorded/bench-mini"), reference("recorded")) else {
        return;
    };
    let file = |path: &str| scenario_file::read(&inputs.join(path), &[]).expect("sound").remove(0);
    let mini = file("Tasks/mini.jsonl");
    let config = fs::read(inputs.join("config.yaml")).expect("read");
    // The third generation begins with no requirements, and copies a configuration; those before ask for their library.
    let third = Extras { config: Some(config), ..Extras::default() };
    let results = |name: &str| recorded.join(name);
    assert_eq!(compare(&mini, &results("head-native/Results/mini"), &third), 10);
    assert_eq!(compare(&mini, &results("head-docker/Results/mini"), &third), 6);
    for earlier in
        ["v003-native/Results", "v003-docker/Results", "seed-native/results", "seed-docker/results"]
    {
        let recorded = results(earlier).join("mini");
        let mut others = mini.clone();
        others.instances.retain(|instance| instance.id != "file_tmpl");
        assert_eq!(compare(&others, &recorded, &Extras::default()), 4, "{earlier}");
        let mut alone = mini.clone();
        alone.instances.retain(|instance| instance.id == "file_tmpl");
        let extras = Extras { requirements: Some(b"pyautogen\n".to_vec()), ..Extras::default() };
        assert_eq!(compare(&alone, &recorded, &extras), 1, "{earlier}");
    }
    let env = file("Tasks2/env.jsonl");
    assert_eq!(compare(&env, &results("v003-native/Results/env"), &Extras::default()), 1);
}

/// The fixture of every form a line can have. The scenarios themselves are not in the records, so their places are taken.
#[test]
fn every_form_of_a_line_gives_the_recorded_files() {
    let (Some(data), Some(recorded)) = (reference("data/formats"), reference("recorded/expand-formats"))
    else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in tree(&data) {
        put(folder.path(), &name, bytes);
    }
    for name in ["single_file_scenario.py", "SingleDir/scenario.py", "Dir_1of2/scenario.py"] {
        put(folder.path(), &format!("Templates/{name}"), "model __MODEL__\nprompt __PROMPT__\n");
    }
    let file =
        scenario_file::read(&folder.path().join("test_jsonl_formats.jsonl"), &[]).expect("sound").remove(0);
    assert_eq!(file.instances.len(), 8);
    let listing = fs::read_to_string(recorded.join("tree.txt")).expect("read");
    let mut theirs: BTreeSet<&str> = listing
        .lines()
        .filter(|line| line.starts_with('f'))
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let results = tempfile::tempdir().expect("a folder");
    for at in 0..file.instances.len() {
        make(results.path(), &file, at, &Extras::default()).expect("made");
    }
    let prompt = "Print the current date and time using the ISO 8601 format.";
    for (name, bytes) in tree(results.path()) {
        if name.ends_with("/run.sh") || name.ends_with("/testbed_utils.py") {
            continue;
        }
        assert!(theirs.remove(name.as_str()), "{name} is not in the records");
        if name.ends_with("/scenario.py") {
            let text = String::from_utf8(bytes).expect("text");
            let flat = name.contains("original_format") || name.contains("single_file");
            let second = if flat { prompt } else { "__PROMPT__" };
            assert_eq!(text, format!("model gpt-3.5-turbo-16k\nprompt {second}\n"), "{name}");
        } else if let Ok(recorded) = fs::read(recorded.join("Results").join(&name)) {
            assert_eq!(bytes, recorded, "{name}");
        }
    }
    assert!(theirs.is_empty(), "not made: {theirs:?}");
}

#[test]
fn scenario_files_of_every_year_are_read() {
    let Some(data) = reference("data") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in tree(&data) {
        put(folder.path(), &name, bytes);
    }
    let placeholders = "__MODEL__ __PROMPT__ __TASK__";
    for (file, instances, stubs) in [
        (
            "v0.0.3/AutoGPT/Tasks/autogpt__TwoAgents.jsonl",
            13,
            &[
                "../Templates/TwoAgents/scenario.py",
                "../Templates/TwoAgents/check.py",
                "../Challenges/1_sort_csv/custom_python/a.py",
                "../Challenges/9_three_sum/custom_python/a.py",
                "../Challenges/10_password_generator/custom_python/a.py",
                "../Challenges/11_file_organizer/custom_python/a.py",
                "../Challenges/12_url_shortener/custom_python/a.py",
                "../Challenges/13_tic_tac_toe/custom_python/a.py",
            ][..],
        ),
        ("v0.0.3/Examples/Tasks/default_two_agents.jsonl", 3, &["../Templates/TwoAgents/scenario.py"]),
        ("seed-era/Examples/default_two_agents_gpt4.jsonl", 3, &["Templates/TwoAgents/scenario.py"]),
        ("testbed-2023-11/default_two_agents.jsonl", 6, &["default_two_agents.py"]),
        ("testbed-2023-12-math/problems.jsonl", 17, &["scenario.py"]),
    ] {
        let path = folder.path().join(file);
        for stub in stubs {
            put(path.parent().expect("a folder"), stub, placeholders);
        }
        let read = scenario_file::read(&path, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(read[0].instances.len(), instances, "{file}");
    }
}
